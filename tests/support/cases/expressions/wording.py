"""Conditions that a person writes in fewer words, and those that only look like them.

r(k, b): (2,20) (2,21) (3,NULL) (NULL,99) (4,40)
"""

import math
from decimal import Decimal as D

from tests.support.build import (
    Expr,
    R,
    Row,
    add,
    and_,
    count,
    divide,
    eq,
    gt,
    gte,
    if_then,
    is_not_null,
    is_null,
    lit,
    lt,
    lte,
    ne,
    not_,
    or_,
    subtract,
    virtual,
)
from tests.support.cases import RIGHT, L, Result, case

N = None
NAN = math.nan
FLOATS = virtual("x:fp64?", (1.0,), (NAN,), (N,), (0.0,), (math.inf,))
A, B, C = (lit(letter, "str") for letter in "abc")
AMOUNTS = virtual("x:dec<10,3>?", (D("1.5"),), (D("2.25"),), (N,), (D("2"),))


def i64(value: int) -> Expr:
    return lit(value, "i64")


case(
    "predicate/between",
    "both bounds of one column are BETWEEN, NULL where the column is, and FALSE with a NULL bound that decides nothing",
    RIGHT.select(
        lambda r: [
            r[0],
            and_(gte(r[1], i64(20)), lte(r[1], i64(40))),
            not_(and_(gte(r[1], i64(20)), lte(r[1], i64(40)))),
            and_(gte(r[0], i64(3)), lte(r[0], r[1])),
        ]
    ),
    "k inside outside by_column",
    [
        (2, True, False, False),
        (2, True, False, False),
        (3, N, N, N),
        (N, False, True, N),
        (4, True, False, True),
    ],
)
case(
    "predicate/between_apart",
    "the second bound may stand further on, and first, where nothing between them fails",
    RIGHT.filter(
        lambda r: and_(lte(r[1], i64(40)), gt(r[0], i64(0)), ne(r[0], i64(3)), gte(r[1], i64(21)))
    ),
    "k b",
    [(2, 21), (4, 40)],
)
case(
    "predicate/between_not",
    "no BETWEEN: other columns, what is computed, a bound that is no part, a division that fails before the second one",
    RIGHT.filter(lambda r: and_(gte(r[0], i64(2)), lte(r[1], i64(40))))
    .filter(lambda r: and_(gte(add(r[0], r[1]), i64(1)), lte(add(r[0], r[1]), i64(43))))
    .filter(lambda r: and_(gte(r[0], i64(1)), ne(divide(i64(7), r[1]), i64(3)), lte(r[0], i64(9)))),
    "k b",
    [(2, 20), (2, 21)],
)
case(
    "predicate/between_floats",
    "NaN is the greatest of all, and equal to itself",
    FLOATS.select(
        lambda r: [
            r[0],
            and_(gte(r[0], lit(0.0, "fp64")), lte(r[0], lit(NAN, "fp64"))),
            and_(gte(r[0], lit(NAN, "fp64")), lte(r[0], lit(NAN, "fp64"))),
        ]
    ),
    "x all is_nan",
    [
        (1.0, True, False),
        (NAN, True, True),
        (N, N, N),
        (0.0, True, False),
        (math.inf, True, False),
    ],
)
case(
    "predicate/list_of_ors",
    "comparisons of one column with literals of one kind are a list; NULL is in no list, and outside of none",
    RIGHT.select(
        lambda r: [
            r[0],
            or_(eq(r[1], i64(20)), eq(r[1], i64(40)), eq(r[1], i64(20))),
            and_(ne(r[1], i64(20)), ne(r[1], i64(40))),
            not_(or_(eq(r[0], i64(2)), eq(r[0], i64(3)))),
            or_(eq(r[0], i64(2)), eq(r[1], i64(40)), eq(r[0], i64(3))),
        ]
    ),
    "k inside outside denied two_columns",
    [
        (2, True, False, False, True),
        (2, False, True, False, True),
        (3, N, N, False, True),
        (N, False, True, N, N),
        (4, True, False, True, True),
    ],
)
case(
    "predicate/list_of_ors_but_null",
    "a NULL is no literal of the list's kind",
    AMOUNTS.filter(
        lambda r: or_(
            eq(r[0], lit(D("1.5"), "dec<10,3>")),
            eq(r[0], lit(D("2.25"), "dec<10,3>")),
            eq(r[0], lit(N, "dec<10,3>?")),
        )
    ),
    "x",
    [(D("1.500"),), (D("2.250"),)],
)
case(
    "predicate/list_of_ors_computed",
    "no list of what is computed, nor of other columns, and none across a division that fails",
    RIGHT.filter(lambda r: or_(eq(add(r[0], r[1]), i64(22)), eq(add(r[0], r[1]), i64(44))))
    .filter(lambda r: or_(eq(r[0], i64(2)), gt(divide(i64(80), r[1]), i64(1)), eq(r[0], i64(4))))
    .filter(lambda r: or_(eq(r[0], r[1]), lt(r[0], i64(9)))),
    "k b",
    [(2, 20), (4, 40)],
)
case(
    "predicate/list_as_group",
    "Spark knows a group by its expression: it stays as it is wherever it is written",
    L.aggregate(
        lambda r: [or_(eq(r[0], i64(1)), eq(r[0], i64(2)))],
        lambda r: [count()],
    ).select(lambda r: [or_(r[0], gt(r[1], i64(1))), r[1]]),
    "a n",
    [(True, 3), (False, 1), (N, 1)],
)


def small(row: Row) -> Expr:
    return or_(eq(row[0], i64(2)), eq(row[0], i64(4)))


