"""Casts to and of days, moments, times of day and durations: as Spark has them, or as the producer of the plan does.

The specification says neither how they are written nor what becomes of the digits that a type has no places for.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.dialect.operators import call
from substrait_sql.dialect.template import Template
from substrait_sql.lower.expressions.casts.conversions import (
    Conversion,
    Rule,
    cast_to,
    family,
    plain,
    rule,
    shortened,
)
from substrait_sql.lower.expressions.times import typed_string
from substrait_sql.schema import types

if TYPE_CHECKING:
    from collections.abc import Callable

_ZONED = "precision_timestamp_tz"
_MOMENTS = ("precision_timestamp", _ZONED)


def _rules(sources: tuple[str, ...], targets: tuple[str, ...]) -> Callable[[Rule], Rule]:
    """Registers the function for each pair of them."""

    def register(function: Rule) -> Rule:
        for source in sources:
            for target in targets:
                rule(source, target)(function)
        return function

    return register


# --- to a day or a moment -------------------------------------------------------------------------


@_rules(("date", *_MOMENTS, "text"), _MOMENTS)
@_rules((*_MOMENTS, "text"), ("date",))
def _to_instant(node: exp.Expression, c: Conversion) -> exp.Expression:
    """A day or a moment. Finer than microseconds is what Spark holds of it; only a text could have more digits."""
    target = c.target if _may_be_finer(node, c) else types.to_micros(c.target)
    if types.kind(c.source) != types.kind(target):
        if family(c.source) == "text":
            node = _of_text(node, c, target)
        else:
            node = exp.Cast(this=node, to=c.cx.type_node(target, c.path))
    digits = types.parameters(target)
    if not digits or digits[0] >= min(_digits(c.source), types.MICROS):
        return node
    return _in_units(node, c, digits[0])


def _may_be_finer(node: exp.Expression, c: Conversion) -> bool:
    """Whether a text may have more digits than Spark's types of time; a constant shows which it has."""
    if family(c.source) != "text":
        return False
    return not node.is_string or re.search(_FINER, node.name) is not None


# A fraction finer than a microsecond.
_FINER = r"\.\d{6}\d*[1-9]"
# What stands behind the time in a text that has a zone or its distance from UTC.
_OFFSET = ":[0-9.]+ *[A-Za-z+-]"


def _of_text(node: exp.Expression, c: Conversion, target: Any) -> exp.Expression:
    """Spark's own cast; of a moment without a zone it leaves out what a text says of one."""
    made = cast_to(node, c, c.cx.type_node(target, c.path))
    if not c.cx.habits.heeds_offsets or types.kind(target) != "precision_timestamp":
        return made
    if node.is_string and not re.search(_OFFSET, node.name):
        return made
    micros = f"unix_micros({'TRY_CAST' if c.or_null else 'CAST'}(:x AS TIMESTAMP))"
    seconds = f"CAST({micros} * 0.000001 AS DECIMAL(18, 6))"
    text = f"CASE WHEN :x RLIKE '{_OFFSET}' THEN :epoch + make_dt_interval(0, 0, 0, {seconds}) ELSE :made END"
    return Template(text, ["x", "made", "epoch"]).build([node, made, _epoch(zoned=False)])


def _epoch(*, zoned: bool) -> exp.Expression:
    return typed_string(
        "TIMESTAMP" if zoned else "TIMESTAMP_NTZ", f"1970-01-01 00:00:00{'Z' if zoned else ''}"
    )


def _in_units(node: exp.Expression, c: Conversion, digits: int) -> exp.Expression:
    """Without the digits that are too many, as the producer leaves them out."""
    early, late = _UNITS[c.cx.habits.moment_units](10 ** (types.MICROS - digits))
    return in_unit(node, digits, early, late, zoned=types.kind(c.target) == _ZONED)


def in_unit(
    node: exp.Expression, digits: int, early: int, late: int, *, zoned: bool
) -> exp.Expression:
    """A moment without the digits that are too many, of which Spark's ``time_bucket`` goes back to the unit before.

    early, late: how many microseconds are added first, before and from 1970 on.
    """
    if early != late:
        text = f"CASE WHEN :x < :epoch THEN {_later(early)} ELSE {_later(late)} END"
        node = Template(text, ["x", "epoch"]).build([node, _epoch(zoned=zoned)])
    return call("time_bucket", _second(digits), node)


def _later(micros: int) -> str:
    seconds = f"{micros / 10**types.MICROS:.6f}".rstrip("0")
    return f":x + INTERVAL '{seconds}' SECOND" if micros else ":x"


