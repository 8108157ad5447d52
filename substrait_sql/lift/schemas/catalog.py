"""The tables that a text may name, and what else it has to be told of the world."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from substrait_sql.errors import SqlError
from substrait_sql.lift.typing.types import Field, SparkType, struct

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


@dataclass(frozen=True, slots=True)
class Table:
    """A table, or a view by its text.

    name: its parts, as the plan will have them. columns: names and types. sql: the query of a view, None for a table.
    defaults: the text of the default of each column that has one, by its name in lower case.
    """

    name: tuple[str, ...]
    columns: tuple[Field, ...]
    sql: str | None = None
    defaults: Mapping[str, str] = field(default_factory=dict)


class Catalog:
    """Tables by name, without regard to case. parameters: the types of parameters, by name in lower case.

    Raises `SqlError` SS5010 for two tables of one name.
    """

    def __init__(
        self,
        tables: Sequence[Table] = (),
        parameters: Mapping[str, SparkType] | None = None,
        *,
        namespace: tuple[str, ...] = (),
    ) -> None:
        self._tables: dict[tuple[str, ...], Table] = {}
        for each in tables:
            before = self._tables.setdefault(_key(each.name), each)
            if before is not each:
                names = " and ".join(".".join(table.name) for table in (before, each))
                raise SqlError.of("SS5010", f"one table is there twice: {names}")
        self.parameters = {k.casefold(): v for k, v in (parameters or {}).items()}
        self._namespace = namespace

    def table(self, parts: Sequence[str]) -> Table | None:
        """The table of this name, also with the current namespace in front; None where there is none."""
        for each in (tuple(parts), (*self._namespace, *parts), *self._shorter(parts)):
            found = self._tables.get(_key(each))
            if found is not None:
                return found
        return None

    def add(self, table: Table) -> None:
        """Know a table that a statement has made, instead of one of its name."""
        self._tables[_key(table.name)] = table

    def _shorter(self, parts: Sequence[str]) -> list[tuple[str, ...]]:
        space = [p.casefold() for p in self._namespace]
        lead = [p.casefold() for p in parts[:-1]]
        if space and lead and space[-len(lead) :] == lead:
            return [tuple(parts[-1:])]
        return []

    def whole(self, name: tuple[str, ...]) -> tuple[str, ...]:
        """The name of a table with the current namespace in front, where it stands in that."""
        return (*self._namespace, *name) if len(name) == 1 else name

    def names(self) -> list[str]:
        """All names, for suggestions."""
        return [".".join(each.name) for each in self._tables.values()]


def _key(parts: Sequence[str]) -> tuple[str, ...]:
    return tuple(p.casefold() for p in parts)


def row_type(columns: Sequence[Field]) -> SparkType:
    """The columns as a struct."""
    return struct(columns)
