"""Recursive queries: an extension relation of ours, that SQL's WITH RECURSIVE becomes."""

from tests.support.build import add, lit, lt, virtual
from tests.support.build.recursion import last_round, recursion
from tests.support.cases import case

START = virtual("n:i64", (1,))

case(
    "recursion/counting",
    "one to four: each round adds one to those below four",
    recursion(
        START,
        last_round("n:i64?")
        .filter(lambda r: lt(r[0], lit(4, "i64")))
        .select(lambda r: [add(r[0], lit(1, "i64"))]),
    ),
    "n",
    [(1,), (2,), (3,), (4,)],
    # JSON has the keys of an extension value in any order.
    binary=True,
)
