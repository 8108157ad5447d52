"""Intervals keep their units there and back: Substrait's have none of their own, a DATE and a text feel them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import substrait_sql

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

DAYS = [
    "INTERVAL '1' DAY",
    "INTERVAL '1 00:00:00' DAY TO SECOND",
    "INTERVAL '25' HOUR",
    "INTERVAL '1' DAY + INTERVAL '1' DAY",
    "-INTERVAL '1' DAY",
    "CASE WHEN k > 1 THEN INTERVAL '1' DAY ELSE INTERVAL '2' DAY END",
    "INTERVAL '1' DAY * k",
]
MONTHS = [
    "INTERVAL '14' MONTH",
    "INTERVAL '1' YEAR",
    "INTERVAL '1-0' YEAR TO MONTH",
    "if(k > 1, INTERVAL '1' YEAR, INTERVAL '2' YEAR)",
]
USES = [
    "{0}",
    "d + {0}",
    "CAST(d AS TIMESTAMP) - {0}",
    "CAST({0} AS STRING)",
    "{0} > {1}",
    "array({0}, {1})",
    "coalesce({0}, {1})",
    "aggregate(array({0}, {0}), {0}, (a, x) -> a + x)",
]


@pytest.mark.spark
@pytest.mark.parametrize("intervals", [DAYS, MONTHS], ids=["days", "months"])
def test_each_use_of_each(spark: SparkSession, intervals: list[str]) -> None:
    uses = [use.format(i, intervals[n - 1]) for n, i in enumerate(intervals) for use in USES]
    rows = "(SELECT k, CAST(d AS DATE) AS d FROM VALUES (1, '2024-01-31'), (2, NULL), (3, '1999-12-31') AS t(k, d))"
    sql = f"SELECT {', '.join(f'{use} AS c{n}' for n, use in enumerate(uses))} FROM {rows}"
    text = substrait_sql.to_sql(substrait_sql.to_plan(sql, schema={}))
    wanted, found = spark.sql(sql), spark.sql(text)
    assert found.schema.simpleString() == wanted.schema.simpleString()
    # Python has no value for an interval of months.
    shown = [f"CAST(c{n} AS STRING)" for n in range(len(uses))]
    assert found.selectExpr(*shown).collect() == wanted.selectExpr(*shown).collect()


def test_literals_are_written_as_they_were() -> None:
    columns = (
        "INTERVAL '1' DAY AS a, INTERVAL '1' YEAR AS b, INTERVAL '1 00:00:00' DAY TO SECOND AS c"
    )
    plan = substrait_sql.to_plan(f"SELECT {columns}", schema={})
    assert " ".join(substrait_sql.to_sql(plan).split()) == f"SELECT {columns}"
