"""Sort fields, wherever they stand: SortRel, windows, TopNRel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.lower.assemble import ordered
from substrait_sql.lower.block import Block, Slot, SortKey
from substrait_sql.lower.comparator import place
from substrait_sql.lower.context import Env, invalid
from substrait_sql.lower.expressions.selection import struct_field
from substrait_sql.lower.field import Field, Parts, Traits
from substrait_sql.lower.retry import apart
from substrait_sql.schema import types

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.wire.path import Path

# https://substrait.io/relations/logical_relations/#sort-operation: (descending, nulls first). Clustered asks only for
# equal values next to each other, which a sort delivers.
_DIRECTIONS = {
    1: (False, True),
    2: (False, False),
    3: (True, True),
    4: (True, False),
    5: (False, True),
}

# What numbers rows; `count` counts beyond an INT, where row_number() ends.
_RANKING: dict[str, exp.Expression] = {
    "rank": exp.Anonymous(this="rank"),
    "row_number": exp.Anonymous(this="row_number"),
    "count": exp.Anonymous(this="count", expressions=[exp.Star()]),
}
_SO_FAR = exp.WindowSpec(
    kind="ROWS", start="UNBOUNDED", start_side="PRECEDING", end="CURRENT ROW", end_side=None
)


def sort_keys(messages: Sequence[Any], env: Env, path: Path, unfit: int = 0) -> list[SortKey]:
    """The keys in order; constants order nothing and are left out, since Spark takes integers there for ordinals.

    unfit: the traits of expressions that have to be columns before rows can be sorted by them.
    """
    keys: list[SortKey] = []
    for i, message in enumerate(messages):
        at = path[i]
        descending, nulls_first = _direction(message, at)
        by_function = message.WhichOneof("sort_kind") == "comparison_function_reference"
        constant = message.expr.WhichOneof("rex_type") == "literal"
        if by_function and not constant and str(at / "expr") not in env.block.computed:
            place(message, env, at)
        field = _key_field(message.expr, env, at / "expr", unfit)
        if field is not None:
            keys.append(SortKey(field, descending, nulls_first))
    return keys


def _direction(message: Any, path: Path) -> tuple[bool, bool]:
    if message.WhichOneof("sort_kind") == "comparison_function_reference":
        return False, True
    found = _DIRECTIONS.get(message.direction)
    if found is None:
        raise invalid("SS2182", "the sort field has no direction", path / "direction")
    return found


def _key_field(message: Any, env: Env, path: Path, unfit: int) -> Field | None:
    """A field of the record as it is, so that it is found again among the output; else a field of its own."""
    if message.WhichOneof("rex_type") == "literal":
        return None
    if env.block.computed and str(path) in env.block.computed:
        column = env.block.computed[str(path)]
        if not column.plain:
            env.parts.traits |= Traits.PENDING
        return column
    if message.WhichOneof("rex_type") == "selection":
        selection = message.selection
        root = selection.WhichOneof("root_type")
        direct = selection.WhichOneof("reference_type") == "direct_reference"
        if direct and root in (None, "root_reference"):
            return env.field(struct_field(selection.direct_reference, path), path)
    outside = env.take()
    value = apart(message, env, path, unfit)
    field = value.as_field(env.take())
    env.parts = outside
    return field


def rankable(block: Block, within: Sequence[int]) -> Block:
    """The block, over which rows can be numbered in their order: not by other windows, which a window cannot hold.

    within: the positions of the fields whose values have numbers of their own.
    """
    block = block.at(Slot.WINDOW)
    keys = [*(key.field for key in block.order), *(block.fields[i] for i in within)]
    return block.close() if any(f.traits & Traits.WINDOW for f in keys) else block


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
        keys = [ordered(key.field.copy(parts), key) for key in block.order]
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
