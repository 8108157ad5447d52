"""Set operations: NULL equals NULL, the first input is the primary one.

t1: 1 1 2 NULL NULL 3        t2: 1 2 2 NULL 4        t3: 1 NULL 5
"""

from tests.support.build import (
    ASC,
    DESC,
    R,
    and_,
    coalesce,
    count,
    eq,
    gt,
    is_same,
    lit,
    lt,
    not_,
    set_,
    virtual,
)
from tests.support.cases import T1, T2, T3, case


def xs(*values: int | None) -> list[tuple[int | None]]:
    return [(v,) for v in values]


N = None

for _name, _about, _op, _inputs, _rows in [
    ("union_all", "", "UNION_ALL", (T1, T2), xs(1, 1, 2, N, N, 3, 1, 2, 2, N, 4)),
    ("union_all_3", "", "UNION_ALL", (T3, T3, T3), xs(1, N, 5, 1, N, 5, 1, N, 5)),
    ("union_distinct", "", "UNION_DISTINCT", (T1, T2), xs(1, 2, 3, 4, N)),
    ("union_distinct_3", "", "UNION_DISTINCT", (T1, T2, T3), xs(1, 2, 3, 4, 5, N)),
    ("minus_primary", "distinct rows of the first", "MINUS_PRIMARY", (T1, T3), xs(2, 3)),
    ("minus_primary_3", "in no other input", "MINUS_PRIMARY", (T1, T2, T3), xs(3)),
    ("minus_primary_dedups", "", "MINUS_PRIMARY", (T2, T3), xs(2, 4)),
    ("minus_primary_all", "copies minus copies", "MINUS_PRIMARY_ALL", (T1, T2), xs(1, N, 3)),
    ("minus_primary_all_3", "", "MINUS_PRIMARY_ALL", (T1, T2, T3), xs(3)),
    (
        "minus_multiset",
        "present in the other: all copies go, other copies stay",
        "MINUS_MULTISET",
        (T2, T3),
        xs(2, 2, 4),
    ),
    (
        "minus_multiset_3",
        "only what is in all the others goes",
        "MINUS_MULTISET",
        (T1, T2, T3),
        xs(2, 3),
    ),
    ("intersection_primary", "", "INTERSECTION_PRIMARY", (T1, T2), xs(1, 2, N)),
    (
        "intersection_primary_3",
        "in any other input",
        "INTERSECTION_PRIMARY",
        (T2, T3, T1),
        xs(1, 2, N),
    ),
    ("intersection_multiset", "", "INTERSECTION_MULTISET", (T1, T2), xs(1, 2, N)),
    ("intersection_multiset_3", "in every input", "INTERSECTION_MULTISET", (T1, T2, T3), xs(1, N)),
    (
        "intersection_multiset_all",
        "the least number of copies",
        "INTERSECTION_MULTISET_ALL",
        (T1, T2),
        xs(1, 2, N),
    ),
    (
        "intersection_multiset_all_copies",
        "",
        "INTERSECTION_MULTISET_ALL",
        (T1, T1),
        xs(1, 1, 2, N, N, 3),
    ),
    ("intersection_multiset_all_3", "", "INTERSECTION_MULTISET_ALL", (T1, T1, T2), xs(1, 2, N)),
]:
    case(f"set/{_name}", _about, set_(_op, *_inputs), "x", _rows)

case(
    "set/union_of_intersection",
    "INTERSECT binds tighter than UNION in SQL; the plan's tree decides",
    set_("UNION_DISTINCT", T3, set_("INTERSECTION_MULTISET", T1, T2)),
    "x",
    xs(1, N, 5, 2),
)
case(
    "set/intersection_of_union",
    "here it needs parentheses",
    set_("INTERSECTION_MULTISET", set_("UNION_DISTINCT", T1, T3), T2),
    "x",
    xs(1, 2, N),
)
case(
    "set/minus_of_minus",
    "a - (b - c)",
    set_("MINUS_PRIMARY", T1, set_("MINUS_PRIMARY", T2, T3)),
    "x",
    xs(1, N, 3),
)
case(
    "set/minus_left_nested",
    "(a - b) - c",
    set_("MINUS_PRIMARY", set_("MINUS_PRIMARY", T1, T3), T2),
    "x",
    xs(3),
)
case(
    "set/all_of_distinct",
    "union all above union distinct keeps the copies",
    set_("UNION_ALL", set_("UNION_DISTINCT", T1, T2), T3),
    "x",
    xs(1, 2, 3, 4, N, 1, N, 5),
)
case(
    "set/distinct_of_all",
    "union distinct above union all removes them",
    set_("UNION_DISTINCT", set_("UNION_ALL", T1, T2), T3),
    "x",
    xs(1, 2, 3, 4, N, 5),
)
case(
    "set/rows_with_null",
    "whole rows are compared, NULL fields equal",
    set_(
        "INTERSECTION_MULTISET",
        virtual("a:i32? b:str?", (1, None), (None, None), (2, "x")),
        virtual("a:i32? b:str?", (1, None), (None, None), (2, None)),
    ),
    "a b",
    [(1, None), (None, None)],
)
case(
    "set/filter_above",
    "a filter above a union",
    set_("UNION_ALL", T1, T2).filter(lambda r: lt(r[0], lit(2, "i32"))),
    "x",
    xs(1, 1, 1),
)
case(
    "set/sorted_and_limited_input",
    "order and limit inside an input",
    set_("UNION_ALL", T2.sort(lambda r: [(r[0], DESC)]).fetch(1), T3),
    "x",
    xs(4, 1, N, 5),
)
case(
    "set/empty_input",
    "",
    set_("MINUS_PRIMARY", T3, virtual("x:i32?")),
    "x",
    xs(1, N, 5),
)

