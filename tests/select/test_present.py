"""Sort keys that a WHERE takes no NULL of: nobody has to say where their NULLs would be. Spark agrees on the rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from substrait_sql import to_plan, to_sql

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SCHEMA = {"t": {"a": "INT", "s": "STRING"}, "u": {"k": "INT"}}
# A condition, a key, and whether the key has a value wherever the condition is TRUE.
CASES = [
    ("a = 1 OR a > 2", "a", True),
    ("a = 1 OR s = 'x'", "a", False),
    ("(a = 1 AND s = 'x') OR a IN (2, 3)", "a", True),
    ("(a = 1 AND s = 'x') OR (a = 2 AND s <> 'y')", "s", True),
    ("a = 1 OR (a = 2 AND s <> 'y')", "s", False),
    ("a = 1 OR a IS NULL", "a", False),
    ("s NOT LIKE 'x%'", "s", True),
    ("s LIKE 'x%' OR s NOT LIKE '%y'", "s", True),
    ("a NOT IN (1, 2)", "a", True),
    ("a NOT BETWEEN 1 AND 2", "a", True),
    # True, and not looked into: what is not certain is said.
    ("NOT (a = 1 OR a = 2)", "a", False),
    ("NOT (a = 1 AND s = 'x')", "a", False),
    ("a NOT IN (SELECT k FROM u WHERE k > 9)", "a", False),
]


def _query(condition: str, key: str) -> str:
    return f"SELECT a, s FROM t WHERE {condition} ORDER BY {key} ASC NULLS LAST, a NULLS LAST, s NULLS LAST"


@pytest.mark.parametrize(("condition", "key", "certain"), CASES)
def test_the_first_key(condition: str, key: str, certain: bool) -> None:
    text = to_sql(to_plan(_query(condition, key), schema=SCHEMA))
    first = text.split("ORDER BY\n")[1].splitlines()[0]
    assert first.rstrip(",").strip() == (key if certain else f"{key} NULLS LAST")


def test_on_spark(spark: SparkSession) -> None:
    spark.sql(
        "SELECT * FROM VALUES (1, 'x'), (2, 'y'), (3, 'xy'), (NULL, 'x'), (2, NULL), (NULL, NULL) AS t(a, s)"
    ).createOrReplaceTempView("t")
    spark.sql("SELECT CAST(10 AS INT) AS k WHERE FALSE").createOrReplaceTempView("u")
    for condition, key, _ in CASES:
        query = _query(condition, key)
        made = spark.sql(to_sql(to_plan(query, schema=SCHEMA)))
        assert made.collect() == spark.sql(query).collect(), query
