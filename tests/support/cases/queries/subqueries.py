"""Subqueries, at most one boundary out.

emp: 1 ann 10 100 | 2 bob 10 300 | 3 cid 20 200 | 4 dan 20 NULL | 5 eve NULL 200 | 6 NULL 40 50
dept: 10 ops head 2 | 20 dev head NULL | 30 law head 5
"""

from tests.support.build import (
    R,
    Row,
    and_,
    count,
    eq,
    exists,
    extreme,
    gt,
    in_,
    is_not_null,
    lit,
    lt,
    not_,
    or_,
    scalar,
    sum_,
    virtual,
)
from tests.support.cases import DEPT, EMP, case


def ids(*values: int) -> list[tuple[int]]:
    return [(v,) for v in values]


def first(rel: R) -> R:
    return rel.select(lambda r: [r[0]])


DEPT_IDS = DEPT.select(lambda r: [r[0]])
HEADS = DEPT.select(lambda r: [r[2]])
NOBODY = EMP.filter(lambda r: gt(r[0], lit(100, "i64")))
TOP = EMP.aggregate(None, lambda r: [extreme("max", r[3])])


def members(d: Row) -> R:
    """Select the employees of the outer row's department."""
    return EMP.filter(lambda e: eq(e[2], d.outer(0)))


