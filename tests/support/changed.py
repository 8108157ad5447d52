"""Plans with one change: what a plan says is changed in one place, whatever that is, and the rest stays."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, NamedTuple

from google.protobuf.descriptor import FieldDescriptor

from substrait_sql.wire.fields import is_repeated

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

# Without them columns have no types, which some producers leave out: that is no other plan, but less of it.
_NEEDED = "substrait.NamedStruct.struct"


class Place(NamedTuple):
    """A field of a message in the plan that is set."""

    message: Any
    field: FieldDescriptor


def places(message: Any) -> Iterator[Place]:
    """Every field that is set, in the relations of a plan."""
    stack = list(message.relations)
    while stack:
        node = stack.pop()
        for field, value in node.ListFields():
            yield Place(node, field)
            if field.message_type is not None:
                stack.extend(value if is_repeated(field) else [value])


def change(plan: Any, luck: Random) -> str:
    """Changes one field of a plan, of any kind that it has, and says which; nothing where that cannot be."""
    kinds = defaultdict(list)
    for place in places(plan):
        kinds[place.field.full_name].append(place)
    kinds.pop(_NEEDED, None)
    name = luck.choice(sorted(kinds))
    message, field = luck.choice(kinds[name])
    try:
        if is_repeated(field):
            _change_list(getattr(message, field.name), luck)
        elif field.message_type is not None:
            message.ClearField(field.name)
        else:
            setattr(message, field.name, _other(getattr(message, field.name), field, luck))
    except (ValueError, TypeError):
        return ""
    return name


def _change_list(values: Any, luck: Random) -> None:
    """Two members change places, or one is taken out, is there twice, or is another."""
    members = list(values)
    i = luck.randrange(len(members))
    match luck.choice(["swap", "take out", "double", "alter"]):
        case "swap" if i:
            members[i - 1], members[i] = members[i], members[i - 1]
        case "take out":
            del members[i]
        case "alter" if isinstance(members[i], int):
            members[i] += luck.choice([-1, 1])
        case _:
            members.insert(i, members[i])
    copies = [
        type(m).FromString(m.SerializeToString()) if hasattr(m, "ListFields") else m
        for m in members
    ]
    del values[:]
    values.extend(copies)


def _other(value: Any, field: FieldDescriptor, luck: Random) -> Any:
    if field.enum_type is not None:
        return luck.choice([v.number for v in field.enum_type.values if v.number != value])
    match value:
        case bool():
            return not value
        case str():
            return value + "x"
        case bytes():
            return value + b"\1"
    return value + luck.choice([-1, 1])
