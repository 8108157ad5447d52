"""IN, ANY, ALL and UNIQUE where NULL and FALSE are told apart.

l(k, a): (1,a) (2,b) (2,c) (NULL,d) (3,e)        r(k, b): (2,20) (2,21) (3,NULL) (NULL,99) (4,40)
t1: 1 1 2 NULL NULL 3        t2: 1 2 2 NULL 4        t3: 1 NULL 5
"""

from tests.support.build import (
    R,
    coalesce,
    compare,
    count,
    eq,
    gt,
    if_then,
    in_,
    is_null,
    lit,
    lt,
    not_,
    or_,
    set_,
    unique,
    virtual,
)
from tests.support.cases import DEPT, EMP, RIGHT, T1, T2, T3, L, case

N = None
KEYS = RIGHT.select(lambda r: [r[0]])
KNOWN_KEYS = RIGHT.filter(lambda r: gt(r[0], lit(0, "i64"))).select(lambda r: [r[0]])
NOTHING = virtual("x:i32?")


def marks(*values: bool | None) -> list[tuple[bool | None]]:
    return [(v,) for v in values]


case(
    "subquery/in_as_value",
    "NULL in the haystack: whoever is not found may be in it",
    L.select(lambda r: [r[1], in_(KEYS, r[0])]),
    "a found",
    [("a", N), ("b", True), ("c", True), ("d", N), ("e", True)],
)
case(
    "subquery/in_as_value_known",
    "no NULL in the haystack",
    L.select(lambda r: [r[1], in_(KNOWN_KEYS, r[0])]),
    "a found",
    [("a", False), ("b", True), ("c", True), ("d", N), ("e", True)],
)
case(
    "subquery/in_as_value_empty",
    "in an empty haystack there is not even NULL",
    T1.select(lambda r: [in_(NOTHING, r[0])]),
    "found",
    marks(*[False] * 6),
)
case(
    "subquery/in_as_value_required",
    "nothing can be NULL",
    DEPT.select(lambda r: [r[1], in_(EMP.select(lambda e: [e[0]]), lit(3, "i64"))]),
    "name found",
    [("ops", True), ("dev", True), ("law", True)],
)
case(
    "subquery/in_as_value_two_needles",
    "a pair with a NULL may be one that differs elsewhere: then it is not",
    L.select(
        lambda r: [
            r[1],
            in_(virtual("k:i64? a:str?", (1, "a"), (2, N), (3, "x"), (9, N)), r[0], r[1]),
        ]
    ),
    "a found",
    # (NULL, d) may be (2, NULL); (3, e) is neither (3, x) nor (9, NULL).
    [("a", True), ("b", N), ("c", N), ("d", N), ("e", False)],
)
case(
    "subquery/in_as_value_correlated",
    "is the head one of the department's own",
    DEPT.select(
        lambda d: [
            d[1],
            in_(EMP.filter(lambda e: eq(e[2], d.outer(0))).select(lambda e: [e[0]]), d[2]),
        ]
    ),
    "name own",
    [("ops", True), ("dev", N), ("law", False)],
)
case(
    "subquery/in_is_null",
    "",
    L.filter(lambda r: is_null(in_(KEYS, r[0])), emit=[1]),
    "a",
    [("a",), ("d",)],
)
case(
    "subquery/in_coalesce",
    "NOT coalesce(IN, TRUE): certainly not in it",
    L.filter(lambda r: not_(coalesce(in_(KNOWN_KEYS, r[0]), lit(True, "bool"))), emit=[1]),
    "a",
    [("a",)],
)
case(
    "subquery/in_in_case",
    "a condition of CASE is TRUE or not, but the value beside it is not",
    L.select(
        lambda r: [
            r[1],
            if_then(
                (is_null(in_(KEYS, r[0])), lit("maybe", "str")),
                (in_(KEYS, r[0]), lit("yes", "str")),
                otherwise=lit("no", "str"),
            ),
        ]
    ),
    "a found",
    [("a", "maybe"), ("b", "yes"), ("c", "yes"), ("d", "maybe"), ("e", "yes")],
)
case(
    "subquery/in_computed_needle",
    "the needle is an expression",
    T3.select(
        lambda r: [in_(T2, if_then((gt(r[0], lit(4, "i32")), lit(3, "i32")), otherwise=r[0]))]
    ),
    "found",
    # 3 for 5: it may be t2's NULL.
    marks(True, N, N),
)
case(
    "subquery/in_above_aggregate",
    "the needle is a group's key",
    EMP.aggregate(lambda r: [r[2]], lambda _: [count()]).project(
        lambda r: [in_(DEPT.select(lambda d: [d[0]]), r[0])]
    ),
    "dept n known",
    [(10, 2, True), (20, 2, True), (N, 1, N), (40, 1, False)],
)
case(
    "subquery/in_measure_needle",
    "the needle is a measure",
    EMP.aggregate(lambda r: [r[2]], lambda _: [count()]).project(
        lambda r: [in_(virtual("n:i64", (2,)), r[1])], emit=[0, 2]
    ),
    "dept pair",
    [(10, True), (20, True), (N, False), (40, False)],
)
case(
    "subquery/in_a_row_of_a_text",
    "Spark reads IN (SELECT 'dev') as a list of one literal",
    DEPT.filter(
        lambda r: in_(
            T1.aggregate(None, lambda _: [count()]).select(lambda _: [lit("dev", "string")]), r[1]
        ),
        emit=[0, 1],
    ),
    "id name",
    [(20, "dev")],
)
case(
    "subquery/in_above_union",
    "",
    set_("UNION_ALL", T1, T3).project(lambda r: [in_(T2, r[0])]),
    "x found",
    [(1, True), (1, True), (2, True), (N, N), (N, N), (3, N), (1, True), (N, N), (5, N)],
)
case(
    "subquery/gt_any",
    "",
    T1.select(lambda r: [compare(r[0], "GT", "ANY", T2)]),
    "found",
    marks(N, N, True, N, N, True),
)
case(
    "subquery/lt_all",
    "below 2, 3 and NULL",
    T1.select(lambda r: [compare(r[0], "LT", "ALL", virtual("x:i32?", (2,), (3,), (N,)))]),
    "found",
    marks(N, N, False, N, N, False),
)
case(
    "subquery/ge_all",
    "",
    T1.select(lambda r: [compare(r[0], "GE", "ALL", virtual("x:i32", (1,), (2,)))]),
    "found",
    marks(False, False, True, N, N, True),
)
case(
    "subquery/eq_all",
    "",
    T1.select(lambda r: [compare(r[0], "EQ", "ALL", virtual("x:i32", (1,), (1,)))]),
    "found",
    marks(True, True, False, N, N, False),
)
case(
    "subquery/ne_all",
    "NOT IN, by its other name",
    T1.select(lambda r: [compare(r[0], "NE", "ALL", T2)]),
    "found",
    marks(False, False, False, N, N, N),
)
case(
    "subquery/ne_any",
    "",
    T1.select(lambda r: [compare(r[0], "NE", "ANY", virtual("x:i32?", (1,), (N,)))]),
    "found",
    marks(N, N, True, N, N, True),
)
case(
    "subquery/eq_any",
    "IN, by its other name",
    T1.select(lambda r: [compare(r[0], "EQ", "ANY", T3)]),
    "found",
    marks(True, True, N, N, N, N),
)
case(
    "subquery/any_empty",
    "",
    T1.select(lambda r: [compare(r[0], "LE", "ANY", NOTHING)]),
    "found",
    marks(*[False] * 6),
)
case(
    "subquery/all_empty",
    "",
    T1.select(lambda r: [compare(r[0], "LE", "ALL", NOTHING)]),
    "found",
    marks(*[True] * 6),
)
case(
    "subquery/all_required",
    "nothing can be NULL",
    DEPT.filter(lambda d: compare(d[0], "GT", "ALL", EMP.select(lambda e: [e[0]])), emit=[1]),
    "name",
    [("ops",), ("dev",), ("law",)],
)
case(
    "subquery/any_in_filter",
    "",
    T1.filter(lambda r: compare(r[0], "GT", "ANY", T2)),
    "x",
    [(2,), (3,)],
)
case(
    "subquery/not_any_in_filter",
    "NOT NULL is NULL, and drops",
    T1.filter(
        lambda r: not_(compare(r[0], "GT", "ANY", T2.filter(lambda t: gt(t[0], lit(1, "i32")))))
    ),
    "x",
    [(1,), (1,), (2,)],
)
case(
    "subquery/all_correlated",
    "those who earn least of their department, as far as is known",
    EMP.filter(
        lambda r: compare(
            r[3],
            "LE",
            "ALL",
            EMP.filter(lambda e: eq(e[2], r.outer(2))).select(lambda e: [e[3]]),
        ),
        emit=[0],
    ),
    "id",
    # Of eve's department, which is NULL, there is nobody.
    [(1,), (5,), (6,)],
)


