"""How many columns each relation of a plan returns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from substrait_sql.errors import invalid
from substrait_sql.plan.join_types import JOINS, join_type
from substrait_sql.wire.path import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable

    from substrait_sql.wire.path import Path

_FIRST_INPUT = ("filter", "sort", "fetch", "top_n", "exchange")


class Subtrees(Protocol):
    """The relations that ReferenceRels point to: those of the plan, and those that a rewriting has made."""

    def subtree(self, ordinal: int, path: Path) -> Any:
        """The relation that an ordinal names."""
        ...

    def width(self, ordinal: int) -> int | None:
        """The number of columns of a relation that has been made, None where the ordinal is the plan's."""
        ...


class Widths:
    """The widths of a plan's relations, and of those that have been made while it is lowered.

    replaces: whether a projection without an emit returns its expressions alone, as some producers mean it.
    lowered: the width of a relation that says in its own way what it returns.
    """

    def __init__(
        self, subtrees: Callable[[], Subtrees], replaces: bool, lowered: Callable[[Any], int]
    ) -> None:
        self._subtrees = subtrees
        self._replaces = replaces
        self._lowered = lowered
        self._open: list[int] = []

    def of(self, rel: Any) -> int:
        """The number of columns after the relation's emit."""
        kind = rel.WhichOneof("rel_type")
        if kind is None:
            raise invalid("SS2010", "the relation is empty: none of its kinds is set", ROOT)
        node = getattr(rel, kind)
        if kind == "reference":
            return self._of_reference(node.subtree_ordinal)
        if node.common.WhichOneof("emit_kind") == "emit":
            return len(node.common.emit.output_mapping)
        return self.direct(rel)

    def direct(self, rel: Any) -> int:
        """The number of columns before the emit."""
        kind = rel.WhichOneof("rel_type")
        node = getattr(rel, kind)
        if kind in _FIRST_INPUT:
            return self.of(node.input)
        if kind == "project":
            replaces = self._replaces and node.common.WhichOneof("emit_kind") != "emit"
            return len(node.expressions) + (0 if replaces else self.of(node.input))
        if kind == "read":
            return self._of_read(node)
        if kind == "aggregate":
            keys = len(node.grouping_expressions)
            return keys + len(node.measures) + (len(node.groupings) > 1)
        if kind == "set":
            return self.of(node.inputs[0])
        if kind == "window":
            return self.of(node.input) + len(node.window_functions)
        if kind == "expand":
            return max(self.of(node.input), len(node.fields)) + 1
        if kind in JOINS:
            return self._of_join(node, kind)
        return self._lowered(rel)

    def _of_reference(self, ordinal: int) -> int:
        made = self._subtrees().width(ordinal)
        if made is not None:
            return made
        if ordinal in self._open:
            raise invalid("SS2072", f"subtree {ordinal} refers to itself", ROOT)
        self._open.append(ordinal)
        try:
            return self.of(self._subtrees().subtree(ordinal, ROOT))
        finally:
            self._open.pop()

    def _of_read(self, node: Any) -> int:
        if node.HasField("projection"):
            return len(node.projection.select.struct_items)
        return len(node.base_schema.struct.types) or len(node.base_schema.names)

    def _of_join(self, node: Any, kind: str) -> int:
        type = join_type(node, kind)
        left = self.of(node.left) if type.returned.left else 0
        right = self.of(node.right) if type.returned.right else 0
        return left + right + type.mark
