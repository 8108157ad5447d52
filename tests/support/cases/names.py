"""Names that mean one thing in a SELECT and another in its ORDER BY or HAVING."""

from tests.support.build import ASC, DESC, add, count, gt, lit
from tests.support.cases import EMP, Result, case

case(
    "names/distinct_renamed_sorted",
    "after DISTINCT only the output's name is left to sort by",
    (
        Result(
            EMP.aggregate(lambda r: [r[2]], lambda _: []).sort(lambda r: [(r[0], DESC)]),
            "d",
            [(40,), (20,), (10,), (None,)],
            ordered=True,
        ),
    ),
)
case(
    "names/having_on_a_shadowed_column",
    "an output named like the column that HAVING is about",
    (
        Result(
            EMP.aggregate(lambda r: [r[2]], lambda _: [count()]).filter(
                lambda r: gt(r[0], lit(10, "i64"))
            ),
            "salary dept",
            [(20, 2), (40, 1)],
        ),
    ),
)
case(
    "names/order_by_a_shadowed_column",
    "an output named like the column that is sorted by",
    (
        Result(
            EMP.select(lambda r: [add(lit(0, "i64"), r[0]), r[3]]).sort(
                lambda r: [(r[1], ASC), (r[0], ASC)]
            ),
            "salary id",
            [(6, 50), (1, 100), (3, 200), (5, 200), (2, 300), (4, None)],
            ordered=True,
        ),
    ),
)
