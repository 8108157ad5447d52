"""A subquery in the condition of an outer join, moved into the rows of one side.

In a join condition Spark takes EXISTS and IN about one side at a time, and scalar subqueries about none. Inside a
lateral join's right side the same condition is a column of that side, which has been given the columns of the left:

    a LEFT JOIN b ON EXISTS (SELECT 1 FROM c WHERE c.x = a.x AND c.y = b.y)
    a LEFT JOIN LATERAL (
      SELECT b.*, EXISTS (… c.x = b.a_x AND c.y = b.y) AS holds FROM (SELECT b.*, a.x AS a_x FROM b) AS b
    ) ON holds
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from substrait_sql.errors import refuse
from substrait_sql.lower.unnest.carry import carry
from substrait_sql.lower.unnest.columns import hoist_filter, shift_record
from substrait_sql.lower.unnest.inline import inlined
from substrait_sql.lower.unnest.key_types import grouped_as_equal
from substrait_sql.lower.unnest.pull import depends
from substrait_sql.plan import build
from substrait_sql.plan.join_types import JoinType, join_type
from substrait_sql.plan.scopes import binding, columns, host, is_outer, node_of, visit_expression
from substrait_sql.select.outer_columns import refers_outside
from substrait_sql.select.signals import NotNative
from substrait_sql.wire.path import Path

if TYPE_CHECKING:
    from substrait_sql.lower.context import Context
    from substrait_sql.plan.widths import Widths
    from substrait_sql.select.block import Block
    from substrait_sql.select.signals import NeedsLateral

# Lowers a relation where the join stands.
Lower = Callable[[Any], "Block"]


def into_right(
    message: Any, kind: str, cx: Context, needed: NeedsLateral, lower: Lower | None = None
) -> Any:
    """A join as a lateral one whose condition is a column of its right side.

    lower: what a full join needs, which is more than one lateral join.
    """
    rel = build.rel()
    getattr(rel, kind).CopyFrom(message)
    getattr(rel, kind).common.ClearField("emit_kind")
    rel = inlined(rel, cx)
    filtered = "post_join_filter" in message.DESCRIPTOR.fields_by_name
    if filtered and message.HasField("post_join_filter"):
        hoist_filter(rel)
        below = rel.filter.input
        rel.filter.input.CopyFrom(_moved(below, kind, cx, needed, lower))
    else:
        rel = _moved(rel, kind, cx, needed, lower)
    # What referred to a query around from the condition crosses the lateral join now.
    carry(rel, cx.widths, cx.fresh_anchor)
    return rel


def _moved(rel: Any, kind: str, cx: Context, needed: NeedsLateral, lower: Lower | None) -> Any:
    widths = cx.widths
    node = node_of(rel)
    type = join_type(node, kind)
    left, right = widths.of(node.left), widths.of(node.right)
    condition = _condition(node, left, cx)
    if condition is None:
        raise NotNative(needed.error) from needed
    direct = widths.direct(rel)
    mapping = (
        list(node.common.emit.output_mapping)
        if node.common.WhichOneof("emit_kind") == "emit"
        else list(range(direct))
    )
    join = _Sides(node, left, right, condition, cx, widths)
    if type is JoinType.FULL:
        if lower is None:
            raise NotNative(needed.error) from needed
        return build.emitted(_full(join, lower, needed), mapping)
    if type.of_right:
        return _turned(join.turned(), type.mirrored, mapping)
    made = join.lateral(type)
    if kind == "lateral_join":
        made.lateral_join.common.rel_anchor = node.common.rel_anchor or cx.fresh_anchor()
    return build.emitted(made, mapping)


def _turned(join: _Sides, type: JoinType, mapping: list[int]) -> Any:
    """The join with its sides exchanged, and its columns where they were. join: the exchanged sides."""
    made = join.lateral(type)
    if type.one_sided:
        return build.emitted(made, mapping)
    # The left side of this join is the right one of the plan's.
    begin, first = join.left, join.right
    return build.emitted(made, [begin + i if i < first else i - first for i in mapping])


def _full(join: _Sides, lower: Lower, needed: NeedsLateral) -> Any:
    """The left join, and the right rows that meet none with NULLs in front, of the left columns' types."""
    begin, end = join.left, join.left + join.right
    types = [f.type for f in lower(join.rels[0]).fields]
    if any(t is None for t in types):
        raise refuse(
            "SS2043",
            "a subquery in the condition of a FULL join, over columns whose types the plan leaves to the catalog",
            needed.error.path,
            "run it with its tables",
        ) from needed
    once = _pairs_once(join, lower)
    if once is not None:
        pairs, right = once
        met = build.filtered(pairs, build.column(end))
        keys = [(i, begin + i) for i in range(join.right)]
        alone = build.hash_join(right, met, JoinType.LEFT_ANTI, keys)
    else:
        pairs, alone = join.lateral(JoinType.LEFT), join.turned().lateral(JoinType.LEFT_ANTI)
    matched = build.project(pairs, [], range(end))
    nulls = [build.null(t) for t in types]
    padded = build.project(alone, nulls, [*range(join.right, end), *range(join.right)])
    return build.union_all([matched, padded])


def _pairs_once(join: _Sides, lower: Lower) -> tuple[Any, Any] | None:
    """The left join and the right side as shared queries, so that the condition is written once.

    Which right rows have met none is seen from their values: equal rows meet the same. None where a column has values
    that are equal and not the same, as 0.0 and -0.0, and where a side refers to a query around, as no shared query can.
    """
    shared = join.cx.shared
    rows = lower(join.rels[1])
    if refers_outside(rows) or not all(_tells_apart(f.type) for f in rows.fields):
        return None
    read = shared.share(rows, {})
    right = shared.make(lambda *_: read(), join.right)
    made = join.lateral(JoinType.LEFT, right)
    carry(made, join.widths, join.cx.fresh_anchor)
    if depends(made, join.widths):
        return None
    again = shared.share(lower(made), {})
    return shared.make(lambda *_: again(), join.left + join.right + 1), right


