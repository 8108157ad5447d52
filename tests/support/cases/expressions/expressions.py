"""Three-valued logic, conditionals that skip what they do not take, lists, casts."""

import datetime as dt
import math
from decimal import Decimal

from tests.support.build import (
    add,
    and_,
    call,
    cast,
    coalesce,
    compare,
    divide,
    eq,
    gt,
    if_then,
    in_,
    is_not_null,
    is_null,
    is_same,
    like,
    lit,
    lt,
    multiply,
    ne,
    not_,
    one_of,
    or_,
    switch,
    virtual,
)
from tests.support.cases import EMP, case

T, F, N = True, False, None
BOOLS = virtual("a:bool? b:bool?", *[(a, b) for a in (T, F, N) for b in (T, F, N)])

case(
    "expression/kleene",
    "AND, OR and NOT over TRUE, FALSE, NULL",
    BOOLS.project(lambda r: [and_(r[0], r[1]), or_(r[0], r[1]), not_(r[0])]),
    "a b both either no",
    [
        (T, T, T, T, F),
        (T, F, F, T, F),
        (T, N, N, T, F),
        (F, T, F, T, T),
        (F, F, F, F, T),
        (F, N, F, N, T),
        (N, T, N, T, N),
        (N, F, F, N, N),
        (N, N, N, N, N),
    ],
)
case(
    "expression/not_and_or",
    "NOT (a AND b) OR c, and a AND (b OR c), keep their shape",
    virtual("a:bool? b:bool? c:bool?", (T, T, F), (T, F, F), (F, T, T), (N, T, T)).select(
        lambda r: [or_(not_(and_(r[0], r[1])), r[2]), and_(r[0], or_(r[1], r[2]))]
    ),
    "x y",
    [(F, T), (T, F), (T, F), (T, N)],
)
case(
    "expression/comparisons",
    "each with NULL on one side or both",
    virtual("a:i32? b:i32?", (1, 1), (1, 2), (1, None), (None, None)).select(
        lambda r: [
            eq(r[0], r[1]),
            ne(r[0], r[1]),
            lt(r[0], r[1]),
            is_same(r[0], r[1]),
            is_null(r[1]),
            is_not_null(r[1]),
        ]
    ),
    "eq ne lt same null known",
    [
        (T, F, F, T, F, T),
        (F, T, T, F, F, T),
        (N, N, N, F, T, F),
        (N, N, N, T, T, F),
    ],
)
case(
    "expression/variadic_and",
    "more than two arguments",
    EMP.filter(
        lambda r: and_(
            gt(r[0], lit(1, "i64")), lt(r[0], lit(5, "i64")), is_not_null(r[3]), is_not_null(r[1])
        )
    ).select(lambda r: [r[0]]),
    "id",
    [(2,), (3,)],
)
case(
    "expression/arithmetic",
    "integers divide towards zero and keep their type",
    virtual("a:i32 b:i32", (7, 2), (-7, 2), (6, -3)).select(
        lambda r: [add(r[0], r[1]), multiply(r[0], r[1]), divide(r[0], r[1])]
    ),
    "sum product quotient",
    [(9, 14, 3), (-5, -14, -3), (3, -18, -2)],
)
case(
    "expression/coalesce",
    "the first that is not NULL",
    EMP.select(lambda r: [r[0], coalesce(r[3], r[2], lit(-1, "i64"))]),
    "id x",
    [(1, 100), (2, 300), (3, 200), (4, 20), (5, 200), (6, 50)],
)
case(
    "expression/like",
    "% and _, and NULL",
    EMP.select(lambda r: [r[1], like(r[1], "%n%"), like(r[1], "_a_")]),
    "name n a",
    [
        ("ann", T, F),
        ("bob", F, F),
        ("cid", F, F),
        ("dan", T, T),
        ("eve", F, F),
        (N, N, N),
    ],
)
case(
    "case/first_true",
    "the first condition that is TRUE; NULL is not",
    EMP.select(
        lambda r: [
            r[0],
            if_then(
                (gt(r[3], lit(250, "i64")), lit("high", "str")),
                (gt(r[3], lit(100, "i64")), lit("mid", "str")),
                otherwise=lit("low", "str"),
            ),
        ]
    ),
    "id band",
    [(1, "low"), (2, "high"), (3, "mid"), (4, "low"), (5, "mid"), (6, "low")],
)
case(
    "case/no_else",
    "without ELSE: NULL",
    EMP.select(lambda r: [r[0], if_then((eq(r[2], lit(10, "i64")), r[1]))]),
    "id name",
    [(1, "ann"), (2, "bob"), (3, None), (4, None), (5, None), (6, None)],
)
case(
    "case/guards_division",
    "what is not taken is not evaluated",
    virtual("x:i32?", (0,), (2,), (None,)).select(
        lambda r: [
            r[0],
            if_then(
                (eq(r[0], lit(0, "i32")), lit(0, "i32")),
                otherwise=divide(lit(10, "i32"), r[0]),
            ),
        ]
    ),
    "x y",
    [(0, 0), (2, 5), (None, None)],
)
case(
    "case/nested",
    "a CASE in a CASE",
    EMP.select(
        lambda r: [
            r[0],
            if_then(
                (
                    is_not_null(r[2]),
                    if_then((gt(r[2], lit(15, "i64")), lit("b", "str")), otherwise=lit("a", "str")),
                ),
                otherwise=lit("c", "str"),
            ),
        ]
    ),
    "id x",
    [(1, "a"), (2, "a"), (3, "b"), (4, "b"), (5, "c"), (6, "b")],
)
case(
    "case/switch",
    "a switch over literals; a NULL match goes to ELSE",
    EMP.select(
        lambda r: [
            r[0],
            switch(
                r[2],
                (lit(10, "i64"), lit("a", "str")),
                (lit(20, "i64"), lit("b", "str")),
                otherwise=lit("z", "str"),
            ),
        ]
    ),
    "id x",
    [(1, "a"), (2, "a"), (3, "b"), (4, "b"), (5, "z"), (6, "z")],
)
case(
    "case/in_filter_and_key",
    "a CASE as a group's key",
    EMP.project(
        lambda r: [if_then((gt(r[3], lit(150, "i64")), lit(1, "i32")), otherwise=lit(0, "i32"))]
    ).aggregate(lambda r: [r[4]]),
    "x",
    [(0,), (1,)],
)
case(
    "in_list/value",
    "as a value: TRUE, FALSE or NULL",
    EMP.select(lambda r: [r[0], one_of(r[2], lit(10, "i64"), lit(40, "i64"))]),
    "id x",
    [(1, T), (2, T), (3, F), (4, F), (5, N), (6, T)],
)
case(
    "in_list/with_null",
    "a NULL in the list: TRUE or NULL, never FALSE",
    EMP.select(lambda r: [r[0], one_of(r[2], lit(10, "i64"), lit(None, "i64?"))]),
    "id x",
    [(1, T), (2, T), (3, N), (4, N), (5, N), (6, N)],
)
case(
    "in_list/not_with_null",
    "NOT IN a list with NULL keeps nothing",
    EMP.filter(lambda r: not_(one_of(r[2], lit(10, "i64"), lit(None, "i64?")))).select(
        lambda r: [r[0]]
    ),
    "id",
    [],
)
case(
    "in_list/not",
    "",
    EMP.filter(lambda r: not_(one_of(r[2], lit(10, "i64"), lit(20, "i64")))).select(
        lambda r: [r[0]]
    ),
    "id",
    [(6,)],
)
case(
    "in_list/one_option",
    "",
    EMP.filter(lambda r: one_of(r[1], lit("eve", "str"))).select(lambda r: [r[0]]),
    "id",
    [(5,)],
)
case(
    "in_list/empty",
    "a list without options is FALSE, for NULL too",
    EMP.select(lambda r: [r[0], one_of(r[2])]),
    "id x",
    [(i, F) for i in range(1, 7)],
)
case(
    "in_list/expressions",
    "options may be columns",
    EMP.select(lambda r: [r[0], one_of(r[0], r[2], lit(3, "i64"))]),
    "id x",
    [(1, F), (2, F), (3, T), (4, F), (5, N), (6, F)],
)
case(
    "cast/numbers",
    "between number types",
    virtual("x:i32?", (5,), (None,)).select(
        lambda r: [
            cast(r[0], "i8?"),
            cast(r[0], "i64?"),
            cast(r[0], "fp64?"),
            cast(r[0], "dec<10,2>?"),
        ]
    ),
    "a b c d",
    [(5, 5, 5.0, Decimal("5.00")), (None, None, None, None)],
)
case(
    "cast/text",
    "to text and back",
    virtual("x:i64 s:str", (42, "17"), (-1, "-3")).select(
        lambda r: [cast(r[0], "str"), cast(r[1], "i32"), cast(r[1], "dec<5,1>"), cast(r[1], "fp64")]
    ),
    "a b c d",
    [("42", 17, Decimal("17.0"), 17.0), ("-1", -3, Decimal("-3.0"), -3.0)],
)
case(
    "cast/dates",
    "text, dates and timestamps",
    virtual("s:str", ("2020-02-29",)).select(
        lambda r: [
            cast(r[0], "date"),
            cast(cast(r[0], "date"), "str"),
            cast(cast(r[0], "date"), "pts<6>"),
        ]
    ),
    "d s t",
    [(dt.date(2020, 2, 29), "2020-02-29", dt.datetime(2020, 2, 29))],
)
case(
    "cast/return_null",
    "what cannot be cast becomes NULL where the plan says so",
    virtual("s:str", ("12",), ("twelve",), ("300",)).select(
        lambda r: [cast(r[0], "i32?", "RETURN_NULL"), cast(r[0], "i8?", "RETURN_NULL")]
    ),
    "i b",
    [(12, 12), (None, None), (300, None)],
)
case(
    "cast/date_arithmetic",
    "a date and an interval of months; the end of the month is kept",
    virtual("d:date", (dt.date(2020, 1, 31),), (dt.date(2019, 12, 1),)).select(
        lambda r: [call("datetime", "add:date_iyear", "date", r[0], lit((0, 1), "iyear"))]
    ),
    "d",
    [(dt.date(2020, 2, 29),), (dt.date(2020, 1, 1),)],
)
case(
    "cast/timestamp_arithmetic",
    "a timestamp and an interval of days and seconds",
    virtual("t:pts<6>", (dt.datetime(2020, 2, 28, 23, 0, 0),)).select(
        lambda r: [
            call("datetime", "add:pts_iday", "pts<6>", r[0], lit((1, 3600, 0), "iday<6>")),
        ]
    ),
    "t",
    [(dt.datetime(2020, 3, 1, 0, 0, 0),)],
)

