"""What producers mean where their plans depart from the specification. Each habit is one line, with its evidence."""

from __future__ import annotations

from dataclasses import dataclass

from substrait_sql.wire import Decoded


@dataclass(frozen=True, slots=True)
class Habits:
    """How to read this plan.

    project_replaces: a ProjectRel without emit returns its expressions only. DuckDB 1.1 and DataFusion up to 40 write
    such plans; the count of root names shows it.
    """

    project_replaces: bool = False
    # Ordinals over a read without mask count the columns that DuckDB happened to bind, in an order that the plan does
    # not record (all 95 unoptimised plans of DuckDB 1.1.3): what they mean cannot be known.
    needs_mask: bool = False


def habits_of(decoded: Decoded) -> Habits:
    """The habits of the plan's producer, judged by its name and version."""
    producer = decoded.producer.casefold()
    if producer.startswith("duckdb"):
        return Habits(project_replaces=True, needs_mask=True)
    old = decoded.version is not None and decoded.version < (0, 60, 0)
    if producer.startswith("datafusion") and old:
        return Habits(project_replaces=True)
    return Habits()
