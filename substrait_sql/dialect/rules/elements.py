"""Elements and fields as Spark's own operators have them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from substrait_sql.dialect import operators
from substrait_sql.dialect.rules import Result
from substrait_sql.dialect.strings import text_of

if TYPE_CHECKING:
    from substrait_sql.dialect.line import Line
    from substrait_sql.dialect.model import Call


def item(call: Call, line: Line) -> Result:
    """``values[index]``: an array's from 0, a map's by its key; an error where there is none, or NULL for a map."""
    values, index = call.values
    return exp.Bracket(this=_held(values), expressions=[index]), None


def field_of_each(call: Call, line: Line) -> Result:
    """``structs.field``: the field of each struct of an array."""
    values, field = call.values
    name = exp.to_identifier(text_of(field), quoted=True)
    return exp.Dot(this=_held(values), expression=name), None


def as_interval(call: Call, line: Line) -> Result:
    """A cast to the interval that the function is named after: ``interval_day_to_hour``."""
    (value,) = call.values
    return operators.cast(value, exp.Var(this=line.name.replace("_", " ").upper())), None


def _held(node: exp.Expression) -> exp.Expression:
    """The node as what an element or a field is taken of."""
    plain = (exp.Column, exp.Anonymous, exp.Bracket, exp.Dot, exp.Paren, exp.Identifier)
    return node if isinstance(node, plain) else exp.Paren(this=node)
