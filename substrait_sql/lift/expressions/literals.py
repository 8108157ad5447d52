"""Constants."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.lift import intervals, literals
from substrait_sql.lift.dispatch import lifts
from substrait_sql.lift.tree import NULL, Expr, Literal
from substrait_sql.lift.typing.problems import Misused

if TYPE_CHECKING:
    from substrait_sql.lift.context import Context


@lifts(exp.Literal)
def _literal(node: Any, cx: Context) -> Expr:
    return literals.text(node.this) if node.is_string else literals.number(node.this)


@lifts(exp.RawString, exp.National)
def _raw(node: Any, cx: Context) -> Expr:
    return literals.text(node.this)


@lifts(exp.Concat)
def _adjacent(node: Any, cx: Context) -> Expr:
    """Texts one behind the other are one."""
    return literals.text("".join(part.this for part in node.expressions))


@lifts(exp.HexString)
def _bytes(node: Any, cx: Context) -> Expr:
    return literals.binary(node.this)


@lifts(exp.Boolean)
def _truth(node: Any, cx: Context) -> Expr:
    return literals.truth(node.this)


@lifts(exp.Null)
def _null(node: Any, cx: Context) -> Expr:
    return NULL


@lifts(exp.Interval)
def _interval(node: Any, cx: Context) -> Expr:
    parts = _whole(node)
    if parts is not None:
        return parts
    raise Misused("not Spark SQL: INTERVAL wants a number or a text", "SS5001")


def _whole(node: Any) -> Literal | None:
    """The literal of INTERVAL 1 DAY; None where it is no constant."""
    unit, value = node.args.get("unit"), node.this
    if unit is not None and isinstance(value, exp.Neg) and isinstance(value.this, exp.Literal):
        # The sign is before a text that may have one of its own: INTERVAL -'-1' DAY is a day.
        found = _of_literal(value.this, unit)
        return replace(found, value=-found.value)
    if not isinstance(value, exp.Literal):
        return None
    if unit is None:
        return intervals.of_text(value.this)
    return _of_literal(value, unit)


def _of_literal(value: Any, unit: Any) -> Literal:
    if isinstance(unit, exp.IntervalSpan):
        return intervals.of_span(value.this, unit.this.name, unit.expression.name)
    return intervals.of_units([(value.this, unit.name)])
