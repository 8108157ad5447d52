"""Intervals of months and days at once: ``make_interval`` of constants, the only ones that a plan has a word for."""

from __future__ import annotations

from decimal import Decimal

from substrait_sql.lift.expressions.folded import whole
from substrait_sql.lift.tree import Call, Cast, Expr, Literal
from substrait_sql.lift.typing import types as t

_MONTHS, _DAYS = (12, 1), (7, 1)
_MICROS = (3_600_000_000, 60_000_000, 1_000_000)
_DAY = 86_400_000_000
# https://substrait.io/types/type_classes/
_MOST_MONTHS, _MOST_DAYS = 120_000, 3_650_000


def constant(found: Expr) -> Literal | None:
    """The interval, of months alone, or days and time alone, or both; None where a plan does not say what Spark means.

    Spark adds the months, then the days, then the time, a day being what the time zone makes of it. A plan has one
    number for days and time, from which whole days are taken: the time is less than a day, in the days' direction.
    """
    if not isinstance(found, Call) or found.name != "make_interval":
        return None
    numbers = [_number(a) for a in found.arguments]
    known = [n for n in numbers if n is not None]
    if len(known) < len(numbers):
        return None
    *rest, seconds = (*known, *[Decimal(0)] * (7 - len(known)))
    months, days = _sum(rest[:2], _MONTHS), _sum(rest[2:4], _DAYS)
    time = _sum([*rest[4:], seconds], _MICROS)
    if time != int(time) or abs(time) >= _DAY or days * time < 0:
        return None
    if abs(months) > _MOST_MONTHS or abs(days) >= _MOST_DAYS:
        return None
    micros = days * _DAY + time
    if not months:
        return Literal(t.DAY_SECOND, False, int(micros))
    if not micros:
        return Literal(t.YEAR_MONTH, False, int(months))
    return Literal(found.type, False, (int(months), int(micros)))


def _sum(numbers: list[Decimal], scale: tuple[int, ...]) -> Decimal:
    return sum((n * s for n, s in zip(numbers, scale, strict=True)), Decimal(0))


def _number(found: Expr) -> Decimal | None:
    number = whole(found)
    if number is not None:
        return Decimal(number)
    value = found.value if isinstance(found, Cast) else found
    if found.type.kind != "decimal" or not isinstance(value, Literal) or value.value is None:
        return None
    return Decimal(value.value) if value.type.kind in ("decimal", *t.INTEGRAL) else None
