"""A query becomes a statement, and no name or query can make it two."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, Any

import pytest
import sqlglot

from substrait_sql.dialect import Dialect, load
from substrait_sql.errors import InvalidPlanError, SubstraitSqlError, UnsupportedError
from substrait_sql.rendered import Column
from substrait_sql.resources import TEMPLATES
from substrait_sql.text import templates
from substrait_sql.text.kinds import KINDS, PLAN_KINDS, TEMPORARY_VIEW
from substrait_sql.text.statement import Statements, Wanted
from substrait_sql.text.target_name import parse_name

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SPARK = load("spark")
WRITTEN = SPARK.names
is_safe, quote = WRITTEN.is_safe, WRITTEN.quote
QUERY = "SELECT\n  id\nFROM numbers"


COLUMNS = (Column("id", "i32", "INT"),)


def as_statement(
    query: str,
    kind: str,
    name: Any,
    dialect: Dialect,
    columns: tuple[Column, ...] = COLUMNS,
    **options: Any,
) -> str:
    made = Statements(dialect).around(query, Wanted(kind, name, options), columns)
    return "\n;\n".join(each.sql for each in made)


def keyed(kind: str) -> dict[str, Any]:
    return {"key": ["id"]} if kind == "merge" else {}


def _chain(*names: str) -> Dialect:
    """Spark, but for where its templates are."""
    other = copy(SPARK)
    other.chain = names
    return other


HOSTILE = [
    "t; DROP TABLE x",
    "t AS SELECT 1; --",
    "t`; DROP TABLE x; --",
    "``",
    "`",
    "a`b`c",
    "/* t",
    "t */ AS SELECT 2 --",
    "t\nAS SELECT 2",
    "t -- \\",
    "{{ query }}",
    "{% raw %}",
    "{# t",
    "'t'",
    '"t"',
    ":p1",
    "?",
    "\\",
    "t\\`",
    "select",
    "naïve",
    "表",
    "😀",
    "x" * 3000,
    " t",
    "1t",
    "$x",
    "a.b",
]


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("view", "CREATE OR REPLACE VIEW db.t AS\n" + QUERY),
        ("table", "CREATE TABLE db.t\nUSING parquet\nAS\n" + QUERY),
        ("ctas", "CREATE TABLE db.t\nUSING parquet\nAS\n" + QUERY),
        ("insert", "INSERT INTO db.t\n" + QUERY),
        ("overwrite", "INSERT OVERWRITE TABLE db.t\n" + QUERY),
        (
            "merge",
            f"MERGE INTO db.t AS target\nUSING (\n{QUERY}\n) AS source\nON\n  target.id = source.id\n"
            "WHEN NOT MATCHED THEN INSERT (id)\n  VALUES (source.id)",
        ),
    ],
)
def test_statements(kind: str, expected: str) -> None:
    assert as_statement(QUERY + "\n", kind, "db.t", SPARK, **keyed(kind)) == expected


def test_a_dialect_falls_back_on_what_it_extends() -> None:
    assert (
        as_statement(QUERY, "table", "t", _chain("nobody", "default"))
        == "CREATE TABLE t\nAS\n" + QUERY
    )


# Folders of templates that are no statements.
OTHER = {"dbt", "new_dialect"}


def test_every_template_is_reached_by_a_kind() -> None:
    names = {path.name for path in TEMPLATES.rglob("*.jinja") if path.parent.name not in OTHER}
    steps = {"create_like", "mark_table", "truncate_table"}  # of text/rewrite.py
    kinds = {*KINDS, *PLAN_KINDS.values(), TEMPORARY_VIEW, *steps} - {"ctas"}
    assert names - {"_table.jinja"} == {f"{template}.sql.jinja" for template in kinds}
    assert kinds == set(templates.HEADS)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("t", ("t",)),
        ("db.t", ("db", "t")),
        ("cat.db.t", ("cat", "db", "t")),
        ("db.`a.b`", ("db", "a.b")),
        ("`a``b`.t", ("a`b", "t")),
        ("order lines", ("order lines",)),
    ],
)
def test_names(text: str, parts: tuple[str, ...]) -> None:
    assert parse_name(text, WRITTEN).parts == parts
    assert parse_name(str(parse_name(text, WRITTEN)), WRITTEN).parts == parts


@pytest.mark.parametrize("text", ["", ".", "a.", ".a", "a..b", "`", "``", "`a", "`a`b", "a`b`"])
def test_texts_that_are_no_names(text: str) -> None:
    with pytest.raises(InvalidPlanError, match="SS3201"):
        parse_name(text, WRITTEN)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_stays_in_its_quotes(kind: str, name: str) -> None:
    """Reading the target back gives the name: it was quoted, and nothing came after it."""
    text = as_statement("SELECT 1 AS id", kind, (name,), SPARK, **keyed(kind))
    head, _, _ = text.rpartition("SELECT 1 AS id")
    assert quote(name) in head
    assert head.replace(quote(name), "", 1).split() in (
        ["CREATE", "OR", "REPLACE", "VIEW", "AS"],
        ["CREATE", "TABLE", "USING", "parquet", "AS"],
        ["INSERT", "INTO"],
        ["INSERT", "OVERWRITE", "TABLE"],
        ["MERGE", "INTO", "AS", "target", "USING", "("],
    )


@pytest.mark.spark
def test_spark_reads_the_same_name(spark: SparkSession) -> None:
    """Spark's own parser takes the target for one name, and the text for one statement."""
    parser: Any = spark._jsparkSession.sessionState().sqlParser()
    for name in HOSTILE:
        parts = parser.parseMultipartIdentifier(quote(name))
        assert [parts.apply(i) for i in range(parts.size())] == [name]
        for kind in KINDS:
            parser.parsePlan(as_statement(QUERY, kind, ("db", name), SPARK, **keyed(kind)))


