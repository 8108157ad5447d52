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


@makes("interval_year_to_month")
def interval_year(message: Any, env: Env, path: Path) -> Value:
    """Years or months where that is all there is, else ``INTERVAL 'y-m' YEAR TO MONTH``."""
    interval = message.interval_year_to_month
    months = interval.years * 12 + interval.months
    if abs(months) > _MOST_MONTHS:
        raise invalid("SS2143", "the interval is longer than 10,000 years", path)
    type = types.interval_year(nullable=message.nullable)
    if months % 12 == 0:
        return Value(_interval(str(months // 12), "YEAR"), type)
    if interval.years and interval.months:
        sign = "-" if months < 0 else ""
        years, rest = divmod(abs(months), 12)
        return Value(_interval(f"{sign}{years}-{rest}", "YEAR TO MONTH"), type)
    return Value(_interval(str(months), "MONTH"), type)


@makes("interval_day_to_second")
def interval_day(message: Any, env: Env, path: Path) -> Value:
    """Days where that is all there is, else ``INTERVAL 'd hh:mm:ss.ffffff' DAY TO SECOND``."""
    interval = message.interval_day_to_second
    precision = interval.precision
    check_precision(precision, path)
    type = types.interval_day(precision, nullable=message.nullable)
    if precision > MICROS:
        micros, rest = divmod(interval.subseconds, 10 ** (precision - MICROS))
        if rest:
            raise refuse(
                "SS2136", "Spark intervals end at microseconds, and this one does not", path
            )
    else:
        micros = interval.subseconds * 10 ** (MICROS - precision)
    total = (interval.days * 86_400 + interval.seconds) * 1_000_000 + micros
    days, rest = divmod(abs(total), 86_400_000_000)
    if days + bool(rest) > _MOST_DAYS:
        raise invalid("SS2143", "the interval is longer than 3,650,000 days", path)
    sign = "-" if total < 0 else ""
    if not rest:
        return Value(_interval(f"{sign}{days}", "DAY"), type)
    if env.context.habits.intervals_wrap and rest % 1_000_000:
        raise refuse(
            "SS2147",
            "the interval may be a longer one: DuckDB 1.1 keeps 32 bits of its microseconds",
            path,
            "write it in days, or in less than 35 minutes of whole seconds",
        )
    seconds, micros = divmod(rest, 1_000_000)
    clock = f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"
    fraction = f".{micros:06d}".rstrip("0") if micros else ""
    return Value(_interval(f"{sign}{days} {clock}{fraction}", "DAY TO SECOND"), type)


@makes("interval_compound")
def interval_compound(message: Any, env: Env, path: Path) -> Value:
    """Only months, or only days and time, are an interval of that kind.

    Both are ``make_interval(0, 14, 0, 3)``: years, months, weeks, days; a time of day follows as three more numbers.
    Spark adds the months first, then the days, then the time.
    """
    compound = message.interval_compound
    made = type(message)
    day = interval_day(made(interval_day_to_second=compound.interval_day_to_second), env, path)
    year = interval_year(made(interval_year_to_month=compound.interval_year_to_month), env, path)
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
