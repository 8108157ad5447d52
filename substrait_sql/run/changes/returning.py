"""Runs a write that hands back its records (`lower.writes.returning`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pyspark.sql import DataFrame

    from substrait_sql.rendered import Statement


def steps_of(statement: Statement, statements: Sequence[Statement]) -> list[Statement]:
    """The statements of such a write whose first one this is, none for any other."""
    found = [s for s in statements if s.root == statement.root and s.kind != "temporary_view"]
    kinds = [s.kind for s in found]
    return found if kinds[-2:] == ["query", "drop_table"] and found[0] == statement else []


def run(steps: Sequence[Statement], run_one: Callable[[Statement], DataFrame]) -> DataFrame:
    """The records. The table that they are read from is gone afterwards, also where a statement fails."""
    filled, *written, rows, dropped = steps
    run_one(filled)
    try:
        for step in written:
            run_one(step)
        return run_one(rows).localCheckpoint()
    finally:
        run_one(dropped)
