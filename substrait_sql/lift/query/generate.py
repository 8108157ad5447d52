"""Generators: rows out of one row.

Where the text says how many, a plan repeats each row with other expressions for each copy; rows of the elements of a
value are an extension of ours, see `plan.generators`.
https://substrait.io/relations/physical_relations/#expand-operation
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from substrait_sql.lift import operators
from substrait_sql.lift.dispatch import lift
from substrait_sql.lift.expressions.folded import whole
from substrait_sql.lift.query.source import Source
from substrait_sql.lift.relations import Expand, Filter, Generate, Project, Values
from substrait_sql.lift.scope import Scope, Visible, visible
from substrait_sql.lift.sequences import Dynamic, sequence
from substrait_sql.lift.tree import (
    FALSE,
    AggregateCall,
    Attribute,
    Call,
    Cast,
    Column,
    Expr,
    Generator,
    Literal,
    Relation,
    StructField,
    Subquery,
    WindowCall,
    column,
    holds,
)
from substrait_sql.lift.typing import types as t
from substrait_sql.lift.typing.problems import Misused
from substrait_sql.plan import generators

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.lift.context import Context

Row = tuple[Expr, ...]
_MOST = 10_000
_DYNAMIC = "a plan has no word for these rows"


def lateral_view(node: Any, found: Source, cx: Context) -> Source:
    """LATERAL VIEW [OUTER] function(…) t AS a, b."""
    alias = node.args.get("alias")
    if alias is None or not (alias.name or alias.args.get("columns")):
        raise cx.error("SS5001", "LATERAL VIEW wants a name behind its function", node)
    made = generator(node.this, cx.inside(Scope(found.columns, outer=cx.scope.outer)), node)
    if node.args.get("outer"):
        made = replace(made, outer=True)
    return _beside(made, node, found, cx)


def lateral_function(node: Any, left: Source, on: Any, cx: Context) -> Source:
    """JOIN LATERAL explode(…)."""
    made = generator(
        node.this, cx.inside(Scope([], outer=Scope(left.columns, outer=cx.scope.outer))), node
    )
    out = _beside(made, node, left, cx)
    if on is None:
        return out
    with cx.about(on):
        condition = lift(on, cx.inside(Scope(out.columns, outer=cx.scope.outer)).at("ON"))
        truth = operators.truth(condition, "ON")
    return replace(out, relation=Filter(out.relation.columns, out.relation, truth))


def _beside(made: Generator, node: Any, found: Source, cx: Context) -> Source:
    new = columns_of(made, _names(node))
    relation = expanded(found.relation, made, new, node, cx)
    return Source(relation, [*found.columns, *_named(new, node)])


def _names(node: Any) -> list[str]:
    alias = node.args.get("alias")
    return [c.name for c in alias.args.get("columns") or ()] if alias is not None else []


def _named(new: Sequence[Attribute], node: Any) -> list[Visible]:
    """The columns under the alias of the item, if it has one."""
    alias = node.args.get("alias")
    return visible(new, (alias.name,) if alias is not None and alias.name else ())


def generator(node: Any, cx: Context, at: Any) -> Generator:
    """The generator that a call is. Raises `SqlError`."""
    value = lift(node, cx)
    if not isinstance(value, Generator):
        raise cx.error(
            "SS5003", "a generator is wanted here: explode, posexplode, inline, stack", at
        )
    if holds(value, AggregateCall, WindowCall):
        raise cx.error("SS5003", "a generator takes no aggregate and no window function here", at)
    return value


def columns_of(made: Generator, names: Sequence[str] = ()) -> list[Attribute]:
    """New columns for what a generator makes, under other names if there are any."""
    fields = made.type.fields
    if names and len(names) != len(fields):
        raise Misused(f"{made.name} makes {len(fields)} columns, not {len(names)}")
    return [
        Attribute(n, f.type, True)
        for n, f in zip(names or [f.name for f in fields], fields, strict=True)
    ]


def expanded(
    source: Relation, made: Generator, new: Sequence[Attribute], node: Any, cx: Context
) -> Relation:
    """Each row beside the rows that the generator makes of it. new: the columns of these."""
    columns = (*source.columns, *new)
    if is_dynamic(made, cx):
        return Generate(columns, source, made)
    rows = rows_of(made, node, cx)
    for place, attribute in enumerate(new):
        attribute.nullable = any(r[place].nullable for r in rows)
    kept = tuple(column(c) for c in source.columns)
    if rows and _is_one_row(source) and not holds(made, Column, Subquery):
        return Values(columns, tuple(rows))
    if len(rows) == 1:
        return Project(columns, source, (*kept, *rows[0]))
    if rows:
        return Expand(columns, source, tuple((*kept, *r) for r in rows))
    nothing = tuple(Literal(a.type, True, None) for a in new)
    return Filter(columns, Expand(columns, source, ((*kept, *nothing),)), FALSE)


def _is_one_row(source: Relation) -> bool:
    """Whether these are the rows of a query without FROM."""
    return isinstance(source, Values) and not source.columns


def is_dynamic(made: Generator, cx: Context) -> bool:
    """Whether a value says how many rows there are, which a plan of ours has a word for."""
    if made.name not in generators.NAMES:
        return False
    try:
        _rows(made, cx.zone)
    except Dynamic:
        return True
    return False


def may_make_none(found: Relation) -> bool:
    """Whether a query only generates rows of values, and may make none."""
    while isinstance(found, (Project, Expand, Generate, Filter)):
        if isinstance(found, Generate) and not found.generator.outer:
            return True
        if isinstance(found, Filter):
            return found.condition is FALSE and isinstance(found.source, Expand)
        found = found.source
    return False


def rows_of(made: Generator, node: Any, cx: Context) -> list[Row]:
    """The rows as expressions. Raises `SqlError` SS5007 where their number is only known when the query runs."""
    try:
        rows = _rows(made, cx.zone)
    except Dynamic as problem:
        hint = "a constructor such as array(a, b) says how many rows there are"
        raise cx.error("SS5007", f"{_DYNAMIC}: {problem}", node, hint) from problem
    if len(rows) > _MOST:
        raise cx.error("SS5007", f"{len(rows)} rows: a plan would hold each of them", node)
    if not rows and made.outer:
        rows = [tuple(Literal(f.type, True, None) for f in made.type.fields)]
    return [
        tuple(operators.cast(e, f.type) for e, f in zip(r, made.type.fields, strict=True))
        for r in rows
    ]


def _rows(made: Generator, zone: str) -> list[Row]:
    match made.name:
        case "explode" | "posexplode":
            rows = _elements(made.arguments[0], zone)
            if made.name == "explode":
                return rows
            return [(Literal(t.INT, False, i), *r) for i, r in enumerate(rows)]
        case "inline":
            return [_fields(r[0], made.type) for r in _elements(made.arguments[0], zone)]
        case "stack":
            return _stacked(made)
    raise Dynamic(f"{made.name} reads them from its argument")


def _elements(value: Expr, zone: str) -> list[Row]:
    """The elements of a constructor of arrays, the pairs of one of maps."""
    if isinstance(value, Literal) and value.value is None:
        return []
    if isinstance(value, Cast) and not value.attempt and value.type.kind == "array":
        inner = value.type.element
        return [(_cast(e, inner, value),) for (e,) in _elements(value.value, zone)]
    if isinstance(value, Call) and value.name == "array":
        return [(e,) for e in value.arguments]
    if isinstance(value, Call) and value.name == "map":
        pairs: list[Row] = list(zip(value.arguments[::2], value.arguments[1::2], strict=True))
        keys = [_constant(pair[0]) for pair in pairs]
        if len({kind for kind, _ in keys}) > 1:
            raise Dynamic(_EQUAL_KEYS)
        if len(set(keys)) < len(keys):
            raise Misused("a map has each key once")
        return pairs
    if isinstance(value, Call) and value.name == "sequence":
        return [(e,) for e in sequence(value, zone, _MOST)]
    raise Dynamic(f"{str(value.type).upper()} of another kind than array(…) or map(…)")


def _cast(value: Expr, wanted: t.SparkType, like: Cast) -> Expr:
    if operators.same(value.type, wanted):
        return value
    return Cast(wanted, value.nullable, value, asked=like.asked)


_EQUAL_KEYS = "whether two keys of the map are equal"


def _constant(key: Expr) -> tuple[str, Any]:
    """A key that can be told from others in the text: a map fails where two are equal, or one is NULL."""
    while isinstance(key, Cast) and not key.asked:
        key = key.value
    if not isinstance(key, Literal) or key.value is None or isinstance(key.value, float):
        raise Dynamic(_EQUAL_KEYS)
    return "number" if key.type.kind in t.NUMERIC else key.type.kind, key.value


def _fields(value: Expr, wanted: t.SparkType) -> Row:
    """The fields of a struct as columns; of a NULL, NULLs."""
    if isinstance(value, Literal) and value.value is None:
        return tuple(Literal(f.type, True, None) for f in wanted.fields)
    if isinstance(value, Cast) and not value.attempt and value.value.type.kind == "struct":
        inner = _fields(value.value, value.value.type)
        return tuple(_cast(e, f.type, value) for e, f in zip(inner, value.type.fields, strict=True))
    if isinstance(value, Call) and value.name in ("struct", "named_struct"):
        return value.arguments if value.name == "struct" else value.arguments[1::2]
    return tuple(
        StructField(f.type, value.nullable or f.nullable, value, i)
        for i, f in enumerate(value.type.fields)
    )


def _stacked(made: Generator) -> list[Row]:
    first, *values = made.arguments
    count = whole(first)
    if count is None:
        raise Dynamic("the number of rows")
    if count > _MOST:
        raise Misused(f"{count} rows: a plan would hold each of them", "SS5007")
    fields = made.type.fields
    width = len(fields)
    nothing = [Literal(f.type, True, None) for f in fields]
    rows: list[Row] = []
    for place in range(0, count * width, width):
        row = values[place : place + width]
        rows.append((*row, *nothing[len(row) :]))
    return rows
