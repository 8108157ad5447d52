"""What the notation of expressions stands on: scopes, references, and any other message."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from substrait_sql.outline.literals import clean, few, literal, name_of, quoted
from substrait_sql.wire.fields import is_repeated

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence


class Scope:
    """The record that an expression sees, and those around it.

    names: of its columns, empty where unknown. anchors: the relations that outer references call it
    by. outer: the record around it. lateral: it is the left side of a lateral join, which
    ``steps_out`` does not count.
    """

    __slots__ = ("anchors", "lateral", "names", "outer")

    def __init__(
        self,
        names: Sequence[str] = (),
        anchors: frozenset[int] = frozenset(),
        outer: Scope | None = None,
        *,
        lateral: bool = False,
    ) -> None:
        counts = Counter(names)
        self.names = [n if counts[n] == 1 else "" for n in names]
        self.anchors = anchors
        self.outer = outer
        self.lateral = lateral

    def name(self, ordinal: int) -> str:
        """Return the column's name, or ``$3`` where that would not tell which column it is."""
        known = 0 <= ordinal < len(self.names) and self.names[ordinal]
        return name_of(known) if known else f"${ordinal}"

    def around(self) -> Iterator[Scope]:
        """Return the records around this one, nearest first."""
        scope = self.outer
        while scope is not None:
            yield scope
            scope = scope.outer


def words(descriptor: Any, number: int, type_name: str = "") -> str:
    """Return an enum's value as words: JOIN_TYPE_LEFT_SEMI is ``left semi``."""
    value = descriptor.values_by_number.get(number)
    if value is None:
        return f"type {number}"
    # All values begin with the name of the enum, which that of an enum's own zero shows.
    zero = descriptor.values_by_number.get(0)
    head = zero.name.removesuffix("UNSPECIFIED") if zero is not None else type_name
    return str(value.name).removeprefix(head).replace("_", " ").lower()


def enum_words(message: Any, field: str) -> str:
    """Return the value of an enum field as words."""
    return words(message.DESCRIPTOR.fields_by_name[field].enum_type, getattr(message, field))


def outer_text(message: Any, ordinal: int, scope: Scope) -> str:
    """Return a field of a record further out. What it points at need not exist."""
    if message.WhichOneof("outer_reference_type") == "rel_reference":
        anchor = message.rel_reference
        host = next((s for s in scope.around() if anchor in s.anchors), None)
        return f"outer({host.name(ordinal)})" if host else f"outer(${ordinal} of anchor {anchor})"
    steps = message.steps_out
    hosts = [s for s in scope.around() if not s.lateral]
    name = hosts[steps - 1].name(ordinal) if 0 < steps <= len(hosts) else f"${ordinal}"
    return f"outer({name})" if steps == 1 else f"outer({name}, {steps} out)"


def steps_text(segment: Any) -> str:
    """Return the steps of a reference into a nested value: ``.$1``, ``[3]``, ``['key']``."""
    found: list[str] = []
    while True:
        kind = segment.WhichOneof("reference_type")
        if kind is None:
            return "".join(found)
        step = getattr(segment, kind)
        if kind == "struct_field":
            found.append(f".${step.field}")
        elif kind == "list_element":
            found.append(f"[{step.offset}]")
        else:
            found.append(f"[{literal(step.map_key)}]")
        segment = step.child


def mask_text(mask: Any, scope: Scope) -> str:
    """Return the fields that a mask keeps; parts of nested ones in braces."""
    return few([scope.name(i.field) + _item(i) for i in mask.select.struct_items])


def _item(item: Any) -> str:
    return _select(item.child) if item.HasField("child") else ""


def _select(select: Any) -> str:
    kind = select.WhichOneof("type")
    if kind == "struct":
        return "{" + few([f"${i.field}{_item(i)}" for i in select.struct.struct_items]) + "}"
    if kind is None:
        return ""
    part = getattr(select, kind)
    if kind == "map":
        which = part.WhichOneof("select")
        key = (
            quoted(
                getattr(getattr(part, which), "map_key" + "_expression" * (which == "expression"))
            )
            if which
            else "*"
        )
        inside = f"[{key}]"
    else:
        inside = "[" + few([_slice(s) for s in part.selection]) + "]"
    return inside + (_select(part.child) if part.HasField("child") else "")


def _slice(selection: Any) -> str:
    if selection.WhichOneof("type") == "slice":
        return f"{selection.slice.start}:{selection.slice.end}"
    return str(selection.item.field)


def generic(message: Any, write: Callable[[Any, str], str]) -> list[str]:
    """Return the fields of a message that has no notation, named as in the protobuf.

    write: writes an expression; it is also given the name of its field.
    """
    found = []
    for field, value in message.ListFields():
        repeated = is_repeated(field)
        texts = [_generic(v, field, write) for v in (value if repeated else [value])]
        if all(texts):
            found.append(f"{field.name.replace('_', ' ')} {few(texts)}")
    return found


_ELSEWHERE = ("Rel", "RelCommon", "AdvancedExtension", "NamedStruct")


def _generic(value: Any, field: Any, write: Callable[[Any, str], str]) -> str:
    """One value; empty for what is shown elsewhere."""
    if field.enum_type is not None:
        return words(field.enum_type, value)
    if field.message_type is None:
        return _scalar(value)
    name = field.message_type.name
    if name in _ELSEWHERE:
        return ""
    if name in ("Expression", "FieldReference"):
        return write(value, field.name)
    if name == "Any":
        return f"{clean(value.type_url) or 'nothing'} ({len(value.value)} bytes)"
    if name == "Literal":
        return literal(value)
    inside = generic(value, write)
    return "{" + "; ".join(inside) + "}" if inside else "{}"


def _scalar(value: Any) -> str:
    if isinstance(value, str):
        return quoted(value)
    return f"{len(value)} bytes" if isinstance(value, bytes) else str(value).lower()
