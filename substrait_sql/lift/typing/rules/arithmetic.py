"""Arithmetic that has the name of a function: try_add, mod, div and the like.

https://spark.apache.org/docs/latest/sql-ref-ansi-compliance.html#arithmetic-operations
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from substrait_sql.lift.typing import arithmetic as decimals
from substrait_sql.lift.typing import types as t
from substrait_sql.lift.typing.calls import Argument, Misused
from substrait_sql.lift.typing.common import tightest, with_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from substrait_sql.lift.typing.types import SparkType

    Given = tuple[Argument, ...]
    Found = tuple[tuple[SparkType, ...], SparkType, bool]


def as_decimal(argument: Argument) -> SparkType:
    """The decimal of an integer beside a decimal: a literal has its own digits, not those of its type."""
    if argument.type.kind in t.INTEGRAL and isinstance(argument.value, int) and not argument.cast:
        return decimals.of_value(argument.value)
    return t.as_decimal(argument.type)


def numbers(a: Argument, b: Argument) -> tuple[SparkType, SparkType]:
    """The types of two operands after the casts: the same, or two decimals."""
    x, y = a.type, b.type
    if {x.kind, y.kind} == {"void"}:
        return t.DOUBLE, t.DOUBLE
    if "string" in (x.kind, y.kind) and x != y:
        found = with_text(x, y)
        if x.kind != "void" and y.kind != "void" and found is not None:
            x, y = (found, y) if x.kind == "string" else (x, found)
    if "decimal" in (x.kind, y.kind) and x.kind in t.NUMERIC and y.kind in t.NUMERIC:
        if {"float", "double"} & {x.kind, y.kind}:
            return t.DOUBLE, t.DOUBLE
        return as_decimal(a), as_decimal(b)
    to = tightest(x, y)
    if to is None or to.kind not in t.NUMERIC:
        raise Misused(f"no arithmetic with {a.type} and {b.type}")
    return to, to


def _arithmetic(operator: str) -> Callable[[Given], Found]:
    def rule(arguments: Given) -> Found:
        types = numbers(*arguments)
        out = types[0]
        if out.kind == "decimal":
            out = decimals.result(operator, *types)
        return types, out, True

    return rule


def _divided(arguments: Given) -> Found:
    first, second = arguments
    if first.type.kind in (*t.INTERVALS, "interval"):
        return _scaled(arguments)
    types = numbers(first, second)
    if types[0].kind == "decimal":
        return types, decimals.result("/", *types), True
    return (t.DOUBLE, t.DOUBLE), t.DOUBLE, True


def _multiplied(arguments: Given) -> Found:
    if any(a.type.kind in (*t.INTERVALS, "interval") for a in arguments):
        return _scaled(arguments)
    return _arithmetic("*")(arguments)


def _scaled(arguments: Given) -> Found:
    """An interval times or by a number has all units of its kind."""
    interval = next(a.type for a in arguments if a.type.kind in (*t.INTERVALS, "interval"))
    others = [a for a in arguments if a.type != interval]
    whole = {"interval_year": t.YEAR_MONTH, "interval_day": t.DAY_SECOND}.get(
        interval.kind, interval
    )
    types: list[SparkType] = []
    for each in arguments:
        if each.type.kind in (*t.NUMERIC, *t.INTERVALS, "interval"):
            types.append(each.type)
        elif each.type.kind in ("string", "void"):
            types.append(t.DOUBLE)
        else:
            raise Misused(f"no arithmetic with {interval} and {each.type}")
    if not others or sum(a.type.kind in (*t.INTERVALS, "interval") for a in arguments) > 1:
        raise Misused("an interval is multiplied by a number")
    return tuple(types), whole, True


def _div(arguments: Given) -> Found:
    first, second = arguments
    intervals = [a.type for a in arguments if a.type.kind in t.INTERVALS]
    if intervals:
        if any(a.type.kind not in ("void", intervals[0].kind) for a in arguments):
            raise Misused(f"no arithmetic with {first.type} and {second.type}")
        return (intervals[0], intervals[-1]), t.BIGINT, True
    if all(a.type.kind == "void" for a in arguments):
        return (t.BIGINT, t.BIGINT), t.BIGINT, True
    types = numbers(first, second)
    if types[0].kind in ("float", "double"):
        raise Misused(f"div takes integers and decimals, not {first.type} and {second.type}")
    if types[0].kind in t.INTEGRAL:
        types = (t.BIGINT, t.BIGINT)
    return types, t.BIGINT, True


def _moved(arguments: Given, *, minus: bool) -> Found | None:
    """A date or a point in time and an interval; None for numbers."""
    kinds = [a.type.kind for a in arguments]
    times = (*t.DATETIMES, "time", "interval", *t.INTERVALS)
    if not any(k in times for k in kinds):
        return None
    types = tuple(a.type for a in arguments)
    first, second = types
    later = kinds[0] in ("interval", *t.INTERVALS) and kinds[1] in ("string", "time")
    if not minus and (later or (kinds[0] not in t.DATETIMES and kinds[1] in t.DATETIMES)):
        found = _moved((arguments[1], arguments[0]), minus=False)
        return found and ((found[0][1], found[0][0]), found[1], True)
    out: SparkType | None = None
    match first.kind, second.kind:
        case "date", "tinyint" | "smallint" | "int" | "interval_year":
            out = first
        case "date", "interval":
            out = first
        case "date", "interval_day":
            out = first if second.numbers == (0, 0) else t.TIMESTAMP
        case (("timestamp" | "timestamp_ntz"), ("interval" | "interval_year" | "interval_day")):
            out = first
        case (("time" | "string"), "interval_day") | ("string", "interval"):
            out = first
        case "time", "time" if minus:
            out = t.SparkType("interval_day", (1, 3))
        case "string", "timestamp" | "timestamp_ntz" if minus:
            out = t.DAY_SECOND
        case (("interval_year" | "interval_day"), same) if same == first.kind:
            out = tightest(first, second)
        case "interval", "interval":
            out = first
        case "date", "date" if minus:
            out = t.SparkType("interval_day", (0, 0))
        case (("date" | "timestamp" | "timestamp_ntz"), ("date" | "timestamp" | "timestamp_ntz")):
            out = t.DAY_SECOND if minus else None
    if out is None:
        raise Misused(f"no arithmetic with {first} and {second}")
    return types, out, True


def _plus(arguments: Given) -> Found:
    return _moved(arguments, minus=False) or _arithmetic("+")(arguments)


def _minus(arguments: Given) -> Found:
    return _moved(arguments, minus=True) or _arithmetic("-")(arguments)


RULES = {
    "add": _plus, "subtract": _minus, "multiply": _multiplied, "divide": _divided,
    "rest": _arithmetic("%"), "div": _div,
}  # fmt: skip
