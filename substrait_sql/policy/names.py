"""Patterns of names: of tables in parts, of functions as one text. Case does not matter."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_PART = re.compile(r"`((?:[^`]|``)+)`|([^`.]+)")


def table_pattern(text: str) -> tuple[re.Pattern[str], ...]:
    """``sales.*``: one pattern for each part. A star or question mark in backticks is meant as it is.

    Raises `ValueError` for what is no name.
    """
    found, at = [], 0
    while True:
        part = _PART.match(text, at)
        if part is None:
            raise ValueError(f"{text!r} is no name of a table, nor a pattern of such")
        quoted = part[1]
        found.append(
            _pattern(part[2].strip())
            if quoted is None
            else re.compile(re.escape(quoted.replace("``", "`").lower()))
        )
        at = part.end()
        if at == len(text):
            return tuple(found)
        if text[at] != ".":
            raise ValueError(f"{text!r} is no name of a table, nor a pattern of such")
        at += 1


def matches_table(names: Sequence[str], patterns: Iterable[Sequence[re.Pattern[str]]]) -> bool:
    """Whether a name fits one of the patterns, part by part: a dot in a part is no dot between two."""
    return any(
        len(names) == len(parts)
        and all(p.fullmatch(n.lower()) for p, n in zip(parts, names, strict=True))
        for parts in patterns
    )


def matches(name: str, patterns: Iterable[str]) -> bool:
    """Whether a text fits one of the patterns as a whole."""
    return any(_pattern(p).fullmatch(name.lower()) for p in patterns)


def _pattern(text: str) -> re.Pattern[str]:
    signs = {"*": ".*", "?": "."}
    parts = (signs.get(c) or re.escape(c) for c in text.lower())
    return re.compile("".join(parts), re.DOTALL)
