"""The decimals that arithmetic gives: https://issues.apache.org/jira/browse/SPARK-22036."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from substrait_sql.lift.typing import types as t

if TYPE_CHECKING:
    from substrait_sql.lift.typing.types import SparkType

_LEAST_SCALE = 6


def result(operator: str, a: SparkType, b: SparkType) -> SparkType:
    """The type of ``a operator b`` for two decimals; operator is one of ``+ - * / %``."""
    whole = max(a.precision - a.scale, b.precision - b.scale)
    scale = max(a.scale, b.scale)
    match operator:
        case "+" | "-":
            return adjusted(whole + scale + 1, scale)
        case "*":
            return adjusted(a.precision + b.precision + 1, a.scale + b.scale)
        case "/":
            scale = max(_LEAST_SCALE, a.scale + b.precision + 1)
            return adjusted(a.precision - a.scale + b.scale + scale, scale)
    return adjusted(min(a.precision - a.scale, b.precision - b.scale) + scale, scale)


def adjusted(precision: int, scale: int) -> SparkType:
    """A decimal of at most 38 digits: places behind the point go first, down to six."""
    if precision <= t.MOST_DIGITS:
        return t.decimal(precision, scale)
    whole = precision - scale
    return t.decimal(t.MOST_DIGITS, max(t.MOST_DIGITS - whole, min(scale, _LEAST_SCALE)))


def of_value(value: int | Decimal) -> SparkType:
    """The decimal that holds exactly this number, which is the type of a literal beside a decimal.

    >>> str(of_value(Decimal("1.50")))
    'decimal(3,2)'
    """
    parts = Decimal(value).as_tuple()
    exponent = int(parts.exponent)
    digits = len(parts.digits)
    if exponent > 0:
        digits, exponent = digits + exponent, 0
    scale = -exponent
    return t.decimal(max(digits, scale), scale)
