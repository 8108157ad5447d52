"""Expressions as Spark compares them with the keys of GROUP BY."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

from substrait_sql.lift.relations import CommonQuery
from substrait_sql.lift.tree import (
    Attribute,
    Call,
    Column,
    Expr,
    Frame,
    Lambda,
    Relation,
    SortKey,
    Subquery,
    rewritten,
)

_TURNED = {">": "<", ">=": "<="}
_EITHER_WAY = {"+", "*", "=", "<=>", "and", "or", "&", "|", "^"}


def canonical(found: Expr) -> Expr:
    """The expression as Spark compares it with others: ``a + 1`` is ``1 + a``, ``a > b`` is ``b < a``."""
    if isinstance(found, Lambda):
        return _without_names(found)
    if isinstance(found, Subquery):
        return _Query(found.type, found.nullable, _form(found, {}))
    children = found.children
    if not children:
        return found
    made = tuple(map(canonical, children))
    if isinstance(found, Call) and found.name in _EITHER_WAY:
        if found.name in ("+", "*", "and", "or"):
            made = tuple(x for one in made for x in _same_operator(found, one))
        return replace(found, arguments=tuple(sorted(made, key=_order_key)))
    if isinstance(found, Call) and found.name in _TURNED:
        return replace(found, name=_TURNED[found.name], arguments=made[::-1])
    return found.with_children(made)


@dataclass(frozen=True, slots=True)
class _Bound(Expr):
    """A parameter of a lambda by its place. height: how many lambdas are nested in the one that has it, and itself."""

    height: int
    place: int


def _without_names(found: Lambda) -> Expr:
    """The lambda with places for its parameters: ``x -> x + 1`` is ``y -> y + 1``."""
    height = _height(found.body)
    places = {id(p): n for n, p in enumerate(found.parameters)}

    def bound(each: Expr) -> Expr | None:
        if isinstance(each, Column) and id(each.attribute) in places:
            return _Bound(each.type, each.nullable, height, places[id(each.attribute)])
        return None

    # The places first: operands are sorted by what they are, and each lambda has parameters of its own.
    return replace(found, parameters=(), body=canonical(rewritten(found.body, bound)))


def _height(found: Expr) -> int:
    inside = max(map(_height, found.children), default=0)
    return inside + isinstance(found, Lambda)


def _same_operator(around: Call, found: Expr) -> tuple[Expr, ...]:
    if isinstance(found, Call) and found.name == around.name and found.type == around.type:
        return found.arguments
    return (found,)


def _order_key(found: Expr) -> tuple[str, int]:
    return type(found).__name__, hash(found)


@dataclass(frozen=True, slots=True)
class _Query(Expr):
    """A query as a value by what it says: its own columns are known by the order in which they are made."""

    form: Any


def _form(held: Any, made: dict[int, int]) -> Any:
    """What a part of a query says. made: the numbers of the query's own columns."""
    match held:
        case Attribute():
            return made.get(id(held), held)
        case Relation():
            below = [_form(each, made) for each in held.inputs]
            for each in held.columns:
                made.setdefault(id(each), len(made))
            return type(held), tuple(below), _parts(held, made, {*held.below, "alias"})
        case CommonQuery():
            return id(held)
        case Expr() | SortKey() | Frame():
            return type(held), _parts(held, made, set())
        case tuple():
            return tuple(_form(each, made) for each in held)
    return held


def _parts(held: Any, made: dict[int, int], without: set[str]) -> tuple[Any, ...]:
    named = [f.name for f in fields(held) if f.compare and f.name not in without]
    return tuple(_form(getattr(held, name), made) for name in named)
