"""https://substrait.io/expressions/window_functions/#window-bounds: which rows around the current one are seen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.errors import invalid, refuse
from substrait_sql.lower.constants import NotConstant, constant
from substrait_sql.lower.expression import expression
from substrait_sql.lower.expressions.windows.distance import (
    CURRENT,
    FAR,
    Bound,
    of_literal,
    reach,
    settled,
)
from substrait_sql.lower.lost import warn_lost

if TYPE_CHECKING:
    from substrait_sql.lower.context import Env
    from substrait_sql.wire.path import Path

_UNSPECIFIED, _RANGE = 0, 2
# Ascending and descending, not clustered and not by a function of the plan's own.
_DIRECTIONS = (1, 2, 3, 4)
_INT_MAX = 2**31 - 1


@dataclass(slots=True)
class Frame:
    """A frame clause. spec: None for the whole partition. whole: all rows of the partition are in it.

    reach: the longest offset of a RANGE that is a number, in whole ones; 0 where there is none.
    empty: no row is in it. peers: a RANGE around a NULL is its peers all the same, whatever the offsets.
    """

    spec: exp.Expression | None = None
    empty: bool = False
    peers: bool = False
    whole: bool = False
    reach: int = 0


def frame(message: Any, sorts: Any, ordered: bool, key_type: Any, env: Env, path: Path) -> Frame:
    """The frame of a window function. sorts: as the plan has them; ordered: whether any is left to sort by.

    key_type: that of the first key, in SQL.
    """
    ranged = message.bounds_type == _RANGE
    lower = _bound(message.lower_bound, "PRECEDING", ranged, env, path / "lower_bound")
    upper = _bound(message.upper_bound, "FOLLOWING", ranged, env, path / "upper_bound")
    if ranged:
        lower, upper = settled(lower, upper, key_type, path)
    whole = (lower.position, upper.position) == (-FAR, FAR)
    if message.bounds_type == _UNSPECIFIED and not whole:
        raise invalid("SS2172", "the window has bounds and no bounds_type", path / "bounds_type")
    if ranged and any(b.position not in (-FAR, 0, FAR) for b in (lower, upper)):
        check_key(sorts, path)
    empty = _ends_before_it_begins(lower, upper)
    if ranged and not ordered and (empty or not _holds_its_row(lower, upper)):
        raise refuse("SS2175", "the distance from a constant has no SQL", path / "lower_bound")
    if empty:
        peers = ranged and all(b.position not in (-FAR, FAR) for b in (lower, upper))
        return Frame(_spec("RANGE", CURRENT, CURRENT) if peers else None, True, peers)
    if len(sorts):
        _distrust(lower, upper, ranged, env, path)
    if not ordered and (whole or ranged):
        # Without order all rows are peers of one another.
        return Frame()
    if ranged and lower.position == -FAR and upper.position == 0:
        return Frame()
    far = max(reach(lower), reach(upper)) if ranged else 0
    return Frame(_spec("RANGE" if ranged else "ROWS", lower, upper), whole=whole, reach=far)


def _holds_its_row(lower: Bound, upper: Bound) -> bool:
    """Whether the current row's own key is in a RANGE: where no key is written, all rows have that one."""
    return (lower.position or 0) <= 0 <= (upper.position or 0)


def _distrust(lower: Bound, upper: Bound, ranged: bool, env: Env, path: Path) -> None:
    """Refuses a frame that may have been another one before it was written, see `Habits`."""
    habits = env.context.habits
    ends = (lower.position == -FAR, upper.position == FAR)
    if ranged and any(ends) and habits.named_loss == "a RANGE offset":
        refuse_named_loss(habits.named_loss, path)
    if ranged and all(ends) and habits.loses_offsets:
        raise refuse(
            "SS2178",
            "the RANGE frame has no ends, and DataFusion writes that also for offsets that are intervals or decimals",
            path,
            "frame all rows by ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING",
        )
    if not ranged and not all(ends) and habits.loses_frames:
        warn_lost("frames", env.context, path)
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
    if lower.position == FAR or upper.position == -FAR:
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
        return Bound("UNBOUNDED", side, -FAR if side == "PRECEDING" else FAR)
    if kind == "current_row":
        return CURRENT
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
        return CURRENT
    if not ranged and offset > _INT_MAX:
        # No partition is as long.
        return Bound("UNBOUNDED", kind.upper(), sign * FAR)
    return Bound(exp.Literal.number(offset), kind.upper(), sign * float(offset))


def _distance(message: Any, side: str, ranged: bool, env: Env, path: Path) -> Bound:
    """An offset that is no integer: a decimal, an interval. What is computed for each row is for `moving_frame`."""
    if not ranged:
        raise invalid("SS2174", "a number of rows is an integer", path)
    found = expression(message, env, path)
    if found.literal is None:
        return Bound(found.sql, side, None)
    return of_literal(found.literal, found.sql, side, path)


def _spec(kind: str, lower: Bound, upper: Bound) -> exp.Expression:
    return exp.WindowSpec(
        kind=kind,
        start=lower.value,
        start_side=lower.side or None,
        end=upper.value,
        end_side=upper.side or None,
    )
