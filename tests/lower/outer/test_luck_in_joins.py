"""Subqueries in ON over a shared LIMIT, which is pinned by ``rand() >= 0``: Spark takes none of it there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.oracle import make, run
from tests.support import build
from tests.support.build import and_, eq, gt, not_, or_
from tests.tools import predicates

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyspark.sql import SparkSession

    from tests.support.build import Expr, R, Row


def _table(name: str) -> R:
    return build.table(name, predicates.COLUMNS)


# Sorted by everything, so that the oracle knows which rows they are.
FIRST_ROWS = _table("nb").sort(lambda r: [(r[i], 1) for i in range(3)]).fetch(3)


def _shared() -> R:
    return build.reference(1, FIRST_ROWS).select(lambda r: [r[0]])


CONDITIONS: dict[str, Callable[[Row], Expr]] = {
    "left": lambda r: and_(eq(r[0], r[3]), build.in_(_shared(), r[0])),
    "right": lambda r: and_(gt(r[0], r[3]), not_(build.in_(_shared(), r[3]))),
    "both": lambda r: build.in_(_shared(), build.coalesce(r[1], r[3])),
    "or": lambda r: or_(build.in_(_shared(), r[0]), eq(r[1], r[4])),
    "exists": lambda r: and_(eq(r[0], r[3]), build.exists(_shared())),
}


@pytest.mark.spark
@pytest.mark.parametrize(
    "kind", ["INNER", "LEFT", "RIGHT", "OUTER", "LEFT_SEMI", "LEFT_ANTI", "LEFT_MARK"]
)
def test_rows(spark: SparkSession, kind: str) -> None:
    own = run.prepared(spark.newSession())
    predicates.views(own)
    for name, condition in CONDITIONS.items():
        joined = _table("na").join(_table("nq"), kind, condition)
        counted = build.reference(1, FIRST_ROWS).aggregate(measures=lambda _: [build.count()])
        both = joined.join(counted, "INNER", lambda _: build.lit(True, "bool"))
        outcome = predicates.attempt(own, make.plan(both, [FIRST_ROWS]))
        assert outcome.kind == "right", f"{name}: {outcome.reason}\n{outcome.sql}"
        assert "rand() >= 0" in outcome.sql, name
