"""Moments in seconds or milliseconds: a producer may cut off what an interval adds below, see `Habits.moment_sums`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from substrait_sql.errors import refuse
from substrait_sql.lower.expressions.casts.moments import in_unit
from substrait_sql.lower.expressions.interval import micros_of
from substrait_sql.schema import types

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlglot import exp

    from substrait_sql.dialect.model import Call
    from substrait_sql.lower.value import Value

_SUMS = ("add", "subtract")


def cut_to_unit(sql: exp.Expression, call: Call, values: Sequence[Value]) -> exp.Expression:
    """A call that returns a moment, without what is below the unit of its type.

    Raises `UnsupportedError` for other calls than sums: `date_bin` cuts off towards 1970 there, so in two directions.
    """
    digits = (*types.parameters(call.output_type), types.MICROS)[0]
    unit = 10 ** (types.MICROS - digits) if digits < types.MICROS else 1
    if all(_is_whole(value, unit) for value in values):
        return sql
    if call.function.name not in _SUMS:
        raise refuse(
            "SS2302",
            f"the interval is finer than {types.text(call.output_type)}",
            call.path,
            "cast the moment to TIMESTAMP(6) first",
        )
    return in_unit(sql, digits, 0, 0, zoned=call.output_kind == "precision_timestamp_tz")


def _is_whole(value: Value, unit: int) -> bool:
    """Whether it adds nothing below a unit of so many microseconds."""
    if unit == 1 or not _is_time_span(value.type):
        return True
    micros = None if value.literal is None else micros_of(value.literal)
    return micros is not None and micros % unit == 0


def _is_time_span(type: Any) -> bool:
    return types.kind(type) in ("interval_day", "interval_compound")