# --- more inputs, other places --------------------------------------------------------------------

case(
    "set/union_distinct_4",
    "",
    set_("UNION_DISTINCT", T1, T2, T3, virtual("x:i32?", (7,))),
    "x",
    xs(1, 2, 3, 4, 5, 7, N),
)
case("set/minus_primary_4", "", set_("MINUS_PRIMARY", T1, T3, T3, T2), "x", xs(3))
case(
    "set/minus_primary_all_4",
    "one copy goes for each",
    set_("MINUS_PRIMARY_ALL", T1, T3, T3, T3),
    "x",
    xs(2, 3),
)
case(
    "set/minus_multiset_4",
    "1 and NULL are in all three",
    set_("MINUS_MULTISET", T1, T2, T3, T1),
    "x",
    xs(2, 3),
)
case(
    "set/intersection_primary_4",
    "",
    set_("INTERSECTION_PRIMARY", T2, T3, virtual("x:i32?", (4,)), virtual("x:i32?", (9,))),
    "x",
    xs(1, 4, N),
)
case(
    "set/intersection_multiset_4", "", set_("INTERSECTION_MULTISET", T1, T2, T3, T1), "x", xs(1, N)
)
case(
    "set/intersection_multiset_all_4",
    "",
    set_("INTERSECTION_MULTISET_ALL", T1, T1, T1, T2),
    "x",
    xs(1, 2, N),
)
case(
    "set/minus_multiset_of_union",
    "a union is the primary input",
    set_("MINUS_MULTISET", set_("UNION_ALL", T1, T3), T2),
    "x",
    xs(3, 5),
)
case(
    "set/minus_multiset_limited",
    "4 and 2 go, in all copies",
    set_("MINUS_MULTISET", T1, T2.sort(lambda r: [(r[0], DESC)]).fetch(2)),
    "x",
    xs(1, 1, N, N, 3),
)
case(
    "set/minus_multiset_same_table",
    "nothing is left",
    set_("MINUS_MULTISET", T1, T1),
    "x",
    [],
)
case(
    "set/minus_multiset_filtered",
    "filters on both sides, and above",
    set_(
        "MINUS_MULTISET",
        T1.filter(lambda r: lt(r[0], lit(3, "i32"))),
        T2.filter(lambda r: lt(r[0], lit(2, "i32"))),
    ).filter(lambda r: lt(r[0], lit(9, "i32"))),
    "x",
    xs(2),
)

PAIRS = virtual("a:i32 b:str", (1, "x"), (2, "x"), (1, "x"))
case(
    "set/distinct_emit",
    "the emit comes after the duplicates are gone",
    set_("UNION_DISTINCT", PAIRS, virtual("a:i32 b:str", (2, "y")), emit=[1]),
    "b",
    [("x",), ("x",), ("y",)],
)
case(
    "set/emit_repeats",
    "",
    set_("INTERSECTION_MULTISET_ALL", PAIRS, PAIRS, emit=[1, 0, 0]),
    "b a a2",
    [("x", 1, 1), ("x", 1, 1), ("x", 2, 2)],
)
for _op, _count in [
    ("UNION_ALL", 9),
    ("UNION_DISTINCT", 1),
    ("MINUS_PRIMARY", 0),
    ("MINUS_PRIMARY_ALL", 3),
    ("MINUS_MULTISET", 0),
    ("INTERSECTION_PRIMARY", 1),
    ("INTERSECTION_MULTISET", 1),
    ("INTERSECTION_MULTISET_ALL", 3),
]:
    case(
        f"set/no_columns_{_op.lower()}",
        "rows without columns are all equal: 6 of them and 3",
        set_(
            _op,
            T1.project(lambda r: [r[0]], emit=[]),
            T3.project(lambda r: [r[0]], emit=[]),
        ).aggregate(None, lambda _: [count()]),
        "n",
        [(_count,)],
    )
case(
    "set/limits_inside_and_above",
    "each input has its own limit, and so has the result",
    set_(
        "UNION_DISTINCT",
        T1.sort(lambda r: [(r[0], DESC)]).fetch(2),
        T2.sort(lambda r: [(r[0], DESC)]).fetch(2),
    )
    .sort(lambda r: [(r[0], DESC)])
    .fetch(2, 1),
    "x",
    xs(3, 2),
    ordered=True,
)


