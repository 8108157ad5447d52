"""Window functions: columns of a source that holds the rows that they see."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from substrait_sql.review.meaning.expressions import Scope
from substrait_sql.review.meaning.model import Leaf
from substrait_sql.review.meaning.sources import columns, replaced

if TYPE_CHECKING:
    from substrait_sql.review.meaning.expressions import Expressions
    from substrait_sql.review.meaning.model import Block, Expr
    from substrait_sql.wire.path import Path


class Reads(Protocol):
    """Who reads the relations."""

    expressions: Expressions

    def over(self, leaf: Leaf, block: Block) -> Block:
        """A source that passes on what its input returns."""
        ...


def windowed(
    reader: Reads, node: Any, block: Block, scope: Scope, path: Path
) -> tuple[Block, list[Expr]]:
    """The input of a projection with window functions, and its expressions.

    Functions that do not see one another are over the same rows, in however many projections they stand.
    """
    at = path / "expressions"
    found = _window_below(block)
    if found is not None:
        below = [replaced(o, lambda c: _passed(c, found)) for o in block.outputs]
        inner = Scope(below, scope.anchors, scope.around)
        both = Scope(block.outputs, scope.anchors, scope.around, windows=(found, inner))
        made = reader.expressions.all(node.expressions, both, at)
        seen = [c for e in made for c in columns(e) if c.leaf is found and c.inner is not None]
        if not any(found in c.inner.leaves for c in seen if c.inner is not None):
            return block, made
    leaf = Leaf("window", (), path, [block])
    above = reader.over(leaf, block)
    both = Scope(above.outputs, scope.anchors, scope.around, windows=(leaf, scope))
    return above, reader.expressions.all(node.expressions, both, at)


def _window_below(block: Block) -> Leaf | None:
    source = block.source
    if len(source.items) != 1 or source.attached or source.conditions:
        return None
    return source.items[0] if source.items[0].kind == "window" else None


def _passed(column: Expr, leaf: Leaf) -> Expr | None:
    return column.inner if column.leaf is leaf and column.head == ("column", "pass") else None
