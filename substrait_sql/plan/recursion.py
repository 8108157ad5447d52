"""Recursive queries, for which Substrait has no relation.

They are an `ExtensionMultiRel` of two inputs, the rows to start with and the step that makes more of the rows of the
round before, until it makes none; its rows are those of all rounds. The detail is a ``google.protobuf.Struct``::

    {"recursion": "union all", "name": "reports"}

It may say ``"most_rounds": 300`` besides: with more rounds the query fails.

The step reads the rows of the round before as an extension table, whose base schema is that of the recursion, of the
one that it stands in, or of one so many further out::

    {"last_round": 0}
"""

from __future__ import annotations

from typing import Any, NamedTuple

from substrait_sql.plan import structs

_KIND = "union all"
# Spark's level is an INT.
_MOST = 2**31


class Recursive(NamedTuple):
    """What a recursion is called. most_rounds: with more of them it fails; None where it is the engine that says so."""

    name: str
    most_rounds: int | None = None


def read(detail: Any) -> Recursive | None:
    """What is said of a recursion, None where the detail of a relation says something else."""
    found = structs.read(detail)
    name, most = found.get("name"), found.get("most_rounds")
    if set(found) - {"most_rounds"} != {"recursion", "name"} or found["recursion"] != _KIND:
        return None
    if not isinstance(name, str) or ("most_rounds" in found and not _is_count(most, _MOST)):
        return None
    return Recursive(name, None if most is None else int(most))


def steps_of(detail: Any) -> int | None:
    """How many recursions further out the rows are, None where the detail of a table says something else."""
    found = structs.read(detail)
    steps: Any = found.get("last_round")
    return int(steps) if set(found) == {"last_round"} and _is_count(steps, 1_000) else None


def write_recursion(detail: Any, made: Recursive) -> None:
    """Fills in the detail of a recursion."""
    most = {} if made.most_rounds is None else {"most_rounds": made.most_rounds}
    structs.write(detail, {"recursion": _KIND, "name": made.name, **most})


def write_round(detail: Any, steps: int) -> None:
    """Fills in the detail of the table that is the round before."""
    structs.write(detail, {"last_round": steps})


def _is_count(number: Any, end: int) -> bool:
    """Whether it is a whole number from 0 on, below the end. Numbers of a Struct are doubles."""
    return isinstance(number, float) and number.is_integer() and 0 <= number < end
