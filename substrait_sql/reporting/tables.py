"""The tables and files that a plan touches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from substrait_sql.outline.literals import clean, name_of
from substrait_sql.outline.parts import enum_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from substrait_sql.outline.columns import Node
    from substrait_sql.outline.walk import Step

_MOST_FILES = 20


def tables(steps: Sequence[Step]) -> list[list[Any]]:
    """Each table and file once: what is done to it, its name, its columns, and the numbers of the relations."""
    found: dict[tuple[str, str], tuple[list[str], list[int]]] = {}
    for i, step in enumerate(steps):
        for deed, name in _touched(step.node):
            columns, numbers = found.setdefault((deed, name), ([], []))
            numbers.append(i)
            columns += [c for c in _read(step.node) if c not in columns]
    return [[*key, *value] for key, value in found.items()]


def _touched(node: Node) -> Iterator[tuple[str, str]]:
    message = node.message
    if node.kind == "read":
        kind = message.WhichOneof("read_type")
        if kind == "named_table":
            yield "reads", ".".join(map(name_of, message.named_table.names))
        elif kind == "local_files":
            items = message.local_files.items
            for item in items[:_MOST_FILES]:
                path = item.WhichOneof("path_type")
                yield "reads file", clean(getattr(item, path)) if path else "(no path)"
            if len(items) > _MOST_FILES:
                yield "reads file", f"… and {len(items) - _MOST_FILES:,} more"
        elif kind not in (None, "virtual_table"):
            yield "reads", kind.replace("_", " ")
    elif node.kind in ("write", "ddl", "update"):
        for name in ("named_table", "named_object"):
            if name in message.DESCRIPTOR.fields_by_name and message.HasField(name):
                deed = enum_words(message, "op") if node.kind != "update" else "update"
                yield deed, ".".join(map(name_of, getattr(message, name).names))


def _read(node: Node) -> list[str]:
    """The columns that a read returns, before any emit."""
    return [name_of(c.name) for c in node.direct] if node.kind == "read" else []
