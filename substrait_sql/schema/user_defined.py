"""The types of extension files: a plan calls them by anchors, which mean nothing outside of it.

Types and literals of those that Substrait itself defines get their names written in, in a field that only this
package's own message classes have. https://substrait.io/types/type_classes/#user-defined-types
"""

from __future__ import annotations

import re
from copy import copy
from typing import TYPE_CHECKING, Any

from substrait_sql.schema import types
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
        for message in messages_in(plan, *_NAMED):
            message.sql_name = names.get(message.type_reference, "")
    if forget:
        for type in types_in(plan):
            if type.WhichOneof("kind") == "user_defined" and (
                type.user_defined.type_reference not in declared_too
            ):
                type.Clear()


# How such a type is written: the tag of i8, i16, i32 or i64, its length, the variation, and the nullability if there is
# one. A reference to column 1 has the bytes of an i8 without nullability, between others that no type stands between.
# The variation comes first here, for it is found fast.
_MAYBE_UNSIGNED = re.compile(
    rb"\x08\x01(?:(?<=[\x12\x1a\x2a\x3a]\x04\x08\x01)\x10|(?<=[\x1a\x2a\x3a]\x02\x08\x01)"
    rb"|(?<=\x12\x02\x08\x01)(?:(?<!\x0a\x04\x12\x02\x08\x01)|(?!\x22\x00)))"
)
_UNSIGNED = {"i8": "u8", "i16": "u16", "i32": "u32", "i64": "u64"}


def name_unsigned(plan: Any, written: bytes) -> None:
    """Makes unsigned integers of DataFusion's: those under the first variation of a signed type.

    Few plans have any, and to look at every message of a plan takes as long as much of its lowering. written: the plan
    written out.
    """
    if _MAYBE_UNSIGNED.search(written) is None:
        return
    for type in types_in(plan):
        kind = type.WhichOneof("kind")
        if kind in _UNSIGNED and getattr(type, kind).type_variation_reference == 1:
            nullability = getattr(type, kind).nullability
            type.user_defined.sql_name = _UNSIGNED[kind]
            type.user_defined.nullability = nullability


# The tag of a map: each type that is one begins with it.
_MAP = b"\xe2\x01"


def name_dictionaries(plan: Any, written: bytes) -> None:
    """Makes the types of DataFusion's dictionaries those of their values: maps under the first variation are no maps.

    written: the plan written out.
    """
    if _MAP not in written:
        return
    # Those inside of others come last.
    for type in reversed(types_in(plan)):
        if type.WhichOneof("kind") == "map" and type.map.type_variation_reference == 1:
            may_be_null, value = types.nullable(type), copy(type.map.value)
            type.CopyFrom(types.with_nullability(value, may_be_null))


# What stands in great numbers in plans, and holds no types; and the types that hold others.
_WITHOUT = frozenset(["NamedTable", "RelCommon", "RootReference"])
_NESTED = ("func", "list", "map", "struct", "user_defined")


def types_in(plan: Any) -> list[Any]:
    """All types in a plan, those inside of others too."""
    found: list[Any] = []
    stack = [plan]
    while stack:
        for descriptor, value in stack.pop().ListFields():
            held = descriptor.message_type
            if held is None or held.name in _WITHOUT:
                continue
            several = value if not hasattr(value, "ListFields") else (value,)
            if held.name != "Type":
                stack += several
                continue
            found += several
            stack += [type for type in several if type.WhichOneof("kind") in _NESTED]
    return found


def messages_in(root: Any, *names: str) -> list[Any]:
    """All messages in a plan of the classes with these full names, each before its own parts."""
    return [message for message in within(root) if message.DESCRIPTOR.full_name in names]
