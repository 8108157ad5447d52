"""Tables of a catalog that takes UPDATE, DELETE, MERGE and OR REPLACE: what they hold afterwards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import substrait.proto as pb

import substrait_sql
from tests.lower.relations import test_writes
from tests.run import test_rewrites
from tests.support import row_catalog
from tests.support.build import add, eq, exists, lit, plan, table, virtual

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pyspark.sql import SparkSession

CATALOG = "rows_of_tests"
NAMES = [CATALOG, "deep", "a.b `c` ü", "t"]
TARGET = ".".join("`" + n.replace("`", "``") + "`" for n in NAMES)
pytestmark = [
    pytest.mark.spark,
    pytest.mark.skipif(row_catalog.compiler() is None, reason="there is no Java compiler"),
]


@pytest.fixture(scope="module")
def rows(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    row_catalog.add(spark, CATALOG, tmp_path_factory.mktemp("rows"))
    yield spark
    spark.conf.unset(f"spark.sql.catalog.{CATALOG}")


def run(spark: SparkSession, made: pb.Plan, kind: str) -> None:
    """Runs a plan that is one statement, with our name for its table."""
    moved = at(made)
    assert [s.kind for s in substrait_sql.render(moved).statements] == kind.split()
    substrait_sql.execute(spark, moved, allow_writes=True)


def at(made: pb.Plan) -> pb.Plan:
    """The same with our table instead of those of the other tests, read or written."""
    moved = pb.Plan()
    moved.CopyFrom(made)
    _rename(moved)
    return moved


def _rename(message: Any) -> None:
    for field, value in message.ListFields():
        if field.name in ("named_table", "named_object") and list(value.names)[-1:] == ["t"]:
            value.names[:] = NAMES
        elif field.type == field.TYPE_MESSAGE:
            for each in value if hasattr(value, "append") or hasattr(value, "add") else [value]:
                _rename(each)


def content(spark: SparkSession) -> list[tuple[Any, ...]]:
    return sorted(map(tuple, spark.sql(f"SELECT * FROM {TARGET}").collect()), key=str)


def test_rows_are_changed_in_place(rows: SparkSession) -> None:
    """The plans of the tables that are rewritten, and the same rows afterwards."""
    spark = rows
    ids = test_rewrites.others(spark)
    found = [
        (test_rewrites.RAISED, "update", test_rewrites.AFTER),
        (test_rewrites.DELETED, "delete", test_rewrites.LEFT),
        (test_rewrites.delete(test_rewrites.T), "delete", []),
        (
            test_rewrites.SWAPPED,
            "update",
            [(2, 1, "x"), (3, 2, "x"), (3, 2, "x"), (3, 30, "y"), (4, 40, None)],
        ),
        (
            test_rewrites.delete(
                test_rewrites.T.filter(lambda r: exists(ids.filter(lambda u: eq(u[0], r.outer(0)))))
            ),
            "delete",
            [*test_rewrites.BEFORE[:3], test_rewrites.BEFORE[4]],
        ),
    ]
    for made, kind, expected in found:
        spark.sql(f"DROP TABLE IF EXISTS {TARGET}")
        spark.sql(f"CREATE TABLE {TARGET} (id INT, v INT, part STRING)")
        spark.sql(f"INSERT INTO {TARGET} VALUES {_values(test_rewrites.BEFORE)}")
        run(spark, made, kind)
        assert content(spark) == sorted(expected, key=str)
    # New values for the key 4, and a row of another key.
    source = virtual("id:i32 v:i32? part:str?", (4, 41, "new"), (9, None, None))
    merged = substrait_sql.render(
        plan((source, "id v part")), statement="merge", name=NAMES,
        statement_options={"key": ["id"]},
    )  # fmt: skip
    spark.sql(merged.sql)
    left = [*test_rewrites.BEFORE[:3], (4, 41, "new"), (9, None, None)]
    assert content(spark) == sorted(left, key=str)
    spark.sql(f"DROP TABLE {TARGET}")


STATEMENTS = (
    "UPDATE {t} SET v = (SELECT max(s.v) FROM given AS s WHERE s.id = {t}.id) WHERE part = 'x'",
    "UPDATE {t} AS x SET v = id, x.id = length(x.part) WHERE NOT EXISTS (SELECT 1 FROM given AS s WHERE s.id = x.id)",
    "DELETE FROM {t} AS x WHERE (SELECT sum(v) FROM given AS s WHERE s.id = x.id) > 40",
    "MERGE INTO {t} AS x USING given AS s ON x.id = s.id WHEN NOT MATCHED BY SOURCE THEN DELETE",
    "MERGE INTO {t} AS x USING given AS s ON x.v = s.v OR x.part IS NULL AND s.id = 9 "
    "WHEN NOT MATCHED BY SOURCE AND x.part = 'x' OR v > 20 THEN UPDATE SET part = upper(part), v = 0",
    "MERGE INTO {t} AS x USING given AS s ON x.id = s.id WHEN NOT MATCHED AND s.v > 1 THEN INSERT (id, part) "
    "VALUES (s.id, 'new')",
    "MERGE INTO {t} AS x USING (SELECT * FROM given UNION ALL SELECT * FROM given) AS s ON x.id = s.id "
    "WHEN MATCHED THEN DELETE",
)


def test_statements_of_spark_and_their_plans(rows: SparkSession) -> None:
    """The same rows afterwards, whichever of the two is run."""
    spark = rows
    values = "VALUES (2, 21), (4, 41), (9, NULL), (NULL, 30), (11, 2)"
    spark.sql(f"CREATE OR REPLACE TEMPORARY VIEW given AS SELECT * FROM {values} AS s(id, v)")

    def after(change: Callable[[], Any]) -> list[tuple[Any, ...]]:
        spark.sql(f"DROP TABLE IF EXISTS {TARGET}")
        spark.sql(f"CREATE TABLE {TARGET} (id INT, v INT, part STRING)")
        spark.sql(f"INSERT INTO {TARGET} VALUES {_values(test_rewrites.BEFORE)}")
        change()
        return content(spark)

    before = after(lambda: None)
    for statement in STATEMENTS:
        sql = statement.format(t=TARGET)
        meant = after(lambda sql=sql: spark.sql(sql))  # type: ignore[misc]
        made = substrait_sql.to_plan(sql, schema=spark)
        found = after(lambda made=made: substrait_sql.execute(spark, made, allow_writes=True))  # type: ignore[misc]
        assert (found, found != before) == (meant, True), sql
    spark.sql(f"DROP TABLE {TARGET}")
    spark.catalog.dropTempView("given")


def _values(rows: list[tuple[Any, ...]]) -> str:
    cells = (["NULL" if v is None else repr(v) for v in row] for row in rows)
    return ", ".join(f"({', '.join(row)})" for row in cells)


NESTED = "a:i32 s(x,y):struct<i32,list<str?>>? c:i64?"
ROWS = virtual("x:i32 y:str?", (1, "a"), (2, None))


def test_tables_are_made_and_replaced(rows: SparkSession) -> None:
    """Every way to make one, under a name of four parts: what it holds, and under which columns."""
    spark = rows
    define, write = test_writes.define, test_writes.write
    run(spark, define("CREATE", "TABLE", "t", NESTED, defaults=(None, None, 7)), "create_table")
    assert spark.table(TARGET).schema.simpleString() == (
        "struct<a:int,s:struct<x:int,y:array<string>>,c:bigint>"
    )
    assert [f.nullable for f in spark.table(TARGET).schema] == [False, True, True]
    run(spark, write("INSERT", "t", "a:i32", ROWS.select(lambda r: [r[0]])), "insert")
    assert content(spark) == [(1, None, 7), (2, None, 7)]
    no_key = virtual("x:i32?", (None,))
    with pytest.raises(substrait_sql.SubstraitSqlError, match="(?i)null"):
        run(spark, write("INSERT", "t", "a:i32?", no_key), "insert")
    with pytest.raises(substrait_sql.ExecutionError, match="ALREADY_EXISTS"):
        run(spark, define("CREATE", "TABLE", "t", NESTED), "create_table")
    assert content(spark) == [(1, None, 7), (2, None, 7)]
    run(spark, define("CREATE_OR_REPLACE", "TABLE", "t", "n:i64?"), "create_table")
    assert spark.table(TARGET).schema.simpleString() == "struct<n:bigint>"
    assert content(spark) == []
    run(spark, define("DROP", "TABLE", "t"), "drop_table")
    run(spark, define("DROP_IF_EXIST", "TABLE", "t"), "drop_table")
    columns, both = "a:i32 b:str?", [(1, "a"), (2, None)]
    run(spark, write("CTAS", "t", columns, ROWS), "ctas")
    assert content(spark) == both
    with pytest.raises(substrait_sql.ExecutionError, match="ALREADY_EXISTS"):
        run(spark, write("CTAS", "t", columns, ROWS, "ERROR_IF_EXISTS"), "ctas")
    run(spark, write("CTAS", "t", columns, ROWS, "IGNORE_IF_EXISTS"), "ctas")
    assert content(spark) == both
    run(spark, write("CTAS", "t", columns, ROWS, "APPEND_IF_EXISTS"), "create_table insert")
    assert content(spark) == sorted([*both, *both], key=str)
    itself = table(f"{test_rewrites.DB}.t", columns).select(lambda r: [r[1], r[0]])
    with pytest.raises(substrait_sql.ExecutionError, match="SS4033"):
        run(spark, write("CTAS", "t", "note:str? key:i32", itself, "REPLACE_IF_EXISTS"), "ctas")
    assert content(spark) == sorted([*both, *both], key=str)
    swapped = ROWS.select(lambda r: [r[1], add(r[0], lit(1, "i32"))])
    run(spark, write("CTAS", "t", "note:str? key:i32", swapped, "REPLACE_IF_EXISTS"), "ctas")
    found = spark.table(TARGET)
    assert (content(spark), found.columns) == ([("a", 2), (None, 3)], ["note", "key"])
    spark.sql(f"DROP TABLE {TARGET}")


def test_tables_are_altered(rows: SparkSession) -> None:
    """Columns come, go, and become wider; what a plan does not change stays, and twice is once."""
    spark = rows
    define = test_writes.define
    spark.sql(f"DROP TABLE IF EXISTS {TARGET}")
    spark.sql(f"CREATE TABLE {TARGET} (a INT NOT NULL, b STRING DEFAULT 'x', c INT)")
    spark.sql(f"INSERT INTO {TARGET} VALUES (1, 'one', 10)")
    wider = define("ALTER", "TABLE", "t", "a:i64? b:str? c:i32? d:i32", defaults=(None, "y", 5, 7))
    narrow = define("ALTER", "TABLE", "t", "a:i64? d:i32", defaults=(None, None))
    for made, schema, expected in (
        (wider, "struct<a:bigint,b:string,c:int,d:int>", [(1, "one", 10, 7), (2, "y", 5, 7)]),
        (narrow, "struct<a:bigint,d:int>", [(1, 7), (2, 7), (2, 7)]),
    ):
        for _ in range(2):
            substrait_sql.execute(spark, at(made), allow_writes=True)
            assert spark.table(TARGET).schema.simpleString() == schema
        spark.sql(f"INSERT INTO {TARGET} (a, d) VALUES (2, 7)")
        assert content(spark) == expected
    assert [f.nullable for f in spark.table(TARGET).schema] == [True, False]
    with pytest.raises(substrait_sql.UnsupportedError, match="SS2099 .*e for d"):
        substrait_sql.execute(
            spark, at(define("ALTER", "TABLE", "t", "a:i64? e:i32")), allow_writes=True
        )
    spark.sql(f"DROP TABLE {TARGET}")
