"""The names that Spark makes up for columns that have none: ours are the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from substrait_sql import to_plan

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql import SparkSession

SCHEMA = {
    "t": {
        "a": "int",
        "b": "bigint",
        "d": "double",
        "s": "string",
        "l": "array<int>",
        "m": "map<string, int>",
        "y": "date",
        "x": "timestamp",
    },
    "u": {"a": "int", "c": "int"},
}
NAMES = [
    *("sqrt(d)", "SIN(d)", "pi()", "ceil(d)", "power(a, 2)", "s RLIKE 'x'", "regexp_like(s, 'x')"),
    *("round(d)", "round(d, 2)", "bround(d)", "substring(s, 2)", "substr(s, 2, 3)", "replace(s, 'a')", "split(s, ',')"),
    *("mask(s)", "mask(s, 'Q')", "lpad(s, 5)", "rpad(s, 5, '-')", "overlay(s, 'x', 2)", "locate('b', s)"),
    *("position('b' IN s)", "str_to_map(s)", "sentences(s)", "months_between(x, x)", "from_unixtime(b)"),
    *("regexp_replace(s, 'a', 'b')", "regexp_instr(s, 'a')", "dateadd(y, 1)", "curdate()", "make_ym_interval(a)"),
    *("make_dt_interval(a)", "extract(YEAR FROM y)", "date_part('year', y)", "datepart('year', y)"),
    *("trim(BOTH 'x' FROM s)", "trim(LEADING 'x' FROM s)", "trim(TRAILING 'x' FROM s)", "trim(s)"),
    *("from_json(s, 'a INT')", "from_json(s, 'a INT').a", "to_json(named_struct('a', a))", "from_csv(s, 'a INT')"),
    *("transform(l, e -> e + a)", "filter(l, (e, i) -> i > 0)", "aggregate(l, 0, (acc, e) -> acc + e)"),
    *("exists(l, e -> e > 1)", "transform(l, e -> size(filter(l, f -> f > e)))", "map_filter(m, (k, v) -> v > 1)"),
    *("first(a, true)", "any_value(a)", "percentile(d, 0.5)", "percentile_approx(d, 0.5)", "string_agg(s, ',')"),
    *("count(DISTINCT a, b)", "listagg(s)", "(SELECT max(c) FROM u WHERE u.a = t.a)", "(SELECT max(c) FROM u)"),
    *("EXISTS (SELECT * FROM u WHERE u.a = t.a)", "NOT EXISTS (SELECT * FROM u WHERE u.a = t.a AND u.c > t.b)"),
    *("a IN (SELECT c FROM u WHERE u.a = t.a)", "a NOT IN (SELECT c FROM u)"),
    *("lag(a) OVER (ORDER BY b)", "lag(a, 2, 0) OVER (ORDER BY b)", "lead(a, 3) OVER (ORDER BY b)"),
    *("rank() OVER (ORDER BY b)", "row_number() OVER (ORDER BY b)", "sum(a) OVER (PARTITION BY s)"),
    "sum(a) OVER (ORDER BY a RANGE BETWEEN 1 PRECEDING AND 2 FOLLOWING)",
    "sum(a) OVER (ORDER BY b RANGE BETWEEN 1 PRECEDING AND 2 FOLLOWING)",
    "sum(a) OVER (ORDER BY d RANGE BETWEEN 1 PRECEDING AND CURRENT ROW)",
    "sum(a) OVER (ORDER BY x RANGE BETWEEN INTERVAL '1' DAY PRECEDING AND INTERVAL '2' DAY FOLLOWING)",
    "INTERVAL -'1-1' YEAR TO MONTH",
    "INTERVAL -'-1' DAY",
    *("y + INTERVAL 2 DAY", "y - INTERVAL '1' YEAR - INTERVAL '1' DAY", "INTERVAL '2' HOUR + x"),
    *("3 * INTERVAL '2' MONTH", "y + INTERVAL '1 2' DAY TO HOUR", "CAST(s AS STRING) + INTERVAL 2 DAY", "y + 1"),
    *("y - y", "x - x"),
    *("0.00000012", "1.0E-10BD + 1", "0.0000000", "1E3BD", "max(0.000001)"),
    *("(a, b)", "struct(a, b)", "struct(a AS x, t.b, a + 1)", "count((a, b))", "max(struct(1 AS a))", "(a, b).a"),
    *("to_char(y, 'yyyy')", "to_varchar(x, 'yyyy')", "to_varchar(12, '99')", "to_char(X'61', 'utf-8')"),
    *("count(DISTINCT * EXCEPT (m))", "count(* EXCEPT (m))", "make_timestamp_ltz(2020, 1, 1, 1, 1, 1)"),
]  # fmt: skip


@pytest.fixture(scope="module")
def tables(spark: SparkSession) -> Iterator[SparkSession]:
    for name, columns in SCHEMA.items():
        made = ", ".join(f"CAST(NULL AS {kind}) AS {column}" for column, kind in columns.items())
        spark.sql(f"SELECT {made}").createOrReplaceTempView(name)
    yield spark
    for name in SCHEMA:
        spark.catalog.dropTempView(name)


@pytest.mark.parametrize("written", NAMES)
def test_a_column_has_the_name_that_spark_makes_up(tables: SparkSession, written: str) -> None:
    text = f"SELECT {written} FROM t"
    plan = to_plan(text, schema=SCHEMA)
    assert plan.relations[-1].root.names[0] == tables.sql(text).columns[0]
