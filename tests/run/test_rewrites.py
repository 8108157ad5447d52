"""Updates and deletions in tables whose rows cannot be changed in place."""

from __future__ import annotations

import uuid
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlparse

import pytest
import substrait.proto as pb

import substrait_sql
from substrait_sql.text.rewrite import CHANGE, STEPS
from tests.lower.relations.test_writes import schema
from tests.support.build import R, add, eq, exists, gt, is_null, lit, parameter, plan, table
from tests.tools.kills import kill

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pyspark.sql import SparkSession

DB = "substrait_sql_rewrites"
COLUMNS = "id:i32 v:i32? part:str?"
T = table(f"{DB}.t", COLUMNS)
BEFORE = [(1, 10, "x"), (2, None, "x"), (2, None, "x"), (3, 30, "y"), (4, 40, None)]


def update(condition: Any, *changes: tuple[int, Any]) -> pb.Plan:
    message = pb.Rel()
    message.update.named_table.names.extend([DB, "t"])
    message.update.table_schema.CopyFrom(schema(COLUMNS))
    message.update.condition.CopyFrom(condition(T.row).message)
    for column, change in changes:
        made = change(T.row).message
        message.update.transformations.add(column_target=column, transformation=made)
    return plan((R(message, []), ""))


def delete(rows: R) -> pb.Plan:
    message = pb.Rel()
    message.write.named_table.names.extend([DB, "t"])
    message.write.table_schema.CopyFrom(schema(COLUMNS))
    message.write.op = pb.WriteRel.WriteOp.Value("WRITE_OP_DELETE")
    message.write.input.CopyFrom(rows.message)
    return plan((R(message, []), ""))


RAISED = update(lambda r: gt(r[1], lit(10, "i32")), (1, lambda r: add(r[1], r[0])))
AFTER = [(1, 10, "x"), (2, None, "x"), (2, None, "x"), (3, 33, "y"), (4, 44, None)]
DELETED = delete(T.filter(lambda r: gt(r[1], lit(10, "i32"))))
LEFT = [(1, 10, "x"), (2, None, "x"), (2, None, "x")]
SWAPPED = update(lambda r: eq(r[2], lit("x", "str")), (0, lambda r: add(r[0], lit(1, "i32"))),
                 (1, lambda r: r[0]))  # fmt: skip


@pytest.fixture
def database(spark: SparkSession) -> Iterator[SparkSession]:
    spark.sql(f"DROP DATABASE IF EXISTS {DB} CASCADE")
    spark.sql(f"CREATE DATABASE {DB}")
    yield spark
    spark.sql(f"DROP DATABASE {DB} CASCADE")


def fill(spark: SparkSession, how: str = "USING parquet") -> None:
    spark.sql(f"DROP TABLE IF EXISTS {DB}.t")
    spark.sql(f"CREATE TABLE {DB}.t (id INT, v INT, part STRING) {how}")
    spark.sql(
        f"INSERT INTO {DB}.t VALUES (1, 10, 'x'), (2, NULL, 'x'), (2, NULL, 'x'), (3, 30, 'y'), (4, 40, NULL)"
    )


def content(spark: SparkSession) -> list[tuple[Any, ...]]:
    rows = spark.sql(f"SELECT id, v, part FROM {DB}.t").collect()
    return sorted(map(tuple, rows), key=str)


def run(spark: SparkSession, made: pb.Plan, **options: Any) -> None:
    substrait_sql.execute(spark, made, allow_writes=True, **options)
    there = spark.sql(f"SHOW TABLES IN {DB}").collect()
    assert [r.tableName for r in there if not r.isTemporary] == ["t"]


def others(spark: SparkSession) -> R:
    spark.sql("CREATE OR REPLACE TEMPORARY VIEW kept_ids AS SELECT 3 AS a")
    return table("kept_ids", "a:i32")


FORMATS = ["USING parquet", "USING orc", "USING parquet PARTITIONED BY (part)"]


