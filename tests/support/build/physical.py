"""More of the builder: grouping sets, ordered measures, windows, top-N, expand, exchange."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import substrait.proto as pb

from tests.support.build import (
    URN,
    Expr,
    Measure,
    R,
    Row,
    anchor,
    lit,
    sort_field,
)
from tests.support.plan_types import is_nullable, nullable, type_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

ROWS = pb.Expression.WindowFunction.BOUNDS_TYPE_ROWS
RANGE = pb.Expression.WindowFunction.BOUNDS_TYPE_RANGE


def grouping_sets(
    rel: R,
    keys: Callable[[Row], list[Expr]],
    sets: Sequence[Sequence[int]],
    measures: Callable[[Row], list[Measure]] | None = None,
    emit: Sequence[int] | None = None,
) -> R:
    """Aggregate by sets of keys: keys ++ measures ++ the ordinal of the set, if there are several."""
    ks = keys(rel.row)
    ms = measures(rel.row) if measures else []
    types = [
        nullable(k.type) if any(i not in s for s in sets) else k.type for i, k in enumerate(ks)
    ]
    types += [m.type for m in ms] + ([type_of("i32")] if len(sets) > 1 else [])
    out, inner = rel._wrap("aggregate", types, emit)
    inner.grouping_expressions.extend(k.message for k in ks)
    for s in sets:
        inner.groupings.append(pb.AggregateRel.Grouping(expression_references=s))
    for m in ms:
        inner.measures.append(pb.AggregateRel.Measure(measure=m.function, filter=m.filter))
    return out


def sorted_(measure: Measure, *keys: tuple[Expr, Any]) -> Measure:
    """The measure over its rows in this order."""
    for key, direction in keys:
        measure.function.sorts.append(sort_field(key, direction))
    return measure


def in_phase(measure: Measure, phase: str) -> Measure:
    measure.function.phase = pb.AggregationPhase.Value("AGGREGATION_PHASE_" + phase)
    return measure


Bound = int | tuple[str, Expr] | str | None


def _set_bound(message: Any, value: Bound) -> None:
    """A number of rows, positive for following ones; 0 or "current" is the current row; None leaves it unset.

    ("preceding", expression) and ("following", expression) are offsets that may change from row to row.
    """
    if value is None:
        return
    if value == "unbounded":
        message.unbounded.SetInParent()
    elif isinstance(value, tuple):
        kind, offset = value
        getattr(message, kind).offset_expr.CopyFrom(offset.message)
    elif value in ("current", 0):
        message.current_row.SetInParent()
    else:
        assert isinstance(value, int)
        part = message.following if value > 0 else message.preceding
        part.offset = abs(value)


def _fill(
    message: Any,
    file: str,
    name: str,
    out: str | pb.Type,
    args: Sequence[Expr],
    options: dict[str, Any],
) -> pb.Type:
    t = type_of(out) if isinstance(out, str) else out
    message.function_reference = anchor(URN + file, name)
    message.arguments.extend(pb.FunctionArgument(value=a.message) for a in args)
    message.output_type.CopyFrom(t)
    message.phase = pb.AGGREGATION_PHASE_INITIAL_TO_RESULT
    kind = "DISTINCT" if options.get("distinct") else "ALL"
    message.invocation = pb.AggregateFunction.AggregationInvocation.Value(
        "AGGREGATION_INVOCATION_" + kind
    )
    _set_bound(message.lower_bound, options.get("lower"))
    _set_bound(message.upper_bound, options.get("upper"))
    if options.get("lower") is None:
        message.ClearField("lower_bound")
    if options.get("upper") is None:
        message.ClearField("upper_bound")
    message.bounds_type = options.get("bounds", 0)
    return t


def over(
    file: str,
    name: str,
    out: str | pb.Type,
    *args: Expr,
    by: Sequence[Expr] = (),
    order: Sequence[tuple[Expr, Any]] = (),
    **options: Any,
) -> Expr:
    """A window function as an expression. options: lower, upper, bounds, distinct."""
    made = pb.Expression()
    function = made.window_function
    t = _fill(function, file, name, out, args, options)
    function.partitions.extend(p.message for p in by)
    for key, direction in order:
        function.sorts.append(sort_field(key, direction))
    return Expr(made, t)


def row_number(*order: tuple[Expr, Any], by: Sequence[Expr] = ()) -> Expr:
    return over("arithmetic", "row_number:", "i64?", by=by, order=order)


def sum_over(x: Expr, *order: tuple[Expr, Any], by: Sequence[Expr] = (), **options: Any) -> Expr:
    return over("arithmetic", "sum:i64", "i64?", x, by=by, order=order, **options)


def count_over(x: Expr, *order: tuple[Expr, Any], by: Sequence[Expr] = (), **options: Any) -> Expr:
    return over("aggregate_generic", "count:any", "i64", x, by=by, order=order, **options)


def window(
    rel: R,
    functions: Callable[[Row], list[tuple[Any, ...]]],
    by: Callable[[Row], list[Expr]],
    order: Callable[[Row], list[tuple[Expr, Any]]],
    emit: Sequence[int] | None = None,
) -> R:
    """Functions over one window. Each is (file, name, type, arguments, options)."""
    calls = functions(rel.row)
    types = [type_of(c[2]) if isinstance(c[2], str) else c[2] for c in calls]
    out, inner = rel._wrap("window", rel.types + types, emit)
    for file, name, t, args, options in calls:
        _fill(inner.window_functions.add(), file, name, t, args, options)
    inner.partition_expressions.extend(p.message for p in by(rel.row))
    for key, direction in order(rel.row):
        inner.sorts.append(sort_field(key, direction))
    return out


def top_n(
    rel: R,
    keys: Callable[[Row], list[tuple[Expr, Any]]],
    count: int | Expr | None,
    offset: int | Expr | None = None,
    ties: bool = False,
    emit: Sequence[int] | None = None,
) -> R:
    out, inner = rel._wrap("top_n", rel.types, emit)
    for key, direction in keys(rel.row):
        inner.sorts.append(sort_field(key, direction))
    for name, value in (("count", count), ("offset", offset)):
        if value is not None:
            expression = lit(value, "i64") if isinstance(value, int) else value
            getattr(inner, name).CopyFrom(expression.message)
    inner.mode = pb.FetchMode.Value("FETCH_MODE_" + ("WITH_TIES" if ties else "ROWS_ONLY"))
    return out


def expand(
    rel: R, fields: Callable[[Row], list[Expr | list[Expr]]], emit: Sequence[int] | None = None
) -> R:
    """A column per field, the rest of the input, the number of the copy. A list switches."""
    made = fields(rel.row)
    copies = max((len(f) for f in made if isinstance(f, list)), default=1)
    types = []
    for f in made:
        if isinstance(f, list):
            may = len(f) < copies or any(is_nullable(e.type) for e in f)
            types.append(nullable(f[0].type, may))
        else:
            types.append(f.type)
    types += [*rel.types[len(made) :], type_of("i32")]
    out, inner = rel._wrap("expand", types, emit)
    for f in made:
        message = inner.fields.add()
        if isinstance(f, list):
            message.switching_field.duplicates.extend(e.message for e in f)
        else:
            message.consistent_field.CopyFrom(f.message)
    return out


def exchange(
    rel: R,
    kind: str,
    partitions: int = 0,
    columns: Sequence[int] = (),
    key: Expr | None = None,
    targets: Sequence[tuple[int, str]] = (),
) -> R:
    """Spread the rows. targets: a partition, and the URI that it is delivered to, if any."""
    out, inner = rel._wrap("exchange", rel.types, None)
    inner.partition_count = partitions
    for partition, uri in targets:
        target = inner.targets.add(partition_id=[partition])
        if uri:
            target.uri = uri
    getattr(inner, kind).SetInParent()
    for column in columns:
        field = inner.scatter_by_fields.fields.add()
        field.direct_reference.struct_field.field = column
        field.root_reference.SetInParent()
    if key is not None:
        getattr(inner, kind).expression.CopyFrom(key.message)
    return out
