"""Subtrees that several relations share."""

from typing import Any

from tests.support.build import (
    ASC,
    DESC,
    R,
    and_,
    call,
    count,
    eq,
    exists,
    gt,
    lit,
    reference,
    scalar,
    set_,
    sum_,
    virtual,
)
from tests.support.cases import DEPT, EMP, RIGHT, T1, T2, L, Result, case

N = None
TA = virtual("a:i64", (1,), (2,), (2,))
TB = virtual("b:i64", (2,), (3,))
AB = TA.join(TB, "INNER", lambda r: eq(r[0], r[1]))
PAID = EMP.filter(lambda r: gt(r[3], lit(100, "i64")))
BY_DEPT = EMP.aggregate(lambda r: [r[2]], lambda r: [count(), sum_(r[3])])
TOP = EMP.sort(lambda r: [(r[3], DESC)]).fetch(2)


def ref(rel: R, ordinal: int = 0) -> R:
    return reference(ordinal, rel)


def _without_root(tree: dict[str, Any]) -> None:
    for entry in tree["relations"]:
        if "root" in entry:
            entry["rel"] = entry.pop("root")["input"]


case(
    "reference/union_of_itself",
    "a join, read twice",
    set_("UNION_ALL", ref(AB), ref(AB)),
    "a b",
    [(2, 2)] * 4,
    before=(AB,),
)
case(
    "reference/joined_to_itself",
    "each of two rows matches both",
    ref(AB).join(ref(AB), "INNER", lambda r: eq(r[0], r[2]), emit=[0]),
    "a",
    [(2,)] * 4,
    before=(AB,),
)
case(
    "reference/root_is_shared",
    "a root may be referred to; its names are its own affair",
    (
        Result(AB, "p q", [(2, 2), (2, 2)]),
        Result(ref(AB).aggregate(None, lambda _: [count()]), "n", [(2,)]),
    ),
)
case(
    "reference/forward",
    "the subtree stands behind the root that reads it",
    set_("UNION_ALL", ref(AB, 1), ref(AB, 1)),
    "a b",
    [(2, 2)] * 4,
    after=(AB,),
)
case(
    "reference/forward_without_root",
    "of bare relations, the result is the one that no other reads",
    set_("UNION_ALL", ref(AB, 1), ref(AB, 1)),
    "a b",
    [(2, 2)] * 4,
    after=(AB,),
    edit_json=_without_root,
)
case(
    "reference/without_root",
    "",
    ref(BY_DEPT).filter(lambda r: gt(r[1], lit(1, "i64")), emit=[1]),
    "count",
    [(2,), (2,)],
    before=(BY_DEPT,),
    edit_json=_without_root,
)
case(
    "reference/once",
    "read once only",
    ref(BY_DEPT).filter(lambda r: gt(r[1], lit(1, "i64"))),
    "dept n total",
    [(10, 2, 400), (20, 2, 200)],
    before=(BY_DEPT,),
)
case(
    "reference/shared_reads_shared",
    "one shared subtree reads another, and so does the root",
    ref(ref(PAID).aggregate(lambda r: [r[2]], lambda _: [count()]), 1).join(
        ref(PAID), "INNER", lambda r: eq(r[0], r[4]), emit=[0, 1, 3]
    ),
    "dept n name",
    [(10, 1, "bob"), (20, 1, "cid")],
    before=(PAID, ref(PAID).aggregate(lambda r: [r[2]], lambda _: [count()])),
)
case(
    "reference/forward_chain",
    "the subtrees in the order in which none may be written",
    ref(ref(PAID, 2).aggregate(lambda r: [r[2]], lambda _: [count()]), 1),
    "dept n",
    [(10, 1), (20, 1), (N, 1)],
    after=(ref(PAID, 2).aggregate(lambda r: [r[2]], lambda _: [count()]), PAID),
)
case(
    "reference/two_roots",
    "each root has its own query",
    (
        Result(ref(BY_DEPT).aggregate(None, lambda _: [count()]), "n", [(4,)]),
        Result(ref(BY_DEPT).filter(lambda r: gt(r[2], lit(300, "i64")), emit=[0]), "dept", [(10,)]),
    ),
    before=(BY_DEPT,),
)
case(
    "reference/in_subquery",
    "read in FROM and in a subquery about the row",
    ref(PAID).filter(
        lambda r: exists(
            ref(PAID).filter(lambda e: and_(eq(e[3], r.outer(3)), gt(e[0], r.outer(0))))
        ),
        emit=[0, 1],
    ),
    "id name",
    # cid and eve earn the same.
    [(3, "cid")],
    before=(PAID,),
)
case(
    "reference/in_subqueries_only",
    "",
    DEPT.select(
        lambda d: [
            d[1],
            scalar(
                ref(PAID)
                .filter(lambda e: eq(e[2], d.outer(0)))
                .aggregate(None, lambda _: [count()])
            ),
            exists(ref(PAID).filter(lambda e: eq(e[0], d.outer(2)))),
        ]
    ),
    "name n head_is_paid",
    [("ops", 1, True), ("dev", 1, False), ("law", 0, True)],
    before=(PAID,),
)
case(
    "reference/limited",
    "the two who earn most, twice; the limit is part of what is shared",
    set_("UNION_ALL", ref(TOP), ref(TOP.filter(lambda r: gt(r[3], lit(0, "i64"))), 0)).aggregate(
        None, lambda _: [count()]
    ),
    "n",
    [(4,)],
    before=(TOP,),
)
case(
    "reference/order_kept",
    "a sorted subtree is sorted wherever it is read",
    ref(RIGHT.sort(lambda r: [(r[1], DESC)])).project(lambda r: [r[0]], emit=[0, 1]),
    "k b",
    [(N, 99), (4, 40), (2, 21), (2, 20), (3, N)],
    ordered=True,
    before=(RIGHT.sort(lambda r: [(r[1], DESC)]),),
)
case(
    "reference/order_dropped_column",
    "sorted by a column that the subtree drops; the reader takes the first rows",
    ref(RIGHT.sort(lambda r: [(r[1], DESC)], emit=[0]))
    .fetch(2)
    .join(ref(RIGHT.sort(lambda r: [(r[1], DESC)], emit=[0])), "INNER", lambda r: eq(r[0], r[1])),
    "k k2",
    [(4, 4)],
    before=(RIGHT.sort(lambda r: [(r[1], DESC)], emit=[0]),),
)
case(
    "reference/set_operation",
    "a shared union, filtered by one reader and counted by the other",
    ref(set_("UNION_ALL", T1, T2))
    .filter(lambda r: gt(r[0], lit(2, "i32")))
    .cross(ref(set_("UNION_ALL", T1, T2)).aggregate(None, lambda _: [count()])),
    "x n",
    [(3, 11), (4, 11)],
    before=(set_("UNION_ALL", T1, T2),),
)
case(
    "reference/correlated_above_union",
    "a subquery in SELECT over a shared UNION ALL, which Spark crashes on as it is",
    ref(set_("UNION_ALL", L, L)).project(
        lambda r: [exists(RIGHT.filter(lambda e: eq(e[0], r.outer(0))))], emit=[1, 2]
    ),
    "a found",
    [("a", False), ("b", True), ("c", True), ("d", False), ("e", True)] * 2,
    before=(set_("UNION_ALL", L, L),),
)
case(
    "reference/of_reference",
    "a subtree that is nothing but a reference",
    ref(ref(BY_DEPT), 1).sort(lambda r: [(r[0], ASC)]).fetch(1),
    "dept n total",
    [(10, 2, 400)],
    ordered=True,
    before=(BY_DEPT, ref(BY_DEPT)),
)

