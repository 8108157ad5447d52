"""Plan parts that drawn plans need beyond those of `tests.support.build`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import substrait.proto as pb

from tests.support import build
from tests.support.build import Expr, Measure, R
from tests.support.plan_types import is_nullable, nullable, type_of

WINDOW_FILE = "arithmetic"


def anchor(file: str, name: str) -> int:
    """The anchor of a function for this process, as `build.call` numbers them."""
    return build.anchor(build.URN + file, name)


def anchored(rel: R, number: int) -> R:
    """The relation with that anchor."""
    out = pb.Rel()
    out.CopyFrom(rel.message)
    getattr(out, out.WhichOneof("rel_type")).common.rel_anchor = number
    return R(out, rel.types)


def by_anchor(number: int, index: int, type_: pb.Type) -> Expr:
    """A column of the record that an anchor names."""
    out = pb.Expression()
    out.selection.direct_reference.struct_field.field = index
    out.selection.outer_reference.rel_reference = number
    return Expr(out, type_)


def _made(kind: str, types: list[pb.Type], emit: Sequence[int] | None) -> tuple[R, Any]:
    out = pb.Rel()
    inner = getattr(out, kind)
    inner.SetInParent()
    build._common(inner, emit)
    return R(out, types if emit is None else [types[i] for i in emit]), inner


def reference(ordinal: int, types: list[pb.Type]) -> R:
    out = pb.Rel()
    out.reference.subtree_ordinal = ordinal
    return R(out, types)


def top_n(rel: R, sorts: list[tuple[Expr, Any]], offset: int | None, count: int, ties: bool) -> R:
    out, node = _made("top_n", rel.types, None)
    node.input.CopyFrom(rel.message)
    for key, direction in sorts:
        node.sorts.append(pb.SortField(expr=key.message, direction=direction))
    if offset is not None:
        node.offset.CopyFrom(build.lit(offset, "i64").message)
    node.count.CopyFrom(build.lit(count, "i64").message)
    node.mode = 2 if ties else 1
    return out


def join_types(kind: str, left: R, right: R) -> list[pb.Type]:
    """The direct output of each join type."""
    mark = [type_of("bool?")]
    match kind:
        case "LEFT_SEMI" | "LEFT_ANTI":
            return left.types
        case "RIGHT_SEMI" | "RIGHT_ANTI":
            return right.types
        case "LEFT_MARK":
            return left.types + mark
        case "RIGHT_MARK":
            return right.types + mark
    lefts = kind in ("RIGHT", "OUTER", "RIGHT_SINGLE")
    rights = kind in ("LEFT", "OUTER", "LEFT_SINGLE")
    return [nullable(t, is_nullable(t) or lefts) for t in left.types] + [
        nullable(t, is_nullable(t) or rights) for t in right.types
    ]


def join(
    form: str, kind: str, left: R, right: R, emit: Sequence[int] | None = None
) -> tuple[R, Any]:
    """A join of that form and type, and its message, to fill in conditions."""
    out, node = _made(form, join_types(kind, left, right), emit)
    node.left.CopyFrom(left.message)
    node.right.CopyFrom(right.message)
    enum = node.DESCRIPTOR.fields_by_name["type"].enum_type
    node.type = enum.values_by_name["JOIN_TYPE_" + kind].number
    return out, node


def key(left: int, right: int, simple: int) -> pb.ComparisonJoinKey:
    out = pb.ComparisonJoinKey()
    for side, index in ((out.left, left), (out.right, right)):
        side.direct_reference.struct_field.field = index
        side.root_reference.SetInParent()
    out.comparison.simple = simple
    return out


def grouping_sets(rel: R, keys: list[Expr], sets: list[list[int]], measures: list[Measure]) -> R:
    everywhere = [all(i in s for s in sets) for i in range(len(keys))]
    types = [
        nullable(k.type, is_nullable(k.type) or not e)
        for k, e in zip(keys, everywhere, strict=True)
    ]
    types += [m.type for m in measures] + ([type_of("i32")] if len(sets) > 1 else [])
    out, node = _made("aggregate", types, None)
    node.input.CopyFrom(rel.message)
    node.grouping_expressions.extend(k.message for k in keys)
    for s in sets:
        node.groupings.add().expression_references.extend(s)
    for m in measures:
        node.measures.append(pb.AggregateRel.Measure(measure=m.function, filter=m.filter))
    return out


def expand(rel: R, fields: list[list[Expr] | Expr]) -> R:
    """A list switches, an expression is consistent; one per input column, or more."""
    times = max((len(f) for f in fields if isinstance(f, list)), default=1)
    types = []
    out, node = _made("expand", types, None)
    node.input.CopyFrom(rel.message)
    for f in fields:
        made = node.fields.add()
        if isinstance(f, Expr):
            made.consistent_field.CopyFrom(f.message)
            types.append(f.type)
            continue
        made.switching_field.duplicates.extend(e.message for e in f)
        padded = len(f) < times or any(is_nullable(e.type) for e in f)
        types.append(nullable(f[0].type, padded))
    types.append(type_of("i32"))
    return out


def exchange(rel: R, buckets: int) -> R:
    out, node = _made("exchange", rel.types, None)
    node.input.CopyFrom(rel.message)
    node.partition_count = buckets
    node.round_robin.SetInParent()
    return out


def window_call(name: str, type_: pb.Type, args: Sequence[Expr], into: Any) -> None:
    """Fill in the function, arguments and type of a window function message."""
    file = "aggregate_generic" if name.startswith("count") else WINDOW_FILE
    into.function_reference = anchor(file, name)
    into.arguments.extend(pb.FunctionArgument(value=a.message) for a in args)
    into.output_type.CopyFrom(type_)
    into.phase = pb.AGGREGATION_PHASE_INITIAL_TO_RESULT
    into.invocation = pb.AggregateFunction.AGGREGATION_INVOCATION_ALL


def window(rel: R, call: pb.Expression.WindowFunction) -> R:
    """A window relation of one function: partitions and sorts are the relation's."""
    out, node = _made("window", [*rel.types, call.output_type], None)
    node.input.CopyFrom(rel.message)
    node.partition_expressions.extend(call.partitions)
    node.sorts.extend(call.sorts)
    one = node.window_functions.add()
    for name in (f.name for f, _ in call.ListFields()):
        if name in ("partitions", "sorts"):
            continue
        value = getattr(call, name)
        if name == "arguments":
            one.arguments.extend(value)
        elif hasattr(value, "ListFields"):
            getattr(one, name).CopyFrom(value)
        else:
            setattr(one, name, value)
    return out


