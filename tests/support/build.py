"""A small builder of Substrait plans in today's wire form, for tests.

It keeps the types, so that a plan is fully declared, and leaves everything else as it is said:
no rewriting, no checks.

    people = table("people", "id:i64 name:str? age:i32?")
    adults = people.filter(lambda r: gte(r[2], lit(18, "i32")))
    plan((adults.project(lambda r: [upper(r[1])], emit=[3]), "name"))
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import substrait.proto as pb
from google.protobuf import json_format

from tests.support.plan_types import (
    USER_DEFINED,
    is_nullable,
    literal,
    nullable,
    short_name,
    split_names,
    type_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from google.protobuf.message import Message

URN = "extension:io.substrait:functions_"
ASC_FIRST = pb.SortField.SORT_DIRECTION_ASC_NULLS_FIRST
ASC = pb.SortField.SORT_DIRECTION_ASC_NULLS_LAST
DESC_FIRST = pb.SortField.SORT_DIRECTION_DESC_NULLS_FIRST
DESC = pb.SortField.SORT_DIRECTION_DESC_NULLS_LAST
CLUSTERED = pb.SortField.SORT_DIRECTION_CLUSTERED

# (urn, compound name) -> anchor, for this process; plan() numbers them anew from 1 in the order
# they occur.
_anchors: dict[tuple[str, str], int] = {}


def anchor(urn: str, name: str) -> int:
    """The anchor of the function ``name`` (a compound signature) of an extension."""
    return _anchors.setdefault((urn, name), len(_anchors) + 1)


# --- expressions ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Expr:
    """An expression and its type."""

    message: pb.Expression
    type: pb.Type


class Row:
    """What an expression sees: the columns of its relation's input."""

    def __init__(self, types: Sequence[pb.Type]) -> None:
        self.types = list(types)

    def __getitem__(self, index: int) -> Expr:
        out = pb.Expression()
        out.selection.direct_reference.struct_field.field = index
        out.selection.root_reference.SetInParent()
        return Expr(out, self.types[index])

    def outer(self, index: int, steps: int = 1) -> Expr:
        """Return this row's column as seen from a subquery ``steps`` boundaries further in."""
        out = pb.Expression()
        out.selection.direct_reference.struct_field.field = index
        out.selection.outer_reference.steps_out = steps
        return Expr(out, self.types[index])

    def by_anchor(self, index: int, anchor: int) -> Expr:
        """Return this row's column as seen from a subquery, by the anchor of the relation it is a row of."""
        out = pb.Expression()
        out.selection.direct_reference.struct_field.field = index
        out.selection.outer_reference.rel_reference = anchor
        return Expr(out, self.types[index])


def lit(value: Any, type_: str) -> Expr:
    t = type_of(type_)
    if value is None:
        t = nullable(t)
    return Expr(pb.Expression(literal=literal(value, t)), t)


def call(file: str, name: str, out: pb.Type | str, *args: Expr, **options: str) -> Expr:
    """Call the scalar function ``name`` (a compound signature) of the extension file
    ``functions_<file>``, or of the one with that URN."""
    t = type_of(out) if isinstance(out, str) else out
    function = pb.Expression.ScalarFunction(
        function_reference=anchor(file if ":" in file else URN + file, name),
        arguments=[pb.FunctionArgument(value=a.message) for a in args],
        options=[pb.FunctionOption(name=k, preference=[v]) for k, v in options.items()],
        output_type=t,
    )
    return Expr(pb.Expression(scalar_function=function), t)


def _mirror(args: Sequence[Expr], base: str | pb.Type) -> pb.Type:
    t = type_of(base) if isinstance(base, str) else base
    return nullable(t, any(is_nullable(a.type) for a in args))


def _comparison(name: str) -> Callable[[Expr, Expr], Expr]:
    return lambda a, b: call("comparison", name + ":any_any", _mirror([a, b], "bool"), a, b)


eq, ne = _comparison("equal"), _comparison("not_equal")
lt, lte, gt, gte = map(_comparison, ("lt", "lte", "gt", "gte"))


def is_same(a: Expr, b: Expr) -> Expr:
    return call("comparison", "is_not_distinct_from:any_any", "bool", a, b)


def is_null(a: Expr) -> Expr:
    return call("comparison", "is_null:any", "bool", a)


def is_not_null(a: Expr) -> Expr:
    return call("comparison", "is_not_null:any", "bool", a)


def and_(*args: Expr) -> Expr:
    return call("boolean", "and:bool", _mirror(args, "bool"), *args)


def or_(*args: Expr) -> Expr:
    return call("boolean", "or:bool", _mirror(args, "bool"), *args)


def not_(a: Expr) -> Expr:
    return call("boolean", "not:bool", a.type, a)


