"""Functions that a plan says in words of its own: nested values, AND, BETWEEN, LIKE, EXTRACT."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any, TypeGuard

from substrait_sql.lift.encode import casts, shorter
from substrait_sql.lift.encode.types import encoded
from substrait_sql.lift.expressions import calendar
from substrait_sql.lift.tree import Call, Cast, Expr, Literal
from substrait_sql.lift.typing import types as t
from substrait_sql.schema import types as ty
from substrait_sql.wire.descriptors import message

if TYPE_CHECKING:
    from collections.abc import Callable

    from substrait_sql.lift.encode.frames import Frames


@cache
def _expression() -> Any:
    return message("Expression")


def _struct(self: Any, found: Call, frames: Frames) -> Any:
    made = _expression()()
    values = found.arguments if found.name == "struct" else found.arguments[1::2]
    for each in values:
        made.nested.struct.fields.add().CopyFrom(self.one(each, frames))
    made.nested.struct.SetInParent()
    return made


def is_empty(value: Expr) -> TypeGuard[Call]:
    """Whether it is ``array()`` or ``map()``, which is empty in any type."""
    return isinstance(value, Call) and value.name in ("array", "map") and not value.arguments


def _list(self: Any, found: Call, frames: Frames) -> Any:
    made = _expression()()
    if not found.arguments:
        nullable = found.type.holds_null
        made.literal.empty_list.type.CopyFrom(encoded(found.type.element, nullable=nullable))
        made.literal.empty_list.nullability = ty.REQUIRED
        return made
    for each in found.arguments:
        made.nested.list.values.add().CopyFrom(self.one(each, frames))
    return made


def _map(self: Any, found: Call, frames: Frames) -> Any:
    made = _expression()()
    if not found.arguments:
        made.literal.empty_map.key.CopyFrom(encoded(found.type.parts[0], nullable=False))
        nullable = found.type.holds_null
        made.literal.empty_map.value.CopyFrom(encoded(found.type.parts[1], nullable=nullable))
        made.literal.empty_map.nullability = ty.REQUIRED
        return made
    for key, value in zip(found.arguments[::2], found.arguments[1::2], strict=True):
        entry = made.nested.map.key_values.add()
        entry.key.CopyFrom(self.one(key, frames))
        entry.value.CopyFrom(self.one(value, frames))
    return made


def _logical(self: Any, found: Call, frames: Frames) -> Any:
    """AND and OR of many conditions are one call."""
    operands: list[Expr] = []
    stack: list[Expr] = [found]
    while stack:
        each = stack.pop()
        if isinstance(each, Call) and each.name == found.name:
            stack.extend(reversed(each.arguments))
        else:
            operands.append(each)
    return self.call(Call(t.BOOLEAN, found.nullable, found.name, tuple(operands)), frames)


def _between(self: Any, found: Call, frames: Frames) -> Any:
    low, high = found.arguments
    assert isinstance(low, Call)
    assert isinstance(high, Call)
    low, high = shorter.alike(shorter.compared(low), shorter.compared(high))
    if low.arguments[0] == high.arguments[0]:
        given = (low.arguments[0], low.arguments[1], high.arguments[1])
        return self.call(Call(t.BOOLEAN, found.nullable, "between", given), frames)
    return _logical(self, Call(t.BOOLEAN, found.nullable, "and", found.arguments), frames)


def _not(self: Any, found: Call, frames: Frames) -> Any:
    (inner,) = found.arguments
    if isinstance(inner, Call) and inner.name in ("=", "<=>"):
        inner = shorter.compared(inner)
        if _truth(inner):
            name = f"is not {_truth(inner)}"
            return self.call(Call(t.BOOLEAN, False, name, inner.arguments[:1]), frames)
        name = "<>" if inner.name == "=" else "is distinct from"
        return self.call(Call(t.BOOLEAN, found.nullable, name, inner.arguments), frames)
    return self.call(found, frames)


def _truth(found: Call) -> str:
    """``true`` or ``false`` where a value is compared with that, NULL being neither."""
    last = found.arguments[-1]
    if found.name != "<=>" or not isinstance(last, Literal) or not isinstance(last.value, bool):
        return ""
    return "true" if last.value else "false"


def _alike(self: Any, found: Call, frames: Frames) -> Any:
    name = _truth(found)
    if name:
        return self.call(Call(t.BOOLEAN, False, f"is {name}", found.arguments[:1]), frames)
    return self.call(found, frames)


_ESCAPES_ITSELF = re.compile(r"(?:[^\\]|\\\\)*", re.DOTALL)
_ESCAPED = (Literal(t.STRING, False, "\\"), Literal(t.STRING, False, "\\\\"))


def _like(self: Any, found: Call, frames: Frames) -> Any:
    """The standard's LIKE has no escape: a pattern in which a backslash escapes only itself says the same there."""
    pattern = found.arguments[1]
    plain: Expr | None = None
    if isinstance(pattern, Literal) and isinstance(pattern.value, str):
        if _ESCAPES_ITSELF.fullmatch(pattern.value):
            plain = Literal(pattern.type, False, pattern.value.replace("\\\\", "\\"))
    elif (
        isinstance(pattern, Call)
        and pattern.name == "replace"
        and pattern.arguments[1:] == _ESCAPED
    ):
        plain = pattern.arguments[0]
    if plain is None or len(found.arguments) > 2:
        return self.call(found, frames)
    given = (found.arguments[0], plain)
    return self.call(Call(t.BOOLEAN, found.nullable, "plain like", given), frames)


