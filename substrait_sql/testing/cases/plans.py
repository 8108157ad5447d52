"""Cases as Substrait plans."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import substrait.proto as pb

from substrait_sql.dialect.files import official
from substrait_sql.schema import types as ty
from substrait_sql.testing.cases import values
from substrait_sql.testing.cases.read import (
    Case,
    Column,
    Enum,
    Function,
    Lambda,
    Literal,
    Parameter,
)
from substrait_sql.testing.cases.rows import Anchors, Expr, Rows, field_of, plan, union
from substrait_sql.testing.cases.types import (
    is_nullable,
    literal,
    nullable,
    short_name,
    type_of,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

# The format has no ORDER BY: other functions see the rows in the order they are written in.
_BY_VALUE = frozenset({"rank", "dense_rank", "percent_rank", "cume_dist"})


@dataclass
class _Arguments:
    """Lowers arguments. columns: where literals go to, with their types; None to leave them where they are.

    most: how many literals go there.
    """

    anchors: Anchors
    urns: tuple[str, ...]
    columns: list[tuple[pb.Expression.Literal, pb.Type]] | None = None
    table: Sequence[pb.Type] = ()
    most: int = 1000
    parameters: list[dict[str, tuple[int, pb.Type]]] = field(default_factory=list)

    def expr(self, node: Any) -> Expr:
        match node:
            case Literal():
                t = type_of(node.type)
                made = literal(values.value(node.raw, t), t)
                t = nullable(t) if made.HasField("null") else t
                if self.columns is None or self.parameters or not self.most:
                    return Expr(pb.Expression(literal=made), t)
                self.most -= 1
                self.columns.append((made, t))
                return field_of(len(self.columns) - 1, t)
            case Column():
                return field_of(node.index, self.table[node.index])
            case Parameter():
                return self._parameter(node.name)
            case Function():
                return self._call(node)
            case Lambda():
                return self._lambda(node)
        raise TypeError(node)

    def argument(self, node: Any) -> tuple[pb.FunctionArgument, pb.Type | None]:
        if isinstance(node, Enum):
            return pb.FunctionArgument(enum=node.value), None
        made = self.expr(node)
        return pb.FunctionArgument(value=made.message), made.type

    def arguments(self, nodes: Sequence[Any]) -> tuple[list[pb.FunctionArgument], list[Any]]:
        pairs = [self.argument(n) for n in nodes]
        return [a for a, _ in pairs], [t for _, t in pairs]

    def _call(self, node: Function, kind: str = "scalar") -> Expr:
        arguments, types = self.arguments(node.args)
        anchor, out = declare(self.anchors, self.urns, kind, node.name, types)
        call = pb.Expression.ScalarFunction(
            function_reference=anchor, arguments=arguments, output_type=out
        )
        return Expr(pb.Expression(scalar_function=call), out or pb.Type())

    def _lambda(self, node: Lambda) -> Expr:
        t = type_of(node.type)
        inputs = list(t.func.parameter_types)
        self.parameters.append({n: (i, inputs[i]) for i, n in enumerate(node.parameters)})
        body = self.expr(node.body)
        self.parameters.pop()
        out = pb.Expression()
        getattr(out, "lambda").parameters.types.extend(inputs)
        getattr(out, "lambda").parameters.nullability = pb.Type.NULLABILITY_REQUIRED
        getattr(out, "lambda").body.CopyFrom(body.message)
        return Expr(out, t)

    def _parameter(self, name: str) -> Expr:
        for steps, scope in enumerate(reversed(self.parameters)):
            if name in scope:
                index, t = scope[name]
                out = pb.Expression()
                out.selection.direct_reference.struct_field.field = index
                out.selection.lambda_parameter_reference.steps_out = steps
                return Expr(out, t)
        raise KeyError(name)


def declare(
    anchors: Anchors, urns: tuple[str, ...], kind: str, name: str, types: Sequence[Any]
) -> tuple[int, pb.Type | None]:
    """The anchor of the overload that takes these arguments, and its result type; None where that is not known.

    Names are looked up in the included extension and then in the others, in order.
    """
    shorts = ["req" if t is None else short_name(t) for t in types]
    found = None
    for urn in urns:
        for signature, impl in official.impls(_stem(urn), kind, name):
            if fits(signature, impl, shorts):
                found = found or (urn, signature)
    urn, signature = found or (urns[0], "_".join(shorts))
    own = [_own(t) for t in types if t is not None]
    out = official.returns(_stem(urn), kind, name, signature, own) if found else None
    return anchors.of(urn, f"{name}:{signature}"), theirs(out)


def fits(signature: str, impl: Any, shorts: Sequence[str]) -> bool:
    """Whether an overload takes arguments of these short types."""
    parts = signature.split("_") if signature else []
    if "variadic" in impl and parts:
        parts = parts + parts[-1:] * (len(shorts) - len(parts))
    return len(parts) == len(shorts) and all(
        p == s or (p == "any" and s != "req") for p, s in zip(parts, shorts, strict=True)
    )


def _stem(urn: str) -> str:
    return urn.removeprefix("extension:io.substrait:")


def _own(t: pb.Type) -> Any:
    return type(ty.boolean()).FromString(t.SerializeToString())


def theirs(t: Any) -> pb.Type | None:
    """A type of the package's as one of the bindings."""
    if t is not None and ty.kind(t) == "user_defined":
        return nullable(type_of(f"u!{t.user_defined.sql_name}"), ty.nullable(t))
    return pb.Type.FromString(t.SerializeToString()) if t is not None else None


def _out(case: Case) -> pb.Type | None:
    """The type that a case says its result has."""
    match case.expected:
        case Literal():
            t = type_of(case.expected.type)
            return nullable(t) if str(case.expected.raw).lower() == "null" else t
        case (Literal() as first, *_):
            return type_of(first.type)
    return None


