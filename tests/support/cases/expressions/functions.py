"""Functions whose SQL writes an argument more than once."""

from __future__ import annotations

from tests.support.build import (
    Expr,
    Row,
    aggregate_call,
    call,
    count,
    eq,
    list_of,
    scalar,
    table,
)
from tests.support.build.physical import over
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


def of_the_key(r: Row) -> Expr:
    """How many rows have the key of this one."""
    same = table("l", "k:i64? a:str?").filter(lambda inner: eq(inner[0], r.outer(0)))
    return scalar(same.aggregate(measures=lambda _: [count()]))


case(
    "function/sorted_with_a_subquery",
    "Spark's array_sort takes no query below it, which is a column first",
    L.select(
        lambda r: [
            r[1],
            call(
                "list",
                "sort:list",
                "list<i64?>",
                list_of(of_the_key(r), r[0], out="list<i64?>"),
                direction="DESC_NULLS_FIRST",
            ),
        ]
    ),
    "a sorted",
    [("a", [1, 1]), ("b", [2, 2]), ("c", [2, 2]), ("d", [None, 0]), ("e", [3, 1])],
)
case(
    "function/distinct_sum_of_a_subquery",
    "nor does the function that adds the values of a set up: counts of 1, 2, 2, 0 and 1",
    L.select(lambda r: [r[1], over("arithmetic", "sum:i64", "i64?", of_the_key(r), distinct=True)]),
    "a sum",
    [("a", 3), ("b", 3), ("c", 3), ("d", 3), ("e", 3)],
)
case(
    "function/in_itself",
    "what is written twice at each of ten levels would be there a thousand times",
    L.select(lambda r: [nested(concat(r[1], r[1]), 10)]),
    "a",
    [("Aa",), ("Bb",), ("Cc",), ("Dd",), ("Ee",)],
)
