"""What rendering a plan gives back."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from substrait_sql.errors import Diagnostic


SourceMap = tuple[tuple[int, str], ...]


class Span(NamedTuple):
    """Where the text of a node of the plan stands. path: the node's.

    Lines and columns count from 1, in characters of `Rendered.sql`; end_column is the one behind the last character.
    """

    path: str
    line: int
    column: int
    end_line: int
    end_column: int


BETWEEN = ";\n\n"
"""What stands between two statements."""

ZONE = "UTC"
"""The time zone that statements run in."""


@dataclass(frozen=True, slots=True)
class Column:
    """One output column: its name, its Substrait type as text, and the Spark type of what the SQL returns."""

    name: str
    type: str
    spark_type: str


class Declared(NamedTuple):
    """A column as a read of a table declares it. type: the Substrait type, structs with their field names; or None."""

    column: Column
    type: Any


Read = tuple[str, tuple[Declared, ...]]
"""A node of the plan that reads a table, and the columns that it declares."""


@dataclass(frozen=True, slots=True)
class View:
    """A temporary view that a statement reads. using: its data source; options: what to tell that, in order."""

    name: str
    using: str
    options: tuple[tuple[str, str], ...]


class Source:
    """A table that the SQL reads.

    names: the parts of the table's name as the plan spells them. columns: those that its reads declare, if not
    given, described when somebody asks. anonymous: the name is ours.
    reader: for files what stands in FROM (``parquet.`people.parquet` ``), else empty; then `names` is where they are.
    view: the temporary view that has to be there first, if any; likewise.
    """

    __slots__ = ("_columns", "_path", "_reads", "anonymous", "names", "reader", "view")

    def __init__(
        self,
        names: tuple[str, ...],
        columns: tuple[Column, ...],
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
        self._reads: list[tuple[object, object, Callable[[], tuple[Declared, ...]]]] = []

    def note(
        self, path: object, schema: object, describe: Callable[[], tuple[Declared, ...]]
    ) -> None:
        """Notes a read at a node of the plan, unless one of an equal schema is known. describe: its columns."""
        if all(known != schema for _, known, _ in self._reads):
            self._reads.append((path, schema, describe))

    @property
    def reads(self) -> tuple[Read, ...]:
        """The reads of the table that declare different columns, in the plan's order; none once it was pickled."""
        return tuple((str(path), describe()) for path, _, describe in self._reads)

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns in the plan's order, those first that the first read declares."""
        if not self._columns:
            found: dict[str, Column] = {}
            for _, declared in self.reads:
                for column, _ in declared:
                    found.setdefault(column.name.lower(), column)
            self._columns = tuple(found.values())
        return self._columns

    def __reduce__(self) -> tuple[object, ...]:
        # What `reads` is made of belongs to the plan's own message classes, which cannot be pickled.
        given = (self.names, self.columns, self.path, self.reader, self.view, self.anonymous)
        return Source, given

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
    """One SQL statement. kind: ``query``, ``view``, ``table``, ``insert``, …; root: its index in ``Plan.relations``.

    target: the parts of the name that it writes to, where the plan itself says so.
    """

    sql: str
    kind: str
    root: int
    columns: tuple[Column, ...] = ()
    target: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rendered:
    """The SQL of a plan, and what a caller needs to run it or to judge it.

    settings: session settings the text relies on; `execute` applies them for the statement alone.
    mapper: makes `spans` when they are asked for.
    """

    statements: tuple[Statement, ...]
    sources: tuple[Source, ...] = ()
    parameters: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    settings: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    diagnostics: tuple[Diagnostic, ...] = ()
    mapper: Callable[[], tuple[Span, ...]] = field(default=tuple, repr=False, compare=False)

    @property
    def spans(self) -> tuple[Span, ...]:
        """Where in `sql` each relation and each expression of the plan stands, in order; rendered anew when asked for.

        A relation that is no query of its own (a filter, say) has the lines of the query that it is part of; a node
        that stands at several places has several entries, and one that left no text, a constant cast say, has those
        of what it became, or none.
        """
        return self.mapper()

    def __reduce__(self) -> tuple[object, ...]:
        # The mapper knows the plan, which can be anything that a caller holds: it is asked before that is left behind.
        mapper = partial(tuple, self.spans)
        texts = dict(self.parameters), dict(self.settings)
        return Rendered, (self.statements, self.sources, *texts, self.diagnostics, mapper)

    @property
    def source_map(self) -> SourceMap:
        """(line of `sql`, plan path) pairs in order: the line on which each relation and each expression begins."""
        return tuple((span.line, span.path) for span in self.spans)

    @property
    def sql(self) -> str:
        """The text: statements are joined by ``;`` and a blank line."""
        return BETWEEN.join(s.sql for s in self.statements)
