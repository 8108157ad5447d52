"""Semi joins that only ask for membership, as IN, where Spark makes more of that.

    a LEFT SEMI JOIN b ON a.k = b.k AND b.x > 1 JOIN (SELECT k, sum(y) AS s … GROUP BY k) AS g ON a.k = g.k AND …
    a JOIN (SELECT k, sum(y) AS s … GROUP BY k) AS g ON a.k = g.k AND … WHERE a.k IN (SELECT b.k FROM b WHERE b.x > 1)

Spark (as of 4.3) knows that what is asked of ``a.k`` can be asked of ``g.k``, and so below the groups: those that no
row will ask for are never made. Of a join it does not know that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from substrait_sql.schema import types
from substrait_sql.select.block import Block, derived
from substrait_sql.select.field import Field, Parts, Traits, same_column
from substrait_sql.tree import origin
from substrait_sql.tree.chains import bare

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from substrait_sql.select.block import Join
    from substrait_sql.select.item import ColumnNode, SelectScope
    from substrait_sql.tree.chains import Column

    Assemble = Callable[..., tuple[exp.Query, SelectScope]]


# Joins that pad no row of what stands before them: WHERE would come too late for that.
_PADS_NONE = ("INNER", "CROSS", "LEFT", "LEFT SEMI", "LEFT ANTI")


def look_up_members(block: Block, assemble: Assemble) -> None:
    """Takes such joins out of FROM, and puts what they ask for into WHERE."""
    asking = [join for join in block.joins if join.member is not None]
    if not asking or any(join.kind not in _PADS_NONE for join in block.joins):
        return
    keys = {found for join in block.joins if join.kind == "INNER" for found in _keys(join)}
    hinted = {item for _, item in block.hints}
    for join in asking:
        assert join.member is not None
        pair = _sides(join.member, join)
        if pair is not None and join.item not in hinted and (pair[0].item, pair[0].ordinal) in keys:
            block.joins.remove(join)
            block.where.append(_member(*pair, join, assemble))


def _keys(join: Join) -> Iterator[Column]:
    """The columns of other items that equal a key of the groups that are joined."""
    groups = derived(join.item)
    if groups is None or not groups.group or groups.grouping_sets:
        return
    for each in join.on:
        pair = _sides(each, join)
        if pair is None:
            continue
        kept, own = pair
        if any(same_column(groups.fields[own.ordinal], key) for key in groups.group):
            yield kept.item, kept.ordinal


def _sides(condition: Field, join: Join) -> tuple[ColumnNode, ColumnNode] | None:
    """The column of another item, and the one of the item that is joined, if the condition is that they are equal."""
    node = bare(condition.sql) if condition.sql is not None else None
    if type(node) is not exp.EQ:
        return None
    sides = origin.column_of(node.this), origin.column_of(node.expression)
    if None in sides:
        return None
    other, own = sides if sides[1].item is join.item else sides[::-1]
    return (other, own) if own.item is join.item is not other.item else None


def _member(kept: ColumnNode, own: ColumnNode, join: Join, assemble: Assemble) -> Field:
    """``a.k IN (SELECT b.k FROM b WHERE …)``."""
    looked = Field(None, item=join.item, ordinal=own.ordinal)
    rows = Block(join.item, [looked], where=[f for f in join.on if f is not join.member])
    query, scope = assemble(rows, [0], aliases=False)
    parts = Parts()
    needle = parts.column(kept.item, kept.ordinal)
    parts.scopes.append(scope)
    parts.traits |= Traits.SUBQUERY
    node = exp.In(this=needle, query=exp.Subquery(this=query))
    return Field(types.boolean(), sql=node, parts=parts)
