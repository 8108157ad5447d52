"""https://substrait.io/relations/logical_relations/#reference-operator"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from substrait_sql.errors import invalid
from substrait_sql.lower.expressions.references.selection import selection
from substrait_sql.lower.relation import lowers, relation
from substrait_sql.lower.unnest.inline import copy_of, needs_inlining
from substrait_sql.schema import types
from substrait_sql.select.signals import CloseBlock, Rewrite

if TYPE_CHECKING:
    from substrait_sql.lower.context import Context, Env
    from substrait_sql.select.block import Block
    from substrait_sql.wire.path import Path


@lowers("reference")
def reference_rel(message: Any, cx: Context, path: Path, outer: Env | None) -> Block:
    """A subtree that several relations share: a common table expression, named once and read wherever it is used.

    One that refers outwards is written out instead, for a common table expression cannot.
    """
    if not needs_inlining(message, cx, path):
        return cx.shared.use(message, cx, path, outer)
    _check_bindings(message, cx, path / "outer_reference_bindings", outer)
    return relation(copy_of(message, cx, path), cx, path, outer)


def _check_bindings(message: Any, cx: Context, path: Path, outer: Env | None) -> None:
    """A binding has the type that the subtree declares, as far as the record it is seen from says."""
    if not message.outer_reference_bindings or outer is None:
        return
    cx.shared.subtree(message.subtree_ordinal, path)
    declarations = cx.shared.declarations(message.subtree_ordinal)
    for i, bound in enumerate(message.outer_reference_bindings[: len(declarations)]):
        try:
            with outer.apart():
                found = selection(bound, outer, path[i]).type
        except (CloseBlock, Rewrite):
            continue
        wanted = declarations[i].type
        if found is not None and not types.same(found, wanted):
            raise invalid(
                "SS2236",
                f"a binding of type {types.text(found)} for a parameter of type {types.text(wanted)}",
                path[i],
            )
