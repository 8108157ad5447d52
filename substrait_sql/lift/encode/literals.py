"""Constants as messages."""

from __future__ import annotations

from decimal import Context, Decimal
from functools import cache
from typing import TYPE_CHECKING, Any

from substrait_sql.lift.encode.types import encoded
from substrait_sql.lift.typing.problems import Misused
from substrait_sql.wire.descriptors import message

if TYPE_CHECKING:
    from substrait_sql.lift.tree import Literal

_PLAIN = {
    "boolean": "boolean", "tinyint": "i8", "smallint": "i16", "int": "i32", "bigint": "i64",
    "float": "fp32", "double": "fp64", "string": "string", "binary": "binary", "date": "date",
}  # fmt: skip
# Python rounds to 28 digits unless it is told otherwise.
_EXACT = Context(prec=100)
_DAY = 86_400 * 1_000_000
_MOST_YEARS, _MOST_DAYS = 10_000, 3_650_000


@cache
def _expression() -> Any:
    return message("Expression")


def literal(found: Literal) -> Any:
    """The message of a constant."""
    made = _expression()()
    out = made.literal
    kind, value = found.type.kind, found.value
    if value is None:
        out.null.CopyFrom(encoded(found.type, nullable=True))
        out.nullable = True
        return made
    if kind in _PLAIN:
        setattr(out, _PLAIN[kind], value)
        return made
    match kind:
        case "decimal" if isinstance(value, int) and -(2**63) <= value < 2**63:
            # The text has an integer, which Spark takes as a decimal beside one.
            setattr(made.cast.input.literal, "i32" if -(2**31) <= value < 2**31 else "i64", value)
            made.cast.type.CopyFrom(encoded(found.type, nullable=False))
            made.cast.failure_behavior = 2
        case "decimal":
            precision, scale = found.type.numbers
            whole = int(_EXACT.scaleb(Decimal(value), scale))
            out.decimal.value = whole.to_bytes(16, "little", signed=True)
            out.decimal.precision, out.decimal.scale = precision, scale
        case "timestamp":
            out.precision_timestamp_tz.precision, out.precision_timestamp_tz.value = 6, value
        case "timestamp_ntz":
            out.precision_timestamp.precision, out.precision_timestamp.value = 6, value
        case "time":
            out.precision_time.precision = found.type.numbers[0]
            out.precision_time.value = value
        case "interval_year":
            _months(out.interval_year_to_month, value, found.type.numbers)
        case "interval_day":
            _interval(out.interval_day_to_second, value)
        case "interval":
            months, micros = value
            _months(out.interval_compound.interval_year_to_month, months, (1, 1))
            _interval(out.interval_compound.interval_day_to_second, micros)
        case _:
            raise Misused(f"Substrait has no literal of {str(found.type).upper()}")
    return made


def _months(out: Any, months: int, units: tuple[int, ...]) -> None:
    """Months alone where the text counts in months."""
    if abs(months) > _MOST_YEARS * 12:
        raise Misused("Substrait has no interval longer than 10,000 years", "SS5007")
    sign = -1 if months < 0 else 1
    years, rest = (0, abs(months)) if units == (1, 1) else divmod(abs(months), 12)
    out.years, out.months = sign * years, sign * rest


def _interval(out: Any, micros: int) -> None:
    if abs(micros) > _MOST_DAYS * _DAY:
        raise Misused("Substrait has no interval longer than 3,650,000 days", "SS5007")
    sign = -1 if micros < 0 else 1
    days, rest = divmod(abs(micros), _DAY)
    seconds, parts = divmod(rest, 1_000_000)
    out.days, out.seconds, out.precision = sign * days, sign * seconds, 6
    out.subseconds = sign * parts
