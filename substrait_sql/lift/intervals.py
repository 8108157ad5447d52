"""Interval literals: INTERVAL 1 DAY 2 HOURS, INTERVAL '1-2' YEAR TO MONTH, INTERVAL '1 day'."""

from __future__ import annotations

import re
from decimal import Decimal

from substrait_sql.lift.text.intervals import MARK
from substrait_sql.lift.tree import Literal
from substrait_sql.lift.typing.problems import Misused
from substrait_sql.lift.typing.types import SparkType

_MONTHS = {"year": 12, "month": 1}
_MICROS = {
    "week": 604_800_000_000, "day": 86_400_000_000, "hour": 3_600_000_000, "minute": 60_000_000,
    "second": 1_000_000, "millisecond": 1_000, "microsecond": 1,
}  # fmt: skip
_PLACES = {
    "year": 0, "month": 1, "week": 0, "day": 0, "hour": 1, "minute": 2, "second": 3,
    "millisecond": 3, "microsecond": 3,
}  # fmt: skip
_NUMBER = re.compile(r"\s*[+-]?\s*(?:\d+\.?\d*|\.\d+)\s*", re.ASCII)
_WORD = re.compile(r"\s*([+-]?\s*(?:\d+\.?\d*|\.\d+))\s+([A-Za-z]+)", re.ASCII)
_SPANS = {
    ("year", "month"): re.compile(r"\s*([+-]?)(\d+)-(\d+)\s*\Z"),
    ("day", "hour"): re.compile(r"\s*([+-]?)(\d+)[ T]+(\d+)\s*\Z"),
    ("day", "minute"): re.compile(r"\s*([+-]?)(\d+)[ T]+(\d+):(\d+)\s*\Z"),
    ("day", "second"): re.compile(r"\s*([+-]?)(\d+)[ T]+(\d+):(\d+):(\d+(?:\.\d{1,9})?)\s*\Z"),
    ("hour", "minute"): re.compile(r"\s*([+-]?)(\d+):(\d+)\s*\Z"),
    ("hour", "second"): re.compile(r"\s*([+-]?)(\d+):(\d+):(\d+(?:\.\d{1,9})?)\s*\Z"),
    ("minute", "second"): re.compile(r"\s*([+-]?)(\d+):(\d+(?:\.\d{1,9})?)\s*\Z"),
}
_MOST = {"interval_year": 2**31 - 1, "interval_day": 2**63 - 1}
# What a unit is below, behind a longer one.
_BELOW = {"month": 12, "hour": 24, "minute": 60, "second": 60}
_UNITS = ("day", "hour", "minute", "second")


def unit_of(word: str) -> str:
    """``DAYS`` is day. Raises `Misused` for what is no unit."""
    found = word.lower()
    found = found[:-1] if found.endswith("s") and found not in _MONTHS else found
    if found not in _PLACES:
        raise Misused(f"{word} is no unit of an interval")
    return found


def of_units(parts: list[tuple[str, str]]) -> Literal:
    """INTERVAL with numbers and their units."""
    units = [unit_of(word) for _, word in parts]
    months = [u for u in units if u in _MONTHS]
    if months and len(months) < len(units):
        raise Misused("Substrait has no word for an interval of months and days at once")
    for (number, word), unit in zip(parts, units, strict=True):
        if "." in number and unit != "second":
            raise Misused(f"only seconds have a fraction in an interval, not {number} {word}")
    scale = _MONTHS if months else _MICROS
    # Each number loses what is smaller than a microsecond.
    total = sum(int(_number(n) * scale[u]) for (n, _), u in zip(parts, units, strict=True))
    places = [_PLACES[u] for u in units]
    kind = "interval_year" if months else "interval_day"
    return _literal(kind, (min(places), max(places)), total)


def _number(text: str) -> Decimal:
    if _NUMBER.fullmatch(text) is None:
        raise Misused(f"{text!r} is no number of an interval")
    return Decimal("".join(text.split()))


def of_text(text: str) -> Literal:
    """INTERVAL '1 day 2 hours'."""
    text = text.removesuffix(MARK)
    body = re.sub(r"^\s*interval\s", "", text, flags=re.IGNORECASE)
    found = _WORD.findall(body)
    if not found or _WORD.sub("", body).strip():
        raise Misused(f"{text!r} is no interval")
    return of_units([(n, w) for n, w in found])


def of_span(text: str, first: str, last: str) -> Literal:
    """INTERVAL '1-2' YEAR TO MONTH, INTERVAL '1 02:03:04' DAY TO SECOND."""
    first, last = unit_of(first), unit_of(last)
    pattern = _SPANS.get((first, last))
    found = pattern.match(text) if pattern else None
    if found is None:
        raise Misused(f"{text!r} is no interval {first.upper()} TO {last.upper()}")
    sign = -1 if found[1] == "-" else 1
    numbers = [Decimal(n) for n in found.groups()[1:]]
    units = (
        _UNITS[_UNITS.index(first) : _UNITS.index(last) + 1] if first in _UNITS else (first, last)
    )
    for number, unit in zip(numbers[1:], units[1:], strict=True):
        if number >= _BELOW[unit]:
            raise Misused(
                f"{text!r}: there are less than {_BELOW[unit]} {unit}s behind the {first}s"
            )
    if first == "year":
        return _literal("interval_year", (0, 1), sign * (numbers[0] * 12 + numbers[1]))
    total = sum((n * _MICROS[u] for n, u in zip(numbers, units, strict=True)), Decimal(0))
    return _literal("interval_day", (_PLACES[first], _PLACES[last]), sign * total)


def _literal(kind: str, places: tuple[int, int], total: Decimal | int) -> Literal:
    """total: months or microseconds, of which Spark's type holds as many as its integer."""
    most = _MOST[kind]
    if not -most - 1 <= int(total) <= most:
        raise Misused("the interval is longer than any that Spark has")
    return Literal(SparkType(kind, places), False, int(total))
