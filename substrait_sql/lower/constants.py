"""Numbers that a plan computes out of literals alone: row counts, offsets of frames."""

from __future__ import annotations

from operator import add, mul, sub
from typing import TYPE_CHECKING, Any

from substrait_sql.schema import types

if TYPE_CHECKING:
    from substrait_sql.lower.context import Context
    from substrait_sql.wire.path import Path

_BITS = {"i8": 8, "i16": 16, "i32": 32, "i64": 64}
_OPERATIONS = {"add": add, "subtract": sub, "multiply": mul}


class NotConstant(Exception):
    """The expression is not made of integer literals, or not by what is computed here."""

    def __init__(self, path: Path) -> None:
        self.path = path


def constant(message: Any, cx: Context, path: Path) -> int | None:
    """The value of an integer expression, None for NULL. Raises `NotConstant`."""
    kind = message.WhichOneof("rex_type")
    if kind == "literal":
        literal = message.literal.WhichOneof("literal_type")
        if literal == "null":
            return None
        if literal in _BITS:
            return int(getattr(message.literal, literal))
    elif kind == "dynamic_parameter":
        return _bound(message.dynamic_parameter, cx, path)
    elif kind == "cast":
        value = constant(message.cast.input, cx, path / "cast")
        return _within(value, types.kind(message.cast.type), path)
    elif kind == "scalar_function":
        return _call(message.scalar_function, cx, path / "scalar_function")
    raise NotConstant(path)


def _bound(message: Any, cx: Context, path: Path) -> int | None:
    """The value that the plan itself binds to a parameter of that type; other values are known when it runs."""
    anchor = message.parameter_reference
    value = cx.given.bindings.get(anchor) if anchor not in cx.given.bound_twice else None
    kind = types.kind(message.type)
    if value is not None and kind in _BITS and value.WhichOneof("literal_type") == kind:
        return int(getattr(value, kind))
    raise NotConstant(path)


def _call(message: Any, cx: Context, path: Path) -> int | None:
    name = cx.functions.get(message.function_reference, path).standard
    operation = _OPERATIONS.get(name)
    if operation is None or len(message.arguments) != 2:
        raise NotConstant(path)
    left, right = (constant(a.value, cx, path.argument(i)) for i, a in enumerate(message.arguments))
    if left is None or right is None:
        return None
    return _within(operation(left, right), types.kind(message.output_type) or "i64", path)


def _within(value: int | None, kind: str | None, path: Path) -> int | None:
    """The value, if it is one of that type: what happens on overflow is for the engine to say."""
    bits = _BITS.get(kind or "")
    if bits is None or (value is not None and not -(2 ** (bits - 1)) <= value < 2 ** (bits - 1)):
        raise NotConstant(path)
    return value
