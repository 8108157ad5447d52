"""Plans that alter a table: the statements by what the table is, and what it is afterwards."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any

import pytest
import substrait.proto as pb

import substrait_sql
from substrait_sql.lower.writes.alterations import PresentTable, TableColumn
from tests.lower.relations.test_writes import DB, content, database, define, run

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pyspark.sql import SparkSession

__all__ = ["database"]
A = TableColumn("a", "INT", required=True)
B = TableColumn("B", "STRING", default="'x'")
DAY = TableColumn("day", "DATE", partition=True)


def alter(columns: str, defaults: Any = None) -> pb.Plan:
    return define("ALTER", "TABLE", "t", columns, defaults=defaults)


def texts(made: pb.Plan, *columns: TableColumn, plain: bool = False) -> list[str]:
    """The statements over a table of these columns."""
    known = PresentTable(columns, plain)
    rendered = substrait_sql.render(made, table_of=lambda names: known)
    return [s.sql.replace(f" {DB}.t", " t") for s in rendered.statements]


def test_new_columns() -> None:
    made = alter("a:i32 b:str? my-c:i64? d:date", (None, None, 7, dt.date(2024, 1, 1)))
    assert texts(made, A, B) == [
        "ALTER TABLE t\nADD COLUMNS (\n  `my-c` BIGINT DEFAULT 7L,\n  d DATE NOT NULL DEFAULT DATE '2024-01-01'\n)",
        "ALTER TABLE t\nALTER COLUMN b DROP DEFAULT",
    ]
    # A plan that says nothing of defaults leaves them.
    assert texts(alter("a:i32 B:str? c:i64?"), A, B) == [
        "ALTER TABLE t\nADD COLUMNS (\n  c BIGINT\n)"
    ]


def test_columns_that_stay() -> None:
    made = alter("a:i64? b:str?", (None, "y"))
    assert texts(made, A, B) == [
        "ALTER TABLE t\nALTER COLUMN b SET DEFAULT 'y'",
        "ALTER TABLE t\nALTER COLUMN a DROP NOT NULL",
        "ALTER TABLE t\nALTER COLUMN a TYPE BIGINT",
    ]


def test_columns_that_go() -> None:
    more = TableColumn("c d", "STRUCT<x: INT>"), TableColumn("e", "INT")
    made = alter("a:i32 b:str?", (None, "x"))
    assert texts(made, A, *more, B) == ["ALTER TABLE t\nDROP COLUMNS (`c d`, e)"]


def test_a_table_that_is_as_it_is_to_be() -> None:
    made = alter("a:i32 b:str?", (None, "x"))
    assert texts(made, A, B) == ["REFRESH TABLE t"]
    assert [
        s.kind
        for s in substrait_sql.render(made, table_of=lambda n: PresentTable((A, B))).statements
    ] == ["refresh_table"]


def test_tables_of_spark_itself() -> None:
    """New columns stand before those that a table is partitioned by, wherever the plan has them."""
    added = ["ALTER TABLE t\nADD COLUMNS (\n  c INT\n)"]
    for columns in ("a:i32 b:str? c:i32? day:date?", "a:i32 b:str? day:date? c:i32?"):
        assert texts(alter(columns), A, B, DAY, plain=True) == added
    without = TableColumn("a", "INT"), B
    made = alter("a:i32 b:str? c:i32", (None, "x", 1))
    assert texts(made, *without, plain=True) == [
        "ALTER TABLE t\nADD COLUMNS (\n  c INT DEFAULT 1\n)"
    ]
    known = PresentTable((A, B))
    rendered = substrait_sql.render(
        alter("a:i32 b:str? c:i32?"), table_of=lambda n: known, target_format="orc"
    )
    assert len(rendered.statements) == 1


@pytest.mark.parametrize(
    ("columns", "plain", "why"),
    [
        ("a:i32 c:str?", False, "c for B"),
        ("b:str? a:i32", False, "another order"),
        ("c:i32? a:i32 b:str?", False, "another order"),
        ("a:i32 c:i32? b:str?", True, "another order"),
        ("a:i32 b:str", False, "NOT NULL that may hold NULL: b"),
        ("a:i32 b:str? c:i32", False, "c is NOT NULL"),
        ("a:i32 b:list<str>?", False, "nested type of b"),
        ("a:i32", True, "no other change: B"),
        ("a:i64 b:str?", True, "no other change: a"),
        ("a:i32 b:str? c:i32", True, "c is NOT NULL"),
    ],
)  # fmt: skip
def test_what_is_refused(columns: str, plain: bool, why: str) -> None:
    with pytest.raises(substrait_sql.UnsupportedError, match=f"SS2099 .*{why}"):
        texts(alter(columns), A, B, plain=plain)


def test_a_table_that_nobody_knows() -> None:
    for table_of in (None, lambda names: None):
        with pytest.raises(substrait_sql.UnsupportedError, match="SS2099 .*depends on what it is"):
            substrait_sql.render(alter("a:i32"), table_of=table_of)


@pytest.mark.spark
def test_the_command(
    database: SparkSession, call: Callable[..., tuple[int, str, str]], tmp_path: Path
) -> None:
    """It asks the session before it can say what it would do."""
    spark = database
    spark.sql(f"CREATE TABLE {DB}.t (a INT) USING parquet")
    file = tmp_path / "p.pb"
    file.write_bytes(alter("a:i32? b:str?").SerializeToString())
    code, _, said = call("render", file)
    assert (code, "SS2099" in said) == (1, True)
    code, _, said = call("run", file)
    assert (code, "SS4014" in said) == (1, True)
    assert call("run", file, "--allow-writes", "--show-sql")[0] == 0
    assert spark.table(f"{DB}.t").columns == ["a", "b"]


@pytest.mark.spark
def test_a_table_is_altered(database: SparkSession) -> None:
    """What the session says of the table is enough; a second run changes nothing."""
    spark = database
    spark.sql(
        f"CREATE TABLE {DB}.t (a INT NOT NULL, b STRING DEFAULT 'x', p INT) USING parquet PARTITIONED BY (p)"
    )
    spark.sql(f"INSERT INTO {DB}.t VALUES (1, 'one', 1)")
    made = alter("a:i32 b:str? c:i64? s(x):struct<dec?<5,2>>? p:i32?", (None, "y", 7, None, None))
    for _ in range(2):
        run(spark, made)
        assert spark.table(f"{DB}.t").schema.simpleString() == (
            "struct<a:int,b:string,c:bigint,s:struct<x:decimal(5,2)>,p:int>"
        )
    spark.sql(f"INSERT INTO {DB}.t (a, p) VALUES (2, 1)")
    # The rows that were there have the default of the new column: so Spark adds one.
    assert content(spark, "t") == [(1, "one", 7, None, 1), (2, "y", 7, None, 1)]
    with pytest.raises(substrait_sql.UnsupportedError, match="no other change: s"):
        run(spark, alter("a:i32 b:str? c:i64? p:i32?"))
    with pytest.raises(substrait_sql.UnsupportedError, match="depends on what it is"):
        run(spark, define("ALTER", "TABLE", "none", "a:i32"))
