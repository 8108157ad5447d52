"""A block that is read more than once, where that needs no common table expression of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from substrait_sql.select.block import Block, Shared, derived
from substrait_sql.select.item import Item

if TYPE_CHECKING:
    from collections.abc import Iterable

    from substrait_sql.select.field import Field


def is_bare(block: Block) -> bool:
    """Whether the block says nothing but the columns of one FROM item."""
    return (
        block.item is not None
        and not block.says
        and all(f.item is block.item for f in block.fields)
    )


def again(block: Block, computed: dict[str, Field]) -> Block | None:
    """A second block over the table or shared query that a bare one reads, None if it reads neither."""
    item = block.item
    table = item.table if item is not None else None
    if item is None or table is None:
        return None
    node = exp.Table(**{key: part.copy() for key, part in table.args.items() if part is not None})
    if isinstance(item, Shared):
        twin: Item = Shared(item.base, list(item.names), item.block, node, item.builtins)
    else:
        exactly = item.columns_are_exact
        twin = Item(item.base, list(item.names), node=node, columns_are_exact=exactly)
    twin.unknowable = item.unknowable
    fresh = Block(twin, _moved(block.fields, twin), base=block.base)
    fresh.computed = dict(zip(computed, _moved(computed.values(), twin), strict=True))
    return fresh


def _moved(fields: Iterable[Field], item: Item) -> list[Field]:
    moved = []
    for f in fields:
        fresh = f.with_type(f.type)
        fresh.item, fresh.source = item, fresh
        moved.append(fresh)
    return moved


def beneath(block: Block, fields: list[Field]) -> Block:
    """The query that a bare block reads, with these columns of it; the block itself where there is none to reuse."""
    inner = derived(block.item)
    if inner is None:
        block.fields = fields
        return block
    if inner.distinct or inner.body is not None:
        # Each of its columns decides about its rows.
        if [f.ordinal for f in fields] == list(range(len(inner.fields))):
            return inner
        block.fields = fields
        return block
    visible = inner.fields + inner.hidden
    inner.fields = [visible[f.ordinal].with_type(f.type) for f in fields]
    return inner
