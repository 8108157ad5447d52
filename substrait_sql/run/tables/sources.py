"""The tables a plan reads, found among those a caller gives: by name, without regard to case."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from substrait_sql.errors import ExecutionError
from substrait_sql.rendered import ZONE
from substrait_sql.run.files import orc, parquet
from substrait_sql.run.spark_errors import ours
from substrait_sql.run.tables.texts import value_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pyspark.sql import DataFrame, DataFrameReader, SparkSession

    from substrait_sql.rendered import Column, Source


_AS_TEXTS = ("DATE", "TIME", "DECIMAL")


class Ambiguous(tuple[Path, ...]):
    """Several files that stand for one table name; an error only when a plan reads that table."""

    __slots__ = ()


Table: TypeAlias = "DataFrame | str | os.PathLike[str] | Ambiguous"
"""A table as a caller gives it: a DataFrame, or the path of a file or folder."""

FORMATS = {
    ".parquet": "parquet",
    ".pq": "parquet",
    ".orc": "orc",
    ".csv": "csv",
    ".json": "json",
    ".jsonl": "json",
    ".ndjson": "json",
}


def folder_tables(folder: str | os.PathLike[str]) -> dict[str, Table]:
    """The tables in a folder: files ``NAME.parquet`` (.orc, .csv, .json), or folders of them.

    Names are lower-cased. Raises `ExecutionError` SS4004 when the folder cannot be read.
    """
    try:
        entries = sorted(Path(folder).iterdir())
    except OSError as error:
        message = f"cannot read the folder of tables {os.fspath(folder)!r}: {error.strerror}"
        raise ExecutionError.of(
            "SS4004", message, hint="--tables takes a folder of NAME.parquet files"
        ) from error
    found: dict[str, list[Path]] = {}
    for entry in entries:
        if entry.name.startswith((".", "_")):
            continue
        if entry.is_dir():
            found.setdefault(entry.name.lower(), []).append(entry)
        elif entry.suffix.lower() in FORMATS:
            found.setdefault(entry.stem.lower(), []).append(entry)
    return {name: Ambiguous(paths) if len(paths) > 1 else paths[0] for name, paths in found.items()}


def find_table(source: Source, tables: Mapping[str, Table]) -> Table | None:
    """The table a caller gave for `source`, None when there is none.

    A key is the table's full dotted name or any end of it, in any case: ``lineitem`` and
    ``db.lineitem`` both serve ``spark_catalog.db.lineitem``. The longest one wins. Raises
    `ExecutionError` SS4005 when two are as good.
    An extended expression does not name what it reads: the only table there is.
    """
    if source.anonymous and len(tables) == 1:
        return next(iter(tables.values()))
    wanted = [".".join(source.names[i:]).lower() for i in range(len(source.names))]
    for name in wanted:
        matches = [key for key in tables if _plain(key) == name]
        table = tables[matches[0]] if matches else None
        if len(matches) > 1 or isinstance(table, Ambiguous):
            given = table if isinstance(table, Ambiguous) else matches
            raise ExecutionError.of(
                "SS4005",
                f"the table {'.'.join(source.names)} was given more than once: "
                f"{_listed(str(g) for g in given)}",
                source.path,
                hint="leave one of them, or name the one you mean with --table NAME=PATH",
            )
        if table is not None:
            return table
    return None


def _plain(key: str) -> str:
    return key.replace("`", "").lower()


def is_frame(table: Table) -> bool:
    """Whether a table was given as a DataFrame, and not as a path."""
    return not isinstance(table, (str, os.PathLike))


def is_orc(table: Table) -> bool:
    """Whether a table was given as the path of ORC files."""
    return not is_frame(table) and _format(os.fspath(cast("str", table))) == "orc"


def open_table(spark: SparkSession, source: Source, table: Table) -> DataFrame:
    """The table as a DataFrame.

    Raises `ExecutionError` SS4004 when the path cannot be read as a table.
    """
    if is_frame(table):
        return cast("DataFrame", table)
    path = os.fspath(cast("str", table))
    try:
        return _read(spark, source.columns, path)
    except ExecutionError:
        raise
    except Exception as error:
        what = f"cannot read the table {'.'.join(source.names)} from {path!r}"
        hint = "give a Parquet file or folder"
        raise ours(error, "SS4004", what, source.path, hint) from error


def _read(spark: SparkSession, columns: Sequence[Column], path: str) -> DataFrame:
    kind = _format(path)
    if kind is None:
        known = ", ".join(dict.fromkeys(FORMATS))
        message = f"cannot tell the format of {path!r} from its name"
        raise ExecutionError.of(
            "SS4004", message, hint=f"known endings: {known}, or a folder of such files"
        )
    reader, where = _reader(spark, path)
    if kind == "csv":
        # Where texts may have lines, Spark takes the path for a pattern to find the names of the columns.
        named = reader.options(header="true", escape='"').csv(where).schema
        reader, where = _reader(spark, path)
        return _read_csv(reader.options(**_CSV).schema(named).csv(where), columns)
    if kind == "json":
        return _read_json(spark, columns, path)
    if kind == "orc":
        return orc.load(spark, reader, where)
    from substrait_sql.run.files.nanoseconds import has_times, is_refused, read_anyway

    try:
        frame = parquet.load(reader, where)
    except Exception as error:
        if not is_refused(error):
            raise
    else:
        if not has_times(frame):
            return frame
    return read_anyway(spark, lambda schema: parquet.load(reader, where, schema))


def _format(path: str) -> str | None:
    suffix = Path(path).suffix.lower()
    if suffix in FORMATS:
        return FORMATS[suffix]
    if "://" in path or not os.path.isdir(path):
        return None if suffix else "parquet"
    for file in sorted(Path(path).rglob("*")):
        if file.suffix.lower() in FORMATS and not file.name.startswith((".", "_")):
            return FORMATS[file.suffix.lower()]
    return "parquet"


def _reader(spark: SparkSession, path: str) -> tuple[DataFrameReader, str]:
    """A reader, and the path as it wants it.

    Of a path that is there, ``*?[]{}`` are part of its name: Spark must not take it for a pattern.
    """
    if "://" in path or not os.path.exists(path):
        return spark.read, path
    return spark.read.option("__globPaths__", "false"), os.path.abspath(path)


# Quotes are doubled within a text, which may have several lines; a record of another number of fields is an error. Only
# what is not there is NULL, and ``""`` is the empty text: both are `nullValue` to Spark where that is nothing.
_CSV = {
    "header": "true",
    "escape": '"',
    "multiLine": "true",
    "mode": "FAILFAST",
    "columnPruning": "false",
    "nullValue": "\0substrait_sql: no value\0",
}


def _read_csv(frame: DataFrame, columns: Sequence[Column]) -> DataFrame:
    """With the types of the plan. ``""`` is no number and no time: NULL, as files have it that quote all fields."""
    texts = {c.name.lower() for c in columns if c.spark_type in (None, "", "STRING")}
    bare = (
        quoted if name.lower() in texts else f"nullif({quoted}, '') AS {quoted}"
        for name, quoted in _quoted(frame)
    )
    return _typed(frame.selectExpr(*bare), columns)


def _quoted(frame: DataFrame) -> list[tuple[str, str]]:
    return [(name, "`" + name.replace("`", "``") + "`") for name in frame.columns]


def _typed(frame: DataFrame, columns: Sequence[Column]) -> DataFrame:
    """A table of texts with the types that the plan declares for the columns it names."""
    declared = {c.name.lower(): c.spark_type for c in columns if c.spark_type}
    texts = {f.name for f in frame.schema.fields if f.dataType.simpleString() == "string"}
    made = []
    for name, quoted in _quoted(frame):
        type = declared.get(name.lower())
        value = quoted if type is None else f"CAST({quoted} AS {type})"
        if type is not None and name in texts:
            value = value_of(quoted, type)
        made.append(f"{value} AS {quoted}")
    return frame.selectExpr(*made)


def _read_json(spark: SparkSession, columns: Sequence[Column], path: str) -> DataFrame:
    """Read with the plan's types: Spark would infer a double for every number with a point.

    Decimals, dates and times are read as texts and cast: the reader rounds, and goes by the session's zone when rows
    are made.
    """
    declared = {c.name.lower(): c.spark_type for c in columns if c.spark_type}
    texts = {n: "STRING" if t.startswith(_AS_TEXTS) else t for n, t in declared.items()}
    reader, where = _reader(spark, path)
    inferred = reader.json(where)
    if not declared:
        return inferred
    fields = [f for f in inferred.schema.fields if f.name.lower() in declared]
    ddl = ", ".join(f"`{f.name.replace('`', '``')}` {texts[f.name.lower()]}" for f in fields)
    if not fields:
        return inferred
    # FAILFAST: a value that is not of the type is an error, not a NULL.
    reader, where = _reader(spark, path)
    strict = reader.schema(ddl).option("mode", "FAILFAST").option("timeZone", ZONE)
    return _typed(strict.json(where), columns)


def condition(error: BaseException) -> str | None:
    """Spark's name for an error, such as ``DIVIDE_BY_ZERO``; None for other errors."""
    get = getattr(error, "getCondition", None)
    found = get() if callable(get) else None
    return found if isinstance(found, str) else None


def _listed(names: Iterable[str], most: int = 12) -> str:
    listed = list(names)
    more = f" and {len(listed) - most} more" if len(listed) > most else ""
    return ", ".join(listed[:most]) + more


def available(tables: Mapping[str, Any], catalog: Iterable[str]) -> str:
    """The tables there are, for a message about one that is missing."""
    names = sorted({_plain(k) for k in tables} | {c.lower() for c in catalog})
    return _listed(names) if names else "none"
