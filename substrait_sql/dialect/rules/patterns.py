r"""Regular expressions: Substrait's are those of ICU, Spark's those of Java.

A pattern is read as ICU does, and written so that Java finds the same (`substrait_sql.dialect.regex`), or refused.
That takes a literal. Options are flags that are on from the start.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sqlglot import exp

from substrait_sql.dialect import operators, results
from substrait_sql.dialect.regex import RegexError, facts
from substrait_sql.dialect.regex.flavour import ICU
from substrait_sql.dialect.regex.nodes import Fold, Pattern
from substrait_sql.dialect.regex.parse import parse
from substrait_sql.dialect.regex.write import Java, java
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
from substrait_sql.dialect.template import Template
from substrait_sql.schema import types as ty

if TYPE_CHECKING:
    from substrait_sql.dialect.line import Line
    from substrait_sql.dialect.model import Call, Node

_FOLDS = {"CASE_INSENSITIVE": Fold.FULL, "CASE_INSENSITIVE_ASCII": Fold.ASCII}


def match(call: Call, line: Line) -> Result:
    """``regexp_match_substring``: the first match, or the n-th, or a group of it; NULL where there is none."""
    text, pattern, *places = call.values
    yields = ty.string(nullable=True)
    # The group came with 0.27; before, and without any of them, it is the whole match.
    defaults = (number(1), number(1), number(0))
    position, occurrence, group = (*places, *defaults[len(places) :])
    found = from_position(position, _pattern(call, pattern))
    first = literal_int(occurrence) == 1 and literal_int(group) == 0
    if (
        first and literal_text(pattern) is not None and facts.least(_read(call, pattern).root)
    ):  # `regexp_substr` has NULL for a match of nothing
        return operators.call("regexp_substr", text, found), yields
    every = operators.call("regexp_extract_all", text, found, _whole(group))
    return operators.call("try_element_at", every, _whole(occurrence)), yields


def every_match(call: Call, line: Line) -> Result:
    """``regexp_match_substring_all``."""
    text, pattern, position, group = call.values
    found = from_position(position, _pattern(call, pattern))
    every = operators.call("regexp_extract_all", text, found, _whole(group))
    return every, ty.list_(ty.string(), nullable=mirrored(call))


def count(call: Call, line: Line) -> Result:
    """``regexp_count_substring``."""
    text, pattern, *position = call.values
    found = from_position(position[0] if position else number(1), _pattern(call, pattern))
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
    if literal_int(occurrence) == 1 or is_null(pattern):
        found = from_position(start, _pattern(call, pattern))
        return operators.call("regexp_instr", text, found), ty.i32(nullable=mirrored(call))
    if not _never_empty(_read(call, pattern)):
        raise refused(
            call, "Spark finds a further occurrence only of a pattern that cannot match nothing"
        )
    found = from_position(start, _pattern(call, pattern))
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
    read = _read(call, pattern)
    once = start == 1 and facts.once(read.root)
    if nth == 0 and not once:
        raise refused(
            call,
            "occurrence 0: the extension file replaces all matches, its official cases the first one only",
            "say which occurrence is meant, such as 1",
        )
    if nth == 0 or (not places and once):
        return _replace_all(call, by), yields
    head, groups = _before(call, read, start, nth)
    whole = quoted(head + _java(call, read, groups).inline())
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


def _before(call: Call, read: Pattern, start: int, nth: int) -> tuple[str, int]:
    """The pattern of all the text before the n-th match, kept as group 1, and how many groups that makes."""
    skipped = f".{{{start - 1}}}" if start > 1 else ""
    if nth == 1:
        return rf"(?s)\A({skipped}.*?)", 1
    if not _never_empty(read) or read.names or facts.refers(read.root):
        raise refused(
            call, "Spark finds a further occurrence only of a pattern that cannot match nothing"
        )
    before = f"(?>.*?{_java(call, read).inline()})"
    times = f"{{{nth - 1}}}" if nth > 2 else ""
    return rf"(?s)\A({skipped}{before}{times}.*?)", 1 + read.groups


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
    if is_null(pattern):
        return pattern
    if literal_text(pattern) is None:
        return _guarded(call, pattern)
    return quoted(_java(call, _read(call, pattern)).whole())


# What ICU writes otherwise than Java, or means otherwise by it, even over plain ASCII.
_OTHERWISE = (
    r"\\[^dDsSwWbBAzZnrt.*+?()\[\]{}|^$/-]|\[[^\]]*(?:\[|&&|--)|\[\^?\]|\(\?(?![:=!]|<[=!])"
)
_PLAIN, _SOME_PLAIN = "^[\\t\\n -~]*$", "^[\\t\\n -~]+$"


def _guarded(call: Call, pattern: Node) -> Node:
    """A pattern that is not known before rows are made: an error where Java would read it otherwise than ICU.

    Over ASCII the two agree about what both know; what is left out here is also refused in a literal, or rewritten.
    """
    flags = _flags(call)
    # Java sees no line in a text of nothing.
    texts = quoted(_SOME_PLAIN if "m" in flags else _PLAIN)
    agree = Template(
        "coalesce(:text RLIKE :texts AND :pattern RLIKE :plain AND NOT :pattern RLIKE :otherwise, TRUE)",
        ["text", "texts", "plain", "pattern", "otherwise"],
    ).build([again(call.values[0]), texts, quoted(_PLAIN), again(pattern), quoted(_OTHERWISE)])
    why = operators.call("raise_error", quoted("a pattern that Java may read otherwise than ICU"))
    known = exp.Case(ifs=[exp.If(this=agree, true=pattern)], default=why)
    return _joined(quoted(f"(?{flags})"), known) if flags else known


def _flags(call: Call) -> str:
    chosen = call.chosen
    flags = "i" if chosen.get("CASE_SENSITIVITY", "CASE_SENSITIVE") in _FOLDS else ""
    flags += "m" if chosen.get("MULTILINE") == "MULTILINE_ENABLED" else ""
    return flags + ("s" if chosen.get("DOTALL") == "DOTALL_ENABLED" else "")


def _read(call: Call, pattern: Node) -> Pattern:
    """A pattern of ICU's, under the options of the call."""
    source = literal_text(pattern)
    if source is None:
        raise refused(
            call,
            "a pattern that is not a literal: how it is written differs between ICU and Java",
        )
    chosen = call.chosen
    case = chosen.get("CASE_SENSITIVITY", "CASE_SENSITIVE")
    try:
        return parse(source, ICU, _flags(call), _FOLDS.get(case))
    except RegexError as error:
        raise refused(call, f"the pattern {source!r} has {error}") from None


