"""``round_temporal`` and ``round_calendar``: the multiple of a unit before or after a date or time.

https://substrait.io/extensions/functions_datetime/#round_temporal

With d the distance from the origin and s the step, the multiple at or before x is ``x - pmod(d, s)``. The other
roundings are that of a later time: ``x + k - pmod(d + k, s)``, with k one less than s for the multiple at or after x,
and half of s for the nearest one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from substrait_sql.dialect import operators
from substrait_sql.dialect.rules import (
    Result,
    again,
    literal_int,
    literal_text,
    mirrored,
    number,
    quoted,
    refused,
)
from substrait_sql.dialect.rules.extract import cast, local
from substrait_sql.dialect.template import Template
from substrait_sql.schema import types as ty

if TYPE_CHECKING:
    from substrait_sql.dialect.line import Line
    from substrait_sql.dialect.model import Argument, Call, Node

_DAY = 86_400_000_000
# Units of a fixed length, in microseconds.
_MICROS = {
    "MICROSECOND": 1, "MILLISECOND": 1000, "SECOND": 1_000_000, "MINUTE": 60_000_000,
    "HOUR": 3_600_000_000, "DAY": _DAY, "WEEK": 7 * _DAY,
}  # fmt: skip
_MONTHS = {"MONTH": 1, "YEAR": 12}
# The origins of round_calendar by the unit that each is the start of.
_ORIGINS = {
    **{unit: unit for unit in (*_MICROS, *_MONTHS) if unit not in ("WEEK", "MICROSECOND")},
    **dict.fromkeys(("MONDAY_WEEK", "ISO_WEEK", "SUNDAY_WEEK", "US_WEEK"), "WEEK"),
}
_SUNDAY = ("SUNDAY_WEEK", "US_WEEK")
_ORDER = (*_MICROS, *_MONTHS)
_MODES = ("FLOOR", "CEIL", "ROUND_TIE_DOWN", "ROUND_TIE_UP")
_INT = 2**31


def temporal(call: Call, line: Line) -> Result:
    """``round_temporal(x, rounding, unit, multiple, [timezone,] origin)``."""
    mode, unit = _enums(call, 2)
    x, multiple, *zone, origin = (a for a in call.arguments if a.sql is not None)
    start = _clock(call, origin, zone, unit)
    return _rounded(call, line, mode, unit, x, multiple, zone, start, first=False)


def calendar(call: Call, line: Line) -> Result:
    """``round_calendar(x, rounding, unit, origin, multiple[, timezone])``: from the start of the year, month… of x."""
    mode, unit, since = _enums(call, 3)
    x, multiple, *zone = (a for a in call.arguments if a.sql is not None)
    span = _ORIGINS.get(since)
    if span is None or _ORDER.index(span) < _ORDER.index(unit):
        raise refused(call, f"multiples of a {unit} since the start of a {since}")
    count = None if multiple.sql is None else literal_int(multiple.sql)
    if mode != "FLOOR" and not _divides(unit, count, span):
        raise refused(
            call,
            "the last multiple before a new start, and the start itself, are not that far apart",
            "round down, or by a multiple that divides the origin's unit",
        )
    start = _start(_clock(call, x, zone, unit), x, since, span)
    return _rounded(call, line, mode, unit, x, multiple, zone, start, first=True)


def _enums(call: Call, count: int) -> list[str]:
    found = [a.enum.upper() for a in call.arguments if a.enum is not None]
    if len(found) != count or found[0] not in _MODES or found[1] not in _ORDER:
        raise refused(call, f"{', '.join(found)} are not a rounding and units")
    return found


def _divides(unit: str, count: int | None, span: str) -> bool:
    """Whether the span is a whole number of steps, whichever year or month it is."""
    if count is None or count < 1:
        return False
    if unit in _MONTHS:
        return _MONTHS[span] % (_MONTHS[unit] * count) == 0
    return _MICROS.get(span, _DAY) % (_MICROS[unit] * count) == 0


def _clock(call: Call, value: Argument, zone: list[Argument], unit: str) -> Node:
    """A value as the clocks of the time zone show it."""
    assert value.sql is not None
    node = again(value.sql)
    if not zone or literal_text(zone[0].sql) in ("UTC", "Etc/UTC"):
        return node
    if unit in _MICROS and _MICROS[unit] < _DAY:
        raise refused(
            call,
            f"a {unit} by the clocks of a time zone: an hour may be there twice, or not at all",
        )
    assert zone[0].sql is not None
    copy = type(zone[0])(sql=again(zone[0].sql))
    return local(node, copy)


def _start(node: Node, x: Argument, since: str, span: str) -> Node:
    """The start of the span that a date or time is in."""
    kind = ty.kind(x.type)
    if kind == "precision_time":
        micros = operators.call("time_to_micros", node)
        rest = operators.infix(exp.Mod, again(micros), number(_MICROS[span]))
        return operators.call("time_from_micros", operators.infix(exp.Sub, micros, rest))
    if kind == "date":
        if since in _SUNDAY:
            return Template("date_sub(:x, dayofweek(:x) - 1)", ["x"]).build([node])
        return node if span == "DAY" else operators.call("trunc", node, quoted(span))
    text = f"date_trunc('{span}', :x)"
    if since in _SUNDAY:
        text = "date_trunc('WEEK', :x + INTERVAL '1' DAY) - INTERVAL '1' DAY"
    found = Template(text, ["x"]).build([node])
    return cast(found, "TIMESTAMP_NTZ") if kind == "precision_timestamp" else found


# A point in time so many microseconds later. `later` of the line, where the engine has another form.
_LATER = "timestampadd(MICROSECOND, :n, :x)"


def _rounded(
    call: Call,
    line: Line,
    mode: str,
    unit: str,
    x: Argument,
    multiple: Argument,
    zone: list[Argument],
    start: Node,
    *,
    first: bool,
) -> Result:
    """The result, back in UTC. first: the start is the first moment of a month, if months are counted."""
    kind = ty.kind(x.type)
    count = None if multiple.sql is None else literal_int(multiple.sql)
    if count is not None and count < 1:
        raise refused(call, f"a multiple of {count}")
    at = _clock(call, x, zone, unit)
    assert multiple.sql is not None
    if unit in _MONTHS:
        step = _times(multiple.sql, _MONTHS[unit])
        found = _by_months(mode, at, start, step, days=kind == "date", first=first)
    elif kind == "date":
        step = _times(multiple.sql, _MICROS[unit] // _DAY)
        distance = operators.call("datediff", again(at), start)
        shift = _shift(mode, distance, step)
        whole = literal_int(step)
        if whole is None or whole >= _INT:
            shift = cast(shift, "INT")
        found = operators.call("date_add", at, shift)
    elif kind == "precision_time":
        step = _times(multiple.sql, _MICROS[unit])
        micros = operators.call("time_to_micros", at)
        distance = operators.infix(exp.Sub, again(micros), operators.call("time_to_micros", start))
        moved = operators.infix(exp.Add, micros, _shift(mode, distance, step))
        found = operators.call("time_from_micros", moved)
    else:
        step = _times(multiple.sql, _MICROS[unit])
        distance = operators.call("timestampdiff", exp.Var(this="MICROSECOND"), start, again(at))
        later = Template(line.metadata.get("later", _LATER), ["x", "n"])
        found = later.build([at, _shift(mode, distance, step)])
    if zone and literal_text(zone[0].sql) not in ("UTC", "Etc/UTC"):
        assert zone[0].sql is not None
        found = operators.call("to_utc_timestamp", found, zone[0].sql)
    nullable = mirrored(call)
    if kind in ("date", "precision_time"):
        return found, ty.with_nullability(x.type, nullable)
    if kind == "precision_timestamp_tz":
        return found, ty.precision_timestamp_tz(6, nullable=nullable)
    return found, ty.precision_timestamp(6, nullable=nullable)


def _times(count: Node, unit: int) -> Node:
    known = literal_int(count)
    if known is not None:
        return number(known * unit)
    node = again(count)
    return node if unit == 1 else operators.infix(exp.Mul, node, number(unit))


def _shift(mode: str, distance: Node, step: Node) -> Node:
    """``k - pmod(distance + k, step)``."""
    later = _later(mode, step)
    if later is None:
        return exp.Neg(this=operators.call("pmod", distance, step))
    moved = operators.infix(exp.Add, distance, again(later))
    return operators.infix(exp.Sub, later, operators.call("pmod", moved, step))


def _later(mode: str, step: Node) -> Node | None:
    """The k of a rounding, None for the one that rounds down. A tie goes down if half is a little less."""
    known = literal_int(step)
    if known is not None:
        by_mode = {
            "CEIL": known - 1,
            "ROUND_TIE_DOWN": (known - 1) // 2,
            "ROUND_TIE_UP": known // 2,
        }
        k = by_mode.get(mode, 0)
        return number(k) if k else None
    less = operators.infix(exp.Sub, again(step), number(1))
    match mode:
        case "FLOOR":
            return None
        case "CEIL":
            return less
        case "ROUND_TIE_DOWN":
            return operators.infix(exp.IntDiv, less, number(2))
    return operators.infix(exp.IntDiv, again(step), number(2))


# Months from the origin to the month that x is in; multiples of the step among them; the multiple itself.
_DISTANCE = "(year(:x) - year(:o)) * 12 + month(:x) - month(:o)"


def _by_months(mode: str, x: Node, start: Node, step: Node, *, days: bool, first: bool) -> Node:
    """Months and years have no fixed length: the multiple is counted in months, and then looked for."""
    distance = Template(_DISTANCE, ["x", "o"]).build([x, start])

    def multiple(further: Node | None) -> Node:
        whole = operators.infix(
            exp.Sub, again(distance), operators.call("pmod", again(distance), again(step))
        )
        if further is not None:
            whole = operators.infix(exp.Add, whole, further)
        if literal_int(step) is None:
            whole = cast(whole, "INT")
        months = operators.call("make_ym_interval", number(0), whole)
        return operators.infix(exp.Add, again(start), months)

    before, after = multiple(None), multiple(again(step))
    if not first:
        # In the month of x the multiple may be later than x, if the origin is not the start of a month.
        early = operators.infix(exp.GT, again(before), again(x))
        less = operators.prefix(exp.Neg, again(step))
        after = exp.Case(ifs=[exp.If(this=early, true=again(before))], default=after)
        before = exp.Case(ifs=[exp.If(this=again(early), true=multiple(less))], default=before)
    if mode == "FLOOR":
        return before
    if mode == "CEIL":
        exact = operators.infix(exp.LT, again(before), again(x))
        return exp.Case(ifs=[exp.If(this=exact, true=after)], default=before)

    def apart(late: Node, soon: Node) -> Node:
        if days:
            return operators.call("datediff", again(late), again(soon))
        return operators.infix(exp.Sub, again(late), again(soon))

    cls = exp.GT if mode == "ROUND_TIE_DOWN" else exp.GTE
    nearer = operators.infix(cls, apart(x, before), apart(after, x))
    return exp.Case(ifs=[exp.If(this=nearer, true=after)], default=before)
