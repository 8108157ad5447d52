"""Strings: patterns, trimming, splitting."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.dialect import operators, results
from substrait_sql.dialect.rules import (
    Result,
    again,
    as_int,
    is_null,
    literal_int,
    literal_text,
    mirrored,
    number,
    quoted,
    refused,
)
from substrait_sql.dialect.rules.letters import ASCII, ascii_lower
from substrait_sql.dialect.rules.patterns import quote, quoted_by
from substrait_sql.dialect.template import Template
from substrait_sql.schema import types as ty

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.dialect.line import Line
    from substrait_sql.dialect.model import Call, Node


def like(call: Call, line: Line) -> Result:
    """``x LIKE p``.

    A backslash stands for itself in Substrait and escapes in Spark, so it is doubled.
    """
    text, pattern = call.values
    case = call.chosen.get("CASE_SENSITIVITY")
    cls = exp.ILike if case == "CASE_INSENSITIVE" else _like(line)
    if case == ASCII:
        text, pattern = ascii_lower(text), ascii_lower(pattern)
    return operators.infix(cls, text, _plain_pattern(pattern)), _boolean(call)


def like_escaped(call: Call, line: Line) -> Result:
    """``x LIKE p ESCAPE e`` of DataFusion.

    No escape, or NULL, means the backslash, as on Spark.
    """
    values = call.values
    escape = values[2] if len(values) > 2 else None
    if escape is None or is_null(escape):
        found = operators.infix(_like(line), values[0], _with_closed_escape(values[1]))
        return found, _boolean(call)
    found = operators.infix(_like(line), values[0], values[1])
    mark = literal_text(escape)
    if mark is None or len(mark) != 1:
        raise refused(call, "Spark takes one literal character for ESCAPE")
    return exp.Escape(this=found, expression=quoted(mark)), _boolean(call)


def _with_closed_escape(pattern: Node) -> Node:
    """A backslash at the end of a pattern escapes nothing: it is one there, and an error on Spark."""
    text = literal_text(pattern) or ""
    return quoted(f"{text}\\") if (len(text) - len(text.rstrip("\\"))) % 2 else pattern


def not_like(call: Call, line: Line) -> Result:
    """``x NOT LIKE p``."""
    found, yields = like(call, line)
    return operators.prefix(exp.Not, found), yields


def not_like_escaped(call: Call, line: Line) -> Result:
    """DataFusion's ``x !~~ p``, in which a backslash escapes."""
    found, yields = like_escaped(call, line)
    return operators.prefix(exp.Not, found), yields


def _like(line: Line) -> type[Node]:
    return exp.ILike if "i" in str(line.metadata.get("flags", "")) else exp.Like


def _plain_pattern(pattern: Node) -> Node:
    text = literal_text(pattern)
    if text is None:
        return operators.call("replace", pattern, quoted("\\"), quoted("\\\\"))
    return quoted(text.replace("\\", "\\\\")) if "\\" in text else pattern


def _boolean(call: Call) -> Any:
    return ty.boolean(nullable=mirrored(call))


def _string(call: Call) -> Any:
    return ty.string(nullable=mirrored(call))


def substring(call: Call, line: Line) -> Result:
    """``substring`` where positions before the first character count, as in SQL and with LEFT_OF_BEGINNING.

    Spark counts negative ones from the end, and takes 0 for 1. Ibis writes 0 for the first character's predecessor.
    """
    text, *places = call.values
    start, *length = [as_int(v, t) for v, t in zip(places, call.types[1:], strict=True)]
    known = literal_int(start)
    if known is not None and known >= 1:
        return operators.call("substring", text, start, *length), _string(call)
    if call.chosen.get("NEGATIVE_START") == "ERROR":
        return _from_the_start(text, start, length, call.types[1:]), ty.string(nullable=True)
    if known is not None and not length:
        return text, _string(call)
    reach = literal_int(length[0]) if length else None
    if known is not None and reach is not None:
        kept = max(0, known + reach - 1) if reach >= 0 else reach
        return operators.call("substring", text, number(1), number(kept)), _string(call)
    if not length:
        early = exp.If(this=operators.infix(exp.LT, start, number(1)), true=number(1))
        return operators.call(
            "substring", text, exp.Case(ifs=[early], default=again(start))
        ), _string(call)
    return _clipped(text, start, length, call.types[1:]), _string(call)


