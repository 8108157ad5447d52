r"""Literals: what a text in quotes says, and which are one thing before a ``::``.

`\n`, `\t`, `\r`, `\b`, `\0`, `\Z`, `\u0041`, `\U00000041` and three octal digits stand for a character, `\%` and `\_`
for themselves with the backslash (LIKE reads it), a backslash before anything else for nothing. Two quotes are one.
Source: Spark's own parser, drawn in tests/lift/test_strings.py.

``-1 :: STRING`` is a text, ``DATE '…' :: STRING`` too: sqlglot casts the number or the text alone, and what stands
before it belongs to the result.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from sqlglot import tokens as sqlglot_tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

# Sqlglot does not say that it exports them.
Token: Any = getattr(sqlglot_tokens, "Token")  # noqa: B009
Kind: Any = getattr(sqlglot_tokens, "TokenType")  # noqa: B009

_TYPED = frozenset(["DATE", "TIMESTAMP", "TIMESTAMP_NTZ", "TIMESTAMP_LTZ", "TIME"])
# Behind these a minus is that of a number, and subtracts nothing.
_BEFORE_SIGN = frozenset(
    [
        "SELECT", "DISTINCT", ",", "(", "[", "+", "-", "*", "/", "%", "DIV", "||", "=", "==", "<=>", "<>", "!=", "<",
        "<=", ">", ">=", "&", "|", "^", "AND", "OR", "NOT", "WHEN", "THEN", "ELSE", "CASE", "WHERE", "ON", "HAVING",
        "BETWEEN", "LIKE", "BY", "VALUES", "->", "=>",
    ]
)  # fmt: skip
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[01][0-7]{2}|.)", re.DOTALL)
_SURROGATES = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_SAID = {"0": "\0", "b": "\b", "n": "\n", "r": "\r", "t": "\t", "Z": "\x1a", "%": "\\%", "_": "\\_"}


def unescaped(quoted: str) -> str:
    """The text of a string literal, given with its quotes. The escapes of both halves of a pair are one character."""
    quote = quoted[0]
    said = _ESCAPE.sub(_character, quoted[1:-1].replace(quote * 2, quote))
    return _SURROGATES.sub(
        lambda found: found[0].encode("utf-16", "surrogatepass").decode("utf-16"), said
    )


def _character(found: re.Match[str]) -> str:
    said = found[1]
    if len(said) == 1:
        return _SAID.get(said, said)
    code = int(said, 8) if said[0].isdigit() else int(said[1:], 16)
    # Beyond the last character Spark has halves of surrogate pairs; those are refused where tokens are read.
    return chr(code) if code < 0x110000 else "\udc00"


def whole_literals(found: Sequence[Any]) -> list[Any]:
    """The tokens, with brackets around a literal of several tokens that is cast by ``::``."""
    out: list[Any] = []
    place = 0
    while place < len(found):
        end = _end_of_literal(found, place)
        if end and end < len(found) and found[end].token_type == Kind.DCOLON:
            first, last = found[place], found[end - 1]
            out += [
                _like(first, "(", Kind.L_PAREN),
                *found[place:end],
                _like(last, ")", Kind.R_PAREN),
            ]
            place = end
        else:
            out.append(found[place])
            place += 1
    return out


def _end_of_literal(found: Sequence[Any], place: int) -> int:
    """Where the literal ends that begins with this word or sign; 0 where none does."""
    token = found[place]
    before = found[place - 1].text.upper() if place else ""
    following = found[place + 1] if place + 1 < len(found) else None
    if following is None or token.token_type == Kind.IDENTIFIER:
        return 0
    if token.text.upper() in _TYPED and before not in (".", "AS", "::"):
        return place + 2 if following.token_type == Kind.STRING else 0
    if token.token_type != Kind.DASH or before not in _BEFORE_SIGN:
        return 0
    if following.token_type not in (Kind.NUMBER, Kind.STRING):
        return 0
    # The suffix of a number is a cast to sqlglot: all of it stands at one place.
    end = place + 2
    while end < len(found) and found[end].start == following.start:
        end += 1
    return 0 if following.token_type == Kind.STRING and end == place + 2 else end


def _like(token: Any, text: str, kind: Any) -> Any:
    return Token(kind, text, token.line, token.col, token.start, token.end, token.comments)
