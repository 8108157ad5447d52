"""https://substrait.io/relations/logical_relations/#reference-operator"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from substrait_sql.lower.outer.inline import copy_of, needs_inlining
from substrait_sql.lower.relations import lowers, relation

if TYPE_CHECKING:
    from substrait_sql.lower.block import Block
    from substrait_sql.lower.context import Context, Env
    from substrait_sql.wire.path import Path


@lowers("reference")
def reference_rel(message: Any, cx: Context, path: Path, outer: Env | None) -> Block:
    """A subtree that several relations share: a common table expression, named once and read wherever it is used."""
    if needs_inlining(message, cx):
        return relation(copy_of(message, cx), cx, path, outer)
    return cx.shared.use(message, cx, path, outer)
