"""Orders that a comparison function of the plan gives: what it calls less comes first."""

from tests.support.build import ASC, DESC, R, lit, subtract, sum_, virtual
from tests.support.build.physical import RANGE, ROWS, sum_over, top_n
from tests.support.cases import case

# The difference of two numbers is below, at or above zero as the first is below, at or above the second.
DIFFERENCE = "arithmetic/subtract:i64_i64"
# id and value; the lambda that we write has a parameter called v too.
X = virtual("id:i64 v:i64", (1, 30), (2, 10), (3, 20), (4, 10))


def ids(rel: R) -> R:
    return rel.select(lambda r: [r[0]])


case(
    "sort/comparison_function",
    "by the function, then by another key among those that it calls equal",
    ids(X.sort(lambda r: [(r[1], DIFFERENCE), (r[0], DESC)])),
    "id",
    [(4,), (2,), (3,), (1,)],
    ordered=True,
)
case(
    "sort/comparison_function_second",
    "behind another key, and of a computed value",
    ids(
        X.sort(
            lambda r: [
                (subtract(r[1], r[1]), ASC),
                (subtract(lit(0, "i64"), r[1]), DIFFERENCE),
                (r[0], ASC),
            ]
        )
    ),
    "id",
    [(1,), (3,), (2,), (4,)],
    ordered=True,
)
case(
    "sort/comparison_function_limited",
    "the order is still there for a limit, and for a top-N with ties",
    ids(X.sort(lambda r: [(r[1], DIFFERENCE), (r[0], ASC)]).fetch(1, 1)),
    "id",
    [(4,)],
    ordered=True,
)
case(
    "top_n/comparison_function",
    "rows that the function calls equal are ties",
    ids(top_n(X, lambda r: [(r[1], DIFFERENCE)], 1, ties=True)),
    "id",
    [(2,), (4,)],
)
case(
    "window/comparison_function",
    "rows that the function calls equal are peers",
    X.select(
        lambda r: [
            r[0],
            sum_over(r[0], (r[1], DIFFERENCE), lower="unbounded", upper="current", bounds=RANGE),
            sum_over(r[0], (r[1], DIFFERENCE), (r[0], ASC), lower=-1, upper="current", bounds=ROWS),
        ]
    ),
    "id s pair",
    [(2, 6, 2), (4, 6, 6), (3, 9, 7), (1, 10, 4)],
)
case(
    "sort/comparison_function_of_a_measure",
    "groups in the order of their sums",
    X.aggregate(lambda r: [r[1]], lambda r: [sum_(r[0])]).sort(lambda r: [(r[1], DIFFERENCE)]),
    "v s",
    [(30, 1), (20, 3), (10, 6)],
    ordered=True,
)