def coalesce(*args: Expr) -> Expr:
    required = any(not is_nullable(a.type) for a in args)
    return call("comparison", "coalesce:any", nullable(args[0].type, not required), *args)


def _arithmetic(name: str) -> Callable[[Expr, Expr], Expr]:
    def make(a: Expr, b: Expr) -> Expr:
        signature = f"{name}:{short_name(a.type)}_{short_name(b.type)}"
        return call("arithmetic", signature, _mirror([a, b], a.type), a, b)

    return make


add, subtract, multiply, divide = map(_arithmetic, ("add", "subtract", "multiply", "divide"))


def upper(a: Expr) -> Expr:
    return call("string", "upper:str", a.type, a)


def like(a: Expr, pattern: str) -> Expr:
    return call("string", "like:str_str", _mirror([a], "bool"), a, lit(pattern, "str"))


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
    return Expr(out, _mirror([*results, otherwise], otherwise.type))


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
    return Expr(out, _mirror([*(r for _, r in arms), otherwise], otherwise.type))


def one_of(value: Expr, *options: Expr) -> Expr:
    out = pb.Expression()
    out.singular_or_list.value.CopyFrom(value.message)
    out.singular_or_list.options.extend(o.message for o in options)
    return Expr(out, _mirror([value, *options], "bool"))


def record_one_of(value: Sequence[Expr], *options: Sequence[Expr]) -> Expr:
    out = pb.Expression()
    out.multi_or_list.value.extend(v.message for v in value)
    for option in options:
        out.multi_or_list.options.add().fields.extend(o.message for o in option)
    return Expr(out, _mirror([*value, *(o for option in options for o in option)], "bool"))


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


# --- measures -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Measure:
    """An aggregate call, its result type, and the condition of its FILTER clause."""

    function: pb.AggregateFunction
    type: pb.Type
    filter: pb.Expression | None = None

    def where(self, condition: Expr) -> Measure:
        return Measure(self.function, self.type, condition.message)


def aggregate_call(
    file: str, name: str, out: str | pb.Type, *args: Expr, distinct: bool = False, **options: str
) -> Measure:
    t = type_of(out) if isinstance(out, str) else out
    kind = "DISTINCT" if distinct else "ALL"
    function = pb.AggregateFunction(
        function_reference=anchor(URN + file, name),
        arguments=[pb.FunctionArgument(value=a.message) for a in args],
        options=[pb.FunctionOption(name=k, preference=[v]) for k, v in options.items()],
        output_type=t,
        phase=pb.AGGREGATION_PHASE_INITIAL_TO_RESULT,
        invocation=pb.AggregateFunction.AggregationInvocation.Value(
            "AGGREGATION_INVOCATION_" + kind
        ),
    )
    return Measure(function, t)


def count(*args: Expr, distinct: bool = False) -> Measure:
    name = "count:any" if args else "count:"
    return aggregate_call("aggregate_generic", name, "i64", *args, distinct=distinct)


def sum_(a: Expr, distinct: bool = False) -> Measure:
    """Sum: integers give i64?, floats fp64?, decimals keep their scale with 38 digits."""
    kind = short_name(a.type)
    if kind == "dec":
        out = f"dec<38,{a.type.decimal.scale}>?"
        return aggregate_call("arithmetic_decimal", "sum:dec", out, a, distinct=distinct)
    out = "fp64?" if kind.startswith("fp") else "i64?"
    return aggregate_call("arithmetic", "sum:" + kind, out, a, distinct=distinct)


def extreme(name: str, a: Expr) -> Measure:
    """``min`` or ``max``."""
    kind = short_name(a.type)
    file = {"dec": "arithmetic_decimal", "date": "datetime", "str": "string"}.get(
        kind, "arithmetic"
    )
    return aggregate_call(file, f"{name}:{kind}", nullable(a.type), a)


# --- relations ------------------------------------------------------------------------------------


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


def _common(message: Message, emit: Sequence[int] | None) -> None:
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
        _common(inner, emit)
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


def _schema(text: str) -> tuple[list[str], list[pb.Type]]:
    pairs = [column.rsplit(":", 1) for column in text.split()]
    names = [n for column, _ in pairs for n in split_names(column)[0]]
    return names, [type_of(t) for _, t in pairs]


def _read(
    columns: str,
    filter: Callable[[Row], Expr] | None,
    mask: Sequence[int | tuple[int, Any]] | None,
    emit: Sequence[int] | None,
    out_types: str = "",
) -> tuple[R, Any]:
    names, types = _schema(columns)
    out = pb.Rel()
    rel = out.read
    rel.base_schema.names.extend(names)
    rel.base_schema.struct.types.extend(types)
    rel.base_schema.struct.nullability = pb.Type.NULLABILITY_REQUIRED
    if filter is not None:
        rel.filter.CopyFrom(filter(Row(types)).message)
    if mask is not None:
        rel.projection.select.SetInParent()
        for index in mask:
            if isinstance(index, int):
                rel.projection.select.struct_items.add().field = index
            else:
                at, child = index
                rel.projection.select.struct_items.add(field=at, child=child)
        types = [types[i] if isinstance(i, int) else types[i[0]] for i in mask]
    if out_types:
        types = [type_of(t) for t in out_types.split()]
    _common(rel, emit)
    return R(out, types if emit is None else [types[i] for i in emit]), rel


