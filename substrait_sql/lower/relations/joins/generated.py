"""A lateral join with rows that are generated of the left row: ``a, LATERAL explode(a.tags) AS tags_element(tag)``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from substrait_sql.select.field import Traits, hold
from substrait_sql.select.generated import Generated

if TYPE_CHECKING:
    from substrait_sql.select.block import Block

_AROUND = Traits.OUTER | Traits.OUTER_MAP


def generates(block: Block) -> bool:
    """Whether a query is a generator that stands alone, and says nothing of the query around but in its arguments."""
    alone = isinstance(block.item, Generated) and not block.says
    return alone and not hold(block.fields, _AROUND)


def see_items_before(block: Block) -> None:
    """Makes the generator of such a query an item that stands beside those whose columns it reads."""
    item = block.item
    assert isinstance(item, Generated)
    assert item.node is not None
    item.node = exp.Lateral(this=item.node.this, alias=item.node.args["alias"])
    item.arguments.traits &= ~_AROUND
