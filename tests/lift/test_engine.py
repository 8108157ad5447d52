"""A text is of its dialect: what the engine has not is refused at its place."""

from __future__ import annotations

import pytest

import substrait_sql
from substrait_sql.errors import SqlError

SCHEMA = {"t": {"a": "INT", "s": "STRING", "d": "DATE"}, "u": {"x": "ARRAY<TIME>"}}

REFUSED = [
    ("SELECT a, listagg(s) FROM t GROUP BY a", "no function listagg", "column 11"),
    ("SELECT dayname(d) FROM t", "no function dayname", "column 8"),
    ("SELECT s, current_time FROM t", "no function current_time", "column 11"),
    # Sqlglot keeps no place of this word.
    ("SELECT session_user", "no function session_user", ""),
    ("SELECT TIME'10:00:00'", "no type TIME(6)", "column 12"),
    ("SELECT a, CAST(s AS TIME(3)) FROM t", "no type TIME(3)", "column 11"),
    ("SELECT from_json(s, 'b ARRAY<TIME>') FROM t", "no type TIME(6)", "column 8"),
    ("SELECT * FROM u", "no type TIME(6)", "column 15"),
    ("INSERT INTO u SELECT NULL", "no type TIME(6)", "column 13"),
    ("CREATE TABLE q (a INT, b TIME)", "no type TIME(6)", "column 24"),
]


CAME_WITH_40 = ("listagg", "dayname", "session_user")
OF_40 = [row for row in REFUSED if not any(word in row[1] for word in CAME_WITH_40)]


@pytest.mark.parametrize(
    ("dialect", "sql", "why", "place"),
    [*(("spark35", *row) for row in REFUSED), *(("spark40", *row) for row in OF_40)],
)
def test_refused(dialect: str, sql: str, why: str, place: str) -> None:
    with pytest.raises(SqlError) as found:
        substrait_sql.to_plan(sql, schema=SCHEMA, dialect=dialect)
    assert f"{dialect} has {why}" in str(found.value)
    assert place in str(found.value)


@pytest.mark.parametrize("sql", [sql for sql, _, _ in REFUSED])
def test_spark_has_all_of_them(sql: str) -> None:
    assert substrait_sql.to_plan(sql, schema=SCHEMA).relations


def test_all_of_them_at_once() -> None:
    found = substrait_sql.check_sql(
        "SELECT dayname(d), listagg(s), CAST(s AS TIME) FROM t GROUP BY d",
        schema=SCHEMA,
        dialect="spark35",
    )
    assert len(found) == 3


def test_a_time_of_day_is_a_column_of_its_own_type() -> None:
    """Sqlglot prints it as TIMESTAMP."""
    plan = substrait_sql.to_plan("CREATE TABLE q (b TIME, c ARRAY<TIME>)", schema={})
    sql = substrait_sql.to_sql(plan)
    assert "b TIME(6)" in sql
    assert "ARRAY<TIME(6)>" in sql
