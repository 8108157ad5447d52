"""Statements that change something become plans, and those do the same on Spark."""

from __future__ import annotations

import os
from typing import Any

import pytest
from pyspark.errors import SparkRuntimeException

import substrait_sql
from substrait_sql import ExecutionError, SqlError

SCHEMA = {
    "t": {"a": "INT", "b": "STRING"},
    "u": {"a": "INT NOT NULL", "c": "BIGINT"},
    "d.v": "a INT, b STRING DEFAULT 'x, y', c DECIMAL(10,2) NOT NULL DEFAULT 1.5 COMMENT 'money'",
    "w": {"a": "INT", "b": "STRING DEFAULT 'DEFAULT'"},
    "short": "i INTERVAL DAY, v VARCHAR(2)",
}


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
        ("TRUNCATE TABLE t", "DELETE FROM t"),
        (
            "CREATE TABLE x (a INT NOT NULL, b STRING DEFAULT 'x', c DOUBLE DEFAULT 1, d DATE DEFAULT NULL)",
            "CREATE TABLE x ( a INT NOT NULL, b STRING DEFAULT 'x', c DOUBLE DEFAULT 1.0D, d DATE ) USING parquet",
        ),
        ("CREATE OR REPLACE TABLE d.x (a INT)", "CREATE OR REPLACE TABLE d.x ( a INT )"),
        (
            "CREATE TABLE IF NOT EXISTS x (a INT)",
            "CREATE TABLE IF NOT EXISTS x USING parquet AS SELECT CAST(NULL AS INT) AS a WHERE FALSE",
        ),
        (
            "CREATE VIEW v (x, y) AS SELECT a, b FROM t",
            "CREATE VIEW v AS SELECT a AS x, b AS y FROM t",
        ),
        ("ALTER VIEW v AS SELECT a FROM t", "ALTER VIEW v AS SELECT a FROM t"),
        (
            "INSERT INTO t (a) SELECT 1",
            "INSERT INTO t (a, b) SELECT 1 AS a, CAST(NULL AS STRING) AS b",
        ),
        (
            "INSERT INTO d.v (c) SELECT a FROM t",
            "INSERT INTO d.v (a, b, c) SELECT CAST(NULL AS INT) AS a, 'x, y' AS b, CAST(a AS DECIMAL(10, 2)) AS c "
            "FROM t",
        ),
        ("INSERT INTO w (a) SELECT 1", "INSERT INTO w (a, b) SELECT 1 AS a, 'DEFAULT' AS b"),
        (
            "INSERT INTO w SELECT a, DEFAULT FROM t",
            "INSERT INTO w (a, b) SELECT a, 'DEFAULT' AS b FROM t",
        ),
        ("INSERT INTO t BY NAME SELECT b, a FROM t", "INSERT INTO t (a, b) SELECT a, b FROM t"),
        (
            "INSERT INTO t PARTITION (a = 1) SELECT b FROM t",
            "INSERT INTO t (a, b) SELECT 1 AS a, b FROM t",
        ),
        (
            "WITH c AS (SELECT * FROM t) INSERT INTO t TABLE c",
            "INSERT INTO t (a, b) WITH c AS ( SELECT a, b FROM t ) SELECT a, b FROM c",
        ),
        ("UPDATE w SET b = DEFAULT, a = 2", "UPDATE w SET b = 'DEFAULT', a = 2"),
        (
            "MERGE INTO t USING u ON t.a = u.a WHEN MATCHED THEN DELETE",
            "DELETE FROM t WHERE EXISTS( SELECT 1 FROM u WHERE t.a = u.a )",
        ),
        (
            "MERGE INTO t USING u ON t.a = u.a WHEN NOT MATCHED AND c > 1 THEN INSERT (a) VALUES (u.a)",
            "INSERT INTO t (a, b) SELECT a, CAST(NULL AS STRING) AS b FROM u "
            "WHERE NOT EXISTS( SELECT 1 FROM t WHERE t.a = u.a ) AND c > 1",
        ),
        (
            "MERGE INTO t AS x USING u ON x.a = u.a WHEN NOT MATCHED BY SOURCE AND x.a > 1 OR b = 'y' THEN DELETE",
            "DELETE FROM t WHERE NOT EXISTS( SELECT 1 FROM u WHERE t.a = u.a ) AND (a > 1 OR b = 'y')",
        ),
        (
            "MERGE INTO w USING u ON w.a = u.a WHEN NOT MATCHED BY SOURCE THEN UPDATE SET b = DEFAULT, w.a = w.a + 1",
            "UPDATE w SET b = 'DEFAULT', a = a + 1 WHERE NOT EXISTS( SELECT 1 FROM u WHERE w.a = u.a )",
        ),
        (
            "UPDATE short SET i = INTERVAL '1' DAY, v = upper(v) WHERE v = 'a'",
            "UPDATE short SET i = INTERVAL '1' DAY, v = upper(v) WHERE v = 'a'",
        ),
        (
            "UPDATE t SET a = (SELECT max(u.a) FROM u WHERE u.c = t.a) WHERE EXISTS (SELECT 1 FROM u WHERE u.a = t.a)",
            "UPDATE t SET a = ( SELECT max(u.a) FROM u WHERE u.c = t.a ) "
            "WHERE EXISTS( SELECT 1 FROM u WHERE u.a = t.a )",
        ),
    ],
)
def test_statements_go_back_and_forth(sql: str, text: str) -> None:
    assert back(sql) == text


