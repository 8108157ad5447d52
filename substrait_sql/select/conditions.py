"""The conditions of one WHERE or HAVING."""

from __future__ import annotations

from typing import TYPE_CHECKING

from substrait_sql.select.field import Field, Traits, hold
from substrait_sql.tree.compare import Texts

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable


class Conditions:
    """A WHERE or HAVING that says nothing twice. Only what looks alike is compared: clauses may be long."""

    def __init__(self, conditions: list[Field]) -> None:
        self.conditions = conditions
        self._texts = Texts()
        self._read = 0
        # The contents of the expressions that they have been made of, and what lists those that nobody asked for yet.
        self._contents: set[Hashable] = set()
        self._unlisted: list[Callable[[], Iterable[Hashable]]] = []

    @property
    def contents(self) -> set[Hashable]:
        """The contents of the expressions that are among them, as far as that is known; None is one that has none."""
        for listed in self._unlisted:
            self._contents.update(listed())
        self._unlisted = []
        return self._contents

    def note(self, listed: Callable[[], Iterable[Hashable]], found: list[Field]) -> None:
        """Remembers what the conditions last added were made of. What gives another value each time says no other."""
        if not hold(found, Traits.IMPURE):
            self._unlisted.append(listed)

    def add(self, found: list[Field]) -> None:
        """Appends the conditions that are not there yet."""
        if len(found) < 2 and not self.conditions:
            self.conditions += found
            return
        for f in self.conditions[self._read :]:
            if f.sql is not None:
                self._texts.add(f.sql)
        for f in found:
            first = f.sql is None or self._texts.add(f.sql)
            if first or f.traits & Traits.IMPURE:
                self.conditions.append(f)
        self._read = len(self.conditions)
