"""Operands of two types where the specification has one: Spark would cast one of them, another engine the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import substrait_sql
from tests.support.build import (
    ASC,
    call,
    coalesce,
    eq,
    if_then,
    in_,
    list_of,
    lit,
    not_,
    one_of,
    plan,
    set_,
    table,
    virtual,
)
from tests.support.build.physical import over

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyspark.sql import SparkSession

    from tests.support.build.base import Expr, Row

FORMS: dict[str, Callable[[Row], Expr]] = {
    "equal": lambda r: eq(r[1], r[2]),
    "one_of": lambda r: one_of(r[1], r[2]),
    "coalesce": lambda r: coalesce(r[1], r[2]),
    "branches": lambda r: if_then((r[0], r[1]), otherwise=r[2]),
    "greatest": lambda r: call("comparison", "greatest:any", r[1].type, r[1], r[2]),
}
NOTHING_IN_COMMON = (
    "i32 str", "str date", "bool i32", "str binary", "date i64", "list<i32> i32", "list<i32> list<str>",
    "list<dec<7,2>> list<dec<7,3>>", "list<date> list<pts<6>>", "map<str,i64> map<str,fp64>",
)  # fmt: skip
LOSES = ("i32 dec<7,2>", "dec<7,2> dec<7,3>", "date pts<6>", "pts<6> ptstz<6>", "i64 fp64")


def _sql(types: str, form: str) -> str:
    first, second = types.split()
    rows = table("t", f"c:bool x:{first}? y:{second}?")
    made = rows.project(lambda r: [FORMS[form](r)], emit=[3])
    return substrait_sql.to_sql(plan((made, "z")))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("types", NOTHING_IN_COMMON)
def test_types_with_nothing_in_common(types: str, form: str) -> None:
    with pytest.raises(substrait_sql.InvalidPlanError, match="SS2115|SS2145") as refused:
        _sql(types, form)
    assert "expressions[0]" in str(refused.value)


@pytest.mark.parametrize("types", NOTHING_IN_COMMON)
def test_a_column_that_a_value_is_looked_up_in(types: str) -> None:
    first, second = types.split()
    left, right = table("l", f"x:{first}?"), table("r", f"y:{second}?")
    for made in (
        left.hash_join(right, "INNER", (0, 0)),
        left.filter(lambda r: in_(right, r[0])),
        left.filter(lambda r: not_(in_(right, r[0]))),
    ):
        with pytest.raises(substrait_sql.InvalidPlanError, match="SS2115"):
            substrait_sql.to_sql(plan(made))


@pytest.mark.parametrize("types", ["list<dec<7,3>> list<dec<7,2>>", "struct<i64> struct<dec<7,2>>"])
def test_elements_of_a_list(types: str) -> None:
    """What is inside of them was rounded, silently, to the first one's type."""
    first, second = types.split()
    rows = table("t", f"x:{first} y:{second}")
    made = rows.select(lambda r: [list_of(r[0], r[1], out=f"list<{first}>")])
    with pytest.raises(substrait_sql.InvalidPlanError, match="SS2193"):
        substrait_sql.to_sql(plan((made, "z")))


@pytest.mark.parametrize(
    "types", ["i32 str", "date i64", "dec<7,2> i32", "fp64 dec<7,2>", "dec<7,2> dec<7,3>"]
)
def test_what_is_looked_for_in_a_list(types: str) -> None:
    """Spark refuses the text."""
    first, second = types.split()
    rows = table("t", f"x:{first} y:list<{second}>")
    found = rows.select(lambda r: [call("set", "index_in:any_list", "i64?", r[0], r[1])])
    with pytest.raises(substrait_sql.InvalidPlanError, match="SS2115"):
        substrait_sql.to_sql(plan((found, "z")))


@pytest.mark.parametrize("types", LOSES)
def test_a_result_that_would_lose_digits(types: str) -> None:
    with pytest.raises(substrait_sql.InvalidPlanError, match="SS2115"):
        _sql(types, "coalesce")


@pytest.mark.parametrize("types", ["dec<7,3> dec<38,2>", "dec<38,2> dec<7,3>"])
def test_branches_of_decimals_that_none_holds(types: str) -> None:
    """Spark would make a decimal of two places of both: 1.255 became 1.26."""
    with pytest.raises(substrait_sql.UnsupportedError, match="SS2148"):
        _sql(types, "branches")


@pytest.mark.spark
@pytest.mark.parametrize("types", [t for t in NOTHING_IN_COMMON if "map" not in t])
def test_nulls_of_types_with_nothing_in_common(types: str, spark: SparkSession) -> None:
    """They are NULL whatever is beside them; Spark refuses some of them under their type."""
    first, second = types.split()
    rows = virtual(f"x:{first}?", (None,)).select(
        lambda r: [
            eq(r[0], lit(None, second)),
            eq(lit(None, second), r[0]),
            one_of(r[0], lit(None, second), lit(None, first)),
        ]
    )
    text = substrait_sql.to_sql(plan((rows, "a b c")))
    assert [tuple(row) for row in spark.sql(text).collect()] == [(None, None, None)]


@pytest.mark.parametrize("types", ["date i64", "i32 str"])
@pytest.mark.parametrize("name", ["lag", "lead"])
def test_what_stands_for_no_row(types: str, name: str) -> None:
    first, second = types.split()
    rows = table("t", f"x:{first} y:{second}")
    kept = rows.select(
        lambda r: [
            over(
                "arithmetic",
                f"{name}:any_i32_any",
                first,
                r[0],
                lit(1, "i32"),
                r[1],
                order=[(r[0], ASC)],
            )
        ]
    )
    with pytest.raises(substrait_sql.InvalidPlanError, match="SS2115"):
        substrait_sql.to_sql(plan((kept, "z")))


def test_what_producers_mix() -> None:
    """Numbers, and a time beside a constant text, which all engines read as that time."""
    assert "x = y" in _sql("i32 i64", "equal")
    assert "coalesce(x, y)" in _sql("dec<7,2> i64", "coalesce")
    read = table("t", "d:date?").filter(lambda r: eq(r[0], lit("2024-01-02", "str")))
    assert "d = DATE '2024-01-02'" in substrait_sql.to_sql(plan((read, "d")))


@pytest.mark.parametrize("types", ["list<dec<7,3>> list<dec<7,2>>", "map<str,i64> map<str,fp32>"])
def test_branches_of_a_set_operation(types: str) -> None:
    """What is inside of a value was rounded, silently, to the first input's type."""
    inputs = [table(name, f"x:{type}?") for name, type in zip("ab", types.split(), strict=True)]
    with pytest.raises(substrait_sql.InvalidPlanError, match="SS2065"):
        substrait_sql.to_sql(plan((set_("UNION_ALL", *reversed(inputs)), "x")))
