"""What rendering a plan gives back."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from substrait_sql.errors import Diagnostic


SourceMap = tuple[tuple[int, str], ...]

ZONE = "UTC"
"""The time zone that statements run in."""


@dataclass(frozen=True, slots=True)
class Column:
    """One output column: its name, its Substrait type as text, and the Spark type of what the SQL returns."""

    name: str
    type: str
    spark_type: str


@dataclass(frozen=True, slots=True)
class View:
    """A temporary view that a statement reads. using: its data source; options: what to tell that, in order."""

    name: str
    using: str
    options: tuple[tuple[str, str], ...]


class Source:
    """A table that the SQL reads.

    names: the parts of the table's name as the plan spells them. columns: those that the plan declares, described when
    somebody asks. anonymous: the name is ours.
    reader: for files what stands in FROM (``parquet.`people.parquet` ``), else empty; then `names` is where they are.
    view: the temporary view that has to be there first, if any; likewise.
    """

    __slots__ = ("_columns", "_path", "anonymous", "names", "reader", "view")

    def __init__(
        self,
        names: tuple[str, ...],
        columns: tuple[Column, ...] | Callable[[], tuple[Column, ...]],
        path: object,
        reader: str = "",
        view: View | None = None,
        anonymous: bool = False,
    ) -> None:
        self.names = names
        self.anonymous = anonymous
        # Its text is made when it is read: a plan of 2,000 nested joins has long ones.
        self._path = path
        self.reader = reader
        self.view = view
        self._columns = columns

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns in the plan's order."""
        if callable(self._columns):
            self._columns = self._columns()
        return self._columns

    @property
    def path(self) -> str:
        """The first node of the plan that reads it."""
        return str(self._path)

    @property
    def key(self) -> tuple[str, ...]:
        """How `render` knows it in its `table_names`."""
        return self.key_of(
            self.names, self._path, self.reader or (self.view.name if self.view else "")
        )

    @staticmethod
    def key_of(names: tuple[str, ...], path: object = "", reader: str = "") -> tuple[str, ...]:
        """The key of a table, or of the files that are read at a node of the plan."""
        return ("", str(path), reader) if reader else tuple(n.lower() for n in names)

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