def substring_from_end(call: Call, line: Line) -> Result:
    """``substring`` of DuckDB: from a negative position, counted from the end of the text as Spark does."""
    text, *places = call.values
    start, *length = [as_int(v, t) for v, t in zip(places, call.types[1:], strict=True)]
    known = literal_int(start)
    if known is None:
        raise refused(call, "a position that is not a literal: a negative one is another thing")
    if known >= 0:
        return substring(call, line)
    reach = literal_int(length[0]) if length else 0
    if reach is None or reach < 0:
        raise refused(call, "a length that is not a literal from 0 on")
    return operators.call("substring", text, start, *length), _string(call)


def character(call: Call, line: Line) -> Result:
    """``x[3]`` of a text in DuckDB, one character of it."""
    text, at = call.values
    if not literal_int(at):
        raise refused(call, "a position that is no literal, or 0")
    return operators.call("substring", text, as_int(at, call.types[1]), number(1)), _string(call)


def _clipped(text: Node, start: Node, length: list[Node], types: Sequence[Any]) -> Node:
    """What of it lies within the text: so much less of it as it starts before the first character.

    ``greatest`` and ``least`` skip NULLs. Nothing overflows at the ends of INT.
    """
    if types[0] is None or ty.nullable(types[0]):
        early = exp.If(this=operators.infix(exp.LT, start, number(1)), true=number(1))
        first: Node = exp.Case(ifs=[early], default=again(start))
    else:
        first = operators.call("greatest", start, number(1))
    reach = literal_int(length[0])
    before = operators.call("least", again(start), number(1))
    if reach is not None:
        kept = operators.infix(exp.Add, number(reach - 1), before) if reach > 0 else number(0)
        return operators.call("substring", text, first, kept)
    long = operators.cast(length[0], exp.Var(this="BIGINT"))
    sum_ = operators.fold(exp.Sub, [operators.infix(exp.Add, long, before), number(1)])
    kept = operators.cast(operators.call("greatest", sum_, number(0)), exp.Var(this="INT"))
    found = operators.call("substring", text, first, kept)
    if types[1] is not None and not ty.nullable(types[1]):
        return found
    known = operators.is_null(again(length[0]), negated=True)
    return exp.Case(ifs=[exp.If(this=known, true=found)])


def _from_the_start(text: Node, start: Node, length: list[Node], types: Sequence[Any]) -> Node:
    negative = operators.infix(exp.LT, start, number(0))
    failed = operators.call("raise_error", quoted("substring from a negative position"))
    found = _clipped(text, again(start), length, types)
    return exp.Case(ifs=[exp.If(this=negative, true=failed)], default=found)


def count_part(call: Call, line: Line) -> Result:
    """``count_substring``; nothing is found before each character and at the end, as by a pattern."""
    text, part = call.values
    match call.chosen.get("CASE_SENSITIVITY"):
        case "CASE_INSENSITIVE":
            text, part = operators.call("lower", text), operators.call("lower", part)
        case "CASE_INSENSITIVE_ASCII":
            text, part = ascii_lower(text), ascii_lower(part)
    known = literal_text(call.values[1])
    if known:
        return line.plain([text, part]), line.returns(call)
    places = operators.infix(exp.Add, operators.call("char_length", text), number(1))
    if known == "":
        return places, line.returns(call)
    nothing = operators.infix(exp.EQ, part, quoted(""))
    found = line.plain([again(text), again(part)])
    chosen = exp.Case(ifs=[exp.If(this=nothing, true=places)], default=found)
    return chosen, line.returns(call)


def end(call: Call, line: Line) -> Result:
    """``left`` and ``right`` of DataFusion and DuckDB.

    A negative count there means all but so many.
    """
    text, count = call.values
    known = literal_int(count)
    if known is not None and known >= 0:
        return operators.call(line.name, text, as_int(count, call.types[1])), _string(call)
    length = operators.call("char_length", again(text))
    if known is not None:
        kept = operators.infix(exp.Sub, length, number(-known))
    else:
        all_but = operators.infix(exp.Add, length, again(count))
        negative = operators.infix(exp.LT, count, number(0))
        kept = exp.Case(ifs=[exp.If(this=negative, true=all_but)], default=again(count))
    return operators.call(line.name, text, kept), _string(call)


def aggregated(call: Call, line: Line) -> Result:
    """``string_agg``, whose separator is one for all rows on Spark."""
    text, separator = call.values
    if separator.find(exp.Column) is not None:
        raise refused(call, "a separator that is a column")
    return operators.call(line.name, text, separator), line.returns(call)


