"""Arithmetic with dates, timestamps and intervals: operators that are functions of their own for these types."""

from __future__ import annotations

from substrait_sql.lift.expressions import calendar
from substrait_sql.lift.tree import Call, Cast, Expr, Literal
from substrait_sql.lift.typing import casts
from substrait_sql.lift.typing import types as t
from substrait_sql.lift.typing.problems import Misused
from substrait_sql.lift.typing.types import SparkType

_STAMPS = ("timestamp", "timestamp_ntz")
# What Spark puts together with an interval of months and days.
_BESIDE = (*t.DATETIMES, "string", "void", "interval")
_DAY = SparkType("interval_day", (0, 0))
_HOUR_SECOND = SparkType("interval_day", (1, 3))


def arithmetic(operator: str, left: Expr, right: Expr) -> Expr | None:
    """``left operator right`` where a date, timestamp or interval is among them; None where none is."""
    kinds = {left.type.kind, right.type.kind}
    if "interval" in kinds:
        return _calendar(operator, left, right)
    if not kinds & {*t.DATETIMES, *t.INTERVALS, "time"}:
        return None
    if operator == "+":
        return _sum(left, right)
    if operator == "-":
        return _difference(left, right)
    if operator in ("*", "/") and kinds & set(t.INTERVALS):
        return _scaled(operator, left, right)
    if operator == "div" and left.type.kind == right.type.kind and left.type.kind in t.INTERVALS:
        return Call(t.BIGINT, True, "div", (left, right))
    raise _mismatch(operator, left, right)


def _calendar(operator: str, left: Expr, right: Expr) -> Expr:
    """A timestamp and a constant of months and days. Raises `Misused` for what else Spark does with such intervals."""
    value, gap = (left, right) if right.type.kind == "interval" else (right, left)
    if value.type.kind in _STAMPS and (operator == "+" or (operator == "-" and value is left)):
        if calendar.constant(gap) is not None:
            return Call(value.type, value.nullable, operator, (value, gap))
    elif operator not in ("*", "/") and value.type.kind not in _BESIDE:
        raise _mismatch(operator, left, right)
    what = "an interval of months and days at once that is not a constant beside a timestamp"
    raise Misused(f"Substrait has no word for {what}", "SS5007")


def _sum(left: Expr, right: Expr) -> Expr:
    a, b = left.type.kind, right.type.kind
    if {a, b} & set(t.INTERVALS) and {a, b} <= {*t.INTERVALS, "void"}:
        return _intervals("+", left, right)
    if a in t.INTERVALS:
        return _moved(right, left, "+")
    if b in t.INTERVALS:
        return _moved(left, right, "+")
    for value, other in ((left, right), (right, left)):
        if value.type.kind in (*t.DATETIMES, "time") and other.type.kind == "void":
            # Spark takes such a NULL for an interval of days to seconds.
            kind = t.TIMESTAMP if value.type.kind == "date" else value.type
            gap = _as(other, t.DAY_SECOND)
            return Literal(kind, True, None, Call(kind, True, "+", (value, gap)))
    if a == "date":
        return _days(left, right, "date_add", "+")
    if b == "date":
        return _days(right, left, "date_add", "+")
    raise _mismatch("+", left, right)


def _difference(left: Expr, right: Expr) -> Expr:
    a, b = left.type.kind, right.type.kind
    if {a, b} & set(t.INTERVALS) and {a, b} <= {*t.INTERVALS, "void"}:
        return _intervals("-", left, right)
    if b in t.INTERVALS:
        return _moved(left, right, "-")
    both_times = {a, b} <= {*t.DATETIMES, "string", "void"}
    nullable = left.nullable or right.nullable
    if both_times and {a, b} & set(_STAMPS):
        left, right = _stamps(left, right)
        return Call(t.DAY_SECOND, nullable, "-", (left, right))
    if both_times and "date" in (a, b):
        sides = _as(left, t.DATE), _as(right, t.DATE)
        return Call(_DAY, nullable, "-", sides)
    if "time" in (a, b) and {a, b} <= {"time", "string", "void"}:
        sides = _as_time(left), _as_time(right)
        return Call(_HOUR_SECOND, any(s.nullable for s in sides), "-", sides)
    if a == "date":
        return _days(left, right, "date_sub", "-")
    raise _mismatch("-", left, right)


