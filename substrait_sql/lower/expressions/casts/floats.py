"""Casts of floats to decimals and to text: as Spark has them, or as the producer of the plan does.

The specification says of neither how it is done, and engines differ in rows: for 0.285 as DECIMAL(10, 2), which is
a little less than its digits, and for the text of 12345678.9, which Spark writes with an exponent.
"""

from __future__ import annotations

import math
from decimal import ROUND_HALF_UP, Decimal
from typing import NamedTuple

from sqlglot import exp

from substrait_sql.dialect.template import Template
from substrait_sql.lower.expressions.casts.conversions import Conversion, plain, rule, shortened
from substrait_sql.lower.expressions.literal import double_node
from substrait_sql.schema import types

# A product is brought to the decimal as a BIGINT, which holds these; times the unit, it has 38 digits at most.
_BIGINT_DIGITS = 18
_MOST_PLACES = 17
# The ways in which a product is rounded, see `Habits.rounds_products`: half away from zero; to even; to even after a
# small step away from zero, for products that are a little less than their digits.
_HALF_UP = "round"
_NUDGED = "nudged"
_STEP = 1e-9


@rule("float", "decimal")
def _to_decimal(node: exp.Expression, c: Conversion) -> exp.Expression:
    """Spark makes NULL of NaN and the infinities, whatever is asked for; their text is no decimal, which it says."""
    if _by_product(c):
        return _of_product(node, c)
    if c.or_null or c.finite:
        return plain(node, c)
    if types.kind(c.source) == "fp32":
        node = exp.Cast(this=node, to=c.cx.type_node(types.fp64(), c.path))
    return plain(exp.Cast(this=node, to=c.cx.type_node(types.string(), c.path)), c)


def _by_product(c: Conversion) -> bool:
    """Whether the producer rounds the product with a power of ten, and whether that may be another number.

    Of more than 18 digits the shortest ones that tell the float from others are taken for DataFusion: the exact
    product needs two BIGINTs, for each of the conditions that it makes of decimals beside floats (TPC-DS 58).
    """
    rounding = c.cx.habits.rounds_products
    digits, places = types.parameters(c.target)
    if not rounding or (rounding == _HALF_UP and not _fits_bigint(digits, places)):
        return False
    if c.number is None:
        return True
    if abs(c.number) >= 10 ** (digits - places):
        # No such decimal, however it is rounded.
        return False
    return _rounded(c.number, places) != _rounded_product(c.number, places, rounding)


def _fits_bigint(digits: int, places: int) -> bool:
    return digits <= _BIGINT_DIGITS and places <= _MOST_PLACES


def _rounded(number: float, places: int) -> Decimal:
    """The number as Spark casts it: its shortest digits, rounded half away from zero."""
    return Decimal(repr(number)).quantize(_unit(places), ROUND_HALF_UP)


def _rounded_product(number: float, places: int, rounding: str) -> Decimal:
    """The number as the producer casts it."""
    product = number * 10.0**places
    if rounding == _HALF_UP:
        return Decimal(product).to_integral_value(ROUND_HALF_UP).scaleb(-places)
    step = math.copysign(_STEP, number) if rounding == _NUDGED else 0
    return Decimal(round(product + step)).scaleb(-places)


def _unit(places: int) -> Decimal:
    """0.01 for two places."""
    return Decimal(1).scaleb(-places)


def _of_product(node: exp.Expression, c: Conversion) -> exp.Expression:
    """``CAST(CAST(round(x * 100, 0) AS BIGINT) * 0.01 AS DECIMAL(10, 2))``."""
    digits, places = types.parameters(c.target)
    rounded = _product(places, c.cx.habits.rounds_products, types.kind(c.source) == "fp32")
    cast = "TRY_CAST" if c.or_null else "CAST"
    if _fits_bigint(digits, places):
        whole = f"{cast}({rounded} AS BIGINT)"
        scaled = f"{whole} * {_unit(places):f}" if places else whole
    else:
        scaled = f"CAST({rounded} AS STRING)"
        if places:
            # Spark leaves out places of a product of two decimals this long.
            scaled = f"concat({cast}({scaled} AS DECIMAL(38, 0)), 'E-{places}')"
    return plain(Template(scaled, ["x"]).build([node]), c)


