"""OVER: partitions, order, frames, named windows."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.lift import functions
from substrait_sql.lift.dispatch import lift, lifts
from substrait_sql.lift.expressions import frames
from substrait_sql.lift.expressions.folded import whole
from substrait_sql.lift.expressions.functions import applied, sort_keys
from substrait_sql.lift.tree import AggregateCall, Expr, Frame, Literal, WindowCall
from substrait_sql.lift.typing import signatures
from substrait_sql.lift.typing.problems import Misused

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.lift.context import Context

# Functions that have a frame of their own: a text may say it, and no other.
_OWN_FRAME = {
    **dict.fromkeys(
        ("counter_diff", "dense_rank", "ntile", "percent_rank", "rank", "row_number"),
        Frame("rows", None, 0),
    ),
    "cume_dist": Frame("range", None, 0),
}
_PLACED = {"lag": -1, "lead": 1}
_ORDERED = ("counter_diff", "nth_value")


@lifts(exp.Window)
def _window(node: Any, cx: Context) -> Expr:
    function = applied(node.this, cx)
    assert isinstance(function, AggregateCall)
    partition, order, spec = _specification(node, cx)
    _check_aliases([node.this, *partition, *order], cx)
    keys = tuple(lift(e, cx) for e in partition)
    for each in keys:
        if not functions.ordered(each.type):
            raise Misused(f"PARTITION BY {str(each.type).upper()}, which has no order")
    orders = sort_keys(order, cx)
    frame = frames.frame(spec, orders, cx) if spec is not None else None
    own = function.name in _OWN_FRAME or function.name in _PLACED
    if own and frame is not None:
        _check_frame(function, frame)
        frame = None
    if (own or function.name in _ORDERED) and not orders:
        raise Misused(f"{function.name} wants ORDER BY in its window")
    function = _counted(function)
    signature = signatures.known(function.name)
    ranking = signature is not None and signature.kind == "window"
    whole = frame is None or frame == Frame("rows", None, None)
    of_all = signature is not None and signature.over == "partition"
    if (of_all or (function.name == "listagg" and function.order)) and (orders or not whole):
        raise Misused(f"{function.name} takes no ORDER BY and no frame in its window")
    if function.distinct:
        raise Misused("Spark takes no DISTINCT in a window")
    return WindowCall(function.type, function.nullable, function, keys, orders, frame, ranking)


def _check_aliases(nodes: Sequence[Any], cx: Context) -> None:
    """Raises `Misused` for names that the select list itself gives: Spark does not know them in a window."""
    if cx.place != "SELECT":
        return
    for node in nodes:
        for each in node.find_all(exp.Column):
            parts = [part.name for part in each.parts]
            name = parts[0]
            elsewhere = each.parent_select is not node.parent_select or each.find_ancestor(
                exp.Lambda
            )
            if not elsewhere and name.casefold() in cx.scope.aliases and not cx.scope.local(parts):
                raise Misused(f"a window does not know {name}, a name of the same list")


def _check_frame(function: AggregateCall, frame: Frame) -> None:
    name = function.name
    if name in _PLACED:
        given = function.arguments[1] if len(function.arguments) > 1 else None
        size = 1 if given is None else whole(given)
        away = None if size is None else _PLACED[name] * size
        # Spark compares what is written: `1 PRECEDING` is not `-1 FOLLOWING`; lag computes its own constant.
        said = all(d is not None and not d.backward and _plain(d.value) for d in frame.written)
        plain = given is None or name == "lag" or _plain(given)
        if frame != Frame("rows", away, away) or away is None or not (said and plain):
            raise Misused(f"{name} takes no frame but that of the row it means")
    elif frame != _OWN_FRAME[name]:
        unit = _OWN_FRAME[name].unit.upper()
        raise Misused(
            f"{name} takes no frame but {unit} BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW"
        )


def _plain(value: Expr) -> bool:
    return isinstance(value, Literal) and value.written is None


def _counted(function: AggregateCall) -> AggregateCall:
    """The parts of ntile as the number that a plan wants, where the text computes it of constants."""
    if function.name != "ntile" or not function.arguments:
        return function
    given = function.arguments[0]
    number = None if isinstance(given, Literal) else whole(given)
    if number is None:
        return function
    return replace(function, arguments=(Literal(given.type, False, number, given),))


def _specification(node: Any, cx: Context) -> tuple[list[Any], list[Any], Any]:
    """Partition keys, order keys and frame; those of a named window where the text names one."""
    partition = list(node.args.get("partition_by") or ())
    order = node.args.get("order")
    orders = list(order.expressions) if order is not None else []
    spec = node.args.get("spec")
    name = node.args.get("alias")
    if name is None:
        return partition, orders, spec
    if partition or orders or spec is not None:
        raise Misused(f"nothing goes with the name of a window: {name.name}", "SS5001")
    named = cx.windows.get(name.name)
    if named is None:
        raise cx.error("SS5004", f"there is no window {name.name}", node)
    other_partition, other_order, other_spec = _specification(named, cx)
    return other_partition, other_order, other_spec
