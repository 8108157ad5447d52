"""Tables in Parquet files that hold nanoseconds, as DataFusion and pandas write them."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest
from pyarrow import parquet

import substrait_sql
from substrait_sql import ExecutionError
from tests.support import run
from tests.support.build import plan, read_of, table

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark
UTC = dt.UTC
# Microseconds since 1970, and what they are: the first is before, the last one beyond 2**53 nanoseconds.
MOMENTS = [
    (-1, dt.datetime(1969, 12, 31, 23, 59, 59, 999999)),
    (None, None),
    (1_600_000_000_123_456, dt.datetime(2020, 9, 13, 12, 26, 40, 123456)),
    (9_223_372_036_854_775, dt.datetime(2262, 4, 11, 23, 47, 16, 854775)),
]


def write(path: Path, **columns: pa.Array) -> Path:
    path.parent.mkdir(exist_ok=True)
    parquet.write_table(pa.table(columns), path)
    return path


def nanoseconds(micros: list[int | None], zone: str | None = None) -> pa.Array:
    return pa.array([m and m * 1000 for m in micros], pa.timestamp("ns", zone))


def fetch(spark: SparkSession, path: Path, columns: str, names: str) -> list[tuple[Any, ...]]:
    message = plan((table("t", columns), names))
    return sorted(run.collect(substrait_sql.execute(spark, message, tables={"t": path})))


def test_points_in_time(spark: SparkSession, tmp_path: Path) -> None:
    micros = [m for m, _ in MOMENTS]
    numbers = pa.array(range(4))
    clock = [dt.time(12, 30), None, dt.time(23, 59, 59, 999999), dt.time(0)]
    times = pa.array(clock, pa.time64("us"))
    moments = {"local": nanoseconds(micros), "utc": nanoseconds(micros, "UTC"), "at": times}
    path = write(tmp_path / "t.parquet", n=numbers, **moments)
    spark.conf.set("spark.sql.session.timeZone", "Asia/Kolkata")
    try:
        columns = "n:i64? local:pts<9>? utc:ptstz<9>? at:pt<6>?"
        found = fetch(spark, path, columns, "n local utc at")
    finally:
        spark.conf.set("spark.sql.session.timeZone", "UTC")
    assert found == [
        (i, moment, moment and moment.replace(tzinfo=UTC), clock[i])
        for i, (_, moment) in enumerate(MOMENTS)
    ]
    assert spark.conf.get("spark.sql.legacy.parquet.nanosAsLong") == "false"


def test_files_of_a_plan(spark: SparkSession, tmp_path: Path) -> None:
    """A file, a pattern, a folder that is partitioned; the size of a file is still known where it is asked for."""
    clock = [dt.time(12, 30), None]
    rows = {"utc": nanoseconds([1, None], "UTC"), "at": pa.array(clock, pa.time64("us"))}
    path = write(tmp_path / "[a] b%20c" / "t`1.parquet", n=pa.array([1, 2]), **rows)
    write(tmp_path / "[a] b%20c" / "t2.parquet", n=pa.array([3, 4]), **rows)
    write(tmp_path / "k=7" / "t.parquet", n=pa.array([5, 6]), **rows)
    moment = dt.datetime(1970, 1, 1, microsecond=1, tzinfo=UTC)

    def read(
        columns: str = "n:i64? utc:ptstz<9>? at:pt<6>?", names: str = "n utc at", **item: Any
    ) -> list[Any]:
        out, rel = read_of(columns, None, None, None)
        one = rel.local_files.items.add(**item)
        one.parquet.SetInParent()
        return sorted(run.collect(substrait_sql.execute(spark, plan((out, names)))), key=str)

    assert read(uri_file=str(path)) == [(1, moment, clock[0]), (2, None, None)]
    assert [r[0] for r in read(uri_file=str(path), length=path.stat().st_size)] == [1, 2]
    pattern = str(tmp_path / "?a? b%20c" / "t*.parquet")
    assert [r[0] for r in read(uri_path_glob=pattern)] == [1, 2, 3, 4]
    (tmp_path / "all").mkdir()
    (tmp_path / "k=7").rename(tmp_path / "all" / "k=7")
    folder = str(tmp_path / "all")
    assert read("k:i32? at:pt<6>? n:i64?", "k at n", uri_folder=folder) == [
        (7, None, 6),
        (7, clock[0], 5),
    ]


def test_a_number_is_no_point_in_time(spark: SparkSession, tmp_path: Path) -> None:
    path = write(tmp_path / "t.parquet", n=pa.array([5_000]), at=nanoseconds([1]))
    assert fetch(spark, path, "n:i64? at:pts<9>?", "n at") == [
        (5_000, dt.datetime(1970, 1, 1, microsecond=1))
    ]


def test_what_is_finer_than_a_microsecond(spark: SparkSession, tmp_path: Path) -> None:
    at = pa.array([1_001], pa.timestamp("ns"))
    path = write(tmp_path / "t.parquet", n=pa.array([1]), at=at)
    with pytest.raises(Exception, match="finer than a microsecond"):
        fetch(spark, path, "n:i64? at:pts<9>?", "n at")
    # Nobody asks for it here.
    assert fetch(spark, path, "n:i64?", "n") == [(1,)]


def test_files_that_are_not_alike(spark: SparkSession, tmp_path: Path) -> None:
    """A number of microseconds would be read as one of nanoseconds."""
    for unit in ("ns", "us"):
        write(tmp_path / "t" / f"{unit}.parquet", at=pa.array([1_000], pa.timestamp(unit)))
    with pytest.raises(ExecutionError, match="SS4004 .*do not have the same columns"):
        fetch(spark, tmp_path / "t", "at:pts<6>?", "at")


def test_inside_of_other_values(spark: SparkSession, tmp_path: Path) -> None:
    moments = pa.array([[1_000]], pa.list_(pa.timestamp("ns")))
    path = write(tmp_path / "t.parquet", n=pa.array([1]), at=moments)
    with pytest.raises(ExecutionError, match="SS4004 .*'at'.* inside of a list"):
        fetch(spark, path, "n:i64?", "n")


def test_times_of_day_in_nanoseconds(spark: SparkSession, tmp_path: Path) -> None:
    """As polars writes them. Spark reads the numbers; taken for microseconds, a millisecond would be a second."""
    micros = [0, 1, 1_000, 86_399_999_999, None]
    counts = pa.array([m and m * 1000 for m in micros], pa.int64())
    columns = {"n": pa.array(range(5)), "at": counts.cast(pa.time64("ns"))}
    path = write(tmp_path / "t.parquet", **columns)
    midnight = dt.datetime(2000, 1, 1)
    expected = [
        None if m is None else (midnight + dt.timedelta(microseconds=m)).time() for m in micros
    ]
    assert fetch(spark, path, "n:i64 at:pt<6>?", "n at") == list(enumerate(expected))
    finer = write(tmp_path / "f.parquet", at=pa.array([1_001]).cast(pa.time64("ns")))
    with pytest.raises(Exception, match="a time of day that is finer than a microsecond"):
        fetch(spark, finer, "at:pt<6>?", "at")
    both = tmp_path / "both"
    write(both / "a.parquet", at=pa.array([1_000]).cast(pa.time64("ns")))
    write(both / "b.parquet", at=pa.array([1]).cast(pa.time64("us")))
    with pytest.raises(ExecutionError, match="SS4004 .*the same columns in nanoseconds"):
        fetch(spark, both, "at:pt<6>?", "at")


def test_times_of_day_alone(spark: SparkSession, tmp_path: Path) -> None:
    """The plan has the setting on while the file is looked at; it is off again when rows are made."""
    path = write(tmp_path / "t.parquet", at=pa.array([dt.time(12, 30)], pa.time64("us")))
    assert fetch(spark, path, "at:pt<6>?", "at") == [(dt.time(12, 30),)]