@pytest.mark.parametrize(
    ("sql", "code"),
    [
        ("INSERT INTO missing SELECT 1", "SS5004"),
        ("INSERT INTO t SELECT 1", "SS5003"),
        ("INSERT INTO u (c) SELECT 1", "SS5003"),
        ("INSERT INTO t (a, z) SELECT 1, 2", "SS5004"),
        ("INSERT INTO t (a, a) SELECT 1, 2", "SS5003"),
        ("INSERT INTO t BY NAME SELECT 1 AS a, 2 AS z", "SS5004"),
        ("INSERT INTO t VALUES (1)", "SS5003"),
        ("INSERT INTO t REPLACE WHERE a = 1 SELECT 1, 'x'", "SS5007"),
        ("INSERT INTO u SELECT b, a FROM t", "SS5003"),
        ("INSERT OVERWRITE t SELECT 1, 'x'", "SS5007"),
        ("CREATE TABLE x USING delta AS SELECT 1 AS a", "SS5007"),
        ("CREATE TEMPORARY VIEW v AS SELECT 1 AS a", "SS5007"),
        ("UPDATE u SET d = 1", "SS5004"),
        ("UPDATE u SET c = 1, c = 2", "SS5003"),
        ("UPDATE u SET c = 'x'", "SS5003"),
        ("MERGE INTO t USING u ON a = 1 WHEN MATCHED THEN DELETE", "SS5003 a is ambiguous"),
        ("MERGE INTO t USING u ON t.a = u.a WHEN MATCHED AND c = 1 THEN DELETE", "SS5007"),
        ("MERGE INTO t USING u ON t.a = u.a WHEN MATCHED THEN UPDATE SET b = 'x'", "SS5007"),
        (
            "MERGE INTO t USING u ON t.a = u.a WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT *",
            "SS5007",
        ),
        (
            "MERGE INTO t USING u ON t.a = u.a WHEN NOT MATCHED BY SOURCE THEN INSERT *",
            "SS5001",
        ),
        (
            "MERGE INTO t USING u ON t.a = u.a WHEN NOT MATCHED BY SOURCE THEN UPDATE SET *",
            "SS5001",
        ),
        (
            "MERGE INTO t USING u ON t.a = u.a WHEN NOT MATCHED BY SOURCE THEN DO NOTHING",
            "SS5001",
        ),
        ("MERGE INTO t USING u ON t.a = u.a WHEN NOT MATCHED THEN DELETE", "SS5001"),
        (
            "MERGE INTO t USING u ON t.a = u.a WHEN NOT MATCHED THEN UPDATE SET b = 'x'",
            "SS5001",
        ),
        ("MERGE INTO t USING u ON t.a = u.a WHEN MATCHED THEN INSERT *", "SS5001"),
        ("MERGE INTO t USING u ON t.a = u.a WHEN MATCHED THEN DO NOTHING", "SS5001"),
        (
            "MERGE INTO t USING u ON t.a = u.a WHEN NOT MATCHED BY SOURCE AND c > 1 THEN DELETE",
            "SS5004",
        ),
        ("CREATE TABLE x (a INT DEFAULT 1 + 1)", "SS5007"),
        ("CREATE TABLE x (a INT, A STRING)", "SS5003"),
        ("CREATE TABLE x (a INT NOT NULL DEFAULT 1 NOT NULL)", "SS5001"),
        ("CREATE TABLE x (a INT DEFAULT 1 NOT NULL DEFAULT 2)", "SS5001"),
        ("CREATE TABLE x (a VARCHAR(3))", "SS5007"),
        ("CREATE TABLE x (a ARRAY<VARCHAR(3)>)", "SS5007"),
        ("CREATE TABLE x (a INTERVAL DAY)", "SS5007"),
        ("INSERT INTO short (i) SELECT INTERVAL '25' HOUR", "SS5003"),
        ("UPDATE short SET i = INTERVAL '1 00:00:00' DAY TO SECOND", "SS5003"),
        ("CREATE TABLE x (a NUMBER)", "SS5001"),
        ("CREATE TABLE x (a INT COMMENT 'c')", "SS5007"),
        (
            "CREATE TABLE x (a INT) PARTITIONED BY (a)",
            "SS5007 a plan has no word for PARTITIONED BY",
        ),
        ("CREATE TABLE x LIKE t", "SS5007"),
        ("CREATE TABLE x (a) AS SELECT 1", "SS5001"),
        ("CREATE TABLE IF NOT EXISTS x (a INT NOT NULL)", "SS5007"),
        ("CREATE VIEW v (x) AS SELECT a, b FROM t", "SS5003"),
        ("CREATE VIEW v AS SELECT a + 1 FROM t", "SS5003"),
        ("ALTER TABLE t ADD COLUMN z INT", "SS5007"),
        ("ALTER TABLE t SET TBLPROPERTIES ('a' = 'b')", "SS5007"),
        ("TRUNCATE TABLE t PARTITION (a = 1)", "SS5007"),
        ("DROP TABLE t PURGE", "SS5007"),
        ("DROP FUNCTION f", "SS5007"),
        ("SHOW TABLES", "SS5007"),
        ("SELCT 1", "SS5001 .*(?s:.*)did you mean SELECT"),
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


STATEMENTS = (
    "INSERT INTO {t} (a) VALUES (1)",
    "INSERT INTO {t} (e) VALUES (1), (2)",
    "INSERT INTO {t} VALUES (1, DEFAULT, DEFAULT, DATE '2020-01-01', NULL), (DEFAULT, 'u', 2, DEFAULT, 3)",
    "INSERT INTO {t} (a, b) SELECT 5, DEFAULT",
    "INSERT INTO {t} BY NAME SELECT 10 AS E, 'q' AS b",
    "INSERT INTO {t} BY NAME SELECT d, c, a, b FROM {t} WHERE a = 1",
    "INSERT INTO {t} TABLE {t}",
    "INSERT INTO {t} (d, c, b, a, e) SELECT d, c, b, a, count(*) FROM {t} GROUP BY ALL",
    "WITH x AS (SELECT 7 AS n) INSERT INTO {t} (e, a) SELECT n, n + 1 FROM x",
)


def test_the_same_as_spark_does(spark: Any) -> None:
    """Spark's own statement on one table, its plan on another: both hold the same after each."""
    one, other = (f"lifted_{os.getpid()}_{n}" for n in "ab")
    columns = "a INT, b STRING DEFAULT 'x', c DOUBLE DEFAULT 1 + 1, d DATE DEFAULT DATE '2024-02-29', e INT"
    try:
        for name in (one, other):
            spark.sql(f"CREATE TABLE {name} ({columns}) USING parquet")
        for sql in STATEMENTS:
            spark.sql(sql.format(t=one))
            plan = substrait_sql.to_plan(sql.format(t=other), schema=spark)
            substrait_sql.execute(spark, plan, allow_writes=True)
            wanted, found = (sorted(map(repr, spark.table(n).collect())) for n in (one, other))
            assert found == wanted, sql
    finally:
        for name in (one, other):
            spark.sql(f"DROP TABLE IF EXISTS {name}")


def test_tables_and_views_as_spark_makes_them(spark: Any) -> None:
    one, other = (f"lifted_{os.getpid()}_{n}" for n in "ab")
    try:
        for sql in (
            "CREATE TABLE {t} (a INT NOT NULL, b STRING DEFAULT 'x', c DOUBLE DEFAULT 1, d DECIMAL(10, 2) DEFAULT 2.5)",
            "CREATE TABLE IF NOT EXISTS {t} (z INT)",
            "CREATE TABLE IF NOT EXISTS {t}_2 (z INT, y STRING, x ARRAY<INT>)",
            "CREATE VIEW {t}_v (x, y) AS SELECT a, b FROM {t}",
            "ALTER VIEW {t}_v AS SELECT a AS z FROM {t}",
        ):
            spark.sql(sql.format(t=one))
            plan = substrait_sql.to_plan(sql.format(t=other), schema=spark)
            substrait_sql.execute(spark, plan, allow_writes=True)
            for ending in ("", "_2", "_v"):
                if spark.catalog.tableExists(one + ending):
                    wanted, found = (spark.table(n + ending).schema for n in (one, other))
                    assert found.simpleString() == wanted.simpleString(), sql
        for name in (one, other):
            spark.sql(f"INSERT INTO {name} (a) VALUES (1)")
        wanted, found = (spark.table(n).collect() for n in (one, other))
        assert found == wanted
    finally:
        for name in (one, other):
            spark.sql(f"DROP VIEW IF EXISTS {name}_v")
            spark.sql(f"DROP TABLE IF EXISTS {name}")
            spark.sql(f"DROP TABLE IF EXISTS {name}_2")


@pytest.mark.parametrize(
    ("type", "value"),
    [
        ("VARCHAR(2)", "'ab  '"), ("VARCHAR(2)", "'abc'"), ("VARCHAR(2)", "123"), ("CHAR(3)", "'ab'"),
        ("CHAR(3)", "NULL"), ("ARRAY<CHAR(2)>", "array('a')"), ("ARRAY<VARCHAR(2)>", "array('abc')"),
        ("INTERVAL DAY", "INTERVAL '2' DAY"), ("INTERVAL DAY TO SECOND", "INTERVAL '1 00:00:00' DAY TO SECOND"),
    ],
)  # fmt: skip
def test_what_a_column_has_no_room_for_is_no_shorter(spark: Any, type: str, value: str) -> None:
    """Spark stores the value, cuts blanks off or adds some, or fails: so does the plan."""
    one, other = (f"lifted_{os.getpid()}_{n}" for n in "ab")
    try:
        for name in (one, other):
            spark.sql(f"CREATE TABLE {name} (a {type}) USING parquet")
        plan = substrait_sql.to_plan(f"INSERT INTO {other} SELECT {value}", schema=spark)
        try:
            spark.sql(f"INSERT INTO {one} SELECT {value}")
        except SparkRuntimeException as error:
            with pytest.raises(ExecutionError, match=str(error.getCondition())):
                substrait_sql.execute(spark, plan, allow_writes=True)
        else:
            substrait_sql.execute(spark, plan, allow_writes=True)
        assert spark.table(other).collect() == spark.table(one).collect()
    finally:
        for name in (one, other):
            spark.sql(f"DROP TABLE IF EXISTS {name}")


def test_a_merge_that_inserts(spark: Any) -> None:
    """Rows of the source that no row matches are added, all copies of them; NULL matches nothing."""
    name = f"lifted_{os.getpid()}"
    try:
        spark.sql(
            f"CREATE TABLE {name} USING parquet AS SELECT * FROM VALUES (1, 'x'), (NULL, 'n') AS t(a, b)"
        )
        merge = (
            f"MERGE INTO {name} AS t USING (VALUES (1, 'y'), (2, 'y'), (2, 'y'), (NULL, 'z'), (3, 'no')) AS s(a, b) "
            "ON t.a = s.a WHEN NOT MATCHED AND s.b <> 'no' THEN INSERT *"
        )
        plan = substrait_sql.to_plan(merge, schema=spark)
        substrait_sql.execute(spark, plan, allow_writes=True)
        rows = sorted(map(repr, (tuple(r) for r in spark.table(name).collect())))
        assert rows == ["(1, 'x')", "(2, 'y')", "(2, 'y')", "(None, 'n')", "(None, 'z')"]
    finally:
        spark.sql(f"DROP TABLE IF EXISTS {name}")
