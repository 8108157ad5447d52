"""https://substrait.io/expressions/specialized_record_expressions/#nested-type-constructor-expressions, and literals.

Whatever stands inside is of exactly its declared type: Spark would give ``array(1, 2)`` elements of INT.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from substrait_sql.dialect.operators import call, cast
from substrait_sql.dialect.strings import string_literal
from substrait_sql.errors import invalid, refuse
from substrait_sql.lower.common_type import are_apart
from substrait_sql.lower.declared_types import exact, spelt_alike, widest_decimal
from substrait_sql.lower.expression import expression, lowers
from substrait_sql.lower.expressions.literal import exact_form, literal, makes
from substrait_sql.lower.value import Value
from substrait_sql.schema import naming, types

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlglot import exp

    from substrait_sql.lower.context import Env
    from substrait_sql.wire.path import Path


@lowers("nested")
def nested(message: Any, env: Env, path: Path) -> Value:
    """A struct, list or map of expressions."""
    kind = message.WhichOneof("nested_type")
    if kind is None:
        raise invalid("SS2191", "the nested expression is neither struct, list nor map", path)
    inside = getattr(message, kind)
    at = path / kind
    if kind == "struct":
        fields = _expressions(inside.fields, env, at / "fields")
        return struct_of(fields, message.nullable, env, at)
    if kind == "list":
        return _list_of(_expressions(inside.values, env, at / "values"), message.nullable, env, at)
    pairs = [(pair, (at / "key_values")[i]) for i, pair in enumerate(inside.key_values)]
    keys = [expression(pair.key, env, place / "key") for pair, place in pairs]
    values = [expression(pair.value, env, place / "value") for pair, place in pairs]
    return _map_of(keys, values, message.nullable, env, at)


def _expressions(messages: Sequence[Any], env: Env, path: Path) -> list[Value]:
    return [expression(m, env, path[i]) for i, m in enumerate(messages)]


@makes("struct")
def _struct_literal(message: Any, env: Env, path: Path) -> Value:
    return struct_of(_literals(message.struct.fields, env, path), message.nullable, env, path)


@makes("list")
def _list_literal(message: Any, env: Env, path: Path) -> Value:
    return _list_of(_literals(message.list.values, env, path), message.nullable, env, path)


@makes("map")
def _map_literal(message: Any, env: Env, path: Path) -> Value:
    pairs = message.map.key_values
    seen = {p.key.SerializeToString(deterministic=True) for p in pairs}
    if len(seen) < len(pairs):
        raise refuse("SS2192", "a map of Spark cannot hold a key twice", path)
    keys = _literals([p.key for p in pairs], env, path)
    values = _literals([p.value for p in pairs], env, path)
    return _map_of(keys, values, message.nullable, env, path)


@makes("empty_list")
def _empty_list(message: Any, env: Env, path: Path) -> Value:
    """``array()`` alone is of no type at all."""
    type = types.unknown()
    type.list.CopyFrom(message.empty_list)
    return _typed(call("array"), type, env, path)


@makes("empty_map")
def _empty_map(message: Any, env: Env, path: Path) -> Value:
    type = types.unknown()
    type.map.CopyFrom(message.empty_map)
    return _typed(call("map"), type, env, path)


def _typed(node: exp.Expression, type: Any, env: Env, path: Path) -> Value:
    return Value(cast(node, env.context.type_node(type, path)), type)


def _literals(messages: Sequence[Any], env: Env, path: Path) -> list[Value]:
    return [literal(m, env, path) for m in messages]


def struct_of(fields: Sequence[Value], nullable: bool, env: Env, path: Path) -> Value:
    """``named_struct('f0', …, 'f1', …)``."""
    arguments: list[exp.Expression] = []
    held = [_held([f], f.type, env, path) for f in fields]
    for i, (field, type) in enumerate(zip(fields, held, strict=True)):
        arguments += [string_literal(f"f{i}"), exact_value(field, type, env, path)]
    declared = types.struct([_known(f, path) for f in fields], nullable=nullable)
    return Value(call("named_struct", *arguments), declared, types.struct(held, nullable=nullable))


def _list_of(values: list[Value], nullable: bool, env: Env, path: Path) -> Value:
    if not values:
        raise invalid("SS2191", "a list without elements must be written as an empty one", path)
    element = _common(values, path)
    held = _held(values, element, env, path)
    node = call("array", *(exact_value(v, held, env, path) for v in values))
    declared = types.list_(element, nullable=nullable)
    return Value(node, declared, types.list_(held, nullable=nullable))


def _map_of(keys: list[Value], values: list[Value], nullable: bool, env: Env, path: Path) -> Value:
    if not keys:
        raise invalid("SS2191", "a map without entries must be written as an empty one", path)
    key, value = _common(keys, path), _common(values, path)
    held = _held(keys, key, env, path), _held(values, value, env, path)
    arguments: list[exp.Expression] = []
    for k, v in zip(keys, values, strict=True):
        arguments += [exact_value(k, held[0], env, path), exact_value(v, held[1], env, path)]
    declared = types.map_(key, value, nullable=nullable)
    if types.holds(key, "map"):
        env.context.type_node(declared, path)  # raises that there is no such type
    return Value(call("map", *arguments), declared, types.map_(*held, nullable=nullable))


def _held(values: Sequence[Value], declared: Any, env: Env, path: Path) -> Any:
    """The declared type, with the names that the first value has for the fields of structs in it."""
    first = values[0].sql_type
    if first is None or not types.inner_names(first):
        return declared
    return first if spelt_alike(naming.bare(first), declared, env.context, path) else declared


def _common(values: list[Value], path: Path) -> Any:
    """The type of the elements: the specification has them all of one, some of them nullable."""
    found = [_known(v, path) for v in values]
    first = found[0]
    for other in found[1:]:
        if types.kind(other) != types.kind(first) or are_apart(first, other):
            raise invalid(
                "SS2193",
                f"{types.text(first)} and {types.text(other)} in one list or map",
                path,
            )
    if types.kind(first) == "decimal":
        first = widest_decimal(found)
        if first is None:
            raise refuse("SS2193", "no decimal holds all elements of the list or map", path)
        found = [first, *found]
    # Lengths and precisions may differ from element to element: the longest takes them all.
    widest = max(found, key=lambda t: types.parameters(t) if types.parameters(t) else (0,))
    return types.with_nullability(widest, any(types.nullable(t) for t in found))


def _known(value: Value, path: Path) -> Any:
    if value.type is None or types.kind(value.type) is None:
        raise refuse("SS2124", "the plan does not say of what type a nested value is", path)
    return value.type


def exact_value(value: Value, type: Any, env: Env, path: Path) -> exp.Expression:
    """The value for a place inside of another, where its type shows."""
    if value.literal is not None and types.same(value.type, type):
        return exact_form(value, env, path)
    sql_type = value.sql_type if value.sql_type is not None else value.type
    return exact(value.sql, sql_type, type, env.context, path)
