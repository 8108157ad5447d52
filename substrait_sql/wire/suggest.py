"""What a misspelt name, or an input that is no plan, may have meant."""

from __future__ import annotations

import difflib
import re

_SQL = re.compile(
    r"\s*(?:SELECT|WITH|VALUES|FROM|INSERT|UPDATE|DELETE|MERGE|CREATE)\s", re.IGNORECASE
)


def closest(word: str, known: list[str]) -> str:
    """Return a hint that names the nearest known words, or lists a few of them."""
    near = difflib.get_close_matches(word[:200], known, n=2, cutoff=0.6)
    if near:
        return "did you mean " + " or ".join(near) + "?"
    shown = ", ".join(known[:8]) + (", …" if len(known) > 8 else "")
    return f"known are: {shown}" if shown else ""


def about_sql(start: str) -> str:
    """The hint about an input that begins so, where that is SQL and no plan; empty for anything else."""
    return (
        "this is SQL: to_plan, or substrait-sql plan, makes a plan of it"
        if _SQL.match(start)
        else ""
    )
