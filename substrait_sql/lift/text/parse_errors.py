"""What sqlglot's parser says of a text that it does not read, in words of the text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from substrait_sql.lift.near import near
from substrait_sql.lift.text.tokens import PREFIX, Kind
from substrait_sql.lift.typing.parse import NAMES

_WORDS = frozenset({
    "SELECT", "FROM", "WHERE", "GROUP", "HAVING", "QUALIFY", "ORDER", "LIMIT", "OFFSET", "JOIN", "INNER", "LEFT",
    "RIGHT", "FULL", "OUTER", "CROSS", "SEMI", "ANTI", "ON", "USING", "UNION", "INTERSECT", "EXCEPT", "AND", "OR",
    "NOT", "IN", "LIKE", "BETWEEN", "CASE", "WHEN", "THEN", "ELSE", "END", "DISTINCT", "VALUES", "WITH", "AS", "OVER",
    "PARTITION",
})  # fmt: skip
_BY = ("ORDER", "GROUP", "SORT", "PARTITION", "CLUSTER", "DISTRIBUTE")


@dataclass(frozen=True, slots=True)
class Said:
    """A message, a hint, and the token that they are about, None where it is the place that the parser names."""

    message: str
    hint: str = ""
    token: Any = None


def said(description: str, token: Any, before: Any, last: Any) -> Said:
    """What a message of the parser's means. token: where it stopped, with the one before it; last: of the text."""
    text = PREFIX.sub("", description)
    missing = re.match(r"Expecting (\S+)|Expected (AS) after CAST|Expected (END) after CASE", text)
    if missing:
        word = next(filter(None, missing.groups()))
        behind = token is last and token is not None and token.text != ")"
        return Said(f"{word} is missing {'behind' if behind else 'before'} this")
    if re.match("Expected TYPE after CAST|Expected type", text) and token is not None:
        names = [n.upper() for n in NAMES]
        return Said(f"{token.text} is no type of Spark's", near(token.text, names))
    if text.startswith("Expected table name"):
        return Said("the name of a table is missing here", "", last if "SENTINEL" in text else None)
    if text.startswith("Invalid expression") and token is not None:
        return _stopped(token, before)
    if text.startswith(("Required keyword", "Invalid expression", "Expected")):
        return Said("something is missing here")
    return Said(text)


def _stopped(token: Any, before: Any) -> Said:
    """The word where the parser stopped, or the one before it, which it took for an alias."""
    if before is not None and before.text.upper() in _BY:
        return Said(f"BY is missing behind {before.text.upper()}")
    for each in (before, token):
        if each is not None and each.token_type == Kind.VAR:
            hint = near(each.text, sorted(_WORDS), 0.7)
            if hint and each.text.upper() not in _WORDS:
                return Said(f"{each.text} is not understood here", hint, each)
    if token.text.upper() in ("ON", "USING"):
        return Said(f"{token.text} stands once, right behind the table that is joined")
    return Said(f"{token.text} is not understood here")
