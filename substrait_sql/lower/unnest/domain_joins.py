"""Joins over a domain: rows meet within one outer value."""

from __future__ import annotations

from typing import Any

from substrait_sql.lower.unnest.columns import become, hoist_filter, shift_record
from substrait_sql.lower.unnest.domain import Domain, Extended, shown, step
from substrait_sql.plan import build
from substrait_sql.plan.join_types import JoinType, join_type
from substrait_sql.plan.scopes import node_of


@step("cross")
def cross(domain: Domain, rel: Any) -> Extended:
    """All pairs, or a join on the outer values where both sides have them."""
    left, right = domain.extend(rel.cross.left), domain.extend(rel.cross.right)
    direct = left.width + right.width
    more = domain.count if left.dependent else 0
    begin = left.width if more else direct
    if left.dependent and right.dependent:
        common = build.copied(rel.cross.common)
        pairs = [(left.width + i, right.width + i) for i in range(domain.count)]
        become(rel, build.hash_join(rel.cross.left, rel.cross.right, JoinType.INNER, pairs))
        rel.hash_join.common.CopyFrom(common)
    return shown(
        rel,
        left.dependent or right.dependent,
        direct,
        lambda i: i if i < left.width else i + more,
        domain.columns_at(begin),
    )


@step("join", "hash_join", "merge_join", "nested_loop_join", "lateral_join")
def join(domain: Domain, rel: Any) -> Extended:
    """The side whose rows are kept has the outer values; so has the other one if it depends on them."""
    kind = rel.WhichOneof("rel_type")
    node = getattr(rel, kind)
    if "post_join_filter" in node.DESCRIPTOR.fields_by_name and node.HasField("post_join_filter"):
        hoist_filter(rel)
        return domain.extend(rel)
    type = join_type(node, kind)
    direct = domain.widths.direct(rel)
    own = domain.refers(node)
    lateral = kind == "lateral_join"
    left = domain.extend(node.left)
    right = Extended(False, domain.widths.of(node.right)) if lateral else domain.extend(node.right)
    if not (left.dependent or right.dependent or own):
        return shown(rel, False, direct, lambda i: i, [])
    first = left.dependent or type.kept.left
    second = right.dependent or type.kept.right
    first = first or not second
    _extend_sides(domain, node, left, right, first, second)
    if first and second:
        node = _keyed(rel, kind, type, left.width, right.width, domain)
    layout = _Layout(type, left.width, right.width, domain.count, first, second)
    if type is JoinType.FULL:
        _merge_values(domain, rel, layout)
        return Extended(True, domain.widths.of(rel) - domain.count)
    return shown(rel, True, direct, layout.moved, domain.columns_at(layout.begin))


def _extend_sides(
    domain: Domain, node: Any, left: Extended, right: Extended, first: bool, second: bool
) -> None:
    """Gives the sides that need them the outer values, and points the condition to where its columns are."""
    more = domain.count if first else 0
    shift_record(node, lambda i: i if i < left.width else i + more, domain.widths)
    if first and not left.dependent:
        domain.pair(node.left)
    if second and not right.dependent:
        domain.pair(node.right)
    domain.aim(node, left.width if first else left.width + right.width)


def _keyed(rel: Any, kind: str, type: JoinType, left: int, right: int, domain: Domain) -> Any:
    """The join with the outer values as keys; the logical joins, which have none, become a hash join."""
    pairs = [(left + i, right + i) for i in range(domain.count)]
    if kind in ("hash_join", "merge_join"):
        node = getattr(rel, kind)
        build.add_keys(node, pairs)
        return node
    node = getattr(rel, kind)
    made = build.hash_join(node.left, node.right, type, pairs)
    made.hash_join.common.CopyFrom(node.common)
    if node.HasField("expression"):
        made.hash_join.residual_expression.CopyFrom(node.expression)
    become(rel, made)
    return rel.hash_join


class _Layout:
    """Where the columns of a join's direct output stand once its sides have the domain's columns too.

    begin: where the domain's columns are to be taken from.
    """

    def __init__(
        self, type: JoinType, left: int, right: int, count: int, first: bool, second: bool
    ) -> None:
        self._edge = left if type.returned.left else right
        more_left = count if first else 0
        self._more = count if type.one_sided else more_left
        self.second_begin = left + more_left + right
        if type.one_sided:
            self.begin = self._edge
        elif first and not type.of_right:
            self.begin = left
        else:
            self.begin = self.second_begin

    def moved(self, ordinal: int) -> int:
        """Where a column of the old direct output is now."""
        return ordinal if ordinal < self._edge else ordinal + self._more


def _merge_values(domain: Domain, rel: Any, layout: _Layout) -> None:
    """After a full join either side's outer values may be missing: those of the one that is there."""
    node = node_of(rel)
    direct = domain.widths.direct(rel)
    emitted = node.common.WhichOneof("emit_kind") == "emit"
    old = direct - 2 * domain.count
    mapping = list(node.common.emit.output_mapping) if emitted else list(range(old))
    node.common.ClearField("emit_kind")
    merged = [
        build.call(
            domain.cx.functions,
            "functions_comparison",
            "coalesce:any",
            build.column(layout.begin + i),
            build.column(layout.second_begin + i),
        )
        for i in range(domain.count)
    ]
    for each, place in zip(merged, range(domain.count), strict=True):
        each.scalar_function.output_type.CopyFrom(domain.types[place])
    become(
        rel,
        build.project(
            rel,
            merged,
            [*(layout.moved(i) for i in mapping), *range(direct, direct + domain.count)],
        ),
    )
