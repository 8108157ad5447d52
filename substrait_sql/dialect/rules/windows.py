"""Window functions whose arguments Spark wants as constants."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from substrait_sql.dialect import operators, results
from substrait_sql.dialect.rules import (
    Result,
    is_null,
    literal_int,
    number,
    preference,
    quoted,
    refused,
)
from substrait_sql.schema import types as ty

if TYPE_CHECKING:
    from substrait_sql.dialect.line import Line
    from substrait_sql.dialect.model import Call

_HINT = "Spark takes a constant here"


def shifted(call: Call, line: Line) -> Result:
    """``lag`` and ``lead``. An offset of NULL is no row at all."""
    values = call.values
    if len(values) > 1 and is_null(values[1]):
        return exp.Null(), None
    return _at(call, line, values)


def lag_lead(call: Call, line: Line) -> Result:
    """``lag`` and ``lead`` where an offset or a default of NULL is one left out."""
    values = call.values
    while len(values) > 1 and is_null(values[-1]):
        values.pop()
    return _at(call, line, values)


def _at(call: Call, line: Line, values: list[exp.Expression]) -> Result:
    if len(values) > 1:
        offset = literal_int(values[1])
        if offset is None:
            raise refused(call, "an offset that is not a literal", _HINT)
        if len(values) > 2 and call.valued[0].sql_type is not None and call.make_exact is not None:
            # Spark makes a default of the value's type, as that is written: 1 of 1.5 beside 0, which may be 0.00.
            call.make_exact(call)
            values = call.values
        values[1] = number(offset)
    return operators.call(line.name, *values), results.resolve("arg0?", call.types)


def nth_value(call: Call, line: Line) -> Result:
    """``nth_value``. Rows are counted from 1: the option says what another place, or NULL, is."""
    value, place = call.values
    yields = results.resolve("arg0?", call.types)
    at = literal_int(place)
    if at is not None and at > 0:
        return operators.call("nth_value", value, number(at)), yields
    if at is None and not is_null(place):
        raise refused(call, "a window_offset that is not a literal", _HINT)
    if preference(call, line, "on_domain_error") == "NAN":
        kind = ty.kind(call.types[0])
        if kind not in ("fp32", "fp64"):
            raise refused(call, "NaN among values that are no floats")
        nan = operators.cast(quoted("NaN"), exp.Var(this="FLOAT" if kind == "fp32" else "DOUBLE"))
        return nan, yields
    return operators.call("raise_error", quoted("nth_value: rows are counted from 1")), None


def ntile(call: Call, line: Line) -> Result:
    """``ntile(n)``."""
    count = literal_int(call.values[0])
    if count is None or count < 1:
        raise refused(call, "a number of parts that is not a literal above 0", _HINT)
    return operators.call("ntile", number(count)), ty.i32()
