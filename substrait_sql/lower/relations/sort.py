"""https://substrait.io/relations/logical_relations/#sort-operation"""

from __future__ import annotations

from typing import Any

from substrait_sql.lower.block import Block, Slot, SortKey
from substrait_sql.lower.context import CloseBlock, Context, Env
from substrait_sql.lower.field import Traits
from substrait_sql.lower.relations import environment, lowers, relation
from substrait_sql.lower.sorting import sort_keys
from substrait_sql.wire.path import Path


@lowers("sort")
def sort_rel(message: Any, cx: Context, path: Path, outer: Env | None) -> Block:
    """ORDER BY. Where Spark's default puts NULLs elsewhere than the plan, NULLS FIRST or LAST is written."""
    block = relation(message.input, cx, path / "input", outer).at(Slot.ORDER)
    keys = _keys(block, message, cx, path, outer)
    if keys is None:
        block = block.close()
        keys = _keys(block, message, cx, path, outer)
        assert keys is not None
    block.order = keys
    return block


def _keys(
    block: Block, message: Any, cx: Context, path: Path, outer: Env | None
) -> list[SortKey] | None:
    """The sort keys, None if they can only be said over a closed block."""
    env = environment(message, cx, block, outer)
    try:
        keys = sort_keys(message.sorts, env, path / "sorts")
    except CloseBlock as needed:
        if needed.block is not block:
            raise
        return None
    if any(key.field.heavy and key.field.traits & Traits.SUBQUERY for key in keys):
        # Spark takes no correlated subquery in ORDER BY.
        if not all(any(key.field is f for f in block.fields) for key in keys):
            return _precompute(block, keys)
    only_outputs = block.distinct or block.body is not None
    if only_outputs and any(block.find(key.field) is None for key in keys):
        return None
    return keys


def _precompute(block: Block, keys: list[SortKey]) -> list[SortKey]:
    """Keys that hold subqueries become hidden columns of the select list, and are sorted by their names."""
    for key in keys:
        if block.find(key.field) is None:
            block.hidden.append(key.field)
    return keys