def small_or_null(row: Row) -> Expr:
    return or_(eq(row[0], i64(4)), is_null(row[1]), eq(row[0], i64(2)))


case(
    "predicate/implied",
    "what another condition implies goes, in WHERE and in the ON of an inner join, whichever comes first",
    L.join(
        RIGHT, "INNER", lambda r: and_(eq(r[0], r[2]), or_(eq(r[1], A), eq(r[1], C), eq(r[1], B)))
    )
    .filter(
        lambda r: and_(
            or_(and_(eq(r[1], B), eq(r[3], i64(20))), and_(eq(r[1], C), eq(r[3], i64(21)))),
            or_(eq(r[3], i64(20)), eq(r[3], i64(21))),
            eq(r[0], r[2]),
        )
    )
    .select(lambda r: [r[1], r[3]]),
    "a b",
    [("b", 20), ("c", 21)],
)
case(
    "predicate/implied_not_by_null",
    "a condition that is NULL implies nothing, and as a value it is what it is",
    RIGHT.filter(small_or_null).select(lambda r: [r[0], r[1], and_(small(r), small_or_null(r))]),
    "k b both",
    [(2, 20, True), (2, 21, True), (3, N, False), (4, 40, True)],
)
case(
    "predicate/implied_not_by_padding",
    "the condition of an outer join says nothing of the rows that it pads",
    L.join(RIGHT, "LEFT", lambda r: and_(eq(r[0], r[2]), small(r)))
    .filter(lambda r: small_or_null([r[0], r[3]]))
    .select(lambda r: [r[1], r[3]]),
    "a b",
    [("a", N), ("b", 20), ("b", 21), ("c", 20), ("c", 21), ("d", N), ("e", N)],
)
case(
    "predicate/implied_but_fails",
    "a division that might fail is written, and so is what keeps rows off it",
    RIGHT.filter(
        lambda r: and_(
            or_(small(r), eq(divide(i64(80), r[1]), i64(4))),
            or_(small(r), eq(r[0], i64(3))),
            gt(divide(i64(80), r[1]), i64(2)),
            small(r),
        )
    ),
    "k b",
    [(2, 20), (2, 21)],
)


def of_three(third: R) -> R:
    """An OR over three tables, and what it implies of each of them."""
    each = [("b", 20, 1), ("c", 21, 1), ("e", 99, 2)]
    return (
        L.join(RIGHT, "INNER", lambda r: eq(r[0], r[2]))
        .join(third, "INNER", lambda r: eq(r[2], r[4]))
        .filter(
            lambda r: and_(
                or_(
                    *(
                        and_(eq(r[1], lit(a, "str")), eq(r[3], i64(b)), eq(r[5], i64(c)))
                        for a, b, c in each
                    )
                ),
                or_(*(eq(r[1], lit(a, "str")) for a, _, _ in each)),
                or_(*(eq(r[3], i64(b)) for _, b, _ in each)),
                or_(eq(r[5], i64(1)), eq(r[5], i64(2))),
            )
        )
        .select(lambda r: [r[1], r[3], r[5]])
    )


case(
    "predicate/implied_of_three_tables",
    "what an OR over three tables implies of one of them stays, but for the last: Spark finds that one only",
    (
        Result(
            of_three(virtual("k:i64? c:i64?", (2, 1), (3, 1), (3, N), (N, 1))),
            "a b c",
            [("b", 20, 1), ("c", 21, 1)],
        ),
        Result(of_three(virtual("k:i64? c:i64?")), "a b c", []),
    ),
)


case(
    "case/coalesce",
    "x where it is there, else y; the test of another column, and two branches, are none",
    RIGHT.select(
        lambda r: [
            if_then((is_not_null(r[1]), r[1]), otherwise=lit(0, "i64")),
            if_then((is_not_null(r[1]), r[0]), otherwise=lit(0, "i64")),
            if_then((is_not_null(r[1]), r[1]), (is_not_null(r[0]), r[0]), otherwise=lit(0, "i64")),
            if_then((is_not_null(r[0]), r[0])),
        ]
    ),
    "known other either same",
    [(20, 2, 20, 2), (21, 2, 21, 2), (0, 0, 3, 3), (99, N, 99, N), (40, 4, 40, 4)],
)
case(
    "case/magnitude",
    "whole numbers without their sign are abs; a zero of floats may have one, and another order is another value",
    virtual(
        "k:i64? x:fp64?",
        (-3, -1.5),
        (N, -0.0),
        (0, NAN),
        (4, N),
    ).select(
        lambda r: [
            if_then((lt(r[0], i64(0)), subtract(i64(0), r[0])), otherwise=r[0]),
            if_then((gte(r[0], i64(0)), r[0]), otherwise=subtract(i64(0), r[0])),
            if_then((lt(r[0], i64(0)), r[0]), otherwise=subtract(i64(0), r[0])),
            if_then((lt(r[0], i64(1)), subtract(i64(1), r[0])), otherwise=r[0]),
            if_then((lt(r[1], lit(0.0, "fp64")), subtract(lit(0.0, "fp64"), r[1])), otherwise=r[1]),
        ]
    ),
    "size other_side negative one float",
    [(3, 3, -3, 4, 1.5), (N, N, N, N, -0.0), (0, 0, 0, 1, NAN), (4, 4, -4, 4, N)],
)
case(
    "aggregate/count_of_one",
    "a constant is there in each row; once for all of them where it is distinct, and NULL in none",
    RIGHT.aggregate(
        lambda _: [],
        lambda r: [
            count(lit(1, "i64")),
            count(lit(1, "i64"), distinct=True),
            count(lit(N, "i64?")),
            count(r[1]),
        ],
    ),
    "rows one none known",
    [(5, 1, 0, 4)],
)
