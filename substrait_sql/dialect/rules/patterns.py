r"""Regular expressions: Substrait's are those of ICU, Spark's those of Java.

The two agree but for what this module sees to: ``\w``, ``\d``, ``\s`` and ``\b`` mean all of Unicode to ICU, which
is ``(?U)`` in Java, and ``[:alpha:]`` is ``\p{alpha}`` there. Options become flags at the head of the pattern.
"""

from __future__ import annotations

import re
import warnings
from typing import TYPE_CHECKING

from sqlglot import exp

from substrait_sql.dialect import operators, results
from substrait_sql.dialect.rules import (
    Result,
    again,
    is_null,
    literal_int,
    literal_text,
    mirrored,
    number,
    quoted,
    refused,
)
from substrait_sql.schema import types as ty

if TYPE_CHECKING:
    from substrait_sql.dialect.line import Line
    from substrait_sql.dialect.model import Call, Node

_CLASS = re.compile(r"\[:(\^?)(\w+):\]")
_OF_UNICODE = re.compile(r"\\[wWdDsSbBpP]")
# Sets that are subtracted from each other, which Java writes in another way.
_SET_ALGEBRA = re.compile(r"--|\][-&]\[")
# What makes a match depend on the text around it.
_LOOKS_AROUND = re.compile(r"[\^$]|\\[AZzbBG]|\(\?<?[=!]")
# Java finds nothing between the halves of a character beyond the first 65,536, too: not before a half by itself.
_WHOLE_CHARACTERS = r"(?!\p{Cs})"
_SET = re.compile(r"\[(?:\\.|\[[^\]]*\]|[^\[\]\\])+\]")
_MARK = re.compile(r"\\(.)|[\^$]", re.DOTALL)
_CARET = re.compile(rf"{_SET.pattern}|\\.|\^", re.DOTALL)
_BACKREFERENCE = re.compile(r"\\[1-9]|\\k")


def match(call: Call, line: Line) -> Result:
    """``regexp_match_substring``: the first match, or the n-th, or a group of it; NULL where there is none."""
    text, pattern, *places = call.values
    yields = ty.string(nullable=True)
    # The group came with 0.27; before, and without any of them, it is the whole match.
    defaults = (number(1), number(1), number(0))
    position, occurrence, group = (*places, *defaults[len(places) :])
    found = _from(position, _pattern(call, pattern))
    first = literal_int(occurrence) == 1 and literal_int(group) == 0
    if first and _never_empty(pattern):  # `regexp_substr` has NULL for a match of nothing
        return operators.call("regexp_substr", text, found), yields
    every = operators.call("regexp_extract_all", text, found, _whole(group))
    return operators.call("try_element_at", every, _whole(occurrence)), yields


def every_match(call: Call, line: Line) -> Result:
    """``regexp_match_substring_all``."""
    text, pattern, position, group = call.values
    found = _from(position, _pattern(call, pattern))
    every = operators.call("regexp_extract_all", text, found, _whole(group))
    return every, ty.list_(ty.string(), nullable=mirrored(call))


def count(call: Call, line: Line) -> Result:
    """``regexp_count_substring``."""
    text, pattern, *position = call.values
    found = _from(position[0] if position else number(1), _pattern(call, pattern))
    return operators.call("regexp_count", text, found), ty.i32(nullable=mirrored(call))


def split(call: Call, line: Line) -> Result:
    """``regexp_string_split``."""
    text, pattern = call.values
    # At nothing at all Spark splits character by character itself.
    by = pattern if literal_text(pattern) == "" else _pattern(call, pattern)
    parts = operators.call("split", text, by)
    return parts, ty.list_(ty.string(), nullable=mirrored(call))


