"""The conditions of one WHERE or HAVING."""

from __future__ import annotations

from functools import partial

from substrait_sql.select.field import Field, Traits
from substrait_sql.tree.compare import fingerprint, same_text


class Conditions:
    """A WHERE or HAVING that says nothing twice. Only what looks alike is compared: clauses may be long."""

    def __init__(self, conditions: list[Field]) -> None:
        self.conditions = conditions
        self._alike: dict[int | None, list[Field]] = {}
        self._read = 0

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
