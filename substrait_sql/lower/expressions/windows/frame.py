"""https://substrait.io/expressions/window_functions/#window-bounds: which rows around the current one are seen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.errors import invalid, refuse
from substrait_sql.lower.constants import NotConstant, constant
from substrait_sql.lower.declared_types import INTEGERS
from substrait_sql.lower.expression import expression
from substrait_sql.lower.expressions.interval import shortest
from substrait_sql.schema import types
from substrait_sql.schema.unsigned import held

if TYPE_CHECKING:
    from substrait_sql.lower.context import Env
    from substrait_sql.wire.path import Path

_UNSPECIFIED, _RANGE = 0, 2
# Ascending and descending, not clustered and not by a function of the plan's own.
_DIRECTIONS = (1, 2, 3, 4)
_INT_MAX = 2**31 - 1
_FAR_FOR_BIGINT = 2**62
# Behind or before every row that an offset can reach.
_FAR = float("inf")


@dataclass(slots=True)
class Frame:
    """A frame clause. spec: None for the whole partition. whole: all rows of the partition are in it.

    reach: the longest offset of a RANGE that is an integer, 0 where there is none.
    empty: no row is in it. peers: a RANGE around a NULL is its peers all the same, whatever the offsets.
    """

    spec: exp.Expression | None = None
    empty: bool = False
    peers: bool = False
    whole: bool = False
    reach: int = 0


@dataclass(slots=True)
class Bound:
    """One end of a frame: how far it is from the current row, where that is a number, and how it is written."""

    value: exp.Expression | str
    side: str
    position: float | None


def frame(message: Any, sorts: Any, ordered: bool, env: Env, path: Path) -> Frame:
    """The frame of a window function. sorts: as the plan has them; ordered: whether any is left to sort by."""
    ranged = message.bounds_type == _RANGE
    lower = _bound(message.lower_bound, "PRECEDING", ranged, env, path / "lower_bound")
    upper = _bound(message.upper_bound, "FOLLOWING", ranged, env, path / "upper_bound")
    whole = (lower.position, upper.position) == (-_FAR, _FAR)
    if message.bounds_type == _UNSPECIFIED and not whole:
        raise invalid("SS2172", "the window has bounds and no bounds_type", path / "bounds_type")
    if ranged and any(b.position not in (-_FAR, 0, _FAR) for b in (lower, upper)):
        check_key(sorts, path)
    empty = _ends_before_it_begins(lower, upper)
    if ranged and not ordered and (empty or not _holds_its_row(lower, upper)):
        raise refuse("SS2175", "the distance from a constant has no SQL", path / "lower_bound")
    if empty:
        peers = ranged and all(b.position not in (-_FAR, _FAR) for b in (lower, upper))
        return Frame(_spec("RANGE", _CURRENT, _CURRENT) if peers else None, True, peers)
    if len(sorts):
        _distrust(lower, upper, ranged, env, path)
    if not ordered and (whole or ranged):
        # Without order all rows are peers of one another.
        return Frame()
    if ranged and lower.position == -_FAR and upper.position == 0:
        return Frame()
    reach = max(_reach(lower), _reach(upper)) if ranged else 0
    return Frame(_spec("RANGE" if ranged else "ROWS", lower, upper), whole=whole, reach=reach)


def _holds_its_row(lower: Bound, upper: Bound) -> bool:
    """Whether the current row's own key is in a RANGE: where no key is written, all rows have that one."""
    return (lower.position or 0) <= 0 <= (upper.position or 0)


def _reach(bound: Bound) -> int:
    return (
        int(bound.value.name) if isinstance(bound.value, exp.Literal) and bound.value.is_int else 0
    )


def with_room(key: exp.Expression, type: Any, reach: int) -> exp.Expression:
    """The sort key in a type in which the frame may reach beyond the ends of its own, where Spark would overflow."""
    kind = types.kind(held(type))
    if not reach or kind not in INTEGERS:
        return key
    wide = "DECIMAL(20, 0)" if kind == "i64" or reach > _FAR_FOR_BIGINT else "BIGINT"
    inner = key.this if isinstance(key, exp.Ordered) else key
    cast = exp.Cast(this=inner, to=exp.Var(this=wide))
    if not isinstance(key, exp.Ordered):
        return cast
    key.set("this", cast)
    return key