@pytest.mark.spark
@pytest.mark.parametrize("how", FORMATS)
def test_rows_are_changed(how: str, database: SparkSession) -> None:
    """A NULL condition changes and deletes nothing, equal rows stay as many as they were."""
    spark = database
    ids = others(spark)
    found = [
        (RAISED, AFTER),
        (DELETED, LEFT),
        (SWAPPED, [(2, 1, "x"), (3, 2, "x"), (3, 2, "x"), (3, 30, "y"), (4, 40, None)]),
        (delete(T), []),
        (delete(T.filter(lambda r: is_null(r[1]))), [BEFORE[0], *BEFORE[3:]]),
        (
            delete(T.filter(lambda r: exists(ids.filter(lambda u: eq(u[0], r.outer(0)))))),
            [*BEFORE[:3], BEFORE[4]],
        ),
        (
            update(
                lambda r: exists(ids.filter(lambda u: eq(u[0], r.outer(0)))),
                (1, lambda r: lit(None, "i32")),
            ),
            [*BEFORE[:3], (3, None, "y"), BEFORE[4]],
        ),
    ]
    for made, expected in found if how == FORMATS[0] else found[:2]:
        fill(spark, how)
        run(spark, made)
        assert content(spark) == sorted(expected, key=str)


@pytest.mark.spark
def test_a_session_that_overwrites_partitions(database: SparkSession) -> None:
    """Partitions that have no rows any more must go, whatever the session says of others."""
    spark = database
    fill(spark, "USING parquet PARTITIONED BY (part)")
    spark.conf.set("spark.sql.sources.partitionOverwriteMode", "dynamic")
    try:
        run(spark, delete(T.filter(lambda r: eq(r[2], lit("y", "str")))))
    finally:
        spark.conf.unset("spark.sql.sources.partitionOverwriteMode")
    assert content(spark) == sorted([*BEFORE[:3], BEFORE[4]], key=str)


@pytest.mark.spark
def test_a_run_that_ended_after_any_statement(database: SparkSession) -> None:
    """The plan runs again and does what is left, once: the update is one that would show if it happened twice."""
    spark = database
    stops = [(RAISED, AFTER, stop) for stop in range(len(CHANGE))]
    for made, after, stop in [*stops, (DELETED, LEFT, 2), (DELETED, LEFT, 3), (DELETED, LEFT, 4)]:
        fill(spark)
        _stopped(spark, made, stop)
        run(spark, made)
        assert content(spark) == sorted(after, key=str), stop


def _stopped(spark: SparkSession, made: pb.Plan, stop: int) -> None:
    """Runs the statements that `execute` would run, up to one at which Spark fails."""
    from substrait_sql.run import execute as module

    done = 0
    original = module.run_statement

    def failing(*given: Any, **named: Any) -> Any:
        nonlocal done
        if done == stop:
            raise KeyboardInterrupt
        done += 1
        return original(*given, **named)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "run_statement", failing)
        with pytest.raises(KeyboardInterrupt):
            substrait_sql.execute(spark, made, allow_writes=True)


@pytest.mark.spark
def test_a_table_that_was_half_overwritten(database: SparkSession) -> None:
    spark = database
    fill(spark)
    _stopped(spark, RAISED, 3)
    spark.sql(f"TRUNCATE TABLE {DB}.t")
    run(spark, RAISED)
    assert content(spark) == sorted(AFTER, key=str)


@pytest.mark.spark
def test_another_change_does_not_take_over(database: SparkSession) -> None:
    spark = database
    fill(spark)
    _stopped(spark, RAISED, 3)
    with pytest.raises(substrait_sql.ExecutionError, match="SS4026") as refused:
        substrait_sql.execute(spark, DELETED, allow_writes=True)
    # What the hint says is enough.
    text = refused.value.diagnostics[0].hint.partition("by hand: ")[2]
    for statement in text.split("; "):
        spark.sql(statement)
    assert content(spark) == sorted(AFTER, key=str)
    run(spark, DELETED)
    assert content(spark) == sorted(LEFT, key=str)
    # Before the rows were complete, and after they were in the table, nothing is in the way.
    for stop in (1, 2, 5, 6):
        fill(spark)
        _stopped(spark, RAISED, stop)
        run(spark, DELETED)
        assert content(spark) == sorted(LEFT, key=str)


