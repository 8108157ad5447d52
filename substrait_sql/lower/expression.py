"""Lowering an expression: finds the function for a message. `lower.kinds` has all of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.errors import SubstraitSqlError, invalid, refuse
from substrait_sql.lower import expressions, kinds
from substrait_sql.lower.context import Env
from substrait_sql.lower.value import Value
from substrait_sql.select.asked import VALUE
from substrait_sql.select.field import Traits
from substrait_sql.tree.copies import COPIED
from substrait_sql.tree.origin import note
from substrait_sql.wire.path import Path

if TYPE_CHECKING:
    from substrait_sql.select.field import Field


Lowering = Callable[[Any, Env, Path], Value]


_LOWERINGS: dict[str, Lowering] = {}


# Kinds that pass on what is asked of them.
_PASS_ON = ("scalar_function", "subquery", "cast")


def lowers(rex_type: str) -> Callable[[Lowering], Lowering]:
    """Registers the function for a member of ``Expression.rex_type``."""

    def register(function: Lowering) -> Lowering:
        _LOWERINGS[rex_type] = function
        return function

    return register


def expression(message: Any, env: Env, path: Path) -> Value:
    """Lowers one expression. What it uses is noted in ``env.parts``."""
    context = env.context
    work = context.work
    work.done += 1
    if work.done + COPIED.nodes > work.allowed:
        work.beyond(path)
    rex_type = message.WhichOneof("rex_type")
    lowering = _LOWERINGS.get(rex_type) or kinds.find(rex_type, _LOWERINGS, expressions)
    if lowering is None:
        if rex_type is None:
            raise invalid("SS2110", "the expression is empty: none of its kinds is set", path)
        raise refuse("SS2111", f"expressions of kind {rex_type} have no SQL yet", path)
    if env.block.computed and str(path) in env.block.computed:
        return _column(env.block.computed[str(path)], env)
    if context.findings is not None:
        return _noted(lowering, rex_type, message, env, path)
    env.parts.size += 1
    if env.asked is VALUE or rex_type in _PASS_ON:
        value = lowering(getattr(message, rex_type), env, Path(path, rex_type))
    else:
        value = _asked_nothing(lowering, rex_type, message, env, path)
    if context.mapped:
        note(value.sql, path)
    return value


def _asked_nothing(lowering: Lowering, rex_type: str, message: Any, env: Env, path: Path) -> Value:
    with env.asking(VALUE):
        return lowering(getattr(message, rex_type), env, Path(path, rex_type))


def _column(field: Field, env: Env) -> Value:
    """An expression that is a column already; while the others are still being collected, a stand-in for it."""
    return Value(computed(field, env), field.type, field.sql_type, field.name, None, field.subject)


def computed(field: Field, env: Env) -> exp.Expression:
    """A column of `Block.computed`, or NULL while it is none yet: the relation is lowered again once it is."""
    if field.plain:
        return field.copy(env.parts)
    env.parts.traits |= Traits.PENDING
    return exp.Null()


def _noted(lowering: Lowering, rex_type: str, message: Any, env: Env, path: Path) -> Value:
    """For `check`: an expression that cannot be lowered is noted, and a NULL stands in for it."""
    findings = env.context.findings
    assert findings is not None
    try:
        if rex_type in _PASS_ON:
            return lowering(getattr(message, rex_type), env, Path(path, rex_type))
        return _asked_nothing(lowering, rex_type, message, env, path)
    except SubstraitSqlError as error:
        findings.extend(d for d in error.diagnostics if d not in findings)
        return Value(exp.Null(), None)


def supported() -> frozenset[str]:
    """The members of ``Expression.rex_type`` that have a lowering."""
    kinds.register()
    return frozenset(_LOWERINGS)
