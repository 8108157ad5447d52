"""Aggregate functions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.dialect import operators, results
from substrait_sql.dialect.rules import Result, again, is_null, literal_int, refused
from substrait_sql.schema import types as ty

if TYPE_CHECKING:
    from substrait_sql.dialect.line import Line
    from substrait_sql.dialect.model import Call

MAX_DECIMAL = 38
_DIGITS_OF_INT = 10


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
    """An average of decimals, or of a type that is not known.

    Spark's ``avg`` has four places more than ``x``, rounded; it is cast to the extension file's own result, which has
    as many as ``x``. Plans that declare fewer mean another engine's average (isthmus, Ibis): they get all of Spark's,
    and more only where more are declared. A declared double is one.
    """
    (x,) = call.values
    (kind,) = map(ty.kind, call.types)
    declared: Any = call.output_type
    if kind == "decimal" and ty.kind(declared) == "fp64":
        double: exp.Expression = exp.Var(this="DOUBLE")
        return operators.call("avg", operators.cast(x, double)), ty.fp64(nullable=True)
    usual = results.resolve("avg", call.types)
    long = (
        ty.kind(usual) == ty.kind(declared) == "decimal"
        and declared.decimal.scale > usual.decimal.scale
    )
    if not long and (kind is not None or call.function.stem is not None):
        return operators.call("avg", x), usual
    total, count = operators.call("sum", x), operators.call("count", again(x))
    yields = None
    if kind == "decimal":
        yields = results.resolve("divide", [results.resolve("sum", call.types), ty.i64()])
    return operators.infix(exp.Div, total, count), yields


def total_or_zero(call: Call, line: Line) -> Result:
    """``sum0`` of decimals. A plain 0 has ten digits to Spark, for which it would take away decimal places."""
    (x,) = call.values
    yields = line.returns(call)
    total = operators.call("try_sum" if call.chosen.get("OVERFLOW") == "SILENT" else "sum", x)
    zero: exp.Expression = exp.Literal.number(0)
    if ty.kind(yields) == "decimal" and yields.decimal.scale > MAX_DECIMAL - _DIGITS_OF_INT:
        name = f"DECIMAL({MAX_DECIMAL}, {yields.decimal.scale})"
        zero = operators.cast(zero, exp.Var(this=name))
    return operators.call("coalesce", total, zero), yields


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