def trim_left(call: Call, line: Line) -> Result:
    """Takes any of the characters off the start."""
    return _trim("ltrim", call)


def trim_right(call: Call, line: Line) -> Result:
    """Takes any of the characters off the end."""
    return _trim("rtrim", call)


def trim_both(call: Call, line: Line) -> Result:
    """Takes any of the characters off both ends."""
    return _trim("trim", call)


def _trim(name: str, call: Call) -> Result:
    values = call.values
    if len(values) == 1 or literal_text(values[1]) == " ":
        return operators.call(name, values[0]), _string(call)
    if name == "trim":
        return operators.call("btrim", *values), _string(call)
    # With two arguments these take the characters first.
    return operators.call(name, values[1], values[0]), _string(call)


def split(call: Call, line: Line) -> Result:
    """Splits at a literal text.

    Spark's ``split`` takes a regular expression, so the text is quoted for it.
    """
    text, separator = call.values
    mark = literal_text(separator)
    if mark == "":
        raise refused(call, "a separator without a character")
    if mark is not None:
        return operators.call("split", text, quoted(quote(mark))), _list(call)
    if is_null(separator):
        return operators.call("split", text, separator), _list(call)
    return operators.call("split", text, quoted_by(separator)), _list(call)


def split_up(call: Call, line: Line) -> Result:
    """DataFusion's ``string_to_array``: text without a character is a list without an element.

    With a separator without one it is a list of the text, with NULL for it a list of the characters.
    """
    text, separator = call.values
    mark = literal_text(separator)
    if is_null(separator):
        return Template(f"{_EMPTY} ELSE {_CHARACTERS} END", ["text"]).build([text]), _list(call)
    if mark == "":
        return Template(f"{_EMPTY} {_WHOLE} END", ["text"]).build([text]), _list(call)
    parts, yields = split(call, line)
    edges = _EDGES if mark is None else ""
    made = Template(f"{_EMPTY} {edges} ELSE :result END", ["text", "separator"])
    return made.around(parts, [text, separator]), yields


_EMPTY = "CASE WHEN :text = '' THEN array()"
_CHARACTERS = "split(:text, '')"
_WHOLE = "WHEN :text IS NOT NULL THEN array(:text)"
_EDGES = f"WHEN :separator IS NULL THEN {_CHARACTERS} WHEN :separator = '' THEN CASE {_WHOLE} END"


def _list(call: Call) -> Any:
    return ty.list_(ty.string(), nullable=mirrored(call))


_SPECIAL = re.compile(r"[$\\]")


def overlay(call: Call, line: Line) -> Result:
    """``overlay(x PLACING y FROM n FOR m)``, from a place that is known to be in or behind the text."""
    text, by, *places = call.values
    first = literal_int(places[0])
    length = literal_int(places[1]) if len(places) > 1 else 0
    if first is None or first < 1 or length is None or length < 0:
        raise refused(call, "a place that is not a literal from 1 on, or such a length")
    known = [number(n) for n in (first, length)][: len(places)]
    return operators.call("overlay", text, by, *known), _string(call)


def encoded(call: Call, line: Line) -> Result:
    """DataFusion's ``encode``: hexadecimal digits in lower case, or base 64 without the padding."""
    form = literal_text(call.values[1])
    if form == "hex":
        return operators.call("lower", operators.call("hex", call.values[0])), _string(call)
    if form != "base64":
        raise refused(call, "an encoding that is neither hex nor base64")
    bytes_ = operators.cast(call.values[0], exp.Var(this="BINARY"))
    padded = operators.call("replace", operators.call("base64", bytes_), quoted("\r\n"), quoted(""))
    return operators.call("rtrim", quoted("="), padded), _string(call)


def concat(call: Call, line: Line) -> Result:
    """``concat``, or ``concat_ws`` with nothing in between, which skips NULLs."""
    yields = _string(call)
    if call.chosen.get("NULL_HANDLING") == "IGNORE_NULLS" and ty.nullable(yields):
        return operators.call("concat_ws", quoted(""), *call.values), ty.string()
    return operators.call("concat", *call.values), yields


def strings_concat(call: Call, line: Line) -> Result:
    """``concat`` of DataFusion and DuckDB, which skips NULLs."""
    values = [
        v if t is not None and not ty.nullable(t) else operators.call("coalesce", v, quoted(""))
        for v, t in zip(call.values, call.types, strict=True)
    ]
    return operators.call("concat", *values), results.resolve("string", ())