def depts(below: R) -> R:
    return below.select(lambda e: [e[2]])


case(
    "subquery/unique",
    "two ones; two NULLs are not equal here; no rows",
    virtual("x:i32", (0,)).select(lambda _: [unique(T1), unique(T3), unique(NOTHING)]),
    "t1 t3 none",
    [(False, True, True)],
)
case(
    "subquery/unique_rows_with_null",
    "a row with a NULL equals no other",
    virtual("x:i32", (0,)).select(
        lambda _: [
            unique(virtual("a:i32 b:i32?", (1, N), (1, N))),
            unique(virtual("a:i32 b:i32?", (1, N), (1, 2), (1, 2))),
        ]
    ),
    "nulls pair",
    [(True, False)],
)
case(
    "subquery/unique_correlated",
    "departments with at most one employee",
    DEPT.filter(lambda d: unique(depts(EMP.filter(lambda e: eq(e[2], d.outer(0))))), emit=[1]),
    "name",
    [("law",)],
)
case(
    "subquery/in_or_value",
    "beside another condition of a WHERE it stays IN",
    L.filter(lambda r: or_(in_(KNOWN_KEYS, r[0]), lt(r[0], lit(0, "i64"))), emit=[1]),
    "a",
    [("b",), ("c",), ("e",)],
)
