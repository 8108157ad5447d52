"""Several items of one read of files: one scan where they are alike, one by one where they are not. Rows are known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest
from pyarrow import orc, parquet

from substrait_sql import ExecutionError, execute
from substrait_sql.run.seen.cancel import cancellable
from tests.lower.relations.test_files import NAMES, item
from tests.support.build import files, gt, lit, ne, plan

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import DataFrame, SparkSession

COLUMNS = "id:i32? x:fp64?"


def table(*ids: int, **more: Any) -> pa.Table:
    return pa.table({"id": pa.array(ids, pa.int32()), "x": [i / 2 for i in ids], **more})


def put(where: Path, data: pa.Table) -> Path:
    where.parent.mkdir(exist_ok=True, parents=True)
    parquet.write_table(data, where)
    return where


def frame_of(spark: SparkSession, *items: Any, columns: str = COLUMNS, **more: Any) -> DataFrame:
    read = files(columns, *items, **more)
    found: DataFrame = execute(
        spark, plan((read, " ".join(f"c{i}" for i in range(len(read.types)))))
    )
    return found


def ids(frame: DataFrame) -> list[int]:
    return sorted(row[0] for row in frame.collect())


def scans(frame: DataFrame) -> int:
    java: Any = frame._jdf
    return str(java.queryExecution().executedPlan().toString()).count("FileScan")


@pytest.mark.spark
def test_items_that_are_alike_are_one_scan(spark: SparkSession, tmp_path: Path) -> None:
    ways, wanted = [], []
    for i, name in enumerate(NAMES):
        where = put(tmp_path / name.replace("/", "_") / "a.parquet", table(2 * i))
        put(where.with_name("b.parquet"), table(2 * i + 1))
        ways.append(item(where.parent, "uri_folder") if i % 2 else item(where.as_uri()))
        wanted += [2 * i, 2 * i + 1] if i % 2 else [2 * i]
    frame = frame_of(spark, *ways)
    assert (ids(frame), scans(frame)) == (wanted, 1)
    frame = frame_of(spark, *ways, filter=lambda r: gt(r[1], lit(2.0, "fp64")), mask=[0])
    assert (ids(frame), scans(frame)) == ([i for i in wanted if i > 4], 1)


@pytest.mark.spark
def test_spark_says_what_footers_do_not(spark: SparkSession, tmp_path: Path) -> None:
    """Files of several writers, whose footers differ in what Spark does not read, and ORC files, which have others."""
    ways = [item(put(tmp_path / f"{i}.parquet", table(i))) for i in range(3)]
    spark.createDataFrame([(3, 1.5)], "id INT, x DOUBLE").write.parquet(str(tmp_path / "spark"))
    ways.append(item(tmp_path / "spark", "uri_folder"))
    frame = frame_of(spark, *ways)
    assert (ids(frame), scans(frame)) == ([0, 1, 2, 3], 1)
    for i in range(3):
        orc.write_table(table(i), tmp_path / f"{i}.orc")
    frame = frame_of(spark, *(item(tmp_path / f"{i}.orc", form="orc") for i in range(3)), ways[0])
    assert (ids(frame), scans(frame)) == ([0, 0, 1, 2], 2)


@pytest.mark.spark
def test_other_items_are_read_one_by_one(spark: SparkSession, tmp_path: Path) -> None:
    a, b = (put(tmp_path / "t" / f"{n}.parquet", table(i)) for i, n in enumerate("ab"))
    more = put(tmp_path / "more.parquet", table(2, y=[1]))
    casted = put(tmp_path / "casted.parquet", table(3).cast(pa.schema([("id", "i2"), ("x", "f8")])))
    parts = [put(tmp_path / f"{n}/k=1/{n}.parquet", table(4 + i)) for i, n in enumerate("pq")]
    folders = [item(part.parent.parent, "uri_folder") for part in parts]
    inner = item(parts[0].parent, "uri_folder")
    for wanted, count, ways in (
        ([0, 0], 2, [item(a), item(a)]),
        ([0, 0], 2, [item(a), item(f"{tmp_path}//t/../t/a.parquet")]),
        ([0, 0, 1], 2, [item(a), item(a.parent, "uri_folder")]),
        ([0, 1], 2, [item(a), item(b, length=b.stat().st_size)]),
        ([0, 1], 2, [item(a), item(f"{tmp_path}/t/[b].parquet", "uri_path_glob")]),
        ([0, 2], 2, [item(a), item(more)]),
        ([0, 3], 2, [item(a), item(casted)]),
        ([4, 5], 2, folders),
        ([4, 4], 2, [folders[0], inner]),
        ([4, 5], 1, [inner, item(parts[1].parent, "uri_folder")]),
    ):
        frame = frame_of(spark, *ways)
        assert (ids(frame), scans(frame)) == (wanted, count), ways
    frame = frame_of(spark, *folders, columns="k:i32?")
    assert ids(frame) == [1, 1]


@pytest.mark.spark
def test_what_is_wrong_is_said_of_each(spark: SparkSession, tmp_path: Path) -> None:
    good = [item(put(tmp_path / f"{i}.parquet", table(i))) for i in range(2)]
    lacks = item(put(tmp_path / "lacks.parquet", pa.table({"id": pa.array([1], pa.int32())})))
    other = item(put(tmp_path / "other.parquet", pa.table({"id": ["1"], "x": [1.0]})))
    for bad in ([other], [lacks, other], [lacks, item(tmp_path / "gone.parquet")]):
        with pytest.raises(ExecutionError) as caught:
            frame_of(spark, good[0], *bad, good[1])
        node = "relations[0].root.input.read.local_files.items[{}]"
        assert [d.path for d in caught.value.diagnostics] == [
            node.format(1 + i) for i in range(len(bad))
        ]
    with pytest.raises(ExecutionError) as caught:
        frame_of(spark, *good, columns="id:str? x:fp64?")
    assert [d.code for d in caught.value.diagnostics] == ["SS4016"] * 2


@pytest.mark.spark
def test_not_equal_finds_nan(spark: SparkSession, tmp_path: Path) -> None:
    """Spark's reader would pass over a file whose smallest and largest value are 1.0, as NaN is neither."""
    ways = [
        item(put(tmp_path / f"{i}.parquet", pa.table({"id": [i], "x": [v]})))
        for i, v in enumerate((1.0, float("nan")))
    ]
    put(tmp_path / "0.parquet", pa.table({"id": [0, 2], "x": [1.0, float("nan")]}))
    frame = frame_of(
        spark, *ways, columns="id:i64? x:fp64?", filter=lambda r: ne(r[1], lit(1.0, "fp64"))
    )
    assert (ids(frame), scans(frame)) == ([1, 2], 1)


@pytest.mark.spark
def test_many_files_are_listed_by_few_tasks(spark: SparkSession, tmp_path: Path) -> None:
    """By default Spark lists each file that a pattern means in a task of its own."""
    for i in range(100):
        put(tmp_path / f"{i}.parquet", table(i))
    with cancellable(spark) as watch:
        frame = frame_of(spark, item(tmp_path / "*.parquet", "uri_path_glob"))
        java: Any = spark.sparkContext._jsc
        found = java.sc().statusTracker().getJobIdsForTag(watch.tag)
    tracker = spark.sparkContext.statusTracker()
    jobs = [tracker.getJobInfo(int(job)) for job in found]
    stages = [tracker.getStageInfo(s) for job in jobs if job is not None for s in job.stageIds]
    tasks = [stage.numTasks for stage in stages if stage is not None]
    assert 1 < max(tasks) <= 64
    assert len([n for n in tasks if n > 1]) == 1
    assert spark.conf.get("spark.sql.sources.parallelPartitionDiscovery.parallelism") == "10000"
    assert ids(frame) == list(range(100))
