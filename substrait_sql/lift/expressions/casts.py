"""CAST, TRY_CAST, ``::``, typed literals and numbers with a suffix."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.lift import literals
from substrait_sql.lift.dispatch import lift, lifts
from substrait_sql.lift.text.types import text_of
from substrait_sql.lift.tree import Cast, Expr, Literal
from substrait_sql.lift.typing import casts
from substrait_sql.lift.typing import types as t
from substrait_sql.lift.typing.parse import NotAType, parse_type
from substrait_sql.lift.typing.problems import Misused
from substrait_sql.tree.data_types import with_times

if TYPE_CHECKING:
    from substrait_sql.lift.context import Context
    from substrait_sql.lift.typing.types import SparkType


@lifts(exp.TryCast)
def _cast(node: Any, cx: Context) -> Expr:
    """CAST and ``::`` both; TRY_CAST comes as a function around it."""
    number = suffixed(node)
    if number is not None:
        return number
    return made(lift(node.this, cx), type_of(node.args["to"]))


@lifts(exp.Cast)
def _typed(node: Any, cx: Context) -> Expr:
    """DATE '2024-02-29'."""
    kind, value = type_of(node.args["to"]), node.this
    if not isinstance(value, exp.Literal) or not value.is_string:
        return made(lift(value, cx), kind)
    match kind.kind:
        case "date":
            return literals.day(value.this)
        case "timestamp" | "timestamp_ntz":
            return literals.timestamp(value.this, kind, cx.zone)
        case "time":
            return literals.time(value.this)
    raise Misused(f"there are no literals of the type {str(kind).upper()}", "SS5001")


_SUFFIXES = ("tinyint", "smallint", "bigint", "float", "double", "decimal")


def suffixed(node: Any, *, negative: bool = False) -> Literal | None:
    """``1L`` is a cast for sqlglot, of a number to a type; None for a cast that is one."""
    value = node.this
    if not isinstance(value, exp.Literal) or text_of(node.args["to"]):
        return None
    kind = type_of(node.args["to"])
    if kind.kind not in _SUFFIXES or value.is_string != (kind.kind == "decimal"):
        return None
    try:
        found = literals.suffixed(value.this, kind.kind, negative=negative)
    except (ValueError, ArithmeticError) as error:
        raise Misused(f"{value.this} is no {str(kind).upper()}", "SS5001") from error
    return found if found.type == kind else None


def type_of(node: Any) -> SparkType:
    """The type that a node of sqlglot's names."""
    text = text_of(node) or with_times(node).sql("spark")
    try:
        return parse_type(text)
    except NotAType as error:
        raise Misused(f"{text} is no type: {error}") from error


def made(value: Expr, target: SparkType, *, attempt: bool = False, shown: bool = True) -> Expr:
    """The cast. shown: in the names that Spark makes up. Raises `Misused` where Spark has none."""
    target = t.plain(target)
    if not casts.can_cast(value.type, target):
        raise Misused(f"{str(value.type).upper()} is never cast to {str(target).upper()}")
    if isinstance(value, Literal) and value.value is None:
        return Cast(target, True, Literal(target, True, None), attempt=attempt, shown=shown)
    nullable = value.nullable or attempt or casts.may_make_null(value.type, target)
    return Cast(target, nullable, value, asked=True, attempt=attempt, shown=shown)