@pytest.mark.spark
def test_parameters_are_part_of_the_change(database: SparkSession) -> None:
    spark = database
    made = update(lambda r: gt(r[0], parameter(1, "i32")), (1, lambda r: r[0]))
    fill(spark)
    run(spark, made, parameters={1: 3})
    assert content(spark) == sorted([*BEFORE[:4], (4, 4, None)], key=str)
    _stopped_with = substrait_sql.render(made, target_format="parquet")
    assert [s.kind for s in _stopped_with.statements] == list(CHANGE)


@pytest.mark.spark
def test_what_is_refused(database: SparkSession) -> None:
    spark = database
    fill(spark)
    given = {f"{DB}.t": spark.sql("SELECT 1 AS id, 2 AS v, '' AS part")}
    with pytest.raises(substrait_sql.ExecutionError, match="SS4025 .* given as rows"):
        substrait_sql.execute(spark, RAISED, allow_writes=True, tables=given)
    spark.sql(f"ALTER TABLE {DB}.t ADD COLUMNS (more INT)")
    with pytest.raises(substrait_sql.ExecutionError, match="SS4025 .* id, v, part, more"):
        substrait_sql.execute(spark, RAISED, allow_writes=True)
    assert content(spark) == sorted(BEFORE, key=str)
    several = pb.Plan()
    several.CopyFrom(DELETED)
    several.relations.extend(DELETED.relations)
    fill(spark)
    with pytest.raises(substrait_sql.ExecutionError, match="SS4031 .* 2 changes"):
        substrait_sql.execute(spark, several, allow_writes=True)
    run(spark, several, root=0)
    assert content(spark) == sorted(LEFT, key=str)


def replaced(rows: R, columns: str) -> pb.Plan:
    message = pb.Rel()
    message.write.named_table.names.extend([DB, "t"])
    message.write.table_schema.CopyFrom(schema(columns))
    message.write.op = pb.WriteRel.WriteOp.Value("WRITE_OP_CTAS")
    message.write.create_mode = pb.WriteRel.CreateMode.Value("CREATE_MODE_REPLACE_IF_EXISTS")
    message.write.input.CopyFrom(rows.message)
    return plan((R(message, []), ""))


@pytest.mark.spark
def test_tables_are_replaced(database: SparkSession) -> None:
    """By rows of the table itself, under other columns; whatever statement the run before ended in."""
    spark = database
    made = replaced(T.filter(lambda r: gt(r[1], lit(10, "i32"))).select(lambda r: [r[2], r[0]]),
                    "note:str? key:i32")  # fmt: skip
    kinds = [s.kind for s in substrait_sql.render(made, target_format="parquet").statements]
    assert kinds == [kind for kind in STEPS if kind != "rewrite_check"]
    for stop in (2, 3, 4, 5, 6, 8, len(kinds)):
        fill(spark)
        if stop < len(kinds):
            _stopped(spark, made, stop)
        if 3 <= stop < 5:
            with pytest.raises(substrait_sql.ExecutionError, match="(?s)SS4026 .*DROP TABLE IF"):
                substrait_sql.execute(spark, replaced(T, COLUMNS), allow_writes=True)
        run(spark, made)
        rows = spark.sql(f"SELECT note, key FROM {DB}.t").collect()
        assert sorted(map(tuple, rows), key=str) == [("y", 3), (None, 4)], stop