case(
    "subquery/scalar",
    "one value beside every row",
    DEPT.select(lambda r: [r[0], scalar(TOP)]),
    "id top",
    [(10, 300), (20, 300), (30, 300)],
)
case(
    "subquery/scalar_empty",
    "no row is NULL",
    DEPT.select(lambda r: [r[0], scalar(NOBODY.select(lambda e: [e[3]]))]),
    "id x",
    [(10, None), (20, None), (30, None)],
)
case(
    "subquery/scalar_in_filter",
    "",
    first(EMP.filter(lambda r: eq(r[3], scalar(TOP)))),
    "id",
    ids(2),
)
case(
    "subquery/scalar_empty_in_filter",
    "compared with NULL: nothing",
    first(EMP.filter(lambda r: eq(r[3], scalar(NOBODY.select(lambda e: [e[3]]))))),
    "id",
    [],
)
case(
    "subquery/scalar_correlated_count",
    "an empty group counts 0",
    DEPT.select(lambda r: [r[1], scalar(members(r).aggregate(None, lambda _: [count()]))]),
    "name n",
    [("ops", 2), ("dev", 2), ("law", 0)],
)
case(
    "subquery/scalar_correlated_sum",
    "an empty group sums to NULL",
    DEPT.select(lambda r: [r[1], scalar(members(r).aggregate(None, lambda e: [sum_(e[3])]))]),
    "name total",
    [("ops", 400), ("dev", 200), ("law", None)],
)
case(
    "subquery/scalar_correlated_in_filter",
    "the best paid of each department; no department, no best",
    first(
        EMP.filter(
            lambda r: eq(
                r[3],
                scalar(
                    EMP.filter(lambda e: eq(e[2], r.outer(2))).aggregate(
                        None, lambda e: [extreme("max", e[3])]
                    )
                ),
            )
        )
    ),
    "id",
    ids(2, 3, 6),
)
case(
    "subquery/scalar_correlated_having",
    "a filter above the inner aggregate may leave no row",
    DEPT.select(
        lambda r: [
            r[1],
            scalar(
                members(r)
                .aggregate(None, lambda _: [count()])
                .filter(lambda c: gt(c[0], lit(0, "i64")))
            ),
        ]
    ),
    "name n",
    [("ops", 2), ("dev", 2), ("law", None)],
)
case(
    "subquery/in",
    "a NULL needle is in nothing",
    first(EMP.filter(lambda r: in_(DEPT_IDS, r[2]))),
    "id",
    ids(1, 2, 3, 4),
)
case(
    "subquery/in_with_null_haystack",
    "a NULL in the haystack is no match",
    first(EMP.filter(lambda r: in_(HEADS, r[0]))),
    "id",
    ids(2, 5),
)
case(
    "subquery/not_in",
    "NULL is neither in nor not in",
    first(EMP.filter(lambda r: not_(in_(DEPT_IDS, r[2])))),
    "id",
    ids(6),
)
case(
    "subquery/not_in_with_null_haystack",
    "one NULL in the haystack and nothing is left",
    first(EMP.filter(lambda r: not_(in_(HEADS, r[0])))),
    "id",
    [],
)
case(
    "subquery/not_in_without_nulls",
    "",
    first(EMP.filter(lambda r: not_(in_(HEADS.filter(lambda h: is_not_null(h[0])), r[0])))),
    "id",
    ids(1, 3, 4, 6),
)
case(
    "subquery/not_in_empty",
    "not in nothing is true, for NULL too",
    first(EMP.filter(lambda r: not_(in_(first(NOBODY), r[2])))),
    "id",
    ids(1, 2, 3, 4, 5, 6),
)
case(
    "subquery/in_two_needles",
    "rows are compared field by field",
    first(
        EMP.filter(
            lambda r: in_(virtual("d:i64? s:i64?", (10, 300), (20, None), (10, 200)), r[2], r[3])
        )
    ),
    "id",
    ids(2),
)
case(
    "subquery/in_correlated",
    "the head works in the department",
    first(DEPT.filter(lambda d: in_(members(d).select(lambda e: [e[0]]), d[2]))),
    "id",
    ids(10),
)
case(
    "subquery/exists",
    "",
    first(EMP.filter(lambda _: exists(DEPT))),
    "id",
    ids(1, 2, 3, 4, 5, 6),
)
case("subquery/exists_empty", "", first(EMP.filter(lambda _: exists(NOBODY))), "id", [])
case(
    "subquery/not_exists_empty",
    "",
    first(DEPT.filter(lambda _: not_(exists(NOBODY)))),
    "id",
    ids(10, 20, 30),
)
case(
    "subquery/exists_correlated",
    "departments that have people",
    first(DEPT.filter(lambda d: exists(members(d)))),
    "id",
    ids(10, 20),
)
case(
    "subquery/not_exists_correlated",
    "departments that have none",
    first(DEPT.filter(lambda d: not_(exists(members(d))))),
    "id",
    ids(30),
)
case(
    "subquery/exists_correlated_and_filtered",
    "",
    first(DEPT.filter(lambda d: exists(members(d).filter(lambda e: gt(e[3], lit(250, "i64")))))),
    "id",
    ids(10),
)
case(
    "subquery/exists_inequality",
    "somebody earns more in the same department",
    first(
        EMP.filter(
            lambda r: exists(EMP.filter(lambda e: and_(eq(e[2], r.outer(2)), lt(r.outer(3), e[3]))))
        )
    ),
    "id",
    ids(1),
)
case(
    "subquery/exists_same_names",
    "id, name and dept mean different things inside and outside",
    first(DEPT.filter(lambda d: exists(EMP.filter(lambda e: eq(e[0], d.outer(2)))))),
    "id",
    ids(10, 30),
)
case(
    "subquery/exists_or",
    "a subquery as one side of OR",
    first(
        DEPT.filter(
            lambda d: or_(
                exists(members(d).filter(lambda e: gt(e[3], lit(250, "i64")))),
                eq(d[1], lit("law", "str")),
            )
        )
    ),
    "id",
    ids(10, 30),
)
case(
    "subquery/in_inside_exists",
    "a subquery in a subquery",
    first(
        EMP.filter(
            lambda r: exists(
                DEPT.filter(
                    lambda d: and_(
                        eq(d[0], r.outer(2)),
                        in_(first(EMP.filter(lambda e: gt(e[3], lit(250, "i64")))), d[2]),
                    )
                )
            )
        )
    ),
    "id",
    ids(1, 2),
)
case(
    "subquery/above_aggregate",
    "a filter above an aggregate compares with a scalar subquery",
    EMP.aggregate(lambda r: [r[2]], lambda r: [sum_(r[3])]).filter(lambda r: gt(r[1], scalar(TOP))),
    "dept total",
    [(10, 400)],
)
case(
    "subquery/below_limit",
    "uncorrelated, with its own order and limit",
    first(EMP.filter(lambda r: in_(first(DEPT.sort(lambda d: [(d[0], 1)]).fetch(1)), r[2]))),
    "id",
    ids(1, 2),
)


case(
    "subquery/scalar_sorted_by_what_is_not_returned",
    "the best paid of each department, and the name of the one before: the keys are not returned",
    DEPT.select(
        lambda d: [
            d[0],
            scalar(members(d).sort(lambda e: [(e[3], 4)]).fetch(1).select(lambda e: [e[1]])),
            scalar(members(d).sort(lambda e: [(e[3], 4)]).fetch(1, 1).select(lambda e: [e[1]])),
        ]
    ),
    "id best second",
    [(10, "bob", "ann"), (20, "cid", "dan"), (30, None, None)],
)