BYTES = virtual("a:i8 b:i8", (120, 10), (-7, 3), (-128, -1))


def bytes_call(name: str, r: object, **options: str) -> object:
    return call("arithmetic", f"{name}:i8_i8", "i8", r[0], r[1], **options)  # type: ignore[index]


case(
    "expression/overflow",
    "sums and quotients beyond the range, and remainders rounded down",
    BYTES.select(
        lambda r: [
            bytes_call("add", r, overflow="SATURATE"),
            bytes_call("add", r, overflow="SILENT"),
            bytes_call("divide", r, overflow="SATURATE", on_division_by_zero="NULL"),
            bytes_call("modulus", r, division_type="FLOOR", on_domain_error="NULL"),
        ]
    ),
    "saturated silent quotient remainder",
    [(127, -126, 12, 0), (-4, -4, -2, 2), (-128, 127, 127, 0)],
)
NUMBERS = virtual("x:fp64 d:dec<5,2>", (0.0, "2.50"), (-1.0, "-2.50"), (1.0, "3.49"))
case(
    "expression/domains_and_rounding",
    "what is outside of a logarithm's domain, and ties that go to the odd digit",
    NUMBERS.select(
        lambda r: [
            call(
                "logarithmic",
                "ln:fp64",
                "fp64?",
                r[0],
                on_domain_error="NULL",
                on_log_zero="MINUS_INFINITY",
            ),
            call(
                "rounding_decimal",
                "round:dec_i32",
                "dec<6,2>?",
                r[1],
                lit(0, "i32"),
                rounding="TIE_TO_ODD",
            ),
        ]
    ),
    "log rounded",
    [
        (-math.inf, Decimal("3.00")),
        (None, Decimal("-3.00")),
        (0.0, Decimal("3.00")),
    ],
)

