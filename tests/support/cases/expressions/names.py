"""Names that mean one thing in a SELECT and another in its ORDER BY or HAVING."""

from tests.support.build import (
    ASC,
    DESC,
    R,
    add,
    count,
    eq,
    extreme,
    gt,
    lit,
    scalar,
    set_,
    sum_,
)
from tests.support.build.physical import grouping_sets
from tests.support.cases import DEPT, EMP, Result, Rows, case

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


def shared_name(name: str, about: str, relation: R, columns: str, rows: Rows) -> None:
    """Add a sorted plan whose root calls two columns by one name, for output only."""
    case(f"names/shared_{name}", about, (Result(relation, columns, rows, ordered=True),))


shared_name(
    "distinct",
    "after DISTINCT neither of the columns can be called by its output name",
    EMP.aggregate(lambda r: [r[2], r[3]], lambda _: []).sort(lambda r: [(r[0], ASC), (r[1], DESC)]),
    "n N",
    [(10, 300), (10, 100), (20, 200), (20, None), (40, 50), (None, 200)],
)
shared_name(
    "union_limit",
    "a union, sorted and cut",
    set_("UNION_ALL", EMP.select(lambda r: [r[0], r[2]]), EMP.select(lambda r: [r[2], r[0]]))
    .sort(lambda r: [(r[1], DESC), (r[0], ASC)])
    .fetch(3, 1),
    "x X",
    [(3, 20), (4, 20), (1, 10)],
)
shared_name(
    "grouping_sets",
    "grouping sets in two SELECTs, under the name of a key",
    grouping_sets(EMP, lambda r: [r[2]], [[0], []], lambda r: [sum_(r[3])]).sort(
        lambda r: [(r[1], ASC), (r[0], ASC)]
    ),
    "dept DEPT g",
    [(40, 50, 0), (20, 200, 0), (None, 200, 0), (10, 400, 0), (None, 850, 1)],
)
shared_name(
    "subquery",
    "a column that no second subquery is to be written for",
    EMP.select(
        lambda r: [
            r[0],
            scalar(
                DEPT.filter(lambda d: eq(d[0], r.outer(2))).aggregate(
                    None, lambda d: [extreme("max", d[2])]
                )
            ),
        ]
    ).sort(lambda r: [(r[1], ASC), (r[0], DESC)]),
    "id ID",
    [(2, 2), (1, 2), (6, None), (5, None), (4, None), (3, None)],
)
