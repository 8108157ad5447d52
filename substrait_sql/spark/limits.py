"""LIMIT in a correlated subquery, where Spark would cut off the wrong rows (as of 4.3).

Spark runs a correlated subquery once for all outer rows. A LIMIT in it is counted per value of the outer columns that
are used below the LIMIT, and where the subquery uses others as well, rows are lost. Numbers of rows are counted right.
And it forgets the ORDER BY of a LIMIT if a sort key is not among the columns of the same SELECT: then that SELECT
returns its keys to one around it, which drops them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from substrait_sql.dialect import operators
from substrait_sql.schema import types
from substrait_sql.select.block import Derived
from substrait_sql.select.field import Field, Parts
from substrait_sql.select.outer_columns import outer_columns
from substrait_sql.select.ranking import ranked

if TYPE_CHECKING:
    from collections.abc import Collection

    from substrait_sql.select.block import Block
    from substrait_sql.select.item import Item


# Joins that a condition about what stands before them may stand above.
_KEEP_LEFT = ("INNER", "CROSS", "LEFT", "LEFT SEMI", "LEFT ANTI")


def settle_limits(block: Block, needed: Collection[int]) -> Block:
    """A correlated subquery whose LIMITs cut off the right rows. needed: the fields that it returns."""
    everything = outer_columns(block)
    if not everything:
        return block
    stack = [block]
    while stack:
        current = stack.pop()
        if current.body is not None:
            branches = current.body.branches
            branches[:] = [_settled_branch(b, everything) for b in branches]
            stack += branches
        for item in current.items:
            if not isinstance(item, Derived):
                continue
            if _is_partial(item.block, everything):
                _number(item, current)
            elif _is_sorted(item.block):
                _return_keys(item.block, item)
            stack.append(item.block)
    if _is_sorted(block) and not {block.find(k.field) for k in block.order} <= set(needed):
        return _beneath(block)
    return block


def _settled_branch(block: Block, everything: set[tuple[Item, int]]) -> Block:
    """A branch of a set operation."""
    if _is_partial(block, everything):
        return _numbered(block)
    return _beneath(block) if _is_sorted(block) else block


def _is_sorted(block: Block) -> bool:
    """Whether it is a sort that says which rows of a correlated query a LIMIT keeps."""
    return block.limited and bool(block.order) and bool(outer_columns(block))


def _beneath(block: Block) -> Block:
    """The rows of a sorted and limited query, which becomes a derived table with its sort keys as columns."""
    fresh = block.close()
    fresh.order = []
    assert fresh.item is not None
    _return_keys(block, fresh.item)
    return fresh


def _return_keys(block: Block, item: Item) -> None:
    """Makes a query return its sort keys, whoever reads them."""
    for key in block.order:
        if block.find(key.field) is None:
            block.hidden.append(key.field)
            item.names.append("")
    block.returns_keys = True


def _is_partial(block: Block, everything: set[tuple[Item, int]]) -> bool:
    return block.limited and outer_columns(block) not in (set(), everything)


def _number(item: Derived, around: Block) -> None:
    """Has a derived table take its rows by their numbers: in the WHERE around, if all that is read there stays."""
    numbered = _numbered(item.block)
    rows = numbered.item
    kept = item is around.item and all(j.kind in _KEEP_LEFT for j in around.joins)
    if not kept or item.lateral or not isinstance(rows, Derived):
        item.block = numbered
        return
    for condition in numbered.where:
        for column in condition.parts.columns if condition.parts is not None else ():
            column.item = item
    item.block, item.base = rows.block, rows.base
    around.where[:0] = numbered.where


def _numbered(block: Block) -> Block:
    """The same rows by their numbers."""
    limit, block.limit = block.limit, None
    offset, block.offset = block.offset, None
    # Whoever reads this query counts its hidden columns, too.
    block.fields, block.hidden = block.fields + block.hidden, []
    fresh, (number,) = ranked(block, ["row_number"])
    fresh.order = []
    first = int(offset.name) if offset is not None else 0
    if first:
        fresh.where.append(_compare(exp.GT, number, first))
    if limit is not None:
        fresh.where.append(_compare(exp.LTE, number, first + int(limit.name)))
    return fresh


def _compare(operator: type[exp.Expression], number: Field, value: int) -> Field:
    parts = Parts()
    sql = operators.infix(operator, number.copy(parts), exp.Literal.number(value))
    return Field(types.boolean(), sql=sql, parts=parts)
