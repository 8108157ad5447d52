"""Frames of windows: ROWS and RANGE, from where to where.

https://spark.apache.org/docs/latest/sql-ref-syntax-qry-select-window.html
"""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.lift import operators
from substrait_sql.lift.dispatch import lift
from substrait_sql.lift.expressions.folded import whole
from substrait_sql.lift.tree import Call, Cast, Distance, Expr, Frame, Literal, SortKey, walk
from substrait_sql.lift.typing import casts
from substrait_sql.lift.typing import types as t
from substrait_sql.lift.typing.problems import Misused

if TYPE_CHECKING:
    from substrait_sql.lift.context import Context
    from substrait_sql.lift.typing.types import SparkType


def frame(spec: Any, order: tuple[SortKey, ...], cx: Context) -> Frame:
    """The frame of a window. Raises `Misused` for what Spark refuses, and for what a plan has no word for."""
    unit = (spec.args.get("kind") or "rows").lower()
    if unit not in ("rows", "range"):
        raise Misused(f"{unit.upper()} is no frame of Spark's", "SS5001")
    start, first = _bound(spec.args.get("start"), spec.args.get("start_side"), unit, order, cx)
    end: Any = 0
    last: Distance | None = None
    if spec.args.get("end") is not None:
        end, last = _bound(spec.args["end"], spec.args.get("end_side"), unit, order, cx)
    sides = {k: str(spec.args.get(k) or "").upper() for k in ("start_side", "end_side")}
    if (start is None and sides["start_side"] == "FOLLOWING") or (
        end is None and sides["end_side"] == "PRECEDING"
    ):
        raise Misused("a frame ends before it starts")
    # Against the current row Spark compares nothing: such a frame has no rows.
    if first is not None and last is not None and _plain(start) > _plain(end):
        raise Misused("a frame ends before it starts")
    distances = {x.type for x in (start, end) if isinstance(x, Expr)}
    if len(distances) > 1:
        raise Misused("the distances of a RANGE frame are of one type")
    if unit == "range" and not order and (start is not None or end is not None):
        raise Misused("a RANGE frame wants ORDER BY in its window")
    return Frame(unit, start, end, (first, last))


_SIGNS = ("+", "-", "*", "/", "%", "div", "negative", "positive")


def _plain(found: Any) -> float:
    """The distance as a number, for what is known of it."""
    value = found.value if isinstance(found, Literal) else found
    return float(value) if isinstance(value, (int, float, Decimal)) else 0.0


def _bound(
    node: Any, side: Any, unit: str, order: tuple[SortKey, ...], cx: Context
) -> tuple[Any, Distance | None]:
    """An end as `tree.Frame` has it, and as it is written where it is a distance."""
    named = isinstance(node, exp.Var)
    word = node if isinstance(node, str) else getattr(node, "name", "") if named else ""
    if word.upper() == "CURRENT ROW":
        return 0, None
    if word.upper() == "UNBOUNDED":
        return None, None
    if not side:
        raise Misused("a distance wants PRECEDING or FOLLOWING behind it", "SS5001")
    found = lift(node, cx)
    if any(isinstance(x, Call) and x.name not in _SIGNS for x in walk(found)):
        raise Misused("a frame takes a number, not what a function computes")
    backward = str(side or "").upper() == "PRECEDING"
    if unit == "rows":
        return _rows(found, backward), Distance(found, backward, False)
    if len(order) != 1:
        raise Misused("a RANGE frame with a distance wants one ORDER BY key")
    wanted = _wanted(found.type, order[0].value.type)
    distance = _number(found, wanted) or operators.cast(found, wanted)
    written = Distance(found, backward, found.type != wanted)
    return operators.minus(distance) if backward else distance, written


def _wanted(given: SparkType, key: SparkType) -> SparkType:
    """The type to which Spark casts the distance. Raises `Misused` where it goes with no key of that type."""
    wanted: SparkType | None = None
    if key.kind == "date":
        whole = given.kind == "interval_year" or given.numbers == (0, 0)
        if given.kind == "int" or (given.kind in t.INTERVALS and whole):
            wanted = given
    elif key.kind in t.DATETIMES:
        wanted = given if given.kind in t.INTERVALS else None
    elif key.kind in t.INTERVALS:
        wanted = key if given.kind == key.kind else None
    elif key.kind in t.NUMERIC:
        wanted = casts.implicit(given, key)
    if wanted is None:
        raise Misused(
            f"a RANGE frame over {str(key).upper()} takes no distance of {str(given).upper()}"
        )
    return wanted


def _number(found: Expr, wanted: SparkType) -> Literal | None:
    """A constant as one of the key's type, as Spark casts it: to whole numbers by cutting off."""
    if isinstance(found, Cast) and found.type == wanted:
        # A FLOAT has no literal: it is a cast of one.
        found = found.value
    if not isinstance(found, Literal):
        number = whole(found)
        return None if number is None else _number(Literal(found.type, False, number), wanted)
    if found.value is None:
        return None
    if wanted.kind in t.INTERVALS:
        return Literal(wanted, False, found.value)
    if wanted.kind not in t.NUMERIC:
        return None
    try:
        exact = Decimal(str(found.value))
    except InvalidOperation:
        raise Misused(f"the distance {found.value} is no number") from None
    if not exact.is_finite():
        raise Misused("a plan has no word for a distance without end", "SS5007")
    return _fitting(exact, found.type, wanted)


def _fitting(exact: Decimal, given: SparkType, wanted: SparkType) -> Literal:
    """The number in the type. Raises `Misused` where it has no room there: Spark fails when it runs."""
    if wanted.kind in ("float", "double"):
        return Literal(wanted, False, float(exact))
    if wanted.kind == "decimal":
        rounded = exact.quantize(Decimal(1).scaleb(-wanted.scale), ROUND_HALF_UP)
        if abs(rounded) < 10 ** (wanted.precision - wanted.scale):
            return Literal(wanted, False, rounded)
    else:
        whole = int(exact)
        fits = -(2 ** _BITS[wanted.kind]) <= whole < 2 ** _BITS[wanted.kind]
        if fits and (given.kind != "string" or whole == exact):
            return Literal(wanted, False, whole)
    raise Misused(f"the distance {exact} is no {str(wanted).upper()}")


_BITS = {"tinyint": 7, "smallint": 15, "int": 31, "bigint": 63}


def _rows(found: Expr, backward: bool) -> int:
    value = whole(found) if found.type == t.INT else None
    if value is None:
        raise Misused("a ROWS frame counts rows: it wants a constant INT")
    return -value if backward else value
