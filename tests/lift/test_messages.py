"""What is said of one mistake: the code, the words that are underlined, the message, and what to do."""

from __future__ import annotations

import pytest

import substrait_sql
from substrait_sql import SqlError, to_plan

SCHEMA = {
    "customers": {
        "id": "INT",
        "name": "STRING",
        "city": "STRING",
        "tags": "ARRAY<STRING>",
        "address": "STRUCT<street: STRING, city: STRING>",
    },
    "orders": {"id": "INT", "customer": "INT"},
}


def said(sql: str) -> tuple[str, str, str, str]:
    """Code, what is underlined, message, hint."""
    with pytest.raises(SqlError) as error:
        to_plan(sql, schema=SCHEMA)
    (found,) = error.value.diagnostics
    message, line, marks = found.message.split("\n")
    start = marks.index("^")
    return found.code, line[start : len(marks)], message, found.hint


@pytest.mark.parametrize(
    ("sql", "code", "word", "message", "hint"),
    [
        (
            "SELECT nme FROM customers",
            "SS5004",
            "nme",
            "there is no column nme",
            "did you mean name?",
        ),
        (
            "SELECT c.nme FROM customers c",
            "SS5004",
            "nme",
            "there is no column c.nme",
            "did you mean name?",
        ),
        (
            "SELECT x FROM orders",
            "SS5004",
            "x",
            "there is no column x",
            "columns here: id, customer",
        ),
        (
            "SELECT 1 FROM custmers",
            "SS5004",
            "custmers",
            "there is no table custmers",
            "did you mean customers?",
        ),
        (
            "SELECT c.* FROM orders",
            "SS5004",
            "*",
            "there is no table and no struct c",
            "tables here: orders",
        ),
        (
            "SELECT address.cty FROM customers",
            "SS5004",
            "cty",
            "the struct has no field cty",
            "did you mean city?",
        ),
        (
            "SELECT uper(name) FROM customers",
            "SS5005",
            "uper",
            "there is no function uper",
            "did you mean upper or user?",
        ),
        (
            "SELECT * FROM rang(5)",
            "SS5005",
            "rang",
            "there is no table function rang",
            "did you mean range?",
        ),
        (
            "SELECT city, name, count(*) FROM customers GROUP BY city",
            "SS5003",
            "name",
            "name is neither grouped nor aggregated",
            "add name to GROUP BY, or take any_value(name)",
        ),
        (
            "SELECT id FROM customers c JOIN orders o ON c.id = o.customer",
            "SS5003",
            "id",
            "id is ambiguous: it may mean c.id, o.id",
            "",
        ),
        (
            "SELECT tags + 1 FROM customers",
            "SS5003",
            "tags",
            "+ does not go between ARRAY<STRING> and INT",
            "",
        ),
        ("SELECT name FROM customers WHERE id", "SS5003", "id", "WHERE wants BOOLEAN, not INT", ""),
        (
            "SELECT upper(name, 2) FROM customers",
            "SS5003",
            "upper",
            "upper takes 1 argument, not 2",
            "",
        ),
        (
            "SELECT name FROM customers LIMIT id",
            "SS5003",
            "id",
            "LIMIT wants a number that stands in the text",
            "",
        ),
        (
            "SELECT (SELECT rand()) FROM orders",
            "SS5007",
            "rand",
            "rand in a query as a value, LATERAL or a lambda: a plan does not say how often it is drawn",
            "",
        ),
        (
            "SELECT (1 + 2 FROM orders",
            "SS5001",
            "FROM",
            "not Spark SQL: ) is missing before this",
            "",
        ),
        ("SELECT (1 + 2", "SS5001", "2", "not Spark SQL: ) is missing behind this", ""),
        ("SELECT 1)", "SS5001", ")", "not Spark SQL: a bracket is closed that was not opened", ""),
        (
            "SELECT id, FROM orders",
            "SS5001",
            ",",
            "not Spark SQL: a comma with nothing behind it",
            "",
        ),
        (
            "SELECT o.id FROM customers AS c JOIN orders AS o JOIN orders AS p ON p.id = o.id ON o.customer = c.id",
            "SS5001",
            "ON",
            "not Spark SQL: ON stands once, right behind the table that is joined",
            "",
        ),
        (
            "SELECT id FORM orders",
            "SS5001",
            "FORM",
            "not Spark SQL: FORM is not understood here",
            "did you mean FROM?",
        ),
        (
            "SELECT id FROM orders WERE id = 1",
            "SS5001",
            "WERE",
            "not Spark SQL: WERE is not understood here",
            "did you mean WHERE?",
        ),
        (
            "SELECT id FROM orders ORDER id",
            "SS5001",
            "id",
            "not Spark SQL: BY is missing behind ORDER",
            "",
        ),
        (
            "SELECT id FROM",
            "SS5001",
            "FROM",
            "not Spark SQL: the name of a table is missing here",
            "",
        ),
        (
            "SELECT id FROM orders WHERE",
            "SS5001",
            "WHERE",
            "not Spark SQL: something is missing here",
            "",
        ),
        (
            "SELECT CASE WHEN true 1 END",
            "SS5001",
            "END",
            "not Spark SQL: THEN is missing before END",
            "",
        ),
        (
            "SELECT sum(id) FILTER (id > 1) FROM orders",
            "SS5001",
            "FILTER",
            "not Spark SQL: FILTER wants WHERE in its brackets",
            "",
        ),
        (
            "SELECT id FROM orders LIMIT 5, 10",
            "SS5001",
            ",",
            "not Spark SQL: LIMIT takes one number: write LIMIT 10 OFFSET 5",
            "",
        ),
        (
            "INSERT orders VALUES (1, 2)",
            "SS5001",
            "INSERT",
            "not Spark SQL: INSERT wants INTO or OVERWRITE behind it",
            "",
        ),
        (
            "SELECT CAST(id AS INTEGR) FROM orders",
            "SS5001",
            "INTEGR",
            "not Spark SQL: INTEGR is no type of Spark's",
            "did you mean INTEGER or INTERVAL or INT?",
        ),
        (
            "SELECT CAST(id AS NUMBER) FROM orders",
            "SS5001",
            "NUMBER",
            "not Spark SQL: NUMBER is no type of Spark's",
            "",
        ),
        (
            "SELCT id FROM orders",
            "SS5001",
            "SELCT",
            "no statement of Spark SQL begins with SELCT",
            "did you mean SELECT?",
        ),
        ("SHOW TABLES", "SS5007", "SHOW", "SHOW is a command: a plan has no word for it", ""),
        ("SELECT 'abc FROM orders", "SS5001", "'", "not SQL: a text has no end", ""),
        (
            "SELECT 1; SELECT 2",
            "SS5001",
            "SELECT",
            "the text holds 2 statements, a plan is of one",
            "",
        ),
        ("SELECT 1e400", "SS5003", "1e400", "1e400 is larger than any DOUBLE", ""),
        # Spark reads `a LIKE (b = c)`, sqlglot `(a LIKE b) = c`.
        (
            "SELECT name LIKE 'a' = TRUE FROM orders",
            "SS5001",
            "name",
            "a comparison beside LIKE, BETWEEN, IN or IS wants brackets around one of them",
            "",
        ),
        ("SELECT map(1, 2, 3", "SS5001", "(", "not Spark SQL: this ( has no end", ""),
        ("'' AS four", "SS5001", "''", "no statement of Spark SQL begins with ''", ""),
        (
            "SELECT tags[0, 1] FROM customers",
            "SS5003",
            "1",
            "between [ and ] stands one index or key",
            "",
        ),
        ("SELECT 5E", "SS5003", "5E", "5E is no number", ""),
        (
            "SELECT id FROM people GROUP BY",
            "SS5001",
            "GROUP BY",
            "not Spark SQL: GROUP BY with nothing behind it",
            "",
        ),
        (
            "SELECT max(id) AS m FROM customers GROUP BY upper(name) HAVING min(id) > 0 ORDER BY lower(name)",
            "SS5003",
            "lower",
            "ORDER BY does not know name over a HAVING that wants more than the select list",
            "return the key under a name, and order by the name",
        ),
        (
            "SELECT upper(name) AS u FROM customers GROUP BY upper(name) ORDER BY id",
            "SS5003",
            "id",
            "id is neither grouped nor aggregated",
            "add id to GROUP BY, or take any_value(id)",
        ),
        (
            "SELECT DISTINCT id FROM customers ORDER BY name",
            "SS5003",
            "name",
            "ORDER BY wants what SELECT DISTINCT gives",
            "",
        ),
        (
            "SELECT id FROM orders WHERE rank() OVER (ORDER BY id) = 1",
            "SS5003",
            "rank",
            "WHERE takes no aggregate and no window function",
            "",
        ),
        (
            "SELECT id FROM customers ORDER BY id SORT BY name",
            "SS5003",
            "name",
            "ORDER BY and SORT BY do not go together",
            "",
        ),
        (
            "SELECT 'a' RLIKE 'b' ESCAPE '/'",
            "SS5001",
            "ESCAPE",
            "ESCAPE goes with LIKE and ILIKE",
            "",
        ),
        (
            "SELECT * FROM orders JOIN LATERAL (SELECT id) USING (id)",
            "SS5003",
            "USING",
            "LATERAL goes with ON, not with USING and NATURAL",
            "",
        ),
        (
            "SELECT id BETWEEN 1 2",
            "SS5001",
            "BETWEEN",
            "not Spark SQL: BETWEEN wants AND behind it",
            "",
        ),
        (
            "SELECT INTERVAL '9223372036854775808' DAY",
            "SS5003",
            "'9223372036854775808'",
            "the interval is longer than any that Spark has",
            "",
        ),
    ],
)
def test_one_mistake(sql: str, code: str, word: str, message: str, hint: str) -> None:
    assert said(sql) == (code, word, message, hint)


