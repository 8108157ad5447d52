"""How deep plans may nest."""

from __future__ import annotations

from substrait_sql.errors import DecodeError

MAX_DEPTH = 32_000
"""Nested messages: a relation is two of them, a call within a call three."""


def too_deep() -> DecodeError:
    """Return the error for a plan that nests deeper than this library promises to read."""
    made = DecodeError.of(
        "SS1007",
        f"the plan nests more than {MAX_DEPTH:,} messages deep",
        hint="share subtrees through ReferenceRel, and give and/or all their arguments at once",
    )
    assert isinstance(made, DecodeError)
    return made
