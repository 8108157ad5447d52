"""Plans that write and define: their statements, run on a database of their own."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest
import substrait.proto as pb

import substrait_sql
from tests.support.build import R, add, columns_of, eq, exists, gt, lit, or_, plan, table, virtual
from tests.support.plan_types import literal, type_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql import SparkSession

DB = "substrait_sql_writes"
TARGET = table(f"{DB}.t", "a:i32 b:str?")
ROWS = virtual("x:i32 y:str?", (1, "a"), (2, None))


def schema(columns: str) -> pb.NamedStruct:
    names, types = columns_of(columns)
    return pb.NamedStruct(names=names, struct=pb.Type.Struct(types=types, nullability=2))


def write(op: str, name: str, columns: str, rows: R, mode: str = "", output: str = "") -> pb.Plan:
    message = pb.Rel()
    node = message.write
    node.named_table.names.extend([DB, name])
    node.table_schema.CopyFrom(schema(columns))
    node.op = pb.WriteRel.WriteOp.Value("WRITE_OP_" + op)
    node.input.CopyFrom(rows.message)
    if mode:
        node.create_mode = pb.WriteRel.CreateMode.Value("CREATE_MODE_" + mode)
    if output:
        node.output = pb.WriteRel.OutputMode.Value("OUTPUT_MODE_" + output)
    return plan((R(message, []), ""))


def define(
    op: str, kind: str, name: str, columns: str = "", view: R | None = None, defaults: Any = None
) -> pb.Plan:
    message = pb.Rel()
    node = message.ddl
    node.named_object.names.extend([DB, name])
    node.object = pb.DdlRel.DdlObject.Value("DDL_OBJECT_" + kind)
    node.op = pb.DdlRel.DdlOp.Value("DDL_OP_" + op)
    if columns:
        node.table_schema.CopyFrom(schema(columns))
    if view is not None:
        node.view_definition.CopyFrom(view.message)
    if defaults is not None:
        types = node.table_schema.struct.types
        node.table_defaults.fields.extend(map(literal, defaults, types))
    return plan((R(message, []), ""))


@pytest.fixture
def database(spark: SparkSession) -> Iterator[SparkSession]:
    spark.sql(f"DROP DATABASE IF EXISTS {DB} CASCADE")
    spark.sql(f"CREATE DATABASE {DB}")
    yield spark
    spark.sql(f"DROP DATABASE {DB} CASCADE")


def run(spark: SparkSession, made: pb.Plan) -> None:
    substrait_sql.execute(spark, made, allow_writes=True)


def tables(spark: SparkSession) -> list[str]:
    """Spark lists temporary views, which other tests may have left, in every database."""
    listed = spark.sql(f"SHOW TABLES IN {DB}").where("NOT isTemporary").collect()
    return [row.tableName for row in listed]


def content(spark: SparkSession, name: str) -> list[tuple[Any, ...]]:
    return sorted(map(tuple, spark.table(f"{DB}.{name}").collect()))


@pytest.mark.spark
def test_tables_and_rows(database: SparkSession) -> None:
    spark = database
    run(spark, define("CREATE", "TABLE", "t", "a:i32 b:str? c:i64?", defaults=(None, None, 7)))
    fields = spark.table(f"{DB}.t").schema.simpleString()
    assert fields == "struct<a:int,b:string,c:bigint>"
    # The columns of the write by name, whatever their order in the table; what is not written has its default.
    run(
        spark,
        write(
            "INSERT", "t", "b:str? a:i32", ROWS.select(lambda r: [r[1], add(r[0], lit(1, "i32"))])
        ),
    )
    assert content(spark, "t") == [(2, "a", 7), (3, None, 7)]
    assert spark.sql(f"SELECT a FROM {DB}.t").count() == 2
    run(spark, define("DROP", "TABLE", "t"))
    assert not spark.catalog.tableExists(f"{DB}.t")
    run(spark, define("DROP_IF_EXIST", "TABLE", "t"))
    with pytest.raises(substrait_sql.ExecutionError):
        run(spark, define("DROP", "TABLE", "t"))


@pytest.mark.spark
def test_tables_made_of_rows(database: SparkSession) -> None:
    spark = database
    run(spark, write("CTAS", "t", "a:i32 b:str?", ROWS))
    assert content(spark, "t") == [(1, "a"), (2, None)]
    for mode in ("", "ERROR_IF_EXISTS"):
        with pytest.raises(substrait_sql.ExecutionError, match="ALREADY_EXISTS"):
            run(spark, write("CTAS", "t", "a:i32 b:str?", ROWS, mode))
    run(spark, write("CTAS", "t", "a:i32 b:str?", ROWS, "IGNORE_IF_EXISTS"))
    assert len(content(spark, "t")) == 2
    run(spark, write("CTAS", "t", "a:i32 b:str?", ROWS, "APPEND_IF_EXISTS"))
    assert len(content(spark, "t")) == 4
    run(spark, write("CTAS", "new", "a:i32 b:str?", ROWS, "APPEND_IF_EXISTS", "NO_OUTPUT"))
    assert content(spark, "new") == [(1, "a"), (2, None)]


RETURNED = f"""\
CREATE TABLE {DB}.t__written
USING parquet
AS
SELECT
  x AS a,
  y AS b
