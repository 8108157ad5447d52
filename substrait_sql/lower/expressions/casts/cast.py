"""https://substrait.io/expressions/specialized_record_expressions/#cast-expression"""

from __future__ import annotations

import datetime as dt
import math
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlglot import exp

from substrait_sql.dialect.operators import call
from substrait_sql.dialect.results import as_decimal
from substrait_sql.dialect.strings import string_literal
from substrait_sql.errors import refuse
from substrait_sql.lower.common_type import held
from substrait_sql.lower.declared_types import INTEGERS, NUMBERS
from substrait_sql.lower.expression import expression, lowers
from substrait_sql.lower.expressions.casts.conversions import Conversion, convert, plain, shortened
from substrait_sql.lower.expressions.casts.finite import most_of_cast
from substrait_sql.lower.expressions.days import is_day
from substrait_sql.lower.expressions.functions.bound import Bound, may_bind
from substrait_sql.lower.expressions.grouping_bits import bit_of_mask
from substrait_sql.lower.expressions.literal import integer_as
from substrait_sql.lower.expressions.times import typed_string
from substrait_sql.lower.lost import warn_of_cast
from substrait_sql.lower.retry import written_once
from substrait_sql.lower.value import Value
from substrait_sql.schema import naming, types
from substrait_sql.tree import origin
from substrait_sql.tree.copies import TooLong

if TYPE_CHECKING:
    from substrait_sql.lower.context import Context, Env
    from substrait_sql.wire.path import Path

_RETURN_NULL = 1
_TEXTS = ("string", "varchar", "fixed_char")
_ROUNDING = {"fp32": "rint", "fp64": "rint", "decimal": "round"}
_TIMES = ("date", "precision_timestamp", "precision_timestamp_tz")
# Spark takes these words for times.
_MOVING = ("now", "today", "tomorrow", "yesterday")
_UUID = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_CLOCK = re.compile(r"(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?")


@lowers("cast")
def cast(message: Any, env: Env, path: Path) -> Value:
    """CAST, or TRY_CAST where a failure is to be NULL. Casts that only change the nullability are no SQL at all."""
    bit = bit_of_mask(message, env, path)
    if bit is not None:
        return bit
    value = expression(message.input, env, path / "input")
    inside = Inside(message.input, path / "input")
    return cast_of(value, message.type, env, path, inside, message.failure_behavior == _RETURN_NULL)


class Inside(NamedTuple):
    """Where a value that is cast comes from: what it was lowered from, and its path."""

    message: Any
    path: Path


def cast_of(
    value: Value, target: Any, env: Env, path: Path, inside: Inside, or_null: bool = False
) -> Value:
    """A value that has been lowered, under another type. or_null: a failure is to be NULL.

    Raises `UnsupportedError` SS2139 for types that have nothing in common.
    """
    warn_of_cast(held(value), target, env.context, path)
    folded = integer_as(value.literal, target) if value.literal is not None else None
    if folded is not None:
        return folded
    if value.type is not None and value.sql_type is None and types.same(value.type, target):
        return Value(value.sql, target, None, value.name, value.literal, value.subject)
    if _yields(value, target):
        return Value(value.sql, target, None, value.name, None, value.subject)
    if types.inner_names(target) and naming.same_values(held(value), target):
        # Which parts of the inside may be NULL is nothing that SQL says.
        names = naming.like(target, held(value))
        return Value(value.sql, target, names, value.name, None, value.subject)
    if types.kind(target) == "date" and is_day(value):
        return Value(typed_string("DATE", value.sql.name), target, None, value.name)
    instant = _instant(value, target)
    if instant is not None:
        return Value(instant, target, None, value.name)
    if env.context.habits.casts_round and types.kind(target) in INTEGERS:
        rounding = _ROUNDING.get(types.kind(value.sql_type or value.type) or "")
        value.sql = call(rounding, value.sql) if rounding else value.sql
    if types.kind(target) in _TEXTS and _shows_other_places(value):
        value.sql = exp.Cast(this=value.sql, to=env.context.type_node(value.type, path))
        value.sql_type = None
    node = _written(value, target, env, path, inside, or_null)
    return _about(Value(node, target, None, value.name, None, value.subject), value)


def _written(
    value: Value, target: Any, env: Env, path: Path, inside: Inside, or_null: bool
) -> exp.Expression:
    """The SQL of the cast; a value that it writes twice, and that is too long for it, is a column first."""
    try:
        with origin.arguments([value.sql]):
            return _converted(value, target, or_null, env, path)
    except TooLong:
        if not may_bind(env):
            written_once(inside.message, env, path, inside.path)
        bound = Bound(value, env)
        return bound.around(_converted(value, target, or_null, env, path))


