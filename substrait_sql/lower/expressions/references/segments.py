"""https://substrait.io/expressions/field_references/: steps into structs, lists and maps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.dialect.identifiers import identifier
from substrait_sql.dialect.operators import ATOM, call, cast, paren, precedence
from substrait_sql.errors import invalid, refuse
from substrait_sql.lower.declared_types import exact
from substrait_sql.lower.value import Value
from substrait_sql.schema import naming, types

if TYPE_CHECKING:
    from substrait_sql.lower.context import Env
    from substrait_sql.wire.path import Path


def descend(value: Value, segment: Any, env: Env, path: Path) -> Value:
    """What a chain of segments finds in a value: ``addr.city``, ``get(tags, 0)``, ``prices['EUR']``.

    A step out of a list or to a key that is not there is NULL, as is every step into NULL.
    """
    while True:
        kind = segment.WhichOneof("reference_type")
        if kind is None:
            raise invalid("SS2123", "the reference has an empty segment", path)
        if value.type is None or types.kind(value.type) is None:
            raise refuse(
                "SS2124",
                "the plan does not say of what type the value is that is referred to",
                path,
            )
        step = getattr(segment, kind)
        path = path / kind
        value = _STEPS[kind](value, step, env, path)
        env.parts.size += 1
        if not step.HasField("child"):
            return value
        segment, path = step.child, path / "child"


def struct_field(value: Value, ordinal: int, env: Env, path: Path) -> Value:
    """One field of a struct, by the name that SQL has for it."""
    actual = _actual(value, "struct", path)
    declared = value.type.struct.types
    if not 0 <= ordinal < len(declared):
        raise invalid(
            "SS2101", f"field {ordinal} does not exist: the struct has {len(declared)}", path
        )
    sql, names = value.sql, naming.field_names(actual)
    if not naming.distinct(names):
        actual = naming.bare(value.type)
        sql, names = cast(sql, env.context.type_node(actual, path)), naming.field_names(actual)
    node = exp.Dot(this=atom(sql), expression=identifier(names[ordinal]))
    subject = names[ordinal] if actual.struct.sql_names else value.name
    return _part(value, node, declared[ordinal], actual.struct.types[ordinal], subject)


def list_element(value: Value, offset: int, path: Path) -> Value:
    """Counted from 0, or back from the end; ``a[i]`` would fail where there is no such element."""
    actual = _actual(value, "list", path)
    number = exp.Literal(this=str(offset), is_string=False)
    node = call("get" if offset >= 0 else "try_element_at", value.sql, number)
    return _part(value, node, value.type.list.type, actual.list.type, value.name, nullable=True)


def _map_key(value: Value, step: Any, env: Env, path: Path) -> Value:
    from substrait_sql.lower.expressions.literal import exact_literal

    actual = _actual(value, "map", path)
    if step.map_key.WhichOneof("literal_type") == "null":
        raise invalid("SS2128", "a map has no key that is NULL", path / "map_key")
    key = exact_literal(step.map_key, env, path / "map_key")
    sql = value.sql
    if not types.same(actual.map.key, value.type.map.key):
        # Keys that are structs are compared with one of ours.
        sql, actual = exact(sql, actual, value.type, env.context, path), value.type
    node = exp.Bracket(this=atom(sql), expressions=[key])
    return _part(value, node, value.type.map.value, actual.map.value, value.name, nullable=True)


_STEPS = {
    "struct_field": lambda v, s, env, path: struct_field(v, s.field, env, path),
    "list_element": lambda v, s, env, path: list_element(v, s.offset, path),
    "map_key": _map_key,
}


def _actual(value: Value, kind: str, path: Path) -> Any:
    """The type of what the SQL yields, which must be of this kind."""
    if types.kind(value.type) != kind:
        raise invalid("SS2129", f"a {types.text(value.type)} has no such part", path)
    return value.sql_type if value.sql_type is not None else value.type


def _part(
    whole: Value, node: exp.Expression, type: Any, sql_type: Any, name: str, nullable: bool = False
) -> Value:
    if nullable or types.nullable(whole.type):
        type = types.with_nullability(type, True)
    return Value(node, type, None if types.same(type, sql_type) else sql_type, name)


def atom(node: exp.Expression) -> exp.Expression:
    """The expression as the left side of a dot or a bracket."""
    return node if precedence(node) >= ATOM else paren(node)
