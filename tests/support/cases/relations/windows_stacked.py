"""Windows over windows: one SELECT where none sees another, and nothing between them decides about rows."""

from typing import Any

from tests.support.build import (
    ASC,
    DESC,
    R,
    Row,
    add,
    call,
    count,
    eq,
    extreme,
    gt,
    lit,
    lt,
    multiply,
    ne,
    scalar,
    subtract,
    sum_,
    virtual,
)
from tests.support.build.physical import (
    ROWS,
    count_over,
    exchange,
    grouping_sets,
    over,
    row_number,
    sum_over,
    top_n,
    window,
)
from tests.support.cases import case

# Of a there are 30, of b 75.
S = virtual(
    "k:str id:i64 v:i64", ("a", 1, 10), ("a", 2, 20), ("b", 3, 30), ("b", 4, 40), ("b", 5, 5)
)


def windowed(rel: R, call: tuple[Any, ...], by: Any = None, order: Any = None) -> R:
    """A window relation of one function, as DataFusion writes them one above the other."""
    return window(rel, lambda _: [call], by or (lambda _: []), order or (lambda _: []))


def total(rel: R = S) -> R:
    """The sum of v of each k, as a fourth column."""
    return windowed(rel, ("arithmetic", "sum:i64", "i64?", (rel.row[2],), {}), lambda r: [r[0]])


def places(rel: R, order: Any) -> R:
    return windowed(rel, ("arithmetic", "row_number:", "i64?", (), {}), None, order)


case(
    "window/stacked",
    "three windows one above the other, of which none sees another: one SELECT",
    places(total(), lambda r: [(r[2], DESC)]).project(lambda r: [count_over(r[1])]),
    "k id v total place n",
    [
        ("a", 1, 10, 30, 4, 5),
        ("a", 2, 20, 30, 3, 5),
        ("b", 3, 30, 75, 2, 5),
        ("b", 4, 40, 75, 1, 5),
        ("b", 5, 5, 75, 5, 5),
    ],
)
case(
    "window/stacked_sorted_by_a_window",
    "the second window is sorted by what the first one gives",
    places(total(), lambda r: [(r[3], DESC), (r[1], ASC)]).select(lambda r: [r[1], r[4]]),
    "id place",
    [(3, 1), (4, 2), (5, 3), (1, 4), (2, 5)],
)
case(
    "window/stacked_partitioned_by_a_window",
    "or partitioned by it",
    total().project(lambda r: [sum_over(r[1], by=[r[3]])]).select(lambda r: [r[1], r[4]]),
    "id s",
    [(1, 3), (2, 3), (3, 12), (4, 12), (5, 12)],
)
case(
    "window/stacked_argument",
    "or computes with it, beside a third one that does not",
    places(total(), lambda r: [(r[1], ASC)]).select(
        lambda r: [r[4], sum_over(r[3], (r[1], ASC), lower=-1, upper="current", bounds=ROWS)]
    ),
    "place s",
    [(1, 30), (2, 60), (3, 105), (4, 150), (5, 150)],
)
case(
    "window/stacked_filter_between",
    "the filter lets four rows through: the first window has seen five, the second sees four",
    total()
    .filter(lambda r: gt(r[2], lit(5, "i64")))
    .select(lambda r: [r[1], r[3], count_over(r[1])]),
    "id total n",
    [(1, 30, 4), (2, 30, 4), (3, 75, 4), (4, 75, 4)],
)
case(
    "window/stacked_fetch_between",
    "likewise a fetch",
    total()
    .sort(lambda r: [(r[2], DESC)])
    .fetch(3)
    .select(lambda r: [r[1], r[3], count_over(r[1])]),
    "id total n",
    [(4, 75, 3), (3, 75, 3), (2, 30, 3)],
)
case(
    "window/stacked_distinct_between",
    "likewise a grouping",
    total()
    .aggregate(lambda r: [r[3]])
    .project(lambda r: [row_number((r[0], ASC)), count_over(r[0])]),
    "total place n",
    [(30, 1, 2), (75, 2, 2)],
)
case(
    "window/stacked_sort_between",
    "a sort by a window, which the window relation above it keeps",
    places(total().sort(lambda r: [(r[3], DESC), (r[1], DESC)]), lambda r: [(r[2], ASC)]).select(
        lambda r: [r[1], r[4]]
    ),
    "id place",
    [(5, 1), (4, 5), (3, 4), (2, 3), (1, 2)],
    ordered=True,
)
case(
    "window/stacked_exchange_between",
    "an exchange is no more than a hint, but it has a SELECT of its own",
    places(exchange(total(), "scatter_by_fields", 2, [0]), lambda r: [(r[2], ASC)]).select(
        lambda r: [r[1], r[3], r[4]]
    ),
    "id total place",
    [(1, 30, 2), (2, 30, 3), (3, 75, 4), (4, 75, 5), (5, 75, 1)],
)
case(
    "window/stacked_over_groups",
    "windows over the measures of groups, sorted by one that is not returned (Spark knows none beside a window)",
    places(
        S.aggregate(lambda r: [r[0]], lambda r: [sum_(r[2]), extreme("max", r[1]), count()]).filter(
            lambda r: gt(r[3], lit(1, "i64"))
        ),
        lambda r: [(r[1], DESC)],
    )
    .project(lambda r: [sum_over(r[1])])
    .sort(lambda r: [(r[2], DESC)])
    .select(lambda r: [r[0], subtract(r[1], r[5]), r[4]]),
    "k d place",
    [("b", -30, 1), ("a", -75, 2)],
    ordered=True,
)
case(
    "window/stacked_over_groups_without_having",
    "the same without a condition on the groups",
    S.aggregate(lambda r: [r[0]], lambda r: [sum_(r[2]), extreme("max", r[1])])
    .project(lambda r: [sum_over(r[1])])
    .sort(lambda r: [(r[2], DESC)])
    .select(lambda r: [r[0], r[3]]),
    "k total",
    [("b", 105), ("a", 105)],
    ordered=True,
)

