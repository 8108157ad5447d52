"""What a query uses of the queries around it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from substrait_sql.select.generated import Generated

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from substrait_sql.select.block import Block
    from substrait_sql.select.field import Field
    from substrait_sql.select.item import ColumnNode, Item


def refers_outside(block: Block) -> bool:
    """Whether a query uses a column that none of its own FROM items has."""
    return bool(outer_columns(block))


def outer_columns(block: Block) -> set[tuple[Item, int]]:
    """The columns of the queries around it that a query uses, as (item, ordinal)."""
    stack = [block]
    own: set[Item] = set()
    used: set[tuple[Item, int]] = set()
    while stack:
        current = stack.pop()
        own.update(current.items)
        if current.body is not None:
            stack.extend(current.body.branches)
            continue
        stack.extend(current.derived)
        used.update((c.item, c.ordinal) for f in fields_of(current) for c in _columns(f))
        used.update((c.item, c.ordinal) for j in current.joins for c in j.captured or ())
        used.update((c.item, c.ordinal) for i in current.items for c in argument_columns(i))
    return {(item, ordinal) for item, ordinal in used if item not in own}


def fields_of(block: Block) -> Iterable[Field]:
    """Every expression of one SELECT."""
    yield from block.fields
    yield from block.hidden
    yield from block.where
    yield from block.having
    yield from block.group or ()
    yield from block.sorted_by
    for join in block.joins:
        yield from join.on


def argument_columns(item: Item) -> Sequence[ColumnNode]:
    """What a function in FROM reads."""
    return item.arguments.columns if isinstance(item, Generated) else ()


def _columns(field: Field) -> Iterable[ColumnNode]:
    if field.parts is None:
        return ()
    return (*field.parts.columns, *field.parts.captured)
