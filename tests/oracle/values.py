"""Values: literals, three-valued comparison, ranges, casts."""

from __future__ import annotations

import datetime as dt
import math
from decimal import Decimal, localcontext
from typing import Any

from tests.oracle.model import NotCovered, RuntimeFailure

EPOCH = dt.datetime(1970, 1, 1)
UTC_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
RANGES = {kind: 1 << (int(kind[1:]) - 1) for kind in ("i8", "i16", "i32", "i64")}
PLAIN = ("boolean", "i8", "i16", "i32", "i64", "fp32", "fp64", "string", "fixed_char", "uuid")


def of_literal(literal: Any) -> Any:
    """2.1: the value that a literal writes; a typed NULL is NULL."""
    kind = literal.WhichOneof("literal_type")
    if kind == "null":
        return None
    if kind in PLAIN:
        return getattr(literal, kind)
    match kind:
        case "binary" | "fixed_binary":
            return getattr(literal, kind)
        case "var_char":
            return literal.var_char.value
        case "date":
            return EPOCH.date() + dt.timedelta(days=literal.date)
        case "decimal":
            digits = int.from_bytes(literal.decimal.value, "little", signed=True)
            with localcontext(prec=80):
                return Decimal(digits).scaleb(-literal.decimal.scale)
        case "precision_timestamp" | "precision_timestamp_tz":
            made = getattr(literal, kind)
            micros = made.value * 10**6 // 10**made.precision
            return (UTC_EPOCH if kind.endswith("tz") else EPOCH) + dt.timedelta(microseconds=micros)
    raise NotCovered(f"{kind} literals")


def in_range(value: int, kind: str) -> int:
    """5: a whole number that its type cannot hold is an error."""
    bound = RANGES[kind]
    if not -bound <= value < bound:
        raise RuntimeFailure(f"{value} does not fit {kind}")
    return value


def compare(a: Any, b: Any) -> int | None:
    """-1, 0 or 1; None as soon as one of them is NULL. NaN is itself and above all other numbers, as to Spark."""
    if a is None or b is None:
        return None
    if (odd := _is_nan(a)) or _is_nan(b):
        return odd - _is_nan(b)
    return (a > b) - (a < b)


def _is_nan(value: Any) -> bool:
    return isinstance(value, float) and math.isnan(value)


def equal(a: Any, b: Any) -> bool | None:
    found = compare(a, b)
    return None if found is None else found == 0


def key(row: tuple[Any, ...]) -> tuple[Any, ...]:
    """What rows are told apart by in keys, sets and DISTINCT: there NULL is equal to NULL."""
    return tuple("NaN" if _is_nan(v) else v for v in row)


def any_true(found: list[bool | None]) -> bool | None:
    """Kleene's OR: TRUE if one is, else NULL if one is, else FALSE."""
    return True if True in found else (None if None in found else False)


def all_true(found: list[bool | None]) -> bool | None:
    """Kleene's AND: FALSE if one is, else NULL if one is, else TRUE."""
    return False if False in found else (None if None in found else True)


def cast(value: Any, type_: Any, returns_null: bool) -> Any:
    """2.5: the value in another type; one that does not fit is an error, or NULL if so asked."""
    if value is None:
        return None
    try:
        return _cast(value, type_)
    except (RuntimeFailure, ValueError, ArithmeticError):
        if returns_null:
            return None
        raise RuntimeFailure(f"{value!r} has no place in {type_.WhichOneof('kind')}") from None


def _cast(value: Any, type_: Any) -> Any:
    kind = type_.WhichOneof("kind")
    if kind in RANGES:
        if isinstance(value, str):
            return in_range(int(value), kind)
        return in_range(math.trunc(value), kind)
    if kind == "string":
        return _text(value)
    if kind == "fp64":
        return float(value)
    if kind == "bool" and isinstance(value, int):
        return bool(value)
    if kind == "decimal" and isinstance(value, (int, str, Decimal)):
        return _decimal(Decimal(value), type_.decimal.precision, type_.decimal.scale)
    if kind == "date" and isinstance(value, str):
        return dt.date.fromisoformat(value)
    raise NotCovered(f"a cast to {kind}")


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, str)):
        return str(value)
    raise NotCovered(f"text of {type(value).__name__}")


def _decimal(value: Decimal, precision: int, scale: int) -> Decimal:
    with localcontext(prec=80):
        rounded = value.quantize(Decimal(1).scaleb(-scale), "ROUND_HALF_UP")
    if len(rounded.as_tuple().digits) > precision:
        raise RuntimeFailure(f"{value} has more than {precision} digits")
    return rounded
