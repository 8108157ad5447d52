"""Where the errors of pipes and pivots stand, and that their plans read as somebody would write them."""

from __future__ import annotations

import pytest

import substrait_sql
from substrait_sql import SqlError

TABLES = {"t": {"x": "int", "q": "string", "v": "int"}}


@pytest.mark.parametrize(
    ("sql", "place"),
    [
        ("FROM t\n|> WHERE y = 1", "line 2, column 10"),
        ("FROM t |> SELEC x", "line 1, column 11"),
        ("FROM t\n|> WHERE x = 1\n|> DROP x, z", "line 3, column 12"),
        ("SELECT * FROM (FROM t |> SELECT x\n|> SELECT v)", "line 2, column 11"),
        ("SELECT *\nFROM t PIVOT (sum(v) FOR z IN ('a'))", "line 2, column 26"),
        ("SELECT *\nFROM t PIVOT (sum(w) FOR q IN ('a'))", "line 2, column 19"),
        ("|> WHERE x = 1", "line 1, column 1"),
    ],
)
def test_an_error_within_says_where_it_is(sql: str, place: str) -> None:
    with pytest.raises(SqlError) as caught:
        substrait_sql.to_plan(sql, schema=TABLES)
    assert place in str(caught.value)


@pytest.mark.parametrize(
    ("sql", "same"),
    [
        ("FROM t |> WHERE x = 1 |> SELECT q", "SELECT q FROM t WHERE x = 1"),
        (
            "FROM t |> AGGREGATE sum(v) AS s GROUP BY q |> ORDER BY q |> LIMIT 2",
            "SELECT q, sum(v) AS s FROM t GROUP BY q ORDER BY q LIMIT 2",
        ),
        (
            "SELECT * FROM t PIVOT (sum(v) FOR q IN ('a'))",
            "SELECT x, sum(v) FILTER (WHERE q = 'a') AS a FROM t GROUP BY x",
        ),
        (
            "SELECT * FROM explode(array(1, 2)) AS g(n)",
            "SELECT * FROM VALUES (1), (2) AS g(n)",
        ),
    ],
)
def test_it_is_the_plan_of_the_same_query_without(sql: str, same: str) -> None:
    made = substrait_sql.to_sql(substrait_sql.to_plan(sql, schema=TABLES))
    assert made == substrait_sql.to_sql(substrait_sql.to_plan(same, schema=TABLES))
