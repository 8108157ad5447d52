r"""Regular expressions of other engines: those of DataFusion are Rust's, those of DuckDB RE2's.

A line names the flavour: ``flavour: rust``. What Java has no form for is refused; so is a pattern that is no literal.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sqlglot import exp

from substrait_sql.dialect import operators
from substrait_sql.dialect.regex import RegexError, facts
from substrait_sql.dialect.regex.flavour import RE2, RUST
from substrait_sql.dialect.regex.parse import parse
from substrait_sql.dialect.regex.write import java
from substrait_sql.dialect.rules import (
    Result,
    again,
    is_null,
    literal_text,
    mirrored,
    number,
    quoted,
    refused,
)
from substrait_sql.dialect.rules.patterns import from_position
from substrait_sql.schema import types as ty

if TYPE_CHECKING:
    from substrait_sql.dialect.line import Line
    from substrait_sql.dialect.model import Call, Node
    from substrait_sql.dialect.regex.nodes import Pattern

_FLAVOURS = {"rust": RUST, "re2": RE2}
_GROUP = re.compile(r"\\(\d+)")


def _read(call: Call, line: Line, flags: str = "") -> Pattern:
    """The pattern, the second argument of all of these."""
    source = literal_text(call.values[1])
    flavour = _FLAVOURS[str(line.metadata.get("flavour", "rust"))]
    if source is None:
        raise refused(call, "a pattern that is not a literal: how it is written differs in Java")
    try:
        return parse(source, flavour, flags)
    except RegexError as error:
        raise refused(call, f"the pattern {source!r} has {error}") from None


def _pattern(call: Call, line: Line, flags: str = "") -> Node:
    """The pattern in Java's terms."""
    if is_null(call.values[1]):
        return call.values[1]
    return quoted(java(_read(call, line, flags)).whole())


def may_match_nothing(call: Call, line: Line) -> bool:
    """Whether the pattern of the call may match an empty text."""
    return not facts.least(_read(call, line).root)


def _refuse_empty(call: Call, read: Pattern) -> None:
    """Refuse to look for all matches of a pattern that may match nothing: Java finds that behind a match, too."""
    if not facts.least(read.root) and not facts.once(read.root):
        raise refused(call, "every match of a pattern that may match nothing")


def _flags(call: Call, given: Node | None, line: Line, known: str) -> str:
    flags = literal_text(given) if given is not None else ""
    if flags is None or set(flags) - set(known):
        raise refused(call, f"flags other than {', '.join(known)}")
    return "".join(sorted({*flags, *str(line.metadata.get("flags", ""))}))


def matches(call: Call, line: Line) -> Result:
    """``x ~ p``: whether the pattern is found anywhere."""
    values = call.values
    flags = _flags(call, values[2] if len(values) > 2 else None, line, "ims")
    found = operators.call("regexp_like", values[0], _pattern(call, line, flags))
    return found, ty.boolean(nullable=mirrored(call))


def not_matches(call: Call, line: Line) -> Result:
    """``x !~ p``."""
    found, yields = matches(call, line)
    return operators.prefix(exp.Not, found), yields


def matches_whole(call: Call, line: Line) -> Result:
    """Whether the pattern is all of the text."""
    text, pattern = call.values
    yields = ty.boolean(nullable=mirrored(call))
    if is_null(pattern):
        return operators.call("regexp_like", text, pattern), yields
    whole = java(_read(call, line))
    flags = f"(?{whole.on}{whole.off})" if whole.on else ""
    return operators.call("regexp_like", text, quoted(rf"{flags}\A(?:{whole.text})\z")), yields


def place(call: Call, line: Line) -> Result:
    """Where the pattern is found first, 0 where it is not."""
    found = operators.call("regexp_instr", call.values[0], _pattern(call, line))
    return found, ty.i32(nullable=mirrored(call))


def count(call: Call, line: Line) -> Result:
    """How often the pattern is found, from a position on."""
    text, pattern, *position = call.values
    if not is_null(pattern):
        _refuse_empty(call, _read(call, line))
    found = from_position(position[0] if position else number(1), _pattern(call, line))
    return operators.call("regexp_count", text, found), ty.i32(nullable=mirrored(call))


def groups(call: Call, line: Line) -> Result:
    """``regexp_match``: what the groups of the first match hold, or that match if there are none; NULL without one."""
    text = call.values[0]
    yields = ty.list_(ty.string(), nullable=True)
    if is_null(call.values[1]) or len(call.values) > 2:
        raise refused(call, "a pattern that is NULL, or flags")
    read = _read(call, line)
    if not facts.all_groups(read.root):
        raise refused(
            call, "a group that may be no part of a match: Spark does not tell it from an empty one"
        )
    pattern = _pattern(call, line)
    first = 1 if read.groups else 0
    parts = [
        operators.call("regexp_extract", again(text), again(pattern), number(n))
        for n in range(first, read.groups + 1)
    ]
    found = operators.call("regexp_like", text, pattern)
    listed = operators.call("array", *parts)
    return exp.Case(ifs=[exp.If(this=found, true=listed)]), yields


def replace(call: Call, line: Line) -> Result:
    r"""``regexp_replace``: the first match, or with the flag ``g`` every one. ``\1`` is the first group."""
    values = call.values
    known = str(line.metadata.get("takes", "gims"))
    flags = _flags(call, values[3] if len(values) > 3 else None, line, known)
    yields = ty.string(nullable=mirrored(call))
    if any(map(is_null, values[:3])):
        return operators.call("regexp_replace", *values[:3]), yields
    read = _read(call, line, flags.replace("g", ""))
    if "g" in flags:
        _refuse_empty(call, read)
    if "g" in flags or facts.once(read.root):
        by = _replacement(call, read, 0)
        return operators.call("regexp_replace", values[0], quoted(java(read).whole()), by), yields
    # Whatever stands before the first match is kept as group 1; the rest of the text holds no further match of the
    # whole.
    first = quoted(rf"(?s)\A(.*?){java(read, 1).inline()}")
    return operators.call("regexp_replace", values[0], first, _replacement(call, read, 1)), yields


def _replacement(call: Call, read: Pattern, shift: int) -> Node:
    r"""The replacement as Java writes it, ``$1`` for ``\1``. shift: how many groups stand before."""
    text = literal_text(call.values[2])
    if text is None:
        raise refused(call, "a replacement that is not a literal")
    numbers = [int(n) for n in _GROUP.findall(text)]
    rest = _GROUP.sub("", text)
    if "\\" in rest or "$" in rest:
        raise refused(
            call, f"the replacement {text!r}, with a $ or with a backslash before no number"
        )
    if any(n > read.groups or (shift and n == 0) for n in numbers) or read.groups + shift > 9:
        raise refused(call, f"the replacement {text!r}, with a group that the pattern has not")
    written = _GROUP.sub(lambda m: f"${int(m[1]) + shift}", text)
    return quoted(("$1" if shift else "") + written)