def position(call: Call, line: Line) -> Result:
    """``regexp_strpos``: where the n-th match starts, 0 where there is none.

    Spark tells of the first match only. Behind the n-th is what a split into n + 1 parts leaves over.
    """
    text, pattern, start, occurrence = call.values
    if literal_int(occurrence) == 1:
        found = _from(start, _pattern(call, pattern))
        return operators.call("regexp_instr", text, found), ty.i32(nullable=mirrored(call))
    if not _never_empty(pattern):
        raise refused(
            call, "Spark finds a further occurrence only of a pattern that cannot match nothing"
        )
    found = _from(start, _pattern(call, pattern))
    nth = _whole(occurrence)
    missing = operators.infix(exp.LT, operators.call("regexp_count", text, found), nth)
    parts = operators.call("split", again(text), again(found), _plus_one(nth))
    rest = operators.call("element_at", parts, number(-1))
    every = operators.call("regexp_extract_all", again(text), again(found), number(0))
    matched = operators.call("element_at", every, again(nth))
    length = [operators.call("char_length", x) for x in (again(text), rest, matched)]
    at = operators.infix(exp.Add, operators.fold(exp.Sub, length), number(1))
    return exp.Case(ifs=[exp.If(this=missing, true=number(0))], default=at), ty.i32(nullable=True)


def replace(call: Call, line: Line) -> Result:
    """``regexp_replace``.

    Without an occurrence it is the first match: the extension file does not say, its official cases do. Occurrence 0 is
    a contradiction: all matches by the words of the file, only the first one in its cases. So the pattern must be one
    that cannot match twice.
    """
    text, pattern, replacement, *places = call.values
    yields = results.written("string", nullable=mirrored(call))
    if any(map(is_null, (text, pattern, replacement))):
        return operators.call("regexp_replace", text, pattern, replacement), yields
    start, nth = (literal_int(p) for p in places or (number(1), number(1)))
    source = literal_text(pattern)
    by = literal_text(replacement)
    if source is None or by is None or start is None or nth is None:
        raise refused(
            call,
            "a pattern, replacement, position or occurrence that is not a literal: the SQL depends on them",
        )
    once = start == 1 and _once(source) and not _many_lines(call)
    if nth == 0 and not once:
        raise refused(
            call,
            "occurrence 0: the extension file replaces all matches, its official cases the first one only",
            "say which occurrence is meant, such as 1",
        )
    if nth == 0 or (not places and once):
        return _replace_all(call, by), yields
    head, groups = _before(call, source, start, nth)
    whole = quoted(head + _inline(call, source))
    return operators.call(
        "regexp_replace", text, whole, quoted("$1" + _groups(call, by, groups))
    ), yields


def replace_all(call: Call, line: Line) -> Result:
    """``regexp_replace`` of three arguments as Ibis and Calcite mean it: every match."""
    by = literal_text(call.values[2])
    if by is None:
        raise refused(
            call, "a replacement that is not a literal: how groups are written in it differs"
        )
    return _replace_all(call, by), results.written("string", nullable=mirrored(call))


def _replace_all(call: Call, by: str) -> Node:
    text, pattern, _ = call.values[:3]
    return operators.call(
        "regexp_replace", text, _pattern(call, pattern), quoted(_groups(call, by, 0))
    )


def _before(call: Call, source: str, start: int, nth: int) -> tuple[str, int]:
    """The pattern of all the text before the n-th match, kept as group 1, and how many groups that makes."""
    if _BACKREFERENCE.search(source):
        raise refused(call, "a pattern that refers to its own groups")
    skipped = f".{{{start - 1}}}" if start > 1 else ""
    if nth == 1:
        return rf"(?s)\A({skipped}.*?)", 1
    if not _never_empty(quoted(source)) or "(?<" in source:
        raise refused(
            call, "Spark finds a further occurrence only of a pattern that cannot match nothing"
        )
    before = f"(?>.*?{_inline(call, source)})"
    times = f"{{{nth - 1}}}" if nth > 2 else ""
    return rf"(?s)\A({skipped}{before}{times}.*?)", 1 + re.compile(source).groups


def _inline(call: Call, source: str) -> str:
    """The pattern as a part of another one, in which ``.`` matches everything."""
    text, unicode = _java(call, source)
    on, off = _flags(call, unicode)
    if "s" in on:
        return f"(?{on}{off}:{text})"
    return f"(?{on}{off or '-'}s:{text})"


