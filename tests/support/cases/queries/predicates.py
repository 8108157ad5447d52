"""What predicates at every place of a plan have found (`tests.tools.predicates`), made small; rows by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.oracle import make
from tests.support.build import (
    ASC,
    Expr,
    Row,
    call,
    compare,
    count,
    eq,
    exists,
    gt,
    if_then,
    in_,
    is_null,
    list_of,
    lit,
    lt,
    not_,
    or_,
    scalar,
    sum_,
    virtual,
)
from tests.support.cases import DEPT, EMP, RIGHT, L, case
from tests.support.cases.expressions.lambdas import called, function, over

if TYPE_CHECKING:
    from tests.support.build import R

N = None


def one(x: int) -> R:
    return virtual("x:i64?", (x,))


def smaller(r: Row, at: int) -> Expr:
    """Whether l has a k below that column: 1 and 2 are there, twice 2, and 3."""
    return exists(L.filter(lambda s: lt(s[0], r.outer(at))))


case(
    "predicate/anti_join_of_a_constant_row",
    "nothing is below 1, so no row matches; Spark would put the 1 into the EXISTS and fail to run it",
    one(1).nested_loop_join(RIGHT, "LEFT_ANTI", lambda r: smaller(r, 0)),
    "x",
    [(1,)],
)
case(
    "predicate/left_join_of_a_constant_row",
    "1 is below 2, so all rows match",
    one(2).join(RIGHT, "LEFT", lambda r: smaller(r, 0)),
    "x k b",
    [(2, 2, 20), (2, 2, 21), (2, 3, N), (2, N, 99), (2, 4, 40)],
)
case(
    "predicate/right_join_of_a_constant_row",
    "the same from the other side; nothing is below 1",
    RIGHT.join(one(1), "RIGHT", lambda r: smaller(r, 2)),
    "k b x",
    [(N, N, 1)],
)
RICH = EMP.filter(lambda e: gt(e[3], lit(250, "i64"))).select(lambda e: [e[0]])


def many(d: Row) -> Expr:
    """One row for a head who is rich, two for one who is not, all for one who is not known."""
    rich = in_(RICH, d.outer(2))
    return if_then((rich, lit(1, "i64")), (not_(rich), lit(2, "i64")))


case(
    "predicate/count_of_a_fetch",
    "only the second employee is rich: 2 is the head of ops, 5 of law",
    DEPT.select(
        lambda d: [
            d[0],
            scalar(
                EMP.sort(lambda e: [(e[0], ASC)])
                .fetch(many(d))
                .aggregate(None, lambda _: [count()])
            ),
        ]
    ),
    "id n",
    [(10, 1), (20, 6), (30, 2)],
)
case(
    "predicate/cell_of_a_table",
    "the numbers of the cells that are TRUE: a rich head, and an employee of the department behind the third",
    DEPT.select(
        lambda d: [
            d[0],
            scalar(
                virtual(
                    "n:i64 p:bool?",
                    (1, in_(RICH, d.outer(2))),
                    (
                        2,
                        compare(
                            lit(3, "i64"),
                            "LT",
                            "ANY",
                            EMP.filter(lambda e: eq(e[2], d.outer(0, 2))).select(lambda e: [e[0]]),
                        ),
                    ),
                )
                .filter(lambda r: r[1])
                .aggregate(None, lambda r: [sum_(r[0])])
            ),
        ]
    ),
    "id n",
    [(10, 1), (20, 2), (30, N)],
)


def heads() -> R:
    """Departments with the salary of their head, where it is not known whether somebody earns more."""
    out, node = make.join("join", "LEFT_SINGLE", DEPT, EMP)
    row = Row(DEPT.types + EMP.types)
    node.expression.CopyFrom(eq(row[2], row[3]).message)
    more = compare(Row(out.types)[6], "LT", "ANY", EMP.select(lambda e: [e[3]]))
    node.post_join_filter.CopyFrom(is_null(more).message)
    return out.select(lambda r: [r[0], r[6]])


case(
    "predicate/about_a_looked_up_value",
    "300 is the most that is known of, and one salary is not known; 200 is less than 300",
    heads(),
    "id salary",
    [(10, 300), (20, N)],
)
KEYS = RIGHT.select(lambda r: [r[0]])
case(
    "predicate/in_within_greatest",
    "NULL as soon as one is: 1 is not among 2, 3, 4 and NULL, but 1 = 1; the IN would be written twice",
    L.filter(
        lambda r: call(
            "comparison", "greatest:any", "bool?", in_(KEYS, r[0]), eq(r[0], lit(1, "i64"))
        ),
        emit=[1],
    ),
    "a",
    [("b",), ("c",), ("e",)],
)
case(
    "predicate/in_a_list_and_a_lambda",
    "what a lambda is called with, and a list that one is over, are columns first",
    L.select(
        lambda r: [
            r[1],
            over(
                "any_match",
                list_of(in_(KEYS, r[0]), out="list<bool?>"),
                function("bool?", body=is_null),
                "bool",
            ),
            called(function("bool?", body=lambda p: or_(p, is_null(p))), in_(KEYS, r[0])),
        ]
    ),
    "a unknown known_or_unknown",
    [
        ("a", True, True),
        ("b", False, True),
        ("c", False, True),
        ("d", True, True),
        ("e", False, True),
    ],
)
