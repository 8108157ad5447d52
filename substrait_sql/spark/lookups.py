"""A scalar subquery about a column that another correlated subquery has computed, as Spark gets it right.

Spark (as of 4.3) pushes a condition on the value of the one through the projection that has the other. The inner
subquery then stands in the outer one's condition, which becomes a join, and in a join Spark runs it without its own
condition: over all rows, so that every row has the same value, or "more than one row" is the error. No condition is
pushed through a generator of what it is about:

    SELECT m.k FROM (SELECT k, (SELECT … a.k) AS v FROM a) AS m, LATERAL explode(array(m.v)) AS v_apart
    WHERE (SELECT max(b.y) FROM b WHERE b.x = v_apart.col) > 1
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from substrait_sql.dialect.operators import call
from substrait_sql.select.block import Join, query_of
from substrait_sql.select.field import Traits
from substrait_sql.select.item import Item

if TYPE_CHECKING:
    from collections.abc import Iterable

    from substrait_sql.select.block import Block
    from substrait_sql.select.field import Parts
    from substrait_sql.select.item import ColumnNode, SelectScope


def keep_apart(block: Block, parts: Parts, scopes: Iterable[SelectScope]) -> list[Join]:
    """Has the scalar subqueries among `scopes` refer to generated copies of such columns: the joins that make them."""
    joins: list[Join] = []
    copies: dict[tuple[Item, int], Item] = {}
    own = set(block.items)
    for scope in scopes:
        for column in _about(scope):
            key = column.item, column.ordinal
            if key not in copies:
                if column.item not in own or not looked_up(*key):
                    continue
                rows = call("explode", call("array", parts.column(*key)))
                copies[key] = Item(
                    f"{column.item.base}_apart", ["col"], node=exp.Lateral(this=rows)
                )
                joins.append(Join("CROSS", copies[key], []))
            for each in (column, *column.twins):
                each.item, each.ordinal = copies[key], 0
    return joins


def _about(scope: SelectScope) -> list[ColumnNode]:
    """The outer columns of a scalar subquery; none of EXISTS and IN, which Spark gets right."""
    holder = scope.select.parent
    if type(holder) is not exp.Subquery or holder.arg_key == "query":
        return []
    return [column for column, _ in scope.free()]


def looked_up(item: Item, ordinal: int) -> bool:
    """Whether a correlated subquery computes the column, in the query that it comes from or further down."""
    stack = [(item, ordinal)]
    seen = set()
    while stack:
        current = stack.pop()
        if current in seen:
            continue
        seen.add(current)
        query = query_of(current[0])
        for each in _branches(query) if query is not None else ():
            f = (each.fields + each.hidden)[current[1]]
            if f.item is not None:
                stack.append((f.item, f.ordinal))
            elif f.parts is not None and not f.traits & (Traits.AGGREGATE | Traits.WINDOW):
                if f.parts.captured:
                    return True
                stack += [(c.item, c.ordinal) for c in f.parts.columns]
    return False


def _branches(block: Block) -> list[Block]:
    """The SELECTs of a query: its own, or those of a set operation."""
    if block.body is None:
        return [block]
    return [each for branch in block.body.branches for each in _branches(branch)]
