"""A lateral join with rows that are generated of the left row: ``a, LATERAL explode(a.tags) AS tags_element(tag)``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from substrait_sql.select.field import Traits, hold

if TYPE_CHECKING:
    from substrait_sql.select.block import Block

_AROUND = Traits.OUTER | Traits.OUTER_MAP


def generates(block: Block) -> bool:
    """Whether a query is a generator that stands alone, and says nothing of the query around but in its arguments."""
    item = block.item
    alone = item is not None and item.made_of is not None and not block.says
    return alone and not hold(block.fields, _AROUND)


def see_items_before(block: Block) -> None:
    """Makes the generator of such a query an item that stands beside those whose columns it reads."""
    item = block.item
    assert item is not None
    assert item.node is not None
    assert item.made_of is not None
    item.node = exp.Lateral(this=item.node.this, alias=item.node.args["alias"])
    item.made_of.traits &= ~_AROUND