def table(
    name: str,
    columns: str,
    filter: Callable[[Row], Expr] | None = None,
    mask: Sequence[int | tuple[int, Any]] | None = None,
    emit: Sequence[int] | None = None,
    best_effort: Callable[[Row], Expr] | None = None,
    out_types: str = "",
) -> R:
    """Read a named table; dots in the name separate its parts.

    A mask lists ordinals, or an ordinal with the mask of what is inside (`mask_struct` and the like); then out_types
    says what comes out.
    """
    out, rel = _read(columns, filter, mask, emit, out_types)
    if best_effort is not None:
        rel.best_effort_filter.CopyFrom(best_effort(Row(_schema(columns)[1])).message)
    rel.named_table.names.extend(name.split("."))
    return out


def files(
    columns: str,
    *items: Mapping[str, Any],
    filter: Callable[[Row], Expr] | None = None,
    mask: Sequence[int] | None = None,
) -> R:
    """Read files. An item holds the fields of `FileOrFiles`; a message is a mapping, too, an empty one if need be."""
    out, rel = _read(columns, filter, mask, None)
    rel.local_files.SetInParent()
    for item in items:
        made = rel.local_files.items.add()
        for name, value in item.items():
            if isinstance(value, dict):
                getattr(made, name).SetInParent()
                for option, setting in value.items():
                    setattr(getattr(made, name), option, setting)
            else:
                setattr(made, name, value)
    return out


def virtual(
    columns: str,
    *rows: tuple[Any, ...],
    filter: Callable[[Row], Expr] | None = None,
    mask: Sequence[int] | None = None,
    emit: Sequence[int] | None = None,
) -> R:
    """Read rows that are written in the plan; a cell is a Python value or an `Expr`."""
    _, types = _schema(columns)
    out, rel = _read(columns, filter, mask, emit)
    rel.virtual_table.SetInParent()
    for row in rows:
        made = rel.virtual_table.expressions.add()
        for value, t in zip(row, types, strict=True):
            cell = (
                value
                if isinstance(value, Expr)
                else Expr(pb.Expression(literal=literal(value, t)), t)
            )
            made.fields.append(cell.message)
    return out


Select = pb.Expression.MaskExpression.Select


def mask_struct(*fields: int | tuple[int, Any]) -> Select:
    out = Select()
    out.struct.SetInParent()
    for f in fields:
        at, child = (f, None) if isinstance(f, int) else f
        out.struct.struct_items.add(field=at, child=child)
    return out


def mask_list(*items: int | slice, child: Select | None = None) -> Select:
    out = Select()
    out.list.SetInParent()
    for item in items:
        made = out.list.selection.add()
        if isinstance(item, int):
            made.item.field = item
        else:
            made.slice.start, made.slice.end = item.start or 0, item.stop
    if child is not None:
        out.list.child.CopyFrom(child)
    return out


def mask_map(key: str | None = None, child: Select | None = None) -> Select:
    out = Select()
    out.map.SetInParent()
    if key is not None:
        out.map.key.map_key = key
    if child is not None:
        out.map.child.CopyFrom(child)
    return out


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
    _common(out.set, emit)
    return R(out, types if emit is None else [types[i] for i in emit])


# --- plans ----------------------------------------------------------------------------------------


_REFERENCES = (
    "function_reference",
    "custom_function_reference",
    "comparison_function_reference",
)
_USER_DEFINED = ("substrait.Type.UserDefined", "substrait.Expression.Literal.UserDefined")


def _messages(root: Message) -> Iterator[Any]:
    """Yield every message, in the order of the text; a stack, as plans may be deep."""
    stack = [root]
    while stack:
        message = stack.pop()
        yield message
        children: list[Message] = []
        for descriptor, value in message.ListFields():
            if descriptor.message_type is not None:
                children.extend([value] if hasattr(value, "ListFields") else value)
        stack.extend(reversed(children))


def _declare_types(out: pb.Plan, anchors: set[int], urns: dict[str, int]) -> None:
    """Declare the user-defined types that the plan uses."""
    for name, anchor in USER_DEFINED.items():
        if anchor in anchors:
            file = "functions_geometry" if name == "geometry" else "unsigned_integers"
            urn = "extension:io.substrait:" + file
            if urn not in urns:
                urns[urn] = len(urns) + 1
                out.extension_urns.add(extension_urn_anchor=urns[urn], urn=urn)
            declared = out.extensions.add().extension_type
            declared.extension_urn_reference = urns[urn]
            declared.type_anchor, declared.name = anchor, name


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


