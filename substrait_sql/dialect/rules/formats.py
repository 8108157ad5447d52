"""``strftime`` and ``strptime``: the conversions of POSIX as the pattern letters of Java that Spark takes.

https://man7.org/linux/man-pages/man3/strftime.3.html, in the C locale; https://spark.apache.org/docs/latest/sql-ref-datetime-pattern.html
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sqlglot import exp

from substrait_sql.dialect import operators
from substrait_sql.dialect.rules import (
    Result,
    again,
    is_null,
    literal_int,
    literal_text,
    mirrored,
    quoted,
    refused,
)
from substrait_sql.dialect.rules.extract import local
from substrait_sql.dialect.template import Template
from substrait_sql.schema import types as ty

if TYPE_CHECKING:
    from substrait_sql.dialect.line import Line
    from substrait_sql.dialect.model import Call, Node

_MICROS = 6
_INTEGERS = ("i8", "i16", "i32", "i64")
_CONVERSION = re.compile(r"%(?:(-?[a-zA-Z%])|(.?.?))|([^%]+)", re.DOTALL)
# What stands for several others.
_LONG = {
    "%D": "%m/%d/%y", "%F": "%Y-%m-%d", "%R": "%H:%M", "%T": "%H:%M:%S", "%r": "%I:%M:%S %p",
    "%c": "%a %b %e %H:%M:%S %Y", "%x": "%m/%d/%y", "%X": "%H:%M:%S", "%h": "%b", "%n": "\n", "%t": "\t",
}  # fmt: skip
# By the letters of Java, for printing. ``-`` is a flag of glibc: no padding.
_PRINTED = {
    "Y": "y", "y": "yy", "m": "MM", "d": "dd", "H": "HH", "I": "hh", "M": "mm", "S": "ss", "j": "DDD",
    "b": "MMM", "B": "MMMM", "a": "E", "A": "EEEE", "p": "a",
    "-m": "M", "-d": "d", "-H": "H", "-I": "h", "-M": "m", "-S": "s", "-j": "D",
}  # fmt: skip
# By other functions of Spark.
_COMPUTED = {
    "e": "lpad(dayofmonth(:x), 2, ' ')",
    "k": "lpad(hour(:x), 2, ' ')",
    "l": "lpad(date_format(:x, 'h'), 2, ' ')",
    "P": "lower(date_format(:x, 'a'))",
    "C": "lpad(year(:x) div 100, 2, '0')",
    "u": "extract(DOW_ISO FROM :x)",
    "w": "dayofweek(:x) - 1",
    "U": "lpad((dayofyear(:x) + 7 - dayofweek(:x)) div 7, 2, '0')",
    "W": "lpad((dayofyear(:x) + 6 - weekday(:x)) div 7, 2, '0')",
    "V": "lpad(weekofyear(:x), 2, '0')",
    "G": "extract(YEAROFWEEK FROM :x)",
    "g": "lpad(extract(YEAROFWEEK FROM :x) % 100, 2, '0')",
}
# What a time of day has.
_OF_TIMES = set("HIMSpklP") | {"-H", "-I", "-M", "-S"}
# For reading: digits by as many as there are, or by exactly so many where the next conversion follows at once.
_READ = {
    "Y": ("y", "yyyy"), "m": ("M", "MM"), "d": ("d", "dd"), "e": ("d", "dd"), "H": ("H", "HH"),
    "I": ("h", "hh"), "M": ("m", "mm"), "S": ("s", "ss"), "j": ("D", "DDD"), "k": ("H", "HH"), "l": ("h", "hh"),
}  # fmt: skip
_READ_WORDS = {"b": "MMM", "B": "MMMM", "p": "a", "z": "Z"}
_DAYS = ({"Y", "m", "d"}, {"Y", "j"})


# Years of DataFusion's.
_PADDED = {**_PRINTED, "Y": "yyyy", "-Y": "y"}
_PADDED_COMPUTED = {**_COMPUTED, "G": "lpad(extract(YEAROFWEEK FROM :x), 4, '0')"}


def to_char(call: Call, line: Line) -> Result:
    """DataFusion's ``to_char``: as `strftime`, with years of four digits or more."""
    return _formatted(call, _PADDED, _PADDED_COMPUTED)


def strftime(call: Call, line: Line) -> Result:
    """``date_format(x, pattern)``; what the pattern letters cannot say is computed and put between."""
    return _formatted(call, _PRINTED, _COMPUTED)


