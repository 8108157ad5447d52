"""What the results of a plan share is computed once, and nothing of it stays."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest

from substrait_sql import execute, shared
from tests.support import build
from tests.support.build import gt, lit, plan, reference, table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pyspark.sql import SparkSession

SUMS = table("counted_rows", "a:i32 b:i64").aggregate(
    lambda r: [r[0]], measures=lambda r: [build.count()]
)
PLAN = plan(
    SUMS,
    (reference(0, SUMS).filter(lambda r: gt(r[0], lit(30, "i32"))), "x y"),
    (reference(0, SUMS), "p q"),
)


@pytest.fixture
def counted(spark: SparkSession, tmp_path: Path) -> Iterator[Callable[[], int]]:
    """A view that notes each time one of its 40 rows is computed; how often that was."""
    log = str(tmp_path / "calls")

    def note(value: int) -> int:
        with open(log, "a") as file:
            file.write(".")
        return value

    spark.udf.register("substrait_sql_note", note, "int")
    view = "SELECT substrait_sql_note(CAST(id AS INT)) AS a, id AS b FROM range(0, 40, 1, 2)"
    spark.sql(f"CREATE OR REPLACE TEMPORARY VIEW counted_rows AS {view}")

    def count() -> int:
        found = os.path.getsize(log) if os.path.exists(log) else 0
        if found:
            os.remove(log)
        return found

    yield count
    spark.catalog.dropTempView("counted_rows")
    spark.sql("DROP TEMPORARY FUNCTION substrait_sql_note")


def is_empty(spark: SparkSession) -> bool:
    manager: Any = spark._jsparkSession.sharedState().cacheManager()  # type: ignore[attr-defined]
    return bool(manager.isEmpty())


@pytest.mark.spark
def test_it_is_computed_once(
    spark: SparkSession, counted: Callable[[], int], call: Any, tmp_path: Path
) -> None:
    frames = execute(spark, PLAN)
    apart = [sorted(f.collect()) for f in frames]
    assert [len(rows) for rows in apart] == [9, 40]
    assert counted() >= 80
    frames = execute(spark, PLAN)
    with shared(frames):
        assert [sorted(f.collect()) for f in frames] == apart
    assert counted() == 40
    assert is_empty(spark)
    (tmp_path / "p.pb").write_bytes(PLAN.SerializeToString())
    code, out, _ = call("run", tmp_path / "p.pb", "--format", "csv")
    assert (code, len(out.splitlines())) == (0, 51)
    assert counted() == 40
    assert is_empty(spark)


@pytest.mark.spark
def test_nothing_stays_after_an_error(spark: SparkSession, counted: Callable[[], int]) -> None:
    frames = execute(spark, PLAN)

    def interrupted() -> None:
        with shared(frames):
            frames[0].collect()
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert is_empty(spark)
    # What the caller keeps is the caller's.
    mine = spark.sql("SELECT a, count(*) AS n FROM counted_rows GROUP BY 1").persist()
    with shared(frames):
        frames[0].collect()
    assert mine.storageLevel.useMemory
    mine.unpersist()
    counted()


@pytest.mark.spark
def test_results_without_anything_in_common(spark: SparkSession) -> None:
    one = table("t", "a:i32")
    frames = execute(spark, plan((one, "a"), (one, "b")), tables={"t": spark.sql("SELECT 1 AS a")})
    with shared(frames):
        assert is_empty(spark)
