"""Parts of values as segments of a reference, which every consumer knows, rather than as calls of Spark's functions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from substrait_sql.lift.encode import literals
from substrait_sql.lift.tree import Call, Expr, Literal, StructField

if TYPE_CHECKING:
    from collections.abc import Sequence

_INTEGERS = ("tinyint", "smallint", "int", "bigint")
_KEYS = (*_INTEGERS, "string", "boolean", "date")
# The places that a reference counts as the function does; its field for them has 32 bits.
_PLACES = {"get": range(2**31), "try_element_at": range(-(2**31), 0)}


def steps(found: Expr) -> tuple[Expr, Sequence[Expr]]:
    """The value that this is a part of, and the way from there, outermost first; no steps where it is no such part."""
    way: list[Expr] = []
    while True:
        if isinstance(found, StructField):
            way.append(found)
            found = found.value
        elif isinstance(found, Call) and _is_step(found):
            way.append(found)
            found = found.arguments[0]
        else:
            return found, way[::-1]


def _is_step(found: Call) -> bool:
    """Whether it is what a reference to an element is lowered to: NULL where there is no such element."""
    key = found.arguments[1] if len(found.arguments) == 2 else None
    if not isinstance(key, Literal) or key.value is None:
        return False
    if found.name == "[]":
        return found.arguments[0].type.kind == "map" and key.type.kind in _KEYS
    if found.arguments[0].type.kind != "array" or key.type.kind not in _INTEGERS:
        return False
    within = _PLACES.get(found.name)
    return within is not None and key.value in within


def write(segment: Any, way: Sequence[Expr]) -> None:
    """Writes the way into the first of a reference's segments."""
    for step in way:
        if isinstance(step, StructField):
            inside = segment.struct_field
            inside.field = step.index
        else:
            assert isinstance(step, Call)
            inside = _of_call(segment, step)
        inside.SetInParent()
        segment = inside.child


def _of_call(segment: Any, step: Call) -> Any:
    key = step.arguments[1]
    assert isinstance(key, Literal)
    if step.name == "[]":
        segment.map_key.map_key.CopyFrom(literals.literal(key).literal)
        return segment.map_key
    segment.list_element.offset = key.value
    return segment.list_element
