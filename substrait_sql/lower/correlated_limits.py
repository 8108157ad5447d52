"""LIMIT in a correlated subquery, where Spark would cut off the wrong rows (as of 4.3).

Spark runs a correlated subquery once for all outer rows. A LIMIT in it is counted per value of the outer columns that
are used below the LIMIT, and where the subquery uses others as well, rows are lost. Numbers of rows are counted right.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from substrait_sql.dialect import operators
from substrait_sql.lower.correlated_joins import outer_columns
from substrait_sql.lower.field import Field, Parts
from substrait_sql.lower.sorting import ranked
from substrait_sql.schema import types

if TYPE_CHECKING:
    from substrait_sql.lower.block import Block
    from substrait_sql.lower.field import Item


def number_limits(block: Block) -> None:
    """Turns LIMITs below the query of a correlated subquery into conditions on row numbers, in place."""
    everything = outer_columns(block)
    if not everything:
        return
    stack = [block]
    while stack:
        current = stack.pop()
        if current.body is not None:
            branches = current.body.branches
            branches[:] = [_numbered(b) if _is_partial(b, everything) else b for b in branches]
            stack += branches
        for item in current.items:
            if item.block is None:
                continue
            if _is_partial(item.block, everything):
                item.block = _numbered(item.block)
            stack.append(item.block)


def _is_partial(block: Block, everything: set[tuple[Item, int]]) -> bool:
    return block.limited and outer_columns(block) not in (set(), everything)


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
