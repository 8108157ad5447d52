"""`qualify`: where a column has its table before it. Every case is a query, and what becomes of its columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from substrait_sql import DialectError, to_plan, to_sql
from substrait_sql.rendered import QUALIFY

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession

SCHEMA = {
    "t": {"id": "INT", "a": "INT", "s": "STRUCT<f: INT>", "l": "ARRAY<INT>"},
    "u": {"id": "INT", "b": "INT", "t": "STRUCT<f: INT>"},
    "v": {"x": "INT", "b2": "INT"},
}
JOIN = "FROM t JOIN u ON t.id = u.id"

# A query, and parts of its text that stand for what matters.
CASES = {
    "a column that one source has": (f"SELECT t.a, u.b {JOIN}", ["a,", "b\n", "ON t.id = u.id"]),
    "a condition of a join": ("SELECT a, b2 FROM t JOIN v ON t.id = v.x", ["ON id = x"]),
    "an alias that is the column's name": (f"SELECT u.t.f AS g {JOIN}", ["u.t.f AS g"]),
    "a field of a struct": (f"SELECT t.s.f AS g {JOIN}", ["\n  s.f AS g"]),
    "the column under the output's name": (
        f"SELECT -t.a AS a, u.b AS c {JOIN} ORDER BY t.a",
        ["-a AS a", "t.a"],
    ),
    "an output of another column": (
        f"SELECT t.a AS b, u.b AS a {JOIN} ORDER BY u.b",
        ["\n  a AS b,\n  b AS a", "BY\n  u.b"],
    ),
    "HAVING and GROUP BY": (
        f"SELECT t.a, sum(u.b) AS b {JOIN} GROUP BY t.a HAVING sum(u.b) > 1",
        ["sum(b) AS b", "sum(u.b) > 1", "BY\n  a"],
    ),
    "a parameter of a lambda": (
        f"SELECT transform(t.l, a -> a + t.a) AS r, u.b {JOIN}",
        ["(l, ", "+ a", "b\n"],
    ),
    "a derived table": (
        "SELECT t.a, d.n FROM t JOIN (SELECT b AS k, count(*) AS n FROM u GROUP BY b) AS d ON t.id = d.k",
        ["n\nFROM t", "ON id = "],
    ),
    "one row of another name": (
        "SELECT t.a, d.n FROM t CROSS JOIN (SELECT max(b) AS n FROM u) AS d",
        ["\n  a,\n  n\n"],
    ),
}


@pytest.mark.parametrize(("query", "parts"), CASES.values(), ids=CASES)
def test_needed(query: str, parts: list[str]) -> None:
    plan = to_plan(query, schema=SCHEMA)
    text = to_sql(plan, qualify="needed")
    for part in parts:
        assert part in text, text
    again = to_plan(text, schema=SCHEMA)
    assert to_sql(again, qualify="needed") == text
    assert to_sql(again) == to_sql(plan)


def test_columns_of_the_query_around() -> None:
    """In a subquery a bare name that a table has not would be that of the query around: it stays as it is."""
    query = f"SELECT t.a {JOIN} WHERE (SELECT max(v.b2) FROM v JOIN t AS w ON v.x = w.id WHERE v.x < u.b) > 1"
    text = to_sql(to_plan(query, schema=SCHEMA), qualify="needed")
    assert "max(v.b2)" in text
    assert "v.x < u.b" in text
    assert text.startswith("SELECT\n  a\n")


def test_joins_is_what_is_written_otherwise() -> None:
    plan = to_plan(f"SELECT t.a, u.b {JOIN}", schema=SCHEMA)
    assert to_sql(plan, qualify="joins") == to_sql(plan)
    assert "t.a,\n  u.b" in to_sql(plan)


PREFIXED = {
    "orders": ["o_id", "o_customer", "O_TOTAL"],
    "customers": ["c_id", "c_name"],
    "people": ["id", "p_name"],
    "others": ["o_id", "o_name"],
    "lone": ["l_id"],
}


@pytest.mark.parametrize(
    ("query", "parts"),
    [
        ("SELECT c_name, o_total FROM orders JOIN customers ON o_customer = c_id", ["c_name,", "ON o_customer = c_id"]),
        ("SELECT a.o_id AS x, b.O_TOTAL FROM orders a JOIN orders b ON a.o_id = b.o_customer", ["a.o_id AS x", "b.O_"]),
        ("SELECT O_TOTAL, n FROM orders JOIN (SELECT c_id AS k, count(*) AS n FROM customers GROUP BY 1) ON k = o_id",
         ["\n  O_TOTAL,\n  n\n"]),
        ("SELECT c_name, p_name FROM people JOIN customers ON id = c_id", ["customers.c_name", "people.p_name"]),
        ("SELECT o_total, o_name FROM orders JOIN others ON O_TOTAL = o_name", ["orders.O_TOTAL", "others.o_name"]),
        ("SELECT o_total FROM orders JOIN lone ON l_id = o_customer", ["orders.O_TOTAL", "lone.l_id"]),
        ("SELECT c_name FROM customers JOIN lone ON l_id = c_id WHERE c_id IN (SELECT o_id FROM orders)",
         ["customers.c_"]),
        ("SELECT n, m FROM (SELECT count(*) AS n FROM orders) JOIN (SELECT max(c_id) AS m FROM customers)",
         ["customers_agg"]),
    ],
)  # fmt: skip
def test_columns_that_say_their_table(query: str, parts: list[str]) -> None:
    """A prefix of the table's own on every column: other columns of it would have it, too."""
    schema = {name: dict.fromkeys(columns, "INT") for name, columns in PREFIXED.items()}
    plan = to_plan(query, schema=schema)
    text = to_sql(plan)
    for part in parts:
        assert part in text, text
    assert text in (to_sql(plan, qualify="joins"), to_sql(plan, qualify="needed"))
    assert to_sql(to_plan(text, schema=schema)) == text


def test_a_dialect_may_say_so(tmp_path: Path) -> None:
    """For all commands that take a dialect; what is given with the call goes before it."""
    (tmp_path / "dialect.yaml").write_text(
        "name: bare\nmetadata: {extends: spark, qualify: needed}\n"
    )
    plan = to_plan(f"SELECT t.a, u.b {JOIN}", schema=SCHEMA)
    assert to_sql(plan, dialect=tmp_path) == to_sql(plan, qualify="needed")
    assert to_sql(plan, dialect=tmp_path, qualify="joins") == to_sql(plan)
    (tmp_path / "dialect.yaml").write_text(
        "name: bare\nmetadata: {extends: spark, qualify: never}\n"
    )
    with pytest.raises(DialectError, match="qualify"):
        to_sql(plan, dialect=tmp_path)


def test_another_word() -> None:
    with pytest.raises(DialectError, match="'never'") as refused:
        to_sql(to_plan("SELECT 1 AS x", schema={}), qualify="never")
    assert refused.value.code == "SS2411"


def test_on_spark(spark: SparkSession) -> None:
    """Each text means the same under both, to Spark: the same resolved columns."""
    for name, columns in SCHEMA.items():
        listed = ", ".join(f"CAST(NULL AS {type}) AS {column}" for column, type in columns.items())
        spark.sql(f"SELECT {listed}").createOrReplaceTempView(name)
    for query, _ in CASES.values():
        plan = to_plan(query, schema=SCHEMA)
        first, *others = (spark.sql(to_sql(plan, qualify=q)) for q in QUALIFY)
        for other in others:
            assert other.schema == first.schema
            assert other.sameSemantics(first), query
