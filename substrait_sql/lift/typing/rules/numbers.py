"""Numbers: digits of decimals, sums and averages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from substrait_sql.lift.typing import types as t
from substrait_sql.lift.typing.calls import Misused
from substrait_sql.lift.typing.casts import implicit
from substrait_sql.lift.typing.common import wider_decimal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.lift.typing.calls import Argument
    from substrait_sql.lift.typing.types import SparkType


def _sum(arguments: Sequence[Argument]) -> SparkType:
    given = arguments[0].type
    if given.kind == "decimal":
        return t.decimal(min(given.precision + 10, t.MOST_DIGITS), given.scale)
    if given.kind in t.INTEGRAL:
        return t.BIGINT
    return given if given.kind in t.INTERVALS else t.DOUBLE


def _average(arguments: Sequence[Argument]) -> SparkType:
    given = arguments[0].type
    if given.kind == "decimal":
        return t.decimal(min(given.precision + 4, t.MOST_DIGITS), given.scale + 4)
    return {"interval_year": t.YEAR_MONTH, "interval_day": t.DAY_SECOND}.get(given.kind, t.DOUBLE)


def _whole(arguments: Sequence[Argument]) -> SparkType:
    """Of ceil and floor: one digit more in front of the point."""
    given = arguments[0].type
    if given.kind != "decimal":
        return t.BIGINT
    return given if not given.scale else t.decimal(given.precision - given.scale + 1, 0)


def _constant(value: object) -> int:
    try:
        return int(float(str(value or 0)))
    except (ValueError, OverflowError) as error:
        raise Misused(f"{value!r} is no number of digits") from error


def _rounded(arguments: Sequence[Argument]) -> SparkType:
    """Of round, and ceil and floor with digits: those digits, and one more in front for a carry."""
    given = arguments[0].type
    if given.kind != "decimal":
        return given
    digits = _constant(arguments[1].value) if len(arguments) > 1 else 0
    front = given.precision - given.scale + 1
    if digits < 0:
        return t.decimal(min(max(front, 1 - digits), t.MOST_DIGITS), 0)
    scale = min(given.scale, digits)
    return t.decimal(min(front + scale, t.MOST_DIGITS), scale)


def _average_of_second(arguments: Sequence[Argument]) -> SparkType:
    return _average(arguments[1:])


def _uniform(arguments: Sequence[Argument]) -> SparkType:
    """The wider of the two bounds; an integer has no say beside a fraction."""
    kinds = [a.type for a in arguments[:2]]
    for kind in (t.DOUBLE, t.FLOAT):
        if kind in kinds:
            return kind
    decimals = [k for k in kinds if k.kind == "decimal"]
    if decimals:
        return wider_decimal(decimals[0], decimals[-1]) or decimals[0]
    return max(kinds, key=lambda k: t.INTEGRAL.index(k.kind))


def _floats(arguments: tuple[Argument, ...]) -> tuple[SparkType, ...]:
    """Of nanvl: a float and a double are two doubles."""
    found = [implicit(a.type, (t.DOUBLE, t.FLOAT)) for a in arguments]
    if None in found:
        raise Misused(
            f"nanvl takes floats and doubles, not {' and '.join(str(a.type) for a in arguments)}"
        )
    return (t.FLOAT if all(x == t.FLOAT for x in found) else t.DOUBLE,) * 2


def _scale(arguments: tuple[Argument, ...]) -> tuple[SparkType, ...]:
    """Of ceil and floor with digits, which must be an int and nothing that becomes one."""
    found = implicit(arguments[0].type, "any_decimal")
    if found is None or arguments[1].type != t.INT:
        raise Misused(f"a number and an int are expected, not {arguments[1].type}")
    return found, t.INT


COERCIONS = {"floats": _floats, "scale": _scale}
RETURNS = {
    "average_of_second": _average_of_second, "uniform": _uniform,
    "sum": _sum, "average": _average, "whole": _whole, "rounded": _rounded,
}  # fmt: skip
