"""https://substrait.io/relations/physical_relations/#merge-equijoin-operator"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from substrait_sql.lower.relation import lowers
from substrait_sql.lower.relations.joins.combine import Hint
from substrait_sql.lower.relations.joins.joined import joined
from substrait_sql.lower.relations.joins.keys import has_equality, key_conditions
from substrait_sql.plan.join_types import JoinType, join_type

if TYPE_CHECKING:
    from substrait_sql.lower.context import Context, Env
    from substrait_sql.select.asked import Asked
    from substrait_sql.select.block import Block
    from substrait_sql.select.field import Field
    from substrait_sql.wire.path import Path


@lowers("merge_join")
def merge_join_rel(message: Any, cx: Context, path: Path, outer: Env | None) -> Block:
    """``SELECT /*+ MERGE(b) */ … a JOIN b ON a.k = b.k``. SQL needs no sorted inputs: Spark sorts what is not."""
    kind = join_type(message, "merge_join", path / "type")

    turned = kind in (JoinType.RIGHT_SEMI, JoinType.RIGHT_ANTI)

    def on(env: Env, width: int, asked: Asked) -> list[Field]:
        return key_conditions(message, width, turned, env, asked, path)

    hint = Hint("MERGE", "right") if has_equality(message) else None
    return joined(message, kind, on, cx, path, outer, hint)
