"""Wide lines are broken, and nothing but white space between words changes."""

from __future__ import annotations

import random

import pytest
from sqlglot.dialects.spark import Spark

from substrait_sql.text.lines import fitted

SPARK = ("`", "`")


def fit(text: str, width: int = 40) -> str:
    return fitted(text, width, SPARK, escapes=True)


def test_what_fits_stays() -> None:
    assert fit("SELECT\n  a + b AS c\nFROM t") == "SELECT\n  a + b AS c\nFROM t"


@pytest.mark.parametrize(
    ("line", "lines"),
    [
        (
            "  ON first.id = second.id AND first.day BETWEEN 1 AND 2",
            ["  ON first.id = second.id", "  AND first.day BETWEEN 1 AND 2"],
        ),
        (
            "  first_amount - second_amount * third_amount AS total,",
            ["  first_amount", "    - second_amount", "      * third_amount AS total,"],
        ),
        (
            "  CAST(sum(first_amount * second_amount) AS DOUBLE) AS total",
            [
                "  CAST(",
                "    sum(",
                "      first_amount * second_amount",
                "    ) AS DOUBLE",
                "  ) AS total",
            ],
        ),
        (
            "  sum(first_amount) OVER (PARTITION BY a, b ORDER BY c) AS total",
            [
                "  sum(first_amount) OVER (",
                "    PARTITION BY a, b",
                "    ORDER BY c",
                "  ) AS total",
            ],
        ),
        (
            "  PARTITION BY first_amount, second_amount + third_amount",
            ["  PARTITION BY", "    first_amount,", "    second_amount + third_amount"],
        ),
        (
            "  CAST(NULL AS STRUCT<first: BIGINT, second: ARRAY<ARRAY<INT>>>) AS one",
            [
                "  CAST(",
                "    NULL AS STRUCT<",
                "      first: BIGINT,",
                "      second: ARRAY<ARRAY<INT>>",
                "    >",
                "  ) AS one",
            ],
        ),
        (
            "  CASE WHEN first_amount > 0 THEN 1 ELSE second_amount END AS one",
            [
                "  CASE",
                "    WHEN first_amount > 0 THEN 1",
                "    ELSE second_amount",
                "  END AS one",
            ],
        ),
        (
            "  first_name IN ('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i')",
            [
                "  first_name IN (",
                "    'a', 'b', 'c', 'd', 'e', 'f', 'g',",
                "    'h', 'i'",
                "  )",
            ],
        ),
        (
            "  ) / count(first_amount) + sum(second_amount) AS total",
            ["  ) / count(first_amount)", "    + sum(second_amount) AS total"],
        ),
    ],
)
def test_where_lines_are_broken(line: str, lines: list[str]) -> None:
    assert fit(line).split("\n") == lines


@pytest.mark.parametrize(
    "literal",
    [
        "'a AND b + c, (d'",
        r"'it\'s (x) + y AND z, w'",
        "'it''s (x AND y'",
        "`a + b AND (c`",
        '"a, (b) + c"',
    ],
)
def test_what_stands_in_quotes_is_one_word(literal: str) -> None:
    line = (
        f"  coalesce({literal}, {literal}) = {literal} AND {literal} IN ({literal}, {literal}) AS x"
    )
    assert words(fit(line)) == words(line)
    assert all(part.count(literal) == part.count(literal[1:-1]) for part in fit(line).split("\n"))


def test_a_quote_that_ends_elsewhere_leaves_the_line() -> None:
    line = "  first_amount + second_amount + third_amount, 'a + b"
    assert fit(line) == line


def test_drawn_lines_keep_their_words() -> None:
    draw = random.Random(5)
    atoms = ["a", "t.b", "'x + (y'", "1.5", "`c d`", "NULL", "-1", "count(*)", "DATE '2020-01-01'"]

    def expression(depth: int) -> str:
        if not depth:
            return draw.choice(atoms)
        one, other = expression(depth - 1), expression(depth - 1)
        return draw.choice(
            [
                f"{one} + {other}",
                f"({one} AND {other})",
                f"f({one}, {other})",
                f"CASE WHEN {one} THEN {other} END",
                f"CAST({one} AS DECIMAL(3, 2))",
                f"{one} BETWEEN 1 AND {other}",
                f"sum({one}) OVER (PARTITION BY {other} ORDER BY a)",
            ]
        )

    for _ in range(300):
        line = f"  {expression(draw.randint(1, 5))} AS x,"
        made = fit(line)
        assert words(made) == words(line)
        assert fit(made) == made


def words(text: str) -> list[tuple[object, str]]:
    return [(t.token_type, t.text) for t in Spark().tokenize(text)]
