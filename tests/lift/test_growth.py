"""A text that is four times as long takes about four times the time to lift."""

from __future__ import annotations

import gc
import time

import pytest

import substrait_sql

SCHEMA = {"t": {"a": "INT", "b": "STRING", "c": "DOUBLE"}}
TEXTS = {
    "branches of a UNION ALL": lambda n: " UNION ALL ".join(
        ["SELECT a, upper(b) AS b, sum(c) AS c FROM t WHERE a > 1 GROUP BY a, b"] * n
    ),
    "tables joined": lambda n: (
        "SELECT t0.a FROM t AS t0"
        + "".join(f" JOIN t AS t{i} ON t{i}.a = t{i - 1}.a" for i in range(1, n))
    ),
    "tables joined without ON": lambda n: (
        "SELECT t0.a FROM t AS t0"
        + "".join(f" {'LEFT ' * (i % 2)}JOIN t AS t{i}" for i in range(1, n))
    ),
    "queries in LATERAL without ON": lambda n: (
        "SELECT t0.a FROM t AS t0"
        + "".join(f" LEFT JOIN LATERAL (SELECT t{i - 1}.a FROM t) AS t{i}" for i in range(1, n))
    ),
    "subqueries": lambda n: (
        "SELECT a FROM t WHERE "
        + " AND ".join(
            f"EXISTS (SELECT 1 FROM t AS u{i} WHERE u{i}.a = t.a + {i})" for i in range(n)
        )
    ),
    "common table expressions": lambda n: (
        "WITH "
        + ", ".join(f"c{i} AS (SELECT a, b FROM t WHERE a > {i})" for i in range(n))
        + " SELECT 1 FROM "
        + ", ".join(f"c{i}" for i in range(n))
    ),
}


def seconds(sql: str) -> float:
    """The processor's, the quicker of two."""
    found = []
    for _ in range(2):
        start = time.process_time()
        substrait_sql.to_plan(sql, schema=SCHEMA)
        found.append(time.process_time() - start)
    return min(found)


@pytest.mark.slow
@pytest.mark.parametrize("kind", TEXTS)
def test_time_is_linear(kind: str) -> None:
    compare(TEXTS[kind](48), TEXTS[kind](192))


@pytest.mark.slow
def test_recursions_that_read_the_one_before() -> None:
    """Both texts are so deep that they are read with a stack of their own, which takes its time, too."""

    def text(count: int) -> str:
        step = "SELECT 1 UNION ALL SELECT a.n + b.n FROM {0} AS a, {1} AS b, {1} AS c WHERE a.n < 3"
        steps = (f"r{i}(n) AS ({step.format(f'r{i}', f'r{i - 1}')})" for i in range(1, count))
        return (
            f"WITH RECURSIVE r0 AS (SELECT 1 AS n), {', '.join(steps)} SELECT n FROM r{count - 1}"
        )

    compare(text(64), text(256))


def compare(short: str, long: str) -> None:
    """long: four times as long."""
    gc.collect()
    gc.disable()
    try:
        spent = seconds(short), seconds(long)
    finally:
        gc.enable()
    # What nests deeper than protobuf's 100 levels is made once more, with a large stack: four times are eight then, and
    # what is quadratic would be thirty-two.
    assert spent[1] < 10 * spent[0]


def test_structs_in_nested_lambdas_are_looked_at_once() -> None:
    """Asked again for each parameter, forty levels would be 2 to the 40th steps."""
    schema = {"t": "m MAP<STRUCT<a: INT>, STRUCT<b: INT>>, xs ARRAY<INT>"}
    pairs, start = "m", "struct(0 AS c)"
    for _ in range(40):
        pairs = f"transform_values({pairs}, (k, v) -> struct(v.b + k.a AS b))"
        start = f"aggregate(xs, {start}, (a, i) -> struct(a.c + i AS c), a -> struct(a.c AS c))"
    for each in (pairs, start):
        assert substrait_sql.to_sql(
            substrait_sql.to_plan(f"SELECT {each} AS r FROM t", schema=schema)
        )


AROUND = ["CASE {} WHEN 1 THEN 2 WHEN 2 THEN 3 ELSE 4 END", "int({} BETWEEN 1 AND 2)"]


@pytest.mark.parametrize("around", AROUND)
def test_a_value_of_several_comparisons_is_looked_at_once(around: str) -> None:
    """Asked again for each comparison, sixty levels would be 2 to the 60th steps."""
    value = "a"
    for _ in range(60):
        value = around.format(value)
    made = substrait_sql.to_plan(f"SELECT {value} AS r FROM t WHERE {value} > 0", schema=SCHEMA)
    assert made.ByteSize() < 200 * 60


@pytest.mark.parametrize("around", AROUND)
@pytest.mark.parametrize(
    "query",
    [
        "SELECT {0} AS k, sum({0}) AS s FROM t GROUP BY {0} HAVING sum({0}) > 1 ORDER BY {0}",
        "SELECT max({0}) AS m FROM t GROUP BY ROLLUP (b, {0}) HAVING max({0}) > 1 ORDER BY 1",
        "SELECT (SELECT max({0}) AS x FROM t) AS m FROM t GROUP BY (SELECT max({0}) AS y FROM t)",
        "SELECT transform(array(1), x -> {0}) AS l FROM t GROUP BY transform(array(1), y -> {0})",
    ],
)
def test_such_a_key_of_groups_is_compared_once(query: str, around: str) -> None:
    value = "a"
    for _ in range(30):
        value = around.format(value)
    made = substrait_sql.to_plan(query.format(value), schema=SCHEMA)
    assert made.ByteSize() < len(query.format(value)) * 100


def test_the_name_of_a_value_of_several_comparisons_is_made_once() -> None:
    """Spark's name for BETWEEN has the value once; made of both comparisons, forty levels would be 3 to the 40th."""
    value = name = "a"
    for _ in range(40):
        value = f"({value}) BETWEEN false AND true"
        name = f"between({name}, false, true)"
    made = substrait_sql.to_plan(f"SELECT {value} FROM t", schema={"t": {"a": "BOOLEAN"}})
    assert list(made.relations[0].root.names) == [name]
