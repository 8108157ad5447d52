"""Which column a name means in QUALIFY and HAVING, where the select list calls another one like a column of FROM."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import substrait_sql
from substrait_sql import SqlError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SCHEMA = {"u": "k INT, b INT, c INT", "w": "k INT, d INT"}
ROWS = {
    "u": [(1, 5, 7), (2, 6, 7), (3, 1, 8), (5, 2, 1), (None, 3, 2)],
    "w": [(1, 5), (2, 6), (3, 1), (5, 3)],
}
JOINED = "FROM u JOIN w ON u.k = w.k"
# With the rows that Spark has for each.
MEANT = {
    "SELECT k AS b, row_number() OVER (ORDER BY k NULLS LAST) AS r FROM u QUALIFY b = 1": [(1, 1)],
    "SELECT k AS b, row_number() OVER (ORDER BY k NULLS LAST) AS r FROM u QUALIFY u.b = 1": [(3, 3)],
    "SELECT k AS b, b AS x, rank() OVER (ORDER BY k NULLS LAST) AS r FROM u QUALIFY b = 1": [(1, 5, 1)],
    "SELECT k + 1 AS b, rank() OVER (ORDER BY k + 1 NULLS LAST) AS r FROM u QUALIFY b = 2": [(2, 1)],
    "SELECT b, rank() OVER (ORDER BY c) AS r FROM u QUALIFY k = 3": [(1, 5)],
    "SELECT k, rank() OVER (ORDER BY k NULLS LAST) AS b FROM u QUALIFY b = 1": [(1, 1)],
    # No window in the list: the column of FROM.
    "SELECT k AS b FROM u QUALIFY row_number() OVER (ORDER BY k NULLS LAST) = 1 AND b = 5": [(1,)],
    "SELECT k AS b FROM u QUALIFY row_number() OVER (ORDER BY b) = 1": [(3,)],
    # One in the list: its names also inside of another window.
    "SELECT k AS b, rank() OVER (ORDER BY c) AS r FROM u QUALIFY row_number() OVER (ORDER BY b DESC) = 1": [(5, 1)],
    f"SELECT u.k, rank() OVER (ORDER BY u.k) AS r {JOINED} QUALIFY k = 2": [(2, 2)],
    f"SELECT u.b, rank() OVER (ORDER BY w.k) AS r {JOINED} QUALIFY k = 2": [(6, 2)],
    f"SELECT u.k + 1 AS d, rank() OVER (ORDER BY w.k) AS r {JOINED} QUALIFY d = 3": [(3, 2)],
    "SELECT sum(k) AS c, rank() OVER (ORDER BY sum(b)) AS r FROM u WHERE k < 3 GROUP BY c QUALIFY c = 3": [(3, 1)],
    "SELECT sum(k) AS s, rank() OVER (ORDER BY sum(b)) AS r FROM u WHERE k < 3 GROUP BY c QUALIFY c = 7": [(3, 1)],
    "SELECT b, b AS k, rank() OVER (PARTITION BY b ORDER BY b + k) AS r FROM u GROUP BY k, b HAVING k > 5": [(6, 6, 1)],
    "SELECT k AS b, b AS k FROM u GROUP BY k, b HAVING b = 1": [(3, 1)],
    "SELECT k AS b, count(*) AS n FROM u GROUP BY k HAVING b = 1": [(1, 1)],
}  # fmt: skip
AMBIGUOUS = [
    "SELECT k AS b, row_number() OVER (ORDER BY k, b) AS r FROM u QUALIFY b = 1",
    "SELECT k AS b, b, rank() OVER (ORDER BY k) AS r FROM u QUALIFY b = 1",
    "SELECT b AS b, rank() OVER (ORDER BY b) AS r FROM u QUALIFY b = 1",
    "SELECT k, rank() OVER (ORDER BY b) AS b FROM u QUALIFY b = 1",
    "SELECT k AS b, rank() OVER (ORDER BY c) + b AS r FROM u QUALIFY b = 1",
    "SELECT k AS x, b AS x FROM u QUALIFY rank() OVER (ORDER BY k) = 1 AND x = 1",
    f"SELECT u.k, rank() OVER (ORDER BY w.k) AS r {JOINED} QUALIFY k = 2",
    "SELECT sum(k) AS c, rank() OVER (ORDER BY c) AS r FROM u GROUP BY c QUALIFY c = 7",
    "SELECT c AS x, rank() OVER (ORDER BY c) + k AS b, c AS c FROM u GROUP BY c, k HAVING c = 1",
    "SELECT k AS x, sum(b) AS x FROM u GROUP BY k HAVING x = 1",
    f"SELECT c {JOINED} GROUP BY u.k, c HAVING k = 6",
]


@pytest.mark.parametrize("sql", AMBIGUOUS)
def test_what_means_several(sql: str) -> None:
    with pytest.raises(SqlError, match="SS5003 .* is ambiguous"):
        substrait_sql.to_plan(sql, schema=SCHEMA)


@pytest.mark.spark
def test_what_is_meant(spark: SparkSession) -> None:
    """Spark itself, and the plan of it."""
    for name, rows in ROWS.items():
        spark.createDataFrame(rows, SCHEMA[name]).createOrReplaceTempView(name)
    wrong: list[tuple[str, Any]] = []
    for sql, expected in MEANT.items():
        theirs = [tuple(row) for row in spark.sql(sql).collect()]
        ours = substrait_sql.execute(spark, substrait_sql.to_plan(sql, schema=SCHEMA))
        if not theirs == [tuple(row) for row in ours.collect()] == expected:
            wrong.append((sql, theirs))
    for sql in AMBIGUOUS:
        with pytest.raises(Exception, match="AMBIGUOUS_REFERENCE|UNRESOLVED_COLUMN"):
            spark.sql(sql)
    for name in ROWS:
        spark.catalog.dropTempView(name)
    assert not wrong
