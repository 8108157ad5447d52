"""Types that a plan gives names of its own: each use becomes the type itself, with the nullability of the use.

https://substrait.io/types/type_aliases/
"""

from __future__ import annotations

from typing import Any

from substrait_sql.errors import InvalidPlanError
from substrait_sql.schema import types
from substrait_sql.wire.inside import parts
from substrait_sql.wire.path import ROOT

_AT = ROOT / "type_aliases"
_TYPE = "substrait.Type"
_LITERAL = "substrait.Expression.Literal.UserDefined"


def resolve_aliases(plan: Any) -> None:
    """Puts the types in. A plan without aliases is not looked at any further. Raises SS2190."""
    if not plan.type_aliases:
        return
    named = {a.type_alias_anchor: a.type for a in plan.type_aliases}
    if len(named) != len(plan.type_aliases):
        raise InvalidPlanError.of("SS2190", "two type aliases have one anchor", _AT)
    for anchor, type in named.items():
        if types.kind(type) == "alias":
            raise InvalidPlanError.of(
                "SS2190", f"type alias {anchor} stands for another alias", _AT
            )
        _refuse_cycle(anchor, named, ())
    # Aliases may stand inside of aliases, so what has been put in is looked at as well.
    stack = [plan]
    while stack:
        message = stack.pop()
        _resolve(message, named)
        stack.extend(each for _, each in parts(message))


def _resolve(message: Any, named: dict[int, Any]) -> None:
    name = message.DESCRIPTOR.full_name
    if name == _TYPE and types.kind(message) == "alias":
        nullable = types.nullable(message)
        found = _named(message.alias.type_alias_reference, named)
        message.CopyFrom(types.with_nullability(found, nullable))
    elif name == _LITERAL and message.WhichOneof("type_anchor_type") == "type_alias_reference":
        anchor = message.type_alias_reference
        found = _named(anchor, named)
        if types.kind(found) != "user_defined":
            raise InvalidPlanError.of(
                "SS2190", f"a user-defined literal is of type alias {anchor}, which is none", _AT
            )
        message.type_reference = found.user_defined.type_reference
        del message.type_parameters[:]
        message.type_parameters.extend(found.user_defined.type_parameters)


def _named(anchor: int, named: dict[int, Any]) -> Any:
    if anchor not in named:
        raise InvalidPlanError.of("SS2190", f"the plan has no type alias with anchor {anchor}", _AT)
    return named[anchor]


def _refuse_cycle(anchor: int, named: dict[int, Any], around: tuple[int, ...]) -> None:
    if anchor in around:
        raise InvalidPlanError.of("SS2190", f"type alias {anchor} contains itself", _AT)
    stack = [_named(anchor, named)]
    while stack:
        message = stack.pop()
        if message.DESCRIPTOR.full_name == _TYPE and types.kind(message) == "alias":
            _refuse_cycle(message.alias.type_alias_reference, named, (*around, anchor))
        stack.extend(each for _, each in parts(message))
