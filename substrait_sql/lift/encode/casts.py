"""Casts that Substrait leaves open and Spark defines: functions of our own extension say what they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from substrait_sql.lift.tree import Call, Cast, Expr
from substrait_sql.lift.typing import types as t

if TYPE_CHECKING:
    from substrait_sql.lift.typing.types import SparkType

_FULL = {"interval_year": (0, 1), "interval_day": (0, 3)}
# Types whose name is a function of Spark's that casts to them.
_NAMED = (*t.INTEGRAL, "float", "double", "timestamp", "binary", "boolean", "date")


def has_units(kind: SparkType) -> bool:
    """Whether an interval has other units than Substrait's have: ``INTERVAL HOUR``."""
    return kind.kind in _FULL and kind.numbers != _FULL[kind.kind]


def units_function(kind: SparkType) -> str:
    """The function that casts to an interval of these units."""
    return t.interval_text(kind).replace(" ", "_")


def with_units(value: Expr) -> Expr:
    """The value as one whose units show: where it becomes text, and where it comes out of the plan."""
    if not has_units(value.type):
        return value
    return Call(value.type, value.nullable, units_function(value.type), (value,))


def function_for(found: Cast) -> str:
    """The function for a cast that a plan's own cast does not say; empty for all others."""
    given, target = found.value.type, found.type
    if found.attempt:
        return ""
    if target.kind in t.INTERVALS and (
        has_units(target) or given.kind not in (target.kind, "string", "void")
    ):
        return units_function(target)
    apart = (
        (given.kind in t.INTERVALS and target.kind in t.NUMERIC)
        or (given.kind == "timestamp" and target.kind in t.NUMERIC)
        or (given.kind in t.NUMERIC and target.kind in ("timestamp", "binary"))
    )
    return target.kind if apart and target.kind in _NAMED else ""
