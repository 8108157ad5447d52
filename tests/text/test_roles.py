"""What tables are called that a FROM reads more than once, and derived tables by what they measure."""

from __future__ import annotations

import re
from typing import Any

import pytest
from google.protobuf import json_format

from substrait_sql import to_plan, to_sql

SCHEMA = {
    "sales": {"s_item": "INT", "s_sold": "INT", "s_shipped": "INT", "s_paid": "INT"},
    "returned": {"r_item": "INT", "r_day": "INT", "r_paid": "INT"},
    "day": {"d_key": "INT", "d_year": "INT"},
    "day_of_week": {"w_day": "INT", "w_name": "STRING"},
    "buyer": {"b_item": "INT", "b_name": "STRING"},
    "a_table_whose_name_is_longer_than_most": {"l_key": "INT", "l_day": "INT"},
}
SALES = "FROM sales JOIN returned ON s_item = r_item"
CASES = {
    "the second by the table that it is joined to": (
        f"SELECT a.d_year AS y, b.d_year AS z {SALES} JOIN day AS a ON s_sold = a.d_key "
        "JOIN day AS b ON r_day = b.d_key",
        ["sales", "returned", "day", "returned_day"],
    ),
    "the first is called as it is without the second": (
        f"SELECT a.d_year AS y {SALES} JOIN day AS a ON r_day = a.d_key",
        ["sales", "returned", "day"],
    ),
    "not where both are joined to the same": (
        "SELECT a.d_year AS y, b.d_year AS z FROM sales JOIN day AS a ON s_sold = a.d_key "
        "JOIN day AS b ON s_shipped = b.d_key",
        ["sales", "day", "day_2"],
    ),
    "what the two are joined by says nothing": (
        f"SELECT a.d_year AS y, b.d_year AS z {SALES} JOIN day AS a ON s_sold = a.d_key "
        "JOIN day AS b ON r_day = b.d_key AND a.d_year = b.d_year",
        ["sales", "returned", "day", "returned_day"],
    ),
    "not where it is joined to two": (
        f"SELECT a.d_year AS y, b.d_year AS z {SALES} JOIN day AS a ON s_sold = a.d_key "
        "JOIN day AS b ON r_day = b.d_key AND s_shipped = b.d_key",
        ["sales", "returned", "day", "day_2"],
    ),
    "no equality, no role": (
        f"SELECT a.d_year AS y, b.d_year AS z {SALES} JOIN day AS a ON s_sold = a.d_key "
        "JOIN day AS b ON r_day < b.d_key",
        ["sales", "returned", "day", "day_2"],
    ),
    "a name that begins like it anyway": (
        "SELECT a.w_name AS y, b.w_name AS z FROM sales JOIN day_of_week AS a ON s_sold = a.w_day "
        "JOIN day ON s_sold = d_key JOIN day_of_week AS b ON d_key = b.w_day",
        ["sales", "day_of_week", "day", "day_of_week_2"],
    ),
    "a name that would be too long": (
        f"SELECT a.d_year AS y, b.d_year AS z {SALES} JOIN a_table_whose_name_is_longer_than_most ON s_item = l_key "
        "JOIN day AS a ON s_sold = a.d_key JOIN day AS b ON l_day = b.d_key",
        ["sales", "returned", "a_table_whose_name_is_longer_than_most", "day", "day_2"],
    ),
    "groups by the table that is measured": (
        "SELECT x.y, x.p FROM (SELECT b_name AS y, sum(s_paid) AS p FROM buyer JOIN sales ON b_item = s_item "
        "GROUP BY b_name) AS x JOIN (SELECT b_name AS y, sum(r_paid) AS p FROM buyer JOIN returned "
        "ON b_item = r_item GROUP BY b_name) AS z ON x.y = z.y",
        ["buyer", "sales", "sales_agg", "buyer", "returned", "returned_agg"],
    ),
    "groups with measures of both tables by the first": (
        "SELECT x.y, x.p FROM (SELECT b_name AS y, sum(s_paid) AS p, max(b_item) AS m FROM buyer "
        "JOIN sales ON b_item = s_item GROUP BY b_name) AS x WHERE x.p > x.m + 1 ORDER BY x.y LIMIT 3",
        ["buyer", "sales"],
    ),
}


def without_hints(node: Any) -> Any:
    """A plan as JSON without what it says of names, as most producers write it."""
    if isinstance(node, list):
        return [without_hints(each) for each in node]
    if not isinstance(node, dict):
        return node
    return {key: without_hints(value) for key, value in node.items() if key != "hint"}


@pytest.mark.parametrize(("query", "names"), CASES.values(), ids=CASES)
def test_names(query: str, names: list[str]) -> None:
    plan = json_format.MessageToDict(to_plan(query, schema=SCHEMA))
    text = to_sql(without_hints(plan))
    assert to_sql(to_plan(text, schema=SCHEMA)) == text
    # In the order of the text, where a derived table has its name behind it.
    found = re.findall(r"(?:FROM|JOIN) (?:\w+ AS )?(\w+)|^\) AS (\w+)", text, re.MULTILINE)
    assert [a or b for a, b in found] == names
