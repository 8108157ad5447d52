"""Arrow IPC files as a data source of Spark, which has no reader for them; pyarrow reads them.

    from substrait_sql.run import arrow

    arrow.register(spark)
    spark.read.format("substrait_sql_arrow").load("/data/people.arrow")

The path is a file, of the file format or the stream format, or a folder, of which the files right in it are read.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition

from substrait_sql.lower.relations.reads.arrow_files import DATA_SOURCE
from substrait_sql.run.files import arrow_lists, arrow_types
from substrait_sql.run.files.arrow_types import plain
from substrait_sql.run.files.data_sources import make_known

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pyspark.sql import SparkSession
    from pyspark.sql.types import StructType

NAME = DATA_SOURCE


def register(spark: SparkSession, path: str = "") -> None:
    """Make the data source known to a session, under `NAME`. path: the node of a plan that needs it.

    The class travels to Spark's workers with its modules: they need pyarrow, but not this package.
    Raises `ExecutionError` SS4017 without pyarrow.
    """
    make_known(spark, ArrowSource, (sys.modules[__name__], arrow_types, arrow_lists), path)


def _files(path: str) -> tuple[Any, list[str]]:
    """The file system, and the names of the files that a path stands for, in order."""
    from pyarrow import fs  # type: ignore[import-untyped]

    if path.startswith("file:"):
        system, name = fs.LocalFileSystem(), "/" + path.removeprefix("file:").lstrip("/")
    elif "://" in path:
        system, name = fs.FileSystem.from_uri(path)
    else:
        system, name = fs.LocalFileSystem(), path
    if system.get_file_info(name).type != fs.FileType.Directory:
        return system, [name]
    inside = system.get_file_info(fs.FileSelector(name))
    # As Spark does with the files it reads itself: what it writes for itself begins with these.
    found = [f.path for f in inside if f.is_file and not f.base_name.startswith(("_", "."))]
    if not found:
        raise ValueError(f"there are no files in {path}")
    return system, sorted(found)


def _batches(system: Any, name: str) -> Iterator[Any]:
    """The record batches of a file, of a stream if it is none."""
    import pyarrow as pa

    with system.open_input_file(name) as data:
        try:
            reader = pa.ipc.open_file(data)
        except pa.ArrowInvalid:
            data.seek(0)
            yield from pa.ipc.open_stream(data)
            return
        for i in range(reader.num_record_batches):
            yield reader.get_batch(i)


def _schema(system: Any, name: str) -> Any:
    """The Arrow schema of a file, of types that pyspark reads."""
    import pyarrow as pa

    with system.open_input_file(name) as data:
        try:
            schema = pa.ipc.open_file(data).schema
        except pa.ArrowInvalid:
            data.seek(0)
            schema = pa.ipc.open_stream(data).schema
    return plain(schema.empty_table()).schema


class ArrowSource(DataSource):
    """The data source."""

    @classmethod
    def name(cls) -> str:
        """How it is called in ``USING``."""
        return NAME

    def schema(self) -> StructType:
        """The columns of the first file; the others must have the same."""
        from pyspark.sql.pandas.types import from_arrow_schema

        system, names = _files(self.options["path"])
        schema = _schema(system, names[0])
        for name in names[1:]:
            if _schema(system, name) != schema:
                raise ValueError(f"{name} has other columns than {names[0]}")
        return from_arrow_schema(schema, prefer_timestamp_ntz=True)

    def reader(self, schema: StructType) -> ArrowReader:
        """The reader of all rows."""
        return ArrowReader(dict(self.options), schema)


class ArrowReader(DataSourceReader):
    """Reads a file per partition."""

    def __init__(self, options: Mapping[str, str], schema: StructType) -> None:
        self.options = options
        self.schema = schema

    def partitions(self) -> Sequence[InputPartition]:
        """A partition per file."""
        return [InputPartition(name) for name in _files(self.options["path"])[1]]

    def read(self, partition: InputPartition) -> Iterator[Any]:
        """The rows, as Arrow batches."""
        import pyarrow as pa
        from pyspark.sql.pandas.types import to_arrow_schema

        # Spark wants batches of exactly these types, points in time in UTC.
        columns = to_arrow_schema(self.schema, timezone="UTC")
        system, _ = _files(self.options["path"])
        for batch in _batches(system, partition.value):
            table = plain(pa.Table.from_batches([batch]))
            yield from table.cast(columns).to_batches()
