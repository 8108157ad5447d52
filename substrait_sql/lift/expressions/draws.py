"""Calls whose value is another one each time (``rand()``, ``uuid()``): where Spark and a plan mean the same by them.

A plan says of the function that it is not deterministic, and each call stands in it once, as in the text. What is
computed once for all rows, or for each row of a query around, is not told apart by a plan: there they are refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from substrait_sql.lift.correlation import expressions_of, relations_in
from substrait_sql.lift.tree import Call, Expr, walk
from substrait_sql.lift.typing.problems import Misused

if TYPE_CHECKING:
    from collections.abc import Iterable

    from substrait_sql.lift.context import Context
    from substrait_sql.lift.tree import Relation

# The clauses that compute an expression once for each of their rows.
_PLACES = frozenset({"SELECT", "WHERE", "HAVING", "QUALIFY", "ORDER BY"})
# Where Spark does not take them.
_NOWHERE = frozenset({"ON", "VALUES"})


def is_draw(found: Expr) -> bool:
    """Whether it is a call whose value is another one each time."""
    return isinstance(found, Call) and found.draw is not None


def is_drawn(found: Expr) -> bool:
    """Whether such a call is in the expression."""
    return any(map(is_draw, walk(found)))


def are_drawn(found: Relation) -> bool:
    """Whether such a call is in a query, or in one that it reads."""
    return any(is_drawn(x) for each in relations_in(found) for x in expressions_of(each))


def check_place(found: Expr, name: str, cx: Context) -> None:
    """Raises `Misused` for such a call where a plan cannot say how often it is made."""
    if not is_draw(found) or (cx.draws and cx.place in _PLACES):
        return
    if cx.draws and cx.place in _NOWHERE:
        raise Misused(f"{cx.place} takes no {name}, whose value is another one each time")
    where = (
        f"in {cx.place or 'this place'}"
        if cx.draws
        else "in a query as a value, LATERAL or a lambda"
    )
    raise Misused(f"{name} {where}: a plan does not say how often it is drawn", "SS5007")


def check(values: Iterable[Expr], where: str, code: str = "SS5007") -> None:
    """Raises `Misused` where one of the expressions is drawn. code: SS5003 where Spark does not take it either."""
    if any(map(is_drawn, values)):
        raise Misused(f"{where} no value that is another one each time", code)
