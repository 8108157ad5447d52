"""Lowering over a block that may have to close first, and the expressions that have to be columns before they are used.

SQL takes a window function in a SELECT list only, and Spark no subquery inside an aggregate: such an expression becomes
a column of a derived table, and the relation is lowered once more, over that. `Env.block.computed` has those columns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from substrait_sql.errors import refuse
from substrait_sql.lower.expression import expression
from substrait_sql.select.block import Derived, Slot
from substrait_sql.select.field import Traits, absorb
from substrait_sql.select.signals import CloseBlock, ComputeFirst, ShareInput

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from substrait_sql.lower.context import Env
    from substrait_sql.lower.value import Value
    from substrait_sql.select.block import Block
    from substrait_sql.select.field import Field, Parts
    from substrait_sql.spark.clauses import Clause
    from substrait_sql.wire.path import Path

T = TypeVar("T")


def settled(block: Block, lower: Callable[[Block], T]) -> tuple[Block, T]:
    """What `lower` makes over the block, or over one that has closed as often as that takes; and that block.

    The expressions that have to be columns are collected first: one derived table computes them all.
    """
    while True:
        try:
            made = lower(block)
        except ComputeFirst as needed:
            if needed.block is not block:
                raise
            if not _takes(block, needed.field) or needed.field.traits & Traits.PENDING:
                # The column cannot be computed in this block; it is asked for again, over one that is open, or that
                # has the columns which it is computed of.
                block = block.close_with_computed()
            else:
                known = _same_outer_column(needed.field, block)
                block.computed[str(needed.path)] = known or needed.field
        except ShareInput as needed:
            if needed.block is not block:
                raise
            block = needed.share(block)
        except CloseBlock as needed:
            if needed.block is not block:
                raise
            block = block.close_with_computed()
        else:
            if not block.computed:
                return block, made
            if all(f.plain for f in block.computed.values()):
                block.computed = {}
                return block, made
            block = block.close_with_computed()


def columns_first(
    block: Block, places: Sequence[Path], lower: Callable[[Block], Sequence[Field]]
) -> Block:
    """The block that computes the expressions at these places before they are used: they are columns once it closes.

    lower: the expressions, over a block.
    """
    while places:
        block, columns = settled(block, lower)
        if all(_takes(block, f) for f in columns):
            block.computed = {str(at): f for at, f in zip(places, columns, strict=True)}
            break
        block = block.close_with_computed()
    return block


def _same_outer_column(column: Field, block: Block) -> Field | None:
    """The column that the block has of the same outer column already, under the path of another use of it."""
    wanted = _outer_column(column)
    if wanted is None:
        return None
    known = (f for f in block.computed.values() if f.plain)
    return next((f for f in known if _outer_column(_made_of(f)) == wanted), None)


def _made_of(column: Field) -> Field:
    """What the derived table computes that the column is read from."""
    while isinstance(column.item, Derived):
        column = column.item.block.fields[column.ordinal]
    return column


def _outer_column(column: Field) -> tuple[int, int] | None:
    """Which column of the query around it is, if it is that and no more."""
    parts = column.parts
    if parts is None or parts.traits != Traits.OUTER or len(parts.columns) != 1:
        return None
    used = parts.columns[0]
    return (id(used.item), used.ordinal) if used.node is column.sql else None


def _takes(block: Block, column: Field) -> bool:
    """Whether the column can be computed in the block's own SELECT list."""
    if not block.is_open(Slot.SELECT):
        return False
    if column.traits & Traits.WINDOW:
        return block.is_open(Slot.WINDOW)
    # Beside measures Spark takes no outer column.
    return block.group is None or not column.traits & Traits.OUTER


def apart(message: Any, env: Env, path: Path, clause: Clause) -> Value:
    """An expression, which becomes a column first if the clause where it stands does not take it."""
    with env.apart() as own:
        value = expression(message, env, path)
    if own.traits & clause.forbids:
        compute_first(value, own, env, path)
    absorb(env.parts, own)
    return value


def compute_first(value: Value, parts: Parts, env: Env, path: Path) -> NoReturn:
    """Asks for a retry that finds this value as a column."""
    if env.moved:
        # A column of the block stands in the expression itself by now, and would stand in both.
        raise CloseBlock(env.block)
    raise ComputeFirst(env.block, value.as_field(parts), path)


def written_once(message: Any, env: Env, path: Path, inside: Path) -> NoReturn:
    """Asks for a retry that finds an argument as a column: what takes it writes it twice, and it is too long for that.

    message, inside: the argument and its path. path: of what takes it.
    """
    if env.lambdas:
        what = "inside a lambda an argument that is written twice must not be as long as this one"
        raise refuse("SS2155", what, path)
    if any(p.startswith(str(inside)) and not f.plain for p, f in env.block.computed.items()):
        # A part of it is to be a column too, and only stands for one as long as others are looked for.
        raise CloseBlock(env.block)
    with env.apart() as own:
        again = expression(message, env, inside)
    compute_first(again, own, env, inside)
