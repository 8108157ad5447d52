"""Functions whose SQL writes an argument more than once."""

from __future__ import annotations

from tests.support.build import Expr, aggregate_call, call, eq, scalar, table
from tests.support.cases import L, case


def capitalize(a: Expr) -> Expr:
    return call("string", "capitalize:str", "str?", a)


def concat(*args: Expr) -> Expr:
    return call("string", "concat:str", "str?", *args)


def nested(a: Expr, times: int) -> Expr:
    for _ in range(times):
        a = capitalize(a)
    return a


case(
    "function/of_a_subquery",
    "a query stands in the text once, and is a column first",
    L.select(
        lambda r: [
            r[0],
            capitalize(
                scalar(
                    table("l", "k:i64? a:str?")
                    .filter(lambda inner: eq(inner[0], r.outer(0)))
                    .aggregate(
                        measures=lambda i: [aggregate_call("string", "max:str", "str?", i[1])]
                    )
                )
            ),
        ]
    ),
    "k largest",
    [(1, "A"), (2, "C"), (2, "C"), (None, None), (3, "E")],
)
case(
    "function/in_itself",
    "what is written twice at each of ten levels would be there a thousand times",
    L.select(lambda r: [nested(concat(r[1], r[1]), 10)]),
    "a",
    [("Aa",), ("Bb",), ("Cc",), ("Dd",), ("Ee",)],
)