LUCKY = EMP.select(lambda r: [r[0], call("arithmetic", "random:", "fp64")])
NAMED = EMP.select(lambda r: [r[0], call("string", "uuid:", "str")])
SOME = EMP.fetch(3)

case(
    "reference/random",
    "a random number is drawn once for all who read it: each row finds itself",
    ref(LUCKY).join(ref(LUCKY), "INNER", lambda r: and_(eq(r[0], r[2]), eq(r[1], r[3])), emit=[0]),
    "id",
    [(1,), (2,), (3,), (4,), (5,), (6,)],
    before=(LUCKY,),
)
case(
    "reference/random_in_subquery",
    "a subquery sees the same names",
    ref(NAMED)
    .filter(
        lambda o: exists(
            ref(NAMED).filter(lambda i: and_(eq(i[0], o.outer(0)), eq(i[1], o.outer(1))))
        )
    )
    .select(lambda r: [r[0]]),
    "id",
    [(1,), (2,), (3,), (4,), (5,), (6,)],
    before=(NAMED,),
)
case(
    "reference/limited_by_luck",
    "whichever rows a limit picks, it picks them once",
    ref(SOME)
    .join(ref(SOME), "LEFT_ANTI", lambda r: eq(r[0], r[4]))
    .aggregate(None, lambda _: [count()]),
    "n",
    [(0,)],
    before=(SOME,),
)
case(
    "reference/limited_by_luck_below",
    "a shared relation over one that is limited: the limit is read once, what reads it twice",
    ref(ref(SOME).filter(lambda r: gt(r[0], lit(0, "i64"))), 1)
    .join(
        ref(ref(SOME).filter(lambda r: gt(r[0], lit(0, "i64"))), 1),
        "INNER",
        lambda r: eq(r[0], r[4]),
    )
    .aggregate(None, lambda _: [count()]),
    "n",
    [(3,)],
    before=(SOME, ref(SOME).filter(lambda r: gt(r[0], lit(0, "i64")))),
)
