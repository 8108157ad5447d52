"""Structs, lists and maps that an expression makes."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from substrait_sql.lift.encode.types import encoded
from substrait_sql.schema import types as ty
from substrait_sql.wire.descriptors import message

if TYPE_CHECKING:
    from collections.abc import Callable

    from substrait_sql.lift.tree import Call, Expr


@cache
def _class() -> Any:
    return message("Expression")


def made(found: Call, one: Callable[[Expr], Any]) -> Any:
    """The message of a call that makes such a value; None for all others. one: makes the message of an expression."""
    maker = _MAKERS.get(found.name)
    return None if maker is None else maker(found, one)


def _struct(found: Call, one: Callable[[Expr], Any]) -> Any:
    out = _class()()
    values = found.arguments if found.name == "struct" else found.arguments[1::2]
    for each in values:
        out.nested.struct.fields.add().CopyFrom(one(each))
    out.nested.struct.SetInParent()
    return out


def _list(found: Call, one: Callable[[Expr], Any]) -> Any:
    out = _class()()
    if not found.arguments:
        out.literal.empty_list.type.CopyFrom(encoded(found.type.element, nullable=False))
        out.literal.empty_list.nullability = ty.REQUIRED
        return out
    for each in found.arguments:
        out.nested.list.values.add().CopyFrom(one(each))
    return out


def _map(found: Call, one: Callable[[Expr], Any]) -> Any:
    out = _class()()
    if not found.arguments:
        out.literal.empty_map.key.CopyFrom(encoded(found.type.parts[0], nullable=False))
        out.literal.empty_map.value.CopyFrom(encoded(found.type.parts[1], nullable=False))
        out.literal.empty_map.nullability = ty.REQUIRED
        return out
    for key, value in zip(found.arguments[::2], found.arguments[1::2], strict=True):
        entry = out.nested.map.key_values.add()
        entry.key.CopyFrom(one(key))
        entry.value.CopyFrom(one(value))
    return out


_MAKERS: dict[str, Callable[[Call, Callable[[Expr], Any]], Any]] = {
    "struct": _struct, "named_struct": _struct, "array": _list, "map": _map,
}  # fmt: skip