# By the producer's way, for a unit of so many microseconds: how many are added before and from 1970 on.
_UNITS: dict[str, Callable[[int], tuple[int, int]]] = {
    "": lambda unit: (0, 0),
    "towards 1970": lambda unit: (unit - 1, 0),
    "to the nearest": lambda unit: (unit // 2 - 1, unit // 2),
}


def _digits(type: Any) -> int:
    """How many decimal places of a second the values have."""
    if types.kind(type) == "date":
        return 0
    return (*types.parameters(type), types.MICROS)[0] if family(type) != "text" else types.MICROS


def _second(digits: int) -> exp.Expression:
    """The unit of a precision: ``INTERVAL '0.001' SECOND``."""
    text = f"{10**-digits:.{digits}f}" if digits else "1"
    return exp.Interval(this=exp.Literal.string(text), unit=exp.Var(this="SECOND"))


# --- to a time of day, to a duration --------------------------------------------------------------


@_rules(("precision_time", *_MOMENTS, "text"), ("precision_time",))
def _to_time(node: exp.Expression, c: Conversion) -> exp.Expression:
    """A time of day. Spark's own types of fewer digits cut the others off."""
    target = c.target if _may_be_finer(node, c) else types.to_micros(c.target)
    whole = c.cx.type_node(target, c.path)
    digits = types.parameters(target)[0]
    if digits < min(_digits(c.source), types.MICROS):
        node = cast_to(node, c, exp.Var(this=f"TIME({digits})"))
        return exp.Cast(this=node, to=whole)
    return node if types.kind(c.source) == "precision_time" else cast_to(node, c, whole)


@_rules(("text", "interval_day"), ("interval_day",))
def _to_duration(node: exp.Expression, c: Conversion) -> exp.Expression:
    """Days and seconds; digits are cut off towards zero."""
    if family(c.source) == "text":
        node = plain(node, c)
    digits = types.parameters(c.target)[0]
    if digits >= min(_digits(c.source), types.MICROS):
        return node
    unit = f"{10**-digits:.{digits}f}" if digits else "1"
    text = f":x - make_dt_interval(0, 0, 0, extract(SECOND FROM :x) % {unit})"
    return Template(text, ["x"]).build([node])


# --- to text --------------------------------------------------------------------------------------

# The longest text of a value, an offset of hours and minutes or Date64's midnight behind it included.
_LONGEST = {"date": 19, "precision_time": 15, "precision_timestamp": 26, _ZONED: 32}


@_rules(("date", *_MOMENTS, "precision_time"), ("text",))
def _to_text(node: exp.Expression, c: Conversion) -> exp.Expression:
    """As Spark writes it, or as the producer does."""
    kind = types.kind(c.source) or ""
    written = _written(c, kind)
    if written is None:
        node = exp.Cast(this=node, to=c.cx.type_node(types.string(), c.path))
    else:
        node = Template(written, ["x"]).build([node])
    return shortened(node, c.target, 10 if written is None and kind == "date" else _LONGEST[kind])


_CAST = "CAST(:x AS STRING)"
# Without a fraction of zeros, else with three or six digits of it.
_ISO = "regexp_replace(date_format(:x, 'yyyy-MM-dd\\'T\\'HH:mm:ss.SSSSSS'), '(\\\\.000)?000$', '')"
_ISO_TIME = f"rpad({_CAST}, CASE WHEN length({_CAST}) > 12 THEN 15 WHEN length({_CAST}) > 8 THEN 12 ELSE 8 END, '0')"
_BY_ISO = {
    "precision_timestamp": _ISO,
    _ZONED: f"concat({_ISO}, 'Z')",
    "precision_time": _ISO_TIME,
}
# Its distance from UTC is behind it, without minutes that are zero.
_WITH_OFFSET = f"concat({_CAST}, regexp_replace(date_format(:x, 'xxx'), ':00$', ''))"


def _written(c: Conversion, kind: str) -> str | None:
    """The producer's text of a value, None where it is Spark's."""
    texts = c.cx.habits.moment_texts
    if texts == "iso" and _is_day_of_moments(c.source):
        return f"concat({_CAST}, 'T00:00:00')"
    if texts == "iso":
        return None if kind == "precision_time" and not _digits(c.source) else _BY_ISO.get(kind)
    if texts == "offset" and kind == _ZONED:
        return _WITH_OFFSET
    if texts == "full" and kind != "date":
        return _FULL[kind].format(_fraction(c.source))
    return None


# The distance from UTC is Z, or of the form +0100.
_FULL = {
    "precision_timestamp": "date_format(:x, 'yyyy-MM-dd HH:mm:ss{}')",
    _ZONED: "date_format(:x, 'yyyy-MM-dd HH:mm:ss{}XX')",
    "precision_time": "date_format(:x, 'HH:mm:ss{}')",
}


def _fraction(type: Any) -> str:
    """The pattern of as many decimal places as the type has."""
    digits = min(_digits(type), types.MICROS)
    return f".{'S' * digits}" if digits else ""


def _is_day_of_moments(type: Any) -> bool:
    """Whether it is Arrow's Date64, a day in milliseconds, which DataFusion writes as the first variation of a date."""
    return types.kind(type) == "date" and type.date.type_variation_reference == 1
