"""Defaults of columns in the text of a table's columns: ``id INT NOT NULL, name STRING DEFAULT 'none'``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot.errors import TokenError

from substrait_sql.lift.text.tokens import Kind, tokens_of

if TYPE_CHECKING:
    from collections.abc import Sequence

_OPENS = {Kind.L_PAREN: 1, Kind.LT: 1, Kind.L_BRACKET: 1}
_CLOSES = {Kind.R_PAREN: 1, Kind.GT: 1, Kind.R_BRACKET: 1}


def apart(text: str) -> tuple[str, dict[str, str]]:
    """The text without defaults, and the text of each, by the column's name in lower case."""
    found = _tokens(text)
    if not found:
        return text, {}
    columns: list[str] = []
    defaults: dict[str, str] = {}
    for each in _split(found):
        plain, default = _cut(text, each)
        columns.append(plain)
        if default is not None:
            defaults[each[0].text.casefold()] = default
    return ", ".join(columns), defaults


def column_apart(text: str) -> tuple[str, str | None]:
    """The text of one column's type without its default, and that, None if there is none."""
    found = _tokens(text)
    return _cut(text, found) if found else (text, None)


def _tokens(text: str) -> list[Any]:
    """The tokens of a text that has a default; none of others, and of what is no text of columns."""
    if "default" not in text.casefold():
        return []
    try:
        return tokens_of(text)
    except TokenError:
        return []


def _split(found: Sequence[Any]) -> list[list[Any]]:
    out: list[list[Any]] = [[]]
    depth = 0
    for token in found:
        depth += _OPENS.get(token.token_type, 0) - _CLOSES.get(token.token_type, 0)
        if token.token_type == Kind.COMMA and depth == 0:
            out.append([])
        else:
            out[-1].append(token)
    return [each for each in out if each]


def _cut(text: str, found: Sequence[Any]) -> tuple[str, str | None]:
    """The default ends where the column does, or at NOT NULL or COMMENT."""
    first, last = found[0].start, found[-1].end + 1
    starts = [i for i, t in enumerate(found) if i and _is(t, "DEFAULT")]
    if not starts or starts[0] == len(found) - 1:
        return text[first:last], None
    start = starts[0]
    end = next((i for i in range(start + 2, len(found)) if _ends(found, i)), len(found))
    default = text[found[start + 1].start : found[end - 1].end + 1]
    rest = text[found[end].start : last] if end < len(found) else ""
    return f"{text[first : found[start].start]}{rest}".strip(), default


def _ends(found: Sequence[Any], place: int) -> bool:
    behind = found[place + 1] if place + 1 < len(found) else None
    negated = _is(found[place], "NOT") and behind is not None and _is(behind, "NULL")
    return negated or _is(found[place], "COMMENT")


def _is(token: Any, word: str) -> bool:
    quoted = token.token_type in (Kind.STRING, Kind.IDENTIFIER)
    return not quoted and token.text.upper() == word
