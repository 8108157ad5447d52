"""Dates and times. The session time zone is UTC while a statement runs."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TYPE_CHECKING

from sqlglot import exp

from substrait_sql.dialect import operators
from substrait_sql.dialect.rules import (
    Result,
    again,
    as_int,
    literal_int,
    literal_text,
    mirrored,
    number,
    quoted,
    refused,
)
from substrait_sql.dialect.rules.extract import cast, component, local
from substrait_sql.dialect.template import Template
from substrait_sql.schema import naming
from substrait_sql.schema import types as ty

if TYPE_CHECKING:
    from substrait_sql.dialect.line import Line
    from substrait_sql.dialect.model import Call, Node

_MICROS = 6


def later(call: Call, line: Line) -> Result:
    """``date + interval_day``, a timestamp in Substrait.

    A plan that declares a date means whole days, and gets a date.
    """
    return _shift(exp.Add, call)


def earlier(call: Call, line: Line) -> Result:
    """``date - interval_day``."""
    return _shift(exp.Sub, call)


def _shift(cls: type[Node], call: Call) -> Result:
    day, interval = call.values
    nullable = mirrored(call)
    if ty.kind(call.output_type) == "date" and _whole_days(interval):
        return operators.infix(cls, day, interval), ty.date(nullable=nullable)
    # Spark's DATE + INTERVAL DAY TO SECOND is a timestamp with time zone; this one has none.
    return operators.infix(cls, cast(day, "TIMESTAMP_NTZ"), interval), ty.precision_timestamp(
        6, nullable=nullable
    )


def in_zone(call: Call, line: Line) -> Result:
    """Months later or earlier by the clocks of a time zone."""
    x, months, zone = (a for a in call.arguments if a.sql is not None)
    assert months.sql is not None
    assert zone.sql is not None
    assert x.sql is not None
    cls = exp.Add if line.name == "add" else exp.Sub
    nullable = mirrored(call)
    moved = operators.infix(cls, local(x.sql, zone), months.sql)
    if literal_text(zone.sql) not in ("UTC", "Etc/UTC"):
        moved = operators.call("to_utc_timestamp", moved, again(zone.sql))
    return moved, ty.precision_timestamp_tz(6, nullable=nullable)


def midnight(call: Call, line: Line) -> Result:
    """``assume_timezone`` of a date: its first moment, by the clocks of a time zone."""
    day, zone, precision = call.values
    digits = literal_int(precision)
    if digits is None or not 0 <= digits <= _MICROS:
        raise refused(call, f"a precision that is not a literal from 0 to {_MICROS}")
    first = operators.call("to_utc_timestamp", cast(day, "TIMESTAMP"), zone)
    return first, ty.precision_timestamp_tz(digits, nullable=mirrored(call))


def days_later(call: Call, line: Line) -> Result:
    """A date and a number of days."""
    return _days(exp.Add, call)


def days_earlier(call: Call, line: Line) -> Result:
    """A date without a number of days."""
    return _days(exp.Sub, call)


def _days(cls: type[Node], call: Call) -> Result:
    day, days = call.values
    days = as_int(days, call.types[1])
    if literal_int(days) is None and ty.kind(call.types[1]) != "i32":
        days = cast(days, "INT")
    return operators.infix(cls, day, days), ty.date(nullable=mirrored(call))


def _whole_days(node: Node) -> bool:
    if not isinstance(node, exp.Interval):
        return False
    return str(node.args.get("unit") or "").upper() in ("DAY", "WEEK")


def date_part(call: Call, line: Line) -> Result:
    """``date_part('year', x)`` of DataFusion and DuckDB."""
    name = literal_text(call.values[0])
    if name is None:
        raise refused(call, "a component that is not a literal")
    value = [a for a in call.arguments if a.sql is not None][1:]
    if name.upper() == "DOW":
        # Sunday is 0 there and 1 on Spark.
        found, yields = component(call, "SUNDAY_DAY_OF_WEEK", "ZERO", value)
    elif name.upper() in ("SECOND", "SECONDS") and ty.kind(call.output_type) in (
        "fp64",
        "decimal",
        None,
    ):
        raise refused(call, "seconds with a fraction")
    elif name.upper() == "ISODOW":
        found, yields = component(call, "MONDAY_DAY_OF_WEEK", "ONE", value)
    elif name.upper() == "EPOCH":
        found, yields = _epoch(call.values[1], call)
    elif call.kinds[1] == "precision_time" and name.upper().rstrip("S") not in _OF_TIMES:
        raise refused(call, f"{name} of a time of day")
    elif name.upper().rstrip("S") in _PER_SECOND:
        found, yields = _with_seconds(call, name.upper().rstrip("S"))
    elif name.upper().startswith("SUBSEC"):
        raise refused(call, f"{name} is not known")
    else:
        found, yields = component(call, name, "ONE", value)
    return found, yields


def date_part_whole(call: Call, line: Line) -> Result:
    """``date_part('second', x)`` of DataFusion since 44: a whole number, as the other parts are."""
    if _asks_for_seconds(call):
        second = exp.Extract(this=exp.Var(this="SECOND"), expression=call.values[-1])
        return cast(second, "INT"), ty.i32(nullable=mirrored(call))
    return date_part(call, line)


def date_part_with_fraction(call: Call, line: Line) -> Result:
    """``date_part('second', x)`` of DataFusion up to 43: every part is a double, with what is behind its point."""
    name = (literal_text(call.values[0]) or "").upper().rstrip("S")
    if _asks_for_seconds(call) or name in _PER_SECOND:
        found: Node = exp.Extract(this=exp.Var(this="SECOND"), expression=call.values[-1])
        if name in _PER_SECOND:
            found = operators.infix(exp.Mul, found, exp.Literal.number(_PER_SECOND[name]))
    else:
        found, _ = date_part(call, line)
    return cast(found, "DOUBLE"), ty.fp64(nullable=mirrored(call))


def _asks_for_seconds(call: Call) -> bool:
    name = (literal_text(call.values[0]) or "").upper()
    return name in ("SECOND", "SECONDS") and ty.kind(call.types[-1]) != "date"


# The parts that a time of day has.
_OF_TIMES = ("HOUR", "MINUTE", "MILLISECOND", "MICROSECOND", "NANOSECOND")
_PER_SECOND = {"MILLISECOND": 10**3, "MICROSECOND": 10**6, "NANOSECOND": 10**9}


def _with_seconds(call: Call, unit: str) -> Result:
    """The seconds of the minute and their fraction, in smaller units."""
    x = call.values[-1]
    if ty.kind(call.types[-1]) == "date":
        raise refused(call, f"{unit} of a day")
    seconds: Node = exp.Extract(this=exp.Var(this="SECOND"), expression=x)
    found = operators.infix(exp.Mul, seconds, exp.Literal.number(_PER_SECOND[unit]))
    long = unit == "NANOSECOND"
    yields = (ty.i64 if long else ty.i32)(nullable=mirrored(call))
    return cast(found, "BIGINT" if long else "INT"), yields


_BOUNDARIES = {
    "YEAR": "year(:y) - year(:x)",
    "MONTH": "(year(:y) - year(:x)) * 12 + month(:y) - month(:x)",
    "DAY": "datediff(:y, :x)",
}


def boundaries_between(call: Call, line: Line) -> Result:
    """``date_diff('month', x, y)`` of DuckDB: how many months begin after x, up to y."""
    unit, *dates = call.values
    text = _BOUNDARIES.get((literal_text(unit) or "").upper().removesuffix("S"))
    if text is None:
        raise refused(call, "a unit other than year, month and day")
    return Template(text, ["x", "y"]).build(dates), ty.i32(nullable=mirrored(call))


def micros_of_minute(call: Call, line: Line) -> Result:
    """``EXTRACT(MICROSECOND FROM x)`` as DuckDB means it."""
    return _with_seconds(call, "MICROSECOND")


def _epoch(x: Node, call: Call) -> Result:
    """Seconds since 1970, with a fraction."""
    yields = ty.fp64(nullable=mirrored(call))
    if ty.kind(call.types[1]) == "date":
        days = operators.call("unix_date", x)
        return operators.infix(exp.Mul, days, exp.Var(this="86400D")), yields
    if call.kinds[1] == "precision_time":
        micros = operators.call("time_to_micros", x)
    else:
        micros = operators.call("unix_micros", cast(x, "TIMESTAMP"))
    return operators.infix(exp.Div, micros, exp.Var(this="1000000D")), yields


_UNITS = {
    "YEAR",
    "QUARTER",
    "MONTH",
    "WEEK",
    "DAY",
    "HOUR",
    "MINUTE",
    "SECOND",
    "MILLISECOND",
    "MICROSECOND",
}


def date_trunc(call: Call, line: Line) -> Result:
    """``date_trunc('month', x)``.

    Spark's yields a timestamp with time zone, whatever it is given.
    """
    unit = literal_text(call.values[0])
    if unit is None or unit.upper() not in _UNITS:
        raise refused(
            call, "a unit that is not a literal", f"units are {', '.join(sorted(_UNITS)).lower()}"
        )
    nullable = mirrored(call)
    if call.kinds[1] == "precision_time":
        return _time_trunc(call, unit.upper())
    cut = operators.call("date_trunc", quoted(unit.upper()), call.values[1])
    if ty.kind(call.types[1]) == "precision_timestamp_tz":
        return cut, ty.precision_timestamp_tz(6, nullable=nullable)
    return cast(cut, "TIMESTAMP_NTZ"), ty.precision_timestamp(6, nullable=nullable)


def _time_trunc(call: Call, unit: str) -> Result:
    if unit in _OF_DAYS:
        raise refused(call, f"{unit} of a time of day")
    return operators.call("time_trunc", quoted(unit), call.values[1]), call.types[1]


_OF_DAYS = ("YEAR", "QUARTER", "MONTH", "WEEK", "DAY")


def time_plus_compound(call: Call, line: Line) -> Result:
    """DataFusion's time of day plus an interval, of which days are nothing; midnight follows 23:59."""
    return _on_the_clock(call, exp.Add)


