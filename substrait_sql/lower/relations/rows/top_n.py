"""https://substrait.io/relations/physical_relations/#top-n-operation"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from substrait_sql.errors import invalid
from substrait_sql.lower.relation import lowers, relation
from substrait_sql.lower.relations.rows.fetch import Rows, cut, numbered
from substrait_sql.lower.relations.rows.sort import sorted_by
from substrait_sql.select.block import Block, Slot

if TYPE_CHECKING:
    from substrait_sql.lower.context import Context, Env
    from substrait_sql.wire.path import Path

_ROWS_ONLY, _WITH_TIES = (0, 1), 2


@lowers("top_n")
def top_n_rel(message: Any, cx: Context, path: Path, outer: Env | None) -> Block:
    """A sort and a fetch in one. WITH TIES also keeps the rows that are equal to the last one by the sort keys.

    Those are found by rank, as Spark has no WITH TIES. The offset counts rows, so that it goes by their numbers.
    """
    return top_within(message, 0, cx, path, outer)


def top_within(message: Any, count: int, cx: Context, path: Path, outer: Env | None) -> Block:
    """A top-N of its own for each value of the input's last columns. count: how many they are, 0 for one top-N."""
    block = relation(message.input, cx, path / "input", outer).at(Slot.ORDER)
    block, block.order = sorted_by(block, message, cx, path, outer)
    within = block.fields[len(block.fields) - count :]
    rows = Rows(message, "offset", "count", cx, path)
    if message.mode in _ROWS_ONLY or rows.count is None or rows.count == 0:
        if not within or (not rows.offset and rows.count is None):
            return cut(block, rows, outer)
        return numbered(block, rows, outer, within)
    if message.mode != _WITH_TIES:
        raise invalid("SS2183", f"top-N mode {message.mode} does not exist", path / "mode")
    return numbered(block, rows, outer, within, ties=True)
