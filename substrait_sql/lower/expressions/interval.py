"""Literals of intervals: https://substrait.io/types/type_classes/#compound-types has what they hold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.dialect.operators import call
from substrait_sql.errors import invalid, refuse
from substrait_sql.lower.expressions.literal import makes, number_node
from substrait_sql.lower.expressions.times import MICROS, check_precision
from substrait_sql.lower.value import Value
from substrait_sql.schema import types

if TYPE_CHECKING:
    from substrait_sql.lower.context import Env
    from substrait_sql.wire.path import Path

# https://substrait.io/types/type_classes/
_MOST_MONTHS = 120_000
_MOST_DAYS = 3_650_000
MICROS_OF_DAY = 86_400_000_000


@makes("interval_year_to_month")
def interval_year(message: Any, env: Env, path: Path) -> Value:
    """``INTERVAL '1-0' YEAR TO MONTH``: of all units, so that it is of its type wherever it shows."""
    months = _months(message)
    if abs(months) > _MOST_MONTHS:
        raise invalid("SS2143", "the interval is longer than 10,000 years", path)
    type = types.interval_year(nullable=message.nullable)
    return Value(_years_and_months(months), type)


@makes("interval_day_to_second")
def interval_day(message: Any, env: Env, path: Path) -> Value:
    """``INTERVAL '1 00:00:00' DAY TO SECOND``: of all units, as `interval_year`."""
    precision = message.interval_day_to_second.precision
    check_precision(precision, path)
    total, rest = _micros(message)
    if rest:
        raise refuse("SS2136", "Spark intervals end at microseconds, and this one does not", path)
    if abs(total) > _MOST_DAYS * MICROS_OF_DAY:
        raise invalid("SS2143", "the interval is longer than 3,650,000 days", path)
    if env.context.habits.intervals_wrap and total % MICROS_OF_DAY and total % 1_000_000:
        raise refuse(
            "SS2147",
            "the interval may be a longer one: DuckDB 1.1 keeps 32 bits of its microseconds",
            path,
            "write it in days, or in less than 35 minutes of whole seconds",
        )
    return Value(_days_and_clock(total), types.interval_day(precision, nullable=message.nullable))


def shortest(message: Any) -> exp.Expression | None:
    """An interval's literal in the units that it needs, ``INTERVAL '7' DAY``; None for other literals.

    For operators that take intervals of all units and make none: there its own type does not show.
    """
    kind = message.WhichOneof("literal_type")
    if kind == "interval_year_to_month":
        interval, months = message.interval_year_to_month, _months(message)
        if months % 12 == 0:
            return _interval(str(months // 12), "YEAR")
        if interval.years and interval.months:
            return _years_and_months(months)
        return _interval(str(months), "MONTH")
    if kind == "interval_day_to_second":
        total, _ = _micros(message)
        return (
            _days_and_clock(total)
            if total % MICROS_OF_DAY
            else _interval(str(total // MICROS_OF_DAY), "DAY")
        )
    return None


def length(message: Any) -> int | None:
    """The months or the microseconds of an interval's literal; None for other literals."""
    kind = message.WhichOneof("literal_type")
    if kind == "interval_year_to_month":
        return _months(message)
    return _micros(message)[0] if kind == "interval_day_to_second" else None


def micros_of(message: Any) -> int | None:
    """The microseconds of an interval's literal, of one of months and time those of the time; None for others."""
    if message.WhichOneof("literal_type") == "interval_compound":
        message = message.interval_compound
    elif message.WhichOneof("literal_type") != "interval_day_to_second":
        return None
    return _micros(message)[0]


def _months(message: Any) -> int:
    interval = message.interval_year_to_month
    return int(interval.years * 12 + interval.months)


def _years_and_months(months: int) -> exp.Expression:
    years, rest = divmod(abs(months), 12)
    return _interval(f"{'-' if months < 0 else ''}{years}-{rest}", "YEAR TO MONTH")


def _micros(message: Any) -> tuple[int, int]:
    """The microseconds, and whether there is less than one beside."""
    interval = message.interval_day_to_second
    scale = 10 ** abs(interval.precision - MICROS)
    subseconds = interval.subseconds
    finer = interval.precision > MICROS
    micros, rest = divmod(subseconds, scale) if finer else (subseconds * scale, 0)
    return (interval.days * 86_400 + interval.seconds) * 1_000_000 + micros, rest


def _days_and_clock(micros: int) -> exp.Expression:
    days, rest = divmod(abs(micros), MICROS_OF_DAY)
    seconds, rest = divmod(rest, 1_000_000)
    clock = f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"
    fraction = f".{rest:06d}".rstrip("0") if rest else ""
    return _interval(f"{'-' if micros < 0 else ''}{days} {clock}{fraction}", "DAY TO SECOND")


@makes("interval_compound")
def interval_compound(message: Any, env: Env, path: Path) -> Value:
    """Only months, or only days and time, are an interval of that kind.

    Both are ``make_interval(0, 14, 0, 3)``: years, months, weeks, days; a time of day follows as three more numbers.
    Spark adds the months first, then the days, then the time.
    """
    compound = message.interval_compound
    made = type(message)
    time = made(interval_day_to_second=compound.interval_day_to_second)
    date = made(interval_year_to_month=compound.interval_year_to_month)
    day, year = interval_day(time, env, path), interval_year(date, env, path)
    day.sql, year.sql = shortest(time) or day.sql, shortest(date) or year.sql
    precision = compound.interval_day_to_second.precision
    target = types.interval_compound(precision, nullable=message.nullable)
    months = compound.interval_year_to_month.years * 12 + compound.interval_year_to_month.months
    mixed = _in_two_directions(compound.interval_day_to_second)
    if mixed and not months:
        return Value(call("make_interval", *map(number_node, mixed)), target)
    if not months:
        return Value(day.sql, target, day.type)
    if day.sql.this.name == "0":
        return Value(year.sql, target, year.type)
    numbers = ["0", str(months), "0", *_days_and_time(day.sql)]
    return Value(call("make_interval", *map(number_node, numbers)), target)


def _in_two_directions(interval: Any) -> list[str]:
    """The arguments of ``make_interval`` for days that go one way and a time that goes the other; none for any else.

    A date of DataFusion's feels the days alone, which the sum of both would not show.
    """
    scale = 10**interval.precision
    time = interval.seconds * scale + interval.subseconds
    if interval.days * time >= 0:
        return []
    whole, rest = divmod(abs(time), scale)
    fraction = f".{rest:0{interval.precision}d}".rstrip("0") if rest else ""
    sign = "-" if time < 0 else ""
    return ["0", "0", "0", str(interval.days), "0", "0", f"{sign}{whole}{fraction}"]


def _days_and_time(interval: exp.Expression) -> list[str]:
    """The numbers in an interval of days and time: ``-1 02:00:04.5`` is minus one day, two hours and 4.5 seconds."""
    text = interval.this.name
    sign = "-" if text.startswith("-") else ""
    days, _, clock = text.lstrip("-").partition(" ")
    hours, minutes, seconds = clock.split(":") if clock else ("0", "0", "0")
    whole, _, fraction = seconds.partition(".")
    parts = [
        days,
        str(int(hours)),
        str(int(minutes)),
        str(int(whole)) + (f".{fraction}" if fraction else ""),
    ]
    signed = [p if p.strip("0.") == "" else sign + p for p in parts]
    return signed if clock else signed[:1]


def _interval(text: str, unit: str) -> exp.Expression:
    return exp.Interval(this=exp.Literal.string(text), unit=exp.Var(this=unit))
