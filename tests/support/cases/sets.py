"""Set operations: NULL equals NULL, the first input is the primary one.

t1: 1 1 2 NULL NULL 3        t2: 1 2 2 NULL 4        t3: 1 NULL 5
"""

from tests.support.build import DESC, lit, lt, set_, virtual
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
