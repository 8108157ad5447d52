"""Conditions above a single join that are about the kept rows only: those may be picked before anything is looked up.

    SELECT a, m.x FROM (SELECT a, (SELECT …) AS m FROM t) AS t_matched WHERE a < 3
    SELECT a, m.x FROM (SELECT a, (SELECT …) AS m FROM t WHERE a < 3) AS t_matched

What is found for a row depends on no other row. Spark picks first, whichever way it is written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from substrait_sql.lower.needs import fields_of, needs
from substrait_sql.select.block import Slot, derived
from substrait_sql.select.field import Traits

if TYPE_CHECKING:
    from substrait_sql.lower.context import Context
    from substrait_sql.select.block import Block
    from substrait_sql.select.field import Field

_ABOVE = Traits.SUBQUERY | Traits.OUTER | Traits.WINDOW


def kept_rows(block: Block, condition: Any, cx: Context) -> tuple[Block, list[Field]] | None:
    """The query that looks matches up, and the block's record as that has it; None for other conditions."""
    item, rows = block.item, derived(block.item)
    if item is None or rows is None or item.checked is None or block.says:
        return None
    if not rows.is_open(Slot.WHERE) or needs(condition, block.fields, cx) & _ABOVE:
        return None
    record = [rows.fields[f.ordinal] if f.item is item else f for f in block.fields]
    used = list(fields_of(condition, block.fields))
    own = list(fields_of(condition, record))
    if any(f.item is not item for f in used) or any(f.heavy for f in own):
        return None
    return rows, record
