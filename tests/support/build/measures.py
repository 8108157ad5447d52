"""Measures of aggregations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import substrait.proto as pb

from tests.support.build.base import URN, Expr, anchor
from tests.support.plan_types import (
    nullable,
    short_name,
    type_of,
)

if TYPE_CHECKING:
    pass


@dataclass(frozen=True)
class Measure:
    """An aggregate call, its result type, and the condition of its FILTER clause."""

    function: pb.AggregateFunction
    type: pb.Type
    filter: pb.Expression | None = None

    def where(self, condition: Expr) -> Measure:
        return Measure(self.function, self.type, condition.message)


def aggregate_call(
    file: str, name: str, out: str | pb.Type, *args: Expr, distinct: bool = False, **options: str
) -> Measure:
    t = type_of(out) if isinstance(out, str) else out
    kind = "DISTINCT" if distinct else "ALL"
    function = pb.AggregateFunction(
        function_reference=anchor(URN + file, name),
        arguments=[pb.FunctionArgument(value=a.message) for a in args],
        options=[pb.FunctionOption(name=k, preference=[v]) for k, v in options.items()],
        output_type=t,
        phase=pb.AGGREGATION_PHASE_INITIAL_TO_RESULT,
        invocation=pb.AggregateFunction.AggregationInvocation.Value(
            "AGGREGATION_INVOCATION_" + kind
        ),
    )
    return Measure(function, t)


def count(*args: Expr, distinct: bool = False) -> Measure:
    name = "count:any" if args else "count:"
    return aggregate_call("aggregate_generic", name, "i64", *args, distinct=distinct)


def sum_(a: Expr, distinct: bool = False) -> Measure:
    """Sum: integers give i64?, floats fp64?, decimals keep their scale with 38 digits."""
    kind = short_name(a.type)
    if kind == "dec":
        out = f"dec<38,{a.type.decimal.scale}>?"
        return aggregate_call("arithmetic_decimal", "sum:dec", out, a, distinct=distinct)
    out = "fp64?" if kind.startswith("fp") else "i64?"
    return aggregate_call("arithmetic", "sum:" + kind, out, a, distinct=distinct)


def extreme(name: str, a: Expr) -> Measure:
    """``min`` or ``max``."""
    kind = short_name(a.type)
    file = {"dec": "arithmetic_decimal", "date": "datetime", "str": "string"}.get(
        kind, "arithmetic"
    )
    return aggregate_call(file, f"{name}:{kind}", nullable(a.type), a)
