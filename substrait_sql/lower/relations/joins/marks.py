"""Joins that look up a row's matches: mark joins, and single joins. Each is a subquery over the other side.

https://substrait.io/relations/logical_relations/#join-types
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

from sqlglot import exp

from substrait_sql.dialect.identifiers import identifier
from substrait_sql.dialect.operators import call
from substrait_sql.dialect.strings import string_literal
from substrait_sql.lower.sharing.reread import beneath, is_bare
from substrait_sql.lower.three_valued import Reader, Rows, any_true, readable
from substrait_sql.schema import types
from substrait_sql.select.asked import Asked
from substrait_sql.select.block import Slot, derived
from substrait_sql.select.field import Field, Parts, Traits
from substrait_sql.select.outer_columns import refers_outside
from substrait_sql.select.output_names import output_names
from substrait_sql.select.signals import CloseBlock, ComputeFirst, ShareInput
from substrait_sql.spark.older import looked_up, one_row
from substrait_sql.tree import origin

if TYPE_CHECKING:
    from substrait_sql.select.block import Block
    from substrait_sql.wire.path import Path

# Lowers the other side, for the rows of the block that is kept.
Side = Callable[["Block"], "Block"]
# Lowers the condition over a block with the rows of both sides, kept ++ other. Returns the record that it sees, too.
Condition = Callable[["Block", "Block", Asked], "tuple[list[Field], list[Field]]"]


def marked(
    kept: Block,
    other: Side,
    condition: Condition,
    path: Path,
    lacking: Collection[str],
    two_valued: bool = False,
) -> Block:
    """One side's rows and a mark: TRUE if a row of the other side matches, else NULL if one might, else FALSE.

    two_valued: FALSE where one might as well. lacking: what the dialect's engine cannot do.
    """

    def mark(block: Block, plain: bool) -> Field:
        asked = Asked.TRUE if two_valued else Asked.VALUE
        inner = _side(other, block, plain)
        found, record = condition(block, inner, asked)
        parts = Parts()
        sql = any_true(Rows(inner, found, record), Reader(parts, block.items, path, lacking), asked)
        return Field(types.boolean(nullable=True), "mark", sql=sql, parts=parts)

    block, field = with_column(kept, mark)
    block.fields = [*block.fields, field]
    return block


def single(
    kept: Block, other: Side, condition: Condition, path: Path, lacking: Collection[str]
) -> tuple[Block, list[Field]]:
    """One side's rows, and the columns of the other side's only match, NULL where there is none.

    A scalar subquery is what fails on a second match. It has one column, so those of the match are packed in a struct.
    Returns the block with the kept columns, and the columns of the match.
    """
    matches: list[Field] = []

    def match(block: Block, plain: bool) -> Field:
        inner = _side(other, block, plain)
        found, _ = condition(block, inner, Asked.TRUE)
        refers = _refers(found, block) or refers_outside(inner)
        if refers and not any(_is_key(f, block) for f in [*found, *_filters(inner)]):
            if inner.joins:
                inner = readable(other(block)).close()
                found, _ = condition(block, inner, Asked.TRUE)
            _broadcast(inner)
        if found:
            inner.where += found
        else:
            inner = _grouped(inner)
        matches[:] = inner.fields
        inner.fields = [_packed(inner.fields)]
        parts = Parts()
        inner, listed = one_row(inner, lacking)
        query = Reader(parts, block.items, path, lacking).query(inner, (0,), scalar=True)
        return Field(None, "matched", sql=looked_up(query, listed=listed), parts=parts)

    block, field = with_column(kept, match)
    width = len(block.fields)
    block.fields = [*block.fields, field]
    block = block.close("matched")
    item = block.item
    assert item is not None
    assert field.sql is not None
    struct = next(n for n in field.sql.find_all(exp.Anonymous) if n.name == "named_struct")
    item.checked = width, struct
    block.fields = block.fields[:width]
    columns = []
    for f, name in zip(matches, output_names(matches, [""] * len(matches)), strict=True):
        parts = Parts()
        sql = exp.Dot(this=parts.column(item, width), expression=identifier(name))
        type = types.with_nullability(f.type, True) if f.type is not None else None
        columns.append(
            Field(type, f.name, sql=sql, sql_type=f.sql_type, parts=parts, subject=f.subject)
        )
    return block, columns


def _grouped(inner: Block) -> Block:
    """The query with the groups that are all it reads: its struct can be made of the measures themselves."""
    rows = derived(inner.item)
    if rows is None or rows.group is None or not is_bare(inner) or not rows.is_open(Slot.SELECT):
        return inner
    return beneath(inner, inner.fields)


def _refers(conditions: list[Field], kept: Block) -> bool:
    own = set(kept.items)
    return any(c.item in own for f in conditions if f.parts is not None for c in f.parts.columns)


def _filters(block: Block) -> list[Field]:
    """The conditions of a query's WHERE, and of those below it."""
    found, stack = [], [block]
    while stack:
        current = stack.pop()
        found += current.where
        stack += current.derived
        stack += current.body.branches if current.body is not None else []
    return found


def _is_key(condition: Field, kept: Block) -> bool:
    """Whether Spark can join by the condition: one side's columns are equal to the other's."""
    if not isinstance(condition.sql, exp.EQ | exp.NullSafeEQ) or condition.traits & ~Traits.OUTER:
        return False
    own = set(kept.items)
    sides = []
    for node in (condition.sql.this, condition.sql.expression):
        found = [origin.column_of(column) for column in node.find_all(exp.Column)]
        sides.append({reference.item in own for reference in found if reference is not None})
    return sides in ([{True}, {False}], [{False}, {True}])


def _broadcast(inner: Block) -> None:
    """Without a key Spark has one join for this, which needs the looked-up side in memory; it may try the other one."""
    if inner.item is not None and not isinstance(inner.item.node, exp.Values):
        inner.hints.append(("BROADCAST", inner.item))


def _packed(fields: list[Field]) -> Field:
    """``named_struct('a', a, …)``."""
    parts = Parts()
    arguments: list[exp.Expression] = []
    for f, name in zip(fields, output_names(fields, [""] * len(fields)), strict=True):
        arguments += [string_literal(name), f.copy(parts)]
    return Field(None, "matched", sql=call("named_struct", *arguments), parts=parts)


def _side(other: Side, kept: Block, plain: bool) -> Block:
    """The other side's rows. plain: its columns must be those of a derived table, for a subquery refers to them."""
    block = readable(other(kept))
    return block.close() if plain and not all(f.plain for f in block.fields) else block


def with_column(
    kept: Block, make: Callable[[Block, bool], Field], slot: int = Slot.SELECT
) -> tuple[Block, Field]:
    """The block with that clause open, and a correlated subquery for it."""
    block = kept.at(slot)
    if block.group is not None or block.windowed or block.limited:
        # Spark looks up a row's matches before it cuts rows off, and may fail on one that is cut off.
        block = block.close()
    block.order = []
    plain = False
    while True:
        try:
            return block, make(block, plain)
        except (ComputeFirst, ShareInput):
            raise
        except CloseBlock as needed:
            if needed.block.item is not block.item or plain:
                raise
        if all(f.plain for f in block.fields):
            plain = True
        else:
            block = block.close()