def _options(case: Case) -> list[pb.FunctionOption]:
    return [pb.FunctionOption(name=n, preference=[v]) for n, v in case.options]


def _table(types: Sequence[pb.Type], rows: Sequence[Sequence[pb.Expression.Literal]]) -> Rows:
    out = pb.Rel()
    schema = out.read.base_schema
    schema.names.extend(f"c{i}" for i in range(len(types)))
    schema.struct.types.extend(types)
    schema.struct.nullability = pb.Type.NULLABILITY_REQUIRED
    out.read.virtual_table.SetInParent()
    for row in rows:
        cells = (pb.Expression(literal=cell) for cell in row)
        out.read.virtual_table.expressions.add().fields.extend(cells)
    return Rows(out, list(types))


def scalar(cases: Sequence[Case], form: str) -> pb.Plan:
    """One plan of some cases, a column of the result for each.

    form: whether the arguments are columns of a table, all of them or the first of each case, or stay literals. The
    table has two rows, both the same: one would not be a table in SQL.
    """
    columns = form != "literal"
    anchors = Anchors()
    cells: list[tuple[pb.Expression.Literal, pb.Type]] = []
    made: list[Expr] = []
    for case in cases:
        most = 1 if form == "first column" else 1000
        at = _Arguments(anchors, case.urns, cells if columns else None, most=most)
        call = at.expr(case.call)
        function = call.message.scalar_function
        function.options.extend(_options(case))
        out = _out(case)
        if out is not None:
            function.output_type.CopyFrom(out)
        made.append(Expr(call.message, out or call.type))
    row = [literal for literal, _ in cells]
    source = _table([t for _, t in cells], [row, row] if columns and row else [[]])
    width = len(cells) if columns and row else 0
    emitted = range(width, width + len(made))
    return plan(source.project(made, emitted), anchors, cases)


def _rows(case: Case) -> tuple[list[pb.Type], list[list[pb.Expression.Literal]]]:
    """The case's table; a column with a NULL in it is nullable, whatever the case says."""
    assert case.table is not None
    types = [type_of(t) for t in case.table.types]
    cells = [[values.value(v, t) for v, t in zip(r, types, strict=True)] for r in case.table.rows]
    types = [
        nullable(t, is_nullable(t) or any(row[i] is None for row in cells))
        for i, t in enumerate(types)
    ]
    return types, [[literal(v, t) for v, t in zip(row, types, strict=True)] for row in cells]


def together(cases: Sequence[Case], form: str) -> pb.Plan:
    """One plan of some aggregate or window calls with results of one type.

    Its columns: the value, the place of its row, and which case it is of.
    """
    anchors = Anchors()
    rels = [_MAKERS[form](case, anchors) for case in cases]
    place = type_of("i32")
    if len(rels) == 1:
        return plan(rels[0], anchors, cases)
    numbered = [
        rel.project([Expr(pb.Expression(literal=literal(i, place)), place)])
        for i, rel in enumerate(rels)
    ]
    return plan(union(numbered), anchors, cases)


def result_type(case: Case) -> str:
    """The type of the result as text, the same for those that differ by nullability only."""
    t = _out(case)
    return str(nullable(t)) if t is not None else ""


def _aggregate(case: Case, anchors: Anchors) -> Rows:
    """The call as the one measure of an aggregation of the whole table."""
    types, rows = _rows(case)
    source = _table(types, rows)
    arguments, argument_types = _Arguments(anchors, case.urns, table=types).arguments(
        case.call.args
    )
    anchor, out = declare(anchors, case.urns, "aggregate", case.call.name, argument_types)
    function = pb.AggregateFunction(
        function_reference=anchor,
        arguments=arguments,
        options=_options(case),
        output_type=_out(case) or out,
        phase=pb.AGGREGATION_PHASE_INITIAL_TO_RESULT,
        invocation=pb.AggregateFunction.AGGREGATION_INVOCATION_ALL,
    )
    place = Expr(pb.Expression(literal=literal(0, type_of("i32"))), type_of("i32"))
    return source.aggregate(function, _out(case) or out or pb.Type()).project([place])


def _window(case: Case, anchors: Anchors) -> Rows:
    """The call over the rows in the order they are written in; for ranks, in the order of the first column."""
    kind = "window" if case.kind == "window" else "aggregate"
    types, rows = _rows(case)
    place = type_of("i32")
    numbered = [[*row, literal(i, place)] for i, row in enumerate(rows)]
    source = _table([*types, place], numbered)
    arguments, argument_types = _Arguments(anchors, case.urns, table=types).arguments(
        case.call.args
    )
    anchor, out = declare(anchors, case.urns, kind, case.call.name, argument_types)
    function = pb.Expression.WindowFunction(
        function_reference=anchor,
        arguments=arguments,
        options=_options(case),
        output_type=_out(case) or out,
        phase=pb.AGGREGATION_PHASE_INITIAL_TO_RESULT,
        invocation=pb.AggregateFunction.AGGREGATION_INVOCATION_ALL,
        bounds_type=pb.Expression.WindowFunction.BOUNDS_TYPE_ROWS,
    )
    function.lower_bound.unbounded.SetInParent()
    function.upper_bound.unbounded.SetInParent()
    key = 0 if case.call.name in _BY_VALUE else len(types)
    function.sorts.add(
        expr=field_of(key, place).message, direction=pb.SortField.SORT_DIRECTION_ASC_NULLS_FIRST
    )
    made = Expr(pb.Expression(window_function=function), _out(case) or out or pb.Type())
    return source.project([made], [len(types) + 1, len(types)])


_MAKERS = {"aggregate": _aggregate, "window": _window}