FROM VALUES
  (1, 'a'),
  (2, CAST(NULL AS STRING)) AS rows(x, y);

INSERT INTO {DB}.t (a, b)
SELECT
  a,
  b
FROM {DB}.t__written;

SELECT
  a AS k,
  b
FROM {DB}.t__written;

DROP TABLE {DB}.t__written"""


def returned(op: str, mode: str = "", rows: R = ROWS) -> pb.Plan:
    """A write that hands back its records under other names."""
    made = write(op, "t", "a:i32 b:str?", rows, mode, "MODIFIED_RECORDS")
    made.relations[0].root.names[:] = ["k", "b"]
    return made


def test_the_text_of_a_write_that_returns_its_records() -> None:
    rendered = substrait_sql.render(returned("INSERT"))
    assert rendered.sql == RETURNED
    assert [s.kind for s in rendered.statements] == ["ctas", "insert", "query", "drop_table"]
    assert [c.name for c in rendered.statements[2].columns] == ["k", "b"]
    assert (rendered.sources, substrait_sql.check(returned("INSERT"))) == ((), [])


@pytest.mark.spark
def test_a_write_that_returns_its_records(database: SparkSession) -> None:
    """Rows that are others each time are the same in the table and in the result, which outlives later changes."""
    spark = database
    both = [(1, "a"), (2, None)]

    def rows(made: pb.Plan) -> list[tuple[Any, ...]]:
        frame = substrait_sql.execute(spark, made, allow_writes=True)
        assert tables(spark) == ["t"]
        assert frame.columns == ["k", "b"]
        return sorted(map(tuple, frame.collect()))

    assert (rows(returned("CTAS")), content(spark, "t")) == (both, both)
    itself = TARGET.filter(lambda r: gt(r[0], lit(1, "i32")))
    assert rows(returned("INSERT", rows=itself)) == [(2, None)]
    assert content(spark, "t") == [*both, (2, None)]
    assert rows(returned("CTAS", "APPEND_IF_EXISTS")) == both
    spark.sql(f"DROP TABLE {DB}.t")
    with pytest.raises(substrait_sql.ExecutionError, match="TABLE_OR_VIEW_NOT_FOUND"):
        substrait_sql.execute(spark, returned("INSERT"), allow_writes=True)
    assert tables(spark) == []
    assert rows(returned("CTAS", "APPEND_IF_EXISTS")) == both


@pytest.mark.spark
def test_views(database: SparkSession) -> None:
    spark = database
    run(spark, write("CTAS", "t", "a:i32 b:str?", ROWS))
    source = table(f"{DB}.t", "a:i32 b:str?")
    run(spark, define("CREATE", "VIEW", "v", "n:i32", source.select(lambda r: [r[0]])))
    assert spark.table(f"{DB}.v").columns == ["n"]
    assert content(spark, "v") == [(1,), (2,)]
    with pytest.raises(substrait_sql.ExecutionError):
        run(spark, define("CREATE", "VIEW", "v", "n:i32", source.select(lambda r: [r[0]])))
    other = source.select(lambda r: [r[1]])
    run(spark, define("CREATE_OR_REPLACE", "VIEW", "v", "m:str?", other))
    assert spark.table(f"{DB}.v").columns == ["m"]
    run(spark, define("ALTER", "VIEW", "v", "k:str?", other))
    assert spark.table(f"{DB}.v").columns == ["k"]
    run(spark, define("DROP", "VIEW", "v"))
    run(spark, define("DROP_IF_EXIST", "VIEW", "v"))
    assert not spark.catalog.tableExists(f"{DB}.v")


def test_the_text() -> None:
    rendered = substrait_sql.render(write("CTAS", "my t", "a:i32 b:str?", ROWS, "APPEND_IF_EXISTS"))
    assert [s.kind for s in rendered.statements] == ["create_table", "insert"]
    assert rendered.statements[0].sql == (
        f"CREATE TABLE IF NOT EXISTS {DB}.`my t` (\n  a INT NOT NULL,\n  b STRING\n)\nUSING parquet"
    )
    assert rendered.statements[1].sql.startswith(f"INSERT INTO {DB}.`my t` (a, b)\nSELECT")
    replaced = substrait_sql.to_sql(write("CTAS", "t", "a:i32 b:str?", ROWS, "REPLACE_IF_EXISTS"))
    assert replaced.startswith(f"CREATE OR REPLACE TABLE {DB}.t\nAS\nSELECT")
    defined = substrait_sql.to_sql(
        define("CREATE_OR_REPLACE", "TABLE", "t", "a:i64", defaults=(5,))
    )
    assert defined == f"CREATE OR REPLACE TABLE {DB}.t (\n  a BIGINT NOT NULL DEFAULT 5L\n)"


def update(condition: Any, *changes: tuple[int, Any]) -> pb.Plan:
    message = pb.Rel()
    message.update.named_table.names.extend(["cat", "db", "t"])
    message.update.table_schema.CopyFrom(schema("a:i32 b:i32? note:str?"))
    row = table("t", "a:i32 b:i32? note:str?").row
    message.update.condition.CopyFrom(condition(row).message)
    for column, change in changes:
        message.update.transformations.add(column_target=column, transformation=change(row).message)
    return plan((R(message, []), ""))


def test_updates() -> None:
    swapped = update(
        lambda r: or_(gt(r[0], lit(1, "i32")), eq(r[2], lit("x", "str"))),
        (0, lambda r: r[1]),
        (1, lambda r: add(r[0], lit(1, "i32"))),
    )
    (statement,) = substrait_sql.render(swapped).statements
    assert statement.kind == "update"
    assert statement.sql == (
        "UPDATE cat.db.t\nSET\n  a = b,\n  b = a + 1\nWHERE\n  a > 1 OR note = 'x'"
    )
    others = table("u", "a:i32 n:i64?")
    correlated = update(
        lambda r: exists(others.filter(lambda u: eq(u[0], r.outer(0)))),
        (2, lambda r: lit(None, "str")),
    )
    assert substrait_sql.to_sql(correlated).split("\n") == [
        "UPDATE cat.db.t",
        "SET",
        "  note = CAST(NULL AS STRING)",
        "WHERE",
        "  EXISTS(",
        "    SELECT",
        "      1",
        "    FROM u",
        "    WHERE",
        "      u.a = t.a",
        "  )",
    ]


def test_deletions() -> None:
    others = table("u", "a:i32 n:i64?")

    def text(rows: R) -> str:
        (statement,) = substrait_sql.render(write("DELETE", "t", "a:i32 b:str?", rows)).statements
        assert statement.kind == "delete"
        return statement.sql

    assert text(TARGET) == f"DELETE FROM {DB}.t"
    filtered = TARGET.filter(lambda r: gt(r[0], lit(1, "i32")))
    assert text(filtered) == f"DELETE FROM {DB}.t\nWHERE\n  a > 1"
    twice = filtered.sort(lambda r: [(r[0], 1)]).filter(lambda r: eq(r[1], lit("x", "str")))
    assert text(twice) == f"DELETE FROM {DB}.t\nWHERE\n  a > 1 AND b = 'x'"
    correlated = TARGET.filter(lambda r: exists(others.filter(lambda u: eq(u[0], r.outer(0)))))
    assert text(correlated).split("\n") == [
        f"DELETE FROM {DB}.t",
        "WHERE",
        "  EXISTS(",
        "    SELECT",
        "      1",
        "    FROM u",
        "    WHERE",
        "      u.a = t.a",
        "  )",
    ]


@pytest.mark.spark
def test_tables_of_spark_itself_are_rewritten(database: SparkSession) -> None:
    """They take no DELETE: tests/run/test_rewrites.py."""
    run(database, write("CTAS", "t", "a:i32 b:str?", ROWS))
    run(
        database,
        write("DELETE", "t", "a:i32 b:str?", TARGET.filter(lambda r: gt(r[0], lit(1, "i32")))),
    )
    assert content(database, "t") == [(1, "a")]


REWRITTEN = f"""\
CREATE TABLE {DB}.t__staging LIKE {DB}.t
TBLPROPERTIES ('substrait_sql.rewrite' = 'filling:@');

