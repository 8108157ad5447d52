"""Casts that Spark makes by itself, or that change nothing, and those that only look like them."""

import math
from decimal import Decimal as D
from typing import Any

from tests.support.build import (
    Expr,
    call,
    cast,
    coalesce,
    eq,
    gt,
    if_then,
    is_not_null,
    lit,
    lt,
    multiply,
    ne,
    set_,
    virtual,
)
from tests.support.cases import Result, case
from tests.support.plan_types import type_of

N = None
PRICES = virtual(
    "price:dec<7,2>? wide:dec<30,15>? n:i32? x:fp64?",
    (D("1.50"), D("1.5"), 1, 1.5),
    (D("2.25"), D("2.250000000000001"), 2, math.nan),
    (N, D("0"), 3, 2.0),
    (D("-3.10"), N, N, N),
)


def product(a: Expr, b: Expr, out: str) -> Expr:
    return call("arithmetic_decimal", "multiply:dec_dec", type_of(out), a, b)


case(
    "cast/decimal_compared",
    "a decimal of more digits beside another is what Spark compares it as",
    PRICES.select(
        lambda r: [
            eq(cast(r[0], "dec<30,15>?"), r[1]),
            lt(cast(r[2], "dec<21,0>?"), r[0]),
            gt(cast(r[2], "dec<38,30>?"), cast(r[0], "dec<38,30>?")),
            is_not_null(cast(r[0], "dec<30,15>?")),
        ]
    ),
    "same less more known",
    [
        (True, True, False, True),
        (False, True, False, True),
        (N, N, N, False),
        (N, N, N, True),
    ],
)
case(
    "cast/decimal_compared_as_less",
    "a decimal of fewer digits is another number, and where no decimal holds both the digits are said",
    PRICES.select(
        lambda r: [
            eq(cast(r[1], "dec<16,1>?"), r[0]),
            eq(cast(r[2], "dec<38,30>?"), cast(r[0], "dec<38,30>?")),
        ]
    ),
    "rounded same",
    [(True, False), (False, False), (N, N), (N, N)],
)
case(
    "cast/decimal_as_double",
    "beside a double a decimal is one; a double of exact numbers is no NaN, so that its decimal needs no text between",
    PRICES.select(
        lambda r: [
            multiply(cast(r[0], "fp64?"), lit(0.2, "fp64")),
            cast(multiply(cast(r[0], "fp64?"), lit(0.2, "fp64")), "dec<30,15>?"),
        ]
    ),
    "a b",
    [(0.3, D("0.3")), (0.45, D("0.45")), (N, N), (-0.62, D("-0.62"))],
)
case(
    "cast/double_that_may_be_nan",
    "Spark makes a NULL of NaN, where the plan wants an error: the text of a double that may be one is cast",
    PRICES.filter(lambda r: gt(r[2], lit(2, "i32"))).select(
        lambda r: [
            cast(multiply(cast(r[0], "fp64?"), r[3]), "dec<30,15>?"),
            cast(r[3], "dec<9,2>?"),
        ]
    ),
    "a b",
    [(N, D("2.00"))],
)
# Two doubles, of decimals and of anything; four of them, so that the table is one of its own.
DOUBLES = PRICES.select(lambda r: [cast(r[0], "fp64?"), r[3]]).fetch(count=4)
case(
    "cast/double_of_a_decimal_below",
    "a double that a query below has made of a decimal is a number, and a NULL of it is one; of a union, either",
    (
        Result(
            DOUBLES.filter(
                lambda r: ne(cast(r[0], "dec<30,15>?"), lit(D("2.25"), "dec<30,15>"))
            ).select(lambda r: [cast(multiply(lit(2.0, "fp64"), r[0]), "dec<9,2>?")]),
            "twice",
            [(D("3.00"),), (D("-6.20"),)],
        ),
        Result(
            set_(
                "UNION_ALL",
                PRICES.select(lambda r: [cast(r[0], "fp64?")]),
                PRICES.filter(lambda r: gt(r[2], lit(2, "i32"))).select(lambda r: [r[3]]),
            )
            .filter(lambda r: is_not_null(r[0]))
            .select(lambda r: [cast(r[0], "dec<9,2>?")]),
            "either",
            [(D("1.50"),), (D("2.25"),), (D("-3.10"),), (D("2.00"),)],
        ),
    ),
)
case(
    "cast/whole_number_in_a_product",
    "an INT beside a decimal is DECIMAL(10, 0) by itself, and nothing else",
    PRICES.select(
        lambda r: [
            product(cast(r[2], "dec<10,0>?"), r[0], "dec<18,2>?"),
            product(cast(r[2], "dec<20,0>?"), r[0], "dec<28,2>?"),
        ]
    ),
    "natural wider",
    [(D("1.50"), D("1.50")), (D("4.50"), D("4.50")), (N, N), (N, N)],
)
case(
    "cast/constant_as_wide",
    "a BIGINT beside a decimal is DECIMAL(20, 0): a constant that says so makes the decimal as wide; no wider, though",
    PRICES.select(
        lambda r: [
            coalesce(cast(r[0], "dec<22,2>?"), lit(D(0), "dec<22,2>")),
            coalesce(cast(r[0], "dec<22,2>?"), cast(r[2], "dec<22,2>?"), lit(D(7), "dec<22,2>")),
            if_then(
                (gt(r[2], lit(1, "i32")), cast(r[0], "dec<22,2>?")),
                otherwise=lit(D(-4), "dec<22,2>"),
            ),
            coalesce(cast(r[0], "dec<12,2>?"), lit(D(0), "dec<12,2>")),
            coalesce(cast(r[0], "dec<25,2>?"), lit(D(0), "dec<25,2>")),
            coalesce(cast(r[0], "dec<25,5>?"), lit(D("0.5"), "dec<25,5>")),
        ]
    ),
    "long several chosen short longer places",
    [
        (D("1.50"), D("1.50"), D("-4"), D("1.50"), D("1.50"), D("1.50")),
        (D("2.25"), D("2.25"), D("2.25"), D("2.25"), D("2.25"), D("2.25")),
        (D("0"), D("3"), N, D("0"), D("0"), D("0.5")),
        (D("-3.10"), D("-3.10"), D("-4"), D("-3.10"), D("-3.10"), D("-3.10")),
    ],
)
case(
    "cast/null_of_a_type",
    "NULL beside a result that says the type needs none, NULL alone does",
    PRICES.select(
        lambda r: [
            if_then((gt(r[2], lit(1, "i32")), lit(N, "dec<7,2>?")), otherwise=r[0]),
            if_then((gt(r[2], lit(1, "i32")), lit(N, "i64?")), otherwise=lit(5, "i64")),
            if_then((gt(r[2], lit(1, "i32")), lit(N, "i64?")), otherwise=lit(N, "i64?")),
        ]
    ),
    "price five none",
    [(D("1.50"), 5, N), (N, N, N), (N, N, N), (D("-3.10"), 5, N)],
)
case(
    "cast/widened_by_union",
    "UNION makes the widest of its decimals and whole numbers; a cast stays where that is another type",
    set_(
        "UNION_ALL",
        PRICES.select(
            lambda r: [
                lit(D(0), "dec<7,2>"),
                cast(r[0], "dec<30,15>?"),
                cast(r[2], "i64?"),
                cast(r[0], "dec<12,2>?"),
                cast(r[0], "dec<20,4>?"),
                lit(N, "dec<7,2>?"),
                cast(r[0], "dec<12,2>?"),
            ]
        ),
        PRICES.select(
            lambda r: [
                r[0],
                r[1],
                lit(8, "i64"),
                cast(r[2], "dec<12,2>?"),
                cast(r[2], "dec<20,4>?"),
                lit(D(1), "dec<7,2>?"),
                lit(D(0), "dec<12,2>"),
            ]
        ),
    ),
    "constant wider whole both neither none short",
    [
        (D("0"), D("1.50"), 1, D("1.50"), D("1.50"), N, D("1.50")),
        (D("0"), D("2.25"), 2, D("2.25"), D("2.25"), N, D("2.25")),
        (D("0"), N, 3, N, N, N, N),
        (D("0"), D("-3.10"), N, D("-3.10"), D("-3.10"), N, D("-3.10")),
        (D("1.50"), D("1.5"), 8, D("1"), D("1"), D("1"), D("0")),
        (D("2.25"), D("2.250000000000001"), 8, D("2"), D("2"), D("1"), D("0")),
        (N, D("0"), 8, D("3"), D("3"), D("1"), D("0")),
        (D("-3.10"), N, 8, N, N, D("1"), D("0")),
    ],
)
case(
    "cast/set_without_widening",
    "EXCEPT and INTERSECT compare as they are written: there the casts stay",
    set_(
        "MINUS_PRIMARY",
        PRICES.select(lambda r: [cast(r[0], "dec<30,15>?")]),
        PRICES.select(lambda r: [r[1]]),
    ),
    "price",
    [(D("2.25"),), (D("-3.10"),)],
)


