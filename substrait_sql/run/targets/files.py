"""Rows into a folder of files, which has all of them or is as it was."""

from __future__ import annotations

import os
import re
import uuid
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from substrait_sql.errors import ExecutionError
from substrait_sql.files import cannot_write
from substrait_sql.rendered import Statement
from substrait_sql.run.settings import applied, check_later, is_connect
from substrait_sql.run.targets import folder
from substrait_sql.run.targets.formats import Format, formats, problems
from substrait_sql.run.targets.model import (
    Saved,
    ToFiles,
    check_count,
    does_not_fit,
    is_there_already,
)
from substrait_sql.run.targets.sink import guarded

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from substrait_sql.dialect.dialect import Dialect

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):/")

_TIME: Final = re.compile(r"\btime\(")


class FilesSink:
    """A folder of this machine, or one that it shares with all of Spark's.

    Raises `ExecutionError` SS4072 for one where files cannot change places at once.
    """

    def __init__(self, spark: SparkSession, target: ToFiles, dialect: Dialect) -> None:
        self.spark = spark
        self.settings = dialect.settings
        self.target = target
        self.format: Format = formats()[target.format]
        self.path = Path(os.path.realpath(local(target.path, default_scheme(spark))))

    def is_wanted(self) -> bool:
        """As of `Sink`."""
        there = folder.is_there(self.path)
        if there and self.target.mode == "fail":
            raise is_there_already(repr(self.target.path))
        if there and self.target.mode == "ignore":
            return False
        self._check_writable()
        if there and self.path.exists():
            self._check_folder()
        if is_connect(self.spark):
            self._check_server()
        return True

    def settle(self) -> None:
        """As of `Sink`."""
        folder.settle(self.path)

    def check(self, frame: DataFrame) -> None:
        """As of `Sink`."""
        found = list(problems(frame.schema, self.format, self.target.partition_by))
        if found:
            raise does_not_fit(repr(self.target.path), found)
        if self.format.name == "parquet":
            # As for rows that a statement writes.
            check_later(self.spark, Statement("INSERT INTO files", "insert", 0), self.settings)
        if self.target.mode == "append" and self.path.exists():
            self._check_alike(frame)

    def write(self, frame: DataFrame, max_rows: int | None) -> Saved:
        """As of `Sink`."""
        # Settings are for what needs them alone: threads take turns at them.
        times = _TIME.search(frame.schema.simpleString()) is not None
        with applied(self.spark, self.settings.times if times else {}):
            return self._write(frame, max_rows)

    def _write(self, frame: DataFrame, max_rows: int | None) -> Saved:
        schema, own = frame.schema, {f.name.lower(): f.name for f in frame.schema.fields}
        columns = [own[name.lower()] for name in self.target.partition_by]
        writer = guarded(frame, columns).write.format(self.format.name)
        writer = writer.options(**self.format.options)
        try:
            with folder.draft(self.path) as made:
                writer.partitionBy(*columns).save(_uri(made))
                if not made.is_dir():
                    raise _elsewhere(self.path)
                rows = self._reader(schema).load(_uri(made)).count()
                if rows and not folder.has_data(made):
                    raise _elsewhere(self.path)
                check_count(rows, max_rows)
                self._place(made)
        except OSError as error:
            raise cannot_write(self.path, error) from error
        return Saved(self.target.path, True, rows)

    def _place(self, made: Path) -> None:
        mode = self.target.mode
        if mode == "append" and self.path.exists():
            folder.add(made, self.path)
            return
        try:
            folder.put(made, self.path, replace=mode == "overwrite")
        except OSError as error:
            if mode != "overwrite" and self.path.exists():
                raise is_there_already(repr(self.target.path)) from error
            raise

    def _reader(self, schema: Any) -> Any:
        reader = self.spark.read.format(self.format.name).option("__globPaths__", "false")
        return reader.options(**self.format.options, **self.format.read).schema(schema)

    def _check_writable(self) -> None:
        above = next((p for p in self.path.parents if p.exists()), None)
        if above is None:
            raise cannot_write(self.path, NotADirectoryError(0, "it is the root of all folders"))
        if not above.is_dir() or not os.access(above, os.W_OK | os.X_OK):
            error = NotADirectoryError(0, f"{above} is no folder that can be written to")
            raise cannot_write(self.path, error)

    def _check_folder(self) -> None:
        """What is there must be such a folder."""
        strange = folder.foreign(self.path)
        if strange:
            listed = ", ".join(strange[:5])
            raise ExecutionError.of(
                "SS4072",
                f"{self.target.path!r} has more in it than data: {listed}",
                hint="write to a folder of its own",
            )
        if self.target.mode != "append":
            return
        there = [name.lower() for name in folder.partitions(self.path)]
        asked = [name.lower() for name in self.target.partition_by]
        if there != asked and folder.has_data(self.path):
            raise does_not_fit(
                repr(self.target.path),
                [f"it is partitioned by {', '.join(there) or 'nothing'}"],
                "say the same with --partition-by, or partition_by=",
            )

    def _check_alike(self, frame: DataFrame) -> None:
        """Files of one folder are read with one schema."""
        if self.format.name == "json" or not folder.has_data(self.path):
            return
        reader = self.spark.read.format(self.format.name).option("__globPaths__", "false")
        there = reader.options(**self.format.options).load(_uri(self.path)).schema
        apart = {name.lower() for name in self.target.partition_by}
        texts = self.format.name == "csv"

        def columns(schema: Any) -> list[tuple[str, str]]:
            kept = [f for f in schema.fields if f.name.lower() not in apart]
            return [(f.name.lower(), "" if texts else f.dataType.simpleString()) for f in kept]

        old, new = columns(there), columns(frame.schema)
        # Files of texts are read by the places of their columns.
        if old != new if texts else sorted(old) != sorted(new):
            listed = ", ".join(f"{name} {kind}".strip() for name, kind in old)
            raise does_not_fit(repr(self.target.path), [f"its files have the columns {listed}"])

    def _check_server(self) -> None:
        """A server may be on another machine: it is asked for what only this one has."""
        with folder.draft(self.path) as probe:
            word = uuid.uuid4().hex
            probe.mkdir()
            (probe / "probe.txt").write_text(word, encoding="utf-8")
            seen = ""
            with suppress(Exception):
                seen = str(self.spark.read.text(f"{_uri(probe)}/probe.txt").collect()[0][0])
        if seen != word:
            raise _elsewhere(self.path)


