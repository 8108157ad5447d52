"""Numbers for the rows of a block."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from substrait_sql.schema import types
from substrait_sql.select.block import Block, Slot
from substrait_sql.select.field import Field, Parts, Traits, hold
from substrait_sql.select.present import ordered

if TYPE_CHECKING:
    from collections.abc import Sequence


# What numbers rows; `count` counts beyond an INT, where row_number() ends.
_RANKING: dict[str, exp.Expression] = {
    "rank": exp.Anonymous(this="rank"),
    "row_number": exp.Anonymous(this="row_number"),
    "count": exp.Anonymous(this="count", expressions=[exp.Star()]),
}


_SO_FAR = exp.WindowSpec(
    kind="ROWS", start="UNBOUNDED", start_side="PRECEDING", end="CURRENT ROW", end_side=None
)


def rankable(block: Block, within: Sequence[int]) -> Block:
    """The block, over which rows can be numbered in their order: not by other windows, which a window cannot hold.

    within: the positions of the fields whose values have numbers of their own.
    """
    block = block.at(Slot.WINDOW)
    keys = [*block.sorted_by, *(block.fields[i] for i in within)]
    return block.close() if hold(keys, Traits.WINDOW) else block


def ranked(
    block: Block,
    functions: list[str],
    more: Sequence[Field] = (),
    within: Sequence[Field] = (),
) -> tuple[Block, list[Field]]:
    """A block over this one, and its columns that some ranking functions gave, over all rows in their order.

    more: other columns to be computed beside those; they come last. within: fields whose values have a ranking each.
    """
    positions = [block.fields.index(f) for f in within]
    block = rankable(block, positions)
    width = len(block.fields)
    for function in functions:
        parts = Parts()
        parts.traits |= Traits.WINDOW
        keys = [ordered(key.field.copy(parts), key, block) for key in block.order]
        if not keys:
            keys = [exp.Ordered(this=exp.Null(), nulls_first=True)]
        sql = exp.Window(
            this=_RANKING[function].copy(),
            partition_by=[block.fields[i].copy(parts) for i in positions],
            order=exp.Order(expressions=keys),
            spec=_SO_FAR.copy() if function == "count" else None,
            over="OVER",
        )
        block.fields = [*block.fields, Field(types.i64(), function, sql=sql, parts=parts)]
    block.fields = [*block.fields, *more]
    fresh = block.close("ranked")
    numbers, fresh.fields = fresh.fields[width:], fresh.fields[:width]
    return fresh, numbers
