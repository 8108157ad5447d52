"""What a misspelt name may have meant."""

from __future__ import annotations

import difflib


def closest(word: str, known: list[str]) -> str:
    """Return a hint that names the nearest known words, or lists a few of them."""
    near = difflib.get_close_matches(word[:200], known, n=2, cutoff=0.6)
    if near:
        return "did you mean " + " or ".join(near) + "?"
    shown = ", ".join(known[:8]) + (", …" if len(known) > 8 else "")
    return f"known are: {shown}" if shown else ""
