"""The functions that a text of SQL calls, whoever wrote that part of it: a dialect's line, an extension, the plan."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot.dialects.spark import Spark

from substrait_sql.policy import known

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_NAMES_FOLLOW = ("AS", "INTO", "TABLE", "EXISTS")


def called(sql: str) -> tuple[str, ...]:
    """The names in front of a parenthesis, in lower case, each once; those of several parts with dots.

    Words of SQL are none of them, unless they are quoted. What may be the name of a table or of an alias is one when in
    doubt: a policy then asks about a function that is not there, and never misses one.
    """
    tokens = Spark().tokenize(sql)
    return tuple(dict.fromkeys(_calls(tokens)))


def _calls(tokens: Sequence[Any]) -> Iterator[str]:
    for i, token in enumerate(tokens):
        if i == 0 or token.token_type.name != "L_PAREN":
            continue
        parts = list(_name_before(tokens, i))
        if not parts:
            continue
        quoted = tokens[i - 1].token_type.name == "IDENTIFIER"
        if len(parts) == 1 and not quoted and parts[0] in known.words():
            continue
        first = i - 2 * len(parts) + 1
        if first > 0 and tokens[first - 1].text.upper() in _NAMES_FOLLOW:
            continue
        yield ".".join(parts)


def _name_before(tokens: Sequence[Any], end: int) -> Iterator[str]:
    """The parts of the name that ends before a token, none if something else stands there."""
    parts: list[str] = []
    at = end - 1
    while at >= 0 and _is_name(tokens[at]):
        parts.append(tokens[at].text.lower())
        if at < 2 or tokens[at - 1].token_type.name != "DOT":
            break
        at -= 2
    # A token of several words ends in the one that matters: `GROUP BY (`.
    return iter([part.rpartition(" ")[2] for part in reversed(parts)])


def _is_name(token: Any) -> bool:
    kind = str(token.token_type.name)
    if kind in ("STRING", "NUMBER", "HEX_STRING", "RAW_STRING", "PARAMETER", "PLACEHOLDER"):
        return False
    start = str(token.text[:1])
    return kind == "IDENTIFIER" or start.isalpha() or start == "_"
