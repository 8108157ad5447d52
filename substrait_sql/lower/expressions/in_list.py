"""https://substrait.io/expressions/specialized_record_expressions/#or-list-equality-expression"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.dialect.operators import fold, infix, operand
from substrait_sql.lower.alike import bring_together
from substrait_sql.lower.context import invalid, refuse
from substrait_sql.lower.expressions import expression, lowers
from substrait_sql.lower.field import absorb, clone
from substrait_sql.lower.retry import compute_first
from substrait_sql.lower.values import Value
from substrait_sql.schema import types

if TYPE_CHECKING:
    from substrait_sql.lower.context import Env
    from substrait_sql.wire.path import Path


@lowers("singular_or_list")
def singular_or_list(message: Any, env: Env, path: Path) -> Value:
    """``x IN (a, b)``. Spark's IN over a list is three-valued, as the specification wants; it has no empty list."""
    _check_meant(message, env, path)
    value = expression(message.value, env, path / "value")
    options = [
        expression(option, env, (path / "options")[i]) for i, option in enumerate(message.options)
    ]
    if not options:
        return Value(exp.false(), types.boolean())
    bring_together([value, *options], env.context, path)
    node = exp.In(this=operand(value.sql, exp.In), expressions=[o.sql for o in options])
    nullable = any(v.type is None or types.nullable(v.type) for v in (value, *options))
    return Value(node, types.boolean(nullable=nullable))


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
    compared = list(values)
    rows: list[exp.Expression] = []
    for i, option in enumerate(message.options):
        at = (path / "options")[i]
        if len(option.fields) != len(values) or not values:
            raise invalid(
                "SS2142",
                f"a record of {len(option.fields)} for a value of {len(values)} fields",
                at,
            )
        cells = [expression(f, env, (at / "fields")[j]) for j, f in enumerate(option.fields)]
        for pair in zip(values, cells, strict=True):
            bring_together(list(pair), env.context, at)
        compared += cells
        pairs = zip(values, cells, strict=True)
        equal = [
            infix(exp.EQ, clone(value.sql) if several else value.sql, cell.sql)
            for value, cell in pairs
        ]
        rows.append(fold(exp.And, equal))
    if not rows:
        return Value(exp.false(), types.boolean())
    nullable = any(v.type is None or types.nullable(v.type) for v in compared)
    return Value(fold(exp.Or, rows), types.boolean(nullable=nullable))


def _repeated(message: Any, env: Env, path: Path, several: bool) -> Value:
    """A part of the value, which every option is compared to: what may not stand twice becomes a column first."""
    outside = env.take()
    value = expression(message, env, path)
    own = env.take()
    env.parts = outside
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