def of_datafusion(tree: dict[str, Any]) -> None:
    tree["version"].update(producer="datafusion", minorNumber=85)


AMOUNTS = virtual(
    "sold:i64? stock:i64? paid:dec<32,2>?",
    (2, 3, D("10.00")),
    (-7, 9, D("0.01")),
    (N, 4, D("5.55")),
    (5, N, N),
)


def quotient(a: Expr, b: Expr, out: str) -> Expr:
    return call("arithmetic_decimal", "divide:dec_dec", type_of(out), a, b)


case(
    "cast/operand_of_a_quotient",
    "an operand that stands twice is cast once, where the other place has room for it",
    AMOUNTS.select(
        lambda r: [
            quotient(cast(r[0], "dec<15,4>?"), cast(r[1], "dec<15,4>?"), "dec<23,8>?"),
            quotient(cast(r[2], "dec<15,4>?"), cast(r[1], "dec<15,4>?"), "dec<23,8>?"),
            quotient(cast(r[0], "dec<15,4>?"), cast(r[2], "dec<15,4>?"), "dec<23,8>?"),
            quotient(cast(r[2], "dec<15,1>?"), cast(r[1], "dec<15,4>?"), "dec<26,8>?"),
        ]
    ),
    "whole left right rounded",
    [
        (D("0.66666666"), D("3.33333333"), D("0.2"), D("3.33333333")),
        (D("-0.77777777"), D("0.00111111"), D("-700"), D("0")),
        (N, D("1.3875"), N, D("1.4")),
        (N, N, N, N),
    ],
    edit_json=of_datafusion,
)
HALVED = virtual("price:dec<10,2>?", (D("5.35"),), (D("-0.01"),), (N,))
case(
    "cast/quotient_that_ends",
    "by a number such as 20 nothing is left to cut off; by 64 and 8 there is, for the places that the plan wants",
    HALVED.select(
        lambda r: [
            quotient(r[0], lit(D("2"), "dec<1,0>"), "dec<14,6>?"),
            quotient(r[0], lit(D("20"), "dec<2,0>"), "dec<14,6>?"),
            quotient(r[0], lit(D("64"), "dec<2,0>"), "dec<27,6>?"),
            quotient(r[0], lit(D("8"), "dec<1,0>"), "dec<25,4>?"),
            quotient(r[0], lit(D("3"), "dec<1,0>"), "dec<27,6>?"),
        ]
    ),
    "half twentieth sixtyfourth eighth third",
    [
        (D("2.675"), D("0.2675"), D("0.083593"), D("0.6687"), D("1.783333")),
        (D("-0.005"), D("-0.0005"), D("-0.000156"), D("-0.0012"), D("-0.003333")),
        (N, N, N, N, N),
    ],
    edit_json=of_datafusion,
)
