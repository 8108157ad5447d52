"""Ibis's joins by a key that both sides call the same, with what stands above them.

Each plan of `ibis/joins.json` was written by Ibis 9.5 and ibis-substrait 4.0.1, over t(k, a, s), u(k, b, r) and
v(k, p); the rows beside it are those that DuckDB returned for the same expression.
"""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import substrait_sql
from substrait_sql import SubstraitSqlError, UnsupportedError
from substrait_sql.wire.inside import within
from tests.support import rows

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

PLANS: dict[str, dict[str, Any]] = json.loads(
    (Path(__file__).parent / "ibis" / "joins.json").read_text("utf-8")
)
TABLES: dict[str, tuple[str, list[tuple[Any, ...]]]] = {
    "t": (
        "k BIGINT, a BIGINT, s STRING",
        [
            (1, 10, "x"),
            (1, 20, None),
            (2, 30, "y"),
            (3, None, "x"),
            (None, 50, "z"),
            (5, 60, "y"),
        ],
    ),
    "u": (
        "k BIGINT, b BIGINT, r STRING",
        [(1, 7, "p"), (2, 8, None), (2, 9, "q"), (None, 4, "r"), (5, None, "s")],
    ),
    "v": ("k BIGINT, p BOOLEAN", [(1, True), (2, False), (4, None)]),
}
REFUSED = {
    # A selection right above the join is not in the plan.
    "selected": "relations[0].root.input",
    "selected_filtered": "relations[0].root.input.filter.input",
    "as_wide": "relations[0].root.input",
    # A projection below the join may have given the keys other names, or not, and nothing above it says so.
    "projected_grouped": "relations[0].root.input.aggregate.input.filter.input",
    "other_names_grouped": "relations[0].root.input.aggregate.input.filter.input",
}
# The selection is not in this plan either, and nothing shows it.
LOST = {"selected_grouped"}
# A plan of a query with such a selection could look the same.
WARNED = {"filtered_grouped", "limited_grouped", "three_grouped", "joined_filtered", "left_grouped"}


def plan(name: str) -> bytes:
    return base64.b64decode(PLANS[name]["plan"])


@pytest.fixture(scope="module")
def tables(spark: SparkSession) -> dict[str, DataFrame]:
    return {name: spark.createDataFrame(data, schema) for name, (schema, data) in TABLES.items()}


@pytest.mark.spark
@pytest.mark.parametrize("name", sorted(PLANS.keys() - REFUSED.keys() - LOST))
def test_rows(name: str, spark: SparkSession, tables: dict[str, DataFrame]) -> None:
    got = [tuple(row) for row in substrait_sql.execute(spark, plan(name), tables=tables).collect()]
    assert not rows.difference(got, [tuple(row) for row in PLANS[name]["rows"]])


@pytest.mark.parametrize("name", REFUSED)
def test_what_nobody_can_tell(name: str) -> None:
    with pytest.raises(UnsupportedError, match="SS2206") as refused:
        substrait_sql.to_sql(plan(name))
    assert refused.value.path == REFUSED[name]
    assert [found.code for found in substrait_sql.check(plan(name))].count("SS2206") == 1
    assert substrait_sql.explain(plan(name)).startswith("plan by ibis-substrait")


@pytest.mark.parametrize("name", sorted(PLANS.keys() - REFUSED.keys()))
def test_what_is_warned_of(name: str) -> None:
    found = substrait_sql.render(plan(name)).diagnostics
    warned = [d for d in found if d.code == "SS1106" and "a selection right above" in d.message]
    assert bool(warned) == (name in WARNED | LOST)


def test_a_comparison_of_one() -> None:
    """No such call has a meaning, and the joins are looked through before calls are."""
    tree = substrait_sql.upgrade(plan("three_grouped"))
    for each in list(within(tree)):
        if each.DESCRIPTOR.name == "ScalarFunction":
            del each.arguments[1:]
    with pytest.raises(SubstraitSqlError, match="SS2212"):
        substrait_sql.to_sql(tree)


def test_the_text() -> None:
    assert substrait_sql.to_sql(plan("filtered_selected")).split() == (
        [
            "SELECT",
            "u.b,",
            "u.r",
            "FROM",
            "t",
            "JOIN",
            "u",
            "ON",
            "t.k",
            "=",
            "u.k",
            "WHERE",
            "t.a",
            ">",
            "10",
        ]
    )
