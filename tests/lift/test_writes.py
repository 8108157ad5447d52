"""Statements that change something become plans, and those do the same on Spark."""

from __future__ import annotations

import os
from typing import Any

import pytest

import substrait_sql
from substrait_sql import SqlError

SCHEMA = {"t": {"a": "INT", "b": "STRING"}, "u": {"a": "INT NOT NULL", "c": "BIGINT"}}


def back(sql: str) -> str:
    """The statement again, by its plan, on one line."""
    return " ".join(substrait_sql.to_sql(substrait_sql.to_plan(sql, schema=SCHEMA)).split())


@pytest.mark.parametrize(
    ("sql", "text"),
    [
        (
            "INSERT INTO u SELECT a, a FROM t",
            "INSERT INTO u (a, c) SELECT a, CAST(a AS BIGINT) AS c FROM t",
        ),
        ("INSERT INTO t (b, a) SELECT b, a FROM t", "INSERT INTO t (a, b) SELECT a, b FROM t"),
        ("CREATE TABLE x AS SELECT a FROM t", "CREATE TABLE x USING parquet AS SELECT a FROM t"),
        (
            "CREATE TABLE IF NOT EXISTS d.x USING parquet AS SELECT a FROM t",
            "CREATE TABLE IF NOT EXISTS d.x USING parquet AS SELECT a FROM t",
        ),
        (
            "CREATE OR REPLACE VIEW v AS SELECT b FROM t",
            "CREATE OR REPLACE VIEW v AS SELECT b FROM t",
        ),
        ("DELETE FROM t WHERE a > 1", "DELETE FROM t WHERE a > 1"),
        ("DELETE FROM t", "DELETE FROM t"),
        (
            "UPDATE u SET c = a + 1 WHERE a > 2",
            "UPDATE u SET c = CAST(a + 1 AS BIGINT) WHERE a > 2",
        ),
        ("DROP TABLE IF EXISTS d.x", "DROP TABLE IF EXISTS d.x"),
        ("DROP VIEW v", "DROP VIEW v"),
    ],
)
def test_statements_go_back_and_forth(sql: str, text: str) -> None:
    assert back(sql) == text


@pytest.mark.parametrize(
    ("sql", "code"),
    [
        ("INSERT INTO missing SELECT 1", "SS5004"),
        ("INSERT INTO t SELECT 1", "SS5003"),
        ("INSERT INTO t (a) SELECT 1", "SS5003"),
        ("INSERT INTO u SELECT b, a FROM t", "SS5003"),
        ("INSERT OVERWRITE t SELECT 1, 'x'", "SS5007"),
        ("CREATE TABLE x USING delta AS SELECT 1 AS a", "SS5007"),
        ("CREATE TEMPORARY VIEW v AS SELECT 1 AS a", "SS5007"),
        ("UPDATE u SET d = 1", "SS5004"),
        ("UPDATE u SET c = 1, c = 2", "SS5003"),
        ("UPDATE u SET c = 'x'", "SS5003"),
        ("MERGE INTO t USING u ON t.a = u.a WHEN MATCHED THEN DELETE", "SS5002"),
        ("DROP FUNCTION f", "SS5007"),
        ("SHOW TABLES", "SS500"),
    ],
)
def test_what_is_refused(sql: str, code: str) -> None:
    with pytest.raises(SqlError, match=code):
        substrait_sql.to_plan(sql, schema=SCHEMA)


def test_rows_are_written(spark: Any) -> None:
    name = f"lifted_{os.getpid()}"
    try:
        for sql in (
            f"CREATE TABLE {name} AS SELECT 1 AS a, 'x' AS b",
            f"INSERT INTO {name} VALUES (2, 'y'), (3, NULL)",
            f"CREATE OR REPLACE VIEW {name}_v AS SELECT a + 1 AS n FROM {name} WHERE b IS NOT NULL",
        ):
            plan = substrait_sql.to_plan(sql, schema=spark)
            substrait_sql.execute(spark, plan, allow_writes=True)
        rows = spark.sql(f"SELECT * FROM {name} ORDER BY a").collect()
        assert [tuple(r) for r in rows] == [(1, "x"), (2, "y"), (3, None)]
        assert sorted(r.n for r in spark.table(f"{name}_v").collect()) == [2, 3]
    finally:
        for sql in (f"DROP VIEW IF EXISTS {name}_v", f"DROP TABLE IF EXISTS {name}"):
            spark.sql(sql)
