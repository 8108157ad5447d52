"""sequence(start, stop, step) whose numbers, days or moments stand in the text.

https://spark.apache.org/docs/latest/api/sql/#sequence
"""

from __future__ import annotations

from calendar import monthrange
from datetime import date
from itertools import count, islice, takewhile
from typing import TYPE_CHECKING

from substrait_sql.lift import literals
from substrait_sql.lift.expressions.zones import is_utc
from substrait_sql.lift.tree import Call, Cast, Expr, Literal
from substrait_sql.lift.typing import types as t
from substrait_sql.lift.typing.problems import Misused

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_DAY = 86_400_000_000
_STAMPS = ("timestamp", "timestamp_ntz")
_READING = ("to_date", "to_timestamp", "to_timestamp_ntz")


class Dynamic(Exception):
    """A generator whose rows do not stand in the text."""


def sequence(call: Call, zone: str, most: int) -> list[Literal]:
    """The elements, none where an argument is NULL. zone: the session's; a day of it may last 23 hours.

    Raises `Dynamic`, also for more than so many elements, and `Misused` for a step that never reaches the end.
    """
    kind = call.type.element
    given = [_constant(a, zone) for a in call.arguments]
    if any(g.value is None for g in given):
        return []
    start, stop = (g.value for g in given[:2])
    if not isinstance(start, int) or not isinstance(stop, int):
        raise Dynamic(f"sequence of {str(kind).upper()}")
    step = given[2] if len(given) > 2 else _default(kind, forward=stop >= start)
    if kind.kind == "date":
        moments = _stepped(start * _DAY, stop * _DAY, step, days=True)
        found: Iterator[int] = (n // _DAY for n in moments)
    else:
        if step.type.kind in t.INTERVALS and _is_local(kind, step, zone):
            raise Dynamic("sequence of days or months of another time zone than UTC")
        found = _stepped(start, stop, step)
    out = [Literal(kind, False, n) for n in islice(found, most + 1)]
    if len(out) > most:
        raise Dynamic(f"sequence of more than {most} elements")
    return out


def _constant(value: Expr, zone: str) -> Literal:
    """A literal, also one that is written as a text: CAST('2024-01-01' AS DATE), to_date('2024-01-01')."""
    if isinstance(value, Literal):
        return value
    inner = value.value if isinstance(value, Cast) else None
    if isinstance(value, Call) and value.name in _READING and len(value.arguments) == 1:
        inner = value.arguments[0]
    if isinstance(inner, Literal) and isinstance(inner.value, str):
        if value.type.kind == "date":
            return literals.day(inner.value)
        if value.type.kind in _STAMPS:
            return literals.timestamp(inner.value, value.type, zone)
    raise Dynamic("sequence whose ends and step do not stand in the text")


def _default(kind: t.SparkType, *, forward: bool) -> Literal:
    sign = 1 if forward else -1
    if kind.kind in t.INTEGRAL:
        return Literal(kind, False, sign)
    return Literal(t.SparkType("interval_day", (0, 0)), False, sign * _DAY)


def _is_local(kind: t.SparkType, step: Literal, zone: str) -> bool:
    """Whether the clocks of a place say how long a step is: Spark counts days and months by them."""
    if kind.kind != "timestamp" or is_utc(zone):
        return False
    return step.type.kind == "interval_year" or abs(_whole(step)) >= _DAY


def _whole(step: Literal) -> int:
    if not isinstance(step.value, int):
        raise Dynamic("sequence whose step does not stand in the text")
    return step.value


def _stepped(start: int, stop: int, step: Literal, *, days: bool = False) -> Iterator[int]:
    width = _whole(step)
    months = step.type.kind == "interval_year"
    if days and not months and 0 < abs(width) < _DAY:
        raise Misused("sequence of DATE wants steps of a day or more")
    if width == 0 or (stop - start) * width < 0:
        raise Misused("sequence never reaches its end")

    def at(i: int) -> int:
        return _months_later(start, i * width) if months else start + i * width

    within: Callable[[int], bool] = stop.__ge__ if width > 0 else stop.__le__
    return takewhile(within, map(at, count()))


def _months_later(micros: int, months: int) -> int:
    """The same time of the same day, or of the last day of a shorter month."""
    days, rest = divmod(micros, _DAY)
    epoch = date(1970, 1, 1).toordinal()
    first = date.fromordinal(epoch + days)
    year, month = divmod(first.year * 12 + first.month - 1 + months, 12)
    if not date.min.year <= year < date.max.year:
        raise Dynamic("sequence beyond the year 9998")
    last = monthrange(year, month + 1)[1]
    moved = date(year, month + 1, min(first.day, last))
    return (moved.toordinal() - epoch) * _DAY + rest
