"""Functions that make maps and structs, and the lambdas' functions."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from substrait_sql.lift.typing import types as t
from substrait_sql.lift.typing.calls import Argument, Misused, recast
from substrait_sql.lift.typing.common import looked_for, wider_without_text
from substrait_sql.lift.typing.rules.choice import merged

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.lift.typing.types import SparkType

    Given = tuple[Argument, ...]
    Found = tuple[tuple[SparkType, ...], SparkType, bool]


def a_map(argument: Argument) -> SparkType:
    """Its type, which must be a map."""
    if argument.type.kind != "map":
        raise Misused(f"a map is expected, not {argument.type}")
    return argument.type


def keyed(key: SparkType, value: SparkType, *, holds_null: bool) -> SparkType:
    """A map, whose keys hold no map."""
    if t.contains(key, "map", "variant"):
        raise Misused(f"{key} is no key of a map")
    return t.map_(key, value, holds_null=holds_null)


def _map(arguments: Given) -> Found:
    if len(arguments) % 2:
        raise Misused("map takes keys and values in turn")
    key, value = merged(arguments[::2]), merged(arguments[1::2])
    holds_null = any(recast(a, value).nullable for a in arguments[1::2])
    return (key, value) * (len(arguments) // 2), keyed(key, value, holds_null=holds_null), False


def _map_concat(arguments: Given) -> Found:
    if not arguments:
        return (), t.map_(t.STRING, t.STRING), False
    for each in arguments:
        a_map(each)
    to = merged(arguments)
    nullable = any(recast(a, to).nullable for a in arguments)
    return (to,) * len(arguments), to, nullable


def _contains_key(arguments: Given) -> Found:
    kind = a_map(arguments[0])
    found = looked_for(kind.parts[0], arguments[1].type)
    if found is None or arguments[1].type.kind == "void":
        raise Misused(f"{arguments[1].type} is no key of {kind}")
    types = (t.map_(found, kind.parts[1], holds_null=kind.holds_null), found)
    return types, t.BOOLEAN, True


def _entries(arguments: Sequence[Argument]) -> SparkType:
    kind = arguments[0].type
    key, value = kind.parts
    fields = (t.Field("key", key, nullable=False), t.Field("value", value, kind.holds_null))
    return t.array(t.struct(fields), holds_null=False)


def _from_arrays(arguments: Sequence[Argument]) -> SparkType:
    keys, values = (a.type for a in arguments)
    return keyed(keys.element, values.element, holds_null=values.holds_null)


def _from_entries(arguments: Given) -> Found:
    kind = arguments[0].type
    if kind.kind != "array" or kind.element.kind != "struct" or len(kind.element.fields) != 2:
        raise Misused(f"an array of pairs is expected, not {kind}")
    key, value = kind.element.fields
    out = keyed(key.type, value.type, holds_null=value.nullable)
    return (kind,), out, arguments[0].nullable or kind.holds_null


def _struct(arguments: Given) -> Found:
    fields = (
        t.Field(a.name or f"col{i}", a.type, a.nullable) for i, a in enumerate(arguments, start=1)
    )
    return tuple(a.type for a in arguments), t.struct(fields), False


def _named_struct(arguments: Given) -> Found:
    if len(arguments) % 2:
        raise Misused("named_struct takes names and values in turn")
    fields: list[t.Field] = []
    for name, each in zip(arguments[::2], arguments[1::2], strict=True):
        if not name.constant or not isinstance(name.value, str):
            raise Misused("the name of a field must be a constant text")
        fields.append(t.Field(name.value, each.type, each.nullable))
    return tuple(a.type for a in arguments), t.struct(fields), False


def _aggregate(arguments: Given) -> Found:
    array, start, body, *last = arguments
    if array.type.kind not in ("array", "void"):
        raise Misused(f"an array is expected, not {array.type}")
    goes_on = _renamed(body.type, start.type)
    if body.type.kind != "void" and not t.same(start.type, goes_on):
        raise Misused(f"what is gathered begins as {start.type} and goes on as {body.type}")
    # Without a last lambda what was gathered is returned, whose parts may be NULL whatever it began with.
    out = last[0] if last else replace(body, type=t.all_nullable(start.type), nullable=True)
    if array.type.kind == "void" and not last:
        raise Misused("an array is expected, not NULL")
    first = t.array(t.VOID) if array.type.kind == "void" else array.type
    nullable = array.nullable or out.nullable
    return (first, start.type, goes_on, *(a.type for a in last)), out.type, nullable


def _renamed(given: SparkType, like: SparkType) -> SparkType:
    """The type with the names of another one's fields: what is gathered is known by its places."""
    if given.kind != like.kind or len(given.fields) != len(like.fields):
        return given
    fields = zip(given.fields, like.fields, strict=True)
    return replace(
        given,
        parts=tuple(_renamed(a, b) for a, b in zip(given.parts, like.parts, strict=True)),
        fields=tuple(replace(a, name=b.name, type=_renamed(a.type, b.type)) for a, b in fields),
    )


def _transform(arguments: Sequence[Argument]) -> SparkType:
    return t.array(arguments[1].type, holds_null=arguments[1].nullable)


def _zip_with(arguments: Sequence[Argument]) -> SparkType:
    return t.array(arguments[2].type, holds_null=arguments[2].nullable)


def _transform_keys(arguments: Sequence[Argument]) -> SparkType:
    kind = arguments[0].type
    return keyed(arguments[1].type, kind.parts[1], holds_null=kind.holds_null)


def _transform_values(arguments: Sequence[Argument]) -> SparkType:
    return t.map_(arguments[0].type.parts[0], arguments[1].type, holds_null=arguments[1].nullable)


def _map_zip_with(arguments: Given) -> Found:
    first, second, body = arguments
    a, b = a_map(first), a_map(second)
    key = wider_without_text(a.parts[0], b.parts[0])
    if key is None:
        raise Misused(f"the keys of {a} and {b} have no type in common")
    types = (
        t.map_(key, a.parts[1], holds_null=a.holds_null),
        t.map_(key, b.parts[1], holds_null=b.holds_null),
        body.type,
    )
    out = t.map_(key, body.type, holds_null=body.nullable)
    return types, out, first.nullable or second.nullable


RULES = {
    "map": _map, "map_concat": _map_concat, "map_contains_key": _contains_key,
    "map_from_entries": _from_entries, "struct": _struct, "named_struct": _named_struct,
    "aggregate": _aggregate, "map_zip_with": _map_zip_with,
}  # fmt: skip
RETURNS = {
    "entries": _entries, "from_arrays": _from_arrays,
    "transform": _transform, "zip_with": _zip_with, "transform_keys": _transform_keys,
    "transform_values": _transform_values,
}  # fmt: skip