@pytest.mark.spark
def test_reserved_words_of_spark_are_quoted(spark: SparkSession) -> None:
    rows = spark.sql("SELECT keyword FROM sql_keywords() WHERE reserved").collect()
    assert [r.keyword for r in rows if is_safe(r.keyword.lower())] == []


NAMES = """
SELECT {0}, {0} + 1, t.{0}, f({0}, {0} -> {0} + 1), CASE WHEN {0} = 1 THEN {0} ELSE {0} END AS {0}
FROM {0} JOIN (SELECT 1 AS {0}) AS {0} ON {0}.{0} = t.{0} WHERE {0} > 2 GROUP BY {0} ORDER BY {0}
"""


@pytest.mark.spark
def test_sqlglot_reads_what_is_not_quoted(spark: SparkSession) -> None:
    """Tools that read SQL with sqlglot, dbt's among them, know fewer bare names than Spark does."""
    words = [r.keyword.lower() for r in spark.sql("SELECT keyword FROM sql_keywords()").collect()]
    bare = [word for word in words if is_safe(word)]
    assert len(bare) > 250
    for word in bare:
        sqlglot.parse_one(NAMES.format(word), read="spark")


@pytest.mark.parametrize("name", ["${env:HOME}", "a${b", "db.${x}"])
def test_a_name_that_spark_would_replace_is_refused(name: str) -> None:
    with pytest.raises(UnsupportedError, match="SS3202"):
        as_statement(QUERY, "view", (name,), SPARK)


@pytest.mark.parametrize(
    "query",
    [
        "SELECT 1; DROP TABLE x",
        "SELECT 1;",
        "SELECT 1) UNION (SELECT 2",
        "SELECT (1",
        "SELECT 'x",
        "SELECT `x",
    ],
)
def test_a_query_that_is_not_one_statement_is_refused(query: str) -> None:
    with pytest.raises(UnsupportedError, match="SS3204"):
        as_statement(query, "insert", "t", SPARK)


@pytest.mark.parametrize(
    "query",
    [
        "SELECT ';' AS a, '--' AS b, '/*' AS c",
        "SELECT `;` FROM t -- a comment; with a semicolon\nWHERE TRUE",
        "SELECT (EXISTS(SELECT 1)) IS NULL AS a",
        "SELECT " + "(" * 400 + "1" + ")" * 400 + " AS deep",
    ],
)
def test_queries_that_only_look_odd_pass(query: str) -> None:
    assert as_statement(query, "view", "t", SPARK).endswith(query)


def test_two_columns_of_one_name() -> None:
    query = "SELECT 1 AS a, 2 AS A"
    twice = Column("a", "i32", "INT"), Column("A", "i32", "INT")
    assert as_statement(query, "insert", "t", SPARK, twice).endswith(query)
    for kind in ("view", "table", "merge"):
        with pytest.raises(UnsupportedError, match="SS3206 .*: a"):
            as_statement(query, kind, "t", SPARK, twice, **keyed(kind))


def test_unknown_kinds_and_dialects() -> None:
    with pytest.raises(UnsupportedError, match="SS3203"):
        as_statement(QUERY, "upsert", "t", SPARK)
    with pytest.raises(UnsupportedError, match=r"SS3205 .*nobody/view\.sql\.jinja"):
        as_statement(QUERY, "view", "t", _chain("nobody"))


def test_quoting() -> None:
    assert is_safe("l_orderkey")
    assert [n for n in ("select", "Order", "a b", "1a", "é", "", "a-b") if is_safe(n)] == []
    assert quote("a`b") == "`a``b`"


def test_errors_are_ours() -> None:
    for name in ("", "${x}"):
        with pytest.raises(SubstraitSqlError):
            as_statement(QUERY, "view", name, SPARK)
