"""Expressions as Spark compares them with the keys of GROUP BY."""

from __future__ import annotations

from dataclasses import replace

from substrait_sql.lift.tree import Call, Expr

_TURNED = {">": "<", ">=": "<="}
_EITHER_WAY = {"+", "*", "=", "<=>", "and", "or", "&", "|", "^"}


def canonical(found: Expr) -> Expr:
    """The expression as Spark compares it with others: ``a + 1`` is ``1 + a``, ``a > b`` is ``b < a``."""
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


def _same_operator(around: Call, found: Expr) -> tuple[Expr, ...]:
    if isinstance(found, Call) and found.name == around.name and found.type == around.type:
        return found.arguments
    return (found,)


def _order_key(found: Expr) -> tuple[str, int]:
    return type(found).__name__, hash(found)
