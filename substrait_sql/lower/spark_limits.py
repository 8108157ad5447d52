"""SELECTs that Spark would misread or fail on (as of 4.3), and the forms of the same rows that it takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from substrait_sql.lower.block import Block
from substrait_sql.lower.field import Field, Traits

if TYPE_CHECKING:
    from collections.abc import Sequence


def aggregates(block: Block, needed: Sequence[int]) -> bool:
    """Whether the text would have an aggregate in it, by which alone Spark knows that all rows are one group."""
    visible = block.fields + block.hidden
    asked = [visible[i] for i in needed] + [key.field for key in block.order]
    return any(f.traits & Traits.AGGREGATE for f in asked)


def sorts_by_lost_column(block: Block, needed: Sequence[int]) -> bool:
    """Whether ORDER BY would compute what is not returned and Spark takes in SELECT only (as of 4.3).

    That is a subquery, and a measure behind a HAVING.
    """
    unfit = Traits.SUBQUERY | (Traits.AGGREGATE if block.having and block.group else 0)
    wanted = [key.field for key in block.order if key.field.traits & unfit]
    if not wanted or block.distinct:
        return False
    visible = block.fields + block.hidden
    returned = Block(None, [visible[i] for i in needed])
    return any(returned.find(f) is None for f in wanted)


def computed_first(block: Block) -> Block:
    """The same rows as a derived table, which has the sort keys as columns, sorted and cut outside of it."""
    limit, block.limit = block.limit, None
    offset, block.offset = block.offset, None
    width, hidden = len(block.fields), list(block.hidden)
    fresh = block.close()
    fresh.hidden = [
        Field(f.type, f.name, sql_type=f.sql_type, item=fresh.item, ordinal=width + i)
        for i, f in enumerate(hidden)
    ]
    fresh.path, fresh.limit, fresh.offset = block.path, limit, offset
    return fresh


def crashes(block: Block, fields: list[Field]) -> bool:
    """Whether Spark would push a correlated subquery of the SELECT list into a UNION ALL, and crash (as of 4.3).

    It does so through filters, derived tables and common table expressions, but not through a join, a grouping or
    a limit.
    """
    if not any(f.parts is not None and f.parts.captured for f in fields):
        return False
    while True:
        if block.joins or block.group is not None or block.item is None:
            return False
        inner = block.item.block or block.item.shared
        if inner is None or inner.distinct or inner.limited:
            return False
        if inner.body is not None:
            return inner.body.kind == "UNION" and not inner.body.distinct
        block = inner
