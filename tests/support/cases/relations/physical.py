"""Expand and exchange."""

from tests.support.build import ASC, add, count, eq, lit, sum_, virtual
from tests.support.build.physical import exchange, expand
from tests.support.cases import DEPT, EMP, RIGHT, L, case

case(
    "expand/switching",
    "each row once per duplicate, and its number",
    expand(DEPT, lambda r: [[r[0], r[2]], r[1]], emit=[0, 1, 3]),
    "x name copy",
    [
        (10, "ops", 0),
        (2, "ops", 1),
        (20, "dev", 0),
        (None, "dev", 1),
        (30, "law", 0),
        (5, "law", 1),
    ],
)
case(
    "expand/rest_passes",
    "columns beyond the definitions stay as they are",
    expand(DEPT, lambda r: [[r[0], add(r[0], lit(1, "i64"))]]),
    "x name head copy",
    [
        (10, "ops", 2, 0),
        (11, "ops", 2, 1),
        (20, "dev", None, 0),
        (21, "dev", None, 1),
        (30, "law", 5, 0),
        (31, "law", 5, 1),
    ],
)
case(
    "expand/more_definitions",
    "more definitions than the input has columns: they are the output, and nothing is passed on",
    expand(
        virtual("a:i64 b:str?", (1, "x"), (2, None)),
        lambda r: [r[1], [r[0], lit(None, "i64?")], r[0], [r[1], lit("all", "str")], lit(9, "i64")],
    ),
    "b a again part nine copy",
    [
        ("x", 1, 1, "x", 9, 0),
        ("x", None, 1, "all", 9, 1),
        (None, 2, 2, None, 9, 0),
        (None, None, 2, "all", 9, 1),
    ],
)
case(
    "expand/padded",
    "the shorter of two switching fields is NULL where it ends",
    expand(
        virtual("a:i64 b:str", (1, "x")),
        lambda r: [[r[0], lit(None, "i64?"), lit(7, "i64")], [r[1], lit("y", "str")]],
    ),
    "a b copy",
    [(1, "x", 0), (None, "y", 1), (7, None, 2)],
)
case(
    "expand/consistent_only",
    "no switching field: each row once",
    expand(DEPT, lambda r: [add(r[0], lit(1, "i64")), r[1], r[2]]),
    "id name head copy",
    [(11, "ops", 2, 0), (21, "dev", None, 0), (31, "law", 5, 0)],
)
case(
    "expand/rollup",
    "as Spark's own plans say a rollup: expand, then group by the copy as well",
    expand(EMP, lambda r: [r[0], r[1], [r[2], lit(None, "i64?")], r[3]]).aggregate(
        lambda r: [r[2], r[4]], lambda r: [sum_(r[3])]
    ),
    "dept copy total",
    [(10, 0, 400), (20, 0, 200), (None, 0, 200), (40, 0, 50), (None, 1, 850)],
)
case(
    "expand/of_aggregate",
    "over groups",
    expand(
        EMP.aggregate(lambda r: [r[2]], lambda _: [count()]),
        lambda r: [[r[0], r[1]]],
        emit=[0],
    ),
    "x",
    [(10,), (2,), (20,), (2,), (None,), (1,), (40,), (1,)],
)
case(
    "expand/of_nothing",
    "no row, no copy",
    expand(virtual("a:i64"), lambda r: [[r[0], r[0]]]),
    "a copy",
    [],
)

ROWS = [(10, "ops", 2), (20, "dev", None), (30, "law", 5)]
case(
    "exchange/scatter",
    "rows spread by a column",
    exchange(DEPT, "scatter_by_fields", 4, [0]),
    "id name head",
    ROWS,
)
case(
    "exchange/scatter_unread_column",
    "spread by a column that nobody reads",
    exchange(DEPT, "scatter_by_fields", 0, [0, 1]).select(lambda r: [r[1]]),
    "name",
    [("ops",), ("dev",), ("law",)],
)
case(
    "exchange/round_robin",
    "rows spread in turn; they are counted once",
    exchange(DEPT, "round_robin", 3).aggregate(None, lambda _: [count()]),
    "n",
    [(3,)],
)
case(
    "exchange/single_target",
    "a partition is computed for each row",
    exchange(DEPT, "single_target", 2, key=lit(1, "i32")),
    "id name head",
    ROWS,
)
case(
    "exchange/broadcast",
    "every partition sees all rows; to the query they are there once",
    L.join(exchange(RIGHT, "broadcast", 8), "INNER", lambda r: eq(r[0], r[2])),
    "k a k2 b",
    [(2, "b", 2, 20), (2, "b", 2, 21), (2, "c", 2, 20), (2, "c", 2, 21), (3, "e", 3, None)],
)
case(
    "exchange/multi_target",
    "a row for several partitions is one row",
    exchange(DEPT, "multi_target", 4),
    "id name head",
    ROWS,
)
case(
    "exchange/keeps_order",
    "the order of the input stays",
    exchange(DEPT.sort(lambda r: [(r[1], ASC)]), "scatter_by_fields", 2, [0]).select(
        lambda r: [r[1]]
    ),
    "name",
    [("dev",), ("law",), ("ops",)],
    ordered=True,
)
case(
    "exchange/targets_of_no_place",
    "targets that name partitions and no place are advice like the rest",
    exchange(DEPT, "scatter_by_fields", 2, [0], targets=[(0, ""), (1, "")]).select(
        lambda r: [r[0]]
    ),
    "id",
    [(10,), (20,), (30,)],
)
