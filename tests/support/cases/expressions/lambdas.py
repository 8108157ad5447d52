"""Lambdas: as arguments of functions over lists, with what they see; called at once; and those of the plan."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import substrait.proto as pb

from tests.support.build import (
    Expr,
    add,
    call,
    count,
    gt,
    list_of,
    lit,
    multiply,
    part,
    scalar,
    table,
)
from tests.support.cases import T1, case
from tests.support.plan_types import type_of

if TYPE_CHECKING:
    from collections.abc import Callable

CALL = "struct<str?,i32?>?"
ADDR = "struct<str?,i32?,struct<fp64?,fp64?>?>?"
PEOPLE = table(
    "people",
    f"id:i64 addr(city,zip,geo,lat,lon):{ADDR} tags:list<str?>? calls(who,minutes):list<{CALL}>? "
    "prices:map<str,i32?>?",
)


def parameter(index: int, type_: str, steps: int = 0) -> Expr:
    out = pb.Expression()
    out.selection.direct_reference.struct_field.field = index
    out.selection.lambda_parameter_reference.steps_out = steps
    return Expr(out, type_of(type_))


def function(*types: str, body: Callable[..., Expr]) -> Expr:
    """Make a lambda: ``body`` gets an expression per parameter."""
    made = body(*(parameter(i, t) for i, t in enumerate(types)))
    out = pb.Expression()
    inner = getattr(out, "lambda")
    inner.parameters.types.extend(map(type_of, types))
    inner.parameters.nullability = pb.Type.NULLABILITY_REQUIRED
    inner.body.CopyFrom(made.message)
    type_ = pb.Type()
    type_.func.parameter_types.extend(map(type_of, types))
    type_.func.return_type.CopyFrom(made.type)
    type_.func.nullability = pb.Type.NULLABILITY_REQUIRED
    return Expr(out, type_)


def called(callee: Expr, *args: Expr) -> Expr:
    out = pb.Expression()
    getattr(out.lambda_invocation, "lambda").CopyFrom(getattr(callee.message, "lambda"))
    out.lambda_invocation.arguments.fields.extend(a.message for a in args)
    return Expr(out, callee.type.func.return_type)


def over(name: str, items: Expr, each: Expr, out: str) -> Expr:
    return call("list", f"{name}:list_func", out, items, each)


ITEMS = list_of(lit(1, "i32"), lit(20, "i32"), out="list<i32>")

case(
    "lambda/field_of_an_element",
    "a struct in a list has the field names of the base schema",
    PEOPLE.select(
        lambda r: [
            r[0],
            over(
                "transform",
                r[3],
                function(CALL, body=lambda x: part(x, 1, out="i32?")),
                "list<i32?>?",
            ),
        ]
    ),
    "id minutes",
    [(1, [5, None, 7]), (2, [None]), (3, None), (4, [])],
)
case(
    "lambda/sees_the_record",
    "a column inside a lambda; one named like the parameter is written with its table",
    T1.select(
        lambda r: [
            over("transform", ITEMS, function("i32", body=lambda p: add(p, r[0])), "list<i32?>")
        ]
    ),
    "sums",
    [([2, 21],)] * 2 + [([3, 22],), ([4, 23],)] + [([None, None],)] * 2,
)
case(
    "lambda/sees_the_lambda_around",
    "the parameter of the lambda one step out",
    T1.select(
        lambda r: [
            over(
                "transform",
                ITEMS,
                function(
                    "i32",
                    body=lambda p: over(
                        "filter",
                        ITEMS,
                        function("i32", body=lambda q: gt(q, parameter(0, "i32", 1))),
                        "list<i32>",
                    ),
                ),
                "list<list<i32>>",
            )
        ]
    ).fetch(count=1),
    "above",
    [([[20], []],)],
)
case(
    "lambda/called_at_once",
    "arguments that are short stand for the parameters",
    T1.select(
        lambda r: [
            called(
                function("i32?", "i32", body=lambda p, q: multiply(add(p, q), q)),
                r[0],
                lit(10, "i32"),
            )
        ]
    ),
    "product",
    [(110,), (110,), (120,), (130,), (None,), (None,)],
)
case(
    "lambda/called_at_once_with_much",
    "an argument that is long is evaluated once",
    T1.select(
        lambda r: [
            called(
                function("i32?", body=lambda p: multiply(p, p)),
                add(multiply(r[0], lit(3, "i32")), multiply(r[0], r[0])),
            )
        ]
    ),
    "square",
    [(16,), (16,), (100,), (324,), (None,), (None,)],
)


def _named(tree: dict[str, Any]) -> None:
    """A lambda of the plan, called by its anchor, and as the argument of a function."""
    project = tree["relations"][0]["root"]["input"]["project"]
    first, second = project["expressions"]
    lambda_ = first["lambdaInvocation"].pop("lambda")
    first["lambdaInvocation"]["namedLambda"] = {"lambdaReference": 7}
    second["scalarFunction"]["arguments"][1]["value"] = {
        "namedLambdaReference": {"lambdaReference": 7}
    }
    tree["namedLambdas"] = [{"lambdaAnchor": 7, "lambda": lambda_, "name": "twice"}]


TWICE = function("i32?", body=lambda p: multiply(p, lit(2, "i32")))
case(
    "lambda/of_the_plan",
    "one lambda for several uses; it sees nothing of where it is used",
    T1.select(
        lambda r: [
            called(TWICE, r[0]),
            over("transform", list_of(r[0], lit(1, "i32"), out="list<i32?>"), TWICE, "list<i32?>"),
        ]
    ),
    "twice each",
    [(2, [2, 2])] * 2 + [(4, [4, 2]), (6, [6, 2])] + [(None, [None, 2])] * 2,
    edit_json=_named,
    minor_version=107,
)


def many() -> Expr:
    """How many rows of t1 are below 100."""
    below = T1.filter(lambda t: gt(lit(100, "i32"), t[0]))
    return scalar(below.aggregate(None, lambda _: [count()]))


case(
    "lambda/subquery_in_a_body",
    "the same for all elements: a column that the lambda sees",
    PEOPLE.select(
        lambda r: [
            r[0],
            over(
                "transform",
                list_of(lit(1, "i64"), lit(20, "i64"), out="list<i64>"),
                function("i64", body=lambda x: add(x, many())),
                "list<i64>",
            ),
        ]
    ),
    "id more",
    [(i, [5, 24]) for i in (1, 2, 3, 4)],
)
