"""Functions of dates, times and intervals."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from substrait_sql.lift.typing import types as t
from substrait_sql.lift.typing.calls import Argument, Misused, as_number, recast
from substrait_sql.lift.typing.casts import can_cast, implicit
from substrait_sql.lift.typing.types import SparkType

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Given = tuple[Argument, ...]
    Found = tuple[tuple[SparkType, ...], SparkType, bool]

_INTERVAL = re.compile(r"\s*(interval\s+)?([+-]?[\d.]+\s+[a-z]+\s*)+", re.IGNORECASE)
_SECONDS = t.decimal(8, 6)
# Fields by how they are spelt, with what they are read from.
_DATE_FIELDS = {
    "year": "year", "y": "year", "years": "year", "yr": "year", "yrs": "year", "yearofweek": "yearofweek",
    "quarter": "quarter", "qtr": "quarter", "month": "month", "mon": "month", "mons": "month", "months": "month",
    "week": "week", "w": "week", "weeks": "week", "day": "day", "d": "day", "days": "day", "dayofweek": "dow",
    "dow": "dow", "dayofweek_iso": "dow", "dow_iso": "dow", "doy": "doy",
}  # fmt: skip
_TIME_FIELDS = {
    "hour": "hour", "h": "hour", "hours": "hour", "hr": "hour", "hrs": "hour", "minute": "minute", "m": "minute",
    "min": "minute", "mins": "minute", "minutes": "minute", "second": "second", "s": "second", "sec": "second",
    "seconds": "second", "secs": "second",
}  # fmt: skip


def _extract(arguments: Given) -> Found:
    field, source = arguments
    if field.type.kind == "void":
        return (t.STRING, source.type), t.DOUBLE, True
    if not field.constant or not isinstance(field.value, str):
        raise Misused("the field must be a constant text")
    word = field.value.lower()
    kind = source.type
    if kind.kind in ("interval", *t.INTERVALS):
        out = _interval_field(word, kind)
        return (t.STRING, kind), out, source.nullable
    if word in _TIME_FIELDS:
        out = _SECONDS if _TIME_FIELDS[word] == "second" else t.INT
        to = kind if kind.kind in ("time", "timestamp", "timestamp_ntz") else t.TIMESTAMP
    elif word in _DATE_FIELDS and kind.kind != "time":
        out, to = t.INT, t.DATE
    else:
        raise Misused(f"{kind} has no field {field.value}")
    if implicit(kind, to) is None or not can_cast(kind, to):
        raise Misused(f"{kind} has no field {field.value}")
    return (t.STRING, to), out, recast(source, to).nullable


def _interval_field(word: str, kind: SparkType) -> SparkType:
    name = {**_DATE_FIELDS, **_TIME_FIELDS}.get(word, "")
    found = {"year": t.INT, "month": t.TINYINT, "day": t.INT, "hour": t.TINYINT, "minute": t.TINYINT,
             "second": _SECONDS}.get(name)  # fmt: skip
    years = name in ("year", "month")
    if found is None or (kind.kind != "interval" and years != (kind.kind == "interval_year")):
        raise Misused(f"{kind} has no field {word}")
    if kind.kind != "interval":
        units = ("year", "month") if years else ("day", "hour", "minute", "second")
        if not kind.numbers[0] <= units.index(name) <= kind.numbers[1]:
            raise Misused(f"{kind} has no field {word}")
    return found


def _part_of_day(arguments: Given) -> Found:
    """hour, minute, second: what comes after the first argument is not looked at."""
    first = arguments[0]
    if first.type.kind == "time":
        return tuple(a.type for a in arguments), t.INT, True
    to = implicit(first.type, (t.TIMESTAMP, t.TIMESTAMP_NTZ))
    if to is None or not can_cast(first.type, to):
        raise Misused(f"a point in time is expected, not {first.type}")
    types = (to, *(a.type for a in arguments[1:]))
    return types, t.INT, recast(first, to).nullable


def _days(arguments: Given) -> tuple[SparkType, ...]:
    """date_add and date_sub: of other numbers than ints only texts become days."""
    date, days = arguments
    if date.type.kind not in ("date", "void", "timestamp", "timestamp_ntz", "string"):
        raise Misused(f"a date is expected, not {date.type}")
    if days.type.kind in ("tinyint", "smallint", "int"):
        return t.DATE, days.type
    if days.type.kind in ("void", "string"):
        return t.DATE, t.INT
    raise Misused(f"the number of days must be an int, not {days.type}")


def _digits(argument: Argument) -> int | None:
    """The number that a literal is."""
    number = None if argument.value is None else as_number(argument.value)
    return None if number is None else int(number)


def _time_now(arguments: Sequence[Argument]) -> SparkType:
    digits = _digits(arguments[0]) if arguments else 6
    if digits is None or not 0 <= digits <= 6:
        raise Misused("a time of day has 0 to 6 digits, said by a constant")
    return SparkType("time", (digits,))


def _parsed(
    target: SparkType, *, numbers: bool = False, fails: bool = True
) -> Callable[[Given], Found]:
    """to_date and the like: without a format a cast, and with one a text is read."""

    def rule(arguments: Given) -> Found:
        first, *formats = arguments
        several: tuple[str | SparkType, ...] = (t.STRING, t.DATE, t.TIMESTAMP, t.TIMESTAMP_NTZ)
        if numbers:
            several = (*several, "numeric")
        to = implicit(first.type, several)
        if to is None or not can_cast(to, target):
            raise Misused(f"{first.type} is no {target}")
        if not formats:
            return (to,), target, recast(recast(first, to), target).nullable
        form = implicit(formats[0].type, t.STRING)
        if form is None or to.kind in t.NUMERIC:
            raise Misused(f"no {target} is read from {first.type} with {formats[0].type}")
        nullable = not fails or recast(first, to).nullable or recast(formats[0], form).nullable
        return (to, form), target, nullable

    return rule


def _seconds(arguments: Given) -> Found:
    kind = arguments[0].type
    if kind.kind not in (*t.NUMERIC, "void"):
        raise Misused(f"a number is expected, not {kind}")
    to = t.DOUBLE if kind.kind == "void" else kind
    return (to,), t.TIMESTAMP, arguments[0].nullable or to.kind in ("float", "double")


def _window(arguments: Given) -> Found:
    first, *lengths = arguments
    for each in lengths:
        if each.type.kind == "void":
            continue
        if not each.constant or not isinstance(each.value, (str, int)):
            raise Misused("the length of a window must be a constant")
        if isinstance(each.value, str) and not _INTERVAL.fullmatch(each.value):
            raise Misused(f"{each.value!r} is no interval")
    kind = first.type
    if kind.kind == "struct" and [f.name for f in kind.fields] == ["start", "end"]:
        end = kind.fields[1].type
    else:
        found = implicit(kind, (t.TIMESTAMP, t.TIMESTAMP_NTZ))
        if found is None:
            raise Misused(f"a point in time is expected, not {kind}")
        kind = end = found
    out = t.struct((t.Field("start", end), t.Field("end", end)))
    # Windows that overlap come from a relation that knows less of its columns.
    slides = len(lengths) > 1 and lengths[0].value != lengths[1].value
    return (kind, *(a.type for a in lengths)), out, slides


def _session(arguments: Given) -> Found:
    """session_window, whose gap may differ from row to row."""
    first, gap = arguments
    if gap.type.kind not in ("string", "interval", "void"):
        raise Misused(f"a gap is an interval of calendar units, or a text, not {gap.type}")
    types, out, nullable = _window((first,))
    return (*types, gap.type), out, nullable


def _window_time(arguments: Given) -> Found:
    kind = arguments[0].type
    if kind.kind != "struct" or [f.name for f in kind.fields] != ["start", "end"]:
        raise Misused(f"a window is expected, not {kind}")
    return (kind,), kind.fields[1].type, arguments[0].nullable


def _bucket(arguments: Given) -> Found:
    """time_bucket: points in time all of one kind."""
    width, *points = arguments
    if width.type.kind not in t.INTERVALS:
        raise Misused(f"an interval is expected, not {width.type}")
    if not width.constant:
        raise Misused("the width of the buckets must be a constant")
    kinds = [a.type for a in points]
    if any(k.kind not in ("timestamp", "timestamp_ntz", "void") for k in kinds):
        raise Misused(f"a point in time is expected, not {' and '.join(map(str, kinds))}")
    out = t.TIMESTAMP if t.TIMESTAMP in kinds else t.TIMESTAMP_NTZ
    nullable = width.nullable or any(recast(a, out).nullable for a in points)
    return (width.type, *(out for _ in points)), out, nullable


COERCIONS = {"days": _days}
RETURNS = {"time_now": _time_now}
RULES = {
    "extract": _extract, "part_of_day": _part_of_day, "timestamp_seconds": _seconds, "window": _window,
    "window_time": _window_time, "session_window": _session, "time_bucket": _bucket,
    "to_date": _parsed(t.DATE), "try_to_date": _parsed(t.DATE, fails=False),
    "to_timestamp": _parsed(t.TIMESTAMP, numbers=True), "to_timestamp_ntz": _parsed(t.TIMESTAMP_NTZ),
    "try_to_timestamp": _parsed(t.TIMESTAMP, numbers=True, fails=False),
}  # fmt: skip