def distinct(rel: R) -> R:
    return rel.aggregate(lambda r: list(r)[: len(rel.types)])


def matched(left: R, right: R, kind: str, *pairs: tuple[int, int]) -> R:
    """A join on these columns, NULLs included."""
    width = len(left.types)
    return left.join(
        right,
        kind,
        lambda r: (
            and_(*(is_same(r[i], r[width + j]) for i, j in pairs))
            if len(pairs) > 1
            else is_same(r[pairs[0][0]], r[width + pairs[0][1]])
        ),
    )


P1 = virtual("a:i32? b:i32?", (1, 1), (1, 1), (1, 2), (N, N), (N, N), (N, 1))
P2 = virtual("b:i32? a:i32?", (1, 1), (2, 1), (2, 1), (N, N), (3, N))
D1, D2, DP = distinct(T1), distinct(T2), distinct(P1)

case(
    "set/matched_in_full",
    "distinct rows that are in another query, by all columns: an intersection",
    matched(D1, T2, "LEFT_SEMI", (0, 0)),
    "x",
    xs(1, 2, N),
)
case(
    "set/matched_in_none",
    "those in neither of two others: a difference of both",
    matched(matched(D1, T3, "LEFT_ANTI", (0, 0)), D2, "LEFT_ANTI", (0, 0)),
    "x",
    xs(3),
)
case(
    "set/matched_in_one_only",
    "those in one and not in the other: the intersection stands by itself",
    matched(matched(D1, T2, "LEFT_SEMI", (0, 0)), T3, "LEFT_ANTI", (0, 0)),
    "x",
    xs(2),
)
case(
    "set/matched_by_columns_in_another_order",
    "the columns of the other query are in the order of the first",
    matched(
        DP,
        P2.filter(lambda r: not_(gt(coalesce(r[0], lit(0, "i32")), lit(2, "i32")))),
        "LEFT_SEMI",
        (0, 1),
        (1, 0),
    ),
    "a b",
    [(1, 1), (1, 2), (N, N)],
)
case(
    "set/matched_twice_over",
    "rows of which there are several stay as many",
    matched(T1, T2, "LEFT_SEMI", (0, 0)),
    "x",
    xs(1, 1, 2, N, N),
)
case(
    "set/matched_without_nulls",
    "NULL equals NULL in a set operation, and matches none here",
    D1.join(T2, "LEFT_SEMI", lambda r: eq(r[0], r[1])),
    "x",
    xs(1, 2),
)
case(
    "set/matched_in_part",
    "one of two columns does not say that the row is there",
    matched(DP, P2, "LEFT_SEMI", (0, 1)),
    "a b",
    [(1, 1), (1, 2), (N, N), (N, 1)],
)
case(
    "set/matched_crosswise",
    "each column with the other one of the same query, and a condition more",
    DP.join(
        P1,
        "LEFT_ANTI",
        lambda r: and_(is_same(r[0], r[3]), is_same(r[1], r[2]), gt(r[3], lit(0, "i32"))),
    ),
    "a b",
    [(1, 2), (N, N), (N, 1)],
)
ALL_ROWS = set_("UNION_ALL", T1, T2)
case("set/distinct_union", "a union", distinct(ALL_ROWS), "x", xs(1, 2, 3, 4, N))
case(
    "set/distinct_twice",
    "once is enough",
    distinct(matched(D1, T2, "LEFT_SEMI", (0, 0))),
    "x",
    xs(1, 2, N),
)
case(
    "set/distinct_part_of_a_union",
    "rows that differ in another column only are one",
    set_("UNION_ALL", P1, P1).aggregate(lambda r: [r[0]]),
    "a",
    xs(1, N),
)
case(
    "set/distinct_few_of_a_union",
    "distinct among the first rows, not the first of the distinct ones",
    distinct(ALL_ROWS.sort(lambda r: [(r[0], ASC)]).fetch(4)),
    "x",
    xs(1, 2),
)
case(
    "set/distinct_copies_of_an_intersection",
    "INTERSECT ALL has copies",
    distinct(set_("INTERSECTION_MULTISET_ALL", T1, T2)),
    "x",
    xs(1, 2, N),
)
case(
    "set/distinct_union_counted",
    "what comes after it sees the distinct rows",
    distinct(ALL_ROWS)
    .filter(lambda r: not_(eq(r[0], lit(2, "i32"))))
    .aggregate(None, lambda _: [count()]),
    "n",
    [(3,)],
)
case(
    "set/picked_minus_in_an_intersection",
    "a projection that only picks columns is the operation below it, which stays together",
    set_("INTERSECTION_PRIMARY", set_("MINUS_PRIMARY", T1, T3).select(lambda r: [r[0]]), T2),
    "x",
    xs(2),
)
case(
    "set/picked_union_all_in_a_minus",
    "the same of an input behind the first",
    set_("MINUS_PRIMARY", T1, set_("UNION_ALL", T3, T2).select(lambda r: [r[0]])),
    "x",
    xs(3),
)
