"""Which node of the plan a node of the SQL tree comes from, kept in sqlglot's own place for such things, `Expr.meta`.

Noted only where somebody asks for the source map: `Context.mapped`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlglot import exp

    from substrait_sql.wire.path import Path

KEY = "substrait_sql.paths"
"""The entry of `Expr.meta` that holds a list of paths."""


def note(node: exp.Expr, path: Path) -> None:
    """Notes that the text of a node is that of the node of the plan there."""
    paths = node.meta.setdefault(KEY, [])
    if path not in paths:
        paths.append(path)


def relations_of(message: Any, path: Path) -> Iterator[Path]:
    """The paths of all relations below a message, those of subqueries included; a relation before those below it."""
    for descriptor, value in message.ListFields():
        if descriptor.message_type is None:
            continue
        several = not hasattr(value, "ListFields")
        for i, each in enumerate(value if several else (value,)):
            at = (path / descriptor.name)[i] if several else path / descriptor.name
            if each.DESCRIPTOR.name == "Rel" and each.WhichOneof("rel_type") is not None:
                yield at / each.WhichOneof("rel_type")
            yield from relations_of(each, at)


def carry(node: exp.Expr, copy: exp.Expr) -> None:
    """A copy comes from where the node does."""
    found = node._meta
    if found and KEY in found:
        copy.meta[KEY] = list(found[KEY])
