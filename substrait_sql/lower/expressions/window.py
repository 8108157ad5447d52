"""https://substrait.io/expressions/window_functions/: ``f(x) OVER (PARTITION BY … ORDER BY … ROWS …)``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.dialect.model import Call
from substrait_sql.lower.assemble import ordered
from substrait_sql.lower.context import Env, invalid, refuse
from substrait_sql.lower.expressions import expression, lowers
from substrait_sql.lower.expressions.function import (
    _named,
    call_arguments,
    declared_type,
    options_of,
)
from substrait_sql.lower.expressions.selection import of_field
from substrait_sql.lower.field import Traits, clone
from substrait_sql.lower.sorting import sort_keys
from substrait_sql.lower.values import Value, settle

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.lower.block import SortKey
    from substrait_sql.wire.path import Path

_UNSPECIFIED, _ROWS, _RANGE = 0, 1, 2
_DISTINCT = 2
# Spark computes these over the whole partition and takes no frame for them.
_FRAMELESS = frozenset(
    {"row_number", "rank", "dense_rank", "percent_rank", "cume_dist", "ntile", "lead", "lag"}
)


@lowers("window_function")
def window_function(message: Any, env: Env, path: Path) -> Value:
    """A window function. Unset bounds mean the whole partition, unlike SQL's default, so the frame is written out."""
    name = env.context.functions.get(message.function_reference, path)
    if message.invocation == _DISTINCT:
        raise refuse("SS2171", "DISTINCT in a window has no SQL yet", path / "invocation")
    values, arguments = call_arguments(message.arguments, env, path)
    partitions = [
        expression(p, env, (path / "partitions")[i]).sql for i, p in enumerate(message.partitions)
    ]
    keys = _keys(message.sorts, env, path / "sorts")
    call = Call(name, arguments, options_of(message), declared_type(message), path)
    built = env.context.dialect.window(call)
    frameless = name.name in _FRAMELESS
    spec = None if frameless else frame(message, bool(keys), path)
    if frameless and not keys:
        keys = [exp.Ordered(this=exp.Null(), nulls_first=True)]

    def over(node: exp.Expression) -> exp.Expression:
        order = exp.Order(expressions=[clone(k) for k in keys]) if keys else None
        return exp.Window(
            this=node,
            partition_by=[clone(p) for p in partitions],
            order=order,
            spec=clone(spec) if spec is not None else None,
            over="OVER",
        )

    built.wrap(over)
    # The clones are twins of these columns, which are in the environment already.
    env.parts.traits |= Traits.WINDOW
    return settle(_named(built, name, values), env.context, path)


def _keys(sorts: Sequence[Any], env: Env, path: Path) -> list[exp.Expression]:
    """The ORDER BY of the window; a constant key orders nothing and would be read as an ordinal."""
    nodes: list[exp.Expression] = []
    keys: list[SortKey] = sort_keys(sorts, env, path)
    for key in keys:
        own = any(key.field is f for f in env.fields)
        node = of_field(key.field, env).sql if own else key.field.emit(env.parts)
        nodes.append(ordered(node, key))
    return nodes


def frame(message: Any, ordered: bool, path: Path) -> exp.Expression | None:
    """The frame clause; None for the whole partition of a window without order, which is Spark's default too."""
    lower = bound(message.lower_bound, "PRECEDING", path / "lower_bound")
    upper = bound(message.upper_bound, "FOLLOWING", path / "upper_bound")
    whole = lower == ("UNBOUNDED", "PRECEDING") and upper == ("UNBOUNDED", "FOLLOWING")
    if whole and not ordered:
        return None
    if message.bounds_type == _UNSPECIFIED and not whole:
        raise invalid("SS2172", "the window has bounds and no bounds_type", path / "bounds_type")
    kind = "RANGE" if message.bounds_type == _RANGE else "ROWS"
    if kind == "RANGE" and lower == ("UNBOUNDED", "PRECEDING") and upper == ("CURRENT ROW", ""):
        return (
            None
            if ordered
            else _spec("ROWS", ("UNBOUNDED", "PRECEDING"), ("UNBOUNDED", "FOLLOWING"))
        )
    if not ordered and kind == "RANGE":
        raise refuse("SS2173", "a RANGE frame without order has no SQL yet", path)
    _check_order(lower, upper, path)
    return _spec(kind, lower, upper)


Bound = tuple[str, str]


def bound(message: Any, side: str, path: Path) -> Bound:
    """A bound as (value, side). Unset means unbounded."""
    kind = message.WhichOneof("kind")
    if kind is None or kind == "unbounded":
        return "UNBOUNDED", side
    if kind == "current_row":
        return "CURRENT ROW", ""
    part = getattr(message, kind)
    offset = part.offset
    if "offset_expr" in part.DESCRIPTOR.fields_by_name and part.HasField("offset_expr"):
        offset = _constant(part.offset_expr, path / kind)
    if offset < 0:
        raise invalid("SS2174", f"a frame offset of {offset} is negative", path / kind)
    if offset == 0:
        return "CURRENT ROW", ""
    return str(offset), kind.upper()


def _constant(message: Any, path: Path) -> int:
    literal = message.literal
    kind = literal.WhichOneof("literal_type")
    if message.WhichOneof("rex_type") != "literal" or kind not in ("i8", "i16", "i32", "i64"):
        raise refuse("SS2175", "frame offsets other than integer literals have no SQL yet", path)
    return int(getattr(literal, kind))


def _check_order(lower: Bound, upper: Bound, path: Path) -> None:
    if _position(lower) > _position(upper):
        raise refuse("SS2176", "a frame that ends before it begins has no SQL yet", path)


def _position(at: Bound) -> float:
    value, side = at
    sign = -1 if side == "PRECEDING" else 1
    if value == "UNBOUNDED":
        return sign * float("inf")
    return 0 if value == "CURRENT ROW" else sign * float(value)


def _spec(kind: str, lower: Bound, upper: Bound) -> exp.Expression:
    return exp.WindowSpec(
        kind=kind,
        start=lower[0] if not lower[0].isdigit() else exp.Literal.number(lower[0]),
        start_side=lower[1] or None,
        end=upper[0] if not upper[0].isdigit() else exp.Literal.number(upper[0]),
        end_side=upper[1] or None,
    )
