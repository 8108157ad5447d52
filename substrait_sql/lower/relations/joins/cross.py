"""https://substrait.io/relations/logical_relations/#cross-product-operation"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from substrait_sql.lower.relation import lowers, relation
from substrait_sql.lower.relations.joins.combine import combine
from substrait_sql.plan.join_types import JoinType

if TYPE_CHECKING:
    from substrait_sql.lower.context import Context, Env
    from substrait_sql.select.block import Block
    from substrait_sql.wire.path import Path


@lowers("cross")
def cross_rel(message: Any, cx: Context, path: Path, outer: Env | None) -> Block:
    """``FROM a, b``; next to other joins, ``a CROSS JOIN b``."""
    left = relation(message.left, cx, path / "left", outer)
    right = relation(message.right, cx, path / "right", outer)
    return combine(left, right, JoinType.INNER, lambda block: [], path)
