"""Set operations over columns that cannot be compared: https://substrait.io/relations/logical_relations/#set-operation.

Spark compares no maps and no intervals of months and days, so it has no INTERSECT or EXCEPT for them, nor a UNION for
maps, but it groups them. The inputs are put together, each row with the number of its input, and the groups say which
rows were in which input, and how often.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from substrait_sql.dialect.operators import call, infix
from substrait_sql.schema import types
from substrait_sql.select.block import Block, Join, Slot
from substrait_sql.select.field import Field, Parts, Traits
from substrait_sql.select.item import Item

if TYPE_CHECKING:
    from collections.abc import Callable


(
    _MINUS_PRIMARY,
    _MINUS_MULTISET,
    _INTERSECTION_PRIMARY,
    _INTERSECTION_MULTISET,
    _UNION_DISTINCT,
    _,
    _MINUS_PRIMARY_ALL,
    _INTERSECTION_MULTISET_ALL,
) = range(1, 9)


def set_of_maps(op: int, blocks: list[Block], union_all: Callable[[list[Block]], Block]) -> Block:
    """The operation as a GROUP BY over the inputs; where copies count, each group is repeated by LATERAL explode."""
    width = len(blocks[0].fields)
    block = union_all([_numbered(b, i) for i, b in enumerate(blocks)]).close("numbered")
    keys, source = block.fields[:width], block.fields[width]
    made = _Measures(source, len(blocks))
    block.group_by(keys)
    block.fields = keys
    copies = made.copies(op)
    if copies is None:
        block.having = made.kept(op)
        return block
    counted = _measure(copies, "copies")
    block.having = [made.at_least_one(op), *made.kept(op)]
    block.fields = [*keys, counted]
    return _repeated(block.close("counted"), width)


def _numbered(block: Block, number: int) -> Block:
    """The input with its number behind its columns."""
    block = block.at(Slot.SELECT)
    literal = exp.Literal.number(number)
    block.fields = [*block.fields, Field(types.i32(), "source", sql=literal, parts=Parts())]
    return block


def _measure(pair: tuple[exp.Expression, Parts], name: str = "") -> Field:
    sql, parts = pair
    parts.traits |= Traits.AGGREGATE
    return Field(None, name, sql=sql, parts=parts)


class _Measures:
    """What a group says about its row. The primary input has number 0."""

    def __init__(self, source: Field, inputs: int) -> None:
        self.source = source
        self.inputs = inputs

    def kept(self, op: int) -> list[Field]:
        """Which groups stay, by the inputs that the row is in."""
        parts = Parts()
        first = infix(exp.EQ, call("min", self.source.copy(parts)), _number(0))
        last = call("max", self.source.copy(parts))
        if op == _MINUS_PRIMARY:
            return [_measure((infix(exp.EQ, last, _number(0)), parts))]
        if op == _INTERSECTION_PRIMARY:
            both = infix(exp.And, first, infix(exp.GT, last, _number(0)))
            return [_measure((both, parts))]
        if op in (_INTERSECTION_MULTISET, _MINUS_MULTISET):
            parts = Parts()
            distinct = exp.Distinct(expressions=[self.source.copy(parts)])
            compare = exp.EQ if op == _INTERSECTION_MULTISET else exp.LT
            return [
                _measure((infix(compare, call("count", distinct), _number(self.inputs)), parts))
            ]
        return []

    def copies(self, op: int) -> tuple[exp.Expression, Parts] | None:
        """How many copies of the row the result has, None where it is one of each."""
        parts = Parts()
        if op == _MINUS_MULTISET:
            return self._count(parts, exp.EQ, 0), parts
        if op == _MINUS_PRIMARY_ALL:
            own, others = self._count(parts, exp.EQ, 0), self._count(parts, exp.GT, 0)
            return infix(exp.Sub, own, others), parts
        if op == _INTERSECTION_MULTISET_ALL:
            counts = [self._count(parts, exp.EQ, i) for i in range(self.inputs)]
            return call("least", *counts), parts
        return None

    def at_least_one(self, op: int) -> Field:
        """The condition that there are copies."""
        pair = self.copies(op)
        assert pair is not None
        return _measure((infix(exp.GT, pair[0], _number(0)), pair[1]))

    def _count(self, parts: Parts, compare: type[exp.Expression], number: int) -> exp.Expression:
        return call("count_if", infix(compare, self.source.copy(parts), _number(number)))


def _number(value: int) -> exp.Expression:
    return exp.Literal.number(value)


def _repeated(block: Block, width: int) -> Block:
    """Each row as often as its last column says: ``…, LATERAL explode(array_repeat(1, n))``."""
    parts = Parts()
    times = exp.Cast(this=block.fields[width].copy(parts), to=exp.DataType.build("int"))
    rows = call("explode", call("array_repeat", _number(1), times))
    item = Item("repeated", [], node=exp.Lateral(this=rows))
    # The column is used by the item and stands in no condition: a CROSS join prints none.
    block.joins.append(Join("CROSS", item, [Field(None, sql=exp.true(), parts=parts)]))
    block.fields = block.fields[:width]
    return block.close()