def _product(places: int, rounding: str, single: bool) -> str:
    """The text of the rounded product."""
    power = str(10**places)
    if single and rounding != "rint":
        value = "CAST(:x AS DOUBLE)"
    else:
        # The product is a FLOAT there, too.
        value, power = ":x", f"CAST({power} AS FLOAT)" if single else power
    product = f"{value} * {power}" if places else value
    if rounding == _HALF_UP:
        return f"round({product}, 0)"
    if rounding == _NUDGED:
        product = f"{product} + sign(:x) * {_STEP:.0E}"
        product = f"CAST({product} AS FLOAT)" if single else product
    return f"rint({product})"


class _Texts(NamedTuple):
    """How a producer writes floats: without an exponent from `low` to below `high`, in powers of ten.

    low, high: of fp64, then of fp32. digits: the pattern of `format_number` for those. otherwise: what Spark's own
    text becomes for all others.
    """

    low: tuple[int, int]
    high: tuple[int, int]
    digits: str
    otherwise: str


_DIGITS = "#" * 22
_SIGNED = r"replace(regexp_replace(:text, '(\\.0)?E(\\d)', 'e+$2'), 'Infinity', 'inf')"
_TEXTS = {
    "datafusion": _Texts(
        (-5, -6), (16, 13), f"0.0{_DIGITS}",
        r"replace(regexp_replace(:text, '(\\.0)?E', 'e'), 'Infinity', 'inf')",
    ),
    "datafusion 35": _Texts(
        (-5, -5), (10, 10), f"0.0{_DIGITS}", "replace(replace(:text, 'E', 'e'), 'Infinity', 'inf')"
    ),
    "duckdb": _Texts(
        (-4, -4), (16, 16), f"0.0{_DIGITS}",
        rf"lower(regexp_replace(regexp_replace({_SIGNED}, '(\\.0)?E-(\\d)$', 'e-0$2'), '(\\.0)?E', 'e'))",
    ),
    "acero": _Texts(
        (-6, -6), (10, 10), f"0.{_DIGITS}",
        rf"lower(regexp_replace({_SIGNED}, '(\\.0)?(E|$)', '$2'))",
    ),
}  # fmt: skip


@rule("float", "text")
def _to_text(node: exp.Expression, c: Conversion) -> exp.Expression:
    """As Spark writes it, or as the producer does; the digits are those of Java."""
    string = c.cx.type_node(types.string(), c.path)
    texts = _TEXTS.get(c.cx.habits.float_texts)
    if texts is None or (c.number is not None and _has_one_text(c.number, c.cx.habits.float_texts)):
        node = exp.Cast(this=node, to=string)
    else:
        node = _as_written(node, texts, types.kind(c.source) == "fp32")
    return shortened(node, c.target, _LONGEST)


# A sign, a point, a zero before and six behind it, and seventeen digits.
_LONGEST = 26


def _has_one_text(number: float, producer: str) -> bool:
    """Whether all write a finite constant alike: a number of moderate size, but for Acero not a whole one."""
    moderate = 1e-3 <= abs(number) < 1e7
    return moderate and not (producer == "acero" and number == math.floor(number))


def _as_written(node: exp.Expression, texts: _Texts, single: bool) -> exp.Expression:
    low = f"{_unit(-texts.low[single]):f}"
    # A float has other digits as a double than as itself.
    value = "CAST(CAST(:x AS STRING) AS DOUBLE)" if single else ":x"
    high = ":high"
    if single:
        low, high = f"CAST({low} AS FLOAT)", "CAST(:high AS FLOAT)"
    otherwise = texts.otherwise.replace(":text", "CAST(:x AS STRING)")
    made = Template(
        f"CASE WHEN abs(:x) >= {low} AND abs(:x) < {high} THEN format_number({value}, '{texts.digits}') "
        f"ELSE {otherwise} END",
        ["x", "high"],
    )
    return made.build([node, double_node(10.0 ** texts.high[single])])
