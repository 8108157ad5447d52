"""https://substrait.io/expressions/specialized_record_expressions/#cast-expression"""

from __future__ import annotations

import datetime as dt
import re
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.dialect.operators import call
from substrait_sql.lower.context import refuse
from substrait_sql.lower.expressions import expression, lowers
from substrait_sql.lower.expressions.literal import integer_as, typed_string
from substrait_sql.lower.values import INTEGERS, Value
from substrait_sql.schema import types

if TYPE_CHECKING:
    from substrait_sql.lower.context import Env
    from substrait_sql.wire.path import Path

_RETURN_NULL = 1
_TEXTS = ("string", "varchar", "fixed_char")
_ROUNDING = {"fp32": "rint", "fp64": "rint", "decimal": "round"}
_TIMES = ("date", "precision_timestamp", "precision_timestamp_tz")
_CLOCK = re.compile(r"(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?")


@lowers("cast")
def cast(message: Any, env: Env, path: Path) -> Value:
    """CAST, or TRY_CAST where a failure is to be NULL. Casts that only change the nullability are no SQL at all."""
    value = expression(message.input, env, path / "input")
    target = message.type
    folded = integer_as(value.literal, target) if value.literal is not None else None
    if folded is not None:
        return folded
    if value.type is not None and value.sql_type is None and types.same(value.type, target):
        return Value(value.sql, target, None, value.name, value.literal, value.subject)
    if types.kind(target) == "date" and _is_date(value):
        return Value(typed_string("DATE", value.sql.name), target, None, value.name)
    instant = _instant(value, target)
    if instant is not None:
        return Value(instant, target, None, value.name)
    if types.kind(value.type) in _TIMES and types.kind(target) in _TIMES:
        # Finer than microseconds is what Spark holds of it; only a text could have more digits.
        target, finer = types.to_micros(target), target
        node: exp.Expression = exp.Cast(this=value.sql, to=env.context.type_node(target, path))
        return Value(node, finer, None, value.name, None, value.subject)
    if types.kind(value.type) in _TEXTS and types.kind(target) in _TEXTS:
        return Value(_text(value, target), target, None, value.name, None, value.subject)
    if _is_private(value.type, env):
        raise refuse(
            "SS2139",
            f"a cast of {types.text(value.type)} to another type is not defined",
            path,
            "call a function of the extension instead",
        )
    if types.kind(target) == "user_defined":
        raise refuse("SS2139", "a cast to a user-defined type would not check its range", path)
    if env.context.habits.casts_round and types.kind(target) in INTEGERS:
        rounding = _ROUNDING.get(types.kind(value.sql_type or value.type) or "")
        value.sql = call(rounding, value.sql) if rounding else value.sql
    if types.kind(target) == "uuid":
        raise refuse("SS2139", "a cast to uuid would not check its text, nor its case", path)
    if message.failure_behavior == _RETURN_NULL:
        node = exp.TryCast(this=value.sql, to=env.context.type_node(target, path), safe=True)
    else:
        node = exp.Cast(this=value.sql, to=env.context.type_node(target, path))
    return Value(node, target, None, value.name, None, value.subject)


def _is_private(type: Any, env: Env) -> bool:
    """Whether this is a type of a user's own extension, or holds one."""
    if type is None or not env.context.dialect.user_types:
        return False
    names = {name for _, name in env.context.dialect.user_types}
    own = types.kind(type) == "user_defined" and type.user_defined.sql_name in names
    return own or any(_is_private(inner, env) for inner in types.children(type))


def _is_date(value: Value) -> bool:
    """Whether the value is the text of a day of the calendar: then it is a date literal and needs no cast."""
    if value.literal is None or not value.sql.is_string:
        return False
    try:
        return dt.date.fromisoformat(value.sql.name).isoformat() == value.sql.name
    except ValueError:
        return False


def _instant(value: Value, target: Any) -> exp.Expression | None:
    """The literal for the text of a day and time without a zone; None for anything else."""
    if (
        types.kind(target) != "precision_timestamp"
        or value.literal is None
        or not value.sql.is_string
    ):
        return None
    found = _CLOCK.fullmatch(value.sql.name)
    if found is None or len(found[3] or "") > types.parameters(target)[0]:
        return None
    try:
        at = dt.datetime.fromisoformat(f"{found[1]} {found[2]}.{found[3] or '0':0<6}")
    except ValueError:
        return None
    return typed_string("TIMESTAMP_NTZ", at.isoformat(sep=" "))


def _text(value: Value, target: Any) -> exp.Expression:
    """Between text types: cut to the length of the target, which Spark's own cast to VARCHAR(n) does not do.

    Fixed-length text is held without its padding, as files and other engines hand it over.
    """
    longest = _length(value.type)
    if value.literal is not None and value.sql.is_string:
        longest = len(value.sql.name)
    limit = _length(target)
    node = value.sql
    if limit is not None and (longest is None or longest > limit):
        node = call("left", node, exp.Literal.number(limit))
    return node


def _length(type: Any) -> int | None:
    return None if types.kind(type) == "string" else types.parameters(type)[0]
