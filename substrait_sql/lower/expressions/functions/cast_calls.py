"""Calls that are casts, and arguments that a producer casts itself and leaves uncast in its plans."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from substrait_sql.schema import types

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.dialect.model import Argument, Built
    from substrait_sql.lower.context import Env
    from substrait_sql.lower.value import Value
    from substrait_sql.wire.path import Path

_AS_TEXTS = frozenset(
    {
        "bool", "i8", "i16", "i32", "i64", "fp32", "fp64", "decimal", "user_defined",
        "date", "precision_time", "precision_timestamp", "precision_timestamp_tz",
    }
)  # fmt: skip


def cast_of_call(built: Built, message: Any, value: Value, env: Env, path: Path) -> Value:
    """A call of a line that says `casts`: the value under the type that the call declares.

    Raises `UnsupportedError` SS2139 where no such cast is defined.
    """
    return _cast(value, built.type, message.arguments, 0, env, path)


def cast_to_texts(
    values: list[Value],
    arguments: Sequence[Argument],
    messages: Sequence[Any],
    env: Env,
    path: Path,
) -> None:
    """Makes texts of the arguments that are numbers, booleans or times, for functions that take texts."""
    for i, argument in enumerate(arguments):
        if argument.kind in _AS_TEXTS and len(values) == len(messages):
            target = types.string(nullable=types.nullable(argument.type))
            value = _cast(values[i], target, messages, i, env, path)
            values[i] = value
            argument.sql, argument.sql_type, argument.inside = value.sql, None, None
            argument.narrow = None
            argument.retype(target)


def _cast(
    value: Value, target: Any, messages: Sequence[Any], i: int, env: Env, path: Path
) -> Value:
    # Casts are read where a plan has some, and few have.
    from substrait_sql.lower.expressions.casts.cast import Inside, cast_of

    return cast_of(value, target, env, path, Inside(messages[i].value, path.argument(i)))
