"""https://substrait.io/relations/logical_relations/#join-operation"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from substrait_sql.lower.context import ComputeFirst, Context, Env, invalid, refuse
from substrait_sql.lower.field import Traits
from substrait_sql.lower.joining import combine
from substrait_sql.lower.relations import environment, lowers, relation
from substrait_sql.lower.relations.filter import conditions, keep

if TYPE_CHECKING:
    from substrait_sql.lower.block import Block
    from substrait_sql.lower.field import Field
    from substrait_sql.wire.path import Path

# JoinRel.JoinType; the physical joins number the same names differently.
_KINDS = {
    1: "INNER",
    2: "FULL",
    3: "LEFT",
    4: "RIGHT",
    5: "LEFT SEMI",
    6: "LEFT ANTI",
    8: "RIGHT SEMI",
    9: "RIGHT ANTI",
}
_NAMES = {7: "LEFT_SINGLE", 10: "RIGHT_SINGLE", 11: "LEFT_MARK", 12: "RIGHT_MARK"}


@lowers("join")
def join_rel(message: Any, cx: Context, path: Path, outer: Env | None) -> Block:
    """``a JOIN b ON …``, with the join's own word: LEFT, RIGHT, FULL, LEFT SEMI, LEFT ANTI.

    A post-join filter is what it is called: a WHERE, applied to the rows that the join gives.
    """
    kind = _KINDS.get(message.type)
    if kind is None:
        if message.type in _NAMES:
            raise refuse("SS2041", f"{_NAMES[message.type]} joins have no SQL yet", path / "type")
        raise invalid("SS2042", f"join type {message.type} does not exist", path / "type")
    left = relation(message.left, cx, path / "left", outer)
    right = relation(message.right, cx, path / "right", outer)

    def on(block: Block) -> list[Field]:
        if not message.HasField("expression"):
            return []
        env = environment(message, cx, block, outer, unfit=Traits.WINDOW)
        return conditions(message.expression, env, path / "expression")

    try:
        block = combine(left, right, kind, on)
    except ComputeFirst as needed:
        if kind != "INNER":
            raise refuse(
                "SS2044",
                f"a window function in the condition of a {kind} join has no SQL: it is over all pairs of rows",
                path / "expression",
            ) from needed
        block = combine(left, right, "INNER", lambda _: [])
        block = keep(block, message, message.expression, cx, path / "expression", outer)
    if message.HasField("post_join_filter"):
        block = keep(block, message, message.post_join_filter, cx, path / "post_join_filter", outer)
    return block
