"""Rows on their way to files: as Spark hands them out, in every format, and whole or not at all."""

from __future__ import annotations

import datetime as dt
import io
import json
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest
from pyarrow import parquet  # type: ignore[import-untyped]

from substrait_sql import ExecutionError
from substrait_sql.cli.running import rows
from tests.support.sessions import configured

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession

VALUES = """SELECT id, id AS id, CAST(id AS DECIMAL(9, 2)) AS d, IF(id = 1, NULL, 'x') AS s, DATE '2020-01-01' AS day,
    TIMESTAMP '2020-01-01 12:00:00.000001Z' AS z, TIMESTAMP_NTZ '2020-01-01 12:00:00' AS t, INTERVAL '1' DAY AS i,
    named_struct('a', array(1, NULL), 'b', map('k', X'01')) AS n, 0.1F AS f, NULL AS v
    FROM range(0, {}, 1, 3)"""


def expected(i: int) -> dict[str, Any]:
    return {
        "d": Decimal(i).quantize(Decimal("0.01")), "s": None if i == 1 else "x", "day": dt.date(2020, 1, 1),
        "z": dt.datetime(2020, 1, 1, 12, 0, 0, 1, tzinfo=dt.UTC), "t": dt.datetime(2020, 1, 1, 12),
        "i": dt.timedelta(1), "n": {"a": [1, None], "b": [("k", b"\x01")]}, "f": 0.10000000149011612, "v": None,
    }  # fmt: skip


@pytest.mark.spark
def test_parquet_in_parts(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two rows at a time, and none at all; each type as it was, two columns of one name as well."""
    monkeypatch.setattr(rows, "_AT_ONCE", 2)
    for count in (5, 0):
        assert rows.save(spark.sql(VALUES.format(count)), tmp_path / "t.parquet", None) == count
        found = parquet.ParquetFile(tmp_path / "t.parquet")
        assert found.metadata.num_row_groups == max((count + 1) // 2, 1)
        table = found.read()
        assert table.schema.names[:2] == ["id", "id"]
        assert [c.to_pylist() for c in table.columns[:2]] == [list(range(count))] * 2
        rest = table.select(range(2, table.num_columns)).to_pylist()
        assert rest == [expected(i) for i in range(count)]


@pytest.mark.spark
@pytest.mark.parametrize("form", ["csv", "json", "parquet"])
def test_an_error_on_the_way(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    """Rows come before the error, which is one of ours; a file is whole or not there."""
    monkeypatch.setattr(rows, "_AT_ONCE", 1)
    frame = spark.sql("SELECT 1 / (3 - id) AS a FROM range(0, 4, 1, 4)")
    with pytest.raises(ExecutionError, match="SS4010 .*DIVIDE_BY_ZERO"):
        rows.save(frame, tmp_path / f"t.{form}", None)
    assert list(tmp_path.iterdir()) == []
    if form != "parquet":
        names, found, types = rows.stream(frame, None)
        out = io.StringIO()
        with pytest.raises(ExecutionError, match="SS4010"):
            rows.write_text(form, names, found, types, out)
        assert len(out.getvalue().splitlines()) == (4 if form == "csv" else 3)
        _, found, _ = rows.stream(frame, 1)
        assert [r[0] for r in found] == [1 / 3]


@pytest.mark.spark
@pytest.mark.parametrize(
    ("zone", "shown"), [("UTC", "0001-01-01 00:00:00"), ("Asia/Tokyo", "0001-01-01 09:18:59")]
)
def test_points_in_time_are_those_of_the_sessions_zone(
    spark: SparkSession, zone: str, shown: str
) -> None:
    """At any depth, on the first day that there is too; the process, and so pyspark, is in UTC."""
    sql = """SELECT TIMESTAMP '0001-01-01 00:00:00Z' AS a, array(TIMESTAMP '0001-01-01 00:00:00Z', NULL) AS b,
        map(TIMESTAMP '0001-01-01 00:00:00Z', named_struct('timestamp', TIMESTAMP '0001-01-01 00:00:00Z')) AS c,
        TIMESTAMP_NTZ '2020-01-01 12:00:00' AS d, array(INTERVAL '1' MONTH) AS e"""
    with configured(spark, {"spark.sql.session.timeZone": zone}):
        names, found, types = rows.collect(spark.sql(sql), None)
    out = io.StringIO()
    rows.write_text("json", names, found, types, out)
    assert json.loads(out.getvalue()) == {
        "a": shown,
        "b": [shown, None],
        "c": {shown: {"timestamp": shown}},
        "d": "2020-01-01 12:00:00",
        "e": ["INTERVAL '1' MONTH"],
    }
