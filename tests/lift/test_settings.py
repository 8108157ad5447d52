"""Sessions that read texts in another way than a plan is made of them: refused, with the setting."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

import substrait_sql
from substrait_sql import SqlError
from substrait_sql.dialect import load
from tests.support import sessions

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyspark.sql import SparkSession

WANTED = load("spark").settings.read_with
TWO = "VALUES (2), (1) AS t(k)"
# Under another value of the setting Spark itself has other columns, rows, or an error instead of them.
SHOWN: Mapping[str, tuple[str, str]] = {
    "spark.sql.caseSensitive": ("true", f"SELECT K FROM {TWO}"),
    "spark.sql.groupByOrdinal": ("false", f"SELECT k, count(*) FROM {TWO} GROUP BY 1"),
    "spark.sql.orderByOrdinal": ("false", f"SELECT k FROM {TWO} ORDER BY 1"),
    "spark.sql.groupByAliases": ("false", f"SELECT k + 1 AS j, count(*) FROM {TWO} GROUP BY j"),
    "spark.sql.parser.escapedStringLiterals": ("true", r"SELECT 'a\tb'"),
    "spark.sql.parser.quotedRegexColumnNames": (
        "true",
        f"SELECT `(k)` FROM (SELECT k AS `(k)`, 1 AS k FROM {TWO})",
    ),
    "spark.sql.ansi.doubleQuotedIdentifiers": ("true", f'SELECT "k" FROM {TWO}'),
    "spark.sql.ansi.relationPrecedence": (
        "true",
        "SELECT * FROM VALUES (1) AS a(x), VALUES (2) AS b(y) JOIN VALUES (1) AS c(z) ON a.x = c.z",
    ),
    "spark.sql.decimalOperations.allowPrecisionLoss": (
        "false",
        "SELECT CAST(1 AS DECIMAL(38, 18)) * CAST(1 AS DECIMAL(38, 18))",
    ),
    "spark.sql.function.concatBinaryAsString": ("true", "SELECT concat(X'41', X'42')"),
    "spark.sql.function.eltOutputAsString": ("true", "SELECT elt(1, X'41', X'42')"),
    "spark.sql.timestampType": ("TIMESTAMP_NTZ", "SELECT CAST('2020-01-01' AS TIMESTAMP)"),
    "spark.sql.legacy.allowNegativeScaleOfDecimal": ("true", "SELECT 1E3BD"),
    "spark.sql.legacy.consecutiveStringLiterals.enabled": ("true", "SELECT 'a''b'"),
    "spark.sql.legacy.createEmptyCollectionUsingStringType": ("true", "SELECT array()"),
    "spark.sql.legacy.ctePrecedencePolicy": (
        "LEGACY",
        "WITH t AS (SELECT 1 AS k) SELECT (WITH t AS (SELECT 2 AS k) SELECT k FROM t) AS k",
    ),
    "spark.sql.legacy.exponentLiteralAsDecimal.enabled": ("true", "SELECT 1E2"),
    "spark.sql.legacy.followThreeValuedLogicInArrayExists": (
        "false",
        "SELECT exists(array(1, NULL), x -> x > 1)",
    ),
    "spark.sql.legacy.interval.enabled": ("true", "SELECT INTERVAL '1' DAY"),
    "spark.sql.legacy.literal.pickMinimumPrecision": (
        "false",
        "SELECT CAST(1.5 AS DECIMAL(2,1)) + 1",
    ),
    "spark.sql.legacy.lpadRpadAlwaysReturnString": ("true", "SELECT lpad(X'41', 3, X'42')"),
    "spark.sql.legacy.parser.havingWithoutGroupByAsWhere": (
        "true",
        f"SELECT 1 FROM {TWO} HAVING true",
    ),
    "spark.sql.legacy.setopsPrecedence.enabled": (
        "true",
        "SELECT 1 AS k UNION SELECT 2 INTERSECT SELECT 2",
    ),
    "spark.sql.chunkBase64String.enabled": (
        "false",
        "SELECT base64(CAST(repeat('a', 80) AS BINARY))",
    ),
    "spark.sql.preserveCharVarcharTypeInfo": ("true", "SELECT CAST('a' AS CHAR(5)) || '.'"),
    "spark.sql.legacy.codingErrorAction": ("true", "SELECT encode('é', 'US-ASCII')"),
    "spark.sql.legacy.decimal.retainFractionDigitsOnTruncate": (
        "true",
        "SELECT coalesce(CAST(1 AS DECIMAL(38, 18)), CAST(1 AS DECIMAL(38, 4)))",
    ),
    "spark.sql.legacy.duplicateBetweenInput": (
        "true",
        "SELECT count(*) FROM (SELECT explode(sequence(1, 1000))) WHERE rand(7) BETWEEN 0.3 AND 0.6",
    ),
    "spark.sql.legacy.integerGroupingId": (
        "true",
        f"SELECT grouping_id() FROM {TWO} GROUP BY CUBE (k)",
    ),
    "spark.sql.legacy.javaCharsets": ("true", "SELECT encode('é', 'windows-1252')"),
    "spark.sql.legacy.negativeIndexInArrayInsert": (
        "true",
        "SELECT array_insert(array(1, 2, 3), -1, 9)",
    ),
    "spark.sql.legacy.percentileDiscCalculation": (
        "true",
        "SELECT percentile_disc(0.7) WITHIN GROUP (ORDER BY i) FROM (SELECT explode(sequence(1, 6)) AS i)",
    ),
    "spark.sql.lateralColumnAlias.enableImplicitResolution": (
        "false",
        "SELECT (SELECT j FROM (SELECT 5 AS k, k AS j)) FROM VALUES (1) AS t(k)",
    ),
    "spark.sql.stableDerivedColumnAlias.enabled": ("true", "SELECT 1 + 1"),
    "spark.sql.timestampNanosTypes.enabled": (
        "true",
        "SELECT TIMESTAMP_NTZ '2020-01-01 00:00:00.123456789'",
    ),
    "spark.sql.legacy.statisticalAggregate": ("true", "SELECT stddev(k) FROM VALUES (1) AS t(k)"),
}


def having(settings: Mapping[str, str], *, module: str = "pyspark.sql.session", **more: Any) -> Any:
    """What `to_plan` takes for a session that has these settings and no tables."""

    class Session:
        sql = table = catalog = None
        conf = SimpleNamespace(get=lambda key, default=None: settings.get(key, default), **more)

    Session.__module__ = module
    return Session()


def test_each_setting_is_shown() -> None:
    assert WANTED.keys() == SHOWN.keys()


@pytest.mark.parametrize("key", sorted(SHOWN))
def test_a_session_with_another_value_is_refused(key: str) -> None:
    value, sql = SHOWN[key]
    with pytest.raises(SqlError) as found:
        substrait_sql.to_plan(sql, schema=having({key: value}))
    text = str(found.value)
    assert text.startswith(
        f"SS5007 the session has {key}={value}, and texts are read with {WANTED[key]}\n"
    )
    assert f"spark.conf.set({key!r}, {WANTED[key]!r})" in text


def test_zone_given_does_not_hide_a_setting() -> None:
    session = having({"spark.sql.decimalOperations.allowPrecisionLoss": "false"})
    with pytest.raises(SqlError, match="allowPrecisionLoss=false"):
        substrait_sql.to_plan("SELECT 1", schema=session, zone="UTC")


def test_what_spark_has_by_itself_is_taken() -> None:
    as_written = {key: value.upper() for key, value in WANTED.items()}
    assert substrait_sql.to_plan("SELECT 1 AS k", schema=having(as_written)).relations
    assert substrait_sql.to_plan("SELECT 1 AS k", schema=having({})).relations


def test_settings_under_which_texts_mean_the_same_are_taken() -> None:
    session = having(
        {
            "spark.sql.ansi.enforceReservedKeywords": "true",
            "spark.sql.storeAssignmentPolicy": "STRICT",
            "spark.sql.variable.substitute": "true",
            "spark.sql.shuffle.partitions": "7",
        }
    )
    assert substrait_sql.to_plan("SELECT 1 AS k", schema=session).relations


def test_a_server_is_asked_once() -> None:
    session = having(
        {}, module="pyspark.sql.connect.session", getAll={"spark.sql.caseSensitive": "true"}
    )
    with pytest.raises(SqlError, match="caseSensitive=true"):
        substrait_sql.to_plan("SELECT 1", schema=session)


def test_check_sql_refuses_the_session_too() -> None:
    with pytest.raises(SqlError, match="caseSensitive=true"):
        substrait_sql.check_sql("SELECT 1", schema=having({"spark.sql.caseSensitive": "true"}))


@pytest.mark.spark
@pytest.mark.parametrize("key", sorted(SHOWN))
def test_spark_reads_another_text(spark: SparkSession, key: str) -> None:
    value, sql = SHOWN[key]
    with sessions.configured(spark, {"spark.sql.ansi.enabled": "true", key: WANTED[key]}):
        usual = said(spark, sql)
        if usual[0].startswith("struct"):
            substrait_sql.to_plan(sql, schema=spark)
    with sessions.configured(spark, {"spark.sql.ansi.enabled": "true", key: value}):
        assert said(spark, sql) != usual
        with pytest.raises(SqlError, match=key):
            substrait_sql.to_plan(sql, schema=spark)


def said(spark: SparkSession, sql: str) -> tuple[Any, ...]:
    """Types and rows, or that there are none."""
    try:
        found = spark.sql(sql)
        return found.schema.simpleString(), str(found.collect())
    except Exception as error:
        return (type(error).__name__,)
