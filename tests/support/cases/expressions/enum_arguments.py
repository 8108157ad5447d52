"""Arguments that are words, in measures and windows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import substrait.proto as pb

from tests.support.build import Expr, Measure, aggregate_call, virtual
from tests.support.build.physical import over
from tests.support.cases import case

if TYPE_CHECKING:
    from collections.abc import Sequence

# The mean is 3; the squares of the distances from it are 4, 1, 0, 1, 4.
X = virtual("x:fp64", (1.0,), (2.0,), (3.0,), (4.0,), (5.0,))


def variance(x: Expr, distribution: str) -> Measure:
    made = aggregate_call("arithmetic", "variance:req_fp64", "fp64?", x)
    made.function.arguments.insert(0, pb.FunctionArgument(enum=distribution))
    return made


def variance_over(x: Expr, distribution: str, by: Sequence[Expr] = ()) -> Expr:
    made = over("arithmetic", "variance:req_fp64", "fp64?", x, by=by)
    word = pb.FunctionArgument(enum=distribution)
    made.message.window_function.arguments.insert(0, word)
    return made


case(
    "aggregate/enum_argument",
    "of a sample, of all there is; in whatever case the word is written",
    X.aggregate(None, lambda r: [variance(r[0], "SAMPLE"), variance(r[0], "population")]),
    "sample population",
    [(2.5, 2.0)],
)
case(
    "window/enum_argument",
    "the same over a window",
    X.select(lambda r: [r[0], variance_over(r[0], "POPULATION")]),
    "x v",
    [(1.0, 2.0), (2.0, 2.0), (3.0, 2.0), (4.0, 2.0), (5.0, 2.0)],
)
