"""https://substrait.io/expressions/window_functions/: ``f(x) OVER (PARTITION BY … ORDER BY … ROWS …)``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.dialect import operators
from substrait_sql.dialect.model import Built, Call
from substrait_sql.lower.assemble import ordered
from substrait_sql.lower.context import Env, refuse
from substrait_sql.lower.expressions import lowers
from substrait_sql.lower.expressions.frame import Frame, frame
from substrait_sql.lower.expressions.function import (
    call_arguments,
    declared_type,
    named,
    options_of,
)
from substrait_sql.lower.expressions.selection import of_field
from substrait_sql.lower.field import Traits, absorb, clone
from substrait_sql.lower.retry import apart, compute_first
from substrait_sql.lower.sorting import sort_keys
from substrait_sql.lower.values import Value, settle
from substrait_sql.schema import types

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.lower.block import SortKey
    from substrait_sql.wire.path import Path

_DISTINCT = 2
# Spark computes these over the whole partition and takes no frame for them.
_FRAMELESS = frozenset(
    {"row_number", "rank", "dense_rank", "percent_rank", "cume_dist", "ntile", "lead", "lag"}
)
# These insist on an order, whatever it is.
_ORDERED = _FRAMELESS | {"nth_value"}
# Spark gives these no FILTER.
_UNFILTERED = frozenset({"first_value", "last_value", "nth_value"})
# What these are over no rows; the others are NULL.
_OVER_NOTHING = {"count": 0, "sum0": 0, "approx_count_distinct": 0, "product": 1}
# A repeated value changes nothing in these.
_DISTINCT_ANYWAY = frozenset({"min", "max", "any_value", "bool_and", "bool_or"})
# The order of the rows is nothing to these.
_ORDERLESS = frozenset(
    {
        "count", "sum", "sum0", "avg", "min", "max", "std_dev", "variance", "corr", "mode", "median", "product",
        "quantile", "bool_and", "bool_or", "approx_count_distinct",
    }
)  # fmt: skip
# Spark computes these over whole partitions only.
_UNFRAMED = frozenset({"median"})


@dataclass(slots=True)
class Window:
    """What stands in an OVER clause besides the frame. sorts: as the plan has them, `keys` as they are written."""

    partitions: list[exp.Expression]
    keys: list[exp.Expression]
    sorts: Sequence[Any]


@lowers("window_function")
def window_function(message: Any, env: Env, path: Path) -> Value:
    """A window function with a window of its own."""
    outside = env.take()
    window = window_of(message.partitions, path / "partitions", message.sorts, path / "sorts", env)
    value = call_over(message, window, env, path)
    own = env.take()
    env.parts = outside
    if env.unfit & Traits.WINDOW:
        # `path` is that of the member; the expression itself is what the retry looks for.
        assert path.parent is not None
        compute_first(value, own, env, path.parent)
    absorb(env.parts, own)
    return value


def window_of(
    partitions: Sequence[Any], partitions_at: Path, sorts: Sequence[Any], sorts_at: Path, env: Env
) -> Window:
    """The rows that a function is computed over, and their order."""
    keys = [apart(p, env, partitions_at[i], Traits.WINDOW).sql for i, p in enumerate(partitions)]
    return Window(keys, _keys(sorts, env, sorts_at), sorts)


def call_over(message: Any, window: Window, env: Env, path: Path) -> Value:
    """The function over that window. Unset bounds mean the whole partition, unlike SQL's default: they are written."""
    name = env.context.functions.get(message.function_reference, path)
    values, arguments = call_arguments(message.arguments, env, path, Traits.WINDOW)
    call = Call(name, arguments, options_of(message), declared_type(message), path)
    keys = window.keys
    within = Frame()
    if name.name not in _FRAMELESS:
        within = frame(message, window.sorts, bool(keys), env, path)
    if within.whole and name.name in _ORDERLESS:
        keys, within.spec = [], None
    elif name.name in _UNFRAMED:
        raise refuse("SS2177", f"Spark computes {name.name} over whole partitions only", path)
    if name.name in _ORDERED and not keys:
        keys = [exp.Ordered(this=exp.Null(), nulls_first=True)]
    if message.invocation == _DISTINCT and name.name not in _DISTINCT_ANYWAY:
        built = _distinct(call, path)
    else:
        built = env.context.dialect.window(call)
    if within.empty and not within.peers:
        built = _over_nothing(built, name.name, env, path)
    elif within.peers and name.name in _UNFILTERED:
        raise refuse(
            "SS2176",
            f"{name.name} over a frame that ends before it begins has no SQL: around a NULL it is not empty",
            path,
        )
    else:
        built.wrap(_over(window, keys, within))
    # The clones are twins of these columns, which are in the environment already.
    env.parts.traits |= Traits.WINDOW
    return settle(named(built, name, values), env.context, path)


def _over(window: Window, keys: list[exp.Expression], within: Frame) -> Any:
    def over(node: exp.Expression) -> exp.Expression:
        if within.peers:
            # No row is in the frame, unless the current one is NULL by its key: then its peers are.
            is_null = exp.Is(this=clone(window.keys[0].this), expression=exp.Null())
            node = exp.Filter(this=node, expression=exp.Where(this=is_null))
        order = exp.Order(expressions=[clone(k) for k in keys]) if keys else None
        return exp.Window(
            this=node,
            partition_by=[clone(p) for p in window.partitions],
            order=order,
            spec=clone(within.spec) if within.spec is not None else None,
            over="OVER",
        )

    return over


def _over_nothing(built: Built, name: str, env: Env, path: Path) -> Built:
    """What an aggregate of no row is. Spark does not take such a frame, and fails over FILTER (WHERE FALSE)."""
    if name in _OVER_NOTHING:
        return Built(exp.Literal.number(_OVER_NOTHING[name]), built.type, types.i32())
    sql: exp.Expression = exp.Null()
    if built.type is not None:
        sql = operators.cast(sql, env.context.type_node(built.type, path))
    return Built(sql, built.type)


def _distinct(call: Call, path: Path) -> Built:
    """``count(DISTINCT x)``, which Spark does not take in a window: the size of the set of values."""
    if call.function.name != "count" or len(call.values) != 1:
        raise refuse(
            "SS2171",
            f"Spark takes no DISTINCT in a window, and {call.function.name} has no other form",
            path / "invocation",
        )
    (x,) = call.values
    if types.kind(call.types[0]) in ("fp32", "fp64"):
        # The set would hold -0.0 next to 0.0; their sums with 0 are the same.
        x = operators.infix(exp.Add, x, exp.Literal.number(0))
    values = operators.call("collect_set", x)
    built = Built(operators.call("size", values), call.output_type or types.i64(), types.i32())
    built.calls = (values,)
    return built


def _keys(sorts: Sequence[Any], env: Env, path: Path) -> list[exp.Expression]:
    """The ORDER BY of the window; a constant key orders nothing and would be read as an ordinal."""
    nodes: list[exp.Expression] = []
    keys: list[SortKey] = sort_keys(sorts, env, path, Traits.WINDOW)
    for key in keys:
        own = any(key.field is f for f in env.fields)
        node = of_field(key.field, env).sql if own else key.field.emit(env.parts)
        nodes.append(ordered(node, key))
    return nodes
