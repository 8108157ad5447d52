"""What begins in a text and has no end."""

from __future__ import annotations

import re

_PIECE = re.compile(
    r"--[^\n]*|/\*.*?\*/|'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|`(?:[^`]|``)*`|(?P<open>/\*|['\"`])",
    re.DOTALL,
)
_WHAT = {"/*": "a comment", "`": "a name in backticks"}


def unclosed(sql: str) -> tuple[str, int] | None:
    """What it is and where it begins; None where all has an end."""
    for found in _PIECE.finditer(sql):
        if found["open"]:
            return f"{_WHAT.get(found['open'], 'a text')} has no end", found.start()
    return None
