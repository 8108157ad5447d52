"""SELECTs that say no more than what they read: that is written in their place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from substrait_sql.select.block import Block, Derived, SortKey, derived
from substrait_sql.select.output_names import output_names

if TYPE_CHECKING:
    from collections.abc import Sequence

_OF_SETS = frozenset({"order", "limit", "offset"})


def set_itself(
    block: Block, needed: Sequence[int], names: Sequence[str], suggested: dict[int, str]
) -> tuple[Block, Sequence[int], Sequence[str]] | None:
    """The set operation that a SELECT only picks columns of, sorts and cuts, those columns, and what they are called.

    None for any other SELECT. names, suggested: as in `assemble`.
    ``SELECT a FROM (… UNION …) AS t ORDER BY a`` is ``… UNION … ORDER BY a``.
    """
    inner = derived(block.item)
    if inner is None or inner.body is None or block.hidden or not block.says_only(_OF_SETS):
        return None
    fields = [block.fields[i] for i in needed]
    places = [f.ordinal for f in fields]
    keys = [key.field for key in block.order]
    if inner.limited or inner.order or inner.hidden or len(set(places)) < len(places) or not places:
        return None
    if not all(f.item is block.item for f in [*fields, *keys]):
        return None
    if inner.all_decide and sorted(places) != list(range(len(inner.fields))):
        return None
    outputs = list(names) or output_names(fields, [suggested.get(i, "") for i in needed])
    distinct = len({n.casefold() for n in outputs}) == len(outputs)
    if keys and (not distinct or any(k.ordinal not in places for k in keys)):
        return None
    inner.order = [
        SortKey(inner.fields[k.field.ordinal], k.descending, k.nulls_first) for k in block.order
    ]
    inner.limit, inner.offset, inner.path = block.limit, block.offset, block.path
    return inner, places, outputs


def is_one_row(block: Block) -> bool:
    """Whether FROM has one row of constants, and no column of it is read: ``FROM (SELECT 1)``."""
    if not isinstance(block.item, Derived) or block.joins or block.item.used:
        return False
    inner = block.item.block
    return inner.item is None and inner.says_only(frozenset({"group"})) and not inner.group