def _groups(call: Call, replacement: str, shift: int) -> str:
    r"""The replacement with ``\1`` as Java writes it, ``$1``."""
    out = []
    for part in re.findall(r"\\\d|\\.|\$\d?|[^\\$]+|\\$", replacement):
        if re.fullmatch(r"\\\d", part):
            out.append(f"${int(part[1]) + shift if part[1] != '0' else 0}")
        elif part == "\\\\":
            out.append(r"\\")
        elif part == "$":
            out.append(r"\$")
        elif part[0] in "\\$" or (part[0].isdigit() and out and out[-1][0] == "$"):
            raise refused(call, f"the replacement {replacement!r} may be read in more than one way")
        else:
            out.append(part)
    if shift and any(p == "$0" for p in out):
        raise refused(call, "a replacement with the whole match in it")
    return "".join(out)


def _pattern(call: Call, pattern: Node) -> Node:
    """The pattern in Java's terms, behind the flags that the options ask for."""
    source = literal_text(pattern)
    if is_null(pattern):
        return pattern
    if source is None:
        named = operators.call("regexp_replace", pattern, quoted(r"\[:(\w+):]"), quoted(r"\\p{$1}"))
        flags = "".join(_flags(call, True))
        head: Node = quoted(f"(?{flags})")
        if _many_lines(call):
            # Java sees no line in a text of nothing.
            nothing = operators.infix(exp.EQ, again(call.values[0]), quoted(""))
            one = exp.If(this=nothing, true=quoted(f"(?{flags.replace('m', '')})"))
            head = exp.Case(ifs=[one], default=head)
        return _joined(head, quoted(f"{_WHOLE_CHARACTERS}(?:"), named, quoted(")"))
    text, unicode = _java(call, source)
    flags = "".join(_flags(call, unicode))
    if _may_be_empty(source):
        if _many_lines(call):
            text = _CARET.sub(lambda m: r"(?:^|\A)" if m[0] == "^" else m[0], text)
        text = f"{_WHOLE_CHARACTERS}(?:{text})"
    if not flags and text == source:
        return pattern
    return quoted(f"(?{flags}){text}" if flags else text)


def _flags(call: Call, unicode: bool) -> tuple[str, str]:
    """The flags to turn on, and those to turn off again."""
    case = call.chosen.get("CASE_SENSITIVITY", "CASE_SENSITIVE")
    on = "" if case == "CASE_SENSITIVE" else "i"
    if _many_lines(call):
        on += "m"
    if call.chosen.get("DOTALL") == "DOTALL_ENABLED":
        on += "s"
    if case == "CASE_INSENSITIVE":
        on += "u"
    if unicode:
        on += "U"
    # U brings u with it.
    return on, "-u" if unicode and case == "CASE_INSENSITIVE_ASCII" else ""


def _many_lines(call: Call) -> bool:
    return call.chosen.get("MULTILINE") == "MULTILINE_ENABLED"


def _java(call: Call, source: str) -> tuple[str, bool]:
    """The pattern as Java writes it, and whether it needs ``(?U)`` for that."""
    if _SET_ALGEBRA.search(source):
        raise refused(call, "a pattern that subtracts sets of characters")

    text = _CLASS.sub(lambda m: rf"\{'P' if m[1] else 'p'}{{{m[2].lower()}}}", source)
    return text, _OF_UNICODE.search(text) is not None


def _from(start: Node, pattern: Node) -> Node:
    """The pattern for matches from a position on.

    What stands before it is still there for ``^`` and for lookbehind, so it is not cut off: the match must not start
    within the first characters. The emoji makes Java count characters there, and not halves of them.
    """
    known = literal_int(start)
    if known is not None and known <= 1:
        return pattern
    any_text = r"(?<!\A[😀[^😀]]{0,"
    if known is not None:
        return _joined(quoted(f"{any_text}{known - 2}}})(?:"), pattern, quoted(")"))
    skipped = exp.Sub(this=operators.operand(start, exp.Sub), expression=number(2))
    behind = operators.call("concat", quoted(any_text), skipped, quoted("})"))
    at_once = exp.If(this=operators.infix(exp.LTE, again(start), number(1)), true=quoted(""))
    head = exp.Case(ifs=[at_once], default=behind)
    return _joined(head, quoted("(?:"), pattern, quoted(")"))