def _java(call: Call, read: Pattern, shift: int = 0) -> Java:
    """What was read, as Java writes it. shift: how many groups stand before it."""
    try:
        return java(read, shift)
    except RegexError as error:
        raise refused(call, f"the pattern has {error}") from None


def from_position(start: Node, pattern: Node) -> Node:
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


def _never_empty(read: Pattern) -> bool:
    """Whether a pattern matches one character at least, wherever it stands."""
    return facts.least(read.root) > 0 and not facts.looks_around(read.root)


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


def icu(pattern: str) -> str:
    """The pattern of ICU that one of Java may be: most are the same in both."""
    return pattern


_FIRST = r"(?s)\A(.*?)"


def icu_first(pattern: str) -> str | None:
    """The same of a pattern that has the text before the first match as a group: see `replace`."""
    return pattern.removeprefix(_FIRST) if pattern.startswith(_FIRST) else None


def icu_groups(replacement: str) -> str | None:
    r"""A replacement with ``\1`` for Java's ``$1``."""
    return _groups_back(replacement, 0)


def icu_groups_behind(replacement: str) -> str | None:
    """The same where the first group is the text before the match."""
    return _groups_back(replacement[2:], 1) if replacement.startswith("$1") else None


def _groups_back(replacement: str, shift: int) -> str | None:
    out = []
    for part in re.findall(r"\\.|\$\d?|[^\\$]+|\\$", replacement):
        if part[0] == "$":
            if not part[1:] or int(part[1]) < shift:
                return None
            out.append(f"\\{int(part[1]) - shift}")
        else:
            out.append("$" if part == r"\$" else part)
    return "".join(out)
