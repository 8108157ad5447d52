"""Run a plan on Spark; rows as Python values that mean the same in any time zone."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import TYPE_CHECKING, Any

import substrait_sql
from tests.support import rows

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyspark.sql import DataFrame, SparkSession

TABLES = Path(__file__).parents[1] / "plans" / "tables"


def collect(frame: DataFrame) -> list[tuple[Any, ...]]:
    """Return the rows; a TIMESTAMP comes as an aware datetime, a TIMESTAMP_NTZ as a naive one."""
    zoned = {i for i, f in enumerate(frame.schema.fields) if f.dataType.typeName() == "timestamp"}

    def value(i: int, v: Any) -> Any:
        if i in zoned and v is not None:
            return v.astimezone(dt.UTC)  # pyspark gives local time without a zone
        return v

    return [tuple(value(i, v) for i, v in enumerate(row)) for row in frame.collect()]


def plan_tables(spark: SparkSession, *names: str) -> dict[str, DataFrame]:
    """The tables that plans of tests/plans read: those of these names, by default all.

    Their rows stay in the JVM: Spark would have them from Python, in a job's longest part, for each query. It knows no
    more of them than of other rows from Python, so its plans are the same.
    """
    found = {}
    for path in TABLES.glob("*.json"):
        if not names or path.stem in names:
            schema, data = rows.load_table(path)
            found[path.stem] = spark.createDataFrame(data, schema).localCheckpoint()
    return found


def frames(
    spark: SparkSession, plan: Any, tables: Mapping[str, Any], dialect: str = "spark"
) -> list[DataFrame]:
    """Execute a plan; one DataFrame per root."""
    out = substrait_sql.execute(spark, plan, tables=tables, dialect=dialect)
    return out if isinstance(out, list) else [out]


def last_rows(spark: SparkSession, plan: Any, tables: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    """Execute a plan and return the rows of its last root."""
    return collect(frames(spark, plan, tables)[-1])
