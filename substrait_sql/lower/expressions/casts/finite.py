"""Doubles that are certain to be numbers: what is computed of decimals, whole numbers and constants.

``0.9D * CAST(total AS DOUBLE)`` is neither NaN nor infinite, so that Spark's own cast to a decimal says all there is.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from substrait_sql.dialect.results import as_decimal
from substrait_sql.schema import types

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.lower.value import Value

# Far from the largest double.
_FAR = 1e300
OF_DOUBLES = ("multiply", "add", "subtract")
"""The functions of which that is said."""


def most_of_cast(source: Any, target: Any) -> float | None:
    """How far from zero a number of an exact type can be as a double."""
    size = as_decimal(source)
    if types.kind(target) != "fp64" or size is None:
        return None
    return float(10 ** (size[0] - size[1]))


def most_of_call(name: str, values: Sequence[Value], result: Any) -> float | None:
    """The same of what a function of doubles gives."""
    if name not in OF_DOUBLES or len(values) != 2 or types.kind(result) != "fp64":
        return None
    a, b = map(_most, values)
    if a is None or b is None:
        return None
    match name:
        case "multiply":
            found = a * b
        case _:
            found = a + b
    return found if found < _FAR else None


def _most(value: Value) -> float | None:
    if value.literal is not None and value.literal.WhichOneof("literal_type") == "fp64":
        number = abs(value.literal.fp64)
        return number if math.isfinite(number) else None
    return value.most
