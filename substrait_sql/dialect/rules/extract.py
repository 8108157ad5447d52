"""``extract``: the components of dates and times. The session time zone is UTC while a statement runs.

https://substrait.io/extensions/functions_datetime/#extract
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from substrait_sql.dialect import operators
from substrait_sql.dialect.rules import Result, again, literal_text, mirrored, number, refused
from substrait_sql.dialect.template import Template
from substrait_sql.schema import types as ty

if TYPE_CHECKING:
    from substrait_sql.dialect.line import Line
    from substrait_sql.dialect.model import Argument, Call, Node

# Components by Spark's name for the field.
_FIELDS = {
    "YEAR": "YEAR", "ISO_YEAR": "YEAROFWEEK", "QUARTER": "QUARTER", "MONTH": "MONTH", "DAY": "DAY",
    "DAY_OF_YEAR": "DOY", "ISO_WEEK": "WEEK",
    "MONDAY_DAY_OF_WEEK": "DOW_ISO", "SUNDAY_DAY_OF_WEEK": "DOW",
    "HOUR": "HOUR", "MINUTE": "MINUTE",
}  # fmt: skip
# Others, over a date. A US week counts to the year its Wednesday is in, and is named by that day; weeks that start on
# the first Monday or Sunday of a year are named by that day of theirs, in the year before if need be.
_OF_DATES = {
    "US_YEAR": "year(date_add(:x, 4 - dayofweek(:x)))",
    "US_WEEK": "(dayofyear(date_add(:x, 4 - dayofweek(:x))) + 6) div 7",
    "MONDAY_WEEK": "(dayofyear(date_sub(:x, weekday(:x))) + 6) div 7",
    "SUNDAY_WEEK": "(dayofyear(date_sub(:x, dayofweek(:x) - 1)) + 6) div 7",
}
# What is counted from 1 or from 0, by the argument that says so.
_INDEXED = {
    "QUARTER", "MONTH", "DAY", "DAY_OF_YEAR", "ISO_WEEK", "US_WEEK", "MONDAY_WEEK", "SUNDAY_WEEK",
    "MONDAY_DAY_OF_WEEK", "SUNDAY_DAY_OF_WEEK",
}  # fmt: skip
# MILLISECOND and MICROSECOND are what is beyond the last full second and the last full millisecond, as the extension
# file has it; the official cases, and PostgreSQL, count the seconds in.
# Parts of a second finer than Spark's microseconds.
_NOTHING = {"NANOSECOND", "PICOSECOND"}
# What producers write instead, all of PostgreSQL's meaning.
_SPELLINGS = {
    "DOY": "DAY_OF_YEAR", "DAYOFYEAR": "DAY_OF_YEAR", "WEEK": "ISO_WEEK", "ISOYEAR": "ISO_YEAR",
    "YEARS": "YEAR", "MONTHS": "MONTH", "DAYS": "DAY", "SECONDS": "SECOND",
}  # fmt: skip
_KNOWN = [
    *_FIELDS,
    *_OF_DATES,
    "SECOND",
    "MILLISECOND",
    "MICROSECOND",
    "SUBSECOND",
    *_NOTHING,
    "UNIX_TIME",
    "TIMEZONE_OFFSET",
]


def extract(call: Call, line: Line) -> Result:
    """``EXTRACT(component FROM x)``."""
    enums = [a.enum for a in call.arguments if a.enum is not None]
    if len(enums) == 1 and enums[0].upper() in ("MONDAY_DAY_OF_WEEK", "SUNDAY_DAY_OF_WEEK"):
        # The official cases and the extension file disagree about the number of a Sunday here.
        raise refused(
            call, f"{enums[0]} without an indexing", "say ONE or ZERO in the argument after it"
        )
    values = [a for a in call.arguments if a.sql is not None]
    return component(call, enums[0], enums[1] if len(enums) > 1 else "ONE", values)


def component(call: Call, name: str, indexing: str, values: list[Argument]) -> Result:
    """One component of a date or timestamp; a time zone may follow the value."""
    upper = name.upper()
    upper = _SPELLINGS.get(upper, upper)
    if indexing.upper() not in ("ONE", "ZERO"):
        raise refused(call, f"there is no indexing {indexing}", "there are ONE and ZERO")
    if indexing.upper() == "ZERO" and upper not in _INDEXED:
        raise refused(call, f"{name} is not counted from ONE or ZERO", "leave the indexing out")
    x, t = values[0].sql, values[0].type
    assert x is not None
    if upper == "UNIX_TIME":
        # The zone changes nothing, unless it is NULL.
        found, yields = _unix_time(x, t, call)
        return _with(found, values[1:]), yields
    if upper == "TIMEZONE_OFFSET" and len(values) > 1:
        shifted = operators.call("unix_seconds", local(x, values[1]))
        utc = operators.call("unix_seconds", again(x))
        return operators.infix(exp.Sub, shifted, utc), ty.i64(nullable=mirrored(call))
    if values[1:]:
        x = local(x, values[1])
    found, yields = _part(call, upper, x, t)
    if indexing.upper() == "ZERO":
        found = operators.infix(exp.Sub, found, number(1))
    return found, yields


def _part(call: Call, upper: str, x: Node, t: object) -> Result:
    nullable = mirrored(call)
    if upper in _FIELDS:
        return exp.Extract(this=exp.Var(this=_FIELDS[upper]), expression=x), ty.i32(
            nullable=nullable
        )
    if upper in _OF_DATES:
        if ty.kind(t) != "date":
            x = cast(x, "DATE")
        kind = ty.i32 if upper == "US_YEAR" else ty.i64
        return Template(_OF_DATES[upper], ["x"]).build([x]), kind(nullable=nullable)
    if upper == "SECOND":
        return operators.call("second", x), ty.i32(nullable=nullable)
    if upper == "SUBSECOND":
        return _subsecond(x), ty.i32(nullable=nullable)
    if upper in _NOTHING:
        known = operators.is_null(x, negated=True)
        nothing = exp.Case(ifs=[exp.If(this=known, true=number(0))]) if nullable else number(0)
        return nothing, ty.i32(nullable=nullable)
    if upper == "MILLISECOND":
        return operators.infix(exp.IntDiv, _subsecond(x), number(1000)), ty.i64(nullable=nullable)
    if upper == "MICROSECOND":
        return operators.infix(exp.Mod, _subsecond(x), number(1000)), ty.i32(nullable=nullable)
    raise refused(
        call, f"there is no SQL for the component {upper}", f"there is for {', '.join(_KNOWN)}"
    )


def local(x: Node, zone: Argument) -> Node:
    """A point in time as the clocks of a time zone show it, for which UTC stands."""
    assert zone.sql is not None
    if literal_text(zone.sql) in ("UTC", "Etc/UTC"):
        return x
    return operators.call("from_utc_timestamp", x, zone.sql)


def _unix_time(x: Node, t: object, call: Call) -> Result:
    yields = ty.i64(nullable=mirrored(call))
    match ty.kind(t):
        case "date":
            days = cast(operators.call("unix_date", x), "BIGINT")
            return operators.infix(exp.Mul, days, number(86400)), yields
        case "precision_timestamp_tz":
            return operators.call("unix_seconds", x), yields
        case "precision_timestamp":
            return operators.call("unix_seconds", cast(x, "TIMESTAMP")), yields
    raise refused(call, "UNIX_TIME of a value of unknown type")


def _with(found: Node, zone: list[Argument]) -> Node:
    if not zone or (zone[0].type is not None and not ty.nullable(zone[0].type)):
        return found
    assert zone[0].sql is not None
    known = operators.is_null(zone[0].sql, negated=True)
    return exp.Case(ifs=[exp.If(this=known, true=found)])


def _subsecond(x: Node) -> Node:
    seconds = exp.Extract(this=exp.Var(this="SECOND"), expression=x)
    micros = cast(operators.infix(exp.Mul, seconds, number(1000000)), "INT")
    return operators.infix(exp.Mod, micros, number(1000000))


def cast(node: Node, target: str) -> Node:
    """``CAST(node AS target)``."""
    return operators.cast(node, exp.Var(this=target))
