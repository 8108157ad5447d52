"""Columns, fields of structs, elements of arrays and maps, parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.dialect.identifiers import WORDS
from substrait_sql.lift import operators
from substrait_sql.lift.dispatch import lift, lifts
from substrait_sql.lift.names import no_column
from substrait_sql.lift.problems import UNKNOWN
from substrait_sql.lift.scope import access, field_of, fields_of
from substrait_sql.lift.text.parse import name_of
from substrait_sql.lift.tree import Call, Expr, Grouping, Literal, Parameter
from substrait_sql.lift.typing import casts
from substrait_sql.lift.typing import types as t
from substrait_sql.lift.typing.problems import Misused

if TYPE_CHECKING:
    from substrait_sql.lift.context import Context


def name_parts(node: Any) -> list[str]:
    """The parts of a name: ``a.b.c``."""
    if isinstance(node, exp.Dot):
        return [*name_parts(node.this), *name_parts(node.expression)]
    if isinstance(node, exp.Column):
        return [p.name for p in node.parts]
    return [node.name]


@lifts(exp.Column, exp.Identifier)
def _column(node: Any, cx: Context) -> Expr:
    parts = name_parts(node)
    found = cx.scope.resolve(parts)
    if found is not None:
        return found
    word = WORDS.get(parts[0].casefold()) if len(parts) == 1 else None
    if word == "grouping__id":
        return Grouping(t.BIGINT, False, (), "grouping__id")
    if word is not None:
        cx.engine.check_function(parts[0].casefold())
        return lift(exp.Anonymous(this=word), cx)
    raise unknown(parts, node, cx)


def unknown(parts: list[str], node: Any, cx: Context) -> Exception:
    """The error for a name that nothing has."""
    return no_column(parts, node, cx)


@lifts(exp.Dot)
def _dot(node: Any, cx: Context) -> Expr:
    if isinstance(node.expression, exp.Anonymous):
        schema, called = node.this.sql("spark"), name_of(node.expression)
        raise cx.error("SS5005", f"there is no function {schema}.{called}", node)
    if _is_name(node):
        parts = name_parts(node)
        found = cx.scope.resolve(parts)
        if found is None:
            raise unknown(parts, node, cx)
        return found
    return fields_of(lift(node.this, cx), [node.expression.name])


def _is_name(node: Any) -> bool:
    if isinstance(node, exp.Dot):
        return _is_name(node.this) and isinstance(node.expression, exp.Identifier)
    return isinstance(node, (exp.Column, exp.Identifier))


@lifts(exp.Bracket)
def _bracket(node: Any, cx: Context) -> Expr:
    if len(node.expressions) != 1:
        second = node.expressions[1] if node.expressions else None
        raise Misused("between [ and ] stands one index or key", node=second)
    return element(_with_elements(node.this, cx), lift(node.expressions[0], cx))


def _with_elements(node: Any, cx: Context) -> Expr:
    """What stands before the bracket: in ORDER BY and HAVING the first of its name that has elements."""
    value = lift(node, cx)
    outer = cx.scope.outer
    if cx.scope.soft and outer is not None and _is_name(node) and not _has_elements(value):
        return _with_elements(node, cx.inside(outer))
    return value


def _has_elements(value: Expr) -> bool:
    return value.type == UNKNOWN or value.type.kind in ("array", "map", "struct", "void")


def element(value: Expr, index: Expr) -> Expr:
    """value[index]: of an array from 0, of a map by its key, of a struct by its name."""
    match value.type.kind:
        case "void":
            return Literal(value.type, True, None)
        case "array":
            whole = casts.implicit(index.type, "integral")
            if whole is None:
                raise Misused(f"an array's index is an integer, not {str(index.type).upper()}")
            return Call(value.type.element, True, "[]", (value, operators.cast(index, whole)))
        case "map":
            key = casts.implicit(index.type, value.type.parts[0])
            if key is None:
                raise Misused(f"the map's keys are {str(value.type.parts[0]).upper()}")
            return Call(value.type.parts[1], True, "[]", (value, operators.cast(index, key)))
        case "struct" if isinstance(index, Literal) and isinstance(index.value, str):
            return field_of(value, index.value)
    raise Misused(f"{str(value.type).upper()} has no elements")


@access("map")
def _entry(value: Expr, name: str) -> Expr:
    return element(value, Literal(t.STRING, False, name))


@access("array")
def _field_of_each(value: Expr, name: str) -> Expr:
    inner = value.type.element
    if inner.kind != "struct":
        raise Misused(f"{str(value.type).upper()} has no field {name}")
    same = [f for f in inner.fields if f.name.casefold() == name.casefold()]
    if len(same) != 1:
        count = "several fields" if same else "no field"
        raise Misused(f"{str(value.type).upper()} has {count} {name}")
    (found,) = same
    kind = t.array(found.type, holds_null=value.type.holds_null or found.nullable)
    return Call(kind, value.nullable, ".", (value, Literal(t.STRING, False, found.name)))


@lifts(exp.Placeholder, exp.Parameter)
def _parameter(node: Any, cx: Context) -> Expr:
    name = node.name or f"?{len(cx.parameters) + 1}"
    found = cx.catalog.parameters.get(name.casefold())
    if found is None:
        hint = "give the types of parameters: parameters={'name': 'INT'}, or --param name=INT"
        raise cx.error("SS5006", f"the type of parameter {name} is not known", node, hint)
    if name.casefold() not in cx.parameters:
        anchor = len(cx.parameters) + 1
        cx.parameters[name.casefold()] = Parameter(found, True, anchor, name)
    return cx.parameters[name.casefold()]
