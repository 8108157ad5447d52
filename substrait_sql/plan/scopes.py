"""Walking a plan with its scopes: which record each outer reference means.

https://substrait.io/expressions/field_references/#outer-references. A scope is the record that a subquery's host sees,
or the left row of a lateral join. `steps_out` counts the first kind only; `rel_reference` names either.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from substrait_sql.wire.inside import inputs, parts, within

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from substrait_sql.plan.widths import Widths
    from substrait_sql.wire.path import Path


@dataclass(eq=False, slots=True)
class Scope:
    """One record around. anchors: where in it the record of each anchored relation begins."""

    anchors: dict[int, int] = field(default_factory=dict)
    lateral: bool = False


Stack = tuple[Scope, ...]
# Takes a reference, and the scopes between it and where the walk began, the outermost first.
Visit = Callable[[Any, Stack], None]

# Fields of a relation in which no reference can stand.
_PLAIN = frozenset({"common", "base_schema", "projection", "advanced_extension", "named_table"})


def node_of(rel: Any) -> Any:
    """The message of a relation's kind, None for an empty relation."""
    kind = rel.WhichOneof("rel_type")
    return getattr(rel, kind) if kind is not None else None


def placed_inputs(node: Any, path: Path) -> Iterator[tuple[str, Any, Path]]:
    """The same, with where each stands. path: of the node."""
    for name, rels in groupby(inputs(node), key=itemgetter(0)):
        at = path / name
        several = not hasattr(getattr(node, name), "ListFields")
        for i, (_, rel) in enumerate(rels):
            yield name, rel, at[i] if several else at


def expressions(node: Any) -> Iterator[tuple[str, Any]]:
    """What a relation holds besides its inputs, with the names of the fields: its expressions, mostly."""
    for descriptor, value in node.ListFields():
        if descriptor.message_type is None or descriptor.name in _PLAIN:
            continue
        if descriptor.message_type.name == "Rel":
            continue
        for each in _each(value):
            yield descriptor.name, each


def _each(value: Any) -> Sequence[Any]:
    return (value,) if hasattr(value, "ListFields") else value


def host(node: Any, widths: Widths) -> Scope:
    """The record that a relation's expressions see. It is named by the relation's anchor, and by its inputs'."""
    anchors: dict[int, int] = {}
    begin = 0
    for name, rel in inputs(node):
        inner = node_of(rel)
        if name in ("left", "right", "input") and hasattr(inner, "common"):
            if inner.common.rel_anchor:
                anchors[inner.common.rel_anchor] = begin
            if name == "left":
                begin = widths.of(rel)
    if node.common.rel_anchor:
        anchors[node.common.rel_anchor] = 0
    return Scope(anchors)


def visit_relation(rel: Any, stack: Stack, visit: Visit, widths: Widths) -> None:
    """Every reference of a relation and of all below it."""
    node = node_of(rel)
    if node is None:
        return
    if rel.WhichOneof("rel_type") != "reference":
        own = host(node, widths)
        for _, each in expressions(node):
            visit_expression(each, stack, own, visit, widths)
    for name, each in inputs(node):
        inside = stack
        if name == "right" and rel.WhichOneof("rel_type") == "lateral_join":
            inside = (*stack, lateral_scope(node))
        visit_relation(each, inside, visit, widths)


def relations(rel: Any, stack: Stack, widths: Widths) -> Iterator[tuple[Any, Stack]]:
    """A relation and all below it, also in subqueries, with the scopes around each."""
    node = node_of(rel)
    if node is None:
        return
    yield rel, stack
    if rel.WhichOneof("rel_type") == "reference":
        return
    own = host(node, widths)
    for _, each in expressions(node):
        for inner in subqueries(each):
            yield from relations(inner, (*stack, own), widths)
    for name, each in inputs(node):
        inside = stack
        if name == "right" and rel.WhichOneof("rel_type") == "lateral_join":
            inside = (*stack, lateral_scope(node))
        yield from relations(each, inside, widths)


def lateral_scope(node: Any) -> Scope:
    """The left row of a lateral join, by the join's anchor or by that of its left input."""
    left = node_of(node.left)
    anchors = {left.common.rel_anchor: 0} if getattr(left, "common", None) is not None else {}
    anchors[node.common.rel_anchor] = 0
    anchors.pop(0, None)
    return Scope(anchors, lateral=True)


def visit_expression(message: Any, stack: Stack, own: Scope, visit: Visit, widths: Widths) -> None:
    """Every reference of an expression, and of the relations in its subqueries. own: the record that it sees."""
    name = message.DESCRIPTOR.name
    if name == "Rel":
        visit_relation(message, (*stack, own), visit, widths)
        return
    if name in ("Literal", "Type"):
        return
    if name == "FieldReference":
        visit(message, stack)
    for _, each in parts(message):
        visit_expression(each, stack, own, visit, widths)


def subqueries(message: Any) -> Iterator[Any]:
    """The relations of the subqueries in an expression; not of those inside them."""
    for each in within(message, closed=("Rel", "Literal", "Type")):
        if each.DESCRIPTOR.name == "Rel":
            yield each


def has_root(message: Any, root: str) -> bool:
    """Whether an expression, or a subquery in it, has a reference of that root, as ``outer_reference``."""
    return any(
        each.DESCRIPTOR.name == "FieldReference" and each.WhichOneof("root_type") == root
        for each in within(message, closed=("Literal", "Type"))
    )


def is_outer(reference: Any) -> bool:
    """Whether the reference is rooted in a record around."""
    return bool(reference.WhichOneof("root_type") == "outer_reference")


def binding(reference: Any, stack: Stack) -> int | None:
    """Which scope of the stack an outer reference means, None if it is further out."""
    outer = reference.outer_reference
    if outer.WhichOneof("outer_reference_type") == "rel_reference":
        for i in reversed(range(len(stack))):
            if outer.rel_reference in stack[i].anchors:
                return i
        return None
    rest = outer.steps_out
    for i in reversed(range(len(stack))):
        rest -= not stack[i].lateral
        if not rest and not stack[i].lateral:
            return i
    return None


def steps(stack: Stack) -> int:
    """How many of the scopes `steps_out` counts."""
    return sum(not s.lateral for s in stack)


def columns(reference: Any) -> list[Any]:
    """The struct fields at which a reference into a record begins: one, or those that a mask selects."""
    if reference.WhichOneof("reference_type") == "masked_reference":
        return list(reference.masked_reference.select.struct_items)
    return [reference.direct_reference.struct_field]