def bound(into: Any, kind: str, offset: Expr) -> None:
    """A bound of a frame; "" leaves it unset."""
    if kind in ("preceding", "following"):
        getattr(into, kind).offset_expr.CopyFrom(offset.message)
    elif kind:
        getattr(into, kind).SetInParent()


def set_comparison(rel: R, left: Expr, comparison: int, reduction: int) -> Expr:
    """``left < ANY (relation)`` and its like."""
    out = pb.Expression()
    node = out.subquery.set_comparison
    node.left.CopyFrom(left.message)
    node.right.CopyFrom(rel.message)
    node.comparison_op = comparison
    node.reduction_op = reduction
    return Expr(out, type_of("bool?"))


def unique(rel: R) -> Expr:
    out = pb.Expression()
    out.subquery.set_predicate.predicate_op = 2
    out.subquery.set_predicate.tuples.CopyFrom(rel.message)
    return Expr(out, type_of("bool"))


def plan(root: R, shared: Sequence[R]) -> pb.Plan:
    """A plan of one root, with the shared relations behind it: the first has the ordinal 1."""

    def named(rel: R, stem: str) -> tuple[R, str]:
        return rel, " ".join(f"{stem}{i}" for i in range(len(rel.types)))

    out = build.plan(named(root, "c"), *(named(s, "s") for s in shared))
    for entry in out.relations[1:]:
        rel = pb.Rel()
        rel.CopyFrom(entry.root.input)
        entry.rel.CopyFrom(rel)
    return out
