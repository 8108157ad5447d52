"""Dates and times. The session time zone is UTC while a statement runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.dialect import operators
from substrait_sql.dialect.rules import Result, literal_text, mirrored, number, quoted, refused
from substrait_sql.schema import types as ty

if TYPE_CHECKING:
    from substrait_sql.dialect.line import Line
    from substrait_sql.dialect.model import Argument, Call, Node

# Components by Spark's name for the field. Where weeks and days are numbered, all of these count
# from 1.
_FIELDS = {
    "YEAR": "YEAR", "ISO_YEAR": "YEAROFWEEK", "QUARTER": "QUARTER", "MONTH": "MONTH", "DAY": "DAY",
    "DAY_OF_YEAR": "DOY", "ISO_WEEK": "WEEK",
    "MONDAY_DAY_OF_WEEK": "DOW_ISO", "SUNDAY_DAY_OF_WEEK": "DOW",
    "HOUR": "HOUR", "MINUTE": "MINUTE",
}  # fmt: skip
# What producers write instead, all of PostgreSQL's meaning.
_SPELLINGS = {
    "DOY": "DAY_OF_YEAR", "DAYOFYEAR": "DAY_OF_YEAR", "WEEK": "ISO_WEEK", "ISOYEAR": "ISO_YEAR",
    "YEARS": "YEAR", "MONTHS": "MONTH", "DAYS": "DAY", "SECONDS": "SECOND",
}  # fmt: skip


def extract(call: Call, line: Line) -> Result:
    """``EXTRACT(component FROM x)``.

    https://substrait.io/extensions/functions_datetime/#extract
    """
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
    yields = ty.i32(nullable=mirrored(call))
    x, t = values[0].sql, values[0].type
    assert x is not None
    if upper == "UNIX_TIME":
        return _unix_time(x, t, call)
    x = _local(call, x, values[1:])
    if upper in _FIELDS:
        found: Node = exp.Extract(this=exp.Var(this=_FIELDS[upper]), expression=x)
        if indexing.upper() == "ZERO":
            found = operators.infix(exp.Sub, found, number(1))
        return found, yields
    if upper == "SECOND":
        return operators.call("second", x), yields
    if upper == "SUBSECOND":
        return _subsecond(x), yields
    known = ", ".join([*_FIELDS, "SECOND", "SUBSECOND", "UNIX_TIME"])
    raise refused(call, f"there is no SQL for the component {name}", f"there is for {known}")


def _local(call: Call, x: Node, zones: list[Argument]) -> Node:
    if not zones:
        return x
    zone = literal_text(zones[0].sql)
    return (
        x if zone in ("UTC", "Etc/UTC") else operators.call("from_utc_timestamp", x, _sql(zones[0]))
    )


def _sql(argument: Argument) -> Node:
    assert argument.sql is not None
    return argument.sql


def _unix_time(x: Node, t: Any, call: Call) -> Result:
    yields = ty.i64(nullable=mirrored(call))
    match ty.kind(t):
        case "date":
            days = _cast(operators.call("unix_date", x), "BIGINT")
            return operators.infix(exp.Mul, days, number(86400)), yields
        case "precision_timestamp_tz":
            return operators.call("unix_seconds", x), yields
        case "precision_timestamp":
            return operators.call("unix_seconds", _cast(x, "TIMESTAMP")), yields
    raise refused(call, "UNIX_TIME of a value of unknown type")


def _subsecond(x: Node) -> Node:
    seconds = exp.Extract(this=exp.Var(this="SECOND"), expression=x)
    micros = _cast(operators.infix(exp.Mul, seconds, number(1000000)), "INT")
    return operators.infix(exp.Mod, micros, number(1000000))


def _cast(node: Node, target: str) -> Node:
    return exp.Cast(this=node, to=exp.DataType.build(target, dialect="spark"))


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
    return operators.infix(cls, _cast(day, "TIMESTAMP_NTZ"), interval), ty.precision_timestamp(
        6, nullable=nullable
    )


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
    elif name.upper() == "EPOCH":
        raise refused(call, "epoch with a fraction")
    else:
        found, yields = component(call, name, "ONE", value)
    return found, yields


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
    cut = operators.call("date_trunc", quoted(unit.upper()), call.values[1])
    if ty.kind(call.types[1]) == "precision_timestamp_tz":
        return cut, ty.precision_timestamp_tz(6, nullable=nullable)
    return _cast(cut, "TIMESTAMP_NTZ"), ty.precision_timestamp(6, nullable=nullable)


def date_plus_compound(call: Call, line: Line) -> Result:
    """DataFusion's date plus months and days, a date again."""
    return _by_days(call, exp.Add)


def date_minus_compound(call: Call, line: Line) -> Result:
    """DataFusion's date less months and days, a date again."""
    return _by_days(call, exp.Sub)


def _by_days(call: Call, operator: type[exp.Expression]) -> Result:
    day, interval = call.values
    whole = isinstance(interval, exp.Interval) and interval.args["unit"].name in _WHOLE_DAYS
    if not whole and not (isinstance(interval, exp.Anonymous) and interval.name == "make_interval"):
        # Spark would make a timestamp of it.
        raise refused(call, "a date and an interval that is not a literal of whole days")
    return operators.infix(operator, day, interval), call.types[0]


_WHOLE_DAYS = ("YEAR", "MONTH", "DAY")
