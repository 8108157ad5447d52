"""Texts that the releases of sqlglot read in more than one way: they mean what the text beside them says plainly."""

from __future__ import annotations

import pytest

import substrait_sql
from substrait_sql import SqlError

SCHEMA = {
    "t": {"a": "BOOLEAN", "b": "BOOLEAN", "s": "STRING", "x": "INT", "y": "INT"},
}


def lifted(sql: str) -> str:
    return substrait_sql.to_sql(substrait_sql.to_plan(sql, schema=SCHEMA))


# https://github.com/apache/spark/blob/master/sql/api/src/main/antlr4: a predicate stands behind a whole comparison.
@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("a = b IS NULL", "(a = b) IS NULL"),
        ("a <> b IS NOT NULL", "(a <> b) IS NOT NULL"),
        ("a <=> b IS NULL", "(a <=> b) IS NULL"),
        ("x > 30 IS TRUE", "(x > 30) IS TRUE"),
        ("NOT x > 30 IS FALSE", "NOT ((x > 30) IS FALSE)"),
        ("x > y IN (TRUE, b)", "(x > y) IN (TRUE, b)"),
        ("x > y NOT IN (TRUE, b)", "(x > y) NOT IN (TRUE, b)"),
        ("x > y BETWEEN a AND b", "(x > y) BETWEEN a AND b"),
        ("x > y NOT BETWEEN a AND b", "(x > y) NOT BETWEEN a AND b"),
        ("s = s LIKE 't%'", "(s = s) LIKE 't%'"),
        ("a = b IS DISTINCT FROM a", "(a = b) IS DISTINCT FROM a"),
        ("a = b IS NOT DISTINCT FROM NULL", "(a = b) IS NOT DISTINCT FROM NULL"),
        ("a AND b IS NULL", "a AND (b IS NULL)"),
        ("a = b = a IS NULL", "((a = b) = a) IS NULL"),
        ("x - y % 2", "x - (y % 2)"),
        ("1.50BD", "1.50"),
        ("-0.001bd", "-0.001"),
    ],
)
def test_expressions(text: str, plain: str) -> None:
    assert lifted(f"SELECT {text} AS r FROM t") == lifted(f"SELECT {plain} AS r FROM t")


def test_literals() -> None:
    assert "+ 3BD AS r" in lifted("SELECT x + 3BD AS r FROM t")
    assert "X'' AS r" in lifted("SELECT X'' AS r FROM t")


GROUPED = "SELECT x, y, count(*) AS n, grouping_id() AS g FROM t GROUP BY "


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("ROLLUP (x, y)", "GROUPING SETS ((x, y), (x), ())"),
        ("rollup (x, y)", "x, y WITH ROLLUP"),
        ("CUBE (x, y)", "x, y WITH CUBE"),
        ("x, ROLLUP (y)", "GROUPING SETS ((x, y), (x))"),
        ("x, GROUPING SETS ((y), ())", "GROUPING SETS ((x, y), (x))"),
        ("GROUPING SETS (ROLLUP (x, y))", "GROUPING SETS ((x, y), (x), ())"),
        ("GROUPING SETS (GROUPING SETS (x, y), ())", "GROUPING  SETS ((x), (y), ())"),
    ],
)
def test_grouping_sets(text: str, plain: str) -> None:
    assert lifted(GROUPED + text) == lifted(GROUPED + plain)


def test_keys_in_front_of_grouping_sets_are_only_named() -> None:
    text = "x, y GROUPING SETS ((x), ())"
    assert lifted(GROUPED + text).count("(x)") == 1
    assert lifted(GROUPED + text) != lifted(GROUPED + text.replace("GROUPING", ", GROUPING"))


@pytest.mark.parametrize("text", ["x ROLLUP (y)", "x CUBE (y)", "`rollup`(x), y"])
def test_what_is_no_grouping(text: str) -> None:
    with pytest.raises(SqlError):
        lifted(f"SELECT x, count(*) FROM t GROUP BY {text}")


def test_except_leaves_columns_out() -> None:
    assert lifted("SELECT * EXCEPT (a, b, s) FROM t") == lifted("SELECT x, y FROM t")


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("x - y % 2 + x", "(x - (y % 2)) + x"),
        ("x % y * 2", "(x % y) * 2"),
        ("x * y % 2 - x / y % 3", "((x * y) % 2) - ((x / y) % 3)"),
        ("(x - y) % 2 - y", "((x - y) % 2) - y"),
        ("x - (y - 2 % x)", "x - (y - (2 % x))"),
        ("-x % y DIV 2", "((-x) % y) DIV 2"),
    ],
)
def test_remainders(text: str, plain: str) -> None:
    assert lifted(f"SELECT {text} AS r FROM t") == lifted(f"SELECT {plain} AS r FROM t")
