"""The keys of physical joins: https://substrait.io/relations/physical_relations/#comparison-join-key."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.dialect.model import Argument, Call
from substrait_sql.dialect.operators import call
from substrait_sql.errors import invalid
from substrait_sql.lower.common_type import compared
from substrait_sql.lower.expressions.references.selection import selection
from substrait_sql.lower.relations.rows.filter import conditions
from substrait_sql.lower.value import Value
from substrait_sql.schema import types

if TYPE_CHECKING:
    from substrait_sql.lower.context import Env
    from substrait_sql.select.asked import Asked
    from substrait_sql.select.field import Field
    from substrait_sql.wire.path import Path

_EQUAL, _NOT_DISTINCT, _MIGHT_EQUAL = 1, 2, 3


def key_conditions(
    message: Any, width: int, turned: bool, env: Env, asked: Asked, path: Path
) -> list[Field]:
    """The keys and the residual expression, all of which must hold. width: how many columns the left side has.

    turned: whether the right side is the first one in FROM.
    """
    if not message.keys:
        raise invalid("SS2045", "the join has no keys", path / "keys")
    found = [
        _key(key, width, turned, env, (path / "keys")[i]) for i, key in enumerate(message.keys)
    ]
    if message.HasField("residual_expression"):
        at = path / "residual_expression"
        found += conditions(message.residual_expression, env, at, asked)
    return found


def has_equality(message: Any) -> bool:
    """Whether Spark can hash or sort by a key: the condition for its join hints to mean anything."""
    return any(k.comparison.simple in (_EQUAL, _NOT_DISTINCT) for k in message.keys)


def _key(key: Any, width: int, turned: bool, env: Env, path: Path) -> Field:
    """One comparison. Each side's reference is rooted in that side, so the right one's ordinals begin at 0 again."""
    values = []
    for name, fields in (("left", env.fields[:width]), ("right", env.fields[width:])):
        with env.seeing(fields):
            values.append(selection(getattr(key, name), env, path / name))
    if turned and key.comparison.simple:
        values.reverse()
    return _compared(key.comparison, values[0], values[1], env, path / "comparison").as_field(
        env.take()
    )


def _compared(comparison: Any, left: Value, right: Value, env: Env, path: Path) -> Value:
    kind = comparison.WhichOneof("inner_type")
    if kind == "custom_function_reference":
        return _custom(comparison.custom_function_reference, left, right, env, path / kind)

    def sql(operator: type[exp.Expression]) -> exp.Expression:
        return compared(operator, left, right, env.context, path)

    if comparison.simple == _EQUAL:
        nullable = any(v.type is None or types.nullable(v.type) for v in (left, right))
        return Value(sql(exp.EQ), types.boolean(nullable=nullable))
    if comparison.simple == _NOT_DISTINCT:
        return Value(sql(exp.NullSafeEQ), types.boolean())
    if comparison.simple == _MIGHT_EQUAL:
        # NULL might be equal to anything.
        return Value(call("coalesce", sql(exp.EQ), exp.true()), types.boolean())
    raise invalid("SS2046", "the comparison of the key is not specified", path)


def _custom(reference: int, left: Value, right: Value, env: Env, path: Path) -> Value:
    """A binary function that returns a boolean, such as ``lt``."""
    name = env.context.functions.get(reference, path)
    arguments = [Argument(sql=v.sql, type=v.type, sql_type=v.sql_type) for v in (left, right)]
    built = env.context.dialect.scalar(Call(name, arguments, (), None, path))
    if types.kind(built.type) not in (None, "bool"):
        raise invalid("SS2047", f"{name} compares keys, but does not return a boolean", path)
    nullable = built.type is None or types.nullable(built.type)
    return Value(built.sql, types.boolean(nullable=nullable))
