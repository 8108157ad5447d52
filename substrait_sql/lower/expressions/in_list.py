"""https://substrait.io/expressions/specialized_record_expressions/#or-list-equality-expression"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.dialect.facts import Facts
from substrait_sql.dialect.operators import fold, operand
from substrait_sql.errors import invalid, refuse
from substrait_sql.lower.common_type import (
    bring_together,
    brought_together,
    compared,
    require_alike,
)
from substrait_sql.lower.expression import expression, lowers
from substrait_sql.lower.expressions.functions.once import each_once
from substrait_sql.lower.retry import compute_first
from substrait_sql.lower.value import Value
from substrait_sql.lower.widening import without_widening
from substrait_sql.schema import types
from substrait_sql.select.field import absorb
from substrait_sql.tree.copies import clone

if TYPE_CHECKING:
    from substrait_sql.lower.context import Env
    from substrait_sql.wire.path import Path


@lowers("singular_or_list")
def singular_or_list(message: Any, env: Env, path: Path) -> Value:
    """``x IN (a, b)``. Spark's IN over a list is three-valued, as the specification wants; it has no empty list."""
    _check_meant(message, env, path)
    places = [(message.value, path / "value")]
    places += [(option, (path / "options")[i]) for i, option in enumerate(message.options)]
    value, *options = (expression(each, env, at) for each, at in places)
    if not options:
        return Value(exp.false(), types.boolean())
    require_alike([value, *options], path)
    without_widening([value, *options], Facts(compares=True))
    node: exp.Expression
    if brought_together([value, *options], env.context, path):
        node = exp.In(this=operand(value.sql, exp.In), expressions=[o.sql for o in options])
    else:
        _refuse_long(value, options, env, path)
        pairs = partial(_by_pairs, value, options, env, path)
        node = each_once([value, *options], places, env, path, pairs)
    nullable = any(v.type is None or types.nullable(v.type) for v in (value, *options))
    return Value(node, types.boolean(nullable=nullable))


def _by_pairs(value: Value, options: list[Value], env: Env, path: Path) -> exp.Expression:
    """``x = a OR x = b``, for decimals that no third one holds."""
    pairs = [
        compared(exp.EQ, _copy(value) if i else value, option, env.context, path)
        for i, option in enumerate(options)
    ]
    return fold(exp.Or, pairs)


def _refuse_long(value: Value, options: list[Value], env: Env, path: Path) -> None:
    """Refuses a value that would be written out for each option, unless it is a column."""
    if len(options) > 1 and value.sql.find(exp.Query, exp.Func, exp.Binary):
        bring_together([value, *options], env.context, path)


def _copy(value: Value) -> Value:
    return Value(clone(value.sql), value.type, value.sql_type)


def _check_meant(message: Any, env: Env, path: Path) -> None:
    """Refuses a list that may be another condition, see `Habits`."""
    habits = env.context.habits
    alone = len(message.options) == 1 and message.options[0].WhichOneof("rex_type") == "selection"
    if habits.loses_not:
        why, hint = (
            "NOT IN as IN",
            "compare with == and |, or make the plan with ibis-substrait 3.2 or newer",
        )
    elif habits.lists_columns and alone:
        why, hint = (
            "the column of another table as one of this",
            "make the plan with ibis-substrait 4.0 or newer",
        )
    else:
        return
    raise refuse("SS2169", f"the list may be another condition: this Ibis writes {why}", path, hint)


@lowers("multi_or_list")
def multi_or_list(message: Any, env: Env, path: Path) -> Value:
    """An OR of ANDs: Spark compares tuples as structs, for which NULL equals NULL."""
    several = len(message.options) > 1
    values = [_repeated(v, env, (path / "value")[i], several) for i, v in enumerate(message.value)]
    known = list(values)
    places = [(v, (path / "value")[i]) for i, v in enumerate(message.value)]
    rows: list[list[Value]] = []
    for i, option in enumerate(message.options):
        at = (path / "options")[i]
        if len(option.fields) != len(values) or not values:
            raise invalid(
                "SS2142",
                f"a record of {len(option.fields)} for a value of {len(values)} fields",
                at,
            )
        inside = [(f, (at / "fields")[j]) for j, f in enumerate(option.fields)]
        rows.append([expression(each, env, place) for each, place in inside])
        known += rows[-1]
        places += inside
    if not rows:
        return Value(exp.false(), types.boolean())
    nullable = any(v.type is None or types.nullable(v.type) for v in known)
    build = partial(_records, values, rows, env, path)
    return Value(each_once(known, places, env, path, build), types.boolean(nullable=nullable))


def _records(values: list[Value], rows: list[list[Value]], env: Env, path: Path) -> exp.Expression:
    """``x = 1 AND y = 2 OR x = 3 AND y = 4``."""
    found = []
    for i, row in enumerate(rows):
        at = (path / "options")[i]
        equal = [
            compared(exp.EQ, _copy(value) if len(rows) > 1 else value, cell, env.context, at)
            for value, cell in zip(values, row, strict=True)
        ]
        found.append(fold(exp.And, equal))
    return fold(exp.Or, found)


def _repeated(message: Any, env: Env, path: Path, several: bool) -> Value:
    """A part of the value, which every option is compared to: what may not stand twice becomes a column first."""
    with env.apart() as own:
        value = expression(message, env, path)
    if several and value.as_field(own).heavy:
        if env.lambdas:
            raise refuse(
                "SS2155",
                "inside a lambda a value that is compared to many must not be as long as this one",
                path,
            )
        compute_first(value, own, env, path)
    absorb(env.parts, own)
    return value
