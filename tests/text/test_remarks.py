"""The comment at a quotient whose digits are cut off: where it stands, and what else has none."""

from __future__ import annotations

import json

import pytest

from substrait_sql import render, to_plan, to_sql
from substrait_sql.text.remarks import BY_ZERO, CUT_OFF, TOTAL
from tests.support.cases import PLANS

SCHEMA = {"t": {"a": "DECIMAL(10, 2)", "b": "DECIMAL(10, 2)", "n": "INT", "x": "DOUBLE"}}
COMMENT = f"/* {CUT_OFF} */"
BY_REST = "CAST((a - a % (b * 0.0001)) / b AS DECIMAL(18, 4))"
BY_SCALED_REST = "CAST((a * 100 - a * 100 % b) / b AS DECIMAL(18, 0)) * 0.01"
BY_DIV = "a * 100 DIV b * 0.01"


def lines(sql: str, **options: object) -> list[str]:
    return [line.strip() for line in to_sql(to_plan(sql, schema=SCHEMA), **options).splitlines()]


@pytest.mark.parametrize("quotient", [BY_REST, BY_SCALED_REST, BY_DIV])
def test_it_stands_above_each_form(quotient: str) -> None:
    made = lines(f"SELECT n, {quotient} AS q FROM t")
    assert made[:4] == ["SELECT", "n,", COMMENT, f"{quotient} AS q"]


@pytest.mark.parametrize(
    "other",
    [
        "a / b",
        "a - a % b",
        "(a - a % (b * 0.0001)) / b",
        "CAST((a - b % (b * 0.0001)) / b AS DECIMAL(18, 4))",
        "CAST((a - a % (a * 0.0001)) / b AS DECIMAL(18, 4))",
        "CAST((a - a % (b * 0.0002)) / b AS DECIMAL(18, 4))",
        "CAST((a - a % b) / b AS DECIMAL(18, 4))",
        "a * 100 DIV b * 0.02",
        "a * 120 DIV b * 0.01",
        "a * 100 DIV b",
    ],
)
def test_no_other_expression_has_it(other: str) -> None:
    assert COMMENT not in lines(f"SELECT {other} AS q FROM t")


def test_a_quotient_by_zero() -> None:
    by_zero = "coalesce(try_divide(x, x - 1), x * power(x - 1, -1))"
    made = lines(f"SELECT {by_zero} AS p, {BY_DIV} AS q, {by_zero} AS r FROM t")
    assert made[1:3] == [f"/* {BY_ZERO} */", f"{by_zero} AS p,"]
    assert made[3:6] == [COMMENT, f"{BY_DIV} AS q,", f"{by_zero} AS r"]
    others = lines("SELECT coalesce(try_divide(x, x), 0) AS p, try_divide(x, n) AS q FROM t")
    assert not [line for line in others if line.startswith("/*")]


def test_a_total_over_no_rows() -> None:
    plan = json.loads((PLANS / "grouping_sets" / "rollup.json").read_text(encoding="utf-8"))
    made = to_sql(plan).splitlines()
    assert made[made.index("FULL JOIN (SELECT 1) AS one_row") - 1] == f"/* {TOTAL} */"


def test_once_in_a_select_and_again_in_another() -> None:
    inner = f"SELECT n AS k, {BY_DIV} AS p, {BY_REST} AS q FROM t LIMIT 9"
    made = lines(f"SELECT p, {BY_REST} AS q2, {BY_DIV} AS p2 FROM t JOIN ({inner}) AS d ON n = k")
    assert made.count(COMMENT) == 2
    assert made.index(COMMENT) < made.index("FROM t")


def test_inside_of_a_call_that_is_broken_into_lines() -> None:
    query = f"SELECT CASE WHEN b > 0 THEN {BY_REST} ELSE a + a + a + a + a + a + a + a + a + a END AS q FROM t"
    made = lines(query)
    assert made[made.index(COMMENT) + 1].startswith("WHEN b > 0 THEN CAST(")


def test_commas_that_lead() -> None:
    made = lines(f"SELECT n, {BY_DIV} AS q FROM t", style={"commas": "leading"})
    assert made[1:4] == ["n", COMMENT, f", {BY_DIV} AS q"]


def test_the_text_comes_back() -> None:
    text = to_sql(to_plan(f"SELECT n, {BY_REST} AS q, {BY_DIV} AS p FROM t", schema=SCHEMA))
    assert to_sql(to_plan(text, schema=SCHEMA)) == text


def test_the_source_map_knows_the_line_above() -> None:
    plan = json.loads((PLANS / "cast" / "operand_of_a_quotient.json").read_text(encoding="utf-8"))
    plain, annotated = render(plan), render(plan, annotate=True)
    assert f"  {COMMENT}\n" in plain.sql
    assert f"  {COMMENT}\n" in annotated.sql
    shown = plain.sql.splitlines()
    (quotient,) = [s for s in plain.spans if s.path.endswith("project.expressions[0]")]
    assert shown[quotient.line - 2].strip() == COMMENT
    assert shown[quotient.line - 1][quotient.column - 1 :].startswith("CAST(")
