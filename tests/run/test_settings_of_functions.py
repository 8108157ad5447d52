"""Settings under which functions of Spark's have other values: `execute` sets what it can, and refuses the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import substrait_sql
from substrait_sql import ExecutionError
from substrait_sql.dialect import load
from tests.support.sessions import configured

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyspark.sql import DataFrame, SparkSession

# With the value Spark itself has other rows or another type for the text, or rows instead of an error.
SET: Mapping[str, tuple[str, str]] = {
    "spark.sql.chunkBase64String.enabled": (
        "false",
        "SELECT base64(CAST(repeat(s, 80) AS BINARY)) AS x FROM t",
    ),
    "spark.sql.preserveCharVarcharTypeInfo": (
        "true",
        "SELECT concat(CAST(s AS CHAR(5)), '.') AS x FROM t",
    ),
    "spark.sql.legacy.codingErrorAction": (
        "true",
        "SELECT encode(concat(s, 'é'), 'US-ASCII') AS x FROM t",
    ),
    "spark.sql.legacy.decimal.retainFractionDigitsOnTruncate": (
        "true",
        "SELECT coalesce(CAST(k AS DECIMAL(38, 18)), CAST(k AS DECIMAL(38, 4))) AS x FROM t",
    ),
    "spark.sql.legacy.duplicateBetweenInput": (
        "true",
        "SELECT count(*) AS x FROM (SELECT explode(sequence(1, 1000)) AS i) WHERE rand(7) BETWEEN 0.3 AND 0.6",
    ),
    "spark.sql.legacy.integerGroupingId": (
        "true",
        "SELECT grouping_id() AS x FROM t GROUP BY CUBE (k)",
    ),
    "spark.sql.legacy.javaCharsets": ("true", "SELECT encode(s, 'windows-1252') AS x FROM t"),
    "spark.sql.legacy.negativeIndexInArrayInsert": (
        "true",
        "SELECT array_insert(array(1, 2, 3), -k, 9) AS x FROM t",
    ),
    "spark.sql.legacy.percentileDiscCalculation": (
        "true",
        "SELECT percentile_disc(0.7) WITHIN GROUP (ORDER BY i) AS x FROM (SELECT explode(sequence(1, 6)) AS i)",
    ),
}
REFUSED: Mapping[str, tuple[str, str]] = {
    "spark.sql.columnNameOfCorruptRecord": (
        "wrong",
        """SELECT from_json('{"a"', 'a INT, wrong STRING') AS x FROM t""",
    ),
    "spark.sql.json.enablePartialResults": (
        "false",
        """SELECT from_json(concat('[{"a": ', k, '}, {"a": ""}]'), 'ARRAY<STRUCT<a: INT>>') AS x FROM t""",
    ),
    "spark.sql.jsonGenerator.ignoreNullFields": (
        "false",
        "SELECT to_json(named_struct('a', nullif(k, k))) AS x FROM t",
    ),
    "spark.sql.legacy.allowNullComparisonResultInArraySort": (
        "true",
        "SELECT array_sort(array(3, k, 2), (a, b) -> CASE WHEN a < b THEN -1 WHEN a > b THEN 1 END) AS x "
        "FROM t WHERE k = 3",
    ),
    "spark.sql.legacy.disableMapKeyNormalization": ("true", "SELECT map(-0.0D * k, 1) AS x FROM t"),
    "spark.sql.legacy.histogramNumericPropagateInputType": (
        "false",
        "SELECT histogram_numeric(k, 3) AS x FROM t",
    ),
    "spark.sql.legacy.nullValueWrittenAsQuotedEmptyStringCsv": (
        "true",
        "SELECT to_csv(named_struct('a', nullif(s, s), 'b', 1)) AS x FROM t",
    ),
    "spark.sql.legacy.truncateForEmptyRegexSplit": (
        "true",
        "SELECT split(concat(s, 'bc'), '', 2) AS x FROM t",
    ),
    "spark.sql.legacy.castComplexTypesToString.enabled": (
        "true",
        "SELECT CAST(array(k, NULL) AS STRING) AS x FROM t",
    ),
    "spark.sql.legacy.timeParserPolicy": (
        "LEGACY",
        "SELECT to_date(concat('2020-1-', k), 'yyyy-MM-dd') AS x FROM t",
    ),
    "spark.sql.icu.caseMappings.enabled": ("false", "SELECT initcap(concat('ß', s)) AS x FROM t"),
}
# A value may be inside of another: `parse_json` makes one that plans have no type for.
WRITES = {"spark.sql.parquet.outputTimestampType", "spark.sql.variant.allowDuplicateKeys"}


def test_each_setting_about_functions_is_shown() -> None:
    late = {setting.name for setting in load("spark").settings if setting.where is not None}
    assert late == {*REFUSED, *WRITES}


def rows(frame: DataFrame) -> tuple[str, str]:
    return frame.schema.simpleString(), str(frame.collect())


def said(spark: SparkSession, sql: str) -> tuple[str, str]:
    """What Spark has for a text: type and rows, or that it fails."""
    try:
        return rows(spark.sql(sql))
    except Exception as error:
        return type(error).__name__, str(error).split("]")[0]


@pytest.fixture(autouse=True)
def _table(spark: SparkSession) -> None:
    spark.sql("SELECT 1 AS k, 'a' AS s UNION ALL SELECT 3, 'b'").coalesce(
        1
    ).createOrReplaceTempView("t")


@pytest.mark.spark
@pytest.mark.parametrize("key", sorted(SET))
def test_it_is_set_for_the_statement(spark: SparkSession, key: str) -> None:
    value, sql = SET[key]
    with configured(spark, {"spark.sql.ansi.enabled": "true"}):
        usual = said(spark, sql)
        try:
            plan = substrait_sql.to_plan(sql, schema=spark)
        except substrait_sql.SqlError:
            plan = None
        with configured(spark, {key: value}):
            assert said(spark, sql) != usual
            if plan is None:
                assert usual[0] == "AnalysisException"
                return
            try:
                assert rows(substrait_sql.execute(spark, plan)) == usual
            except Exception as error:
                assert (type(error).__name__, str(error).split("]")[0]) == usual
            assert spark.conf.get(key) == value


@pytest.mark.spark
@pytest.mark.parametrize("key", sorted(REFUSED))
def test_a_session_that_has_it_is_refused(spark: SparkSession, key: str) -> None:
    value, sql = REFUSED[key]
    with configured(spark, {"spark.sql.ansi.enabled": "true"}):
        usual = said(spark, sql)
        plan = substrait_sql.to_plan(sql, schema=spark)
        other = substrait_sql.to_plan("SELECT k FROM t", schema=spark)
        with configured(spark, {key: value}):
            assert said(spark, sql) != usual
            with pytest.raises(ExecutionError, match=f"SS4021 .*{key}={value}"):
                substrait_sql.execute(spark, plan)
            assert substrait_sql.execute(spark, other).count() == 2
