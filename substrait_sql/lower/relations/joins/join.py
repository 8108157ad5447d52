"""https://substrait.io/relations/logical_relations/#join-operation"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from substrait_sql.lower.lost import check_sides, warn_of_anti_join
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


@lowers("join")
def join_rel(message: Any, cx: Context, path: Path, outer: Env | None) -> Block:
    """``a JOIN b ON …``. Some producers leave out a condition that is always true."""
    kind = join_type(message, "join", path / "type")

    def on(env: Env, width: int, asked: Asked) -> list[Field]:
        if not message.HasField("expression"):
            return []
        if cx.habits.loses_sides:
            check_sides(message, width, cx, path / "expression")
        if cx.habits.loses_nulls and kind.form == "ANTI":
            warn_of_anti_join(message.expression, env.fields, cx, path / "expression")
        return conditions(message.expression, env, path / "expression", asked)

    return joined(message, kind, on, cx, path, outer)
