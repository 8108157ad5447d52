"""Outer references that name the relation by its anchor, on the host of the subquery or on its input."""

from tests.support.build import R, count, gt, scalar, virtual
from tests.support.cases import case

T2 = virtual("k:i64 v:i64", (1, 30), (2, 10), (3, 20))
ANCHOR = 7


def larger(rows: R) -> R:
    """How many rows of a value larger than the one of the row with the anchor."""
    return rows.filter(lambda r: gt(r[1], T2.row.by_anchor(1, ANCHOR))).aggregate(
        None, lambda _: [count()]
    )


case(
    "reference/anchor_on_the_host",
    "the row that the host's expressions see, before its emit",
    T2.project(lambda _: [scalar(larger(T2))], emit=[2, 0]).anchored(ANCHOR),
    "n k",
    [(0, 1), (2, 2), (1, 3)],
)
case(
    "reference/anchor_on_the_input",
    "the output of the host's input",
    T2.anchored(ANCHOR).project(lambda _: [scalar(larger(T2))], emit=[2, 0]),
    "n k",
    [(0, 1), (2, 2), (1, 3)],
)
case(
    "reference/anchor_in_filter",
    "in a condition, over an input with an emit of its own",
    virtual("v:i64 k:i64", (30, -1), (10, 2), (20, 0), emit=[1, 0])
    .anchored(ANCHOR)
    .filter(lambda r: gt(scalar(larger(T2)), r[0])),
    "k v",
    [(-1, 30), (0, 20)],
)