def default_scheme(spark: SparkSession) -> str:
    """The file system of a path without a scheme."""
    if is_connect(spark):
        return "file"
    said = spark.sparkContext._jsc.hadoopConfiguration().get("fs.defaultFS")
    return str(said or "file").partition(":")[0]


def local(path: str, default: str = "file") -> str:
    """A path of this machine. Raises `ExecutionError` SS4072 for another."""
    found = _SCHEME.match(path)
    scheme = found[1].lower() if found else default
    if scheme != "file":
        raise ExecutionError.of(
            "SS4072",
            f"{path!r} is on {scheme}, where a folder cannot get other files at once",
            hint="write to a table (to_table), or to a folder of this machine or of a disk that it shares",
        )
    if not found:
        return os.path.expanduser(path)
    rest = path[len("file:") :]
    host, slash, below = rest[2:].partition("/") if rest.startswith("//") else ("", "", rest)
    if host not in ("", "localhost"):
        raise ExecutionError.of("SS4072", f"{path!r} names a host")
    return slash + below


def _uri(path: Path) -> str:
    # Hadoop takes signs as they are, and decodes none.
    return f"file://{path}"


def _elsewhere(path: Path) -> ExecutionError:
    return ExecutionError.of(
        "SS4072",
        f"Spark writes to another {str(path)!r} than this machine has",
        hint="give a folder of a disk that all machines share, or write to a table",
    )
