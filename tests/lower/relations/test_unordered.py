"""Values of which Spark has no order: maps, and intervals of months and days. It groups them, and that is all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import substrait_sql
from tests.support.build import (
    ASC,
    count,
    plan,
    set_,
    table,
    virtual,
)
from tests.support.build.physical import top_n, window
from tests.support.cases.expressions.plain_types import compound

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from tests.support.build.relations import R

T = table("t", "k:i32 m:map<str,i64>? l:list<map<str,i64>>? s:struct<i32,map<str,i64>>? i:i64")
COLUMNS = {"a map": 1, "a list of maps": 2, "a struct with a map": 3}
ROW_NUMBER = ("arithmetic", "row_number", "i64", [], {})


def places(at: int) -> dict[str, tuple[R, str]]:
    """Relations that sort by a column, and where the plan says so."""
    return {
        "sort": (T.sort(lambda r: [(r[0], ASC), (r[at], ASC)]), "sort.sorts[1]"),
        "top_n": (top_n(T, lambda r: [(r[at], ASC)], 1), "top_n.sorts[0]"),
        "window": (
            window(T, lambda _: [ROW_NUMBER], lambda r: [r[0]], lambda r: [(r[at], ASC)]),
            "window.sorts[0]",
        ),
        "partition": (
            window(T, lambda _: [ROW_NUMBER], lambda r: [r[at]], lambda r: [(r[0], ASC)]),
            "window.partition_expressions[0]",
        ),
    }


@pytest.mark.parametrize("where", places(1))
@pytest.mark.parametrize("column", COLUMNS)
def test_nothing_is_sorted_by_them(column: str, where: str) -> None:
    relation, path = places(COLUMNS[column])[where]
    names = "k m l x y s i n" if where in ("window", "partition") else "k m l x y s i"
    found = substrait_sql.check(plan((relation, names)))
    assert [d.code for d in found] == ["SS2199"]
    assert str(found[0].path) == f"relations[0].root.input.{path}"


def test_a_subquery_that_cannot_run_once_per_row_is_refused_over_them() -> None:
    """Its rows would be looked up by the map; by an element they can be."""
    schema = {"x": "m MAP<INT, INT>, k INT", "y": "n MAP<INT, INT>, j INT"}
    text = """SELECT j FROM x JOIN LATERAL (
        SELECT j FROM y WHERE {0} = n[1] UNION ALL SELECT j FROM y WHERE {0} < n[2])"""
    with pytest.raises(substrait_sql.UnsupportedError, match="outer values, map") as raised:
        substrait_sql.to_sql(substrait_sql.to_plan(text.format("m[1]"), schema=schema))
    assert raised.value.code == "SS2237"
    assert substrait_sql.to_sql(substrait_sql.to_plan(text.format("k"), schema=schema))


@pytest.mark.spark
@pytest.mark.parametrize(
    ("op", "want"),
    [
        ("UNION_DISTINCT", [1, 1, 1]),
        ("INTERSECTION_PRIMARY", [1]),
        ("INTERSECTION_MULTISET_ALL", [2]),
        ("MINUS_PRIMARY", [1]),
        ("MINUS_PRIMARY_ALL", [1]),
    ],
)
def test_sets_of_intervals(op: str, want: list[Any], spark: SparkSession) -> None:
    """How often each interval of one, one and two months is there, beside one, three, one and one."""
    one = virtual("a:i32", (1,))

    def of(*months: int) -> R:
        return set_("UNION_ALL", *(one.select(lambda _, m=m: [compound(m, 1, 0)]) for m in months))  # type: ignore[misc]

    made = set_(op, of(1, 1, 2), of(1, 3, 1, 1))
    counted = made.aggregate(lambda r: [r[0]], lambda _: [count()]).select(lambda r: [r[1]])
    found = substrait_sql.execute(spark, plan((counted, "n"))).collect()
    assert sorted(r.n for r in found) == want
