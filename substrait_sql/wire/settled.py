"""What plans of older releases have that means the same today.

It lets such a plan be taken as it is, where the walk of an upgrade takes longer than all that follows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from google.protobuf.unknown_fields import UnknownFieldSet

from substrait_sql.wire.inside import may_hold_subquery, open_parts, relations_below, within

if TYPE_CHECKING:
    from collections.abc import Iterator

WINDOW_FUNCTION = ("Expression", "window_function")
"""The field of `history.CHANGED_MEANING` that `clear_windows` looks at."""

_RANGE = 2
_DESCENDING = (3, 4)
_OFFSETS = ("preceding", "following")
_INPUTS = ("Rel",)


def drop_twins(plan: Any, *, nested: bool) -> None:
    """Takes out the groupings that are written a second time in the form retired in 0.88. nested: in subqueries too.

    DataFusion writes both forms, and the references win.
    """
    for node in _relations(plan, nested=nested):
        if node.DESCRIPTOR.name == "AggregateRel":
            for grouping in node.groupings:
                unknown = UnknownFieldSet(grouping)
                if grouping.expression_references and _only_field_one(unknown):
                    grouping.DiscardUnknownFields()


def _only_field_one(unknown: UnknownFieldSet) -> bool:
    return all(unknown[i].field_number == 1 for i in range(len(unknown)))


def clear_windows(plan: Any) -> None:
    """Takes out the window functions among a projection's expressions that no release has read in another way.

    Their frame says what it counts, and no offset of it follows a descending order.
    """
    for node in _relations(plan, nested=True):
        if node.DESCRIPTOR.name == "ProjectRel":
            for expression in node.expressions:
                if expression.HasField("window_function") and _is_settled(
                    expression.window_function
                ):
                    expression.ClearField("window_function")


def _is_settled(function: Any) -> bool:
    if function.bounds_type != _RANGE:
        return bool(function.bounds_type)
    bounds = (function.lower_bound.WhichOneof("kind"), function.upper_bound.WhichOneof("kind"))
    return not any(b in _OFFSETS for b in bounds) or not any(
        sort.direction in _DESCENDING for sort in function.sorts
    )


def _relations(plan: Any, *, nested: bool) -> Iterator[Any]:
    """The messages of the relations' kinds. nested: those of subqueries too."""
    stack = [r.root.input if r.HasField("root") else r.rel for r in plan.relations]
    while stack:
        rel = stack.pop()
        kind = rel.WhichOneof("rel_type")
        if kind is None or kind == "detached_rel_ordinal":
            continue
        node = getattr(rel, kind)
        yield node
        stack += relations_below(node)
        for part in open_parts(node, _INPUTS) if nested else ():
            if may_hold_subquery(part.SerializeToString()):
                # A relation's own relations are met when it is.
                inside = within(part, _INPUTS)
                stack += [each for each in inside if each.DESCRIPTOR.name == "Rel"]
