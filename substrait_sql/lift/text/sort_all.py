"""``ORDER BY all``: sqlglot takes each key called so, ``t.all`` too, for the word. In brackets it does not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import tokens as sqlglot_tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

# Sqlglot does not say that it exports them.
Token: Any = getattr(sqlglot_tokens, "Token")  # noqa: B009
Kind: Any = getattr(sqlglot_tokens, "TokenType")  # noqa: B009

_ENDS = (Kind.COMMA, Kind.R_PAREN, Kind.SEMICOLON, Kind.PIPE_GT)
_WORDS = frozenset(["ASC", "DESC", "NULLS", "LIMIT", "OFFSET", "ROWS", "RANGE"])


def bracketed_all(found: Sequence[Any]) -> list[Any]:
    """The tokens, with brackets around each key of ORDER BY that is a name whose last part is ``all``."""
    out: list[Any] = []
    start: int | None = None  # where the key that is being read begins in `out`
    opened: list[int | None] = []
    for place, token in enumerate(found):
        if token.token_type == Kind.L_PAREN:
            opened.append(start)
        elif token.token_type == Kind.R_PAREN:
            start = opened.pop() if opened else None
        out.append(token)
        if token.token_type == Kind.ORDER_BY or (
            token.token_type == Kind.COMMA and start is not None
        ):
            start = len(out)
        elif token.token_type == Kind.L_PAREN:
            start = None
        elif start is not None and _is_all(token) and _ends(found, place) and _is_name(out[start:]):
            first = out[start]
            out[start:] = [
                _like(first, "(", Kind.L_PAREN),
                *out[start:],
                _like(token, ")", Kind.R_PAREN),
            ]
    return out


def _is_all(token: Any) -> bool:
    return bool(token.text.upper() == "ALL") and token.token_type != Kind.STRING


def _ends(found: Sequence[Any], place: int) -> bool:
    following = found[place + 1] if place + 1 < len(found) else None
    return following is None or following.token_type in _ENDS or following.text.upper() in _WORDS


def _is_name(key: Sequence[Any]) -> bool:
    return all(t.token_type == Kind.DOT for t in key[1::2])


def _like(token: Any, text: str, kind: Any) -> Any:
    return Token(kind, text, token.line, token.col, token.start, token.end, token.comments)
