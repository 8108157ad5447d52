"""Columns of types that Substrait has not: the plan's table is without them, and who reads one is told where."""

from __future__ import annotations

from typing import Any

import pytest

import substrait_sql
from substrait_sql import SqlError

TABLES = {
    "t": {"id": "BIGINT", "v": "VARIANT", "js": "STRING", "i": "INTERVAL"},
    "u": {"k": "BIGINT", "v": "STRING"},
}


@pytest.mark.parametrize(
    ("sql", "text"),
    [
        ("SELECT id, js FROM t", "SELECT id, js FROM t"),
        ("SELECT * EXCEPT (v, i) FROM t", "SELECT id, js FROM t"),
        ("SELECT js FROM t AS x WHERE x.id > 1", "SELECT js FROM t AS x WHERE id > 1"),
        (
            "SELECT u.v, js FROM t JOIN u ON t.id = u.k",
            "SELECT u.v, t.js FROM t JOIN u ON t.id = u.k",
        ),
    ],
)
def test_the_others_are_read(sql: str, text: str) -> None:
    plan = substrait_sql.to_plan(sql, schema=TABLES)
    assert " ".join(substrait_sql.to_sql(plan).split()) == text


@pytest.mark.parametrize(
    ("sql", "code", "place"),
    [
        ("SELECT v FROM t", "SS5007", "line 1, column 8"),
        ("SELECT * FROM t", "SS5007", ""),
        ("SELECT id FROM t WHERE v IS NULL", "SS5007", "line 1, column 24"),
        ("SELECT id, count(v) FROM t GROUP BY id", "SS5007", "line 1, column 18"),
        ("SELECT CAST(js AS VARIANT) FROM t", "SS5007", "line 1, column 8"),
        ("SELECT parse_json(js) FROM t", "SS5007", "line 1, column 8"),
        ("SELECT v FROM t JOIN u ON t.id = u.k", "SS5003", "line 1, column 8"),
        ("SELECT id FROM t AS x(a, b, c)", "SS5003", "line 1, column 16"),
    ],
)
def test_who_reads_one_is_told(sql: str, code: str, place: str) -> None:
    with pytest.raises(SqlError) as raised:
        substrait_sql.to_plan(sql, schema=TABLES)
    assert raised.value.code == code
    assert str(raised.value.path) == place


@pytest.mark.spark
def test_rows(spark: Any) -> None:
    spark.sql(
        "CREATE TEMPORARY VIEW with_variant AS SELECT 1 AS id, parse_json('[1]') AS v, 'a' AS s"
    )
    try:
        sql = "SELECT s, id FROM with_variant WHERE id = 1"
        plan = substrait_sql.to_plan(sql, schema=spark)
        found = substrait_sql.execute(spark, plan).collect()
    finally:
        spark.catalog.dropTempView("with_variant")
    assert [tuple(row) for row in found] == [("a", 1)]
