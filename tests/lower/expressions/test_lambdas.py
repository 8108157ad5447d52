"""Lambdas: what is refused, and what a body may see. Rows are in tests/plans/lambda."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest

import substrait_sql
from substrait_sql.errors import SubstraitSqlError
from tests.support import rows
from tests.support.build import (
    Expr,
    R,
    add,
    and_,
    coalesce,
    count,
    eq,
    exists,
    gt,
    if_then,
    in_,
    lit,
    multiply,
    part,
    plan,
    table,
)
from tests.support.cases import T1
from tests.support.cases.expressions.lambdas import ITEMS, called, function, over, parameter

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def sql(*expressions: Expr) -> str:
    return substrait_sql.to_sql(plan((T1.select(lambda _: list(expressions)), "a")))


def each(body: Expr, out: str = "list<i32?>") -> Expr:
    return over("transform", ITEMS, function("i32", body=lambda _: body), out)


X = T1.row[0]
PLUS_ONE = function("i32", body=lambda p: add(p, lit(1, "i32")))
REFUSED = {
    "a parameter there is none of": (each(parameter(1, "i32")), "SS2157"),
    "a lambda further out than there are": (each(parameter(0, "i32", 1)), "SS2157"),
    "a parameter outside of any lambda": (parameter(0, "i32"), "SS2157"),
    "a query about its parameter": (
        over("transform", ITEMS, function("i32", body=lambda x: in_(T1, x)), "list<bool?>"),
        "SS2150",
    ),
    "a function that returns a function": (
        each(function("i32", body=lambda y: parameter(0, "i32", 1))),
        "SS2158",
    ),
    "a choice between functions": (
        over(
            "transform",
            ITEMS,
            if_then((gt(X, lit(1, "i32")), PLUS_ONE), otherwise=PLUS_ONE),
            "list<i32>",
        ),
        "SS2158",
    ),
    "a function where a value belongs": (
        over("transform", ITEMS, coalesce(PLUS_ONE, PLUS_ONE), "list<i32>"),
        "SS2210",
    ),
    "a function without parameters": (
        over("transform", ITEMS, function(body=lambda: lit(1, "i32")), "list<i32>"),
        "SS2158",
    ),
    # Spark's transform would give the second one the place in the list.
    "more parameters than the function gives": (
        over("transform", ITEMS, function("i32", "i32", body=add), "list<i32>"),
        "SS2212",
    ),
    "a function as a column": (PLUS_ONE, "SS2301"),
    "too few arguments": (called(function("i32", "i32", body=add), X), "SS2156"),
}


@pytest.mark.parametrize(("expression", "code"), REFUSED.values(), ids=REFUSED)
def test_refused(expression: Expr, code: str) -> None:
    with pytest.raises(SubstraitSqlError, match=code):
        sql(expression)


def test_a_measure_in_a_body_is_a_column_first() -> None:
    totals = T1.aggregate(measures=lambda _: [count()])
    found = totals.select(
        lambda r: [over("transform", ITEMS, function("i32", body=lambda _: r[0]), "list<i64>")]
    )
    text = substrait_sql.to_sql(plan((found, "a")))
    assert re.search(r"transform\(array\(1, 20\), x -> \w+\)", text)
    assert "FROM (" in text


def test_parameters_of_lambdas_within_each_other_have_names_of_their_own() -> None:
    inner = function("i32", body=lambda y: gt(multiply(y, parameter(0, "i32", 1)), X))
    outer = function("i32", body=lambda _: over("any_match", ITEMS, inner, "bool?"))
    text = sql(over("filter", ITEMS, outer, "list<i32>"))
    assert "x -> exists(array(1, 20), y -> y * x > t1.x)" in text


def test_a_lambda_the_plan_does_not_have() -> None:
    made = plan((T1.select(lambda _: [called(function("i32?", body=lambda p: p), X)]), "a"))
    tree = substrait_sql.upgrade(made)
    call = tree.relations[0].root.input.project.expressions[0].lambda_invocation
    call.ClearField("lambda")
    with pytest.raises(SubstraitSqlError, match="SS2156"):
        substrait_sql.to_sql(tree)


def test_literals_beside_parameters() -> None:
    body = function("i32", body=lambda p: add(p, lit(1, "i32")))
    assert "x -> x + 1" in sql(over("transform", ITEMS, body, "list<i32>"))


CALL = "struct<i64?,str?>?"
LISTED = [
    [{"g": 1, "h": "a"}],
    [{"g": 1, "h": "a"}],
    [{"g": 1, "h": "a"}, {"g": None, "h": None}],
    None,
]


def _looked_up(name: str, other: str) -> dict[str, tuple[R, str]]:
    """Whether one of the elements has the row's own number, over tables of these names: g, ls and g, k."""
    one, two = table(name, f"g:i64? ls(g,h):list<{CALL}>?"), table(other, "g:i64? k:i64")

    def has(items: Expr, number: Expr) -> Expr:
        found = function(CALL, body=lambda e: eq(part(e, 0, out="i64?"), number))
        return over("any_match", items, found, "bool?")

    crossed = one.cross(two).project(
        lambda r: [has(r[1], r[0]), has(r[1], r[2])], emit=[0, 3, 4, 5]
    )
    inside = one.filter(
        lambda r: exists(
            two.filter(lambda s: and_(has(r.outer(1), r.outer(0)), has(r.outer(1), s[0])))
        ),
        emit=[0],
    )
    return {"crossed": (crossed, "g k own other"), "inside": (inside, "g")}


@pytest.mark.spark
@pytest.mark.parametrize(
    "names", [("t", "s"), ("x", "y"), ("y", "x"), ("X", "z"), ("x", "x")], ids=".".join
)
def test_tables_called_like_parameters(names: tuple[str, str], spark: SparkSession) -> None:
    """`exists(x.ls, x -> x.g = x.g)` is TRUE whatever the row's own g is: the table has another name there."""
    numbers = [1, 7, None, 1]
    one = {
        "g": pa.array(numbers, pa.int64()),
        "ls": pa.array(LISTED, pa.list_(pa.struct({"g": pa.int64(), "h": pa.string()}))),
    }
    tables = {
        names[0]: pa.table(one),
        names[1]: pa.table({"g": pa.array([1, 7], pa.int64()), "k": [1, 2]}),
    }
    if names[0] == names[1]:
        tables = {names[0]: pa.table({**one, "k": [1, 2, 3, 4]})}

    def has(items: list[dict[str, object]] | None, number: int | None) -> bool | None:
        if items is None or (number is None and items):
            return None
        known = [i["g"] for i in items]
        return True if number in known else None if None in known else False

    left = list(zip(numbers, LISTED, strict=True))
    right = tables[names[1]].select(["g", "k"]).to_pylist()
    expected = {
        "crossed": [(g, s["k"], has(ls, g), has(ls, s["g"])) for g, ls in left for s in right],
        "inside": [(g,) for g, ls in left if any(has(ls, g) and has(ls, s["g"]) for s in right)],
    }
    for kind, (rel, columns) in _looked_up(*names).items():
        made = substrait_sql.execute(spark, plan((rel, columns)), tables=tables)
        assert not rows.difference([tuple(r) for r in made.collect()], expected[kind]), kind
