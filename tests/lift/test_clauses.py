"""Each clause of the support table by its example: it lifts and comes back, or is refused as the table says."""

from __future__ import annotations

from typing import Any

import pytest

import substrait_sql
from substrait_sql import SqlError
from substrait_sql.lift.text.parse import words
from tests.tools.clauses import PAGE, clauses, page

SCHEMA = {
    "t": {"a": "INT", "b": "STRING", "d": "DATE", "arr": "ARRAY<INT>", "s": "STRUCT<x: INT>"},
    "u": {"a": "INT", "c": "BIGINT"},
}


@pytest.mark.parametrize("clause", clauses(), ids=lambda c: c["clause"])
def test_the_example(clause: dict[str, Any]) -> None:
    assert set(clause) <= {"clause", "example", "note", "code", "reason"}
    sql = clause["example"]
    if "code" in clause:
        assert clause["reason"]
        with pytest.raises(SqlError, match=clause["code"]):
            substrait_sql.to_plan(sql, schema=SCHEMA)
    else:
        plan = substrait_sql.to_plan(sql, schema=SCHEMA, parameters={"p": "INT"})
        assert substrait_sql.to_sql(plan)


@pytest.mark.parametrize("word", words("commands"))
def test_a_command_is_no_mistake(word: str) -> None:
    with pytest.raises(SqlError, match=f"SS5007 {word} is a command"):
        substrait_sql.to_plan(f"{word} x", schema=SCHEMA)


@pytest.mark.parametrize("behind", ["''", "``", "("])
def test_an_alias_of_one_column_and_a_mistake(behind: str) -> None:
    with pytest.raises(SqlError, match="SS5001"):
        substrait_sql.to_plan(f"SELECT a FROM t WHERE (a) {behind}", schema=SCHEMA)


@pytest.mark.parametrize("source", ["t AS x", "t x", "t JOIN u USING (a)", "t JOIN u ON t.a = u.a"])
def test_brackets_behind_an_alias_are_a_condition(source: str) -> None:
    sql = f"SELECT 1 AS one FROM (SELECT true AS ok) AS v JOIN {source} WHERE (ok) LIMIT 1"
    assert "WHERE" in substrait_sql.to_sql(substrait_sql.to_plan(sql, schema=SCHEMA))


def test_the_table_is_current() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert page(text) == text, "python -m tests.tools.clauses --write"
