"""https://substrait.io/expressions/subqueries/: queries inside expressions, as Spark takes them one boundary deep."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.dialect.operators import operand
from substrait_sql.lower.assemble import assemble, selected
from substrait_sql.lower.context import Env, invalid, refuse
from substrait_sql.lower.expressions import expression, lowers
from substrait_sql.lower.field import Traits
from substrait_sql.lower.values import Value
from substrait_sql.schema import types

if TYPE_CHECKING:
    from substrait_sql.lower.block import Block
    from substrait_sql.wire.path import Path

_EXISTS = 1


@lowers("subquery")
def subquery(message: Any, env: Env, path: Path) -> Value:
    """The subquery of its kind."""
    kind = message.WhichOneof("subquery_type")
    if kind == "scalar":
        return _scalar(message.scalar, env, path / "scalar")
    if kind == "set_predicate":
        return _exists(message.set_predicate, env, path / "set_predicate")
    if kind == "in_predicate":
        return _in(message.in_predicate, env, path / "in_predicate")
    if kind is None:
        raise invalid("SS2160", "the subquery is empty", path)
    raise refuse("SS2161", f"{kind} subqueries have no SQL yet", path)


def _scalar(message: Any, env: Env, path: Path) -> Value:
    """``(SELECT …)``: no row is NULL, a second row an error, in Spark as in the specification."""
    block = _inner(message.input, env, path / "input")
    if len(block.fields) != 1:
        raise invalid(
            "SS2162", f"a scalar subquery returns one column, this one {len(block.fields)}", path
        )
    field = block.fields[0]
    query = _query(block, [0], env)
    type = types.with_nullability(field.type, True) if field.type is not None else None
    return Value(exp.Subquery(this=query), type, field.sql_type, field.name)


def _exists(message: Any, env: Env, path: Path) -> Value:
    """``EXISTS(SELECT 1 …)``."""
    if message.predicate_op != _EXISTS:
        raise refuse("SS2163", "UNIQUE subqueries have no SQL yet", path / "predicate_op")
    block = _inner(message.tuples, env, path / "tuples")
    block.order = [] if not block.limited else block.order
    query = _query(block, [], env)
    return Value(exp.Exists(this=query), types.boolean())


def _in(message: Any, env: Env, path: Path) -> Value:
    """``needle IN (SELECT …)``, where only its TRUE matters: elsewhere Spark says FALSE for the NULL of SQL."""
    if not env.truth:
        raise refuse(
            "SS2164",
            "IN with a subquery, used as a value, has no SQL yet: Spark's own does not know NULL there",
            path,
        )
    needles = [expression(n, env, (path / "needles")[i]) for i, n in enumerate(message.needles)]
    block = _inner(message.haystack, env, path / "haystack")
    if len(needles) != len(block.fields):
        raise invalid(
            "SS2165", f"{len(needles)} needles for a haystack of {len(block.fields)} columns", path
        )
    query = _query(block, range(len(block.fields)), env)
    left = (
        operand(needles[0].sql, exp.In)
        if len(needles) == 1
        else exp.Tuple(expressions=[n.sql for n in needles])
    )
    operands = [v.type for v in needles] + [f.type for f in block.fields]
    nullable = any(t is None or types.nullable(t) for t in operands)
    node = exp.In(this=left, query=exp.Subquery(this=query))
    return Value(node, types.boolean(nullable=nullable))


def _inner(relation: Any, env: Env, path: Path) -> Block:
    from substrait_sql.lower.relations import relation as lower_relation

    return lower_relation(relation, env.context, path, outer=env)


def _query(block: Block, needed: Any, env: Env) -> exp.Query:
    query, scope = assemble(block, selected(block, set(needed)), aliases=False)
    env.parts.scopes.append(scope)
    env.parts.traits |= Traits.SUBQUERY
    return query
