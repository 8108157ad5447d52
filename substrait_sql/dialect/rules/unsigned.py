"""Shifts of unsigned integers up to u32, which Spark holds in types that are one step wider.

As in DataFusion, the number of places counts modulo the width of the type: a u8 shifted by 9 is one shifted by 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from substrait_sql.dialect import operators
from substrait_sql.dialect.rules import Result, literal_int, mirrored, number
from substrait_sql.schema import types as ty

if TYPE_CHECKING:
    from substrait_sql.dialect.line import Line
    from substrait_sql.dialect.model import Call

_BITS = {"u8": 8, "u16": 16, "u32": 32}


def shift_right(call: Call, line: Line) -> Result:
    """``x >> y``, which never leaves the range."""
    return _shift(call, "shiftright")


def shift_left(call: Call, line: Line) -> Result:
    """``x << y``, of which the bits beyond the type are lost."""
    return _shift(call, "shiftleft")


def _shift(call: Call, function: str) -> Result:
    base, places = call.values
    bits = _BITS[call.arguments[0].type.user_defined.sql_name]
    if bits == _BITS["u32"] and literal_int(base) is not None:
        base = operators.cast(base, exp.Var(this="BIGINT"))
    count = literal_int(places)
    if count is None:
        rest = operators.infix(exp.Mod, places, number(bits))
        places = operators.cast(rest, exp.Var(this="INT"))
    else:
        places = number(count % bits)
    found = operators.call(function, base, places)
    if function == "shiftleft":
        found = operators.infix(exp.BitwiseAnd, found, number(2**bits - 1))
    make = ty.i64 if bits == _BITS["u32"] else ty.i32
    return found, make(nullable=mirrored(call))
