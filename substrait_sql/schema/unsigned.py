"""Unsigned integers, and the types of Spark that hold them."""

from __future__ import annotations

from typing import Any

from substrait_sql.schema import types

HELD = {"u8": types.i16, "u16": types.i32, "u32": types.i64}


def is_unsigned(type: Any) -> bool:
    """Whether the type is one of u8, u16, u32, u64."""
    # Without `types.kind`: each argument of each call is asked.
    if type is None or type.WhichOneof("kind") != "user_defined":
        return False
    return type.user_defined.sql_name in HELD or type.user_defined.sql_name == "u64"


def held(type: Any) -> Any:
    """The type of the same values that Spark holds them in; any other type as it is."""
    if not is_unsigned(type):
        return type
    nullable, name = types.nullable(type), type.user_defined.sql_name
    if name == "u64":
        return types.decimal(20, 0, nullable=nullable)
    return HELD[name](nullable=nullable)
