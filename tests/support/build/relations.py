"""Relations, each made of the one below it, with the types of its columns."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import substrait.proto as pb

from tests.support.build.base import URN, Expr, Row, _anchors, anchor, lit
from tests.support.build.measures import Measure
from tests.support.plan_types import (
    is_nullable,
    nullable,
    type_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from google.protobuf.message import Message


ASC_FIRST = pb.SortField.SORT_DIRECTION_ASC_NULLS_FIRST
ASC = pb.SortField.SORT_DIRECTION_ASC_NULLS_LAST
DESC_FIRST = pb.SortField.SORT_DIRECTION_DESC_NULLS_FIRST
DESC = pb.SortField.SORT_DIRECTION_DESC_NULLS_LAST
CLUSTERED = pb.SortField.SORT_DIRECTION_CLUSTERED
Columns = "Callable[[Row], Expr]"
Key = tuple[int, int] | tuple[int, int, str]


def sort_field(key: Expr, direction: Any) -> pb.SortField:
    """A sort field; a direction in words is a comparison function: ``arithmetic/subtract:i64_i64``."""
    out = pb.SortField(expr=key.message)
    if isinstance(direction, str):
        file, _, name = direction.partition("/")
        anchor = _anchors.setdefault((URN + file, name), len(_anchors) + 1)
        out.comparison_function_reference = anchor
    else:
        out.direction = direction
    return out


def set_emit(message: Message, emit: Sequence[int] | None) -> None:
    if emit is not None:
        message.common.emit.SetInParent()  # type: ignore[attr-defined]
        message.common.emit.output_mapping.extend(emit)  # type: ignore[attr-defined]


def join_types(kind: str, left: list[pb.Type], right: list[pb.Type]) -> list[pb.Type]:
    """Return the types of a join's output."""
    side, _, word = kind.partition("_")
    kept = left if side == "LEFT" else right
    if word in ("SEMI", "ANTI"):
        return kept
    if word == "MARK":
        return [*kept, type_of("bool?")]
    if side in ("RIGHT", "OUTER"):
        left = [nullable(t) for t in left]
    if side in ("LEFT", "OUTER"):
        right = [nullable(t) for t in right]
    return left + right