def _formatted(call: Call, printed: dict[str, str], computed: dict[str, str]) -> Result:
    """printed: the letters of Java by the conversion that they stand for. computed: templates for the others."""
    given = [a for a in call.arguments if a.sql is not None]
    x, form = given[0].sql, given[1].sql
    assert x is not None
    yields = ty.string(nullable=mirrored(call))
    text = literal_text(form)
    if form is not None and is_null(form):
        return operators.cast(form, exp.Var(this="STRING")), ty.string(nullable=True)
    if text is None:
        raise refused(call, "a format that is not a literal: Spark's formats are others")
    if len(given) > 2:
        x = local(x, given[2])
    time = ty.kind(given[0].type) == "precision_time"
    pieces: list[tuple[str, str]] = []
    for conversion, between in _taken_apart(call, text):
        if conversion and time and conversion not in _OF_TIMES:
            raise refused(call, f"%{conversion} of a time without a date")
        if conversion in computed:
            pieces.append(("sql", computed[conversion]))
        elif conversion in printed:
            pieces.append(("pattern", printed[conversion]))
        elif conversion:
            raise refused(call, f"the conversion %{conversion} has no form in Spark")
        else:
            pieces.append(("text", between))
    return _printed(x, pieces), yields


def _printed(x: Node, pieces: list[tuple[str, str]]) -> Node:
    """One ``date_format`` if it can say it all, else the parts put together."""
    parts: list[Node] = []
    pattern: list[tuple[str, str]] = []

    def value() -> Node:
        return again(x) if parts else x

    def close() -> None:
        if all(kind == "text" for kind, _ in pattern):
            if pattern:
                parts.append(quoted("".join(t for _, t in pattern)))
        else:
            letters = "".join(_quoted(t) if kind == "text" else t for kind, t in pattern)
            parts.append(operators.call("date_format", value(), quoted(letters)))
        pattern.clear()

    for kind, text in pieces:
        if kind == "sql":
            close()
            parts.append(Template(text, ["x"]).build([value()]))
        else:
            pattern.append((kind, text))
    close()
    if not any(kind != "text" for kind, _ in pieces):
        # Nothing of the value is printed, but NULL stays NULL.
        known = operators.is_null(x, negated=True)
        return exp.Case(ifs=[exp.If(this=known, true=parts[0] if parts else quoted(""))])
    if len(parts) == 1 and isinstance(parts[0], exp.Anonymous):
        return parts[0]
    return operators.call("concat", *parts)


def _quoted(text: str) -> str:
    """Text in a pattern: letters and the marks that patterns keep to themselves stand in quotes."""
    if "'" in text:
        return "'" + text.replace("'", "''") + "'"
    return re.sub(r"[A-Za-z\[\]{}#]+", r"'\g<0>'", text)


def _taken_apart(call: Call, text: str) -> list[tuple[str, str]]:
    """The conversions of a format by their letters, and the text between them."""
    text = re.sub(r"%.", lambda m: _LONG.get(m[0], m[0]), text, flags=re.DOTALL)
    out: list[tuple[str, str]] = []
    for found in _CONVERSION.finditer(text):
        if found[2] is not None:
            raise refused(call, f"the conversion %{found[2]} has no form in Spark")
        conversion, between = found[1] or "", found[3] or ""
        if conversion == "%":
            conversion, between = "", "%"
        if not conversion and out and not out[-1][0]:
            out[-1] = ("", out[-1][1] + between)
        else:
            out.append((conversion, between))
    return out


def strptime_date(call: Call, line: Line) -> Result:
    """``to_date(x, pattern)``."""
    text, form = call.values
    pattern = _read(call, form, days=True)
    if pattern is None:
        return operators.cast(form, exp.Var(this="DATE")), ty.date(nullable=True)
    return operators.call("to_date", text, quoted(pattern)), ty.date(nullable=mirrored(call))


def strptime_time(call: Call, line: Line) -> Result:
    """``to_time(x, pattern)``."""
    text, form, *precision = call.values
    digits = _digits(call, precision)
    pattern = _read(call, form, days=False)
    # TIME(6) holds them all; a cast would only run where the type is switched on while rows are made.
    yields = ty.precision_time(digits, nullable=mirrored(call))
    if pattern is None:
        return operators.call("to_time", text, operators.cast(form, exp.Var(this="STRING"))), yields
    return operators.call("to_time", text, quoted(pattern)), yields


def strptime(call: Call, line: Line) -> Result:
    """The one function that today's three were until 0.28.2: the declared result tells which is meant."""
    kind = ty.kind(call.output_type) or ""
    meant = _STRPTIME.get(kind)
    if meant is None or (len(call.values) == 3 and meant is not strptime_timestamp):
        raise refused(call, f"a result of type {ty.text(call.output_type)}")
    return meant(call, line)


