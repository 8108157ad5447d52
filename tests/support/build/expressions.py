"""Expressions: functions, subqueries, nested values, references outwards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import substrait.proto as pb

from tests.support.build.base import Expr, call, lit
from tests.support.plan_types import (
    is_nullable,
    nullable,
    short_name,
    type_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tests.support.build.relations import R


def mirror(args: Sequence[Expr], base: str | pb.Type) -> pb.Type:
    t = type_of(base) if isinstance(base, str) else base
    return nullable(t, any(is_nullable(a.type) for a in args))


def _comparison(name: str) -> Callable[[Expr, Expr], Expr]:
    return lambda a, b: call("comparison", name + ":any_any", mirror([a, b], "bool"), a, b)


eq, ne = _comparison("equal"), _comparison("not_equal")
lt, lte, gt, gte = map(_comparison, ("lt", "lte", "gt", "gte"))


def is_same(a: Expr, b: Expr) -> Expr:
    return call("comparison", "is_not_distinct_from:any_any", "bool", a, b)


def is_null(a: Expr) -> Expr:
    return call("comparison", "is_null:any", "bool", a)


def is_not_null(a: Expr) -> Expr:
    return call("comparison", "is_not_null:any", "bool", a)


def and_(*args: Expr) -> Expr:
    return call("boolean", "and:bool", mirror(args, "bool"), *args)


def or_(*args: Expr) -> Expr:
    return call("boolean", "or:bool", mirror(args, "bool"), *args)


def not_(a: Expr) -> Expr:
    return call("boolean", "not:bool", a.type, a)


def coalesce(*args: Expr) -> Expr:
    required = any(not is_nullable(a.type) for a in args)
    return call("comparison", "coalesce:any", nullable(args[0].type, not required), *args)


def _arithmetic(name: str) -> Callable[[Expr, Expr], Expr]:
    def make(a: Expr, b: Expr) -> Expr:
        signature = f"{name}:{short_name(a.type)}_{short_name(b.type)}"
        return call("arithmetic", signature, mirror([a, b], a.type), a, b)

    return make


add, subtract, multiply, divide = map(_arithmetic, ("add", "subtract", "multiply", "divide"))


def upper(a: Expr) -> Expr:
    return call("string", "upper:str", a.type, a)


def like(a: Expr, pattern: str) -> Expr:
    return call("string", "like:str_str", mirror([a], "bool"), a, lit(pattern, "str"))


def if_then(*pairs: tuple[Expr, Expr], otherwise: Expr | None = None) -> Expr:
    out = pb.Expression()
    for condition, result in pairs:
        out.if_then.ifs.append(
            pb.Expression.IfThen.IfClause(**{"if": condition.message, "then": result.message})
        )
    results = [r for _, r in pairs]
    if otherwise is None:
        return Expr(out, nullable(results[0].type))
    getattr(out.if_then, "else").CopyFrom(otherwise.message)
    return Expr(out, mirror([*results, otherwise], otherwise.type))


def switch(match: Expr, *arms: tuple[Expr, Expr], otherwise: Expr) -> Expr:
    out = pb.Expression()
    out.switch_expression.match.CopyFrom(match.message)
    for value, result in arms:
        out.switch_expression.ifs.append(
            pb.Expression.SwitchExpression.IfValue(
                **{"if": value.message.literal, "then": result.message}
            )
        )
    getattr(out.switch_expression, "else").CopyFrom(otherwise.message)
    return Expr(out, mirror([*(r for _, r in arms), otherwise], otherwise.type))


def one_of(value: Expr, *options: Expr) -> Expr:
    out = pb.Expression()
    out.singular_or_list.value.CopyFrom(value.message)
    out.singular_or_list.options.extend(o.message for o in options)
    return Expr(out, mirror([value, *options], "bool"))


def record_one_of(value: Sequence[Expr], *options: Sequence[Expr]) -> Expr:
    out = pb.Expression()
    out.multi_or_list.value.extend(v.message for v in value)
    for option in options:
        out.multi_or_list.options.add().fields.extend(o.message for o in option)
    return Expr(out, mirror([*value, *(o for option in options for o in option)], "bool"))


def parameter(anchor: int, type_: str) -> Expr:
    out = pb.Expression()
    out.dynamic_parameter.parameter_reference = anchor
    out.dynamic_parameter.type.CopyFrom(type_of(type_))
    return Expr(out, type_of(type_))


def variable(kind: str, precision: int = 6) -> Expr:
    """``current_timestamp``, ``current_date`` or ``current_timezone``."""
    out = pb.Expression()
    type_ = {
        "current_timestamp": f"ptstz<{precision}>",
        "current_date": "date",
        "current_timezone": "str",
    }[kind]
    t = type_of(type_)
    chosen = getattr(out.execution_context_variable, kind)
    chosen.CopyFrom(getattr(t, t.WhichOneof("kind")))
    return Expr(out, t)


def cast(a: Expr, to: str, on_failure: str = "THROW_EXCEPTION") -> Expr:
    t = type_of(to)
    out = pb.Expression()
    out.cast.type.CopyFrom(t)
    out.cast.input.CopyFrom(a.message)
    out.cast.failure_behavior = pb.Expression.Cast.FailureBehavior.Value(
        "FAILURE_BEHAVIOR_" + on_failure
    )
    return Expr(out, t)


def scalar(rel: R) -> Expr:
    out = pb.Expression()
    out.subquery.scalar.input.CopyFrom(rel.message)
    return Expr(out, nullable(rel.types[0]))


def in_(rel: R, *needles: Expr) -> Expr:
    out = pb.Expression()
    out.subquery.in_predicate.needles.extend(n.message for n in needles)
    out.subquery.in_predicate.haystack.CopyFrom(rel.message)
    return Expr(out, type_of("bool?"))


def exists(rel: R, op: str = "EXISTS") -> Expr:
    out = pb.Expression()
    predicate = out.subquery.set_predicate
    predicate.predicate_op = predicate.PredicateOp.Value("PREDICATE_OP_" + op)
    predicate.tuples.CopyFrom(rel.message)
    return Expr(out, type_of("bool"))


def unique(rel: R) -> Expr:
    return exists(rel, "UNIQUE")


def compare(needle: Expr, comparison: str, reduction: str, rel: R) -> Expr:
    """Return ``needle < ANY (rel)``: comparison is ``LT``, reduction ``ANY`` or ``ALL``."""
    out = pb.Expression()
    found = out.subquery.set_comparison
    found.comparison_op = found.ComparisonOp.Value("COMPARISON_OP_" + comparison)
    found.reduction_op = found.ReductionOp.Value("REDUCTION_OP_" + reduction)
    found.left.CopyFrom(needle.message)
    found.right.CopyFrom(rel.message)
    return Expr(out, type_of("bool?"))


def part(whole: Expr, *steps: Any, out: str) -> Expr:
    """Refer into a value: an int is a struct field, [i] a list element, an `Expr` (a literal) a map key."""
    made = pb.Expression()
    segment = made.selection.direct_reference
    if whole.message.WhichOneof("rex_type") == "selection":
        made.CopyFrom(whole.message)
        segment = made.selection.direct_reference
        first = True
    else:
        made.selection.expression.CopyFrom(whole.message)
        first = False
    for step in steps:
        if first:
            segment = getattr(segment, segment.WhichOneof("reference_type")).child
        first = True
        if isinstance(step, int):
            segment.struct_field.field = step
        elif isinstance(step, list):
            segment.list_element.offset = step[0]
        else:
            segment.map_key.map_key.CopyFrom(step.message.literal)
    return Expr(made, type_of(out))


def struct_of(*fields: Expr) -> Expr:
    out = pb.Expression()
    out.nested.struct.fields.extend(f.message for f in fields)
    made = pb.Type()
    made.struct.types.extend(f.type for f in fields)
    made.struct.nullability = pb.Type.NULLABILITY_REQUIRED
    return Expr(out, made)


def list_of(*values: Expr, out: str) -> Expr:
    made = pb.Expression()
    made.nested.list.values.extend(v.message for v in values)
    return Expr(made, type_of(out))


def map_of(*pairs: tuple[Expr, Expr], out: str) -> Expr:
    made = pb.Expression()
    for key, value in pairs:
        entry = made.nested.map.key_values.add()
        entry.key.CopyFrom(key.message)
        entry.value.CopyFrom(value.message)
    return Expr(made, type_of(out))


def by_anchor(number: int, index: int, type_: pb.Type) -> Expr:
    """Refer to a field of the record of the relation with that anchor."""
    made = pb.Expression()
    made.selection.direct_reference.struct_field.field = index
    made.selection.outer_reference.rel_reference = number
    return Expr(made, type_)
