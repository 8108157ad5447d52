"""Where a node of the tree comes from, and what else the lowering has to know of it.

It is kept in sqlglot's `meta`, for a node of sqlglot's compiled build takes no attributes of anybody else's. These
functions are the only ones that read or write it.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING, Any

from sqlglot import exp

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from substrait_sql.wire.path import Path

_COLUMN = "substrait_sql.column"
_ITEM = "substrait_sql.item"
_ARGUMENT = "substrait_sql.argument"
_PATHS = "substrait_sql.paths"

_SHORT = (exp.Column, exp.Literal, exp.Var)
_NONE = nullcontext()


def _noted(node: exp.Expr, key: str) -> Any:
    # Asking `meta` would make a dictionary for each node, and nearly none has notes. Releases before 30.20 or so have
    # no method that does not.
    notes = node._meta
    return notes.get(key) if notes else None


class CopyError(TypeError):
    """Somebody copies a node in sqlglot's way."""


class Origin:
    """What a node knows of itself. Sqlglot's copy of the node would be a second one that nobody names."""

    __slots__ = ()

    def __deepcopy__(self, memo: Any) -> Origin:
        raise CopyError("a node that comes from somewhere is copied by field.clone")


def column_of(node: exp.Expr) -> Any:
    """The `ColumnNode` that a node is, None for any other node."""
    # As `_noted` says it: every node is asked, several times.
    notes = node._meta
    return notes.get(_COLUMN) if notes else None


def set_column(node: exp.Expr, column: Origin) -> None:
    """Notes which column a node is."""
    # Made for that: it has no other notes, and `meta` would look whether it has.
    node._meta = {_COLUMN: column}


def item_of(node: exp.Expr) -> Any:
    """The FROM `Item` that a node is or names, None for any other node."""
    return _noted(node, _ITEM)


def set_item(node: exp.Expr, item: Origin) -> None:
    """Notes which FROM item a node is, or names."""
    node.meta[_ITEM] = item


def is_argument(node: exp.Expr) -> bool:
    """Whether the node is an argument of the function that is being written: a long one stands in the text once."""
    return bool(_noted(node, _ARGUMENT))


def arguments(nodes: Sequence[exp.Expr]) -> AbstractContextManager[None]:
    """Inside, these nodes are such arguments."""
    # A column or a literal is never long.
    parts = [node for node in nodes if type(node) not in _SHORT]
    return _arguments(parts) if parts else _NONE


@contextmanager
def _arguments(nodes: Sequence[exp.Expr]) -> Iterator[None]:
    for node in nodes:
        node.meta[_ARGUMENT] = True
    try:
        yield
    finally:
        for node in nodes:
            node.meta[_ARGUMENT] = False


def paths_of(node: exp.Expr) -> Sequence[Path]:
    """The nodes of the plan whose text a node is. Noted only where somebody asks for the source map."""
    return _noted(node, _PATHS) or ()


def note(node: exp.Expr, path: Path) -> None:
    """Notes that the text of a node is that of the node of the plan there."""
    paths = node.meta.setdefault(_PATHS, [])
    if path not in paths:
        paths.append(path)


def carry(node: exp.Expr, copy: exp.Expr) -> None:
    """A copy comes from where the node does."""
    found = _noted(node, _PATHS)
    if found:
        copy.meta[_PATHS] = list(found)


def join(nodes: Sequence[exp.Expr], made: exp.Expr) -> None:
    """A node that stands for several comes from where all of them do."""
    for node in nodes:
        for path in paths_of(node):
            note(made, path)