def time_minus_compound(call: Call, line: Line) -> Result:
    """DataFusion's time of day less an interval."""
    return _on_the_clock(call, exp.Sub)


def _on_the_clock(call: Call, operator: type[exp.Expression]) -> Result:
    time, interval = call.values
    declared = call.types[0]
    if ty.kind(declared) != "precision_time":
        time, interval, declared = interval, time, call.types[1]
    if ty.parameters(declared)[0] < _MICROS:
        raise refused(call, "a time of day without microseconds, and an interval")
    # Spark's TIME fails beyond midnight.
    day = exp.Cast(this=quoted("1970-01-01"), to=exp.Var(this="DATE"))
    moment = operators.call("make_timestamp_ntz", day, time)
    return cast(operators.infix(operator, moment, interval), f"TIME({_MICROS})"), declared


def now(call: Call, line: Line) -> Result:
    """The time at which the statement runs; of a moment without a zone as the clocks of UTC show it."""
    found = operators.call("current_timestamp")
    if call.output_kind == "precision_timestamp_tz":
        return found, ty.precision_timestamp_tz(_MICROS)
    return cast(found, "TIMESTAMP_NTZ"), ty.precision_timestamp(_MICROS)


def date_plus_compound(call: Call, line: Line) -> Result:
    """DataFusion's date plus months and days, a date again."""
    return _by_days(call, exp.Add)


