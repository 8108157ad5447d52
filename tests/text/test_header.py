"""`render(header=True)`: what a reader has to know of a statement stands above it."""

from __future__ import annotations

from substrait_sql import render, to_plan, to_sql
from substrait_sql.style import Style
from tests.support.build import plan, table

SETTINGS = """   settings   spark.sql.ansi.enabled = true, spark.sql.caseSensitive = false,
              spark.sql.groupByOrdinal = false, spark.sql.orderByOrdinal = false,
              spark.sql.variable.substitute = false, spark.sql.ansi.doubleQuotedIdentifiers = false,
              spark.sql.session.timeZone = UTC,
              spark.sql.decimalOperations.allowPrecisionLoss = true */
"""
SCHEMA = {"sales.people": "id INT NOT NULL, name STRING, wage DECIMAL(9, 2)"}


def test_it_lists_tables_columns_parameters_and_settings() -> None:
    query = "SELECT id, wage FROM sales.people WHERE id > :least"
    made = to_plan(query, schema=SCHEMA, parameters={"least": "INT"})
    (name, type), *_ = render(made).parameters.items()
    assert to_sql(made, header=True) == (
        "/* reads      sales.people\n"
        "   returns    id INT, wage DECIMAL(9, 2)\n"
        f"   parameters {name} {type}\n" + SETTINGS + to_sql(made)
    )


def test_what_there_is_none_of_is_left_out() -> None:
    text = to_sql(to_plan("SELECT 1 AS one", schema={}), header=True)
    assert text == f"/* returns    one INT\n{SETTINGS}SELECT\n  1 AS one"


def test_each_statement_has_its_columns() -> None:
    people = table("people", "id:i64 name:str?")
    made = plan((people, "id name"), (people, "number known_as"))
    first, second = render(made, header=True).statements
    assert first.sql.startswith("/* reads      people\n   returns    id BIGINT, name STRING\n")
    assert second.sql.startswith("/* returns    number BIGINT, known_as STRING */\nSELECT\n")


def test_no_name_ends_the_comment_or_leaves_its_line() -> None:
    odd = "a */ DROP TABLE t; --\n/* b"
    made = plan((table("people", "id:i64"), "id"))
    made.relations[0].root.names[0] = odd
    text = to_sql(made, header=True)
    assert text.splitlines()[1] == r"   returns    a * / DROP TABLE t; --\u000a/ * b BIGINT"


def test_long_lists_are_wrapped() -> None:
    names = [f"quite_a_long_name_of_column_{i}" for i in range(50)]
    people = table("people", " ".join(f"{n}:i64" for n in names))
    lines = to_sql(plan((people, " ".join(names))), header=True).partition("*/")[0].splitlines()
    assert max(map(len, lines)) <= Style().width
    assert [n for n in names if f"{n} BIGINT" not in "\n".join(lines)] == []


def test_spans_are_where_the_nodes_are_then() -> None:
    made = to_plan("SELECT name FROM sales.people WHERE id = 7", schema=SCHEMA)
    rendered = render(made, header=True)
    above = rendered.sql.index("SELECT")
    down = rendered.sql[:above].count("\n")
    moved = [s._replace(line=s.line + down, end_line=s.end_line + down) for s in render(made).spans]
    assert list(rendered.spans) == moved