def _stamps(left: Expr, right: Expr) -> tuple[Expr, Expr]:
    local = "timestamp_ntz" in (left.type.kind, right.type.kind)
    wanted = t.TIMESTAMP_NTZ if local else t.TIMESTAMP
    return _as(left, wanted), _as(right, wanted)


def _days(day: Expr, count: Expr, function: str, shown: str) -> Expr:
    if count.type.kind not in ("tinyint", "smallint", "int", "void"):
        raise _mismatch(shown, day, count)
    if count.type.kind == "void":
        count = _as(count, t.INT)
    return Call(t.DATE, day.nullable or count.nullable, function, (day, count))


def _moved(value: Expr, interval: Expr, operator: str) -> Expr:
    """A date, a timestamp or a text that an interval is added to or taken from."""
    nullable = value.nullable or interval.nullable
    kind, units = value.type.kind, interval.type
    if kind == "date" and (units.kind == "interval_year" or units.numbers == (0, 0)):
        return Call(t.DATE, nullable, operator, (value, interval))
    if kind == "date":
        return Call(t.TIMESTAMP, nullable, operator, (_as(value, t.TIMESTAMP), interval))
    if kind in _STAMPS or (kind == "time" and units.kind == "interval_day"):
        return Call(value.type, nullable, operator, (value, interval))
    if kind == "string" and units.kind == "interval_day":
        made = Call(t.TIMESTAMP, True, operator, (_as(value, t.TIMESTAMP), interval))
        return Cast(t.STRING, True, made, asked=False)
    raise _mismatch(operator, value, interval)


def _intervals(operator: str, left: Expr, right: Expr) -> Expr:
    if right.type.kind == "void":
        right = _as(right, left.type)
    if left.type.kind == "void":
        left = _as(left, right.type)
    if left.type.kind != right.type.kind:
        raise _mismatch(operator, left, right)
    first = min(left.type.numbers[0], right.type.numbers[0])
    last = max(left.type.numbers[1], right.type.numbers[1])
    kind = SparkType(left.type.kind, (first, last))
    return Call(
        kind, left.nullable or right.nullable, operator, (_as(left, kind), _as(right, kind))
    )


def _scaled(operator: str, left: Expr, right: Expr) -> Expr:
    interval, number = (left, right) if left.type.kind in t.INTERVALS else (right, left)
    if operator == "/" and interval is not left:
        raise _mismatch(operator, left, right)
    if number.type.kind in ("string", "void"):
        number = _as(number, t.DOUBLE)
    if number.type.kind not in t.NUMERIC:
        raise _mismatch(operator, left, right)
    kind = t.YEAR_MONTH if interval.type.kind == "interval_year" else t.DAY_SECOND
    nullable = left.nullable or number.nullable or interval.nullable
    sides = (interval, number) if interval is left else (number, interval)
    return Call(kind, nullable, operator, sides)


def _as(value: Expr, wanted: SparkType) -> Expr:
    if value.type == wanted:
        return value
    if isinstance(value, Literal) and value.value is None:
        return Literal(wanted, True, None)
    nullable = value.nullable or casts.may_make_null(value.type, wanted)
    return Cast(wanted, nullable, value, asked=False)


def _as_time(value: Expr) -> Expr:
    return value if value.type.kind == "time" else _as(value, t.TIME)


def _mismatch(operator: str, left: Expr, right: Expr) -> Misused:
    sides = f"{str(left.type).upper()} and {str(right.type).upper()}"
    return Misused(f"{operator.upper()} does not go between {sides}")
