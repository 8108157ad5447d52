"""How many columns each relation of a plan returns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from substrait_sql.errors import invalid
from substrait_sql.plan.shapes import (
    ELSEWHERE,
    STATEMENTS,
    Made,
    Part,
    Passed,
    input_of,
    parts,
    parts_of,
)
from substrait_sql.wire.path import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from substrait_sql.plan.habits import Habits
    from substrait_sql.wire.path import Path


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

    habits: how the plan's producer means it.
    lowered: the width of a relation that says in its own way what it returns.
    opened: the subtrees that are being looked at, by which one that refers to itself is found.
    """

    def __init__(
        self,
        subtrees: Callable[[], Subtrees],
        habits: Habits,
        lowered: Callable[[Any], int],
        opened: list[int],
    ) -> None:
        self._subtrees = subtrees
        self._habits = habits
        self._lowered = lowered
        self._open = opened

    def of(self, rel: Any) -> int:
        """The number of columns after the relation's emit."""
        kind = rel.WhichOneof("rel_type")
        if kind is None:
            raise invalid("SS2010", "the relation is empty: none of its kinds is set", ROOT)
        node = getattr(rel, kind)
        if kind == "reference":
            return self._of_reference(node.subtree_ordinal)
        if kind in STATEMENTS:
            # Refused there, as every kind without a shape.
            parts(rel, self._habits)
        if node.common.WhichOneof("emit_kind") == "emit":
            return len(node.common.emit.output_mapping)
        return self.direct(rel)

    def direct(self, rel: Any) -> int:
        """The number of columns before the emit."""
        kind = rel.WhichOneof("rel_type")
        if kind in ELSEWHERE:
            return self._elsewhere(rel, kind)
        return self._of_parts(rel, parts(rel, self._habits))

    def _of_parts(self, rel: Any, found: Sequence[Part]) -> int:
        return sum(self._of_part(rel, part) for part in found)

    def _elsewhere(self, rel: Any, kind: str) -> int:
        if kind == "reference":
            return self.of(rel)
        found = parts_of(kind, getattr(rel, kind), self._habits)
        return self._lowered(rel) if found is None else self._of_parts(rel, found)

    def place(self, rel: Any, ordinal: int) -> tuple[Part, int] | None:
        """The part of a relation's columns before the emit that one belongs to, and which it is in there."""
        for part in parts(rel, self._habits):
            width = self._of_part(rel, part)
            if ordinal < width:
                return (part, ordinal) if ordinal >= 0 else None
            ordinal -= width
        return None

    def known(self, rel: Any) -> bool:
        """Whether the plan says what the relation returns."""
        kind = rel.WhichOneof("rel_type")
        return kind is not None and parts_of(kind, getattr(rel, kind), self._habits) is not None

    def passed(self, rel: Any) -> int:
        """Where the input's last column stands before the emit, and more would stand behind it if there were more."""
        width = end = 0
        for part in parts(rel, self._habits):
            width += self._of_part(rel, part)
            end = width if isinstance(part, Passed) else end
        return end

    def _of_part(self, rel: Any, part: Part) -> int:
        if isinstance(part, Made):
            return len(part.members)
        if isinstance(part, Passed):
            return len(part.picked(range(self.of(input_of(rel, part.field)))))
        return 1

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
