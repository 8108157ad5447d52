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
    gte,
    in_,
    is_not_null,
    is_null,
    lit,
    lt,
    or_,
    reference,
    scalar,
    set_,
    sum_,
    unique,
    upper,
    virtual,
)
from tests.support.build.physical import RANGE, grouping_sets, row_number, sum_over
from tests.support.cases import DEPT, EMP, RIGHT, T1, T2, L, case

N = None
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

case(
    "found/subquery_above_the_first_rows",
    "Spark moves the subquery below the LIMIT and then drops the ORDER BY: it would keep 1 and 2",
    L.sort(lambda r: [(r[0], DESC), (r[1], ASC)])
    .fetch(2)
    .select(
        lambda r: [
            r[0],
            scalar(
                RIGHT.filter(lambda x: eq(x[0], r.outer(0))).aggregate(None, lambda _: [count()])
            ),
        ]
    ),
    "k n",
    [(3, 1), (2, 2)],
)
case(
    "found/single_join_above_the_first_rows",
    "2 has two matches, but only the first row is looked up: 1, which has none",
    L.sort(lambda r: [(r[0], ASC), (r[1], ASC)])
    .fetch(1)
    .join(RIGHT, "LEFT_SINGLE", lambda r: eq(r[0], r[2])),
    "k a k2 b",
    [(1, "a", N, N)],
)
case(
    "found/limit_below_part_of_the_outer_columns",
    "the two best paid of a department and of none, who are not before its head: bob and eve of 10, eve of 30; "
    "Spark counts a LIMIT by the outer columns below it, and loses rows where others are used above",
    DEPT.select(
        lambda d: [
            d[0],
            scalar(
                EMP.filter(lambda e: or_(is_null(e[2]), eq(e[2], d.outer(0))))
                .sort(lambda e: [(e[3], DESC), (e[0], ASC)])
                .fetch(2)
                .filter(lambda e: gte(e[0], d.outer(2)))
                .aggregate(None, lambda _: [count()])
            ),
        ]
    ),
    "id n",
    [(10, 2), (20, 0), (30, 1)],
)
case(
    "found/subquery_above_a_deeper_union",
    "the join is with no rows, so that Spark takes it away, and then fails over the subquery above UNION ALL",
    set_("UNION_ALL", L, L)
    .join(virtual("k:i64?"), "LEFT", lambda r: eq(r[0], r[2]))
    .select(lambda r: [r[0], exists(RIGHT.filter(lambda x: eq(x[0], r.outer(0))))]),
    "k there",
    [(1, False), (2, True), (2, True), (N, False), (3, True)] * 2,
)
FROM_TWO = L.filter(lambda r: gte(r[0], lit(2, "i64")))
case(
    "found/shared_query_by_sets",
    "each of the two equal sets reads the shared query once more: 2 twice, 3 once",
    grouping_sets(reference(0, FROM_TWO), lambda r: [r[0]], [[0], [0]], lambda _: [count()]),
    "k n set",
    [(2, 2, 0), (3, 1, 0), (2, 2, 1), (3, 1, 1)],
    before=(FROM_TWO,),
)
case(
    "found/sorted_by_a_window_that_is_dropped",
    "e, d, c, …: the keys of the first two; Spark takes a window function in ORDER BY only if it is returned",
    L.project(lambda r: [row_number((r[1], DESC))])
    .sort(lambda r: [(r[2], ASC)])
    .fetch(2)
    .select(lambda r: [r[0]]),
    "k",
    [(3,), (N,)],
    ordered=True,
)
case(
    "found/except_all_of_a_mark",
    "one copy of (2, TRUE) and that of (NULL, NULL) go; no match is NULL, as the other side has a NULL",
    set_(
        "MINUS_PRIMARY_ALL",
        L.join(RIGHT, "LEFT_MARK", lambda r: eq(r[0], r[2]), emit=[0, 2]),
        virtual("k:i64? m:bool?", (2, True), (N, N), (5, True)),
    ),
    "k m",
    [(1, N), (2, True), (3, True)],
)
case(
    "found/grouped_by_an_outer_column",
    "one group where there are people, of two each; none, and so NULL, for 30",
    DEPT.select(
        lambda d: [
            d[0],
            scalar(
                EMP.filter(lambda e: eq(e[2], d.outer(0)))
                .aggregate(lambda _: [d.outer(2)], lambda _: [count()])
                .select(lambda r: [r[1]])
            ),
        ]
    ),
    "id n",
    [(10, 2), (20, 2), (30, N)],
)
case(
    "found/measure_compared_with_an_outer_column",
    "2 people and head 2; 2 and no head; 0 and head 5: only the last are fewer than the number of their head",
    DEPT.filter(
        lambda d: exists(
            EMP.filter(lambda e: eq(e[2], d.outer(0)))
            .aggregate(None, lambda _: [count()])
            .filter(lambda r: lt(r[0], d.outer(2)))
        ),
        emit=[0],
    ),
    "id",
    [(30,)],
)
case(
    "found/needle_from_the_query_around",
    "2 is in (2, 2, 3, NULL, 4); of NULL and of 5 that is not known, for each of the six",
    DEPT.select(
        lambda d: [
            d[0],
            scalar(
                EMP.filter(
                    lambda _: is_null(in_(RIGHT.select(lambda x: [x[0]]), d.outer(2)))
                ).aggregate(None, lambda _: [count()])
            ),
        ]
    ),
    "id n",
    [(10, 0), (20, 6), (30, 6)],
)
case(
    "found/window_over_a_measure_around_null",
    "the frame ends before it begins, but for the NULL, whose peers are in it: itself",
    L.aggregate(lambda r: [r[0]], lambda _: [count()]).project(
        lambda r: [sum_over(r[1], (r[0], ASC), lower=1, upper=-1, bounds=RANGE)]
    ),
    "k n s",
    [(1, 1, N), (2, 2, N), (3, 1, N), (N, 1, 1)],
)
case(
    "found/unique_outer_column",
    "six times 2 and six times 5 are not unique; rows with a NULL equal none",
    DEPT.filter(lambda d: unique(EMP.select(lambda _: [d.outer(2)])), emit=[0]),
    "id",
    [(20,)],
)
WORDS = virtual("s:str?", ("x",), ("X",), ("y",), (N,))
case(
    "found/condition_and_order_of_a_computed_key",
    "both are about a key that is not returned: behind the HAVING Spark does not find its columns",
    WORDS.aggregate(lambda r: [upper(r[0])], lambda _: [count()])
    .filter(lambda r: is_not_null(r[0]))
    .sort(lambda r: [(r[0], DESC)])
    .fetch(2)
    .select(lambda r: [r[1]]),
    "n",
    [(1,), (2,)],
    ordered=True,
)
case(
    "found/union_with_a_sorted_rest",
    "a branch is in parentheses also if what it is sorted by makes another query of it",
    set_(
        "UNION_ALL",
        DEPT.select(lambda r: [r[0]]),
        DEPT.sort(lambda r: [(scalar(EMP.aggregate(None, lambda _: [count()])), ASC), (r[0], ASC)])
        .fetch(None, 1)
        .select(lambda r: [r[0]]),
    ).sort(lambda r: [(r[0], ASC)]),
    "id",
    [(10,), (20,), (20,), (30,), (30,)],
    ordered=True,
)
