"""``x IN (query)`` in the ON of a join.

Spark moves a condition about one side of a join down to that side, where the kind of join allows it. There it is a
filter, and NOT IN whose answer is unknown keeps no row. What stays in the join has two answers: unknown counts as
FALSE, so that NOT IN of it is TRUE; but an IN that reads neither side has its three there. A condition about neither
side is one about the left. A column that is a constant (`constants`) is no column here, nor is one in a value that is
NULL beforehand (`nulls`). Beside ``l.k = r.k`` a condition about l.k is one about r.k, too: Spark infers that, and
moves it down to where r.k is, so that it has three answers. All of it as of Spark 4.3, drawn over all kinds of joins.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Final

from substrait_sql.lift import operators
from substrait_sql.lift.correlation import columns_of
from substrait_sql.lift.expressions import moved, nulls
from substrait_sql.lift.tree import (
    TRUE,
    Call,
    Cast,
    Column,
    Expr,
    Subquery,
    holds,
    rewritten,
    walk,
)
from substrait_sql.lift.typing.problems import Misused

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from substrait_sql.lift.scope import Visible

_MOVED_TO: Final = {
    "inner": (0, 1), "cross": (0, 1), "semi": (0, 1), "left": (1,), "anti": (1,), "right": (0,), "full": (),
}  # fmt: skip
"""The sides that a condition about nothing else moves to, 0 the left one, by the kind of join."""
_CONNECTIVES: Final = ("and", "or", "not")


def members_in_join(condition: Expr, kind: str, sides: Sequence[Sequence[Visible]]) -> Expr:
    """The condition, in which each IN has the answers that Spark gives it. sides: the columns of both.

    Raises `Misused` where they depend on how the rows of a constant are stored, or on what Spark infers.
    """
    varying = [{id(v.attribute) for v in side if not is_constant(v)} for side in sides]
    equal = list(_equalities(condition, True))
    found = _conjuncts(condition, True, _Sides(kind, varying, equal))
    some = [{id(v.attribute) for v in side if v.constant is None} for side in sides]
    if some == varying or not any(isinstance(x, Subquery) and x.nullable for x in walk(condition)):
        return found
    if _conjuncts(condition, True, _Sides(kind, some, equal)) != found:
        what = (
            "IN (query) of a constant column in ON, whose answer depends on how the table is stored"
        )
        raise Misused(f"a plan has no word for {what}", "SS5007")
    return found


def is_constant(found: Visible) -> bool:
    """Whether Spark writes a constant for the column, whatever its rows are."""
    return found.constant is not None and found.constant.sure


@dataclass(frozen=True, slots=True)
class _Sides:
    """A join as to its condition. columns: those of either side that vary. equal: the equalities in the condition."""

    kind: str
    columns: Sequence[set[int]]
    equal: Sequence[Call]

    def moved_to(self, read: set[int]) -> bool:
        """Whether a condition that reads these columns moves to a side."""
        asked = [i for i, side in enumerate(self.columns) if read & side] or [0]
        return len(asked) == 1 and asked[0] in _MOVED_TO[self.kind]

    def infers(self, read: set[int]) -> bool | None:
        """Whether Spark makes one of it that moves, with the column of one side for its equal of the other.

        None where an equality may become one of columns when Spark has simplified it.
        """
        found = False
        for side in _MOVED_TO[self.kind]:
            others = read & self.columns[1 - side]
            if len(others) != 1:
                continue
            for each in self.equal:
                equated = {id(c) for c in columns_of([each])}
                if not others & equated or not equated & self.columns[side]:
                    continue
                if not any({a} == others and b in self.columns[side] for a, b in _pairs(each)):
                    return None
                found = True
        return found

    def moves_part(self, found: Expr, positive: bool) -> bool:
        """Whether Spark makes a weaker condition of a part of it, which moves."""
        return any(self._has_part(found, positive, side) for side in _MOVED_TO[self.kind])

    def _has_part(self, found: Expr, positive: bool, side: int) -> bool:
        name = found.name if isinstance(found, Call) else ""
        if name == "not":
            return self._has_part(found.children[0], not positive, side)
        if name in ("and", "or"):
            some = any if name == ("and" if positive else "or") else all
            return some(self._has_part(c, positive, side) for c in found.children)
        read = {id(c) for c in columns_of([found])}
        return bool(read & self.columns[side]) and not read & self.columns[1 - side]


def _equalities(found: Expr, positive: bool) -> Iterator[Call]:
    """The equalities that hold where a condition does."""
    if not isinstance(found, Call):
        return
    if found.name in ("not", "and" if positive else "or"):
        for each in found.arguments:
            yield from _equalities(each, positive if found.name != "not" else not positive)
    elif positive and (found.name == "=" or (found.name == "<=>" and not _is_nullable(found))):
        yield found


def _pairs(found: Call) -> Iterator[tuple[int, int]]:
    """The columns that an equality is about: first the one that Spark exchanges, then its equal."""
    for a, b in (found.arguments, reversed(found.arguments)):
        inner = b.value if isinstance(b, Cast) else b
        if isinstance(a, Column) and isinstance(inner, Column):
            yield id(a.attribute), id(inner.attribute)


def _is_nullable(found: Call) -> bool:
    return any(each.nullable for each in found.arguments)


def _conjuncts(found: Expr, positive: bool, sides: _Sides) -> Expr:
    """positive: whether an even number of NOTs is around it."""
    found = _asked_plainly(found) if positive else found
    name = found.name if isinstance(found, Call) else ""
    if name in ("not", "and" if positive else "or"):
        inside = positive if name != "not" else not positive
        return found.with_children(tuple(_conjuncts(c, inside, sides) for c in found.children))
    read = {id(c) for c in columns_of([found])}
    if sides.moved_to(read):
        return found
    made = _of_two_answers(found, positive, set().union(*sides.columns))
    if made == found or not _may_be_unknown(found):
        return made
    inferred, plain = sides.infers(read), _is_plain(found)
    if inferred and plain:
        return found
    if inferred is not False or sides.moves_part(found, positive):
        what = "NOT IN (query) in ON, whose answer depends on what Spark infers from the rest of it"
        raise Misused(f"a plan has no word for {what}", "SS5007")
    return made


def has_two_answers(condition: Expr, found: Expr) -> bool:
    """Whether an IN that may be unknown has only two answers in what became of a condition."""
    return _may_be_unknown(condition) and found != condition


def _may_be_unknown(found: Expr) -> bool:
    return any(isinstance(x, Subquery) and moved.may_be_unknown(x) for x in walk(found))


def _is_plain(found: Expr) -> bool:
    """Whether it is made of IN by AND, OR and NOT alone, so that TRUE of three answers is TRUE of two."""
    if isinstance(found, Call) and found.name in _CONNECTIVES:
        return all(map(_is_plain, found.arguments))
    return isinstance(found, Subquery) or not holds(found, Subquery)


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
    if isinstance(found, Call) and found.name in _CONNECTIVES:
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
