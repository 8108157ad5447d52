"""More columns below a relation, and the same output above it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from substrait_sql.errors import refuse
from substrait_sql.plan import build
from substrait_sql.plan.scopes import node_of
from substrait_sql.plan.shapes import keys_shown
from substrait_sql.wire.path import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from substrait_sql.plan.habits import Habits
    from substrait_sql.plan.widths import Widths


def become(rel: Any, made: Any) -> None:
    """Puts another relation in the place of one."""
    rel.CopyFrom(made)


def re_emit(rel: Any, width: int, moved: Callable[[int], int], behind: Iterable[int] = ()) -> None:
    """The output that the relation had before its columns moved, and more behind. width: of the old direct output."""
    common = node_of(rel).common
    old = (
        list(common.emit.output_mapping)
        if common.WhichOneof("emit_kind") == "emit"
        else range(width)
    )
    build.emitted(rel, [*(moved(i) for i in old), *behind])


def refuse_renumbered(node: Any, habits: Habits) -> None:
    """Refuses an aggregation whose producer returns another number of the set, or none: more keys would change it."""
    shown = keys_shown(node, habits)
    if len(node.groupings) > 1 and (shown.masked or not shown.numbered):
        raise refuse("SS2056", "grouping sets over a correlated input have no SQL", ROOT)


def shift_record(node: Any, moved: Callable[[int], int], widths: Widths) -> None:
    """Follows the columns of a relation's record, wherever its expressions and the subqueries in them refer to it."""
    from substrait_sql.plan.scopes import (
        binding,
        columns,
        expressions,
        host,
        is_outer,
        steps,
        visit_expression,
    )

    own = host(node, widths)
    begins = dict(own.anchors)

    def visit(reference: Any, stack: Any) -> None:
        if not stack:
            if reference.WhichOneof("root_type") in (None, "root_reference"):
                for each in columns(reference):
                    each.field = moved(each.field)
            return
        if stack[0] is not own or not is_outer(reference) or binding(reference, stack) != 0:
            return
        begin = begins.get(reference.outer_reference.rel_reference, 0)
        for each in columns(reference):
            each.field = moved(begin + each.field)
        build.aim(reference, steps=steps(stack))

    for name, each in expressions(node):
        if name != "keys":
            visit_expression(each, (), own, visit, widths)


def hoist_filter(rel: Any) -> None:
    """The post-join filter of a join, or the filters of a read, as a relation above."""
    kind = rel.WhichOneof("rel_type")
    below = build.copied(rel)
    node = getattr(below, kind)
    common = build.copied(node.common)
    mapping = None
    if common.WhichOneof("emit_kind") == "emit":
        mapping = list(common.emit.output_mapping)
    node.common.ClearField("emit_kind")
    names = ("post_join_filter",) if kind != "read" else ("filter", "best_effort_filter")
    made = below
    conditions = [build.copied(getattr(node, n)) for n in names if node.HasField(n)]
    for name in names:
        node.ClearField(name)
    if kind == "read" and node.HasField("projection"):
        mapping = _composed(_plain_mask(node.projection), mapping)
        node.ClearField("projection")
    for condition in conditions:
        made = build.filtered(made, condition)
        made.filter.common.rel_anchor = common.rel_anchor
    if mapping is not None:
        build.emitted(made, mapping)
    become(rel, made)


def _plain_mask(projection: Any) -> list[int]:
    if any(item.HasField("child") for item in projection.select.struct_items):
        raise refuse(
            "SS2232", "an outer reference in a read with a mask of nested columns has no SQL", ROOT
        )
    return [item.field for item in projection.select.struct_items]


def _composed(inner: list[int], outer: list[int] | None) -> list[int]:
    return inner if outer is None else [inner[i] for i in outer]


def explode_values(rel: Any) -> None:
    """A virtual table as a union of projections, in which an expression may refer to anything."""
    node = rel.read
    mapping = (
        _plain_mask(node.projection)
        if node.HasField("projection")
        else list(range(len(node.base_schema.struct.types)))
    )
    if node.common.WhichOneof("emit_kind") == "emit":
        mapping = _composed(mapping, list(node.common.emit.output_mapping))
    branches = []
    for row in node.virtual_table.expressions:
        one = build.rel()
        one.read.virtual_table.expressions.add()
        one.read.base_schema.struct.nullability = 2
        branches.append(build.project(one, [row.fields[i] for i in mapping], range(len(mapping))))
    become(rel, branches[0] if len(branches) == 1 else build.union_all(branches))
