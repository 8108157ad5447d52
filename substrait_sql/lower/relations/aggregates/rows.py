"""The rows that an aggregation is over, in their order where a measure is about that: ``first`` of sorted rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from substrait_sql.lower.relation import relation
from substrait_sql.lower.relations.rows.sorted_rows import sorted_below
from substrait_sql.select.block import Slot

if TYPE_CHECKING:
    from substrait_sql.lower.context import Context, Env
    from substrait_sql.select.block import Block
    from substrait_sql.wire.path import Path


def rows_of(message: Any, cx: Context, path: Path, outer: Env | None) -> Block:
    """The block of the input, where groups can be made of it."""
    block = relation(message.input, cx, path / "input", outer)
    if block.order and not block.limited and _is_about_order(message, cx, path):
        block = sorted_below(block)
    return block.at(Slot.GROUP)


def _is_about_order(message: Any, cx: Context, path: Path) -> bool:
    for i, each in enumerate(message.measures):
        at = (path / "measures")[i] / "measure"
        name = cx.functions.get(each.measure.function_reference, at)
        if not each.measure.sorts and not cx.dialect.facts("aggregate", name).orderless:
            return True
    return False
