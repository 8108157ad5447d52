"""Columns that a CASE has made sure are not zero, so that a branch of it may divide by them as they are.

``CASE WHEN y > 0 THEN x / y END``: Spark evaluates a branch in rows only for which it is chosen. Nothing is said of
conditions of a WHERE, which Spark may evaluate behind what is computed in the same SELECT.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from substrait_sql.lower.records import record_field

if TYPE_CHECKING:
    from substrait_sql.lower.context import Env
    from substrait_sql.wire.path import Path

Columns = frozenset[int]
_NONE: Columns = frozenset()


def where_true(condition: Any, env: Env, path: Path) -> Columns:
    """The columns, by the ids of their fields, that are not zero where the condition is TRUE."""
    found = _compared(condition, env, path)
    if found is None:
        return _NONE
    name, call = found
    if name == "and":
        parts = [where_true(a.value, env, path.argument(i)) for i, a in enumerate(call.arguments)]
        return _NONE.union(*parts)
    return _column_beside_zero(call, env) if name in ("gt", "lt", "not_equal") else _NONE


def where_not_true(condition: Any, env: Env, path: Path) -> Columns:
    """Those that are not zero where it is FALSE, or NULL."""
    found = _compared(condition, env, path)
    return _column_beside_zero(found[1], env) if found and found[0] == "equal" else _NONE


def unlike(match: Any, arm: Any, env: Env) -> Columns:
    """Those that are not zero where one value is not the other, a literal."""
    return _column(match, env) if is_zero(arm) else _NONE


def is_known(divisor: Any, env: Env) -> bool:
    """Whether what is divided by is such a column, or one of them as a double."""
    return bool(env.nonzero) and not env.nonzero.isdisjoint(_column(divisor, env))


def is_zero(literal: Any) -> bool:
    """Whether a literal is the number zero."""
    kind = literal.WhichOneof("literal_type")
    if kind == "decimal":
        return not any(literal.decimal.value)
    return kind in ("i8", "i16", "i32", "i64", "fp32", "fp64") and not getattr(literal, kind)


def _compared(message: Any, env: Env, path: Path) -> tuple[str, Any] | None:
    if message.WhichOneof("rex_type") != "scalar_function":
        return None
    call = message.scalar_function
    at = path / "scalar_function"
    return env.context.functions.get(call.function_reference, at).standard, call


def _column_beside_zero(call: Any, env: Env) -> Columns:
    if len(call.arguments) != 2:
        return _NONE
    value, zero = (a.value for a in call.arguments)
    literal = zero.WhichOneof("rex_type") == "literal" and is_zero(zero.literal)
    return _column(value, env) if literal else _NONE


def _column(message: Any, env: Env) -> Columns:
    """The column that it is; as a double it is zero in no more rows."""
    while message.WhichOneof("rex_type") == "cast" and message.cast.type.HasField("fp64"):
        message = message.cast.input
    field = record_field(message, env.fields)
    return frozenset({id(field)}) if field is not None else _NONE
