"""Lists, and functions over their elements."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from substrait_sql.dialect import operators
from substrait_sql.dialect.rules import Result, again, is_null, mirrored
from substrait_sql.schema import types as ty

if TYPE_CHECKING:
    from substrait_sql.dialect.line import Line
    from substrait_sql.dialect.model import Call


def match(call: Call, line: Line) -> Result:
    """``exists`` and ``forall``; no predicate at all is NULL, which Spark takes for none."""
    items, predicate = call.values
    yields = ty.boolean(nullable=True)
    if is_null(predicate):
        return operators.cast(predicate, exp.Var(this="BOOLEAN")), yields
    return line.plain([items, predicate]), yields


def index(call: Call, line: Line) -> Result:
    """``index_in``: from 0, and NULL for what is not there, where Spark counts from 1 and says 0.

    With NAN_IS_NOT_NAN there is nothing to be found by a NaN, as by NULL.
    """
    needle, haystack = call.values
    apart = call.chosen.get("NAN_EQUALITY") == "NAN_IS_NOT_NAN"
    if apart and ty.kind(call.types[0]) in ("fp32", "fp64", None):
        nan = operators.cast(exp.Literal.string("NaN"), exp.Var(this="DOUBLE"))
        needle = operators.call("nullif", needle, nan)
    place = operators.call("array_position", haystack, needle)
    known = operators.call("nullif", place, exp.Literal.number(0))
    return operators.infix(exp.Sub, known, exp.Literal.number(1)), ty.i64(nullable=True)


def has(call: Call, line: Line) -> Result:
    """DataFusion's ``array_has``: never NULL but for a list that is; elements that are NULL equal nothing."""
    items, wanted = call.values
    list_, element = call.types
    found = operators.call("array_contains", items, wanted)
    inside = ty.children(list_)
    yields = ty.boolean(nullable=mirrored(call))
    if inside and not ty.nullable(inside[0]) and element is not None and not ty.nullable(element):
        return found, yields
    known = operators.is_null(again(items), negated=True)
    either = operators.call("coalesce", found, exp.Boolean(this=False))
    return exp.Case(ifs=[exp.If(this=known, true=either)]), yields


def transformed(call: Call, line: Line) -> Result:
    """``transform``: a list of what the lambda makes."""
    inside = ty.children(call.types[1])
    made = ty.list_(inside[-1], nullable=mirrored(call)) if inside else None
    return operators.call("transform", *call.values), made
