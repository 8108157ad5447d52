"""Plans of several roots: each is a result of its own."""

from tests.support.build import ASC, count
from tests.support.cases import DEPT, EMP, Result, case

case(
    "roots/two",
    "two results, in the order of the plan",
    (
        Result(DEPT.select(lambda r: [r[1]]), "name", [("ops",), ("dev",), ("law",)]),
        Result(EMP.aggregate(None, lambda _: [count()]), "n", [(6,)]),
    ),
)
case(
    "roots/three_ordered",
    "each with its own order",
    (
        Result(
            DEPT.sort(lambda r: [(r[1], ASC)]).select(lambda r: [r[1]]),
            "name",
            [("dev",), ("law",), ("ops",)],
            ordered=True,
        ),
        Result(DEPT.aggregate(None, lambda _: [count()]), "n", [(3,)]),
        Result(
            DEPT.sort(lambda r: [(r[0], ASC)]).fetch(1),
            "id name head",
            [(10, "ops", 2)],
            ordered=True,
        ),
    ),
)