def _same(self: Any, found: Call, frames: Frames) -> Any:
    """A plus sign says nothing."""
    return self.one(found.arguments[0], frames)


def _printed(self: Any, found: Call, frames: Frames) -> Any:
    """What a function prints of a struct has the names of its fields."""
    first, *rest = found.arguments
    named = replace(found, arguments=(casts.with_names(first), *rest))
    return self.call(named, frames)


def _with_names(self: Any, found: Call, frames: Frames) -> Any:
    """``array.field`` finds the field by its name."""
    value, name = found.arguments
    return self.call(replace(found, arguments=(casts.with_names(value), name)), frames)


def _dated(self: Any, found: Call, frames: Frames) -> Any:
    """A date and whole days are a date only where the interval has no other units; months and days are a literal."""
    literals = tuple(calendar.constant(a) or a for a in found.arguments)
    if literals != found.arguments:
        return self.call(replace(found, arguments=literals), frames)
    if found.type.kind != "date":
        return self.call(found, frames)
    given = tuple(a if isinstance(a, Literal) else casts.with_units(a) for a in found.arguments)
    return self.call(replace(found, arguments=given), frames)


def _formatted(self: Any, found: Call, frames: Frames) -> Any:
    """A date is printed as it is where the standard has a word for it; Spark makes a timestamp of it first."""
    value, *rest = found.arguments
    if isinstance(value, Cast) and not value.asked and value.value.type.kind in _PRINTED:
        plain = replace(found, arguments=(value.value, *rest))
        if self.is_standard(plain):
            return self.call(plain, frames)
    return self.call(found, frames)


def _typeof(self: Any, found: Call, frames: Frames) -> Any:
    """The type's name: the plan's own types have less to say."""
    return self.one(Literal(t.STRING, False, str(found.arguments[0].type)), frames)


_PRINTED = ("date", "timestamp_ntz")
SPECIAL: dict[str, Callable[[Any, Call, Frames], Any]] = {
    "struct": _struct, "named_struct": _struct, "array": _list, "map": _map, "and": _logical,
    "or": _logical, "between": _between, "not": _not, "positive": _same, "<=>": _alike, "like": _like,
    "to_json": _printed, "to_xml": _printed, "to_csv": _printed, "typeof": _typeof, ".": _with_names,
    "+": _dated, "-": _dated, "date_format": _formatted,
}  # fmt: skip
