"""Tables with times of day: Spark has their type switched off, unless it is told."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

import pytest
from pyspark.errors import PySparkException

import substrait_sql
from substrait_sql.run import session
from tests.support.build import plan, table
from tests.support.sessions import configured

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession

TIMES = {"spark.sql.timeType.enabled": "true"}


@pytest.mark.spark
def test_a_view_with_a_time_that_no_column_shows(spark: SparkSession) -> None:
    """Spark analyses the view along with the query over it."""
    made = "SELECT id, CAST(TIME'12:00:00' AS TIME(3)) AS at FROM range(3)"
    with configured(spark, TIMES):
        spark.sql(f"CREATE OR REPLACE TEMPORARY VIEW with_times AS {made}")
    read = plan((table("with_times", "id:i64 at:pt<3>?", mask=[0]), "id"))
    try:
        found = substrait_sql.execute(spark, read)
        assert sorted(r.id for r in found.collect()) == [0, 1, 2]
    finally:
        spark.catalog.dropTempView("with_times")


@pytest.mark.spark
def test_sessions_of_ours_have_them_when_rows_are_made(spark: SparkSession, tmp_path: Path) -> None:
    """A cast that Spark puts into a UNION asks for the setting again, after those of the statement are gone."""
    made = substrait_sql.to_plan("SELECT TIME '12:00:00' AS at UNION ALL SELECT NULL", schema={})
    with pytest.raises(PySparkException, match="UNSUPPORTED_TIME_TYPE"):
        substrait_sql.execute(spark, made).collect()
    ours = session._settings("local[1]", {}, tmp_path)
    with configured(spark, {key: ours[key] for key in TIMES}):
        found = {r["at"] for r in substrait_sql.execute(spark, made).collect()}
    assert found == {dt.time(12), None}
