"""Projections that number their own expressions without columns that the relation below them has, says the standard.

What the emit returns tells it: with those columns it would return some of them and the first expressions, and compute
the last ones for nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from substrait_sql.wire.fields import is_repeated

if TYPE_CHECKING:
    from collections.abc import Callable

    from substrait_sql.wire.path import Path
    from substrait_sql.wire.upgrades.walk import Context

_PASSING = ("filter", "sort", "fetch")


def below(project: Any, kind: str) -> Any:
    """The relation of that kind under a projection with an emit, none between them that changes columns, or None."""
    if not project.common.HasField("emit"):
        return None
    rel = project.input
    while rel.WhichOneof("rel_type") in _PASSING:
        node = getattr(rel, rel.WhichOneof("rel_type"))
        if node.common.WhichOneof("emit_kind") == "emit":
            return None
        rel = node.input
    node = getattr(rel, kind) if rel.WhichOneof("rel_type") == kind else None
    return None if node is None or node.common.WhichOneof("emit_kind") == "emit" else node


def returns_its_own(project: Any, width: int) -> bool:
    """Whether the emit is that of the expressions over as many columns: ``emit [3, 4, 5]`` of three over three."""
    mapping = list(project.common.emit.output_mapping)
    return mapping == list(range(width, width + len(project.expressions)))


def leave_out(project: Any, node: Any, width: int, context: Context, path: Path, what: str) -> None:
    """Gives the relation below an emit of its first columns, if nothing between refers to one behind them."""
    if refers(project, lambda ordinal: ordinal >= width):
        return
    node.common.emit.output_mapping.extend(range(width))
    context.note("SS1103", f"a projection returns its own expressions: {what}", path, warn=True)


def refers(project: Any, asked: Callable[[int], bool]) -> bool:
    """Whether the projection, or what stands between it and the relation below, uses such a column."""
    waiting = [*project.expressions, project.input]
    while waiting:
        message = waiting.pop()
        if message.DESCRIPTOR.name in ("AggregateRel", "ExpandRel"):
            continue
        if message.DESCRIPTOR.name == "FieldReference":
            if asked(message.direct_reference.struct_field.field):
                return True
            continue
        for field, value in message.ListFields():
            if field.message_type is not None:
                waiting += value if is_repeated(field) else [value]
    return False
