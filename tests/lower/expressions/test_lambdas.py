"""Lambdas: what is refused, and what a body may see. Rows are in tests/plans/lambda."""

from __future__ import annotations

import re

import pytest

import substrait_sql
from substrait_sql.errors import SubstraitSqlError
from tests.support.build import (
    Expr,
    add,
    coalesce,
    count,
    gt,
    if_then,
    in_,
    lit,
    multiply,
    plan,
)
from tests.support.cases import T1
from tests.support.cases.expressions.lambdas import ITEMS, called, function, over, parameter


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
