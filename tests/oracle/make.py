"""Plan parts that drawn plans need beyond those of `tests.support.build`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import substrait.proto as pb

from tests.support import build
from tests.support.build import Expr, R

WINDOW_FILE = "arithmetic"


def anchor(file: str, name: str) -> int:
    """The anchor of a function for this process, as `build.call` numbers them."""
    return build.anchor(build.URN + file, name)


def join(
    form: str, kind: str, left: R, right: R, emit: Sequence[int] | None = None
) -> tuple[R, Any]:
    """A join of that form and type, and its message, to fill in conditions."""
    out, node, _ = left._join(form, right, kind, emit)
    return out, node


def key(left: int, right: int, simple: int) -> pb.ComparisonJoinKey:
    out = pb.ComparisonJoinKey()
    for side, index in ((out.left, left), (out.right, right)):
        side.direct_reference.struct_field.field = index
        side.root_reference.SetInParent()
    out.comparison.simple = simple
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
    out, node = rel._wrap("window", [*rel.types, call.output_type], None)
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