def strptime_timestamp(call: Call, line: Line) -> Result:
    """``to_timestamp(x, pattern)``, by the clocks of the time zone that is given, or of UTC."""
    text, form, *rest = call.values
    zone = [v for v, t in zip(rest, call.types[2:], strict=True) if ty.kind(t) not in _INTEGERS]
    _digits(call, rest[len(zone) :])
    yields = ty.precision_timestamp_tz(_MICROS, nullable=mirrored(call))
    pattern = _read(call, form, days=True)
    if pattern is None:
        return operators.cast(form, exp.Var(this="TIMESTAMP")), yields
    found = operators.call("to_timestamp", text, quoted(pattern))
    if not zone or (literal_text(zone[0]) in ("UTC", "Etc/UTC") and "Z" not in pattern):
        return found, yields
    if "%z" in (literal_text(form) or ""):
        raise refused(call, "a time zone in the text and another one as an argument")
    return operators.call("to_utc_timestamp", found, zone[0]), yields


_STRPTIME = {
    "date": strptime_date,
    "precision_time": strptime_time,
    "precision_timestamp_tz": strptime_timestamp,
}


def _digits(call: Call, precision: list[Node]) -> int:
    """The decimal places of the result; before 0.88 there was no argument for them, and they were six."""
    digits = literal_int(precision[0]) if precision else _MICROS
    if digits is None or not 0 <= digits <= _MICROS:
        raise refused(call, f"a precision that is not a literal from 0 to {_MICROS}")
    return digits


def _read(call: Call, form: Node, *, days: bool) -> str | None:
    """The pattern that reads what the format describes; None for a format that is NULL."""
    if is_null(form):
        return None
    text = literal_text(form)
    if text is None:
        raise refused(call, "a format that is not a literal: Spark's formats are others")
    parts = _taken_apart(call, text)
    seen = {"d" if c == "e" else "m" if c in ("b", "B") else c for c, _ in parts if c}
    if days and not any(needed <= seen for needed in _DAYS):
        raise refused(call, "a format that does not say which day it is: year, month and day")
    if not days and not seen & {"H", "I", "k", "l"}:
        raise refused(call, "a format without an hour")
    if seen & {"I", "l"} and "p" not in seen:
        raise refused(call, "hours of half a day without %p")
    out = []
    for i, (conversion, between) in enumerate(parts):
        near = (parts[i - 1][0] if i else "", parts[i + 1][0] if i + 1 < len(parts) else "")
        out.append(_letters(call, conversion, near, days) if conversion else _quoted(between))
    return "".join(out)


def _letters(call: Call, conversion: str, near: tuple[str, str], days: bool) -> str:
    if conversion in _READ_WORDS and (days or conversion == "p"):
        return _READ_WORDS[conversion]
    if conversion not in _READ or (not days and conversion not in _OF_TIMES):
        raise refused(call, f"the conversion %{conversion} is not read by Spark as POSIX reads it")
    free, fixed = _READ[conversion]
    return fixed if any(c in _READ for c in near) else free


_OF_JAVA = re.compile(r"'((?:[^']|'')*)'|(([A-Za-z])\3*)|([^A-Za-z']+)")
_PRINTED_BACK = {letters: conversion for conversion, letters in _PRINTED.items()}
_READ_BACK = {
    **{letters: conversion for conversion, both in _READ.items() for letters in both},
    **{letters: conversion for conversion, letters in _READ_WORDS.items()},
    "d": "d", "dd": "d", "H": "H", "HH": "H", "h": "I", "hh": "I",
}  # fmt: skip


def posix(pattern: str) -> str | None:
    """The format of `strftime` that a pattern of ``date_format`` may be; None where it has other letters."""
    return _back(pattern, _PRINTED_BACK)


def posix_read(pattern: str) -> str | None:
    """The same of `strptime`, for a pattern of ``to_date``, ``to_time`` and ``to_timestamp``."""
    return _back(pattern, _READ_BACK)


def _back(pattern: str, conversions: dict[str, str]) -> str | None:
    out: list[str] = []
    place = 0
    for found in _OF_JAVA.finditer(pattern):
        if found.start() != place:
            return None
        place = found.end()
        if found[2]:
            conversion = conversions.get(found[2])
            if conversion is None:
                return None
            out.append(f"%{conversion}")
        else:
            text = found[4] or found[1].replace("''", "'") or "'"
            out.append(text.replace("%", "%%"))
    return "".join(out) if place == len(pattern) else None