def test_a_long_line_is_cut_around_the_place() -> None:
    sql = f"SELECT {'id, ' * 80}nope, {'id, ' * 80}id FROM orders"
    code, word, message, _ = said(sql)
    assert (code, word, message) == ("SS5004", "nope", "there is no column nope")
    with pytest.raises(SqlError, match="line 1, column 328") as error:
        to_plan(sql, schema=SCHEMA)
    assert max(map(len, error.value.diagnostics[0].message.split("\n"))) < 170


def test_sqlglot_says_nothing_on_stderr(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SqlError):
        to_plan("ALTER TABLE t SET TBLPROPERTIES ('a' = 'b')", schema=SCHEMA)
    assert capfd.readouterr().err == ""


def test_a_place_that_no_reference_has_room_for_is_an_argument() -> None:
    """A reference counts elements in 32 bits; Spark fails on such a place when the statement runs."""
    plan = substrait_sql.to_plan(
        "SELECT get(l, 2147483648) AS g FROM t", schema={"t": "l ARRAY<INT>"}
    )
    assert "get(l, 2147483648L)" in substrait_sql.to_sql(plan)


@pytest.mark.parametrize(
    ("expression", "code"),
    [
        ("INTERVAL 'NaN' DAY", "SS5003"), ("INTERVAL '1e2' DAY", "SS5003"), ("INTERVAL '1 2' SECOND", "SS5003"),
        ("INTERVAL '' DAY", "SS5003"), ("round(1.5, CAST('inf' AS DOUBLE))", "SS5003"),
        ("stack(2147483647, 1, 2)", "SS5007"),
    ],
)  # fmt: skip
def test_numbers_that_are_none_or_too_large(expression: str, code: str) -> None:
    with pytest.raises(SqlError, match=code):
        to_plan(f"SELECT {expression}", schema={})
