"""Aggregates of the values in an array, for windows that Spark's OVER has no words for: DISTINCT, moving frames.

A line names one: ``values: total``. The array holds no NULL, unless the line is a window function's. Each takes the
call, its line and the array, and returns the SQL and the type Spark yields.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.dialect import operators, results
from substrait_sql.dialect.rules import Result, again, literal_int, number, refused
from substrait_sql.dialect.template import Template
from substrait_sql.schema import types as ty

if TYPE_CHECKING:
    from substrait_sql.dialect.line import Line
    from substrait_sql.dialect.model import Call, Node

_MAX_DIGITS, _SAFE_SCALE = 38, 6

_FLOATS = {"fp32": "FLOAT", "fp64": "DOUBLE"}


def size(call: Call, line: Line, values: Node) -> Result:
    """``count``."""
    return operators.call("size", values), ty.i32()


def smallest(call: Call, line: Line, values: Node) -> Result:
    """``min``, and ``bool_and``: FALSE comes before TRUE."""
    return operators.call("array_min", values), line.returns(call)


def largest(call: Call, line: Line, values: Node) -> Result:
    """``max``, and ``bool_or``."""
    return operators.call("array_max", values), line.returns(call)


def total(call: Call, line: Line, values: Node) -> Result:
    """``sum``, NULL over no value."""
    yields = results.resolve("sum", call.types)
    kind = ty.kind(yields)
    if kind not in ("i64", "fp64", "decimal"):
        raise refused(call, "a sum over such a window of values that are neither numbers nor typed")
    if kind != "decimal":
        text = "aggregate(:x, CAST(NULL AS {}), (acc, x) -> coalesce(acc, 0) + x)"
        name = "BIGINT" if kind == "i64" else "DOUBLE"
        return Template(text.format(name), ["x"]).build([values]), yields
    precision, scale = ty.parameters(yields)
    if precision == _MAX_DIGITS and scale > _SAFE_SCALE:
        # Spark adds two of these to one with a decimal place less.
        raise refused(call, f"a sum of decimal({precision}, {scale}) would lose digits on the way")
    decimal = exp.Var(this=f"DECIMAL({precision}, {scale})")
    added = Template("coalesce(acc + x, x)", []).build([])
    step = exp.Lambda(
        this=operators.cast(added, decimal),
        expressions=[exp.to_identifier(n) for n in ("acc", "x")],
    )
    start = operators.cast(exp.Null(), decimal.copy())
    return operators.call("aggregate", values, start, step), yields


def total_or_zero(call: Call, line: Line, values: Node) -> Result:
    """``sum0``."""
    sql, yields = total(call, line, values)
    return operators.call("coalesce", sql, number(0)), ty.with_nullability(yields, False)


def average(call: Call, line: Line, values: Node) -> Result:
    """``avg``: the sum by the number, of integers an integer where the plan declares one or says nothing."""
    whole = ty.kind(call.types[0]) in ("i8", "i16", "i32", "i64")
    second = again(values)
    if whole and ty.kind(call.output_type) in ("fp32", "fp64"):
        double = Template(
            "aggregate(:x, CAST(NULL AS DOUBLE), (acc, x) -> coalesce(acc, 0) + x)", ["x"]
        )
        sql, yields = double.build([values]), ty.fp64(nullable=True)
        whole = False
    else:
        sql, yields = total(call, line, values)
    sign = exp.IntDiv if whole else exp.Div
    if not whole:
        yields = results.resolve("divide", [yields, ty.i32()])
    return operators.infix(sign, sql, operators.call("size", second)), yields


def product(call: Call, line: Line, values: Node) -> Result:
    """``product``, as the line has it of a list: in the type of the values, so that it overflows where they do."""
    held = call.types[0]
    kind = ty.kind(held) or ""
    one: Node = exp.Var(this="1" + operators.INTEGER_SUFFIXES.get(kind, ""))
    if kind in _FLOATS:
        one = operators.cast(number(1), exp.Var(this=_FLOATS[kind]))
    text = "aggregate(:x, :one, (acc, x) -> acc * x)"
    yields = line.returns(call) if held is None else ty.with_nullability(held, False)
    return Template(text, ["x", "one"]).build([values, one]), yields


def first(call: Call, line: Line, values: Node) -> Result:
    """``first_value``, and ``any_value``; NULL over no row."""
    return operators.call("get", values, number(0)), _nullable(line.returns(call))


def last(call: Call, line: Line, values: Node) -> Result:
    """``last_value``."""
    return operators.call("try_element_at", values, number(-1)), _nullable(line.returns(call))


def nth(call: Call, line: Line, values: Node) -> Result:
    """``nth_value``: counted from 1."""
    place = literal_int(call.values[1])
    if place is None or place < 1:
        raise refused(call, "a place that is not a positive literal")
    return operators.call("get", values, number(place - 1)), _nullable(line.returns(call))


def _nullable(t: Any) -> Any:
    return None if t is None else ty.with_nullability(t, True)
