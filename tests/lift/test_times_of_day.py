"""+ and - with times of day: the rows, types and names of columns that Spark has, or an error where it has one.

Spark has the type switched off unless a session says otherwise; only then it makes a time of a text or of NULL.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

import pytest

import substrait_sql
from substrait_sql import SqlError
from tests.support.sessions import configured

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql import SparkSession

TIMES = ("t", "none", "TIME '01:02:03'")
OTHERS = (
    "h", "second", "day", "month", "s", "v", "NULL", "'10:00:01'", "k", "d", "n", "ts", "INTERVAL 1 HOUR",
    "INTERVAL '1' MINUTE",
)  # fmt: skip
VIEW = """CREATE OR REPLACE TEMPORARY VIEW moments AS SELECT TIME '08:30:00.5' AS t, CAST(NULL AS TIME) AS none,
INTERVAL '1' HOUR AS h, INTERVAL '0 01:00:00.5' DAY TO SECOND AS second, INTERVAL '1' DAY AS day,
INTERVAL '1' MONTH AS month, '10:00:00' AS s, NULL AS v, 1 AS k, DATE '2020-01-01' AS d,
TIMESTAMP_NTZ '2020-01-01 01:00:00' AS n, TIMESTAMP '2020-01-01 01:00:00' AS ts"""
NESTED = [
    "(t + h) + h", "t + h - h", "t - t + h", "abs(t - t)", "(t + h) = t", "t - t > h", "h + (t - h)", "t - (t - t)",
    "max(t) - min(t)", "t - t + (NULL - t)", "t - '10:00' = '10:00' - t",
]  # fmt: skip


@pytest.fixture(scope="module")
def session(spark: SparkSession) -> Iterator[SparkSession]:
    with configured(spark, {"spark.sql.timeType.enabled": "true"}):
        spark.sql(VIEW)
        yield spark


def said(spark: SparkSession, expression: str, *, lifted: bool) -> Any:
    """Names, types and rows, or None where there is an error before there are any."""
    sql = f"SELECT {expression} FROM moments"
    try:
        found = (
            substrait_sql.execute(spark, substrait_sql.to_plan(sql, schema=spark))
            if lifted
            else spark.sql(sql)
        )
    except SqlError:
        assert lifted
        return None
    except Exception as error:
        assert (lifted, type(error).__name__) == (False, "AnalysisException"), error
        return None
    try:
        return found.schema.names, found.schema.simpleString(), found.collect()
    except Exception as error:
        return str(error).split("]")[0]


@pytest.mark.spark
@pytest.mark.parametrize("operator", ["+", "-"])
@pytest.mark.parametrize("time", TIMES)
def test_two_operands(session: SparkSession, time: str, operator: str) -> None:
    pairs = [*product([time], (*TIMES, *OTHERS)), *product(OTHERS, [time])]
    wrong = {}
    for left, right in pairs:
        expression = f"{left} {operator} {right}"
        usual, got = (said(session, expression, lifted=lifted) for lifted in (False, True))
        if usual != got:
            wrong[expression] = usual, got
    assert wrong == {}


@pytest.mark.spark
@pytest.mark.parametrize("expression", NESTED)
def test_nested(session: SparkSession, expression: str) -> None:
    usual = said(session, expression, lifted=False)
    assert usual is not None
    assert said(session, expression, lifted=True) == usual
