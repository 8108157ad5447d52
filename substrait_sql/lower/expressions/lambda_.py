"""https://substrait.io/expressions/lambda_expressions/: functions as values, their parameters, and calls of them.

Spark has ``x -> x * 2`` as the argument of a function, and nowhere else: a lambda that is called at once is one over
a list of one, unless its arguments can stand for its parameters.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.errors import invalid, refuse
from substrait_sql.lower.expression import expression, lowers
from substrait_sql.lower.expressions.functions.bound import called_with, parameter_names
from substrait_sql.lower.expressions.functions.lambdas import USUAL, held
from substrait_sql.lower.expressions.nested import exact_value, struct_of
from substrait_sql.lower.expressions.references.segments import struct_field
from substrait_sql.lower.retry import apart
from substrait_sql.lower.value import Value
from substrait_sql.schema import types
from substrait_sql.select.field import absorb
from substrait_sql.select.signals import CloseBlock
from substrait_sql.spark.clauses import Clause
from substrait_sql.tree.copies import clone

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.lower.context import Env
    from substrait_sql.wire.path import Path

# An argument of more nodes than this stands in the text once, however often the body uses it.
_SMALL = 3


@lowers("lambda")
def lambda_(message: Any, env: Env, path: Path) -> Value:
    """``x -> x * 2``."""
    inputs = list(message.parameters.types)
    if not inputs:
        raise refuse("SS2158", "Spark has no functions without parameters", path)
    names = parameter_names(env, len(inputs), usual=USUAL.get(env.callee, ()))
    actual = held(env.callee, env.given)
    env.callee, env.given = "", []
    parameters = [
        Value(name, t, actual[i] if i < len(actual) else None, name.name)
        for i, (name, t) in enumerate(zip(names, inputs, strict=True))
    ]
    body = _body(message.body, parameters, env, path / "body")
    node = exp.Lambda(this=exact_value(body, body.type, env, path), expressions=names)
    return Value(node, _function_type(inputs, body.type))


@lowers("named_lambda_reference")
def named_lambda(message: Any, env: Env, path: Path) -> Value:
    """A lambda of the plan, written where it is used."""
    found, at = env.context.named_lambda(message.lambda_reference, path)
    with env.alone():
        return lambda_(found, env, at)


@lowers("lambda_invocation")
def invocation(message: Any, env: Env, path: Path) -> Value:
    """A lambda that is called at once: its body, with the arguments for the parameters."""
    kind = message.WhichOneof("lambda_type")
    if kind is None:
        raise invalid("SS2156", "the invocation names no lambda", path)
    fields = message.arguments.fields
    before = env.parts.size
    at = (path / "arguments") / "fields"
    # Spark takes no query in what a lambda is called with, and copied into the body it would be run as often.
    given = [apart(m, env, at[i], Clause.CALLED_WITH) for i, m in enumerate(fields)]
    small = env.parts.size - before <= _SMALL * max(1, len(given))
    if kind == "named_lambda":
        callee, where = env.context.named_lambda(message.named_lambda.lambda_reference, path)
        with env.alone():
            return _called(callee, given, small, env, where)
    return _called(getattr(message, kind), given, small, env, path / kind)


def _called(callee: Any, given: list[Value], small: bool, env: Env, path: Path) -> Value:
    inputs = list(callee.parameters.types)
    if len(inputs) != len(given):
        message = f"the lambda has {len(inputs)} parameters, and {len(given)} arguments are given"
        raise invalid("SS2156", message, path)
    if small:
        return _body(callee.body, given, env, path / "body", copied=True)
    (name,) = parameter_names(env, 1)
    record = given[0] if len(given) == 1 else struct_of(given, False, env, path)
    whole = Value(name, record.type, record.sql_type, name.name)
    parts = (
        [whole]
        if len(given) == 1
        else [struct_field(whole, i, env, path) for i in range(len(given))]
    )
    body = _body(callee.body, parts, env, path / "body")
    node = called_with(record.sql, name, exact_value(body, body.type, env, path))
    return Value(node, body.type, None, body.name)


def parameter(message: Any, ordinal: int, env: Env, path: Path) -> Value:
    """A use of a parameter of the lambda ``steps_out`` lambdas further out."""
    steps = message.steps_out
    if not 0 <= steps < len(env.lambdas):
        raise invalid(
            "SS2157", f"the reference steps out of {steps} lambdas, of {len(env.lambdas)}", path
        )
    found = env.lambdas[-1 - steps]
    if not 0 <= ordinal < len(found):
        raise invalid(
            "SS2157", f"parameter {ordinal} does not exist: the lambda has {len(found)}", path
        )
    value = found[ordinal]
    sql = clone(value.sql, env.parts.columns)
    env.parts.size += 1
    return Value(sql, value.type, value.sql_type, value.name, value.literal)


def _body(
    message: Any, parameters: list[Value], env: Env, path: Path, *, copied: bool = False
) -> Value:
    """The body, which sees the parameters and what the lambda itself sees."""
    with env.apart() as own, env.inside(parameters):
        value = expression(message, env, path)
    if types.kind(value.type) == "func" and not copied:
        raise refuse("SS2158", "Spark has no function that returns a function", path)
    if own.traits & Clause.LAMBDA.forbids and not copied:
        if any(not f.plain for f in env.block.fields):
            raise CloseBlock(env.block)
        raise refuse(
            "SS2150",
            "Spark takes no subquery and no window function inside a lambda",
            path,
            "compute it as a column below",
        )
    absorb(env.parts, own)
    return value


def _function_type(inputs: Sequence[Any], result: Any) -> Any:
    out = types.unknown()
    out.func.parameter_types.extend(inputs)
    if result is not None:
        out.func.return_type.CopyFrom(result)
    out.func.nullability = types.REQUIRED
    return out
