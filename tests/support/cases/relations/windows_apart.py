"""Windows that Spark's OVER has no words for: DISTINCT, and frames whose offsets change from row to row."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from tests.support.build import ASC, ASC_FIRST, DESC, Expr, R, Row, add, gt, lit, subtract, virtual
from tests.support.build.physical import (
    RANGE,
    ROWS,
    count_over,
    over,
    row_number,
    sum_over,
    window,
)
from tests.support.cases import case

N = None
# id, value, how far the frame reaches.
W = virtual("id:i64 v:i64? n:i64", (1, 1, 0), (2, 1, 1), (3, 2, 2), (4, 5, 1), (5, N, 0))


def column(*values: Any) -> list[tuple[Any, ...]]:
    return list(enumerate(values, 1))


def before(r: Row) -> tuple[str, Expr]:
    return "preceding", r[2]


def behind(r: Row) -> tuple[str, Expr]:
    return "following", r[2]


def by_id(r: Row) -> tuple[Expr, Any]:
    return r[0], ASC


def rows_before(name: str, x: Expr, r: Row, out: str = "i64?") -> Expr:
    """The function over as many rows before the current one as it says, and itself."""
    frame = {"lower": before(r), "upper": "current", "bounds": ROWS}
    return over("arithmetic", name, out, x, order=[by_id(r)], **frame)


def by_value(direction: Any, lower: Any, upper: Any) -> R:
    """The sum of ids over a frame by the distance of values."""
    return W.select(
        lambda r: [
            r[0],
            sum_over(
                r[0],
                (r[1], direction),
                lower=lower(r) if callable(lower) else lower,
                upper=upper(r) if callable(upper) else upper,
                bounds=RANGE,
            ),
        ]
    )


case(
    "window/moving_rows",
    "each row says how many rows before it are in its frame",
    W.select(
        lambda r: [
            r[0],
            rows_before("sum:i64", r[1], r),
            rows_before("avg:i64", r[1], r),
            rows_before("min:i64", r[1], r),
            rows_before("max:i64", r[1], r),
            count_over(r[1], by_id(r), lower=before(r), upper="current", bounds=ROWS),
        ]
    ),
    "id s a lo hi n",
    [
        (1, 1, 1, 1, 1, 1),
        (2, 2, 1, 1, 1, 2),
        (3, 4, 1, 1, 2, 3),
        (4, 7, 3, 2, 5, 2),
        (5, N, N, N, N, 0),
    ],
)
case(
    "window/moving_rows_picked",
    "the first, the last and the second value of such a frame; a NULL counts",
    W.select(
        lambda r: [
            r[0],
            over(
                "arithmetic",
                "first_value:any",
                "i64?",
                r[1],
                order=[by_id(r)],
                lower=before(r),
                upper=1,
                bounds=ROWS,
            ),
            over(
                "arithmetic",
                "last_value:any",
                "i64?",
                r[1],
                order=[by_id(r)],
                lower=before(r),
                upper=1,
                bounds=ROWS,
            ),
            over(
                "arithmetic",
                "nth_value:any_i32",
                "i64?",
                r[1],
                lit(2, "i32"),
                order=[by_id(r)],
                lower=before(r),
                upper=1,
                bounds=ROWS,
            ),
        ]
    ),
    "id f l s",
    [(1, 1, 1, 1), (2, 1, 2, 1), (3, 1, 5, 1), (4, 2, N, 5), (5, N, N, N)],
)
case(
    "window/moving_rows_empty",
    "a frame that ends before it begins: a count of 0, a sum of NULL",
    W.select(
        lambda r: [
            r[0],
            sum_over(r[1], by_id(r), lower=behind(r), upper=1, bounds=ROWS),
            count_over(r[0], by_id(r), lower=behind(r), upper=1, bounds=ROWS),
            over(
                "aggregate_generic",
                "count:",
                "i64",
                order=[by_id(r)],
                lower=behind(r),
                upper=1,
                bounds=ROWS,
            ),
        ]
    ),
    "id s n rows",
    [(1, 2, 2, 2), (2, 2, 1, 1), (3, N, 0, 0), (4, N, 1, 1), (5, N, 1, 1)],
)
case(
    "window/moving_rows_unbounded",
    "from the first row of the partition",
    W.select(
        lambda r: [
            r[0],
            sum_over(r[1], by_id(r), lower="unbounded", upper=behind(r), bounds=ROWS),
        ]
    ),
    "id s",
    column(1, 4, 9, 9, 9),
)
case(
    "window/moving_rows_partitions",
    "within partitions, and by an offset that is computed",
    W.select(
        lambda r: [
            r[0],
            sum_over(
                r[0],
                (r[0], DESC),
                by=[r[2]],
                lower=("preceding", add(r[2], lit(1, "i64"))),
                upper="current",
                bounds=ROWS,
            ),
        ]
    ),
    "id s",
    # n = 0: 5, 1; n = 1: 4, 2; n = 2: 3.
    column(6, 6, 3, 4, 5),
)
case(
    "window/moving_range",
    "values at most so much less; around a NULL its peers",
    by_value(ASC, before, "current"),
    "id s",
    column(3, 3, 6, 4, 5),
)
case(
    "window/moving_range_to_the_end",
    "to the end of the partition, where the NULLs are",
    by_value(ASC, before, "unbounded"),
    "id s",
    column(15, 15, 15, 9, 5),
)
case(
    "window/moving_range_from_the_start",
    "from the start of the partition: around a NULL everything",
    by_value(ASC, "unbounded", behind),
    "id s",
    column(3, 6, 6, 10, 15),
)
case(
    "window/moving_range_nulls_first",
    "from the start, where the NULLs are",
    by_value(ASC_FIRST, "unbounded", behind),
    "id s",
    column(8, 11, 11, 15, 5),
)
case(
    "window/moving_range_descending",
    "preceding values are the larger ones",
    by_value(DESC, before, "current"),
    "id s",
    column(3, 6, 3, 4, 5),
)
case(
    "window/moving_in_filter",
    "such a window in a filter, and in a sort above it",
    W.filter(lambda r: gt(rows_before("sum:i64", r[1], r), lit(1, "i64")))
    .sort(lambda r: [(rows_before("count:any", r[0], r, "i64"), DESC), (r[0], DESC)])
    .select(lambda r: [r[0]]),
    "id",
    # Left are 2, 3 and 4, whose frames have 1, 3 and 2 rows then: 2 has no row before it any more, 3 only one.
    [(4,), (3,), (2,)],
    ordered=True,
)
case(
    "window/moving_relation",
    "in a window relation, beside a frame that does not move",
    window(
        W,
        lambda r: [
            (
                "arithmetic",
                "sum:i64",
                "i64?",
                (r[0],),
                {"lower": before(r), "upper": "current", "bounds": ROWS},
            ),
            ("arithmetic", "sum:i64", "i64?", (r[0],), {}),
        ],
        lambda _: [],
        lambda r: [by_id(r)],
        emit=[0, 3, 4],
    ),
    "id s total",
    [(1, 1, 15), (2, 3, 15), (3, 6, 15), (4, 7, 15), (5, 5, 15)],
)
case(
    "window/moving_distinct",
    "each value once, of a frame that moves",
    W.select(
        lambda r: [
            r[0],
            sum_over(r[1], by_id(r), lower=before(r), upper="current", bounds=ROWS, distinct=True),
        ]
    ),
    "id s",
    column(1, 1, 3, 7, N),
)


def distinct(file: str, name: str, out: str, x: Expr, **more: Any) -> Expr:
    return over(file, name, out, x, distinct=True, **more)


case(
    "window/distinct_sum",
    "each value once: of the whole partition, and so far",
    W.select(
        lambda r: [
            r[0],
            distinct("arithmetic", "sum:i64", "i64?", r[1]),
            distinct("arithmetic", "avg:i64", "i64?", r[1]),
            distinct(
                "arithmetic",
                "sum:i64",
                "i64?",
                r[1],
                order=[by_id(r)],
                lower="unbounded",
                upper="current",
                bounds=ROWS,
            ),
        ]
    ),
    "id s a running",
    [(1, 8, 2, 1), (2, 8, 2, 1), (3, 8, 2, 3), (4, 8, 2, 8), (5, 8, 2, 8)],
)
case(
    "window/distinct_of_nothing",
    "a partition of NULLs: no sum, a sum of 0, a count of 0",
    virtual("k:i64 v:i32?", (1, 4), (1, 4), (2, N)).select(
        lambda r: [
            r[0],
            distinct("arithmetic", "sum:i32", "i64?", r[1], by=[r[0]]),
            distinct("arithmetic", "sum0:i32", "i64", r[1], by=[r[0]]),
            distinct("arithmetic", "avg:i32", "i32?", r[1], by=[r[0]]),
            distinct("aggregate_generic", "count:any", "i64", r[1], by=[r[0]]),
            distinct("arithmetic", "max:i32", "i32?", r[1], by=[r[0]]),
        ]
    ),
    "k s z a n m",
    [(1, 4, 4, 4, 1, 4), (1, 4, 4, 4, 1, 4), (2, N, 0, N, 0, N)],
)
case(
    "window/distinct_decimals",
    "a sum has all its digits; an average those of its type",
    virtual("d:dec<5,2>?", (Decimal("1.50"),), (Decimal("1.50"),), (Decimal("2.25"),), (N,)).select(
        lambda r: [
            distinct("arithmetic_decimal", "sum:dec", "dec<38,2>?", r[0]),
            distinct("arithmetic_decimal", "avg:dec", "dec<38,2>?", r[0]),
        ]
    ),
    "s a",
    [(Decimal("3.75"), Decimal("1.88"))] * 4,
)
case(
    "window/distinct_floats",
    "0 and -0 are one value",
    virtual("x:fp64?", (0.5,), (0.5,), (0.0,), (-0.0,), (N,)).select(
        lambda r: [
            distinct("arithmetic", "sum:fp64", "fp64?", r[0]),
            distinct("arithmetic", "avg:fp64", "fp64?", r[0]),
            distinct("aggregate_generic", "count:any", "i64", r[0]),
        ]
    ),
    "s a n",
    [(0.5, 0.25, 2)] * 5,
)
case(
    "window/distinct_products",
    "a product is of the type of what it multiplies",
    virtual(
        "a:i8? b:i16? x:fp32? y:fp64?", (5, 300, 0.5, 0.5), (5, 2, 4.0, 4.0), (-3, N, 4.0, N)
    ).select(
        lambda r: [
            distinct("arithmetic", f"product:{t}", t, r[i])
            for i, t in enumerate(("i8", "i16", "fp32", "fp64"))
        ]
    ),
    "a b x y",
    [(-15, 600, 2.0, 2.0)] * 3,
)

RUNNING = {"lower": "unbounded", "upper": "current", "bounds": ROWS}

case(
    "window/nested_in_filter",
    "a window over a window, in a filter: the inner one is there first",
    W.filter(
        lambda r: gt(sum_over(row_number((r[0], DESC)), by_id(r), **RUNNING), lit(11, "i64"))
    ).select(lambda r: [r[0]]),
    "id",
    # 5, 4, 3, 2, 1 make 5, 9, 12, 14, 15.
    [(3,), (4,), (5,)],
)
case(
    "window/nested_in_sort",
    "and in a sort",
    W.sort(lambda r: [(sum_over(row_number((r[0], DESC)), by_id(r), **RUNNING), DESC)]).select(
        lambda r: [r[0]]
    ),
    "id",
    [(5,), (4,), (3,), (2,), (1,)],
    ordered=True,
)
case(
    "window/moving_offset_of_a_window",
    "the offset is a window function itself: all rows so far",
    W.select(
        lambda r: [
            r[0],
            sum_over(
                r[1],
                by_id(r),
                lower=("preceding", subtract(row_number(by_id(r)), lit(1, "i64"))),
                upper="current",
                bounds=ROWS,
            ),
        ]
    ),
    "id s",
    column(1, 2, 4, 9, 9),
)
case(
    "window/moving_in_partitions_of_a_window",
    "so are the partitions: 1 and 2 have a value in common, the others none",
    W.select(
        lambda r: [
            r[0],
            sum_over(
                r[0],
                by_id(r),
                by=[count_over(r[0], by=[r[1]])],
                lower="unbounded",
                upper=behind(r),
                bounds=ROWS,
            ),
        ]
    ),
    "id s",
    column(1, 3, 12, 12, 12),
)
