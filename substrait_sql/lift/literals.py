"""Literals: what their text says in Spark."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from datetime import time as time_of_day
from decimal import Decimal, InvalidOperation
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from substrait_sql.lift.tree import Literal
from substrait_sql.lift.typing import arithmetic
from substrait_sql.lift.typing import types as t
from substrait_sql.lift.typing.problems import Misused
from substrait_sql.lift.typing.types import SparkType

_EPOCH = datetime(1970, 1, 1)
# Java's zones are no further from UTC than 18 hours.
_MOST_OFFSET = 18 * 3600
_EPOCH_DAY = "1970-01-01"
_MOMENTS = ("epoch", "now", "today", "tomorrow", "yesterday")
# Spark's whole years: it counts days in an INT, and microseconds in a BIGINT.
_DATE_YEARS, _STAMP_YEARS = range(-5_877_640, 5_881_580), range(-290_307, 294_247)
_DATE = re.compile(r"\s*([+-]?\d{4,7})(?:-(\d{1,2})(?:-(\d{1,2})(?:[ T].*)?)?)?\s*\Z", re.DOTALL)
_TIME = re.compile(r"\s*T?(\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:\.(\d{0,9}))?)?\s*\Z")
_STAMP = re.compile(
    r"""\s*([+-]?\d{4,6})(?:-(\d{1,2})(?:-(\d{1,2})(?:[\x20T]
    (?:(\d{1,2})(?::(\d{1,2})(?::(\d{1,2})(?:\.(\d{0,9}))?)?)?)?\s*([A-Za-z+\-Z].*)?)?)?)?\s*\Z""",
    re.VERBOSE | re.DOTALL,
)


_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?", re.IGNORECASE | re.ASCII)


def _check(text: str) -> None:
    if not _NUMBER.fullmatch(text):
        raise Misused(f"{text} is no number")


def number(text: str) -> Literal:
    """``1`` is INT, ``3000000000`` BIGINT, larger ones and ``1.0`` DECIMAL, ``1e0`` DOUBLE."""
    _check(text)
    if "e" in text.lower():
        return _double(text, t.DOUBLE)
    if "." in text:
        value = Decimal(text)
        return _decimal(value)
    whole = int(text)
    if -(2**31) <= whole < 2**31:
        return Literal(t.INT, False, whole)
    if -(2**63) <= whole < 2**63:
        return Literal(t.BIGINT, False, whole)
    return _decimal(Decimal(whole))


def _decimal(value: Decimal) -> Literal:
    kind = arithmetic.of_value(value)
    if kind.precision > t.MOST_DIGITS:
        raise Misused(f"{value} has more than 38 digits")
    return Literal(kind, False, value)


_RANGES = {"tinyint": 7, "smallint": 15, "int": 31, "bigint": 63}


def suffixed(text: str, kind: str, *, negative: bool = False) -> Literal:
    """``1L``, ``1S``, ``1Y``, ``1.5D``, ``1F``, ``1BD``."""
    _check(text)
    signed = f"-{text}" if negative else text
    if kind in _RANGES:
        bits = _RANGES[kind]
        if not -(2**bits) <= int(signed) < 2**bits:
            raise Misused(f"{signed} is no {kind.upper()}")
        return Literal(SparkType(kind), False, int(signed))
    if kind == "decimal":
        return _decimal(Decimal(signed))
    return _double(signed, SparkType(kind))


def _double(text: str, kind: SparkType) -> Literal:
    try:
        is_larger = Decimal(text).copy_abs() > _LARGEST[kind.kind]
    except InvalidOperation as error:  # an exponent that no library has
        raise Misused(f"{text} is no number") from error
    if is_larger:
        raise Misused(f"{text} is larger than any {str(kind).upper()}")
    return Literal(kind, False, float(text))


_LARGEST = {"float": Decimal((2**24 - 1) * 2**104), "double": Decimal((2**53 - 1) * 2**971)}


def day(text: str) -> Literal:
    """DATE '2024-02-29'."""
    found = _DATE.match(_EPOCH_DAY if _word(text) == "epoch" else text)
    if found is None:
        raise Misused(f"{text!r} is no DATE")
    year, month, day_ = int(found[1]), int(found[2] or 1), int(found[3] or 1)
    try:
        value = (_date(year, month, day_, text, _DATE_YEARS) - date(1970, 1, 1)).days
    except ValueError as error:
        raise Misused(f"{text!r} is no DATE") from error
    return Literal(t.DATE, False, value)


def _date(year: int, month: int, day_: int, text: str, years: range) -> date:
    """Raises `Misused` for other years that Spark has, and ValueError for what is no day. years: Spark's."""
    if 1 <= year <= 9999:
        return date(year, month, day_)
    # Four hundred years are as long as any others.
    date(2000 + year % 400, month, day_)
    if year in years:
        raise _far(text)
    raise ValueError(year)


def _far(text: str) -> Misused:
    return Misused(f"{text!r}: a plan has the years 1 to 9999", "SS5007")


