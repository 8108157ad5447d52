"""Lowering a relation: finds the function for a message, and applies its emit. `lower.kinds` has all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from substrait_sql.errors import invalid, refuse
from substrait_sql.lower import kinds, relations
from substrait_sql.lower.context import Context, Env
from substrait_sql.lower.suggested_names import name_by_hint
from substrait_sql.plan.enhancements import refuse_enhancements
from substrait_sql.select.block import BESIDE_SELECT, Block
from substrait_sql.select.field import Field
from substrait_sql.select.item import Item
from substrait_sql.tree.copies import COPIED
from substrait_sql.tree.origin import note
from substrait_sql.wire.path import Path

Lowering = Callable[[Any, Context, Path, Env | None], Block]


_LOWERINGS: dict[str, Lowering] = {}


def lowers(rel_type: str) -> Callable[[Lowering], Lowering]:
    """Registers the function for a member of ``Rel.rel_type``."""

    def register(function: Lowering) -> Lowering:
        _LOWERINGS[rel_type] = function
        return function

    return register


def relation(message: Any, cx: Context, path: Path, outer: Env | None = None) -> Block:
    """Lowers a relation. outer: the environment of the expression that hosts the subquery it stands in."""
    rel_type = message.WhichOneof("rel_type")
    lowering = _LOWERINGS.get(rel_type) or kinds.find(rel_type, _LOWERINGS, relations)
    if lowering is None:
        if rel_type is None:
            raise invalid("SS2010", "the relation is empty: none of its kinds is set", path)
        raise refuse("SS2011", f"relations of kind {rel_type} have no SQL yet", path)
    node = getattr(message, rel_type)
    at = path / rel_type
    cx.work.done += 1
    if cx.work.done + COPIED.nodes > cx.work.allowed:
        cx.work.beyond(at)
    refuse_enhancements(node, at)
    block = lowering(node, cx, at, outer)
    block.path = at
    if cx.mapped and rel_type == "read" and block.item is not None and block.item.node is not None:
        note(block.item.node, at)
    if rel_type != "reference":
        block = _common(block, node, at, cx)
        block.path = at
    if cx.outputs is not None:
        cx.outputs[str(at)] = [(f.name, f.type) for f in block.fields]
    return block


def _common(block: Block, node: Any, at: Path, cx: Context) -> Block:
    """What all relations have in common: emit, hints, and an anchor that outer references name."""
    common = node.common
    if common.WhichOneof("emit_kind") == "emit":
        block = emit(block, common.emit.output_mapping, at)
    if common.HasField("hint"):
        name_by_hint(block, common.hint, at, cx)
    block.anchors = {common.rel_anchor: 0} if common.rel_anchor else {}
    return block


def emit(block: Block, mapping: Any, path: Path) -> Block:
    """https://substrait.io/relations/common_fields/#emit: picks output columns, in any order, any number of times.

    path: of the relation.
    """
    width = len(block.fields)
    mapping = list(mapping)
    for position, ordinal in enumerate(mapping):
        if not 0 <= ordinal < width:
            raise invalid(
                "SS2102",
                f"emit refers to column {ordinal} of {width}",
                (path / "common" / "emit" / "output_mapping")[position],
                "columns are counted from 0, those that the relation adds behind those of its input",
            )
    if mapping == list(range(width)):
        return block
    if len(set(mapping)) < len(mapping):
        repeated = (i for i, times in Counter(mapping).items() if times > 1)
        if any(block.fields[i].heavy for i in repeated):
            block = block.close()
    if block.body is not None:
        return _emit_set(block, mapping)
    if not block.says_only(BESIDE_SELECT) and len(set(mapping)) < width:
        block = block.close()
    block.fields = [block.fields[i] for i in mapping]
    return block


def _emit_set(block: Block, mapping: Any) -> Block:
    """The columns of a UNION ALL are picked in each branch; other set operations need all of theirs."""
    body = block.body
    assert body is not None
    mergeable = body.kind == "UNION" and not body.distinct and not block.limited and not block.order
    if not mergeable or any(b.distinct or b.body is not None for b in body.branches):
        block = block.close()
        block.fields = [block.fields[i] for i in mapping]
        return block
    for branch in body.branches:
        branch.fields = [branch.fields[i] for i in mapping]
    item = Item("", [block.fields[i].name for i in mapping])
    block.fields = [
        Field(f.type, f.name, sql_type=f.sql_type, item=item, ordinal=position)
        for position, f in enumerate(block.fields[i] for i in mapping)
    ]
    return block


def environment(message: Any, cx: Context, block: Block, outer: Env | None, **options: Any) -> Env:
    """What the expressions of a relation see: the output of its input."""
    return Env(cx, block, outer, anchor=message.common.rel_anchor, **options)


def supported() -> frozenset[str]:
    """The members of ``Rel.rel_type`` that have a lowering."""
    kinds.register()
    return frozenset(_LOWERINGS)
