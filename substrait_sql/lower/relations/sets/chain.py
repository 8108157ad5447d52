"""UNION, INTERSECT and EXCEPT of queries, and what else comes to the same.

    SELECT DISTINCT … FROM (… UNION ALL …)                              … UNION …
    (SELECT DISTINCT …) AS a LEFT SEMI JOIN b ON a.x <=> b.x …          SELECT DISTINCT … INTERSECT SELECT …

Spark itself makes the left ones of the right ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from substrait_sql.lower.relation import emit
from substrait_sql.plan.join_types import JoinType
from substrait_sql.schema import types
from substrait_sql.select.block import BESIDE_SELECT, Block, SetBody, derived
from substrait_sql.select.field import Field
from substrait_sql.select.item import Item
from substrait_sql.tree.chains import bare, column, links
from substrait_sql.wording.groups import are_groups

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from substrait_sql.wire.path import Path

_OPERATORS = {JoinType.LEFT_SEMI: "INTERSECT", JoinType.LEFT_ANTI: "EXCEPT"}


def chain(kind: str, distinct: bool, blocks: Sequence[Block]) -> Block:
    """The inputs joined by one operator. A first input that is such a chain already takes the others in."""
    branches: list[Block] = []
    for i, block in enumerate(blocks):
        if not block.limited:
            block.order = []
        body = block.body
        mergeable = i == 0 or (kind == "UNION" and not distinct)
        if (
            body is not None
            and mergeable
            and not block.limited
            and (body.kind, body.distinct) == (kind, distinct)
        ):
            branches.extend(body.branches)
        else:
            branches.append(block)
    first = blocks[0]
    item = Item(first.derived_name(), [f.name for f in first.fields])
    fields = [
        Field(f.type, f.name, sql_type=f.sql_type, item=item, ordinal=i)
        for i, f in enumerate(first.fields)
    ]
    base = first.base or (first.item.base if first.item else "")
    return Block(None, fields, base=base, body=SetBody(kind, distinct, branches))


def distinct_rows(block: Block, path: Path) -> Block:
    """The block, which is a SELECT DISTINCT; if that is of columns of a set operation, this one without copies.

    path: where the rows are made distinct.
    """
    rows = derived(block.item)
    if rows is None or rows.body is None or block.says != {"distinct"} or rows.limited:
        return block
    if not _shows_all(block, rows):
        return _distinct_columns(block, rows, path)
    if not rows.body.distinct and rows.body.kind != "UNION":
        return block
    return _without_copies(rows, block)


def _distinct_columns(block: Block, rows: Block, path: Path) -> Block:
    """Some of the columns of a UNION ALL, which each of its inputs can pick."""
    body = rows.body
    shown = [f.ordinal for f in block.fields if f.item is block.item]
    picks = body is not None and body.kind == "UNION" and not body.distinct
    if not picks or len(set(shown)) < len(block.fields):
        return block
    picked = emit(rows, shown, path)
    return _without_copies(rows, block) if picked is rows else block


def _without_copies(rows: Block, block: Block) -> Block:
    assert rows.body is not None
    rows.body.distinct = True
    rows.order = []
    rows.anchors = block.anchors
    return rows


def matched_rows(block: Block, left: Block, right: Block, kind: JoinType) -> Block:
    """The join of two blocks; if distinct rows are matched by all of their columns, NULLs included, a set operation."""
    rows = derived(left.item)
    if kind not in _OPERATORS or rows is None or left.says or rows.limited or block.hints:
        return block
    if not _is_distinct(rows) or not _shows_all(left, rows):
        return block
    join = block.joins[-1]
    conditions = join.on[: len(join.on) - len(right.where)]
    places = _matched(left, right, conditions)
    if places is None:
        return block
    other = None if right.says else derived(right.item)
    if other is None:
        other = right
    else:
        places = [right.fields[i].ordinal for i in places]
    if places != list(range(len(other.fields))):
        if not other.says <= BESIDE_SELECT or other.limited:
            return block
        other.fields = [other.fields[i] for i in places]
    if not all(map(_same_type, rows.fields, other.fields)):
        return block
    made = chain(_OPERATORS[kind], True, [rows, other])
    made.anchors = block.anchors
    return made


def _is_distinct(rows: Block) -> bool:
    if rows.body is not None:
        return rows.body.distinct
    return rows.distinct or are_groups(rows, range(len(rows.fields)))


def _shows_all(block: Block, rows: Block) -> bool:
    """Whether a block has the columns of its derived table, all of them in their order."""
    shown = [(f.item, f.ordinal) for f in block.fields]
    return shown == [(block.item, i) for i in range(len(rows.fields))]


def _matched(left: Block, right: Block, conditions: Iterable[Field]) -> list[int] | None:
    """Which column of the right block each of the left one is compared with; None if anything else is asked."""
    places = {(f.item, f.ordinal): i for i, f in enumerate(right.fields) if f.plain}
    found: dict[int, int] = {}
    for condition in conditions:
        if condition.sql is None:
            return None
        node = bare(condition.sql)
        for each in links(node)[0] if type(node) is exp.And else [node]:
            if not isinstance(each, exp.NullSafeEQ):
                return None
            sides = column(each.this), column(each.expression)
            own, other = sides if sides[0] and sides[0][0] is left.item else sides[::-1]
            if own is None or other is None or own[0] is not left.item or other not in places:
                return None
            if own[1] in found:
                return None
            found[own[1]] = places[other]
    width = len(left.fields)
    return [found[i] for i in range(width)] if len(found) == width else None


def _same_type(a: Field, b: Field) -> bool:
    left, right = (f.type if f.sql_type is None else f.sql_type for f in (a, b))
    return left is not None and right is not None and types.same(left, right)