def _joined(*nodes: Node) -> Node:
    """The texts as one: a literal where all of them are, else ``concat``."""
    parts: list[Node] = []
    for node in nodes:
        within = isinstance(node, exp.Anonymous) and node.name == "concat"
        parts += node.expressions if within else [node]
    out: list[Node] = []
    for part in parts:
        text, before = literal_text(part), literal_text(out[-1]) if out else None
        if text is None or before is None:
            out.append(part)
        else:
            out[-1] = quoted(before + text)
    return out[0] if len(out) == 1 else operators.call("concat", *out)


def _never_empty(pattern: Node) -> bool:
    """Whether a literal pattern matches one character at least, wherever it stands."""
    source = literal_text(pattern)
    if source is None or _LOOKS_AROUND.search(source):
        return False
    try:
        with warnings.catch_warnings():
            # Python would rather that `[[` were not written: it may mean something there one day.
            warnings.simplefilter("ignore", FutureWarning)
            return re.compile(source).fullmatch("") is None
    except re.error:
        return False


def _may_be_empty(source: str) -> bool:
    """Whether a pattern may match nothing somewhere; those that Python does not read may."""

    def plain(found: re.Match[str]) -> str:
        if found[1] is None or found[1] in "AZzbBG":
            return ""
        return found[0] if found[1].isalnum() else "x"

    return not _never_empty(quoted(_MARK.sub(plain, _SET.sub("x", source))))


def _once(source: str) -> bool:
    """Whether the pattern is bound to the start of the text, so that it matches once at the most."""
    return source.startswith(("^", r"\A")) and "|" not in source and source[1:2] not in "*?{"


def _whole(node: Node) -> Node:
    """A number where Spark wants INT."""
    value = literal_int(node)
    return number(value) if value is not None else operators.cast(node, exp.Var(this="INT"))


def _plus_one(node: Node) -> Node:
    value = literal_int(node)
    return (
        number(value + 1) if value is not None else operators.infix(exp.Add, again(node), number(1))
    )


def replace_text(call: Call, line: Line) -> Result:
    """``replace`` of a text whose letters A to Z may be in either case: a pattern that quotes the text."""
    text, part, by = call.values
    if call.chosen.get("CASE_SENSITIVITY") != "CASE_INSENSITIVE_ASCII":
        return line.plain(call.values), line.returns(call)
    source, replacement = literal_text(part), literal_text(by)
    marked = operators.call("regexp_replace", by, quoted(r"([$\\])"), quoted(r"\\$1"))
    if replacement is not None:
        marked = quoted(re.sub(r"([$\\])", r"\\\1", replacement))
    if source:
        found = quoted("(?i)" + quote(source))
        return operators.call("regexp_replace", text, found, marked), line.returns(call)
    found = _joined(quoted("(?i)"), quoted_by(part))
    replaced = operators.call("regexp_replace", text, found, marked)
    nothing = operators.infix(exp.EQ, again(part), quoted(""))
    # Nothing is found nowhere, and everywhere by a pattern.
    as_it_is = operators.call("replace", again(text), again(part), again(by))
    chosen = exp.Case(ifs=[exp.If(this=nothing, true=as_it_is)], default=replaced)
    return chosen, line.returns(call)


def quoted_by(text: Node) -> Node:
    """SQL for the pattern of Java that matches a text, which quotes it."""
    ends = operators.call("replace", text, quoted(r"\E"), quoted(r"\E\\E\Q"))
    return operators.call("concat", quoted(r"\Q"), ends, quoted(r"\E"))


def quote(text: str) -> str:
    """A text as a pattern of Java that matches it."""
    return re.sub(r"([^\w\s,;:/'\"-])", r"\\\1", text)
