"""Aggregate functions."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.dialect import operators, results
from substrait_sql.dialect.rules import Result, again, is_null, literal_int, preference, refused
from substrait_sql.dialect.template import Template
from substrait_sql.schema import types as ty

if TYPE_CHECKING:
    from substrait_sql.dialect.line import Line
    from substrait_sql.dialect.model import Call


MAX_DECIMAL = 38
_DIGITS_OF_INT = 10


def whole_average(call: Call, line: Line) -> Result:
    """The average of integers.

    Cut to an integer where the plan declares one or says nothing under Substrait's own name.

    ``sum(x) div count(x)`` is exact. Spark's own ``avg`` is a double, which producers that declare
    a double mean.
    """
    (x,) = call.values
    declared = ty.kind(call.output_type)
    if declared in ("i8", "i16", "i32", "i64") or (
        declared is None and call.function.stem is not None
    ):
        total, count = operators.call("sum", x), operators.call("count", again(x))
        return operators.infix(exp.IntDiv, total, count), ty.i64(nullable=True)
    return operators.call("avg", x), results.resolve("avg", call.types)


def exact_average(call: Call, line: Line) -> Result:
    """An average of decimals, or of a type that is not known.

    Spark's ``avg`` has four places more than ``x``, rounded; it is cast to the extension file's own result, which has
    as many as ``x``. Plans that declare fewer mean another engine's average (isthmus, Ibis): they get all of Spark's,
    and more only where more are declared. A declared double is one.
    """
    (x,) = call.values
    (kind,) = map(ty.kind, call.types)
    declared: Any = call.output_type
    if kind == "decimal" and ty.kind(declared) == "fp64":
        double: exp.Expression = exp.Var(this="DOUBLE")
        return operators.call("avg", operators.cast(x, double)), ty.fp64(nullable=True)
    usual = results.resolve("avg", call.types)
    long = (
        ty.kind(usual) == ty.kind(declared) == "decimal"
        and declared.decimal.scale > usual.decimal.scale
    )
    if not long and (kind is not None or call.function.stem is not None):
        return operators.call("avg", x), usual
    total, count = operators.call("sum", x), operators.call("count", again(x))
    yields = None
    if kind == "decimal":
        yields = results.resolve("divide", [results.resolve("sum", call.types), ty.i64()])
    return operators.infix(exp.Div, total, count), yields


def total_or_zero(call: Call, line: Line) -> Result:
    """``sum0`` of decimals. A plain 0 has ten digits to Spark, for which it would take away decimal places."""
    (x,) = call.values
    yields = line.returns(call)
    total = operators.call("try_sum" if call.chosen.get("OVERFLOW") == "SILENT" else "sum", x)
    zero: exp.Expression = exp.Literal.number(0)
    if ty.kind(yields) == "decimal" and yields.decimal.scale > MAX_DECIMAL - _DIGITS_OF_INT:
        name = f"DECIMAL({MAX_DECIMAL}, {yields.decimal.scale})"
        zero = operators.cast(zero, exp.Var(this=name))
    return operators.call("coalesce", total, zero), yields


_NAMES = {"fp64": "DOUBLE", "fp32": "FLOAT", "i8": "TINYINT", "i16": "SMALLINT", "i32": "INT"}


_ROUNDED = {
    "TIE_TO_EVEN": "bround({})",
    "TIE_AWAY_FROM_ZERO": "round({})",
    "TRUNCATE": "{}",
    "CEILING": "ceil({})",
    "FLOOR": "floor({})",
}


# The k-th of n boundaries is k * (size - 1) / n places after the first value: so many whole ones, and a remainder of
# n-ths, both exact. Spark's own percentile takes a fraction, which most k / n are not.
_PLACES = "CAST(size(v) - 1 AS BIGINT)"


# One division, of whole numbers that doubles hold, tells whole results and ties from all others.
_OF_WHOLE = "(get(v, {i}) * ({n} - {r}) + coalesce(get(v, {i} + 1), 0) * {r}) / {n}"


_OF_FLOATS = (
    "CASE WHEN {r} = 0 THEN get(v, {i}) "
    "ELSE get(v, {i}) * (({n} - {r}) / {n}) + get(v, {i} + 1) * ({r} / {n}) END"
)


_MOST = 10_000


def quantile(call: Call, line: Line) -> Result:
    """The values in order, and those at the boundaries among them; NULL as soon as there is one among the values."""
    boundaries, _ = (a.enum for a in call.arguments if a.enum is not None)
    n, x = call.values
    if call.distinct:
        raise refused(call, "quantiles of distinct values")
    kind = ty.kind(call.types[1])
    if kind not in _NAMES:
        raise refused(call, "quantiles of anything but floats and integers of up to 32 bits")
    parts = literal_int(n)
    if parts is None and not is_null(n):
        raise refused(call, "a number of parts that is not a literal")
    element = getattr(ty, str(kind))()
    yields = ty.list_(element, nullable=True)
    if parts is None or parts < 1:
        text = f"any_value(CAST(NULL AS ARRAY<{_NAMES[str(kind)]}>))"
        return Template(text, ()).build(()), yields
    if parts > _MOST:
        raise refused(call, f"more than {_MOST} parts")
    mode = preference(call, line, "rounding")
    if kind in ("fp32", "fp64") and mode not in (None, "TIE_TO_EVEN"):
        raise refused(call, f"floats rounded by {mode}")
    return _template(str(kind), str(boundaries).upper(), parts, mode).build([x]), yields


def _template(kind: str, boundaries: str, parts: int, mode: str | None) -> Template:
    first = 0 if boundaries in ("MINIMUM", "BOTH") else 1
    last = parts if boundaries in ("MAXIMUM", "BOTH") else parts - 1
    if first > last:
        made = f"CAST(array() AS ARRAY<{_NAMES[kind]}>)"
        return Template(f"CASE WHEN count(*) = count(:x) THEN {made} END", ["x"])
    whole, rest = f"CAST(k * {_PLACES} div {parts} AS INT)", f"(k * {_PLACES} % {parts})"
    if kind in ("fp32", "fp64"):
        value = _OF_FLOATS.format(i=whole, r=rest, n=parts)
    else:
        value = _ROUNDED[mode or "TIE_TO_EVEN"].format(_OF_WHOLE.format(i=whole, r=rest, n=parts))
    each = f"transform(sequence({first}, {last}), k -> CAST({value} AS {_NAMES[kind]}))"
    made = f"get(transform(array(array_sort(collect_list(:x))), v -> {each}), 0)"
    some = "count(*) = count(:x) AND count(:x) > 0"
    return Template(f"CASE WHEN {some} THEN {made} END", ["x"])


def median_as_given(call: Call, line: Line) -> Result:
    """``median`` of DataFusion and DuckDB: of decimals and fp32 one of these, of other numbers a double."""
    (x,), (type,) = call.values, call.types
    match ty.kind(type):
        case "decimal":
            return _cut_median(call)
        case "fp32":
            single = operators.cast(operators.call("median", x), exp.Var(this="FLOAT"))
            return single, ty.with_nullability(type, True)
        case _:
            return operators.call("median", x), ty.fp64(nullable=True)


_CUT_MEDIAN = (
    "get(transform(transform(array(array_sort(collect_list(:x))), x -> get(x, CAST((size(x) - 1) div 2 AS INT)) + "
    "get(x, CAST(size(x) div 2 AS INT))), x -> CAST((x - x % {twice}) * 0.5 AS {type})), 0)"
)
# With a digit more for the sum, and one for the half.
_MOST_OF_A_SUM = MAX_DECIMAL - 2


def _cut_median(call: Call) -> Result:
    """The mean of the two decimals in the middle, cut off where it has a place more than they have."""
    (x,), (type,) = call.values, call.types
    digits, places = ty.parameters(type)
    if digits > _MOST_OF_A_SUM:
        raise refused(
            call, "decimals of which two have no sum of 38 digits with a place for the half"
        )
    twice = f"{2 * Decimal(1).scaleb(-places):f}"
    text = _CUT_MEDIAN.format(twice=twice, type=f"DECIMAL({digits}, {places})")
    return Template(text, ["x"]).build([x]), ty.with_nullability(type, True)
