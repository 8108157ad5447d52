"""Statements that say a call of the standard in several of Spark's have the rows and types that Spark gives them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import substrait_sql

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ROWS = """CREATE OR REPLACE TEMPORARY VIEW composed AS SELECT * FROM VALUES
(1, CAST(1.5 AS FLOAT), 3S, 2L, CAST(2.25 AS DECIMAL(5, 2)), array(1, 2, NULL)),
(1, CAST(2.7 AS FLOAT), 4S, 5L, CAST(-1.5 AS DECIMAL(5, 2)), array(3)), (2, NULL, NULL, NULL, NULL, NULL),
(3, CAST('NaN' AS FLOAT), 7S, -3L, CAST(0 AS DECIMAL(5, 2)), array()) AS t(k, f, s, l, d, a)"""
PRODUCT = "aggregate(collect_list(l){}, CAST(1 AS BIGINT), (p, v) -> p * v)"
STATEMENTS = [
    "SELECT k, CAST(avg(f) AS FLOAT) AS x, avg(f) AS y FROM composed GROUP BY k",
    "SELECT CAST(avg(f) AS FLOAT) AS x FROM composed WHERE k > 9",
    "SELECT k FROM composed GROUP BY k HAVING CAST(avg(f) AS FLOAT) > 1",
    "SELECT k, sum(CAST(avg(f) AS FLOAT)) OVER (ORDER BY k) AS x FROM composed GROUP BY k",
    "SELECT k, CAST(avg(f) FILTER (WHERE s > 3) AS FLOAT) AS x, CAST(bround(median(s) FILTER (WHERE s > 3)) AS "
    "SMALLINT) AS m FROM composed GROUP BY ROLLUP (k)",
    f"SELECT k, {PRODUCT.format('')} AS x FROM composed GROUP BY k",
    f"SELECT {PRODUCT.format(' FILTER (WHERE l > 99)')} AS x FROM composed",
    "SELECT k, sum(CAST(l AS DECIMAL(20, 0))) DIV count(l) AS x FROM composed GROUP BY CUBE (k, s)",
    "SELECT k, exists(a, x -> x > 1) AS e, forall(a, x -> x > 1) AS f, transform(a, x -> x + 1) AS t, "
    "transform(a, (x, i) -> i) AS i, filter(a, (x, i) -> i > 0) AS z FROM composed",
    "SELECT k, nullif(array_position(a, k), 0) - 1 AS p FROM composed",
    "SELECT CASE WHEN d < 0 THEN raise_error('square root of a negative number') ELSE sqrt(d) END AS r "
    "FROM composed WHERE d >= 0",
    # Literals are written shorter than their types.
    "SELECT k, lag(CAST(5 AS DECIMAL(5, 2)), 1, 1.5) IGNORE NULLS OVER (ORDER BY k, s) AS x, "
    "lead(0.00, 1, 0.75) IGNORE NULLS OVER (ORDER BY k, s) AS y FROM composed",
    "SELECT concat(0.00, s) AS x, CAST(CAST(d AS DECIMAL(7, 3)) AS STRING) AS y, "
    "CAST(coalesce(d, 0.000) AS STRING) AS z, CAST(array(0.00, d) AS STRING) AS a FROM composed",
]  # fmt: skip


@pytest.mark.parametrize("sql", STATEMENTS)
def test_rows(spark: SparkSession, sql: str) -> None:
    spark.sql(ROWS)
    plan = substrait_sql.to_plan(sql, schema=spark)
    wanted: Any = spark.sql(sql)
    found: Any = substrait_sql.execute(spark, plan)
    assert [f.dataType for f in found.schema] == [f.dataType for f in wanted.schema]
    assert sorted(map(str, found.collect())) == sorted(map(str, wanted.collect()))