@pytest.mark.spark
def test_tables_that_are_not_there_are_made(database: SparkSession) -> None:
    spark = database
    made = replaced(table("kept_ids", "a:i32"), "only:i32")
    others(spark)
    run(spark, made)
    assert [tuple(r) for r in spark.table(f"{DB}.t").collect()] == [(3,)]
    message = pb.Rel()
    message.ddl.named_object.names.extend([DB, "t"])
    message.ddl.object = 1
    message.ddl.op = 2
    message.ddl.table_schema.CopyFrom(schema("other:i64?"))
    for _ in range(2):
        run(spark, plan((R(message, []), "")))
        assert spark.table(f"{DB}.t").schema.simpleString() == "struct<other:bigint>"


def test_the_format_decides(call: Callable[..., tuple[int, str, str]], tmp_path: Any) -> None:
    file = tmp_path / "p.pb"
    file.write_bytes(RAISED.SerializeToString())
    for given, kinds in (("delta", ["update"]), ("iceberg", ["update"]), ("ORC", list(CHANGE))):
        made = substrait_sql.render(RAISED, target_format=given)
        assert [s.kind for s in made.statements] == kinds
        assert call("render", file, "--target-format", given)[1].strip() == made.sql
    by_name = {(DB, "t"): "parquet", (): "delta"}
    assert len(substrait_sql.render(RAISED, target_format=by_name).statements) == len(CHANGE)
    assert substrait_sql.render(DELETED).statements[0].kind == "delete"


@pytest.mark.slow
@pytest.mark.spark
def test_killed() -> None:
    """Once of the many times that ``python -m tests.tools.kills`` does it: while the table is overwritten."""
    report = kill([("rewrite_swap", 0.5)])
    assert (report.kills.total(), report.lost, report.wrong, report.twice) == (1, 0, 0, 0)


def stray(spark: SparkSession) -> None:
    """A row of another application: this session does not hear of it."""
    spark.sql(f"CREATE TABLE {DB}.other USING parquet AS SELECT 9 AS id, 1 AS v, 'z' AS part")
    (path,) = spark.table(f"{DB}.other").inputFiles()
    file = Path(unquote(urlparse(path).path))
    (file.parent.parent / "t" / f"part-{uuid.uuid4().hex}.parquet").write_bytes(file.read_bytes())
    spark.sql(f"DROP TABLE {DB}.other")


STRAY = (9, 1, "z")


def meanwhile(spark: SparkSession, after: str, act: Callable[[], None]) -> str:
    """Runs an update, and something of another's right behind one of its statements. The message that it ends with."""
    from substrait_sql.run import execute as module

    original, done = module.run_statement, False

    def acting(spark: SparkSession, statement: Any, *given: Any, **named: Any) -> Any:
        nonlocal done
        found = original(spark, statement, *given, **named)
        if statement.kind == after and not done:
            done = True
            act()
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "run_statement", acting)
        with pytest.raises(substrait_sql.ExecutionError) as refused:
            substrait_sql.execute(spark, RAISED, allow_writes=True)
    return str(refused.value)


def second_tables(spark: SparkSession) -> list[str]:
    there = spark.sql(f"SHOW TABLES IN {DB}").collect()
    return [r.tableName for r in there if not r.isTemporary and r.tableName != "t"]


def by_hand(spark: SparkSession, message: str) -> None:
    """What the message says, with the row of the other application."""
    (second,) = second_tables(spark)
    spark.sql(f"INSERT INTO {DB}.{second} VALUES {STRAY}")
    for statement in message.partition("by hand: ")[2].strip().split("; "):
        spark.sql(statement)