def _word(text: str) -> str:
    """The word that stands for a moment, before a zone or alone: ``epoch``, as all others are another one each time."""
    word, *zone = text.lower().split() or [""]
    if word not in _MOMENTS or len(zone) > 1:
        return ""
    if zone:
        clocks(text.split()[1], text)
    if word != "epoch":
        raise Misused(f"{text!r} is another day each time: a plan has no word for it", "SS5007")
    return word


def timestamp(text: str, kind: SparkType, zone: str) -> Literal:
    """TIMESTAMP '…' and TIMESTAMP_NTZ '…'. zone: where the session is, for a text without a zone."""
    if _word(text) == "epoch":
        return Literal(kind, False, 0)
    found = _STAMP.match(text)
    if found is None:
        raise Misused(f"{text!r} is no {str(kind).upper()}")
    year, month, day_, hour, minute, second = (
        int(found[i] or (1 if i in (2, 3) else 0)) for i in range(1, 7)
    )
    fraction = int((found[7] or "").ljust(6, "0")[:6])
    try:
        clock = time_of_day(hour, minute, second, fraction)
        local = datetime.combine(_date(year, month, day_, text, _STAMP_YEARS), clock)
    except ValueError as error:
        raise Misused(f"{text!r} is no {str(kind).upper()}") from error
    zoned = found[8]
    if zoned and found[6] is None:
        raise Misused(f"{text!r}: a zone stands behind seconds")
    if kind == t.TIMESTAMP_NTZ:
        if zoned:
            # Spark reads the zone, and leaves it out.
            clocks(zoned, text)
        return Literal(kind, False, _micros(local))
    try:
        return _moment(_utc(local, zoned or zone, text), zone)
    except OverflowError as error:
        raise _far(text) from error


def time(text: str) -> Literal:
    """TIME '…': what has passed of the day, in microseconds, or in smaller units if the text has more digits."""
    found = _TIME.match(text)
    if found is None:
        raise Misused(f"{text!r} is no TIME")
    hour, minute, second = (int(found[i] or 0) for i in range(1, 4))
    if hour > 23 or minute > 59 or second > 59:
        raise Misused(f"{text!r} is no TIME")
    digits = max(6, len(found[4] or ""))
    seconds = (hour * 60 + minute) * 60 + second
    fraction = int((found[4] or "").ljust(digits, "0"))
    return Literal(SparkType("time", (digits,)), False, seconds * 10**digits + fraction)


def _utc(local: datetime, zone: str, text: str) -> datetime:
    return local.replace(tzinfo=clocks(zone, text)).astimezone(UTC).replace(tzinfo=None)


def clocks(zone: str, text: str) -> tzinfo:
    """What a zone's clocks show. Raises `Misused` for what is no zone. text: what is said to be wrong then."""
    offset = re.fullmatch(
        r"(?:UTC|GMT|UT)?([+-])(\d{1,2})(?::?(\d{2}))?(?::?(\d{2}))?", zone.strip()
    )
    name = {"Z": "UTC", "PST": "America/Los_Angeles", "CST": "America/Chicago"}.get(
        zone.strip(), zone.strip()
    )
    try:
        if offset is None:
            return ZoneInfo(name)
        seconds = int(offset[2]) * 3600 + int(offset[3] or 0) * 60 + int(offset[4] or 0)
        if seconds > _MOST_OFFSET:
            raise ValueError(zone)
        return timezone(timedelta(seconds=seconds if offset[1] == "+" else -seconds))
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise Misused(f"{text!r}: {zone} is no time zone") from error


def _moment(utc: datetime, zone: str) -> Literal:
    """A point in time; its name has what the clocks of the session's zone show."""
    found = Literal(t.TIMESTAMP, False, _micros(utc))
    if zone.upper() == "UTC":
        return found
    shown = utc.replace(tzinfo=UTC).astimezone(clocks(zone, zone)).replace(tzinfo=None)
    return replace(found, written=replace(found, value=_micros(shown)))


def _micros(value: datetime) -> int:
    apart = value - _EPOCH
    return (apart.days * 86_400 + apart.seconds) * 1_000_000 + apart.microseconds


def binary(digits: str) -> Literal:
    """X'1F'; an odd digit stands alone in front."""
    padded = digits if len(digits) % 2 == 0 else "0" + digits
    try:
        return Literal(t.BINARY, False, bytes.fromhex(padded))
    except ValueError as error:
        raise Misused(f"X'{digits}' has what is no hexadecimal digit") from error


def text(value: str) -> Literal:
    """'…'."""
    return Literal(t.STRING, False, value)


def shown_date(days: int) -> str:
    """The day as Spark prints it."""
    return (date(1970, 1, 1) + timedelta(days=days)).isoformat()


def shown_stamp(micros: int) -> str:
    """The moment as Spark prints it, in UTC."""
    value = _EPOCH + timedelta(microseconds=micros)
    fraction = f".{value.microsecond:06}".rstrip("0") if value.microsecond else ""
    return value.strftime("%Y-%m-%d %H:%M:%S") + fraction


def shown_time(micros: int) -> str:
    """The time of day as Spark prints it."""
    return shown_stamp(micros).partition(" ")[2]


def truth(value: Any) -> Literal:
    """TRUE and FALSE."""
    return Literal(t.BOOLEAN, False, bool(value))
