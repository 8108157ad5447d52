"""OVER: partitions, order, frames, named windows."""

from __future__ import annotations

import operator
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.lift import operators
from substrait_sql.lift.dispatch import lift, lifts
from substrait_sql.lift.expressions.functions import applied, sort_keys
from substrait_sql.lift.tree import (
    AggregateCall,
    Call,
    Cast,
    Expr,
    Frame,
    Literal,
    SortKey,
    WindowCall,
)
from substrait_sql.lift.typing import casts, signatures
from substrait_sql.lift.typing import types as t
from substrait_sql.lift.typing.problems import Misused

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.lift.context import Context
    from substrait_sql.lift.typing.types import SparkType

# Functions whose rows are those of the whole partition whatever the frame says.
_NO_FRAME = {
    "rank",
    "dense_rank",
    "row_number",
    "ntile",
    "percent_rank",
    "cume_dist",
    "lag",
    "lead",
}


@lifts(exp.Window)
def _window(node: Any, cx: Context) -> Expr:
    function = applied(node.this, cx)
    assert isinstance(function, AggregateCall)
    partition, order, spec = _specification(node, cx)
    _check_aliases([node.this, *partition, *order], cx)
    keys = tuple(lift(e, cx) for e in partition)
    orders = sort_keys(order, cx)
    frame = _frame(spec, orders, cx) if spec is not None else None
    if function.name in _NO_FRAME and frame is not None:
        _check_frame(function.name, frame)
        frame = None
    if (
        function.name
        in (
            "ntile",
            "rank",
            "dense_rank",
            "row_number",
            "percent_rank",
            "cume_dist",
            "lag",
            "lead",
        )
        and not orders
    ):
        raise Misused(f"{function.name} wants ORDER BY in its window")
    signature = signatures.known(function.name)
    ranking = signature is not None and signature.kind == "window"
    if signature is not None and signature.over == "partition" and (orders or frame is not None):
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
            name = each.parts[0].name
            elsewhere = each.parent_select is not node.parent_select or each.find_ancestor(
                exp.Lambda
            )
            if not elsewhere and name.casefold() in cx.scope.aliases and not cx.scope.local([name]):
                raise Misused(f"a window does not know {name}, a name of the same list")


def _check_frame(name: str, frame: Frame) -> None:
    usual = Frame("rows", None, 0), Frame("range", None, 0)
    if name in ("lag", "lead") or frame not in usual:
        raise Misused(f"{name} takes no frame but ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW")


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
    named = cx.windows.get(name.name.casefold())
    if named is None:
        raise cx.error("SS5004", f"there is no window {name.name}", node)
    other_partition, other_order, other_spec = _specification(named, cx)
    return other_partition, other_order, other_spec


def _frame(spec: Any, order: tuple[SortKey, ...], cx: Context) -> Frame:
    unit = (spec.args.get("kind") or "rows").lower()
    if unit not in ("rows", "range"):
        raise Misused(f"{unit.upper()} is no frame of Spark's", "SS5001")
    start = _bound(spec.args.get("start"), spec.args.get("start_side"), unit, order, cx)
    end_given = spec.args.get("end")
    end = 0 if end_given is None else _bound(end_given, spec.args.get("end_side"), unit, order, cx)
    sides = {k: str(spec.args.get(k) or "").upper() for k in ("start_side", "end_side")}
    if (start is None and sides["start_side"] == "FOLLOWING") or (
        end is None and sides["end_side"] == "PRECEDING"
    ):
        raise Misused("a frame ends before it starts")
    ends = _plain(start, first=True), _plain(end, first=False)
    if ends[0] > ends[1]:
        raise Misused("a frame ends before it starts")
    distances = {x.type for x in (start, end) if isinstance(x, Expr)}
    if len(distances) > 1:
        raise Misused("the distances of a RANGE frame are of one type")
    if unit == "range" and not order:
        raise Misused("a RANGE frame wants ORDER BY in its window")
    return Frame(unit, start, end)


def _plain(found: Any, *, first: bool) -> float:
    """The distance as a number, for what is known of it."""
    if found is None:
        return float("-inf") if first else float("inf")
    value = found.value if isinstance(found, Literal) else found
    return float(value) if isinstance(value, (int, float, Decimal)) else 0.0


def _bound(node: Any, side: Any, unit: str, order: tuple[SortKey, ...], cx: Context) -> Any:
    word = (
        node
        if isinstance(node, str)
        else getattr(node, "name", "")
        if isinstance(node, exp.Var)
        else ""
    )
    if word.upper() == "CURRENT ROW":
        return 0
    if word.upper() == "UNBOUNDED":
        return None
    found = lift(node, cx)
    backward = str(side or "").upper() == "PRECEDING"
    if unit == "rows":
        return _rows(found, backward)
    if len(order) != 1:
        raise Misused("a RANGE frame with a distance wants one ORDER BY key")
    key = order[0].value.type
    if key.kind in t.DATETIMES:
        wanted = found.type if found.type.kind in t.INTERVALS or key.kind == "date" else None
        if key.kind == "date" and found.type.kind not in (
            *t.INTERVALS,
            "tinyint",
            "smallint",
            "int",
        ):
            wanted = None
        if (
            key.kind == "date"
            and found.type.kind == "interval_day"
            and found.type.numbers != (0, 0)
        ):
            wanted = None
    else:
        wanted = casts.implicit(found.type, key) if key.kind in t.NUMERIC else None
    if wanted is None:
        raise Misused(
            f"a RANGE frame over {str(key).upper()} takes no distance of {str(found.type).upper()}"
        )
    found = _number(found, wanted) or operators.cast(found, wanted)
    return operators.minus(found) if backward else found


def _number(found: Expr, wanted: SparkType) -> Literal | None:
    """A literal as one of the key's type, where it is the same number in it."""
    if isinstance(found, Cast) and found.type == wanted:
        # A FLOAT has no literal: it is a cast of one.
        found = found.value
    if not isinstance(found, Literal) or wanted.kind not in t.NUMERIC or found.value is None:
        return None
    try:
        exact = Decimal(str(found.value))
    except InvalidOperation:
        raise Misused(f"the distance {found.value} is no number") from None
    if not exact.is_finite():
        raise Misused("a plan has no word for a distance without end", "SS5007")
    if wanted.kind in ("float", "double"):
        return Literal(wanted, False, float(exact))
    if wanted.kind == "decimal":
        fits = abs(exact) < 10 ** (wanted.precision - wanted.scale)
        same = round(exact, wanted.scale) == exact
        return Literal(wanted, False, exact) if fits and same else None
    return Literal(wanted, False, int(exact)) if exact == int(exact) else None


def _rows(found: Expr, backward: bool) -> int:
    value = _constant(found) if found.type == t.INT else None
    if value is None:
        raise Misused("a ROWS frame counts rows: it wants a constant INT")
    return -value if backward else value


def _constant(found: Expr) -> int | None:
    """The whole number that an expression of constants is; None for others."""
    if isinstance(found, Literal):
        return found.value if isinstance(found.value, int) else None
    if isinstance(found, Cast):
        return _constant(found.value) if found.value.type.kind in t.INTEGRAL else None
    if not isinstance(found, Call) or found.name not in _COUNTED:
        return None
    numbers = [n for n in map(_constant, found.arguments) if n is not None]
    return _COUNTED[found.name](*numbers) if len(numbers) == len(found.arguments) == 2 else None


_COUNTED = {"+": operator.add, "-": operator.sub, "*": operator.mul}
