"""The types of extension files: a plan calls them by anchors, which mean nothing outside of it.

Types and literals of those that Substrait itself defines get their names written in, in a field that only this
package's own message classes have. https://substrait.io/types/type_classes/#user-defined-types
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from substrait_sql.schema.functions import stem_of
from substrait_sql.wire.inside import within

if TYPE_CHECKING:
    from collections.abc import Collection

# DataFusion's type of a NULL that has no other, under a URN that it does not declare.
NULL = "null"
_NAMED = ("substrait.Type.UserDefined", "substrait.Expression.Literal.UserDefined")


def name_types(plan: Any, others: Collection[tuple[str, str]], *, forget: bool) -> None:
    """Writes the names in. A plan that declares no such type is not looked at any further.

    others: the types of the user's own extensions, as their URN and their name in lower case.
    forget: types that the plan does not declare are unknown ones, see `Habits.undeclared_types`.
    """
    urns = {u.extension_urn_anchor: u.urn for u in plan.extension_urns}
    names: dict[int, str] = {}
    declared_too = set()
    for item in plan.extensions:
        if item.WhichOneof("mapping_type") == "extension_type":
            declared = item.extension_type
            declared_too.add(declared.type_anchor)
            urn = urns.get(declared.extension_urn_reference)
            if (urn or "", declared.name.lower()) in others:
                names[declared.type_anchor] = declared.name.lower()
            elif stem_of(urn or "") is not None or (urn is None and declared.name == NULL):
                names[declared.type_anchor] = declared.name
    if names:
        for message in _all(plan, *_NAMED):
            message.sql_name = names.get(message.type_reference, "")
    if forget:
        for type in _all(plan, "substrait.Type"):
            if type.WhichOneof("kind") == "user_defined" and (
                type.user_defined.type_reference not in declared_too
            ):
                type.Clear()


_UNSIGNED = {"i8": "u8", "i16": "u16", "i32": "u32", "i64": "u64"}


def name_unsigned(plan: Any) -> None:
    """Makes unsigned integers of DataFusion's: those under the first variation of a signed type."""
    for type in _all(plan, "substrait.Type"):
        kind = type.WhichOneof("kind")
        if kind in _UNSIGNED and getattr(type, kind).type_variation_reference == 1:
            nullability = getattr(type, kind).nullability
            type.user_defined.sql_name = _UNSIGNED[kind]
            type.user_defined.nullability = nullability


def _all(root: Any, *names: str) -> list[Any]:
    return [message for message in within(root) if message.DESCRIPTOR.full_name in names]
