"""Joins: sources side by side, attached to one another, or an operator over both."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from substrait_sql.review.meaning.expressions import Expressions, Scope
from substrait_sql.review.meaning.forms import call_of
from substrait_sql.review.meaning.model import Block, Expr, Leaf, NoMeaningError
from substrait_sql.review.meaning.sources import attach

if TYPE_CHECKING:
    from substrait_sql.plan.join_types import JoinType
    from substrait_sql.wire.path import Path

_SIMPLE_KEYS = {1: "equal", 2: "is_not_distinct_from"}


def conditions(
    expressions: Expressions, node: Any, left: Block, right: Block, scope: Scope, path: Path
) -> list[Expr]:
    """What a join asks of its pairs: its keys, its condition, what is left of that."""
    fields = node.DESCRIPTOR.fields_by_name
    found = []
    for i, key in enumerate(node.keys if "keys" in fields else ()):
        at = (path / "keys")[i]
        sides = [
            expressions.selection(key.left, Scope(left.outputs), at / "left"),
            expressions.selection(key.right, Scope(right.outputs), at / "right"),
        ]
        name = _SIMPLE_KEYS.get(key.comparison.simple)
        if key.comparison.WhichOneof("inner_type") == "custom_function_reference" or name is None:
            raise NoMeaningError("the keys of a join are compared by a function of their own", at)
        found.append(call_of(name, sides, at))
    for name in ("expression", "residual_expression"):
        if name in fields and node.HasField(name):
            found.append(expressions.of(getattr(node, name), scope, path / name))
    return found


def attached(type: JoinType, left: Block, right: Block, on: list[Expr], path: Path) -> Block:
    """A join that is attached to the side whose rows it keeps."""
    turned = type.kept.right
    kept, other = (right, left) if turned else (left, right)
    word = (type.mirrored if turned else type).words
    made = attach(kept.source, word, other.source, on, path)
    marker = next(iter(made.source.leaves()))
    looked_up = other.outputs
    if any(type.padded):
        looked_up = [o if o.leaf is not None else _padded(o, marker) for o in looked_up]
    sides = (looked_up, kept.outputs) if turned else (kept.outputs, looked_up)
    outputs = [
        *(sides[0] if type.returned.left else ()),
        *(sides[1] if type.returned.right else ()),
    ]
    if type.mark:
        outputs.append(marker.column(("mark",)))
    return Block(kept.source, outputs)


def _padded(output: Expr, marker: Leaf) -> Expr:
    """What is computed below a join is NULL where there is no match, whatever it is computed of."""
    return Expr(("padded",), [output, marker.column(("there",))], path=output.path)


def full(left: Block, right: Block, on: list[Expr], path: Path) -> Block:
    """A FULL join: an operator over both sides."""
    leaf = Leaf("full", (), path, [left, right], [Expr(("on",), on, commutes=True)])
    outputs = [leaf.column(("pass",), o) for o in (*left.outputs, *right.outputs)]
    return Block(leaf.alone_in_from(), outputs)
