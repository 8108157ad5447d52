"""Casts that Substrait leaves open and Spark defines: functions of our own extension say what they are."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeGuard

from substrait_sql.lift.tree import Call, Cast, Expr, Literal
from substrait_sql.lift.typing import types as t

if TYPE_CHECKING:
    from substrait_sql.lift.typing.types import SparkType

_FULL = {"interval_year": (0, 1), "interval_day": (0, 3)}
# Types whose name is a function of Spark's that casts to them.
_NAMED = (*t.INTEGRAL, "float", "double", "timestamp", "binary", "boolean", "date")


def has_units(kind: SparkType) -> bool:
    """Whether an interval has other units than Substrait's have: ``INTERVAL HOUR``."""
    return kind.kind in _FULL and kind.numbers != _FULL[kind.kind]


def has_units_inside(kind: SparkType) -> bool:
    """Whether the type or a part of it is such an interval."""
    inside = (*kind.parts, *(f.type for f in kind.fields))
    return has_units(kind) or any(map(has_units_inside, inside))


def units_function(kind: SparkType) -> str:
    """The function that casts to an interval of these units."""
    return t.interval_text(kind).replace(" ", "_")


def with_units(value: Expr) -> Expr:
    """The value as one whose units show: where it becomes text, and where it comes out of the plan."""
    if t.is_nested(value.type) and has_units_inside(value.type):
        return with_names(value)
    if not has_units(value.type):
        return value
    return Call(value.type, value.nullable, units_function(value.type), (value,))


def with_names(value: Expr) -> Expr:
    """The value with what types of Substrait leave out: the names of structs' fields, the units of intervals inside."""
    kind = value.type
    if not t.contains(kind, "struct", *t.INTERVALS):
        return value
    return _as_type(value, kind)


def _as_type(value: Expr, kind: SparkType) -> Call:
    return Call(kind, value.nullable, "as_type", (value, Literal(t.STRING, False, t.ddl(kind))))


def says_nothing(found: Cast) -> bool:
    """Whether a plan has one type for both: a cast that only renames fields of structs is not one there."""
    given, target = found.value.type, found.type
    if given == target:
        return True
    return (
        t.contains(target, "struct")
        and not has_units_inside(target)
        and _without_names(given) == _without_names(target)
    )


def _without_names(kind: SparkType) -> SparkType:
    parts = tuple(map(_without_names, kind.parts))
    fields = tuple(replace(f, name="", type=_without_names(f.type)) for f in kind.fields)
    return replace(kind, parts=parts, fields=fields)


def _never_returns(value: Expr) -> TypeGuard[Call]:
    """Whether it is the call of a function that fails, and so is of any type."""
    return isinstance(value, Call) and value.name == "raise_error"


def call_for(found: Cast) -> Call | None:
    """The call for a cast that a plan's own cast does not say; None for all others."""
    given, target = found.value.type, found.type
    if _never_returns(found.value):
        return replace(found.value, type=target)
    if found.attempt:
        return None
    if target.kind in t.INTERVALS and (
        has_units(target) or given.kind not in (target.kind, "string", "void")
    ):
        return Call(target, found.nullable, units_function(target), (found.value,))
    apart = (
        (given.kind in t.INTERVALS and target.kind in (*t.NUMERIC, "string"))
        or (given.kind == "timestamp" and target.kind in t.NUMERIC)
        or (given.kind in t.NUMERIC and target.kind in ("timestamp", "binary"))
        or (t.is_nested(given) and target.kind == "string")
    )
    if not apart:
        return None
    if target.kind in _NAMED:
        return Call(target, found.nullable, target.kind, (found.value,))
    return replace(_as_type(with_units(found.value), target), nullable=found.nullable)
