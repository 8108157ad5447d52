"""Names that are near to one that nothing has."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_LISTED = 12
_MOST = 3


def near(name: str, known: Iterable[str], least: float = 0.6) -> str:
    """``did you mean a or b?``; empty where nothing is near."""
    by_key = {k.casefold(): k for k in reversed(list(known))}
    close = difflib.get_close_matches(name.casefold(), by_key, n=_MOST, cutoff=least)
    return f"did you mean {' or '.join(by_key[c] for c in close)}?" if close else ""


def these(what: str, known: Sequence[str]) -> str:
    """A short list of all there are."""
    if not known:
        return f"there are no {what} here"
    return f"{what} here: {', '.join(known)}" if len(known) <= _LISTED else ""
