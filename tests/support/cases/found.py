"""What plans drawn at random have found (`python -m tests.oracle.run`), made small; rows by hand."""

from __future__ import annotations

from tests.support.build import (
    ASC,
    DESC,
    R,
    add,
    count,
    eq,
    exists,
    lit,
    scalar,
    set_,
    sum_,
)
from tests.support.cases import DEPT, EMP, T1, T2, L, case

case(
    "found/scalar_sorted_by_its_result",
    "the sort key of a subquery is a column that the subquery computes, whose name nobody else reads",
    DEPT.select(
        lambda r: [
            r[0],
            scalar(EMP.select(lambda e: [add(e[3], e[3])]).sort(lambda e: [(e[0], DESC)]).fetch(1)),
        ]
    ),
    "id most",
    [(10, 600), (20, 600), (30, 600)],
)


def one_row(relation: R) -> R:
    """All rows as one group, of which nothing is kept but that it is there."""
    return relation.aggregate(None, lambda _: [count()]).select(lambda _: [lit("one", "str")])


case(
    "found/group_of_all_rows_without_measures",
    "one row, whatever is done with the measures: SELECT 'one' FROM l alone would return five",
    one_row(L),
    "word",
    [("one",)],
)
case(
    "found/group_of_no_rows_without_measures",
    "one row for an empty input, too",
    one_row(L.filter(lambda r: eq(r[0], lit(99, "i64")))),
    "word",
    [("one",)],
)
case(
    "found/count_of_group_of_all_rows",
    "the group is counted, and not its five rows",
    L.aggregate(None, lambda _: [count()]).aggregate(None, lambda _: [count()]),
    "groups",
    [(1,)],
)
case(
    "found/exists_group_of_no_rows",
    "an aggregation without keys returns a row, so it exists",
    DEPT.filter(
        lambda _: exists(
            L.filter(lambda r: eq(r[0], lit(99, "i64"))).aggregate(None, lambda _: [count()])
        ),
        emit=[0],
    ),
    "id",
    [(10,), (20,), (30,)],
)
case(
    "found/sorted_by_a_measure_that_is_dropped",
    "one row needs no order, and Spark knows the measure in SELECT only",
    L.aggregate(None, lambda _: [count()])
    .sort(lambda r: [(r[0], DESC)])
    .select(lambda _: [lit("one", "str")])
    .fetch(3),
    "word",
    [("one",)],
)
case(
    "found/minus_all_of_a_column_twice",
    "Spark's EXCEPT ALL fails if an input returns a column twice under one name",
    set_(
        "MINUS_PRIMARY_ALL",
        T1.project(lambda r: [r[0]], emit=[0, 0]),
        T2.project(lambda r: [r[0]], emit=[0, 0]),
    ),
    "x y",
    [(1, 1), (None, None), (3, 3)],
)
case(
    "found/top_of_union_by_a_column_not_kept",
    "the key of the inner ORDER BY is returned by the UNION ALL although nobody reads it",
    set_("UNION_ALL", L, L)
    .sort(lambda r: [(r[1], DESC), (r[0], ASC)])
    .fetch(3)
    .select(lambda r: [r[0]]),
    "k",
    [(3,), (3,), (None,)],
    ordered=True,
)
case(
    "found/outer_reference_in_a_measure",
    "the sum over 100, 300, 200, 200 and 50, each with the head's number added; NULL without a head",
    DEPT.select(
        lambda d: [
            d[0],
            scalar(EMP.aggregate(None, lambda e: [sum_(add(e[3], d.outer(2)))])),
        ]
    ),
    "id total",
    [(10, 860), (20, None), (30, 875)],
)
case(
    "found/sorted_by_a_measure_behind_having",
    "behind a HAVING Spark does not find a measure that is in ORDER BY only",
    L.aggregate(lambda r: [r[0]], lambda _: [count()])
    .filter(lambda r: eq(r[0], r[0]))
    .sort(lambda r: [(r[1], DESC), (r[0], ASC)])
    .select(lambda r: [r[0]]),
    "k",
    [(2,), (1,), (3,)],
    ordered=True,
)
