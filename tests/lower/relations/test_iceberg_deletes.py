"""Iceberg tables whose rows were deleted by files of deletes, as Spark, Trino and Flink write them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.io.pyarrow import PyArrowFileIO
from pyiceberg.manifest import (
    DataFile,
    DataFileContent,
    FileFormat,
    ManifestContent,
    ManifestEntry,
    ManifestEntryStatus,
    ManifestWriterV2,
    write_manifest_list,
)
from pyiceberg.typedef import Record

import substrait_sql
from substrait_sql import ExecutionError
from tests.lower.relations.test_iceberg import fetch, iceberg
from tests.support.build import plan

if TYPE_CHECKING:
    from pyiceberg.table import Table
    from pyspark.sql import SparkSession

_ADDED = 8_000_000_000_000_000_001
_COLUMNS = "id:i64? name:str?"


class _Deletes(ManifestWriterV2):
    """pyiceberg reads manifests of deletes, and writes none."""

    def content(self) -> ManifestContent:
        return ManifestContent.DELETES

    @property
    def _meta(self) -> dict[str, str]:
        return {**super()._meta, "content": "deletes"}


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Table:
    """Two files: people 0 to 3, and people 4 to 7."""
    lake = tmp_path_factory.mktemp("lake")
    catalog = SqlCatalog("lake", uri="sqlite:///:memory:", warehouse=str(lake))
    catalog.create_namespace("db")
    files = [
        pa.table({"id": list(range(first, first + 4)), "name": [f"p{i}" for i in range(4)]})
        for first in (0, 4)
    ]
    made = catalog.create_table("db.people", schema=files[0].schema)
    for rows in files:
        made.append(rows)
    return made


def with_deletes(table: Table, folder: Path, content: DataFileContent, rows: pa.Table) -> str:
    """The metadata file of the table after one more snapshot that adds a file of deletes."""
    io, metadata = PyArrowFileIO(), json.loads(Path(table.metadata_location).read_text())
    sequence = metadata["last-sequence-number"] + 1
    pq.write_table(rows, folder / "deletes.parquet")
    data = DataFile.from_args(
        content=content,
        file_path=str(folder / "deletes.parquet"),
        file_format=FileFormat.PARQUET,
        partition=Record(),
        record_count=rows.num_rows,
        file_size_in_bytes=(folder / "deletes.parquet").stat().st_size,
        equality_ids=[1] if content is DataFileContent.EQUALITY_DELETES else None,
    )
    out = io.new_output(str(folder / "deletes.avro"))
    with _Deletes(table.spec(), table.schema(), out, _ADDED, "deflate") as manifest:
        manifest.add(ManifestEntry.from_args(status=ManifestEntryStatus.ADDED, data_file=data))
    current = table.current_snapshot()
    assert current is not None
    listed = io.new_output(str(folder / "snapshot.avro"))
    with write_manifest_list(
        2, listed, _ADDED, current.snapshot_id, sequence, "deflate"
    ) as manifests:
        manifests.add_manifests([manifest.to_manifest_file(), *current.manifests(io)])
    snapshot = {
        **metadata["snapshots"][-1],
        "snapshot-id": _ADDED,
        "parent-snapshot-id": current.snapshot_id,
        "sequence-number": sequence,
        "manifest-list": str(folder / "snapshot.avro"),
    }
    metadata["snapshots"].append(snapshot)
    metadata |= {"current-snapshot-id": _ADDED, "last-sequence-number": sequence}
    metadata["refs"]["main"]["snapshot-id"] = _ADDED
    made = folder / "deleted.metadata.json"
    made.write_text(json.dumps(metadata))
    return str(made)


@pytest.mark.spark
def test_positions(spark: SparkSession, people: Table, tmp_path: Path) -> None:
    """The second and fourth row of the one file, the first of the other; the snapshot before has them all."""
    files = (task.file for task in people.scan().plan_files())
    first, second = sorted(files, key=lambda f: int.from_bytes(f.lower_bounds[1], "little"))
    gone = {
        "file_path": [first.file_path, first.file_path, second.file_path],
        "pos": [1, 3, 0],
    }
    ids = {"file_path": "2147483546", "pos": "2147483545"}
    fields = [
        pa.field(n, t, nullable=False, metadata={"PARQUET:field_id": ids[n]})
        for n, t in (("file_path", pa.string()), ("pos", pa.int64()))
    ]
    rows = pa.table(gone, schema=pa.schema(fields))
    uri = with_deletes(people, tmp_path, DataFileContent.POSITION_DELETES, rows)
    left = [(0, "p0"), (2, "p2"), (5, "p1"), (6, "p2"), (7, "p3")]
    assert fetch(spark, iceberg(uri, _COLUMNS), "i n") == left
    before = people.current_snapshot()
    assert before is not None
    read = iceberg(uri, _COLUMNS, snapshot_id=str(before.snapshot_id))
    assert len(fetch(spark, read, "i n")) == 8


@pytest.mark.spark
def test_equality(spark: SparkSession, people: Table, tmp_path: Path) -> None:
    """Deletes by value, which pyiceberg does not read: no rows rather than all of them."""
    gone = pa.table({"id": pa.array([2], pa.int64())})
    uri = with_deletes(people, tmp_path, DataFileContent.EQUALITY_DELETES, gone)
    with pytest.raises(ExecutionError, match="(?s)SS4015.*deletes rows by their values"):
        substrait_sql.execute(spark, plan((iceberg(uri, _COLUMNS), "i n")))