@dataclass(frozen=True)
class R:
    """A relation and the types of its output columns."""

    message: pb.Rel
    types: list[pb.Type] = field(default_factory=list)

    @property
    def row(self) -> Row:
        return Row(self.types)

    def _wrap(self, name: str, types: list[pb.Type], emit: Sequence[int] | None) -> tuple[R, Any]:
        """Return a relation of the kind over this one, and its message to fill in."""
        out = pb.Rel()
        inner = getattr(out, name)
        if hasattr(inner, "input"):
            inner.input.CopyFrom(self.message)
        set_emit(inner, emit)
        return R(out, types if emit is None else [types[i] for i in emit]), inner

    def anchored(self, anchor: int) -> R:
        """The same relation under an anchor, which outer references may name."""
        out = pb.Rel()
        out.CopyFrom(self.message)
        getattr(out, out.WhichOneof("rel_type")).common.rel_anchor = anchor
        return R(out, self.types)

    def filter(self, condition: Callable[[Row], Expr], emit: Sequence[int] | None = None) -> R:
        out, rel = self._wrap("filter", self.types, emit)
        rel.condition.CopyFrom(condition(self.row).message)
        return out

    def project(self, make: Callable[[Row], list[Expr]], emit: Sequence[int] | None = None) -> R:
        made = make(self.row)
        out, rel = self._wrap("project", self.types + [e.type for e in made], emit)
        rel.expressions.extend(e.message for e in made)
        return out

    def select(self, make: Callable[[Row], list[Expr]]) -> R:
        """Return only the made columns: a projection whose emit drops the input."""
        n = len(self.types)
        return self.project(make, emit=range(n, n + len(make(self.row))))

    def sort(
        self, keys: Callable[[Row], list[tuple[Expr, Any]]], emit: Sequence[int] | None = None
    ) -> R:
        out, rel = self._wrap("sort", self.types, emit)
        for key, direction in keys(self.row):
            rel.sorts.append(sort_field(key, direction))
        return out

    def fetch(
        self,
        count: int | Expr | None = None,
        offset: int | Expr | None = None,
        emit: Sequence[int] | None = None,
    ) -> R:
        out, rel = self._wrap("fetch", self.types, emit)
        for name, value in (("count_expr", count), ("offset_expr", offset)):
            if value is not None:
                expression = lit(value, "i64") if isinstance(value, int) else value
                getattr(rel, name).CopyFrom(expression.message)
        return out

    def aggregate(
        self,
        keys: Callable[[Row], list[Expr]] | None = None,
        measures: Callable[[Row], list[Measure]] | None = None,
        emit: Sequence[int] | None = None,
    ) -> R:
        ks = keys(self.row) if keys else []
        ms = measures(self.row) if measures else []
        out, rel = self._wrap("aggregate", [e.type for e in ks] + [m.type for m in ms], emit)
        if ks:
            rel.grouping_expressions.extend(k.message for k in ks)
            rel.groupings.append(pb.AggregateRel.Grouping(expression_references=range(len(ks))))
        for m in ms:
            rel.measures.append(pb.AggregateRel.Measure(measure=m.function, filter=m.filter))
        return out

    def join(
        self,
        right: R,
        kind: str,
        on: Callable[[Row], Expr],
        post: Callable[[Row], Expr] | None = None,
        emit: Sequence[int] | None = None,
    ) -> R:
        """Join; ``on`` sees left ++ right, ``post`` (the post_join_filter) sees the direct
        output."""
        out, rel, types = self._join("join", right, kind, emit)
        rel.expression.CopyFrom(on(Row(self.types + right.types)).message)
        if post is not None:
            rel.post_join_filter.CopyFrom(post(Row(types)).message)
        return out

    def _join(
        self, name: str, right: R, kind: str, emit: Sequence[int] | None
    ) -> tuple[R, Any, list[pb.Type]]:
        types = join_types(kind, self.types, right.types)
        out, rel = self._wrap(name, types, emit)
        rel.left.CopyFrom(self.message)
        rel.right.CopyFrom(right.message)
        kinds = rel.DESCRIPTOR.fields_by_name["type"].enum_type
        rel.type = kinds.values_by_name["JOIN_TYPE_" + kind].number
        return out, rel, types

    def nested_loop_join(
        self,
        right: R,
        kind: str,
        on: Callable[[Row], Expr] | None = None,
        emit: Sequence[int] | None = None,
    ) -> R:
        out, rel, _ = self._join("nested_loop_join", right, kind, emit)
        if on is not None:
            rel.expression.CopyFrom(on(Row(self.types + right.types)).message)
        return out

    def hash_join(
        self,
        right: R,
        kind: str,
        *keys: Key,
        residual: Callable[[Row], Expr] | None = None,
        post: Callable[[Row], Expr] | None = None,
        build: str = "",
        emit: Sequence[int] | None = None,
        name: str = "hash_join",
    ) -> R:
        """Join by keys: each is (left column, right column), and what compares them if not EQ: a
        name, or the compound name of a function of functions_comparison."""
        out, rel, types = self._join(name, right, kind, emit)
        for left_column, right_column, *how in keys:
            key = rel.keys.add()
            for side, column in ((key.left, left_column), (key.right, right_column)):
                side.direct_reference.struct_field.field = column
                side.root_reference.SetInParent()
            comparison = how[0] if how else "EQ"
            if ":" in comparison:
                custom = anchor(URN + "comparison", comparison)
                key.comparison.custom_function_reference = custom
            else:
                key.comparison.simple = pb.ComparisonJoinKey.SimpleComparisonType.Value(
                    "SIMPLE_COMPARISON_TYPE_" + comparison
                )
        if residual is not None:
            seen = Row(self.types + right.types)
            rel.residual_expression.CopyFrom(residual(seen).message)
        if post is not None:
            rel.post_join_filter.CopyFrom(post(Row(types)).message)
        if build:
            rel.build_input = rel.BuildInput.Value("BUILD_INPUT_" + build)
        return out

    def merge_join(self, right: R, kind: str, *keys: Key, **more: Any) -> R:
        """Join by keys, as `hash_join` does; there is no side to build."""
        return self.hash_join(right, kind, *keys, name="merge_join", **more)

    def cross(self, right: R, emit: Sequence[int] | None = None) -> R:
        out, rel = self._wrap("cross", self.types + right.types, emit)
        rel.left.CopyFrom(self.message)
        rel.right.CopyFrom(right.message)
        return out


def set_(op: str, *inputs: R, emit: Sequence[int] | None = None) -> R:
    """Combine the inputs by the set operation ``SET_OP_<op>``."""
    columns = zip(*(r.types for r in inputs), strict=True)
    types = []
    for column in columns:
        first, *rest = map(is_nullable, column)
        if op.startswith("MINUS"):
            yes = first
        elif op == "INTERSECTION_PRIMARY":
            yes = first and any(rest)
        elif op.startswith("INTERSECTION"):
            yes = first and all(rest)
        else:
            yes = first or any(rest)
        types.append(nullable(column[0], yes))
    out = pb.Rel()
    out.set.op = pb.SetRel.SetOp.Value("SET_OP_" + op)
    out.set.inputs.extend(r.message for r in inputs)
    set_emit(out.set, emit)
    return R(out, types if emit is None else [types[i] for i in emit])


def reference(ordinal: int, rel: R) -> R:
    """Read the plan's relation with that ordinal, which is ``rel``."""
    out = pb.Rel()
    out.reference.subtree_ordinal = ordinal
    return R(out, rel.types)


def anchored(rel: R, number: int) -> R:
    """Give the relation that name for outer references."""
    out = pb.Rel()
    out.CopyFrom(rel.message)
    getattr(out, out.WhichOneof("rel_type")).common.rel_anchor = number
    return R(out, rel.types)


def lateral_join(
    left: R, right: R, kind: str, on: Callable[[Row], Expr] | None = None, *, anchor: int
) -> R:
    """Join each left row with what the right side, which refers to it by the anchor, makes of it."""
    out, rel, _ = left._join("lateral_join", right, kind, None)
    rel.common.rel_anchor = anchor
    condition = on(Row(left.types + right.types)) if on else lit(True, "bool")
    rel.expression.CopyFrom(condition.message)
    return out
