"""Texts that nest deeply: a plan, or an error of ours."""

from __future__ import annotations

import pytest

from substrait_sql import SqlError, to_plan, to_sql

SCHEMA = {"t": {"a": "INT", "b": "INT"}}


@pytest.mark.slow
@pytest.mark.parametrize(
    "sql",
    [
        "SELECT " + "abs(" * 200 + "a" + ")" * 200 + " AS x FROM t",
        "SELECT " + "+".join(["a"] * 400) + " AS x FROM t",
        "SELECT a FROM " + "(SELECT a FROM " * 60 + "t" + ")" * 60,
        "SELECT a FROM t WHERE " + " AND ".join(f"a <> {i}" for i in range(2000)),
    ],
    ids=["calls", "sums", "queries", "conditions"],
)
def test_deep_texts_become_plans(sql: str) -> None:
    assert to_sql(to_plan(sql, schema=SCHEMA)).startswith("SELECT")


def test_a_text_that_is_too_deep_is_refused() -> None:
    with pytest.raises(SqlError, match="SS5001 .*brackets"):
        to_plan("SELECT " + "(" * 2000 + "a" + ")" * 2000 + " FROM t", schema=SCHEMA)
