"""https://substrait.io/relations/physical_relations/#nested-loop-join-operator"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from substrait_sql.lower.relation import lowers
from substrait_sql.lower.relations.joins.joined import joined
from substrait_sql.lower.relations.rows.filter import conditions
from substrait_sql.plan.join_types import join_type

if TYPE_CHECKING:
    from substrait_sql.lower.context import Context, Env
    from substrait_sql.select.asked import Asked
    from substrait_sql.select.block import Block
    from substrait_sql.select.field import Field
    from substrait_sql.wire.path import Path


@lowers("nested_loop_join")
def nested_loop_join_rel(message: Any, cx: Context, path: Path, outer: Env | None) -> Block:
    """``a JOIN b ON …``; without an expression every pair matches. Spark is left to choose how it joins."""
    kind = join_type(message, "nested_loop_join", path / "type")

    def on(env: Env, width: int, asked: Asked) -> list[Field]:
        if not message.HasField("expression"):
            return []
        return conditions(message.expression, env, path / "expression", asked)

    return joined(message, kind, on, cx, path, outer)
