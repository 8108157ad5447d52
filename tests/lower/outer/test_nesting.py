"""A subquery in a subquery in a subquery: the text, the time to make it and Spark's plan grow as the plan does."""

from __future__ import annotations

import re
import time
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

import substrait_sql
from tests.oracle import run
from tests.support import build, nested

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyspark.sql import SparkSession

    from tests.support.build import Expr, R

DEPTHS = range(1, 9)


@pytest.mark.slow
@pytest.mark.parametrize("far", [False, True], ids=["next", "outermost"])
@pytest.mark.parametrize("kind", nested.KINDS)
def test_each_query_stands_once(kind: str, far: bool) -> None:
    """And a column is carried inwards once: each level adds as many words as the one before, and its table."""
    texts = [substrait_sql.to_sql(nested.plan(kind, depth, far)) for depth in DEPTHS]
    words = [len(re.findall(r"\w+|[^\w\s]", t)) for t in texts]
    assert len({b - a for a, b in pairwise(words[1:])}) == 1, words
    of_mark = 2 if kind == "mark" else 1
    assert [t.count("FROM ta") for t in texts] == [depth * of_mark + 1 for depth in DEPTHS]


@pytest.mark.slow
@pytest.mark.parametrize("kind", nested.KINDS)
def test_time_to_render(kind: str) -> None:
    def seconds(depth: int) -> float:
        plan = nested.plan(kind, depth, True)
        start = time.process_time()
        substrait_sql.to_sql(plan)
        return time.process_time() - start

    seconds(2)
    shallow = min(seconds(2) for _ in range(3))
    assert min(seconds(8) for _ in range(3)) < 12 * shallow + 0.05


@pytest.mark.spark
def test_what_spark_makes_of_it(spark: SparkSession) -> None:
    """The optimized plan grows by as much from depth 4 to 6 as from 2 to 4, or little more."""
    own = run.prepared(spark.newSession())
    own.sql("SELECT 1L AS x, 2L AS y").createOrReplaceTempView("ta")

    def nodes(kind: str, depth: int) -> int:
        frame = own.sql(substrait_sql.to_sql(nested.plan(kind, depth, True)))
        return len(frame._jdf.queryExecution().optimizedPlan().toString().splitlines())

    grown = {}
    for kind in nested.KINDS:
        two, four, six = (nodes(kind, depth) for depth in (2, 4, 6))
        if six - four > 1.5 * (four - two) + 4:
            grown[kind] = (two, four, six)
    assert not grown


def test_a_column_is_carried_once() -> None:
    """Filters and projections over one another, each with a subquery that refers beyond the rows they are over."""
    rows = build.table("tc", "x:i64? y:i64?")
    record = build.Row(rows.types)

    def beyond(compare: Callable[[Expr, Expr], Expr]) -> R:
        near, far = record.outer(0, 1), record.outer(1, 2)
        return rows.filter(lambda r: build.and_(compare(r[1], far), build.lt(r[0], near)))

    middle = (
        build.table("tb", "x:i64? y:i64?")
        .filter(lambda _: build.exists(beyond(build.lt)))
        .filter(lambda _: build.not_(build.exists(beyond(build.gt))))
        .project(lambda _: [build.exists(beyond(build.eq))])
        .filter(lambda r: build.in_(beyond(build.ne).select(lambda s: [s[0]]), r[0]))
    )
    outermost = build.table("ta", "x:i64? y:i64?").filter(lambda _: build.exists(middle))
    sql = substrait_sql.to_sql(build.plan((outermost, "x y")))
    assert sql.count("ta.y") == 1, sql


def test_the_condition_of_a_full_join_stands_once() -> None:
    """A subquery about both sides, which Spark takes in no ON: the join is more than one query then."""
    condition = build.exists(
        build.table("tc", "x:i64? y:i64?").filter(
            lambda r: build.and_(
                build.lt(r[0], build.Row(r.types * 2).outer(0, 1)),
                build.eq(r[1], build.Row(r.types * 2).outer(3, 1)),
            )
        )
    )
    sides = build.table("ta", "x:i64? y:i64?"), build.table("tb", "x:i64? y:i64?")
    joined = sides[0].join(sides[1], "OUTER", lambda _: condition)
    sql = substrait_sql.to_sql(build.plan((joined, "a b c d")))
    assert sql.count("FROM tc") == 1, sql
