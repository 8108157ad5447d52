"""Literals that are one thing before a ``::``: ``-1 :: STRING`` is a text, ``DATE '…' :: STRING`` too.

Sqlglot casts the number or the text alone, and what stands before it belongs to the result.
"""

from __future__ import annotations

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
