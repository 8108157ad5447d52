"""Semi joins that compare a row with what its group says, which are inner joins: there is one match at most.

    a LEFT SEMI JOIN (SELECT k, sum(x) AS s … GROUP BY k) AS b ON a.k = b.k AND a.x > b.s
    a JOIN (SELECT k, sum(x) AS s … GROUP BY k) AS b ON a.k = b.k AND a.x > b.s

It is how a person writes it. Spark builds a semi join from its right side only, and an inner one from the smaller side.
Where only membership is asked for, it moves a semi join below other joins: that one is kept.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from substrait_sql.schema import types
from substrait_sql.select.block import Block, derived
from substrait_sql.select.field import Traits, hold, same_column
from substrait_sql.tree.chains import bare, column, links

if TYPE_CHECKING:
    from collections.abc import Iterator

    from substrait_sql.select.block import Join
    from substrait_sql.select.field import Field

_NOT_IN_ON = Traits.SUBQUERY | Traits.IMPURE


def compares_with_group(join: Join, left: Block, right: Block) -> bool:
    """Whether the right block is grouped by columns that equal some of the left one, and more is asked of both."""
    rows = derived(right.item)
    if rows is None or right.joins or rows.body is not None or rows.grouping_sets:
        return False
    if not rows.group or hold(join.on, _NOT_IN_ON):
        return False
    keys = [{i for i, f in enumerate(rows.fields) if same_column(f, key)} for key in rows.group]
    found: set[int] = set()
    more = False
    for each in _conditions(join):
        place = _equal(each, left, right)
        if place is not None and any(place in of_key for of_key in keys):
            found.add(place)
        else:
            items = {
                read[0] for node in each.find_all(exp.Column) if (read := column(node)) is not None
            }
            more |= right.item in items and len(items) > 1
    return more and all(found & of_key for of_key in keys)


def membership(join: Join, left: Block, right: Block) -> Field | None:
    """The equality with a column of a table, where nothing else of both sides is asked, else None."""
    if right.joins or right.item is None or right.item.table is None or hold(join.on, _NOT_IN_ON):
        return None
    found = None
    for each in join.on:
        if each.parts is None or each.sql is None:
            return None
        if any(c.item is not right.item for c in each.parts.columns):
            if found is not None or _equal(bare(each.sql), left, right) is None:
                return None
            found = each
    return found


def _conditions(join: Join) -> Iterator[exp.Expression]:
    for condition in join.on:
        if condition.sql is not None:
            node = bare(condition.sql)
            yield from links(node)[0] if type(node) is exp.And else [node]


def _equal(condition: exp.Expression, left: Block, right: Block) -> int | None:
    """Which column of the right item equals one of the left block, of the same type: no cast makes two values alike."""
    if type(condition) is not exp.EQ:
        return None
    sides = column(condition.this), column(condition.expression)
    own, other = sides if sides[0] and sides[0][0] is right.item else sides[::-1]
    every = (*left.fields, *right.fields)
    fields: dict[tuple[object, int], Field] = {(f.item, f.ordinal): f for f in every if f.plain}
    if own is None or other is None or own[0] is not right.item or other[0] is right.item:
        return None
    a, b = fields.get(own), fields.get(other)
    return own[1] if a is not None and b is not None and _same_type(a, b) else None


def _same_type(a: Field, b: Field) -> bool:
    left, right = (f.type if f.sql_type is None else f.sql_type for f in (a, b))
    return left is not None and right is not None and types.same(left, right)