def by_anchor(number: int, index: int, type_: pb.Type) -> Expr:
    """Refer to a field of the record of the relation with that anchor."""
    made = pb.Expression()
    made.selection.direct_reference.struct_field.field = index
    made.selection.outer_reference.rel_reference = number
    return Expr(made, type_)


def lateral_join(
    left: R, right: R, kind: str, on: Callable[[Row], Expr] | None = None, *, anchor: int
) -> R:
    """Join each left row with what the right side, which refers to it by the anchor, makes of it."""
    out, rel, _ = left._join("lateral_join", right, kind, None)
    rel.common.rel_anchor = anchor
    condition = on(Row(left.types + right.types)) if on else lit(True, "bool")
    rel.expression.CopyFrom(condition.message)
    return out


# The draft's fields, which the classes do not know: what stands for bindings until the JSON is written.
_BINDINGS = "(bindings)"


def bound_reference(
    ordinal: int, rel: R, *bindings: Expr, computed: tuple[int, int] | None = None
) -> R:
    """Read a shared relation that takes parameters. computed: (f, m) to bind ``f * parameter + m`` instead.

    The classes have no field for bindings: they stand in a projection's place until `declares` has the JSON.
    """
    holder = pb.Rel()
    holder.project.input.reference.subtree_ordinal = ordinal
    for each in bindings:
        if computed is not None:
            factor, more = (lit(n, "i64") for n in computed)
            value = struct_of(add(multiply(each, factor), more))
            holder.project.expressions.append(part(value, 0, out="i64").message)
        else:
            holder.project.expressions.append(each.message)
    holder.project.common.emit.SetInParent()
    holder.project.common.hint.alias = _BINDINGS
    return R(holder, rel.types)


def declares(
    declarations: dict[int, list[tuple[int, int, str]]],
) -> Callable[[dict[str, Any]], None]:
    """Write parameters into a plan's JSON. declarations: of each subtree its (field, steps out, type)."""

    def edit(tree: dict[str, Any]) -> None:
        for ordinal, taken in declarations.items():
            tree["relations"][ordinal]["outerReferenceDeclarations"] = [
                {
                    "outerReference": {
                        "directReference": {"structField": {"field": field} if field else {}},
                        "outerReference": {"stepsOut": steps},
                    },
                    "type": json_format.MessageToDict(type_of(kind)),
                }
                for field, steps, kind in taken
            ]
        _bind(tree)

    return edit


def _bind(node: Any) -> None:
    if isinstance(node, list):
        for each in node:
            _bind(each)
    if not isinstance(node, dict):
        return
    project = node.get("project", {})
    if project.get("common", {}).get("hint", {}).get("alias") == _BINDINGS:
        reference_ = project["input"]["reference"]
        reference_["outerReferenceBindings"] = [
            e["selection"] for e in project.get("expressions", [])
        ]
        del node["project"]
        node["reference"] = reference_
    for each in node.values():
        _bind(each)


def plan(*roots: tuple[R, str] | R) -> pb.Plan:
    """Make a plan of roots, each a relation with its column names in one string.

    A relation alone is no result, but one that others refer to.
    """
    out = pb.Plan()
    out.version.minor_number = 106
    out.version.producer = "hand-written"
    for root in roots:
        made = out.relations.add()
        if isinstance(root, R):
            made.rel.CopyFrom(root.message)
            continue
        relation, names = root
        made.root.input.CopyFrom(relation.message)
        made.root.names.extend(n for column in split_names(names) for n in column)
    known = {number: key for key, number in _anchors.items()}
    numbers: dict[int, int] = {}
    urns: dict[str, int] = {}
    types: set[int] = set()
    for user in _messages(out):
        if user.DESCRIPTOR.full_name in _USER_DEFINED:
            types.add(user.type_reference)
        field = next((f for f, _ in user.ListFields() if f.name in _REFERENCES), None)
        if field is None:
            continue
        old = getattr(user, field.name)
        if old not in numbers:
            numbers[old] = len(numbers) + 1
            urn, name = known[old]
            if urn not in urns:
                urns[urn] = len(urns) + 1
                out.extension_urns.add(extension_urn_anchor=urns[urn], urn=urn)
            out.extensions.add().extension_function.MergeFrom(
                pb.SimpleExtensionDeclaration.ExtensionFunction(
                    extension_urn_reference=urns[urn], function_anchor=numbers[old], name=name
                )
            )
        setattr(user, field.name, numbers[old])
    _declare_types(out, types, urns)
    return out
