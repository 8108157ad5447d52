"""The total of no rows: in a plan the empty grouping set has a row whatever the input is, in Spark's it has none.

``FROM (SELECT … GROUP BY ROLLUP (a, b)) AS g FULL JOIN (SELECT 1) ON TRUE``: where there are groups they stay as they
are, and where there are none the one row is the total. It is FULL and not LEFT so that Spark sends the one row to all
groups, not all groups to it.
"""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.dialect.operators import call
from substrait_sql.schema import types
from substrait_sql.select.block import Block, Join
from substrait_sql.select.field import Field, Parts
from substrait_sql.select.item import Item
from substrait_sql.select.masks import SetNumber

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from substrait_sql.lower.context import Context
    from substrait_sql.wire.path import Path


def one_row() -> Item:
    """``(SELECT 1)``, to be joined to."""
    one = exp.Subquery(this=exp.Select(expressions=[exp.Literal.number(1)]))
    return Item("one_row", [], node=one)


def over_nothing(
    measures: Sequence[Any], made: Sequence[Field], cx: Context, path: Path
) -> list[int | None] | None:
    """What each measure is over no rows: a number, or None for NULL. None where that is not known of all.

    made: the measures as fields.
    """
    found: list[int | None] = []
    for i, (each, field) in enumerate(zip(measures, made, strict=True)):
        at = (path / "measures")[i] / "measure"
        name = cx.functions.get(each.measure.function_reference, at)
        value = cx.dialect.facts("aggregate", name).over_nothing
        if isinstance(value, str):
            return None
        if value is not None and types.kind(field.sql_type or field.type) != "i64":
            return None
        found.append(value)
    return found


def with_total(block: Block, numbers: Mapping[int, int]) -> Block:
    """The groups of several sets, with the row of all rows where there is none.

    numbers: what is not NULL in it, by the places of the fields.
    """
    made = block.fields
    closed = block.close()
    fields = [
        f if i not in numbers else _present(f, numbers[i]) for i, f in enumerate(closed.fields)
    ]
    for i, field in enumerate(made):
        if isinstance(field, SetNumber):
            assert closed.item is not None
            fields[i] = _number(fields[i], block, closed.item, field)
    return Block(
        closed.item,
        fields,
        base=block.base,
        joins=[Join("FULL", one_row(), [])],
        anchors=closed.anchors,
    )


def _present(field: Field, number: int) -> Field:
    parts = Parts()
    sql = call("coalesce", field.emit(parts), exp.Literal.number(number))
    return Field(field.type, field.name, sql=sql, sql_type=field.sql_type, parts=parts)


def _number(field: Field, block: Block, item: Item, before: SetNumber) -> SetNumber:
    """The number above the groups. Its bits are columns of theirs as well, and set in the total of no rows."""

    def beside(make: Callable[[], Field]) -> Field:
        bit = make()
        block.hidden.append(bit)
        item.names.append("")
        place = len(block.fields) + len(block.hidden) - 1
        column = Field(bit.type, bit.name, sql_type=bit.sql_type, item=item, ordinal=place)
        found = _present(column, 1)
        found.sql_type = None
        return found

    assert field.sql is not None
    assert field.parts is not None
    bits = {place: cache(partial(beside, make)) for place, make in before.bits.items()}
    return SetNumber(field, field.sql, field.parts, before.masks, bits)