INSERT INTO {DB}.t__staging (a, b)
SELECT
  a,
  b
FROM {DB}.t
WHERE
  (a > 1) IS NOT TRUE;

ALTER TABLE {DB}.t__staging
SET TBLPROPERTIES ('substrait_sql.rewrite' = 'ready:@');

INSERT OVERWRITE TABLE {DB}.t WITH ('partitionOverwriteMode' = 'static')
SELECT
  *
FROM {DB}.t__staging;

ALTER TABLE {DB}.t__staging
SET TBLPROPERTIES ('substrait_sql.rewrite' = 'done:@');

TRUNCATE TABLE {DB}.t__staging;

DROP TABLE {DB}.t__staging"""


def test_the_text_of_a_rewriting() -> None:
    made = write("DELETE", "t", "a:i32 b:str?", TARGET.filter(lambda r: gt(r[0], lit(1, "i32"))))
    text = substrait_sql.to_sql(made, target_format="parquet")
    assert re.sub(r"(?<=:)[0-9a-f]{16}(?=')", "@", text) == REWRITTEN


@pytest.mark.parametrize(
    "rows",
    [
        ROWS,
        TARGET.fetch(1),
        TARGET.select(lambda r: [add(r[0], lit(1, "i32")), r[1]]),
        table("other", "a:i32 b:str?"),
        TARGET.cross(ROWS, emit=[0, 1]),
    ],
)
def test_rows_that_are_not_those_of_the_table_are_not_deleted(rows: R) -> None:
    """Equal records cannot be told apart, and a plan does not say whether one or all of them go."""
    with pytest.raises(substrait_sql.UnsupportedError) as refused:
        substrait_sql.to_sql(write("DELETE", "t", "a:i32 b:str?", rows))
    assert refused.value.code == "SS2091"


def test_rows_are_written_in_the_types_of_the_table(database: SparkSession) -> None:
    """A plan that leaves a cast out which keeps every value: CREATE TABLE AS would take the rows' types."""
    run(database, write("CTAS", "wide", "a:dec<12,2> b:str?", ROWS))
    written = database.table(f"{DB}.wide")
    assert [t for _, t in written.dtypes] == ["decimal(12,2)", "string"]
    assert sorted(written.collect()) == [(Decimal("1.00"), "a"), (Decimal("2.00"), None)]


