"""What a plan will touch, as data."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class TableRead:
    """A table that the plan reads. name: its parts, as the plan spells them. path: the node that reads it first."""

    name: tuple[str, ...]
    path: str


@dataclass(frozen=True, slots=True)
class TableWrite:
    """A table or view that a statement changes.

    name: its parts. statement: the kind of statement, such as ``insert``, ``ctas`` or ``drop_table``. path: the root.
    """

    name: tuple[str, ...]
    statement: str
    path: str


@dataclass(frozen=True, slots=True)
class FileRead:
    """A file, a folder or a pattern that the plan reads.

    uri: as the plan has it. format: ``parquet``, ``orc``, ``csv``, ``arrow``, ``iceberg``, or the data source.
    place: as Spark reads it, percent-encoding undone; in a pattern a backslash stands before what is meant literally.
    pattern: whether it is one. path: the node of the plan. table: where it is spelt as the name of a table, its parts.
    """

    uri: str
    format: str
    place: str
    pattern: bool
    path: str
    table: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Function:
    """A function that the plan calls.

    name: without its signature. origin: ``standard`` for Substrait's own, ``engine`` for Spark's under their own names,
    ``user`` for those of other extensions. extension: its file or URN, or empty. path: the first node that calls it.
    """

    name: str
    origin: str
    extension: str
    path: str


@dataclass(frozen=True, slots=True)
class Parameter:
    """A dynamic parameter that has no value yet. anchor: its number in the plan. type: its Substrait type as text."""

    anchor: int
    type: str


@dataclass(frozen=True, slots=True)
class Extension:
    """A relation or table that registered code makes the SQL of. type_url: of its detail. path: the node."""

    type_url: str
    path: str


@dataclass(frozen=True, slots=True)
class Variation:
    """Why other rows may come another time, over the same tables. path: the node, empty for the whole plan."""

    reason: str
    path: str


@dataclass(frozen=True, slots=True)
class Root:
    """A result of the plan. index: in ``Plan.relations``. statements: their kinds, in order. columns: their names."""

    index: int
    statements: tuple[str, ...]
    columns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Effects:
    """What a plan will touch when it runs.

    Each once, in the plan's order.

    tables_read: those that relations name, whether a root uses the relation or not.
    tables_written: tables and views that a statement changes.
    files_read: files, folders and patterns, also where the name of a table is one.
    files_written: targets that Spark takes for files.
    functions: those that the plan calls.
    registered: functions that the SQL calls and Spark has not: somebody registers them on the session.
    parameters: those that have no value in the plan.
    extensions: relations and tables that registered code makes the SQL of.
    variations: why other rows may come another time.
    roots: the results.
    """

    tables_read: tuple[TableRead, ...] = ()
    tables_written: tuple[TableWrite, ...] = ()
    files_read: tuple[FileRead, ...] = ()
    files_written: tuple[TableWrite, ...] = ()
    functions: tuple[Function, ...] = ()
    registered: tuple[str, ...] = ()
    parameters: tuple[Parameter, ...] = ()
    extensions: tuple[Extension, ...] = ()
    variations: tuple[Variation, ...] = ()
    roots: tuple[Root, ...] = ()

    @property
    def deterministic(self) -> bool:
        """Whether nothing is known for which other rows could come another time, over the same tables."""
        return not self.variations

    @property
    def writes(self) -> bool:
        """Whether a statement changes something."""
        return bool(self.tables_written or self.files_written)

    def as_dict(self) -> dict[str, Any]:
        """All of it as data that JSON can hold."""
        return {"writes": self.writes, "deterministic": self.deterministic, **asdict(self)}
