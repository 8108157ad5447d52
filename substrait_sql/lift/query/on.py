"""``x IN (query)`` in the ON of a join.

Spark moves a condition about one side of a join down to that side, where the kind of join allows it. There it is a
filter, and NOT IN whose answer is unknown keeps no row. What stays in the join has two answers: unknown counts as
FALSE, so that NOT IN of it is TRUE; but an IN that reads neither side has its three there. A condition about neither
side is one about the left. A column that is a constant (`constants`) is no column here, nor is one in a value that is
NULL beforehand (`nulls`). All of it as of Spark 4.3, drawn over all kinds of joins.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from substrait_sql.lift import operators
from substrait_sql.lift.correlation import columns_of
from substrait_sql.lift.expressions import nulls
from substrait_sql.lift.tree import TRUE, Call, Expr, Subquery, rewritten, walk
from substrait_sql.lift.typing.problems import Misused

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.lift.scope import Visible

_MOVED_TO: Final = {
    "inner": (0, 1), "cross": (0, 1), "semi": (0, 1), "left": (1,), "anti": (1,), "right": (0,), "full": (),
}  # fmt: skip
"""The sides that a condition about nothing else moves to, 0 the left one, by the kind of join."""


def members_in_join(condition: Expr, kind: str, sides: Sequence[Sequence[Visible]]) -> Expr:
    """The condition, in which each IN has the answers that Spark gives it. sides: the columns of both.

    Raises `Misused` where they depend on how the rows of a constant are stored.
    """
    varying = [{id(v.attribute) for v in side if not is_constant(v)} for side in sides]
    found = _conjuncts(condition, True, kind, varying)
    some = [{id(v.attribute) for v in side if v.constant is None} for side in sides]
    if some == varying or not any(isinstance(x, Subquery) and x.nullable for x in walk(condition)):
        return found
    if _conjuncts(condition, True, kind, some) != found:
        what = (
            "IN (query) of a constant column in ON, whose answer depends on how the table is stored"
        )
        raise Misused(f"a plan has no word for {what}", "SS5007")
    return found


def is_constant(found: Visible) -> bool:
    """Whether Spark writes a constant for the column, whatever its rows are."""
    return found.constant is not None and found.constant.sure


def _conjuncts(found: Expr, positive: bool, kind: str, sides: Sequence[set[int]]) -> Expr:
    """positive: whether an even number of NOTs is around it."""
    found = _asked_plainly(found) if positive else found
    name = found.name if isinstance(found, Call) else ""
    if name in ("not", "and" if positive else "or"):
        inside = positive if name != "not" else not positive
        return found.with_children(
            tuple(_conjuncts(c, inside, kind, sides) for c in found.children)
        )
    read = {id(c) for c in columns_of([found])}
    asked = [i for i, side in enumerate(sides) if read & side] or [0]
    if len(asked) == 1 and asked[0] in _MOVED_TO[kind]:
        return found
    return _of_two_answers(found, positive, set().union(*sides))


def _asked_plainly(found: Expr) -> Expr:
    """``(x IN (query)) <=> TRUE`` is ``x IN (query)`` to a condition.

    The EXISTS that it is elsewhere fails in Spark's joins where x is a constant: INTERNAL_ERROR_ATTRIBUTE_NOT_FOUND.
    """
    if isinstance(found, Call) and found.name == "<=>" and found.arguments[1] == TRUE:
        asked = found.arguments[0]
        if isinstance(asked, Subquery) and asked.kind == "found":
            return replace(asked, kind="in", nullable=True)
    return found


def _of_two_answers(found: Expr, positive: bool, columns: set[int]) -> Expr:
    """columns: those of both sides."""
    if isinstance(found, Call) and found.name in ("and", "or", "not"):
        inside = positive if found.name != "not" else not positive
        return found.with_children(
            tuple(_of_two_answers(c, inside, columns) for c in found.children)
        )
    if isinstance(found, Subquery) and found.kind == "in" and positive:
        # The condition takes unknown for FALSE itself.
        return found
    return rewritten(found, partial(_answered, columns))


def _answered(columns: set[int], found: Expr) -> Expr | None:
    if not isinstance(found, Subquery) or found.kind not in ("in", "missed", "found"):
        return None
    if not columns & {id(c) for c in columns_of([found])} or nulls.asked_about(found):
        member = replace(found, kind="in", nullable=True)
        return operators.negation(member) if found.kind == "missed" else member
    made = replace(found, kind="found", nullable=False)
    return operators.negation(made) if found.kind == "missed" else made
