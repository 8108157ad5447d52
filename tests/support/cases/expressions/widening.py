"""Casts that Spark makes by itself, or that change nothing, and those that only look like them."""

import math
from decimal import Decimal as D

from tests.support.build import (
    Expr,
    call,
    cast,
    eq,
    gt,
    is_not_null,
    lit,
    lt,
    multiply,
    virtual,
)
from tests.support.cases import case
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
