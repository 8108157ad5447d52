"""https://substrait.io/relations/logical_relations/#sort-operation: an order that a function of the plan gives.

ORDER BY takes keys, not comparisons. How many of all keys the function calls less than its own puts a row where the
function would: equal ones get the same number, whatever else they differ in.

    SELECT id FROM (
      SELECT id, size(filter(array_distinct(collect_list(x) RESPECT NULLS OVER ()), x -> x - t.x < 0)) AS place FROM t
    ) ORDER BY place
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.dialect import operators
from substrait_sql.dialect.calls import values_listed
from substrait_sql.dialect.model import Argument, Call
from substrait_sql.errors import invalid
from substrait_sql.lower.retry import apart
from substrait_sql.schema import types
from substrait_sql.select.block import Slot
from substrait_sql.select.field import Field, Traits
from substrait_sql.select.signals import CloseBlock, ComputeFirst
from substrait_sql.spark.clauses import Clause
from substrait_sql.tree.copies import clone

if TYPE_CHECKING:
    from substrait_sql.lower.context import Env
    from substrait_sql.lower.value import Value
    from substrait_sql.wire.path import Path

_NUMBERS = ("i8", "i16", "i32", "i64", "decimal", "fp32", "fp64")


def place(message: Any, env: Env, path: Path, clause: Clause) -> Field:
    """What a sort field of this kind is sorted by.

    Where ORDER BY is not what has it, or the block takes no window, that is a column first: the retry finds it at the
    field's `expr`.
    """
    if env.moved:
        raise CloseBlock(env.block)
    at = path / "expr"
    with env.apart() as parts:
        key = apart(message.expr, env, at, Clause.COMPARED)
        again = clone(key.sql, parts.columns)
        less = _less(message.comparison_function_reference, key, env, path)
    if parts.traits & Traits.AGGREGATE or env.block.grouping_sets:
        # Spark knows no measure inside a lambda, and collects the ungrouped values of a key.
        raise CloseBlock(env.block)
    parts.traits |= Traits.WINDOW
    listed, field = values_listed(again, env.context.dialect.target.lacks)
    every: exp.Expression = exp.Window(this=listed, over="OVER")
    every = exp.Dot(this=every, expression=field) if field is not None else every
    smaller = operators.call("filter", operators.call("array_distinct", every), less)
    sql = operators.call("size", smaller)
    found = Field(types.i32(), "place", sql=sql, parts=parts)
    if clause is Clause.SORT and env.block.is_open(Slot.WINDOW):
        return found
    raise ComputeFirst(env.block, found, at)


def _less(anchor: int, key: Value, env: Env, path: Path) -> exp.Expression:
    """``x -> compare(x, key) < 0``. A function that gives NULL puts its arguments in no order."""
    at = path / "comparison_function_reference"
    other = exp.Column(this=exp.to_identifier("x"))
    arguments = [
        Argument(sql=sql, type=key.type, sql_type=key.sql_type) for sql in (other, key.sql)
    ]
    call = Call(env.context.functions.get(anchor, at), arguments, (), None, at)
    built = env.context.dialect.scalar(call)
    if types.kind(built.type) not in _NUMBERS:
        raise invalid(
            "SS2184",
            f"{call.function.name} gives no number below, at or above zero, and so puts nothing in order",
            at,
        )
    compared = built.sql
    if key.type is None or types.nullable(key.type):
        error = operators.call(
            "raise_error", exp.Literal.string("the comparison function of a sort gives NULL")
        )
        compared = operators.call("coalesce", compared, error)
    negative = operators.infix(exp.LT, compared, exp.Literal.number(0))
    return exp.Lambda(this=negative, expressions=[exp.to_identifier("x")])
