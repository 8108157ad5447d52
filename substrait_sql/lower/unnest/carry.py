"""Outer references that cross more than one scope, made to cross one at a time.

Spark resolves a name in the query around and no further. A column of a query further out is computed as a column more
in the query in between, where the inner one finds it:

    EXISTS (SELECT 1 FROM e WHERE e.d = d.id AND EXISTS (SELECT 1 FROM a WHERE a.e = e.id AND a.x < d.x))
    EXISTS (SELECT 1 FROM (SELECT e.*, d.x AS x FROM e) AS e WHERE e.d = d.id AND EXISTS (… WHERE … a.x < e.x))
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from substrait_sql.errors import invalid
from substrait_sql.lower.unnest.columns import explode_values, hoist_filter
from substrait_sql.lower.unnest.given import widen_input, widen_left
from substrait_sql.plan import build
from substrait_sql.plan.join_types import JOINS, JoinType, join_type
from substrait_sql.plan.scopes import (
    binding,
    columns,
    expressions,
    host,
    is_outer,
    lateral_scope,
    node_of,
    steps,
    subqueries,
    visit_expression,
    visit_relation,
)
from substrait_sql.wire.inside import inputs
from substrait_sql.wire.path import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable

    from substrait_sql.plan.scopes import Stack
    from substrait_sql.plan.widths import Widths


def carry(rel: Any, widths: Widths, fresh_anchor: Callable[[], int], stack: Stack = ()) -> None:
    """Changes a relation, and all below it, so that no reference in it crosses two scopes. stack: those around it."""
    if rel.WhichOneof("rel_type") in (None, "reference"):
        return
    found = _far(rel, stack, widths)
    if found and _hoisted(rel, found):
        carry(rel, widths, fresh_anchor, stack)
        return
    node = node_of(rel)
    lateral = rel.WhichOneof("rel_type") == "lateral_join"
    # What is below comes first: a column that it has been given need not be computed again.
    for name, each in inputs(node):
        if name != "right" or not lateral:
            carry(each, widths, fresh_anchor, stack)
    if found:
        _carry_in(rel, [f for _, f in found], stack, widths)
    if lateral:
        _carry_left(rel, stack, widths, fresh_anchor)
        carry(node.right, widths, fresh_anchor, (*stack, lateral_scope(node)))
    own = host(node, widths)
    for _, each in expressions(node):
        for inner in subqueries(each):
            carry(inner, widths, fresh_anchor, (*stack, own))


Far = tuple[Any, "Stack"]


def _far(rel: Any, stack: Stack, widths: Widths) -> list[tuple[str, Far]]:
    """The references in this relation's subqueries that mean a record further out than its own."""
    node = node_of(rel)
    own = host(node, widths)
    found: list[tuple[str, Far]] = []
    for name, each in expressions(node):

        def visit(reference: Any, at: Stack, name: str = name) -> None:
            if len(at) > len(stack) and is_outer(reference) and _crosses(reference, at, stack):
                found.append((name, (reference, at)))

        visit_expression(each, stack, own, visit, widths)
    return found


def _crosses(reference: Any, at: Stack, stack: Stack) -> bool:
    bound = binding(reference, at)
    return bound is None or bound < len(stack)


def _hoisted(rel: Any, found: list[tuple[str, Far]]) -> bool:
    """Moves what hosts the subqueries to where its record can be given more columns, if it has to."""
    names = {name for name, _ in found}
    if rel.WhichOneof("rel_type") == "read":
        if "virtual_table" in names:
            explode_values(rel)
        else:
            hoist_filter(rel)
        return True
    if "post_join_filter" in names or _filters_mark(rel):
        hoist_filter(rel)
        return True
    return False


def _filters_mark(rel: Any) -> bool:
    """Whether a filter of the join sees a mark behind the right side, where the columns are put."""
    kind = rel.WhichOneof("rel_type")
    node = getattr(rel, kind)
    if kind not in JOINS or "post_join_filter" not in node.DESCRIPTOR.fields_by_name:
        return False
    type = join_type(node, kind)
    return node.HasField("post_join_filter") and type.mark and type.of_right


def _carry_in(rel: Any, found: list[Far], stack: Stack, widths: Widths) -> None:
    """Columns behind the record of a relation, for the subqueries in its expressions."""
    added = _Added(len(stack))
    positions = [added.positions(reference, at) for reference, at in found]
    ordinals = widen_input(rel, added.expressions, widths)
    for (reference, at), places in zip(found, positions, strict=True):
        _point(reference, ordinals, places)
        build.aim(reference, steps=steps(at[len(stack) :]))


def _carry_left(rel: Any, stack: Stack, widths: Widths, fresh_anchor: Callable[[], int]) -> None:
    """Columns behind the left row of a lateral join, for its right side, and the condition that stands in it."""
    node = rel.lateral_join
    if not node.common.rel_anchor:
        node.common.rel_anchor = fresh_anchor()
    own = lateral_scope(node)
    found: list[Far] = []

    def visit(reference: Any, at: Stack) -> None:
        if is_outer(reference) and _crosses(reference, at, stack):
            found.append((reference, at))

    visit_relation(node.right, (*stack, own), visit, widths)
    of_right = len(found)
    if join_type(node, "lateral_join") is JoinType.LEFT:
        visit_expression(
            node.expression, stack, host(node, widths), _of_condition(stack, found), widths
        )
    if not found:
        return
    added = _Added(len(stack))
    positions = [added.positions(reference, at) for reference, at in found]
    ordinals = widen_left(rel, added.expressions, widths)
    for i, ((reference, _), places) in enumerate(zip(found, positions, strict=True)):
        _point(reference, ordinals, places)
        if i < of_right:
            build.aim(reference, anchor=node.common.rel_anchor)
        else:
            reference.root_reference.SetInParent()


def _of_condition(stack: Stack, found: list[Far]) -> Callable[[Any, Stack], None]:
    """Notes the outer references of a condition itself; those of its subqueries are carried into them."""

    def visit(reference: Any, at: Stack) -> None:
        if is_outer(reference) and len(at) == len(stack):
            found.append((reference, at))

    return visit


def _point(reference: Any, ordinals: list[int], places: list[int]) -> None:
    for each, place in zip(columns(reference), places, strict=True):
        each.field = ordinals[place]


class _Added:
    """The columns to be added to a record, each of them once."""

    def __init__(self, depth: int) -> None:
        self._depth = depth
        self._known: dict[tuple[int, int, int], int] = {}
        self.expressions: list[Any] = []

    def positions(self, reference: Any, at: Stack) -> list[int]:
        """Where the columns that a reference means stand among the added ones."""
        outer = reference.outer_reference
        anchor, begin = outer.rel_reference, 0
        if not anchor and outer.steps_out < 1:
            raise invalid("SS2125", "an outer reference must step out at least once", ROOT)
        bound = binding(reference, at)
        if anchor and bound is not None and not at[bound].lateral:
            # Counted, as another reference to the same column may be.
            begin, anchor = at[bound].anchors[anchor], 0
            out = steps(at[bound : self._depth])
        else:
            out = 0 if anchor else outer.steps_out - steps(at[self._depth :])
        return [self._position(out, anchor, begin + each.field) for each in columns(reference)]

    def _position(self, out: int, anchor: int, ordinal: int) -> int:
        key = (out, anchor, ordinal)
        if key not in self._known:
            self._known[key] = len(self.expressions)
            self.expressions.append(build.outer_column(ordinal, steps=out, anchor=anchor))
        return self._known[key]