def _tells_apart(type: Any) -> bool:
    return type is not None and grouped_as_equal(type, type)


def is_column(condition: Any) -> bool:
    """Whether the condition of a join is a mere column, as it is once it has been moved."""
    return bool(condition.WhichOneof("rex_type") == "selection")


class _Sides:
    """A join's sides and its condition over left ++ right. left, right: how many columns they have."""

    def __init__(
        self, node: Any, left: int, right: int, condition: Any, cx: Context, widths: Widths
    ) -> None:
        self.rels = node.left, node.right
        self.node = node
        self.left = left
        self.right = right
        self.condition = condition
        self.cx = cx
        self.widths = widths

    def turned(self) -> _Sides:
        """The same join read from the other side."""
        first = self.left
        holder = self._holder()
        shift_record(holder, lambda i: i - first if i >= first else i + self.right, self.widths)
        condition = build.copied(holder.expression)
        holder.left.CopyFrom(self.rels[1])
        holder.right.CopyFrom(self.rels[0])
        return _Sides(holder, self.right, self.left, condition, self.cx, self.widths)

    def _holder(self) -> Any:
        """A join with these sides and a copy of the condition."""
        holder = build.rel().join
        holder.left.CopyFrom(self.rels[0])
        holder.right.CopyFrom(self.rels[1])
        holder.common.rel_anchor = self.node.common.rel_anchor
        holder.expression.CopyFrom(self.condition)
        return holder

    def lateral(self, type: JoinType, right: Any = None) -> Any:
        """The join as a lateral one, with the columns left ++ right ++ condition where it has both sides.

        right: other rows for the right side, equal to its own.
        """
        anchor = self.node.common.rel_anchor or self.cx.fresh_anchor()
        holder = self._holder()
        used = _used(holder, self.left, self.widths)
        places = {field: self.right + i for i, field in enumerate(used)}
        shift_record(
            holder,
            lambda i: places[i] if i < self.left else i - self.left,
            self.widths,
        )
        given = [build.outer_column(field, anchor=anchor) for field in used]
        more = self.right + len(used)
        side = build.project(self.rels[1] if right is None else right, given, range(more))
        asked = holder.expression
        if not type.mark and _three_valued(asked, self.cx):
            asked = build.call(self.cx.functions, "functions_comparison", "is_true:bool", asked)
        side = build.project(side, [asked], [*range(self.right), more])
        made = build.rel()
        made.lateral_join.left.CopyFrom(self.rels[0])
        made.lateral_join.right.CopyFrom(side)
        made.lateral_join.type = type.logical
        made.lateral_join.common.rel_anchor = anchor
        made.lateral_join.expression.CopyFrom(build.column(self.left + self.right))
        return made


def _three_valued(condition: Any, cx: Context) -> bool:
    """Whether a part of a condition has a shorter form where only its TRUE is asked for, as by all but a mark join."""
    if condition.subquery.WhichOneof("subquery_type") in ("in_predicate", "set_comparison"):
        return True
    call = condition.scalar_function
    if condition.WhichOneof("rex_type") != "scalar_function":
        return False
    name = cx.functions.get(call.function_reference, Path()).standard
    return name in ("and", "or", "not") and any(
        _three_valued(each.value, cx) for each in call.arguments
    )


def _used(node: Any, left: int, widths: Widths) -> list[int]:
    """The left columns that the condition, and the subqueries in it, refer to."""
    own = host(node, widths)
    found: set[int] = set()

    def visit(reference: Any, stack: Any) -> None:
        if not stack:
            if reference.WhichOneof("root_type") in (None, "root_reference"):
                found.update(each.field for each in columns(reference))
            return
        if is_outer(reference) and binding(reference, stack) == 0:
            begin = own.anchors.get(reference.outer_reference.rel_reference, 0)
            found.update(begin + each.field for each in columns(reference))

    visit_expression(node.expression, (), own, visit, widths)
    return sorted(i for i in found if i < left)


def _condition(node: Any, left: int, cx: Context) -> Any:
    """The whole condition of a join as one expression, None if there is none."""
    parts = [_key(key, left, cx) for key in getattr(node, "keys", ())]
    for name in ("expression", "residual_expression"):
        if name in node.DESCRIPTOR.fields_by_name and node.HasField(name):
            parts.append(getattr(node, name))
    return build.conjunction(cx.functions, parts) if parts else None


def _key(key: Any, left: int, cx: Context) -> Any:
    """A key of a physical join as an expression over both sides."""
    first, second = build.expression_of(key.left), build.expression_of(key.right)
    second.selection.direct_reference.struct_field.field += left
    comparison = key.comparison
    functions = cx.functions
    if comparison.WhichOneof("inner_type") == "custom_function_reference":
        made = build.same(functions, first, second)
        made.scalar_function.function_reference = comparison.custom_function_reference
        return made
    if comparison.simple == build.IS_NOT_DISTINCT_FROM:
        return build.same(functions, first, second)
    equal = build.call(functions, "functions_comparison", "equal:any_any", first, second)
    if comparison.simple != build.MIGHT_EQUAL:
        return equal
    unknown = build.call(functions, "functions_comparison", "is_null:any", equal)
    return build.call(functions, "functions_boolean", "or:bool", equal, unknown)
