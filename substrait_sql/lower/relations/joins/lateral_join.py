"""https://substrait.io/relations/logical_relations/#lateral-join-operation"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from substrait_sql.dialect.operators import negated
from substrait_sql.errors import invalid
from substrait_sql.lower.context import Env
from substrait_sql.lower.needs import windows
from substrait_sql.lower.relation import environment, lowers, relation
from substrait_sql.lower.relations.joins.combine import both_anchors, lateral, unconditional
from substrait_sql.lower.relations.joins.generated import generates
from substrait_sql.lower.relations.joins.joined import over_pairs, uncomputable
from substrait_sql.lower.relations.joins.marks import marked, single, with_column
from substrait_sql.lower.relations.rows.filter import conditions, keep
from substrait_sql.lower.three_valued import Reader, readable
from substrait_sql.lower.unnest.attempts import lateral_join
from substrait_sql.plan.join_types import JoinType, join_type
from substrait_sql.schema import types
from substrait_sql.select.asked import Asked
from substrait_sql.select.block import Block, Slot
from substrait_sql.select.field import Field, Parts
from substrait_sql.select.signals import ComputeFirst
from substrait_sql.spark.subqueries import require_native

if TYPE_CHECKING:
    from sqlglot import exp

    from substrait_sql.lower.context import Context
    from substrait_sql.select.item import ColumnNode
    from substrait_sql.wire.path import Path

# What SQL has a LATERAL for.
_NATIVE = (JoinType.INNER, JoinType.LEFT)


@lowers("lateral_join")
def lateral_join_rel(message: Any, cx: Context, path: Path, outer: Env | None) -> Block:
    """``a JOIN LATERAL (SELECT … WHERE b.x = a.y) ON …``: the right side is made anew for each row of the left.

    SQL has the inner and the left form. The others are subqueries over the right side, as they are for any join.
    """
    kind = join_type(message, "lateral_join", path / "type")
    if not kind.is_lateral:
        raise invalid("SS2235", f"a lateral join is no {kind} join", path / "type")

    def lower(node: Any, at: Path) -> Block:
        block = _Lateral(node, kind, cx, at, outer).block()
        if node.HasField("post_join_filter"):
            block = keep(block, node, node.post_join_filter, cx, at / "post_join_filter", outer)
        return block

    return lateral_join(message, cx, path, outer, lower)


class _Lateral:
    """The parts of one lateral join, each lowered as often as it is asked for."""

    def __init__(
        self, message: Any, kind: JoinType, cx: Context, path: Path, outer: Env | None
    ) -> None:
        self.message = message
        self.kind = kind
        self.cx = cx
        self.path = path
        self.outer = outer
        self.lacking = cx.dialect.target.lacks

    def block(self) -> Block:
        """The join, without its post-join filter."""
        windowed = any(windows(self.message.expression, self.path, self.cx))
        if windowed and self.kind is not JoinType.INNER:
            raise over_pairs(self.kind, self.path)
        try:
            if not windowed:
                return self._block()
        except ComputeFirst as needed:
            if self._is_around(needed.block):
                raise
            if self.kind is not JoinType.INNER:
                raise uncomputable(self.kind, needed) from needed
        at = self.path / "expression"
        left = relation(self.message.left, self.cx, self.path / "left", self.outer)
        block = lateral(left, self.side, self.kind, lambda _: [], self.path)
        return keep(block, self.message, self.message.expression, self.cx, at, self.outer)

    def _is_around(self, block: Block) -> bool:
        """Whether the block is that of a record around."""
        env = self.outer
        while env is not None:
            if env.block is block:
                return True
            env = env.outer
        return False

    def _block(self) -> Block:
        left = relation(self.message.left, self.cx, self.path / "left", self.outer)
        if self.kind in _NATIVE:
            on = unconditional if self._is_unconditional() else self.on
            return lateral(left, self.side, self.kind, on, self.path)
        if self.kind.mark:
            return marked(left, self.over, self.condition, self.path, self.lacking)
        if self.kind is JoinType.LEFT_SINGLE:
            block, columns = single(left, self.over, self.condition, self.path, self.lacking)
            block.fields = block.fields + columns
            return block
        return self.kept(left)

    def _is_unconditional(self) -> bool:
        """Whether all pairs are joined: the condition is missing, or TRUE."""
        if not self.message.HasField("expression"):
            return True
        found = self.message.expression
        return found.WhichOneof("rex_type") == "literal" and bool(found.literal.boolean)

    def side(self, left: Block) -> tuple[Block, list[ColumnNode]]:
        """The right side over a left row, and the columns of that row which it uses."""
        env = Env(self.cx, left, self.outer, anchor=self.message.common.rel_anchor, lateral=True)
        right = relation(self.message.right, self.cx, self.path / "right", env)
        if self.kind in _NATIVE and not (self.kind is JoinType.INNER and generates(right)):
            require_native(
                right, self.path, range(len(right.fields)), lateral=True, lacking=self.lacking
            )
        return right, env.parts.captured

    def over(self, left: Block) -> Block:
        """The right side alone: what it uses is found where the subquery is assembled."""
        return self.side(left)[0]

    def on(self, block: Block) -> list[Field]:
        """The condition over left ++ right."""
        return self.conditions(block, Asked.TRUE)

    def conditions(self, block: Block, asked: Asked) -> list[Field]:
        """The condition; one that is missing is true."""
        if not self.message.HasField("expression"):
            return []
        env = environment(self.message, self.cx, block, self.outer, paired=True)
        return conditions(self.message.expression, env, self.path / "expression", asked)

    def condition(self, kept: Block, other: Block, asked: Asked) -> tuple[list[Field], list[Field]]:
        """The condition inside a subquery over the right side, and the record that it sees."""
        view = Block(
            kept.item,
            kept.fields + other.fields,
            joins=kept.joins,
            anchors=both_anchors(kept, other),
        )
        return self.conditions(view, asked), view.fields

    def kept(self, left: Block) -> Block:
        """A semi or an anti join: the left rows for which there is a right one, or none."""

        def exists(block: Block, plain: bool) -> Field:
            inner = readable(self.over(block))
            inner = inner.close() if plain and not all(f.plain for f in inner.fields) else inner
            found, _ = self.condition(block, inner, Asked.TRUE)
            parts = Parts()
            test: exp.Expression = Reader(parts, block.items, self.path, self.lacking).exists(
                inner, found
            )
            if self.kind is JoinType.LEFT_ANTI:
                test = negated(test)
            return Field(types.boolean(), sql=test, parts=parts)

        block, test = with_column(left, exists, Slot.WHERE)
        block.where.append(test)
        return block
