"""Aggregate functions."""

from __future__ import annotations

from sqlglot import exp

from substrait_sql.dialect import operators, results
from substrait_sql.dialect.line import Line
from substrait_sql.dialect.model import Call
from substrait_sql.dialect.rules import Result, again, is_null, literal_int, refused
from substrait_sql.schema import types as ty


def whole_average(call: Call, line: Line) -> Result:
    """The average of integers.

    Cut to an integer where the plan declares one or says nothing under Substrait's own name.

    ``sum(x) div count(x)`` is exact. Spark's own ``avg`` is a double, which producers that declare
    a double mean.
    """
    (x,) = call.values
    declared = ty.kind(call.output_type)
    if declared in ("i8", "i16", "i32", "i64") or (
        declared is None and call.function.stem is not None
    ):
        total, count = operators.call("sum", x), operators.call("count", again(x))
        return operators.infix(exp.IntDiv, total, count), ty.i64(nullable=True)
    return operators.call("avg", x), results.resolve("avg", call.types)


def exact_average(call: Call, line: Line) -> Result:
    """An average by name only: ``sum(x) / count(x)`` for decimals, or where the type is unknown.

    The quotient has more digits than ``avg``, which Spark rounds and DataFusion cuts off after four more than ``x`` has.
    """
    (x,) = call.values
    (kind,) = map(ty.kind, call.types)
    if kind not in ("decimal", None):
        return operators.call("avg", x), results.resolve("avg", call.types)
    total, count = operators.call("sum", x), operators.call("count", again(x))
    yields = None
    if kind == "decimal":
        yields = results.resolve("divide", [results.resolve("sum", call.types), ty.i64()])
    return operators.infix(exp.Div, total, count), yields


def decimal_average(call: Call, line: Line) -> Result:
    """``avg(x)``; where the plan declares a double, as DuckDB does, the average of doubles."""
    (x,) = call.values
    if ty.kind(call.output_type) == "fp64":
        return operators.call("avg", operators.cast(x, exp.Var(this="DOUBLE"))), ty.fp64(nullable=True)
    return operators.call("avg", x), results.resolve("avg", call.types)


def lag_lead(call: Call, line: Line) -> Result:
    """``lag`` and ``lead`` with their arguments by position.

    An offset or a default of NULL is one left out.
    """
    values = call.values
    while len(values) > 1 and is_null(values[-1]):
        values.pop()
    if len(values) > 1:
        offset = literal_int(values[1])
        if offset is None:
            raise refused(call, "an offset that is not a literal")
        values[1] = exp.Literal.number(offset)
    return operators.call(line.name, *values), results.resolve("arg0?", call.types)
