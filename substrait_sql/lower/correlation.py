"""Where Spark takes a column of the query around: in WHERE, in HAVING, in a plain SELECT list, and in inner joins.

It refuses one in a grouped SELECT list, in keys, in windows and on a padded side of a join (as of 4.3). What it would
refuse is refused here, with the relation's path.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from substrait_sql.lower.context import refuse
from substrait_sql.lower.field import Traits
from substrait_sql.wire.path import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from substrait_sql.lower.block import Block
    from substrait_sql.lower.field import Field, Item
    from substrait_sql.lower.scope import SelectScope

# Join kind -> (the items before it are padded with NULLs, its own item is).
_PADDED = {"LEFT": (False, True), "RIGHT": (True, False), "FULL": (True, True)}


def require_plain_places(block: Block, fields: Iterable[Field]) -> None:
    """Refuses a SELECT that refers outwards from a grouping, a sort or a window."""
    if block.group is not None:
        _require(block, [*block.group, *fields], "a grouping")
        measures = [h for h in block.having if h.traits & Traits.AGGREGATE]
        _require(block, measures, "a grouping")
    _require(block, [f for f in fields if f.traits & Traits.WINDOW], "a window")
    _require(block, [key.field for key in block.order], "a sort")


def require_plain_sides(block: Block, derived: Mapping[Item, SelectScope]) -> None:
    """Refuses a join that pads the rows of a derived table which refers outwards."""
    before = [block.item]
    for join in block.joins:
        left, right = _PADDED.get(join.kind, (False, False))
        for item in (before if left else []) + ([join.item] if right else []):
            scope = derived.get(item) if item is not None else None
            if scope is not None and scope.is_correlated():
                raise _refused(block, "the padded side of an outer join")
        if left or right:
            _require(block, join.on, "the condition of an outer join")
        before.append(join.item)


def _require(block: Block, fields: Iterable[Field], place: str) -> None:
    if any(f.traits & Traits.OUTER for f in fields):
        raise _refused(block, place)


def _refused(block: Block, place: str) -> Exception:
    return refuse(
        "SS2137",
        f"a column of the query around the subquery, in {place}, has no SQL yet",
        block.path or ROOT,
    )
