"""What isthmus wrote before it wrote today's forms.

Up to 0.84 it did not count the column that tells grouping sets apart: a projection above such an aggregation returns
its own expressions, and its emit numbers them from the keys and measures on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from substrait_sql.wire.fields import is_repeated
from substrait_sql.wire.upgrades.walk import Context, upgrades

if TYPE_CHECKING:
    from substrait_sql.wire.path import Path

_PASSING = ("filter", "sort", "fetch")


@upgrades("ProjectRel")
def uncounted_set_index(project: Any, path: Path, context: Context) -> None:
    """``emit [3, 4, 5]`` of three expressions over two keys and a measure: there is no fourth column below.

    With one it would return that and the first two expressions, and compute the third for nothing. Plans without
    version and producer are isthmus' if they have fields of that time.
    """
    if not project.common.HasField("emit"):
        return
    below = project.input
    while below.WhichOneof("rel_type") in _PASSING:
        node = getattr(below, below.WhichOneof("rel_type"))
        if node.common.WhichOneof("emit_kind") == "emit":
            return
        below = node.input
    if below.WhichOneof("rel_type") != "aggregate" or len(below.aggregate.groupings) < 2:
        return
    aggregate = below.aggregate
    if aggregate.common.WhichOneof("emit_kind") == "emit":
        return

    def decide() -> None:
        if not _may_be_isthmus(context):
            return
        width = len(aggregate.grouping_expressions) + len(aggregate.measures)
        mapping = list(project.common.emit.output_mapping)
        if mapping != list(range(width, width + len(project.expressions))):
            return
        if _refers_to(width, project):
            return
        aggregate.common.emit.output_mapping.extend(range(width))
        context.note(
            "SS1103",
            "a projection returns its own expressions: the index of the grouping set below it is not counted",
            path,
            warn=True,
        )

    context.later(decide)


def _may_be_isthmus(context: Context) -> bool:
    if context.producer:
        return context.producer.startswith("isthmus") and context.before(85) is not False
    return context.minor is None and context.before(88) is not False


def _refers_to(ordinal: int, project: Any) -> bool:
    """Whether the projection, or what stands between it and the aggregation, uses that column."""
    waiting = [*project.expressions, project.input]
    while waiting:
        message = waiting.pop()
        if message.DESCRIPTOR.name == "AggregateRel":
            continue
        if message.DESCRIPTOR.name == "FieldReference":
            if message.direct_reference.struct_field.field == ordinal:
                return True
            continue
        for field, value in message.ListFields():
            if field.message_type is not None:
                waiting += value if is_repeated(field) else [value]
    return False