def _about(found: Value, value: Value) -> Value:
    """What is known of a cast, by the value in it."""
    node, target = found.sql, found.type
    if value.is_null and value.literal is not None:
        found.literal = type(value.literal)(null=types.with_nullability(target, True))
        found.type = found.literal.null
    elif type(node) is exp.Cast and node.this is value.sql:
        if _only_widens(held(value), target):
            found.narrow = value.narrow or value
        if not isinstance(value.sql, (exp.Literal, exp.Var)) and _keeps(held(value), target):
            found.inside = held(value)
    found.most = most_of_cast(held(value), target)
    return found


def _shows_other_places(value: Value) -> bool:
    """Whether the text of a number has other places behind the point than its declared type: ``0`` for ``0.00``."""
    if types.kind(value.type) != "decimal":
        return False
    found, declared = as_decimal(held(value)), as_decimal(value.type)
    return found is not None and declared is not None and found[1] != declared[1]


def _only_widens(source: Any, target: Any) -> bool:
    """Whether a CAST of a number is to a type that Spark gives it by itself beside a number of that type."""
    before, wide = types.kind(source) or "", types.kind(target) or ""
    if wide == "fp64":
        return before in INTEGERS or before in ("fp32", "decimal")
    if wide == "decimal":
        small, large = as_decimal(source), as_decimal(target)
        return small is not None and large is not None and _holds(small, large)
    return INTEGERS.get(before, 9) < INTEGERS.get(wide, 0)


def _keeps(source: Any, target: Any) -> bool:
    """Whether a CAST of a number leaves its value as it is, or fails."""
    small, large = as_decimal(source), as_decimal(target)
    return small is not None and large is not None and small[1] <= large[1]


def _holds(small: tuple[int, int], large: tuple[int, int]) -> bool:
    """Whether a decimal of this precision and scale has all values of another."""
    return small[1] <= large[1] and small[0] - small[1] <= large[0] - large[1]


def _yields(value: Value, target: Any) -> bool:
    """Whether the SQL of a number is of the type already, though declared as another: ``sum`` of DECIMAL(15, 2).

    A constant may be read as another type than it has beside its neighbours.
    """
    if value.sql_type is None or isinstance(value.sql, (exp.Literal, exp.Var, exp.Neg)):
        return False
    numbers = types.kind(value.type) in NUMBERS and types.kind(target) in NUMBERS
    return numbers and types.same(value.sql_type, target)


def cast_of_number(value: Value, target: Any, cx: Context, path: Path) -> exp.Expression:
    """A number under another type, as a producer that leaves the cast out means it."""
    finite, number = _constant(value)
    source = held(value) if value.literal is None else value.type
    return convert(value.sql, Conversion(source, target, False, cx, path, finite, number))


def _constant(value: Value) -> tuple[bool, float | None]:
    """Whether it is neither NaN nor infinite, as far as is known; what it is, if it is such a constant of fp64."""
    literal = value.literal
    kind = literal.WhichOneof("literal_type") if literal is not None else None
    finite = kind in ("fp32", "fp64") and math.isfinite(getattr(literal, kind))
    number = literal.fp64 if finite and kind == "fp64" else None
    return finite or value.most is not None, number


def _converted(value: Value, target: Any, or_null: bool, env: Env, path: Path) -> exp.Expression:
    """The value under the type of the cast."""
    literal = value.literal
    kind = literal.WhichOneof("literal_type") if literal is not None else None
    if kind == "null":
        return exp.Cast(this=exp.Null(), to=env.context.type_node(types.to_micros(target), path))
    finite, number = _constant(value)
    source = value.sql_type if types.children(value.sql_type) else value.type
    conversion = Conversion(source, target, or_null, env.context, path, finite, number)
    if types.kind(source) is None:
        return plain(value.sql, conversion)
    if kind is not None and value.sql.is_string:
        node = _of_text(value.sql.name, conversion)
        if node is not None:
            return node
    if value.sql_type is not None and types.same(source, target):
        return plain(value.sql, conversion)
    return convert(value.sql, conversion)


def _of_text(text: str, c: Conversion) -> exp.Expression | None:
    """What a text literal is under another type, where that can be told; None for Spark to find out."""
    if types.kind(c.target) in _TEXTS:
        return shortened(string_literal(text), c.target, len(text))
    if types.kind(c.target) == "uuid" and _UUID.fullmatch(text):
        return string_literal(text.lower())
    if types.kind(c.target) in _TIMES and text.strip().partition(" ")[0].lower() in _MOVING:
        raise refuse("SS2139", f"{text!r} is another time for each query", c.path)
    return None


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