@pytest.mark.spark
def test_rows_of_others(database: SparkSession) -> None:
    """None is lost: of before the change, during it, and after a run that ended inside of it."""
    spark = database
    fill(spark)
    assert len(content(spark)) == 5, "Spark remembers the files of a table that it has read"
    stray(spark)
    run(spark, DELETED)
    assert content(spark) == sorted([*LEFT, STRAY], key=str)
    fill(spark)
    assert "SS4030" in meanwhile(spark, "rewrite_fill", lambda: stray(spark))
    run(spark, RAISED)
    assert content(spark) == sorted([*AFTER, STRAY], key=str)
    fill(spark)
    by_hand(spark, meanwhile(spark, "rewrite_swap", lambda: stray(spark)))
    assert content(spark) == sorted([*AFTER, STRAY], key=str)
    for stop in (3, 4):
        fill(spark)
        _stopped(spark, RAISED, stop)
        if stop == 3:
            spark.sql(f"TRUNCATE TABLE {DB}.t")
        stray(spark)
        with pytest.raises(substrait_sql.ExecutionError, match="(?s)SS4030.*added rows") as refused:
            substrait_sql.execute(spark, RAISED, allow_writes=True)
        assert STRAY in content(spark)
        by_hand(spark, str(refused.value))
        assert content(spark) == sorted([*AFTER, STRAY], key=str)


@pytest.mark.spark
def test_two_runs_at_a_time(database: SparkSession) -> None:
    """The one that began first is stopped from overwriting what the other has made."""
    spark = database
    fill(spark)
    message = meanwhile(
        spark, "rewrite_fill",
        lambda: substrait_sql.execute(spark, DELETED, allow_writes=True),  # type: ignore[arg-type, return-value]
    )  # fmt: skip
    assert "SS4030" in message
    assert (content(spark), second_tables(spark)) == (sorted(LEFT, key=str), [])


@pytest.mark.spark
def test_a_table_that_is_another_by_now(database: SparkSession) -> None:
    spark = database
    fill(spark)
    _stopped(spark, RAISED, 4)
    spark.sql(f"ALTER TABLE {DB}.t ADD COLUMNS (more INT)")
    with pytest.raises(substrait_sql.ExecutionError, match="SS4025 .*other columns"):
        substrait_sql.execute(spark, RAISED, allow_writes=True)
    assert content(spark) == sorted(AFTER, key=str)


@pytest.mark.spark
def test_tables_of_others_are_left_alone(database: SparkSession) -> None:
    spark = database
    fill(spark)
    spark.sql(f"CREATE TABLE {DB}.t__staging USING parquet AS SELECT 1 AS theirs")
    spark.sql(f"CREATE TABLE {DB}.t__staging_0123abcd USING parquet AS SELECT 2 AS theirs")
    substrait_sql.execute(spark, RAISED, allow_writes=True)
    assert content(spark) == sorted(AFTER, key=str)
    assert second_tables(spark) == ["t__staging", "t__staging_0123abcd"]
    assert [r[0] for r in spark.table(f"{DB}.t__staging").collect()] == [1]
    # A temporary view of the target's name: Spark would drop it for DROP TABLE.
    spark.sql("CREATE OR REPLACE TEMPORARY VIEW t AS SELECT 7 AS seven")
    message = pb.Rel()
    message.CopyFrom(replaced(T, COLUMNS).relations[0].root.input)
    message.write.named_table.names[:] = ["t"]
    with pytest.raises(substrait_sql.ExecutionError):
        substrait_sql.execute(spark, plan((R(message, []), "")), allow_writes=True)
    assert [r[0] for r in spark.table("t").collect()] == [7]
    spark.catalog.dropTempView("t")


@pytest.mark.spark
def test_what_the_table_is_stays(database: SparkSession, tmp_path: Path) -> None:
    """Its place, comments, properties, defaults and the views over it."""
    spark = database
    spark.sql(
        f"CREATE TABLE {DB}.t (id INT COMMENT 'key', v INT DEFAULT 7, part STRING) USING parquet "
        f"PARTITIONED BY (part) LOCATION '{tmp_path}/t' COMMENT 'all' TBLPROPERTIES ('k' = 'v')"
    )
    spark.sql(f"INSERT INTO {DB}.t VALUES (1, 10, 'x'), (4, 40, NULL)")
    spark.sql(f"CREATE VIEW {DB}.over AS SELECT id, v FROM {DB}.t WHERE v > 40")

    def described() -> list[tuple[Any, ...]]:
        rows = spark.sql(f"DESCRIBE TABLE EXTENDED {DB}.t").collect()
        return [tuple(r) for r in rows if r[0] not in ("Statistics", "Last Access")]

    before = described()
    substrait_sql.execute(spark, RAISED, allow_writes=True)
    assert described() == before
    assert [tuple(r) for r in spark.table(f"{DB}.over").collect()] == [(4, 44)]
    spark.sql(f"INSERT INTO {DB}.t (id) VALUES (5)")
    assert content(spark) == sorted([(1, 10, "x"), (4, 44, None), (5, 7, None)], key=str)


