"""https://substrait.io/relations/physical_relations/#top-n-operation"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.dialect import operators
from substrait_sql.lower.block import Block, Slot
from substrait_sql.lower.context import Context, Env, invalid, refuse
from substrait_sql.lower.field import Field, Parts
from substrait_sql.lower.relations import lowers, relation
from substrait_sql.lower.relations.fetch import Rows, cut, numbered
from substrait_sql.lower.relations.sort import sorted_by
from substrait_sql.lower.sorting import ranked
from substrait_sql.schema import types

if TYPE_CHECKING:
    from substrait_sql.wire.path import Path

_ROWS_ONLY, _WITH_TIES = (0, 1), 2


@lowers("top_n")
def top_n_rel(message: Any, cx: Context, path: Path, outer: Env | None) -> Block:
    """A sort and a fetch in one. WITH TIES also keeps the rows that are equal to the last one by the sort keys."""
    return top_within(message, 0, cx, path, outer)


def top_within(message: Any, count: int, cx: Context, path: Path, outer: Env | None) -> Block:
    """A top-N of its own for each value of the input's last columns. count: how many they are, 0 for one top-N."""
    block = relation(message.input, cx, path / "input", outer).at(Slot.ORDER)
    block, block.order = sorted_by(block, message, cx, path, outer)
    within = block.fields[len(block.fields) - count :]
    rows = Rows(message, "offset", "count", cx, path)
    if message.mode in _ROWS_ONLY or rows.count is None or rows.count == 0:
        if not within or (not rows.offset and rows.count is None):
            return cut(block, rows, outer)
        return numbered(block, rows, outer, within)
    if message.mode != _WITH_TIES:
        raise invalid("SS2191", f"top-N mode {message.mode} does not exist", path / "mode")
    if not isinstance(rows.count, int) or not isinstance(rows.offset or 0, int):
        raise refuse(
            "SS2192", "WITH TIES by a count that is not a constant has no SQL", path / "count"
        )
    return _with_ties(block, rows.offset or 0, rows.count, within)


def _with_ties(block: Block, offset: int, count: int, within: list[Field]) -> Block:
    """By rank: Spark has no WITH TIES. The offset counts rows, so that it goes by their numbers."""
    names = ["rank", "row_number"] if offset else ["rank"]
    fresh, numbers = ranked(block, names, within)
    fresh.where = [_compare(exp.LTE, numbers[0], offset + count)]
    if offset:
        fresh.where.append(_compare(exp.GT, numbers[1], offset))
    return fresh


def _compare(operator: type[exp.Expression], number: Field, value: int) -> Field:
    parts = Parts()
    sql = operators.infix(operator, number.copy(parts), exp.Literal.number(value))
    return Field(types.boolean(), sql=sql, parts=parts)
