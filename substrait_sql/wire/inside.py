"""The messages inside a message."""

from __future__ import annotations

import re
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from substrait_sql.wire.fields import is_repeated

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from substrait_sql.wire.path import Path


# How Expression.subquery begins: its tag, a length, and the tag of the kind.
_SUBQUERY = re.compile(rb"b[\x80-\xff]{0,9}[\x00-\x7f][\n\x12\x1a\x22]")
# How Expression.window_function does: its tag, a length, and a tag that it has. i32 has the same tag as a type.
_WINDOW = re.compile(
    rb"\*(?:\x00|[\x80-\xff]{0,9}[\x01-\x7f][\x08\x12\x1a\x22\x2a\x30\x3a\x42\x4a\x50\x5a\x60\x78-\xff])"
)


def may_hold_subquery(data: bytes) -> bool:
    """Whether there may be a subquery in a message, written out: what has not these bytes has none."""
    return _SUBQUERY.search(data) is not None


def may_hold_window(data: bytes) -> bool:
    """Whether there may be a window function in a message, written out."""
    return _WINDOW.search(data) is not None


class Held:
    """What a plan may hold, as its bytes tell: with that most plans are asked once, and none of their parts.

    written: the plan written out. windows: whether it may hold window functions, as far as is known.
    """

    __slots__ = ("subqueries", "windows", "written")

    def __init__(self, written: bytes, *, windows: bool = True) -> None:
        self.written = written
        self.subqueries = may_hold_subquery(written)
        self.windows = windows and may_hold_window(written)

    def subquery(self, part: Any) -> bool:
        """Whether there may be a subquery in a part of the plan."""
        return self.subqueries and may_hold_subquery(part.SerializeToString())

    def window(self, part: Any) -> bool:
        """Whether there may be a window function in a part of the plan."""
        return self.windows and may_hold_window(part.SerializeToString())


def parts(message: Any) -> Iterator[tuple[str, Any]]:
    """The messages directly inside one, with the names of their fields, in the order of the protobuf."""
    for descriptor, value in message.ListFields():
        if descriptor.message_type is None:
            continue
        if hasattr(value, "ListFields"):
            yield descriptor.name, value
        else:
            for each in value:
                yield descriptor.name, each


def open_parts(message: Any, closed: Collection[str]) -> list[Any]:
    """The messages directly inside one but those of the closed types."""
    found: list[Any] = []
    for descriptor, value in message.ListFields():
        held = descriptor.message_type
        if held is None or held.name in closed:
            continue
        if hasattr(value, "ListFields"):
            found.append(value)
        else:
            found += value
    return found


def placed_parts(message: Any, path: Path, closed: Collection[str]) -> Iterator[tuple[Any, Path]]:
    """The same messages, with where each stands. path: of the one around them."""
    for descriptor, value in message.ListFields():
        if descriptor.message_type is None or descriptor.message_type.name in closed:
            continue
        at = path / descriptor.name
        if hasattr(value, "ListFields"):
            yield value, at
        else:
            yield from ((each, at[i]) for i, each in enumerate(value))


def inputs(node: Any) -> list[tuple[str, Any]]:
    """The relations directly below one, with the names of their fields. node: the message of a relation's kind."""
    found: list[tuple[str, Any]] = []
    for name, repeated in _inputs(node.DESCRIPTOR):
        if repeated:
            found += [(name, each) for each in getattr(node, name)]
        elif node.HasField(name):
            found.append((name, getattr(node, name)))
    return found


def relations_below(node: Any) -> list[Any]:
    """The same without the names; one that has to be there and is not is an empty one."""
    found: list[Any] = []
    for name, repeated in _inputs(node.DESCRIPTOR):
        if repeated:
            found += getattr(node, name)
        else:
            found.append(getattr(node, name))
    return found


@cache
def _inputs(descriptor: Any) -> tuple[tuple[str, bool], ...]:
    """The fields that hold relations, in the order of the protobuf, and whether each holds several."""
    fields = sorted(descriptor.fields, key=attrgetter("number"))
    return tuple(
        (f.name, is_repeated(f))
        for f in fields
        if f.message_type is not None and f.message_type.name == "Rel"
    )


def within(message: Any, closed: Collection[str] = ()) -> Iterator[Any]:
    """A message, and all those inside it, each before its own parts. closed: the types that are not looked into."""
    stack = [message]
    while stack:
        each = stack.pop()
        yield each
        if closed and each.DESCRIPTOR.name in closed:
            continue
        stack += reversed(open_parts(each, ()))


def relations_of(message: Any, path: Path) -> Iterator[Path]:
    """The paths of all relations below a message, those of subqueries included; a relation before those below it."""
    ahead = [(message, path)]
    while ahead:
        each, at = ahead.pop()
        if each.DESCRIPTOR.name == "Rel" and each.WhichOneof("rel_type") is not None:
            yield at / each.WhichOneof("rel_type")
        ahead += reversed(list(_placed_parts(each, at)))


def _placed_parts(message: Any, path: Path) -> Iterator[tuple[Any, Path]]:
    for descriptor, value in message.ListFields():
        if descriptor.message_type is None:
            continue
        at = path / descriptor.name
        if hasattr(value, "ListFields"):
            yield value, at
        else:
            yield from ((each, at[i]) for i, each in enumerate(value))