# Decimals of 37 places, which no integer of ten digits stands beside.
TINY = Decimal("1E-37")
LONG = virtual("x:dec<38,37>?", (TINY,), (Decimal(0),), (None,))
case(
    "in_list/long_decimals",
    "a zero among the options takes no decimal places away",
    LONG.project(lambda r: [one_of(r[0], lit(0, "dec<38,37>"), lit(5, "dec<38,37>"))]),
    "x found",
    [(TINY, False), (Decimal(0), True), (None, None)],
)
case(
    "case/long_decimals",
    "nor does a branch that is zero",
    LONG.project(lambda r: [if_then((is_not_null(r[0]), r[0]), otherwise=lit(0, "dec<38,37>"))]),
    "x y",
    [(TINY, TINY), (Decimal(0), Decimal(0)), (None, Decimal(0))],
)
case(
    "case/long_decimals_matched",
    "nor does an arm that is zero",
    LONG.project(
        lambda r: [
            switch(r[0], (lit(0, "dec<38,37>"), lit("zero", "str")), otherwise=lit("more", "str"))
        ]
    ),
    "x y",
    [(TINY, "more"), (Decimal(0), "zero"), (None, "more")],
)
# Rows of one zero.
ZERO = virtual("z:i32", (1,)).select(lambda r: [lit(0, "dec<38,37>")])
case(
    "subquery/long_decimals",
    "nor does a row of a subquery that is zero",
    LONG.filter(lambda r: in_(ZERO, r[0])),
    "x",
    [(Decimal(0),)],
)
case(
    "subquery/long_decimals_compared",
    "nor in a comparison with all of its rows",
    LONG.project(lambda r: [compare(r[0], "GT", "ALL", ZERO), in_(ZERO, r[0])]),
    "x more found",
    [(TINY, True, False), (Decimal(0), False, True), (None, None, None)],
)
