"""https://substrait.io/relations/physical_relations/#consistent-partition-window-operation"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from substrait_sql.lower.expressions.windows.over import Over
from substrait_sql.lower.expressions.windows.window import call_over
from substrait_sql.lower.relation import environment, lowers, relation
from substrait_sql.lower.retry import settled
from substrait_sql.select.block import Block, Slot

if TYPE_CHECKING:
    from substrait_sql.lower.context import Context, Env
    from substrait_sql.select.field import Field
    from substrait_sql.wire.path import Path


@lowers("window")
def window_rel(message: Any, cx: Context, path: Path, outer: Env | None) -> Block:
    """Functions over one window, each with a frame of its own. The output is the input, then the functions."""
    block = relation(message.input, cx, path / "input", outer).at(Slot.WINDOW)

    def lower(over: Block) -> list[Field]:
        env = environment(message, cx, over, outer)
        shared = Over(
            message.partition_expressions,
            path / "partition_expressions",
            message.sorts,
            path / "sorts",
        )
        found = []
        for i, function in enumerate(message.window_functions):
            value = call_over(function, shared, env, (path / "window_functions")[i])
            found.append(value.as_field(env.take()))
        return found

    block, functions = settled(block, lower)
    block.fields = block.fields + functions
    return block
