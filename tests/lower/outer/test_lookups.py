"""Scalar subqueries about a column that another subquery has computed, with a condition on what they say above.

Spark pushes the condition through both, and returned every row, or none, or failed (`spark/lookups.py`).
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import pytest

import substrait_sql
from tests.oracle import make, run
from tests.support import build
from tests.support.build import and_, eq, gt, is_null, lit, lt, or_
from tests.support.plan_types import type_of
from tests.tools import predicates

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyspark.sql import SparkSession

    from tests.support.build import Expr, R, Row

I64, BOOL = type_of("i64?"), type_of("bool?")
HOST = build.Row([I64, I64, BOOL])


def _table(name: str) -> R:
    return build.table(name, predicates.COLUMNS)


def _max(rows: R, index: int) -> Expr:
    return build.scalar(rows.aggregate(measures=lambda r: [build.extreme("max", r[index])]))


def _count(rows: R) -> Expr:
    return build.scalar(rows.aggregate(measures=lambda _: [build.count()]))


# The first subquery, about the host's first column.
FIRST: dict[str, Callable[[], Expr]] = {
    "equal": lambda: _max(_table("nq").filter(lambda r: eq(r[0], HOST.outer(0, 1))), 1),
    "less": lambda: _max(_table("nq").filter(lambda r: lt(r[0], HOST.outer(0, 1))), 0),
    "row": lambda: build.scalar(
        _table("nb")
        .filter(lambda r: and_(eq(r[0], HOST.outer(0, 1)), eq(r[1], lit(5, "i64"))))
        .select(lambda r: [r[0]])
    ),
}
# The second one, about the column of the first, the fourth of the record.
SEEN = build.Row([I64, I64, BOOL, I64])
SECOND: dict[str, Callable[[], Expr]] = {
    "max": lambda: _max(_table("nb").filter(lambda r: eq(r[0], SEEN.outer(3, 1))), 1),
    "below": lambda: _max(_table("nb").filter(lambda r: lt(r[0], SEEN.outer(3, 1))), 1),
    "count": lambda: _count(_table("nb").filter(lambda r: eq(r[0], SEEN.outer(3, 1)))),
}


def _above_one(r: Row, index: int) -> Expr:
    return gt(r[index], lit(1, "i64"))


def _inside(rows: R, index: int) -> R:
    """Those with a higher first column than the record around, where the second subquery says more than one."""
    return rows.filter(lambda r: and_(_above_one(r, index), lt(r[0], HOST.outer(0, 1))))


# What is made of both.
TOPS: dict[str, Callable[[R, Callable[[], Expr]], R]] = {
    "filter": lambda m, w: m.filter(lambda _: gt(w(), lit(1, "i64"))),
    "filter_or": lambda m, w: m.filter(lambda r: or_(gt(w(), lit(1, "i64")), is_null(r[1]))),
    "above": lambda m, w: m.project(lambda _: [w()]).filter(lambda r: _above_one(r, 4)),
    "null": lambda m, w: m.project(lambda _: [w()]).filter(lambda r: is_null(r[4])),
    "twice": lambda m, w: (
        m.project(lambda _: [w()])
        .project(
            lambda _: [
                _max(
                    _table("nq").filter(
                        lambda q: lt(q[0], build.Row([*SEEN.types, I64]).outer(4, 1))
                    ),
                    0,
                )
            ]
        )
        .filter(lambda r: lt(r[5], lit(3, "i64")))
    ),
    "having": lambda m, w: m.aggregate(keys=lambda r: [r[0], r[1], r[2], r[3]]).filter(
        lambda _: gt(w(), lit(1, "i64"))
    ),
    "join": lambda m, w: m.join(_table("nb"), "LEFT", lambda r: eq(r[3], r[4])).filter(
        lambda _: gt(w(), lit(1, "i64"))
    ),
    "inside": lambda m, w: _table("nb").filter(
        lambda _: build.exists(_inside(m.project(lambda _: [w()]), 4))
    ),
}


@pytest.mark.spark
@pytest.mark.parametrize("top", TOPS)
def test_rows(spark: SparkSession, top: str) -> None:
    own = run.prepared(spark.newSession())
    predicates.views(own)
    for (first, about), (second, value) in product(FIRST.items(), SECOND.items()):
        rows = _table("na").project(lambda _, about=about: [about()])
        outcome = predicates.attempt(own, make.plan(TOPS[top](rows, value), []))
        said = f"{first} {second}: {outcome.reason}\n{outcome.sql}"
        assert outcome.kind in ("right", "open"), said


def test_only_a_column_that_a_subquery_computes_is_generated() -> None:
    """EXISTS about such a column, and a scalar subquery about any other one, stay as they are."""
    rows = _table("na").project(lambda _: [FIRST["equal"]()])
    plain = rows.filter(lambda _: gt(FIRST["less"](), lit(1, "i64")))
    exists = rows.filter(
        lambda _: build.exists(_table("nb").filter(lambda r: eq(r[0], SEEN.outer(3, 1))))
    )
    for each in (plain, exists):
        assert "LATERAL" not in substrait_sql.to_sql(make.plan(each, []))
    about = substrait_sql.to_sql(make.plan(TOPS["filter"](rows, SECOND["max"]), []))
    assert about.count("LATERAL explode(array(na_rows.") == 1, about