def _distrust(lower: Bound, upper: Bound, ranged: bool, env: Env, path: Path) -> None:
    """Refuses a frame that may have been another one before it was written, see `Habits`."""
    habits = env.context.habits
    ends = (lower.position == -_FAR, upper.position == _FAR)
    if ranged and any(ends) and habits.named_loss == "a RANGE offset":
        refuse_named_loss(habits.named_loss, path)
    if ranged and all(ends) and habits.loses_offsets:
        raise refuse(
            "SS2178",
            "the RANGE frame has no ends, and DataFusion writes that also for offsets that are intervals or decimals",
            path,
            "frame all rows by ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING",
        )
    if not ranged and any(ends) and habits.loses_row_offsets:
        raise refuse(
            "SS2179",
            "the ROWS frame has an open end, and DataFusion up to 42 writes that also for offsets",
            path,
            "make the plan with DataFusion's optimizer, or with a later release",
        )
    if habits.untyped_frames:
        raise refuse(
            "SS2180",
            "DataFusion up to 30 does not write whether a frame counts rows or their peers",
            path,
            "make the plan with a later release",
        )


def refuse_named_loss(what: str, path: Path) -> None:
    """Refuses a window that may be the one whose name says more of it than the plan, see `Habits.named_loss`."""
    raise refuse(
        "SS2170",
        f"the name of a column speaks of a window with {what}, which DataFusion does not write into its plans",
        path,
        "make the plan without it, or give the column another name if it is not meant",
    )


def _ends_before_it_begins(lower: Bound, upper: Bound) -> bool:
    if lower.position is None or upper.position is None:
        return False
    if lower.position == _FAR or upper.position == -_FAR:
        # So many rows away that there is none.
        return True
    return lower.position > upper.position


def check_key(sorts: Any, path: Path) -> None:
    """A distance is measured along one key, which has a direction."""
    if len(sorts) != 1 or sorts[0].direction not in _DIRECTIONS:
        raise invalid(
            "SS2173",
            "a RANGE frame with an offset needs one sort key, with a direction",
            path / "sorts",
        )


def _bound(message: Any, side: str, ranged: bool, env: Env, path: Path) -> Bound:
    """A bound. Unset means unbounded; 0 rows away is the current row."""
    kind = message.WhichOneof("kind")
    if kind is None or kind == "unbounded":
        return Bound("UNBOUNDED", side, -_FAR if side == "PRECEDING" else _FAR)
    if kind == "current_row":
        return _CURRENT
    part = getattr(message, kind)
    sign = -1 if kind == "preceding" else 1
    at = path / kind
    if "offset_expr" in part.DESCRIPTOR.fields_by_name and part.HasField("offset_expr"):
        try:
            offset = constant(part.offset_expr, env.context, at / "offset_expr")
        except NotConstant:
            return _distance(part.offset_expr, kind.upper(), ranged, env, at / "offset_expr")
    else:
        offset = part.offset
    if offset is None:
        raise invalid("SS2174", "a frame offset may not be NULL", at)
    if offset < 0:
        raise invalid("SS2174", f"a frame offset of {offset} is negative", at)
    if offset == 0:
        return _CURRENT
    if not ranged and offset > _INT_MAX:
        # No partition is as long.
        return Bound("UNBOUNDED", kind.upper(), sign * _FAR)
    return Bound(exp.Literal.number(offset), kind.upper(), sign * float(offset))


def _distance(message: Any, side: str, ranged: bool, env: Env, path: Path) -> Bound:
    """An offset that is no integer: a decimal, an interval. What is computed for each row is for `moving_frame`."""
    if not ranged:
        raise invalid("SS2174", "a number of rows is an integer", path)
    found = expression(message, env, path)
    value = (found.literal is not None and shortest(found.literal)) or found.sql
    if isinstance(value, exp.Neg):
        raise invalid("SS2174", "a frame offset may not be negative", path)
    number = _number(message)
    return Bound(value, side, -number if number is not None and side == "PRECEDING" else number)


def _number(message: Any) -> float | None:
    """The number that a literal is, where it is one that has no unit."""
    kind = message.literal.WhichOneof("literal_type")
    if kind in ("fp32", "fp64"):
        return float(getattr(message.literal, kind))
    if kind == "decimal":
        found = message.literal.decimal
        return float(int.from_bytes(found.value, "little", signed=True) / 10**found.scale)
    return None


_CURRENT = Bound("CURRENT ROW", "", 0)


def _spec(kind: str, lower: Bound, upper: Bound) -> exp.Expression:
    return exp.WindowSpec(
        kind=kind,
        start=lower.value,
        start_side=lower.side or None,
        end=upper.value,
        end_side=upper.side or None,
    )
