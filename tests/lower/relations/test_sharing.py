"""Shared subtrees on Spark: computed once where it can, and always the same rows for all who read them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import substrait_sql
from tests.support import run
from tests.support.build import (
    DESC,
    Expr,
    R,
    call,
    count,
    eq,
    gt,
    lit,
    lt,
    plan,
    reference,
    set_,
    sum_,
    virtual,
)
from tests.support.cases import DEPT, EMP

if TYPE_CHECKING:
    import substrait.proto as pb
    from pyspark.sql import SparkSession

BY_DEPT = EMP.aggregate(lambda r: [r[2]], lambda r: [count(), sum_(r[3])])
LIMITED = EMP.fetch(3)
DRAWN = EMP.select(lambda r: [r[0], call("arithmetic", "random:", "fp64")])


def twice(shared: R) -> pb.Plan:
    """The shared relation, joined to itself."""
    both = reference(0, shared), reference(0, shared)
    return plan(
        shared, (both[0].join(both[1], "INNER", lambda r: eq(r[0], r[len(shared.types)])), "")
    )


def executed(spark: SparkSession, made: pb.Plan) -> str:
    """Spark's plan as it was run."""
    # More than one partition, so that the rows have to be exchanged.
    tables = {"emp": run.plan_tables(spark, "emp")["emp"].repartition(3)}
    frame = substrait_sql.execute(spark, made, tables=tables)
    frame.collect()
    return str(frame._jdf.queryExecution().executedPlan().toString())


@pytest.mark.spark
@pytest.mark.parametrize("shared", [BY_DEPT, LIMITED, DRAWN], ids=["groups", "limit", "random"])
def test_a_shared_subtree_is_computed_once(spark: SparkSession, shared: R) -> None:
    text = executed(spark, twice(shared))
    final = text.partition("== Initial Plan ==")[0]
    assert "ReusedExchange" in final, final


def test_what_hangs_on_luck_is_pinned_only_where_it_is_read_twice() -> None:
    assert "rand()" in substrait_sql.to_sql(twice(LIMITED))
    assert "rand()" not in substrait_sql.to_sql(twice(BY_DEPT))
    once = plan(LIMITED, (reference(0, LIMITED).filter(lambda r: gt(r[0], lit(1, "i64"))), ""))
    assert "rand()" not in substrait_sql.to_sql(once)


def test_a_limited_set_operation_is_pinned_in_its_first_branch() -> None:
    both = set_("UNION_ALL", EMP, EMP).fetch(2)
    assert substrait_sql.to_sql(twice(both)).count("rand()") == 1


@pytest.mark.spark
def test_two_random_numbers_are_two(spark: SparkSession) -> None:
    draw = call("arithmetic", "random:", "fp64")
    made = EMP.project(lambda _: [draw, draw]).filter(lambda r: eq(r[4], r[5]))
    tables = run.plan_tables(spark, "emp")
    assert run.last_rows(spark, plan((made, "")), tables) == []


@pytest.mark.spark
def test_a_random_number_is_the_same_wherever_it_is_used(spark: SparkSession) -> None:
    draw = call("arithmetic", "random:", "fp64")
    drawn = EMP.project(lambda _: [draw]).select(lambda r: [r[4], r[4]])
    tables = run.plan_tables(spark, "emp")
    found = run.last_rows(spark, plan((drawn, "a b")), tables)
    assert len(found) == 6
    assert all(a == b for a, b in found)


@pytest.mark.spark
def test_a_random_number_that_is_sorted_by_is_the_one_that_is_computed_with(
    spark: SparkSession,
) -> None:
    draw = call("arithmetic", "random:", "fp64")
    ten = virtual("n:i64", *((n,) for n in range(10)))
    made = ten.project(lambda _: [draw]).sort(lambda r: [(r[1], DESC)])
    moved = made.select(lambda r: [call("arithmetic", "negate:fp64", "fp64", r[1])])
    found = run.last_rows(spark, plan((moved, "x")), {})
    assert found == sorted(found)


def test_random_values_are_not_drawn_again_for_a_second_result() -> None:
    read = reference(0, DRAWN).select(lambda r: [r[0], r[1]])
    with pytest.raises(substrait_sql.UnsupportedError, match="draw its own") as refused:
        substrait_sql.to_sql(plan(DRAWN, (read, "a b"), (read, "a b")))
    assert refused.value.code == "SS2075"


def test_a_root_with_random_values_is_not_read_by_another() -> None:
    with pytest.raises(substrait_sql.UnsupportedError, match="draw its own"):
        substrait_sql.to_sql(plan((DRAWN, "a b"), (reference(0, DRAWN), "a b")))


def test_a_random_value_in_a_join_condition() -> None:
    def less(_: object) -> Expr:
        return lt(call("arithmetic", "random:", "fp64"), lit(2.0, "fp64"))

    inner = substrait_sql.to_sql(plan((EMP.join(DEPT, "INNER", less, emit=[0]), "id")))
    assert inner.split("\n")[2:] == ["FROM emp, dept", "WHERE", "  rand() < 2.0D"]
    with pytest.raises(substrait_sql.UnsupportedError) as refused:
        substrait_sql.to_sql(plan((EMP.join(DEPT, "LEFT", less, emit=[0]), "id")))
    assert refused.value.code == "SS2049"


# --- queries that a plan holds more than once ---


def repeated(query: R) -> str:
    """The text of a query that is joined to itself, written out twice."""
    return substrait_sql.to_sql(
        plan((query.join(query, "INNER", lambda r: eq(r[0], r[len(query.types)])), ""))
    )


def test_a_repeated_query_is_written_once() -> None:
    sql = repeated(BY_DEPT.filter(lambda r: gt(r[1], lit(1, "i64"))))
    assert sql.startswith("WITH emp_agg AS (")
    assert sql.count("GROUP BY") == 1


def test_what_is_drawn_is_drawn_for_each() -> None:
    draw = call("arithmetic", "random:", "fp64")
    drawn = BY_DEPT.project(lambda _: [draw])
    measured = EMP.select(lambda r: [r[2], draw]).aggregate(
        lambda r: [r[0]], lambda r: [sum_(r[1])]
    )
    for query in (drawn, measured):
        # Not the column, which nobody reads: the condition on it.
        sql = repeated(query.filter(lambda r: gt(r[len(r.types) - 1], lit(0.5, "fp64"))))
        assert sql.count("rand()") == 2, sql


@pytest.mark.parametrize("depth", [2, 8])
def test_a_query_in_a_query_in_a_query(depth: int) -> None:
    """Each level holds the one below twice: the plan doubles, the text has a line more for it."""
    query = BY_DEPT
    for _ in range(depth):
        query = set_("UNION_ALL", query, query).aggregate(
            lambda r: [r[0]], lambda r: [sum_(r[1]), sum_(r[2])]
        )
    sql = substrait_sql.to_sql(plan((query, "dept n total")))
    assert sql.count("GROUP BY") == depth + 1
    assert sql.count("\n") < 20 * (depth + 1)
