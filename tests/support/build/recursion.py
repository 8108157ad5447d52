"""Recursive queries: an extension relation of ours, see `substrait_sql.plan.recursion`."""

from __future__ import annotations

import substrait.proto as pb

from substrait_sql.plan.recursion import Recursive, write_recursion, write_round
from tests.support.build.reads import table
from tests.support.build.relations import R


def last_round(columns: str, steps: int = 0) -> R:
    """The rows of the round before. columns: names and types. steps: how many recursions further out it is."""
    rows = table("x", columns)
    read = rows.message.read
    read.ClearField("named_table")
    write_round(read.extension_table.detail, steps)
    return rows


def recursion(start: R, step: R, name: str = "r", most_rounds: int | None = None) -> R:
    """The rows of the start, and of each round of the step, as many as there may be."""
    message = pb.Rel()
    message.extension_multi.inputs.extend([start.message, step.message])
    write_recursion(message.extension_multi.detail, Recursive(name, most_rounds))
    return R(message, start.types)