case(
    "window/over_grouping_sets",
    "a place among all groups, and the sum of the keys: Spark computes the one beside grouping sets, the other above",
    places(
        grouping_sets(S, lambda r: [r[0], r[1]], [[0], [0, 1]], lambda r: [sum_(r[2])]).filter(
            lambda r: ne(r[2], lit(30, "i64"))
        ),
        lambda r: [(r[2], DESC)],
    )
    .project(lambda r: [sum_over(r[1]), sum_over(r[2])])
    .select(lambda r: [r[0], r[1], r[4], r[5], r[6]]),
    "k id place ids total",
    [
        ("b", None, 1, 12, 150),
        ("b", 4, 2, 12, 150),
        ("a", 2, 3, 12, 150),
        ("a", 1, 4, 12, 150),
        ("b", 5, 5, 12, 150),
    ],
)


def running(r: Row) -> dict[str, Any]:
    return {"lower": ("preceding", r[1]), "upper": "current", "bounds": ROWS}


case(
    "window/stacked_moving",
    "a frame whose offsets change, above a window: its columns stand beside that",
    total().project(lambda r: [sum_over(r[2], (r[1], ASC), **running(r))], emit=[1, 3, 4]),
    "id total s",
    [(1, 30, 10), (2, 30, 30), (3, 75, 60), (4, 75, 100), (5, 75, 105)],
)
case(
    "window/computed_with",
    "what a window gives is used once: it stays where it is used",
    places(total(), lambda r: [(r[1], ASC)]).select(
        lambda r: [r[1], subtract(r[2], r[3]), multiply(r[4], r[1])]
    ),
    "id d m",
    [(1, -20, 1), (2, -10, 4), (3, -45, 9), (4, -35, 16), (5, -70, 25)],
)
case(
    "window/computed_with_twice",
    "used twice, it is a column first: an OVER clause stands once in the text",
    total().select(lambda r: [r[1], multiply(r[3], r[3]), r[3]]),
    "id square total",
    [(1, 900, 30), (2, 900, 30), (3, 5625, 75), (4, 5625, 75), (5, 5625, 75)],
)
case(
    "window/returned_twice",
    "likewise where it is returned twice",
    total().sort(lambda r: [(r[1], ASC)], emit=[1, 3, 3]),
    "id total again",
    [(1, 30, 30), (2, 30, 30), (3, 75, 75), (4, 75, 75), (5, 75, 75)],
    ordered=True,
)
case(
    "window/computed_with_and_sorted_by",
    "the sort needs the window by itself",
    total()
    .sort(lambda r: [(r[3], DESC), (r[1], ASC)])
    .select(lambda r: [r[1], add(r[3], lit(1, "i64"))]),
    "id s",
    [(3, 76), (4, 76), (5, 76), (1, 31), (2, 31)],
    ordered=True,
)
case(
    "window/top_with_ties",
    "ranks beside a window: both are over all rows",
    top_n(total(), lambda r: [(r[0], ASC)], 1, ties=True).select(lambda r: [r[1], r[3]]),
    "id total",
    [(1, 30), (2, 30)],
)
case(
    "window/fetch_sorted_by_a_window",
    "rows that are numbered in the order of a window",
    total()
    .sort(lambda r: [(r[3], DESC), (r[1], ASC)])
    .fetch(scalar(virtual("n:i64", (2,)).aggregate(measures=lambda r: [sum_(r[0])])))
    .select(lambda r: [r[1], r[3]]),
    "id total",
    [(3, 75), (4, 75)],
)
case(
    "found/filtered_after_a_sort_by_a_window",
    "sorted by sums over all rows, which are not returned: b has 75, not the 5 that the filter leaves of it",
    total()
    .sort(lambda r: [(r[3], ASC), (r[1], ASC)], emit=[1, 2])
    .filter(lambda r: lt(r[1], lit(25, "i64")))
    .fetch(2),
    "id v",
    [(1, 10), (2, 20)],
    ordered=True,
)
case(
    "window/over_random_numbers",
    "a random number is drawn once for the two windows that are sorted by it",
    S.project(lambda _: [call("arithmetic", "random:", "fp64")])
    .project(lambda r: [row_number((r[3], ASC))])
    .project(lambda r: [over("arithmetic", "rank:", "i64?", order=[(r[3], ASC)])])
    .select(lambda r: [r[1], eq(r[4], r[5])]),
    "id same",
    [(i, True) for i in range(1, 6)],
)
case(
    "found/window_whose_order_says_nothing",
    "one group of all rows, and so one row: count(1) OVER () alone would not say that there is a group",
    S.aggregate(None, lambda r: [sum_(r[2])]).select(
        lambda r: [count_over(lit(1, "i64"), (r[0], ASC))]
    ),
    "n",
    [(1,)],
)
case(
    "found/window_over_an_empty_frame_of_a_group",
    "likewise a count of no rows, which is a literal",
    S.aggregate(None, lambda r: [sum_(r[2])]).select(
        lambda r: [count_over(r[0], (r[0], ASC), lower=2, upper=1, bounds=ROWS)]
    ),
    "n",
    [(0,)],
)
