"""Windows: which rows a function sees, wherever the call stands."""

from tests.support.build import (
    ASC,
    ASC_FIRST,
    DESC,
    R,
    add,
    count,
    eq,
    exists,
    gt,
    lit,
    lte,
    sum_,
    virtual,
)
from tests.support.build.physical import RANGE, ROWS, count_over, over, row_number, sum_over, window
from tests.support.cases import DEPT, EMP, RIGHT, L, case

# id, value: two rows of value 1, one of NULL.
V = virtual("id:i64 v:i64?", (1, 1), (2, 1), (3, 2), (4, 5), (5, None))


def by_value(direction: int = ASC, lower: object = None, upper: object = None, **more: object) -> R:
    """The ids, and the sum of ids over a frame in the order of the values."""
    return V.select(
        lambda r: [r[0], sum_over(r[0], (r[1], direction), lower=lower, upper=upper, **more)]
    )


def sums(*values: int | None) -> list[tuple[int, int | None]]:
    return list(enumerate(values, 1))


case(
    "window/whole_partition",
    "no bounds: the whole partition, ordered or not",
    V.select(lambda r: [r[0], sum_over(r[0]), sum_over(r[0], (r[1], ASC))]),
    "id a b",
    [(i, 15, 15) for i in range(1, 6)],
)
case(
    "window/running_range",
    "RANGE to the current row: with its peers",
    by_value(lower="unbounded", upper="current", bounds=RANGE),
    "id s",
    sums(3, 3, 6, 10, 15),
)
case(
    "window/running_rows",
    "ROWS to the current row",
    V.select(
        lambda r: [
            r[0],
            sum_over(
                r[0], (r[1], ASC), (r[0], ASC), lower="unbounded", upper="current", bounds=ROWS
            ),
        ]
    ),
    "id s",
    sums(1, 3, 6, 10, 15),
)
case(
    "window/rows_between",
    "one row before to one row after",
    V.select(lambda r: [r[0], sum_over(r[0], (r[0], ASC), lower=-1, upper=1, bounds=ROWS)]),
    "id s",
    sums(3, 6, 9, 12, 9),
)
case(
    "window/rows_unset_upper",
    "an unset bound is the end of the partition",
    V.select(lambda r: [r[0], sum_over(r[0], (r[0], ASC), lower=1, bounds=ROWS)]),
    "id s",
    sums(14, 12, 9, 5, None),
)
case(
    "window/range_between",
    "values at most 1 less and 3 more; around a NULL its peers",
    by_value(lower=-1, upper=3, bounds=RANGE),
    "id s",
    sums(6, 6, 10, 4, 5),
)
case(
    "window/range_descending",
    "preceding values are the larger ones",
    by_value(DESC, lower=-1, upper="current", bounds=RANGE),
    "id s",
    sums(6, 6, 3, 4, 5),
)
case(
    "window/range_peers",
    "the current row's peers",
    by_value(lower="current", upper="current", bounds=RANGE),
    "id s",
    sums(3, 3, 3, 4, 5),
)
case(
    "window/range_without_order",
    "without order all rows are peers",
    V.select(lambda r: [r[0], sum_over(r[0], lower="unbounded", upper="current", bounds=RANGE)]),
    "id s",
    sums(15, 15, 15, 15, 15),
)
case(
    "window/empty_rows_frame",
    "a frame that ends before it begins: a count of 0, a sum of NULL",
    V.select(
        lambda r: [
            r[0],
            count_over(r[0], (r[0], ASC), lower=2, upper=1, bounds=ROWS),
            sum_over(r[0], (r[0], ASC), lower=2, upper=1, bounds=ROWS),
            over(
                "arithmetic",
                "first_value:any",
                "i64?",
                r[0],
                order=[(r[0], ASC)],
                lower=2,
                upper=1,
                bounds=ROWS,
            ),
        ]
    ),
    "id n s f",
    [(i, 0, None, None) for i in range(1, 6)],
)
case(
    "window/empty_range_frame",
    "the same by value; the frame of a NULL is its peers all the same",
    V.select(
        lambda r: [
            r[0],
            count_over(r[0], (r[1], ASC), lower=-1, upper=-2, bounds=RANGE),
            sum_over(r[0], (r[1], ASC), lower=-1, upper=-2, bounds=RANGE),
            over(
                "arithmetic",
                "last_value:any",
                "i64?",
                r[0],
                order=[(r[1], ASC)],
                lower=-1,
                upper=-2,
                bounds=RANGE,
            ),
        ]
    ),
    "id n s l",
    [
        (1, 0, None, None),
        (2, 0, None, None),
        (3, 0, None, None),
        (4, 0, None, None),
        (5, 1, 5, 5),
    ],
)
case(
    "window/empty_range_frame_without_nulls",
    "the same where Spark knows that no key is NULL",
    V.filter(lambda r: gt(r[1], lit(1, "i64"))).select(
        lambda r: [
            r[0],
            count_over(r[0], (r[1], ASC), lower=-1, upper=-2, bounds=RANGE),
            count_over(r[0], (r[1], ASC), lower=-1, upper=-2, bounds=RANGE, distinct=True),
        ]
    ),
    "id n d",
    [(3, 0, 0), (4, 0, 0)],
)
case(
    "window/partitions",
    "NULL keys are one partition",
    EMP.select(
        lambda r: [
            r[0],
            row_number((r[3], ASC_FIRST), by=[r[2]]),
            sum_over(r[3], by=[r[2]]),
            count_over(r[3], by=[r[2]]),
        ]
    ),
    "id rn total n",
    [(1, 1, 400, 2), (2, 2, 400, 2), (3, 2, 200, 1), (4, 1, 200, 1), (5, 1, 200, 1), (6, 1, 50, 1)],
)
case(
    "window/distinct_count",
    "distinct values in the whole partition; NULL is none",
    V.select(lambda r: [r[0], count_over(r[1], distinct=True)]),
    "id n",
    [(i, 3) for i in range(1, 6)],
)
case(
    "window/distinct_count_running",
    "distinct values so far",
    V.select(
        lambda r: [
            r[0],
            count_over(
                r[1], (r[0], ASC), lower="unbounded", upper="current", bounds=ROWS, distinct=True
            ),
        ]
    ),
    "id n",
    sums(1, 1, 2, 3, 3),
)
case(
    "window/rank_without_order",
    "without order all rows are peers: every rank is 1",
    DEPT.select(lambda r: [r[0], over("arithmetic", "rank:", "i64?")]),
    "id rank",
    [(10, 1), (20, 1), (30, 1)],
)
case(
    "window/in_filter",
    "a filter by a window function, next to another condition: the function sees the rows before the filter",
    EMP.filter(lambda r: lte(row_number((r[3], DESC)), lit(3, "i64")))
    .filter(lambda r: gt(r[3], lit(200, "i64")))
    .select(lambda r: [r[0], r[3]]),
    "id salary",
    [(2, 300)],
)
case(
    "window/in_filter_above_aggregate",
    "a window over groups, in a filter",
    EMP.aggregate(lambda r: [r[2]], lambda r: [sum_(r[3])]).filter(
        lambda r: eq(row_number((r[1], DESC)), lit(1, "i64"))
    ),
    "dept total",
    [(10, 400)],
)
case(
    "window/in_sort",
    "sorted by a window function",
    EMP.sort(lambda r: [(count_over(r[0], by=[r[2]]), ASC), (r[0], DESC)]).select(lambda r: [r[0]]),
    "id",
    [(6,), (5,), (4,), (3,), (2,), (1,)],
    ordered=True,
)
case(
    "window/in_measure",
    "a window function inside an aggregate, and one as its key",
    EMP.aggregate(
        lambda r: [count_over(r[0], by=[r[2]])], lambda r: [sum_(row_number((r[0], ASC))), count()]
    ),
    "size numbers n",
    [(2, 10, 4), (1, 11, 2)],
)
case(
    "window/nested",
    "a window function over a window function, inside arithmetic",
    V.select(
        lambda r: [
            r[0],
            add(
                sum_over(
                    row_number((r[0], DESC)),
                    (r[0], ASC),
                    lower="unbounded",
                    upper="current",
                    bounds=ROWS,
                ),
                lit(100, "i64"),
            ),
        ]
    ),
    "id s",
    sums(105, 109, 112, 114, 115),
)
case(
    "window/over_window_column",
    "a window function over the column of another",
    EMP.project(lambda r: [sum_over(r[3], by=[r[2]])]).select(
        lambda r: [r[0], r[4], over("arithmetic", "dense_rank:", "i64?", order=[(r[4], DESC)])]
    ),
    "id total place",
    [(1, 400, 1), (2, 400, 1), (3, 200, 2), (4, 200, 2), (5, 200, 2), (6, 50, 3)],
)
case(
    "window/over_limit",
    "a window sees what a limit has left",
    EMP.sort(lambda r: [(r[0], ASC)]).fetch(3).select(lambda r: [r[0], count_over(r[0])]),
    "id n",
    [(1, 3), (2, 3), (3, 3)],
    ordered=True,
)
case(
    "window/over_aggregate",
    "a share of the total",
    EMP.aggregate(lambda r: [r[2]], lambda r: [sum_(r[3])]).project(lambda r: [sum_over(r[1])]),
    "dept total all",
    [(10, 400, 850), (20, 200, 850), (None, 200, 850), (40, 50, 850)],
)
case(
    "window/filter_above",
    "a filter above a projection with a window",
    EMP.project(lambda r: [row_number((r[3], DESC), by=[r[2]])])
    .filter(lambda r: eq(r[4], lit(1, "i64")))
    .select(lambda r: [r[2], r[1]]),
    "dept name",
    [(10, "bob"), (20, "cid"), (None, "eve"), (40, None)],
)
case(
    "window/relation",
    "functions over one window, each with a frame of its own",
    window(
        EMP,
        lambda r: [
            ("arithmetic", "row_number:", "i64?", (), {}),
            ("arithmetic", "sum:i64", "i64?", (r[3],), {}),
            (
                "arithmetic",
                "sum:i64",
                "i64?",
                (r[3],),
                {"lower": "unbounded", "upper": "current", "bounds": ROWS},
            ),
        ],
        lambda r: [r[2]],
        lambda r: [(r[0], ASC)],
        emit=[0, 4, 5, 6],
    ),
    "id rn total running",
    [
        (1, 1, 400, 100),
        (2, 2, 400, 400),
        (3, 1, 200, 200),
        (4, 2, 200, 200),
        (5, 1, 200, 200),
        (6, 1, 50, 50),
    ],
)
case(
    "window/relation_keeps_order",
    "the order of the input stays",
    window(
        EMP.sort(lambda r: [(r[0], DESC)]),
        lambda _: [("arithmetic", "rank:", "i64?", (), {})],
        lambda _: [],
        lambda r: [(r[3], DESC)],
    ).select(lambda r: [r[0], r[4]]),
    "id rank",
    [(6, 5), (5, 2), (4, 6), (3, 2), (2, 1), (1, 4)],
    ordered=True,
)
case(
    "window/in_exists",
    "a window inside a subquery",
    DEPT.filter(
        lambda d: exists(
            EMP.filter(lambda r: eq(row_number((r[3], DESC), by=[r[2]]), lit(2, "i64"))).filter(
                lambda r: eq(r[2], d.outer(0))
            )
        )
    ).select(lambda r: [r[0]]),
    "id",
    [(10,), (20,)],
)
case(
    "window/in_join_condition",
    "a window over all pairs of rows, in the condition of an inner join",
    L.join(
        RIGHT,
        "INNER",
        lambda r: lte(row_number((r[1], ASC), (r[3], ASC)), lit(2, "i64")),
    ),
    "k a k2 b",
    [(1, "a", 2, 20), (1, "a", 2, 21)],
)
