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

JOINS, UNPREFIXED, NEEDED = "joins", "unprefixed", "needed"
QUALIFY = (JOINS, UNPREFIXED, NEEDED)
"""Where a column has its table before it.

In every SELECT of several; in those where the names do not say it by a prefix of their own; or only where its name
could mean another.
"""


class Span(NamedTuple):
    """Where the text of a node of the plan stands.

    path: the node's.
    line: counted from 1, as are the others, in ``Rendered.sql``.
    column: in characters, of the first one.
    end_line: the line of the last character.
    end_column: the column behind the last character.
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
    """One output column.

    name: what the result calls it.
    type: its Substrait type as text, such as ``decimal?<15,2>``; a question mark says that it may be NULL.
    spark_type: the type of what the SQL returns, such as ``DECIMAL(15, 2)``.
    """

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
    """A temporary view that a statement reads.

    name: of the view.
    using: its data source.
    options: what to tell that, in order.
    """

    name: str
    using: str
    options: tuple[tuple[str, str], ...]


class Source:
    """A table that the SQL reads.

    names: the parts of the table's name as the plan spells them; for files, where they are.
    columns: those that its reads declare, if not given, described when somebody asks.
    path: the first node of the plan that reads it.
    reader: for files what stands in FROM, such as ``parquet`` with the path behind it, else empty.
    view: the temporary view that has to be there first, if any; for files alone.
    anonymous: the name is ours.
    whole: the node of the read that this is an item of, empty where it is read in a way of its own.
    """

    __slots__ = ("_columns", "_path", "_reads", "_whole", "anonymous", "names", "reader", "view")

    def __init__(
        self,
        names: tuple[str, ...],
        columns: tuple[Column, ...],
        path: object,
        reader: str = "",
        view: View | None = None,
        anonymous: bool = False,
        whole: object = "",
    ) -> None:
        self.names = names
        self.anonymous = anonymous
        self._whole = whole
        # Its text is made when it is read: a plan of 2,000 nested joins has long ones.
        self._path = path
        self.reader = reader
        self.view = view
        self._columns = columns
        self._reads: list[tuple[object, Callable[[], tuple[Declared, ...]]]] = []

    def note(self, path: object, describe: Callable[[], tuple[Declared, ...]]) -> None:
        """Notes a read at a node of the plan. describe: its columns."""
        self._reads.append((path, describe))

    @property
    def reads(self) -> tuple[Read, ...]:
        """The reads of the table that declare different columns, in the plan's order; none once it was pickled."""
        found: list[Read] = []
        for path, describe in self._reads:
            columns = describe()
            if all(columns != known for _, known in found):
                found.append((str(path), columns))
        return tuple(found)

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
        kind = self.reader, self.view, self.anonymous, self.whole
        return Source, (self.names, self.columns, self.path, *kind)

    @property
    def path(self) -> str:
        """The first node of the plan that reads it."""
        return str(self._path)

    @property
    def whole(self) -> str:
        """The node of the read that this is one item of, empty where it is read in a way of its own.

        All such items of a read in one format may be read as one table.
        """
        return str(self._whole)

    @property
    def key(self) -> tuple[str, ...]:
        """How `render` knows it in its ``table_names``."""
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
    """One SQL statement.

    sql: its text, without a semicolon.
    kind: ``query``, ``view``, ``table``, ``insert``, …
    root: the index in ``Plan.relations`` of what it comes from.
    columns: those it returns, none for a statement that returns no rows.
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

    statements: in the order in which they have to run.
    sources: the tables and files that they read.
    parameters: what is to be given when it runs, by its name in the text: ``{"p3": "i64"}`` for ``:p3``.
    settings: session settings the text relies on; `execute` applies them for the statement alone.
    diagnostics: warnings and notes on how the plan was read. An error is raised, and not here.
    mapper: makes `spans` when they are asked for.

    >>> from substrait_sql import demo, render
    >>> rendered = render(demo.PLAN)
    >>> for column in rendered.statements[0].columns[:2]:
    ...     print(column.name, column.type, column.spark_type)
    l_orderkey i64? BIGINT
    revenue decimal?<38,4> DECIMAL(38, 4)
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
