"""Casts that Substrait leaves open and Spark defines: functions of our own extension say what they are."""

from __future__ import annotations

from dataclasses import replace
from math import isfinite
from typing import TYPE_CHECKING, TypeGuard

from substrait_sql.lift.functions import is_null
from substrait_sql.lift.relations import Project
from substrait_sql.lift.tree import Call, Cast, Expr, Literal, column
from substrait_sql.lift.typing import types as t
from substrait_sql.lift.typing.problems import Misused
from substrait_sql.lift.typing.struct_names import has_struct, may_mix, need_names

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from substrait_sql.lift.tree import Relation
    from substrait_sql.lift.typing.struct_names import Names
    from substrait_sql.lift.typing.types import SparkType

# Types whose name is a function of Spark's that casts to them.
_NAMED = (*t.INTEGRAL, "float", "double", "timestamp", "binary", "boolean", "date")


def units_function(kind: SparkType) -> str:
    """The function that casts to an interval of these units."""
    return t.interval_text(kind).replace(" ", "_")


def with_units(value: Expr) -> Expr:
    """The value as one whose units show: where it becomes text, and where it comes out of the plan."""
    if t.is_nested(value.type) and t.has_units_inside(value.type):
        return with_names(value)
    if not t.has_units(value.type) or _says_units(value):
        return value
    return Call(value.type, value.nullable, units_function(value.type), (value,))


def rows_with_units(found: Relation) -> Relation:
    """The rows with intervals in the units that the text gives them, where they come out of the plan."""
    if not any(t.has_units_inside(c.type) for c in found.columns):
        return found
    for each in found.columns:
        if t.contains(each.type, "struct") and t.has_units_inside(each.type):
            what = "the units of an interval inside of a struct"
            raise Misused(f"a plan has no word for {what}: cast it to DAY TO SECOND")
    made = found.expressions if isinstance(found, Project) else (None,) * len(found.columns)
    values = tuple(
        column(c) if isinstance(made_of, Cast) and made_of.type == c.type else with_units(column(c))
        for c, made_of in zip(found.columns, made, strict=True)
    )
    return Project(found.columns, found, values)


def _says_units(value: Expr) -> bool:
    """Whether the value is a cast to the units that it has, which the plan says with a function."""
    if isinstance(value, Cast):
        return not value.attempt
    return isinstance(value, Call) and value.name == units_function(value.type)


def with_names(value: Expr) -> Expr:
    """The value with what types of Substrait leave out: the names of structs' fields, the units of intervals inside."""
    kind = value.type
    if not t.contains(kind, "struct", *t.INTERVALS):
        return value
    return _as_type(value, kind)


def named_arguments(
    found: Call,
    parameters: Mapping[int, Names],
    dialect: str,
    is_standard: Callable[[Call], bool],
) -> tuple[Expr, ...]:
    """The arguments of a call, structs with the names of their fields where Spark has to be told them.

    So those beside a NULL of their type, and those that the text makes beside others. parameters: of lambdas around.
    """
    if found.name in ("as_type", "try_as_type"):
        return found.arguments
    if any(map(_is_null, found.arguments)) and may_mix(found):
        return tuple(with_names(a) if has_struct(a) else a for a in found.arguments)
    named = need_names(found, parameters, dialect, is_standard)
    return tuple(with_names(a) if a in named else a for a in found.arguments)


def _is_null(value: Expr) -> bool:
    return isinstance(value, Literal) and value.value is None and t.contains(value.type, "struct")


def _as_type(value: Expr, kind: SparkType) -> Call:
    return Call(kind, value.nullable, "as_type", (value, Literal(t.STRING, False, t.ddl(kind))))


def _never_returns(value: Expr) -> TypeGuard[Call]:
    """Whether it is the call of a function that fails, and so is of any type."""
    return isinstance(value, Call) and value.name == "raise_error"


def _may_be_lost(given: SparkType, target: SparkType) -> bool:
    """Whether NaN or an infinity may be on its way to a decimal: NULL to Spark, an error to a plan's cast."""
    if given.kind in ("float", "double") and target.kind == "decimal":
        return True
    return any(_may_be_lost(a, b) for a, b in _inside(given, target))


def _inside(given: SparkType, target: SparkType) -> list[tuple[SparkType, SparkType]]:
    """What the parts of a nested type are cast to."""
    if given.kind != target.kind:
        return []
    fields = zip((f.type for f in given.fields), (f.type for f in target.fields), strict=True)
    return [*zip(given.parts, target.parts, strict=True), *fields]


def _is_finite(value: Expr) -> bool:
    while isinstance(value, Cast) and value.type.kind in ("float", "double"):
        value = value.value
    if isinstance(value, Literal) and isinstance(value.value, float):
        return isfinite(value.value)
    return is_null(value) or value.type.kind in (*t.INTEGRAL, "decimal")


def call_for(found: Cast) -> Call | None:
    """The call for a cast that a plan's own cast does not say; None for all others."""
    given, target = found.value.type, found.type
    if _never_returns(found.value):
        return replace(found.value, type=target)
    if found.attempt:
        return _attempted(found)
    longer = found.asked and t.has_units(given)
    if _makes_interval(given, target) or (longer and target.kind in t.INTERVALS):
        return Call(target, found.nullable, units_function(target), (found.value,))
    lost = _may_be_lost(given, target) and not _is_finite(found.value)
    if not (_is_apart(given, target) or lost):
        return None
    if target.kind in _NAMED:
        # How much `INTERVAL '36' HOUR` is as a number depends on its units.
        return Call(target, found.nullable, target.kind, (with_units(found.value),))
    return replace(_as_type(with_units(found.value), target), nullable=found.nullable)


def _attempted(found: Cast) -> Call | None:
    """TRY_CAST, where only Spark says what it makes."""
    given, target = found.value.type, found.type
    if not (_makes_interval(given, target) or _is_apart(given, target)):
        return None
    made = _as_type(with_units(found.value), target)
    return replace(made, nullable=True, name="try_as_type")


def _makes_interval(given: SparkType, target: SparkType) -> bool:
    """Whether the cast is one to an interval that a plan's casts do not make."""
    return target.kind in t.INTERVALS and (
        t.has_units(target) or given.kind not in (target.kind, "string", "void")
    )


def _is_apart(given: SparkType, target: SparkType) -> bool:
    """Whether Spark defines a cast between these, and Substrait none."""
    return (
        (given.kind in t.INTERVALS and target.kind in (*t.NUMERIC, "string"))
        or (given.kind == "timestamp" and target.kind in t.NUMERIC)
        or (given.kind in t.NUMERIC and target.kind in ("timestamp", "binary"))
        or (given.kind == "time" and target.kind in (*t.NUMERIC, "timestamp", "timestamp_ntz"))
        or (t.is_nested(given) and target.kind == "string")
        or any(_is_apart(a, b) or _makes_interval(a, b) for a, b in _inside(given, target))
    )
