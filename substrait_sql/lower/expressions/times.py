"""Literals of days and times."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.errors import invalid, refuse
from substrait_sql.lower.expressions.literal import makes
from substrait_sql.lower.value import Value
from substrait_sql.schema import types

if TYPE_CHECKING:
    from substrait_sql.lower.context import Env
    from substrait_sql.wire.path import Path

MICROS = 6
_EPOCH = dt.datetime(1970, 1, 1)


@makes("date")
def _date(message: Any, env: Env, path: Path) -> Value:
    type = types.date(nullable=message.nullable)
    days = message.date
    try:
        text = (dt.date(1970, 1, 1) + dt.timedelta(days=days)).isoformat()
    except OverflowError:
        raise invalid(
            "SS2134", f"day {days} since 1970 is outside the years 1 to 9999", path
        ) from None
    return Value(typed_string("DATE", text), type)


@makes("precision_time")
def _precision_time(message: Any, env: Env, path: Path) -> Value:
    literal = message.precision_time
    type = types.precision_time(literal.precision, nullable=message.nullable)
    env.context.saw(type)
    text = _instant(literal.value, literal.precision, path)
    env.context.dialect.sql_type(types.precision_time(min(literal.precision, 6)), path)
    if not text.startswith("1970-01-01 "):
        raise invalid("SS2134", "the time is not one of a day", path)
    return Value(typed_string("TIME", text[11:]), type)


@makes("precision_timestamp")
def _precision_timestamp(message: Any, env: Env, path: Path) -> Value:
    literal = message.precision_timestamp
    type = types.precision_timestamp(literal.precision, nullable=message.nullable)
    text = _instant(literal.value, literal.precision, path)
    return Value(typed_string("TIMESTAMP_NTZ", text), type)


@makes("precision_timestamp_tz")
def _precision_timestamp_tz(message: Any, env: Env, path: Path) -> Value:
    """An instant. The zone stands in the text, so that the session's own does not matter."""
    literal = message.precision_timestamp_tz
    type = types.precision_timestamp_tz(literal.precision, nullable=message.nullable)
    text = _instant(literal.value, literal.precision, path)
    return Value(typed_string("TIMESTAMP", text + "Z"), type)


def check_precision(precision: int, path: Path) -> None:
    """Also keeps a hostile precision from becoming a power of ten of that many digits."""
    if not 0 <= precision <= 12:
        raise invalid("SS2135", f"a precision of {precision} is outside 0 to 12", path)


def _instant(value: int, precision: int, path: Path) -> str:
    """A count of 10^-precision seconds since 1970 as text; finer than Spark's microseconds is refused."""
    check_precision(precision, path)
    if precision > MICROS:
        value, rest = divmod(value, 10 ** (precision - MICROS))
        if rest:
            raise refuse(
                "SS2136", "Spark timestamps end at microseconds, and this one does not", path
            )
        precision = MICROS
    try:
        at = _EPOCH + dt.timedelta(microseconds=value * 10 ** (MICROS - precision))
    except OverflowError:
        raise invalid("SS2134", "the timestamp is outside the years 1 to 9999", path) from None
    return at.isoformat(sep=" ")


def typed_string(word: str, text: str) -> exp.Expression:
    """``DATE '1998-12-01'``: sqlglot would print a cast."""
    return exp.Introducer(this=exp.Var(this=word), expression=exp.Literal.string(text))
