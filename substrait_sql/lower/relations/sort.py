"""https://substrait.io/relations/logical_relations/#sort-operation"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from substrait_sql.lower.block import Block, Slot, SortKey
from substrait_sql.lower.context import CloseBlock, Context, Env
from substrait_sql.lower.field import Traits
from substrait_sql.lower.relations import environment, lowers, relation
from substrait_sql.lower.sorting import sort_keys

if TYPE_CHECKING:
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
    return _ordered(block, keys)


def _ordered(block: Block, keys: list[SortKey]) -> Block:
    """The block sorted. A key that holds a subquery is computed first, in a derived table: ORDER BY takes none."""
    extra = [
        k.field for k in keys if k.field.traits & Traits.SUBQUERY and block.find(k.field) is None
    ]
    if extra:
        width = len(block.fields)
        for f in extra:
            f.name = f.name or "sort_key"
        block.fields = block.fields + extra
        fresh = block.close("keyed")
        for key in keys:
            position = block.find(key.field)
            if position is None:
                raise AssertionError("a sort key was lost")
            key.field = fresh.fields[position]
        fresh.fields = fresh.fields[:width]
        block = fresh
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
    only_outputs = block.distinct or block.body is not None
    if only_outputs and any(block.find(key.field) is None for key in keys):
        return None
    return keys
