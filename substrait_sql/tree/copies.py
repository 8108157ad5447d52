"""Copies of sqlglot trees whose nodes know where they come from."""

from __future__ import annotations

import threading
from typing import Any

from sqlglot import exp

from substrait_sql.tree import origin
from substrait_sql.tree.origin import carry

# An argument of more nodes of SQL than this is not written twice by a function that uses it twice.
ARGUMENT_LIMIT = 12


class TooLong(Exception):
    """An argument would have to be copied that holds a query, or is too long for that."""

    def __init__(self, node: exp.Expression) -> None:
        self.node = node


def clone(node: exp.Expression, columns: list[Any] | None = None) -> exp.Expression:
    """A deep copy whose columns and FROM items know where they come from.

    Columns are added to `columns`; without that they become twins of the originals, named together with them, as all
    columns of a subquery are. sqlglot's own copy would lose the references that the naming pass sets names through.
    """
    COPIED.nodes += 1
    reference = origin.column_of(node)
    if origin.is_argument(node) and _is_long(node):
        raise TooLong(node)
    if reference is not None:
        fresh: exp.Expression = reference.again(columns)
        carry(node, fresh)
        return fresh
    if isinstance(node, exp.Query):
        columns = None
    arguments: dict[str, Any] = {}
    for key, value in node.args.items():
        if isinstance(value, exp.Expression):
            arguments[key] = clone(value, columns)
        elif isinstance(value, list):
            arguments[key] = [
                clone(v, columns) if isinstance(v, exp.Expression) else v for v in value
            ]
        else:
            arguments[key] = value
    copied = type(node)(**arguments)
    carry(node, copied)
    item = origin.item_of(node)
    if item is not None:
        item.copied(copied)
    return copied


def _is_long(node: exp.Expression) -> bool:
    left = ARGUMENT_LIMIT
    stack: list[Any] = [node]
    while stack:
        found = stack.pop()
        left -= 1
        if left < 0 or isinstance(found, (exp.Query, exp.Window)):
            return True
        stack.extend(found.iter_expressions())
    return False


class _Copied(threading.local):
    """How many nodes of SQL this thread has ever copied."""

    nodes = 0


COPIED = _Copied()
