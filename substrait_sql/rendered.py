"""What rendering a plan gives back."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from substrait_sql.errors import Diagnostic


SourceMap = tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class Column:
    """One output column: its name, its Substrait type as text, and the Spark type of what the SQL returns."""

    name: str
    type: str
    spark_type: str


class Source:
    """A table that the SQL reads.

    names: the parts of the table's name as the plan spells them. columns: those that the plan declares, described when
    somebody asks. path: the first node of the plan that reads it. anonymous: the name is ours.
    """

    __slots__ = ("_columns", "anonymous", "names", "path")

    def __init__(
        self,
        names: tuple[str, ...],
        columns: tuple[Column, ...] | Callable[[], tuple[Column, ...]],
        path: str,
        anonymous: bool = False,
    ) -> None:
        self.names = names
        self.anonymous = anonymous
        self.path = path
        self._columns = columns

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns in the plan's order."""
        if callable(self._columns):
            self._columns = self._columns()
        return self._columns

    def __repr__(self) -> str:
        return f"Source({'.'.join(self.names)!r}, path={self.path!r})"


@dataclass(frozen=True, slots=True)
class Statement:
    """One SQL statement. kind: ``query``, ``view``, ``table``, ``insert``, …; root: its index in ``Plan.relations``."""

    sql: str
    kind: str
    root: int
    columns: tuple[Column, ...] = ()


@dataclass(frozen=True, slots=True)
class Rendered:
    """The SQL of a plan, and what a caller needs to run it or to judge it.

    settings: session settings the text relies on; `execute` applies them for the statement alone.
    mapper: makes `source_map` when it is asked for.
    """

    statements: tuple[Statement, ...]
    sources: tuple[Source, ...] = ()
    parameters: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    settings: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    diagnostics: tuple[Diagnostic, ...] = ()
    mapper: Callable[[], SourceMap] = field(default=tuple, repr=False, compare=False)

    @property
    def source_map(self) -> SourceMap:
        """(line of `sql`, plan path) pairs in order: where each SELECT begins, and the relation it ends with."""
        return self.mapper()

    @property
    def sql(self) -> str:
        """The text: statements are joined by ``;`` and a blank line."""
        return ";\n\n".join(s.sql for s in self.statements)
