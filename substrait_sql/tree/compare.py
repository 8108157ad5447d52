"""Whether two sqlglot trees say the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.tree import origin

if TYPE_CHECKING:
    from collections.abc import Iterable


def same_text(a: exp.Expression, b: exp.Expression) -> bool:
    """Whether two trees would be printed alike, columns told apart by where they come from."""
    if type(a) is not type(b):
        return False
    ra, rb = origin.column_of(a), origin.column_of(b)
    if ra is not None or rb is not None:
        return ra is not None and rb is not None and ra.item is rb.item and ra.ordinal == rb.ordinal
    if a.args.keys() != b.args.keys():
        return False
    return all(_same_value(value, b.args[key]) for key, value in a.args.items())


class Texts:
    """Trees, to ask whether one of the same text is among them. Most begin otherwise: no more of those is looked at."""

    def __init__(self, trees: Iterable[exp.Expression] = ()) -> None:
        self._beginnings: dict[object, exp.Expression | None] = {}
        # Those of which several begin alike.
        self._found: dict[int, list[exp.Expression]] = {}
        for tree in trees:
            self.add(tree)

    def __contains__(self, tree: exp.Expression) -> bool:
        begin = _beginning(tree)
        if begin not in self._beginnings:
            return False
        only = self._beginnings[begin]
        if only is not None:
            return same_text(tree, only)
        return any(same_text(tree, other) for other in self._found.get(fingerprint(tree), ()))

    def add(self, tree: exp.Expression) -> bool:
        """Takes one in; whether it is the first of its text."""
        begin = _beginning(tree)
        if begin not in self._beginnings:
            self._beginnings[begin] = tree
            return True
        only = self._beginnings[begin]
        if only is not None:
            self._beginnings[begin] = None
            self._found.setdefault(fingerprint(only), []).append(only)
        alike = self._found.setdefault(fingerprint(tree), [])
        if any(same_text(tree, other) for other in alike):
            return False
        alike.append(tree)
        return True


def _beginning(tree: exp.Expression) -> object:
    """The same for trees of the same text: what a tree is, and the column that stands first in it."""
    node: Any = tree
    while isinstance(node, exp.Expression):
        column = origin.column_of(node)
        if column is not None:
            return type(tree), column.item, column.ordinal
        node = node.args.get("this")
    return type(tree), node if isinstance(node, str) else None


def _same_value(a: Any, b: Any) -> bool:
    if isinstance(a, list):
        return isinstance(b, list) and len(a) == len(b) and all(map(_same_value, a, b))
    if isinstance(a, exp.Expression):
        return isinstance(b, exp.Expression) and same_text(a, b)
    return bool(a == b)


def fingerprint(a: Any) -> int:
    """The same number for trees of the same text; finds the few that are worth comparing."""
    if isinstance(a, exp.Expression):
        reference = origin.column_of(a)
        if reference is not None:
            return hash((reference.item, reference.ordinal))
        return hash((type(a), *[fingerprint(v) for v in a.args.values() if v is not None]))
    return hash(tuple(map(fingerprint, a)) if isinstance(a, list) else a)