@pytest.mark.spark
def test_names_of_tables(database: SparkSession) -> None:
    """Of one part and of three, whatever their case."""
    spark = database
    spark.sql(f"USE {DB}")
    try:
        for names in (["T"], ["spark_catalog", DB.upper(), "t"]):
            fill(spark)
            message = pb.Rel()
            message.CopyFrom(RAISED.relations[0].root.input)
            message.update.named_table.names[:] = names
            moved = pb.Plan()
            moved.CopyFrom(RAISED)
            moved.relations[0].root.input.CopyFrom(message)
            _stopped(spark, moved, 3)
            run(spark, moved)
            assert content(spark) == sorted(AFTER, key=str)
    finally:
        spark.sql("USE default")


HOSTILE = ["id", "a.b", "q`w", "# Detailed Table Information", "ü;--", "_metadata"]


@pytest.mark.spark
def test_names_of_columns(database: SparkSession) -> None:
    spark = database
    quoted = ["`" + n.replace("`", "``") + "`" for n in HOSTILE]
    spark.sql(f"CREATE TABLE {DB}.t ({', '.join(q + ' INT' for q in quoted)}) USING parquet")
    spark.sql(f"INSERT INTO {DB}.t VALUES (1, 2, 3, 4, 5, 6), (2, 2, 3, 4, 5, 6)")
    message = pb.Rel()
    message.update.named_table.names.extend([DB, "t"])
    message.update.table_schema.CopyFrom(schema(" ".join(f"c{i}:i32?" for i in range(6))))
    message.update.table_schema.names[:] = HOSTILE
    row = table("t", " ".join(f"c{i}:i32?" for i in range(6))).row
    message.update.condition.CopyFrom(gt(row[0], lit(1, "i32")).message)
    for i in range(1, 6):
        message.update.transformations.add(
            column_target=i, transformation=add(row[i], row[0]).message
        )
    run(spark, plan((R(message, []), "")))
    found = sorted(map(tuple, spark.sql(f"SELECT * FROM {DB}.t").collect()))
    assert found == [(1, 2, 3, 4, 5, 6), (2, 4, 5, 6, 7, 8)]


@pytest.mark.spark
def test_values_that_a_table_does_not_hold(database: SparkSession) -> None:
    """A text format, a partition of an empty text: the table stays what it was."""
    spark = database
    empty = update(lambda r: gt(r[0], lit(3, "i32")), (2, lambda r: lit("", "str")))
    blank = update(lambda r: gt(r[0], lit(3, "i32")), (2, lambda r: lit(" x", "str")))
    for how, made, held in (
        ("USING parquet PARTITIONED BY (part)", empty, False),
        ("USING parquet PARTITIONED BY (part)", blank, True),
        ("USING csv", blank, False),
        ("USING csv", RAISED, True),
        ("USING json", blank, True),
        ("USING parquet", empty, True),
    ):
        fill(spark, how)
        if held:
            run(spark, made)
            expected = {id(RAISED): AFTER, id(empty): [*BEFORE[:4], (4, 40, "")]}.get(
                id(made), [*BEFORE[:4], (4, 40, " x")]
            )
        else:
            with pytest.raises(substrait_sql.ExecutionError, match="SS4032"):
                run(spark, made)
            expected = BEFORE
        assert (content(spark), second_tables(spark)) == (sorted(expected, key=str), []), how


