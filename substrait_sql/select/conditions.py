"""The conditions of one WHERE or HAVING."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from substrait_sql.select.field import Field, Traits, hold
from substrait_sql.tree.compare import fingerprint, same_text

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable


class Conditions:
    """A WHERE or HAVING that says nothing twice. Only what looks alike is compared: clauses may be long."""

    def __init__(self, conditions: list[Field]) -> None:
        self.conditions = conditions
        self._alike: dict[int | None, list[Field]] = {}
        self._read = 0
        # The contents of the expressions that they have been made of.
        self._contents: set[Hashable] = set()

    def says(self, content: Hashable) -> bool:
        """Whether an expression of this content is among them, as far as that is known. None: it has none."""
        return content is not None and content in self._contents

    def note(self, contents: Iterable[Hashable], found: list[Field]) -> None:
        """Remembers what the conditions last added were made of. What gives another value each time says no other."""
        if not hold(found, Traits.IMPURE):
            self._contents.update(contents)

    def add(self, found: list[Field]) -> None:
        """Appends the conditions that are not there yet."""
        if len(found) < 2 and not self.conditions:
            self.conditions += found
            return
        for f in self.conditions[self._read :]:
            self._alike.setdefault(_mark(f), []).append(f)
        for f in found:
            alike = self._alike.setdefault(_mark(f), [])
            if f.traits & Traits.IMPURE or not any(map(partial(_same, f), alike)):
                self.conditions.append(f)
                alike.append(f)
        self._read = len(self.conditions)


def _mark(condition: Field) -> int | None:
    if condition.mark is None and condition.sql is not None:
        condition.mark = fingerprint(condition.sql)
    return condition.mark


def _same(a: Field, b: Field) -> bool:
    return a.sql is not None and b.sql is not None and same_text(a.sql, b.sql)