def test_writing_needs_permission() -> None:
    with pytest.raises(substrait_sql.PolicyError) as refused:
        substrait_sql.execute(None, write("CTAS", "t", "a:i32 b:str?", ROWS))  # type: ignore[arg-type]
    assert refused.value.code == "SS4014"


@pytest.mark.parametrize(
    ("made", "code"),
    [
        (write("UPDATE", "t", "a:i32 b:str?", ROWS), "SS2094"),
        (write("DELETE", "t", "a:i32 b:str?", ROWS), "SS2091"),
        (write("DELETE", "t", "a:i32", ROWS), "SS2097"),
        (write("INSERT", "t", "a:i32", ROWS), "SS2097"),
        (write("DELETE", "t", "a:i32 b:str?", ROWS, "", "MODIFIED_RECORDS"), "SS2096"),
        (
            write("CTAS", "t", "a:i32 b:str?", ROWS, "IGNORE_IF_EXISTS", "MODIFIED_RECORDS"),
            "SS2096",
        ),
        (write("UNSPECIFIED", "t", "a:i32 b:str?", ROWS), "SS2095"),
        (write("INSERT", "t", "a:date b:str?", ROWS), "SS2176"),
        (write("CTAS", "t", "a:fp64 b:str?", ROWS), "SS2176"),
        (write("CTAS", "t", "a:i32 b:uuid?", ROWS), "SS2176"),
        (write("CTAS", "t", "a:dec<9,2>", virtual("x:dec<9,3>", ("1.255",))), "SS2176"),
        (write("INSERT", "t", "a:dec<5,2>", virtual("x:dec<9,2>", ("1.25",))), "SS2176"),
        (define("CREATE", "VIEW", "t", "a:i32 b:date?", ROWS), "SS2176"),
        (define("ALTER", "TABLE", "t", "a:i32"), "SS2099"),
        (define("CREATE", "VIEW", "t", "a:i32"), "SS2098"),
        (define("CREATE", "TABLE", "t", "a:i32 b:i32", defaults=(1,)), "SS2097"),
    ],
)
def test_what_is_refused(made: pb.Plan, code: str) -> None:
    with pytest.raises(substrait_sql.SubstraitSqlError) as refused:
        substrait_sql.to_sql(made)
    assert refused.value.code == code
    assert refused.value.path.startswith("relations[0].root.input")
    assert [d.code for d in substrait_sql.check(made)] == [code]


def test_a_statement_is_not_wrapped_in_another() -> None:
    made = write("INSERT", "t", "a:i32 b:str?", ROWS)
    with pytest.raises(substrait_sql.UnsupportedError) as refused:
        substrait_sql.render(made, statement="view", name="v")
    assert refused.value.code == "SS3207"


def test_types_of_the_schema_with_names_inside() -> None:
    made = define("CREATE", "TABLE", "t", "a:i32 s(x,y):struct<i32,list<str>>?")
    assert "s STRUCT<x: INT, y: ARRAY<STRING>>\n" in substrait_sql.to_sql(made)
    assert type_of("struct<i32,list<str>>?").struct.types[1].WhichOneof("kind") == "list"
