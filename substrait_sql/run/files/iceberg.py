"""Iceberg tables by their metadata file, as a data source of Spark: pyiceberg reads them, no jar is needed.

    from substrait_sql.run import iceberg

    iceberg.register(spark)
    spark.read.format("substrait_sql_iceberg").load("/lake/people/metadata/v3.metadata.json")

Options: ``snapshot_id``; or ``as_of_microseconds``, since 1970 in UTC, for the snapshot that was current then.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition

from substrait_sql.lower.relations.reads.iceberg import DATA_SOURCE
from substrait_sql.run.files.data_sources import make_known

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pyspark.sql import SparkSession
    from pyspark.sql.types import StructType

NAME = DATA_SOURCE


def register(spark: SparkSession, path: str = "") -> None:
    """Make the data source known to a session, under `NAME`. path: the node of a plan that needs it.

    The class travels to Spark's workers as a whole: they need pyiceberg, but not this package.
    Raises `ExecutionError` SS4017 without pyiceberg.
    """
    make_known(spark, IcebergSource, (sys.modules[__name__],), path)


def _scan(options: Mapping[str, str]) -> Any:
    """The scan of the snapshot that the options ask for."""
    from pyiceberg.table import StaticTable

    table = StaticTable.from_metadata(options["path"])
    wanted = options.get("snapshot_id")
    if wanted is not None:
        return table.scan(snapshot_id=int(wanted))
    at = options.get("as_of_microseconds")
    if at is None:
        return table.scan()
    # Iceberg counts milliseconds: the last one that is over by then.
    snapshot = table.snapshot_as_of_timestamp(int(at) // 1000)
    if snapshot is None:
        raise ValueError(f"the table had no snapshot {at} microseconds after 1970")
    return table.scan(snapshot_id=snapshot.snapshot_id)


def _refuse_equality_deletes(scan: Any) -> None:
    """Raises for files of rows to leave out by their values: pyiceberg reads only deletes by position.

    It raises as well, but once rows are made.
    """
    from pyiceberg.manifest import DataFileContent, ManifestContent

    snapshot = scan.snapshot()
    for manifest in snapshot.manifests(scan.io) if snapshot is not None else ():
        if manifest.content is not ManifestContent.DELETES:
            continue
        for entry in manifest.fetch_manifest_entry(scan.io):
            if entry.data_file.content is DataFileContent.EQUALITY_DELETES:
                raise ValueError("the table deletes rows by their values, which is not read yet")


class IcebergSource(DataSource):
    """The data source."""

    @classmethod
    def name(cls) -> str:
        """How it is called in ``USING``."""
        return NAME

    def schema(self) -> StructType:
        """The columns that the table had at that snapshot."""
        from pyiceberg.io.pyarrow import schema_to_pyarrow
        from pyspark.sql.pandas.types import from_arrow_schema

        scan = _scan(self.options)
        _refuse_equality_deletes(scan)
        return from_arrow_schema(schema_to_pyarrow(scan.projection()), prefer_timestamp_ntz=True)

    def reader(self, schema: StructType) -> IcebergReader:
        """The reader of all rows."""
        return IcebergReader(dict(self.options), schema)


class IcebergReader(DataSourceReader):
    """Reads a data file, or what is left of it, per partition."""

    def __init__(self, options: Mapping[str, str], schema: StructType) -> None:
        self.options = options
        self.schema = schema

    def partitions(self) -> Sequence[InputPartition]:
        """A partition per data file; an empty one if there are no files."""
        tasks = list(_scan(self.options).plan_files())
        return [InputPartition([task]) for task in tasks] or [InputPartition([])]

    def read(self, partition: InputPartition) -> Iterator[Any]:
        """The rows, as Arrow batches."""
        from pyiceberg.io.pyarrow import ArrowScan
        from pyspark.sql.pandas.types import to_arrow_schema

        scan = _scan(self.options)
        # Spark wants batches of exactly these types, points in time in UTC.
        columns = to_arrow_schema(self.schema, timezone="UTC")
        rows = ArrowScan(
            scan.table_metadata, scan.io, scan.projection(), scan.row_filter, scan.case_sensitive
        )
        for batch in rows.to_record_batches(partition.value):
            yield batch.cast(columns)
