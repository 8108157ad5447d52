"""Cells of virtual tables that are expressions: those that Spark refuses in VALUES are rows of a UNION ALL."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import substrait_sql
from substrait_sql.lower.relations.reads.read import CALLED_AT_ONCE
from tests.support import run
from tests.support.build import Expr, add, call, gt, lit, plan, upper, virtual
from tests.support.build.expressions import list_of

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# One call of each function that is said to be computed in VALUES, and what it gives.
CALLS = {
    "array": ("array(1)", [1]),
    "map": ("map(1, 2)", {1: 2}),
    "named_struct": ("named_struct('a', 1)", (1,)),
    "coalesce": ("coalesce(NULL, 1)", 1),
    "concat": ("concat('a', 'b')", "ab"),
    "upper": ("upper('a')", "A"),
    "lower": ("lower('A')", "a"),
    "trim": ("trim(' a ')", "a"),
    "length": ("length('ab')", 2),
    "abs": ("abs(-1)", 1),
    "replace": ("replace('ab', 'b', 'c')", "ac"),
    "substring": ("substring('abc', 2, 1)", "b"),
    "round": ("round(1.5D, 0)", 2.0),
    "floor": ("floor(1.5D)", 1),
    "ceil": ("ceil(1.5D)", 2),
    "greatest": ("greatest(1, 2)", 2),
    "least": ("least(1, 2)", 1),
    "date_add": ("CAST(date_add(DATE '2024-02-28', 2) AS STRING)", "2024-03-01"),
    "element_at": ("element_at(array(1), 1)", 1),
    "sqrt": ("sqrt(4D)", 2.0),
}
OPERATORS = {
    "-(1)": -1, "NOT true": False, "1 + 2": 3, "1 - 2": -1, "2 * 3": 6, "3D / 2D": 1.5, "5 % 2": 1, "1 = 1": True,
    "1 <> 1": False, "1 < 2": True, "1 <= 2": True, "1 > 2": False, "1 >= 2": False, "true AND false": False,
    "true OR false": True, "1 IS NULL": False, "CASE WHEN true THEN 1 ELSE 2 END": 1, "IF(false, 1, 2)": 2,
    "'a' || 'b'": "ab", "CAST('1' AS INT)": 1,
}  # fmt: skip


@pytest.mark.spark
def test_what_values_are_made_of(spark: SparkSession) -> None:
    assert CALLS.keys() == CALLED_AT_ONCE
    forms = dict([*CALLS.values(), *OPERATORS.items()])
    cells = ", ".join(forms)
    first, second = spark.sql(f"SELECT * FROM VALUES ({cells}), ({cells})").collect()
    assert list(first) == list(second) == list(forms.values())


def _function(name: str, out: str, *arguments: Expr) -> Expr:
    file, _, what = name.partition("/")
    return call(file, what, out, *arguments)


ONE = lit(1, "i64")
CELLS: dict[str, tuple[Expr, Any]] = {
    "nullif": (_function("comparison/nullif:any_any", "i64?", ONE, lit(2, "i64")), 1),
    "between": (
        _function("comparison/between:any_any_any", "bool?", ONE, ONE, lit(2, "i64")), True
    ),
    "add": (add(ONE, ONE), 2),
    "upper": (upper(lit("a", "str")), "A"),
    "list": (list_of(ONE, add(ONE, ONE), out="i64?"), [1, 2]),
    "gt": (gt(ONE, lit(2, "i64")), False),
}  # fmt: skip


@pytest.mark.spark
@pytest.mark.parametrize("name", CELLS)
def test_cells(spark: SparkSession, name: str) -> None:
    cell, expected = CELLS[name]
    kind = {"between": "bool?", "gt": "bool", "upper": "str", "list": "list<i64>"}.get(name, "i64?")
    source = virtual(f"a:{kind} b:i64", (cell, 1), (cell, 2))
    assert run.last_rows(spark, plan((source, "a b")), {}) == [(expected, 1), (expected, 2)]


def test_what_values_would_not_take() -> None:
    """As Spark says: cannot evaluate expression in inline table."""
    for name, expected in (("nullif", "UNION ALL"), ("add", "VALUES")):
        cell, _ = CELLS[name]
        text = substrait_sql.to_sql(plan((virtual("a:i64? b:i64", (cell, 1), (cell, 2)), "a b")))
        assert expected in text
