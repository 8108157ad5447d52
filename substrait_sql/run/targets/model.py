"""Where rows are to go, as a caller says it; and what became of them."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

from substrait_sql.errors import ExecutionError
from substrait_sql.run.targets.formats import by_ending, formats

if TYPE_CHECKING:
    from collections.abc import Sequence

MODES: Final = ("fail", "overwrite", "append", "ignore")
"""What to do where the target is there already."""

TABLE_FORMATS: Final = ("parquet", "orc", "delta", "iceberg")
"""What a new table can be made of. Tables of texts would hold other rows."""


@dataclass(frozen=True, slots=True)
class ToTable:
    """A table. name: as it is written in SQL. format: of a new table; empty for Parquet."""

    name: str
    format: str
    mode: str
    partition_by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ToFiles:
    """A folder of files. format: one of `formats`."""

    path: str
    format: str
    mode: str
    partition_by: tuple[str, ...]

    @property
    def name(self) -> str:
        """How messages call it."""
        return self.path


Target: TypeAlias = ToTable | ToFiles


@dataclass(frozen=True, slots=True)
class Saved:
    """What became of the rows of a plan.

    target: the table or the folder. written: whether anything was; ``ignore`` leaves a target that is there as it is.
    rows: how many were written; None where only Spark knows, which is where a table was appended to.
    """

    target: str
    written: bool
    rows: int | None = None

    def __str__(self) -> str:
        if not self.written:
            return f"{self.target} is there, and was left as it is"
        count = (
            "rows" if self.rows is None else f"{self.rows:,} {'row' if self.rows == 1 else 'rows'}"
        )
        return f"wrote {count} to {self.target}"


def target_of(
    to_table: str | None,
    to_files: str | os.PathLike[str] | None,
    format: str | None,
    mode: str,
    partition_by: Sequence[str],
) -> Target:
    """The target that these arguments name. Raises `ExecutionError` SS4073 for what makes no sense."""
    if (to_table is None) == (to_files is None):
        raise wrong("give a table or a folder of files to write to, and not both")
    if mode not in MODES:
        raise wrong(f"there is no mode {mode!r}", f"modes: {', '.join(MODES)}")
    columns = (partition_by,) if isinstance(partition_by, str) else tuple(partition_by or ())
    if to_table is not None:
        if format is not None and format not in TABLE_FORMATS:
            hint = f"formats of tables: {', '.join(TABLE_FORMATS)}"
            raise wrong(f"a table of {format} may hold other rows than it is given", hint)
        return ToTable(to_table, format or "", mode, columns)
    path = os.fspath(to_files or "")
    known = ", ".join(formats())
    if format is not None and format not in formats():
        raise wrong(f"there is no format {format!r} for files", f"formats: {known}")
    found = formats().get(format or "") or by_ending(path)
    if found is None:
        hint = f"say the format, one of {known}, or end the path in it"
        raise wrong(f"cannot tell the format of {path!r} from its name", hint)
    return ToFiles(path, found.name, mode, columns)


def wrong(message: str, hint: str = "") -> ExecutionError:
    """The error for targets that make no sense."""
    return ExecutionError.of("SS4073", message, hint=hint)


def is_there_already(name: str) -> ExecutionError:
    """The error for a target that must not be there."""
    hint = "overwrite, append or ignore it: --mode, or mode= in Python"
    return ExecutionError.of("SS4070", f"{name} is there already", hint=hint)


def does_not_fit(name: str, problems: Sequence[str], hint: str = "") -> ExecutionError:
    """The error for rows that a target cannot hold."""
    return ExecutionError.of(
        "SS4071", f"{name} cannot hold these rows: {'; '.join(problems)}", "", hint
    )


def check_count(rows: int, most: int | None) -> None:
    """Raises `ExecutionError` SS4074 for more rows than there may be."""
    if most is not None and rows > most:
        raise ExecutionError.of(
            "SS4074",
            f"the result has {rows:,} rows, and {most:,} are allowed",
            hint="nothing was written; allow more with --max-rows, or max_rows= in Python",
        )
