"""Joins without ON, which take sqlglot's parser twice the time each: it looks for their ON behind all later joins.

``a JOIN b JOIN c ON … ON …`` is what it looks for there, which Spark does not have. Behind a word of another system
for a kind of join it does not look, so each JOIN of a text is given one while the text is parsed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp
from sqlglot import tokens as sqlglot_tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

# Sqlglot does not say that it exports them.
Token: Any = getattr(sqlglot_tokens, "Token")  # noqa: B009
Kind: Any = getattr(sqlglot_tokens, "TokenType")  # noqa: B009

_MARK = "POSITIONAL"
_SIDES = (Kind.LEFT, Kind.RIGHT, Kind.FULL)
# What ends no table, so that no join stands behind it.
_NO_TABLE = (
    Kind.NATURAL,
    Kind.ASOF,
    Kind.DOT,
    Kind.ALIAS,
    Kind.COMMA,
    Kind.LT,
    Kind.L_PAREN,
    Kind.COLON,
)
_KINDS = (Kind.INNER, Kind.OUTER, Kind.CROSS, Kind.SEMI, Kind.ANTI)


def marked(found: Sequence[Any]) -> list[Any]:
    """The tokens with a word before each join; a column called ``join`` and NATURAL joins are left as they are."""
    out: list[Any] = []
    for token in found:
        if token.token_type == Kind.JOIN:
            start = _start(out)
            if start and out[start - 1].token_type not in _NO_TABLE:
                place = (token.line, token.col, token.start, token.end)
                out.insert(start, Token(Kind.POSITIONAL, _MARK, *place, []))
        out.append(token)
    return out


def _start(before: Sequence[Any]) -> int:
    """Where the words of a join begin of which JOIN comes next."""
    place = len(before)
    for kinds in (_KINDS, _SIDES):
        if place and before[place - 1].token_type in kinds:
            place -= 1
    return place


def unmarked(tree: Any, *, has_on: bool) -> None:
    """Takes the words out again. has_on: whether the parser gives ON TRUE to joins without one. Changes the tree."""
    for join in tree.find_all(exp.Join):
        if join.args.get("method") == _MARK:
            join.set("method", None)
            bare = not (join.args.get("on") or join.args.get("using"))
            if has_on and bare and join.kind in ("", "INNER", "OUTER"):
                join.set("on", exp.true())