@pytest.mark.spark
def test_rows_that_cannot_be_read_or_made(database: SparkSession) -> None:
    """A session that passes over broken files, a value that overflows: nothing is changed, nothing stays behind."""
    spark = database
    fill(spark)
    far = update(lambda r: gt(r[0], lit(3, "i32")), (1, lambda r: add(r[1], lit(2**31 - 1, "i32"))))
    with pytest.raises(substrait_sql.ExecutionError, match="ARITHMETIC_OVERFLOW"):
        substrait_sql.execute(spark, far, allow_writes=True)
    assert (content(spark), second_tables(spark)) == (sorted(BEFORE, key=str), [])
    path = Path(unquote(urlparse(spark.table(f"{DB}.t").inputFiles()[0]).path))
    (path.parent / "part-9.parquet").write_bytes(b"PAR1 is not all of it")
    spark.conf.set("spark.sql.files.ignoreCorruptFiles", "true")
    try:
        with pytest.raises(substrait_sql.ExecutionError, match="part-9"):
            substrait_sql.execute(spark, RAISED, allow_writes=True)
        assert (content(spark), second_tables(spark)) == (sorted(BEFORE, key=str), [])
    finally:
        spark.conf.unset("spark.sql.files.ignoreCorruptFiles")
    spark.conf.set("spark.sql.parquet.outputTimestampType", "TIMESTAMP_MILLIS")
    try:
        with pytest.raises(substrait_sql.ExecutionError, match="SS4021"):
            substrait_sql.execute(spark, replaced(T, COLUMNS), allow_writes=True)
    finally:
        spark.conf.unset("spark.sql.parquet.outputTimestampType")


@pytest.mark.spark
@pytest.mark.parametrize(
    ("type", "declared", "value"),
    [
        ("STRUCT<b: INT, a: INT>", "STRUCT<a: INT, b: INT>", "named_struct('b', 20, 'a', 10)"),
        (
            "ARRAY<STRUCT<b: INT, a: INT>>",
            "ARRAY<STRUCT<a: INT, b: INT>>",
            "array(named_struct('b', 20, 'a', 10))",
        ),
        ("INT", "DECIMAL(12, 2)", "7"),
        ("DECIMAL(10, 1)", "DECIMAL(12, 3)", "1.5"),
        ("FLOAT", "DOUBLE", "CAST(1.5 AS FLOAT)"),
        ("DATE", "TIMESTAMP_NTZ", "DATE '2020-01-01'"),
    ],
)
def test_columns_that_would_hold_other_values(
    type: str, declared: str, value: str, spark: SparkSession
) -> None:
    """Spark writes structs by place, and rounds and cuts without a word; the rows that nobody changed, too."""
    spark.sql(f"CREATE DATABASE IF NOT EXISTS {DB}")
    spark.sql(f"DROP TABLE IF EXISTS {DB}.alike")
    spark.sql(f"CREATE TABLE {DB}.alike (id INT, x {type}) USING parquet")
    spark.sql(f"INSERT INTO {DB}.alike VALUES (1, {value}), (2, {value})")
    before = spark.table(f"{DB}.alike").collect()
    try:
        for schema, refused in ((declared, True), (type, False)):
            made = substrait_sql.to_plan(
                f"UPDATE {DB}.alike SET id = id + 4 WHERE id = 1",
                schema={DB: {"alike": {"id": "INT", "x": schema}}},
            )
            if refused:
                with pytest.raises(substrait_sql.ExecutionError, match="SS4025 .* x is "):
                    substrait_sql.execute(spark, made, allow_writes=True)
                assert spark.table(f"{DB}.alike").collect() == before
        substrait_sql.execute(spark, made, allow_writes=True)
        found = sorted(spark.table(f"{DB}.alike").collect())
        assert found == [(2, before[0][1]), (5, before[0][1])]
    finally:
        spark.sql(f"DROP TABLE IF EXISTS {DB}.alike")
