"""How far the ends of a RANGE frame are away, where these are decimals, floats or intervals.

Spark casts an offset to the type of the sort key, which cuts 1.5 off to 1 beside an integer and rounds 0.25 to 0.3
beside a decimal of one digit: the offsets here are rounded to what no value of the key can tell from the plan's own.
It wants intervals of the same units at both ends, too, and at dates whole days or months.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.errors import invalid, refuse
from substrait_sql.lower.declared_types import INTEGERS
from substrait_sql.lower.expressions.interval import MICROS_OF_DAY, length, shortest
from substrait_sql.schema import types
from substrait_sql.schema.unsigned import held

if TYPE_CHECKING:
    from substrait_sql.wire.path import Path

_MOST_DIGITS = 38
_FAR_FOR_BIGINT = 2**62
# Behind or before every row that an offset can reach.
FAR = float("inf")


@dataclass(slots=True)
class Bound:
    """One end of a frame, and how it is written.

    position: how far behind the current row it is, None where that is not known. literal: the plan's literal of it,
    where that is no integer.
    """

    value: exp.Expression | str
    side: str
    position: float | Decimal | None
    literal: Any = None


CURRENT = Bound("CURRENT ROW", "", 0)


def of_literal(literal: Any, sql: exp.Expression, side: str, path: Path) -> Bound:
    """The end that is the value of a literal away: a decimal, a float, an interval."""
    away = _amount(literal, path)
    if away is None:
        raise invalid("SS2174", "a frame offset is a number or an interval", path)
    if away < 0:
        raise invalid("SS2174", "a frame offset may not be negative", path)
    return Bound(sql, side, -away if side == "PRECEDING" else away, literal)


def _amount(literal: Any, path: Path) -> Decimal | None:
    kind = literal.WhichOneof("literal_type")
    if kind in ("fp32", "fp64"):
        number = Decimal(getattr(literal, kind))
        if not number.is_finite():
            raise refuse("SS2175", "the frame offset is no finite number", path)
        return number
    if kind == "decimal":
        unscaled = int.from_bytes(literal.decimal.value, "little", signed=True)
        return Decimal(unscaled).scaleb(-literal.decimal.scale)
    found = length(literal)
    return None if found is None else Decimal(found)


def settled(lower: Bound, upper: Bound, key_type: Any, path: Path) -> tuple[Bound, Bound]:
    """Both ends as they are written beside a key of that type."""
    units = {_unit(b) for b in (lower, upper)} - {""}
    if len(units) > 1:
        raise refuse(
            "SS2175", f"one end of the frame is in {' and one in '.join(sorted(units))}", path
        )
    if units <= {"numbers"}:
        return _rounded(lower, True, key_type), _rounded(upper, False, key_type)
    ends = [b for b in (lower, upper) if b.literal is not None]
    if types.kind(key_type) == "date" and any(_has_clock(b) for b in ends):
        raise refuse("SS2175", "the frame of dates reaches a part of a day", path)
    shorts = [short for b in ends if (short := shortest(b.literal)) is not None]
    if len({short.args["unit"].name for short in shorts}) == 1 and all(
        b.position is not None for b in (lower, upper)
    ):
        return _short(lower), _short(upper)
    return lower, upper


def _has_clock(bound: Bound) -> bool:
    return _unit(bound) == "days" and bool((bound.position or 0) % MICROS_OF_DAY)


def _unit(bound: Bound) -> str:
    if bound.literal is None:
        return "numbers" if isinstance(bound.value, exp.Literal) else ""
    kind = str(bound.literal.WhichOneof("literal_type"))
    return {"interval_year_to_month": "months", "interval_day_to_second": "days"}.get(
        kind, "numbers"
    )


def _short(bound: Bound) -> Bound:
    short = None if bound.literal is None else shortest(bound.literal)
    return bound if short is None else replace(bound, value=short)


def _rounded(bound: Bound, is_lower: bool, key_type: Any) -> Bound:
    """Up or down to the digits of the key, whichever leaves the same values in the frame."""
    scale = _scale(key_type)
    if bound.literal is None or scale is None:
        return bound
    position = Decimal(bound.position or 0)
    step = Decimal(1).scaleb(-scale)
    position = (position / step).to_integral_value(
        ROUND_CEILING if is_lower else ROUND_FLOOR
    ) * step
    if position == 0:
        return CURRENT
    side = "PRECEDING" if position < 0 else "FOLLOWING"
    return Bound(exp.Literal.number(f"{abs(position):f}"), side, position)


def _scale(key_type: Any) -> int | None:
    """The digits behind the point of all values of a type, None where there is no such number."""
    kind = key_type and types.kind(held(key_type))
    if kind == "decimal":
        return types.parameters(held(key_type))[1]
    return 0 if kind in INTEGERS else None


def reach(bound: Bound) -> int:
    """How far a number reaches, in whole numbers; 0 for no offset, and for other types."""
    number = isinstance(bound.value, exp.Literal) and bound.position is not None
    return int(abs(Decimal(bound.position or 0)).to_integral_value(ROUND_CEILING)) if number else 0


def with_room(key: exp.Expression, type: Any, reach: int) -> exp.Expression:
    """The sort key in a type in which the frame may reach beyond the ends of its own, where Spark would overflow."""
    wide = _wide(held(type), reach) if reach else None
    if wide is None:
        return key
    inner = key.this if isinstance(key, exp.Ordered) else key
    cast = exp.Cast(this=inner, to=exp.Var(this=wide))
    if not isinstance(key, exp.Ordered):
        return cast
    key.set("this", cast)
    return key


def _wide(type: Any, reach: int) -> str | None:
    kind = types.kind(type)
    if kind in INTEGERS:
        return "DECIMAL(20, 0)" if kind == "i64" or reach > _FAR_FOR_BIGINT else "BIGINT"
    if kind != "decimal":
        return None
    precision, scale = types.parameters(type)[:2]
    needed = len(str(reach)) + scale
    return f"DECIMAL({min(needed, _MOST_DIGITS)}, {scale})" if needed > precision else None