def date_minus_compound(call: Call, line: Line) -> Result:
    """DataFusion's date less months and days, a date again."""
    return _by_days(call, exp.Sub)


def _by_days(call: Call, operator: type[exp.Expression]) -> Result:
    day, interval = call.values
    if call.kinds[0] != "date":
        day, interval = interval, day
    interval = _without_hours(interval)
    whole = isinstance(interval, exp.Interval) and interval.args["unit"].name in _WHOLE_DAYS
    made = isinstance(interval, exp.Anonymous) and interval.name == "make_interval"
    if not whole and not (made and len(interval.expressions) == _UP_TO_DAYS):
        # Spark would make a timestamp of it.
        raise refused(call, "a date and an interval that is not a literal of whole days")
    return operators.infix(operator, day, interval), ty.date(nullable=mirrored(call))


def _without_hours(interval: Node) -> Node:
    """An interval of days and hours without the hours, which a date of DataFusion's does not feel."""
    if isinstance(interval, exp.Interval) and interval.args["unit"].name == "DAY TO SECOND":
        found = re.fullmatch(r"(-?\d+) .*", literal_text(interval.this) or "")
        if found:
            return exp.Interval(this=quoted(found[1]), unit=exp.Var(this="DAY"))
    if isinstance(interval, exp.Anonymous) and interval.name == "make_interval":
        given = interval.expressions
        if len(given) > _UP_TO_DAYS and all(type(each) is exp.Literal for each in given):
            return _of_whole_days([Decimal(each.name) for each in given])
    return interval


def _of_whole_days(numbers: list[Decimal]) -> Node:
    """``make_interval`` of years, months, weeks and days, with what the hours, minutes and seconds have of days."""
    time = numbers[_UP_TO_DAYS:] + [Decimal(0)] * (len(_PER_DAY) - len(numbers[_UP_TO_DAYS:]))
    days = sum(n / per for n, per in zip(time, _PER_DAY, strict=True))
    whole = [*numbers[: _UP_TO_DAYS - 1], numbers[_UP_TO_DAYS - 1] + int(days)]
    years, months, *rest = (int(n) for n in whole)
    if not years and not any(rest):
        return exp.Interval(this=quoted(str(months)), unit=exp.Var(this="MONTH"))
    return operators.call("make_interval", *map(number, (years, months, *rest)))


_WHOLE_DAYS = ("YEAR", "MONTH", "YEAR TO MONTH", "DAY")
# The arguments of make_interval before those that are less than a day: years, months, weeks, days.
_UP_TO_DAYS = 4
# How many of those behind them are a day: hours, minutes, seconds.
_PER_DAY = (24, 1440, 86400)


_WORDS = (
    "YEAR", "QUARTER", "MONTH", "WEEK", "DAY", "DAYOFYEAR", "HOUR", "MINUTE", "SECOND", "MILLISECOND", "MICROSECOND",
)  # fmt: skip


def by_unit(call: Call, line: Line) -> Result:
    """``timestampadd(MONTH, 1, x)``: the unit is a word."""
    unit, *rest = call.values
    word = literal_text(unit) or ""
    if word not in _WORDS:
        raise refused(call, f"the unit {word!r}")
    return operators.call(line.name, exp.Var(this=word), *rest), None


def window(call: Call, line: Line) -> Result:
    """``window(t, '5 minutes')``, whose fields Spark calls start and end."""
    declared = call.output_type
    made = operators.call("window", *call.values)
    if declared is None or ty.kind(declared) != "struct":
        return made, None
    pair = len(declared.struct.types) == len(_ENDS)
    return made, naming.with_names(declared, _ENDS) if pair else None


_ENDS = ("start", "end")
