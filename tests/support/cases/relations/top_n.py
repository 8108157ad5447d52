"""Top-N, with and without ties; counts and offsets that are not plain numbers."""

from tests.support.build import (
    ASC,
    ASC_FIRST,
    DESC,
    R,
    add,
    count,
    extreme,
    lit,
    multiply,
    scalar,
    subtract,
    virtual,
)
from tests.support.build.physical import top_n
from tests.support.cases import EMP, case

# 300, 200, 200, 100, 50, NULL by salary, descending: ids 2, 3, 5, 1, 6, 4.
BY_SALARY = DESC


def top(n: object, offset: object = None, ties: bool = False) -> R:
    made = top_n(EMP, lambda r: [(r[3], DESC)], n, offset, ties)  # type: ignore[arg-type]
    return made.select(lambda r: [r[3]])


def salaries(*values: int | None) -> list[tuple[int | None]]:
    return [(v,) for v in values]


case("top_n/rows_only", "no ties", top(2), "salary", salaries(300, 200), ordered=True)
case("top_n/offset", "", top(2, 1), "salary", salaries(200, 200), ordered=True)
case(
    "top_n/null_count",
    "a count of NULL is all rows",
    top(lit(None, "i64?"), 4),
    "salary",
    salaries(50, None),
    ordered=True,
)
case(
    "top_n/with_ties",
    "rows equal to the last one stay",
    top(2, ties=True),
    "salary",
    salaries(300, 200, 200),
    ordered=True,
)
case(
    "top_n/with_ties_offset",
    "the offset counts rows: of two equal ones the second stays",
    top(1, 2, ties=True),
    "salary",
    salaries(200),
    ordered=True,
)
case(
    "top_n/with_ties_offset_into_ties",
    "skipping the first, the next has a twin",
    top(1, 1, ties=True),
    "salary",
    salaries(200, 200),
    ordered=True,
)
case("top_n/with_ties_zero", "no row has no ties", top(0, 1, ties=True), "salary", [])
case(
    "top_n/with_ties_nulls",
    "NULLs are ties of one another",
    top_n(EMP.select(lambda r: [r[2]]), lambda r: [(r[0], ASC_FIRST)], 1, ties=True),
    "dept",
    [(None,)],
)
case(
    "top_n/with_ties_two_keys",
    "tied in all keys, not in the first alone",
    top_n(EMP, lambda r: [(r[3], DESC), (r[0], ASC)], 2, ties=True).select(lambda r: [r[0]]),
    "id",
    [(2,), (3,)],
    ordered=True,
)
case(
    "top_n/of_aggregate",
    "the largest groups",
    top_n(
        EMP.aggregate(lambda r: [r[2]], lambda _: [count()]),
        lambda r: [(r[1], DESC)],
        1,
        ties=True,
    ),
    "dept n",
    [(10, 2), (20, 2)],
)

BY_ID = EMP.sort(lambda r: [(r[0], ASC)])


def ids(rel: R, *values: int) -> tuple[R, str, list[tuple[int]]]:
    return rel.select(lambda r: [r[0]]), "id", [(v,) for v in values]


case(
    "fetch/computed",
    "count and offset out of literals",
    *ids(
        BY_ID.fetch(multiply(lit(1, "i64"), lit(2, "i64")), add(lit(1, "i64"), lit(2, "i64"))),
        4,
        5,
    ),
    ordered=True,
)
case(
    "fetch/beyond_an_int",
    "more rows than Spark's LIMIT can count",
    *ids(BY_ID.fetch(2**40, 4), 5, 6),
    ordered=True,
)
case(
    "fetch/offset_beyond_an_int",
    "no table has so many rows",
    *ids(BY_ID.fetch(None, 2**40)),
    ordered=True,
)
case(
    "fetch/largest",
    "offset and count together are no i64",
    *ids(BY_ID.fetch(2**63 - 1, 5), 6),
    ordered=True,
)
case(
    "fetch/subquery",
    "a count that a subquery finds",
    *ids(
        BY_ID.fetch(
            scalar(EMP.aggregate(None, lambda r: [extreme("min", r[0])])),
            scalar(EMP.aggregate(None, lambda r: [count(r[3])])),
        ),
        6,
    ),
    ordered=True,
)
case(
    "fetch/subquery_null",
    "a count that turns out NULL is all rows, an offset none",
    *ids(
        BY_ID.fetch(
            scalar(virtual("x:i64?").aggregate(None, lambda r: [extreme("max", r[0])])),
            scalar(virtual("x:i64?").aggregate(None, lambda r: [extreme("max", r[0])])),
        ),
        1,
        2,
        3,
        4,
        5,
        6,
    ),
    ordered=True,
)

N_ROWS = scalar(EMP.aggregate(None, lambda r: [extreme("min", r[0])]))
NOTHING = scalar(virtual("x:i64?").aggregate(None, lambda r: [extreme("max", r[0])]))

case(
    "fetch/subquery_count",
    "a count that a subquery finds, behind an offset that the plan knows",
    *ids(BY_ID.fetch(N_ROWS, 2), 3),
    ordered=True,
)
case(
    "fetch/subquery_offset",
    "an offset that a subquery finds, and a count that the plan knows",
    *ids(BY_ID.fetch(2, N_ROWS), 2, 3),
    ordered=True,
)
case(
    "top_n/with_ties_subquery",
    "the one row after the first, found by subqueries, and its tie",
    top(N_ROWS, N_ROWS, ties=True),
    "salary",
    [(200,), (200,)],
    ordered=True,
)
case(
    "top_n/with_ties_subquery_null",
    "a count that turns out NULL is all rows",
    top(NOTHING, 4, ties=True),
    "salary",
    [(50,), (None,)],
    ordered=True,
)
case(
    "top_n/with_ties_subquery_zero",
    "a count that turns out 0 is no row, not even a tie of the last one skipped",
    top(subtract(N_ROWS, N_ROWS), 2, ties=True),
    "salary",
    [],
)
