"""`save`: rows into folders of files and tables, which have all of them or are as they were."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from substrait_sql import (
    ExecutionError,
    Policy,
    PolicyError,
    Saved,
    execute,
    running,
    save,
    to_plan,
)
from substrait_sql.run.targets.tables import TableSink
from tests.support.sessions import configured

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql import DataFrame, SparkSession

DB = "substrait_sql_saved"
SCHEMA = {"people": "id INT, name STRING, day DATE"}
PLAN = to_plan("SELECT id, name, day FROM people", schema=SCHEMA)
FEW = to_plan("SELECT id, name, day FROM people WHERE id < 2", schema=SCHEMA)
FAILS = to_plan("SELECT CAST(10 / (id - 3) AS INT) AS id, name, day FROM people", schema=SCHEMA)
ROWS = (
    "CAST(id AS INT) AS id, concat('n ', id) AS name, DATE'2020-01-01' + CAST(id % 3 AS INT) AS day"
)
EVERYTHING = """SELECT true AS b, 1Y AS i1, 2S AS i2, 3 AS i4, 4L AS i8, CAST('NaN' AS FLOAT) AS f4, -0.1D AS f8,
    CAST(-1.50 AS DECIMAL(38, 10)) AS d, ' a"\\\\,\\n ' AS s, '' AS e, CAST(NULL AS STRING) AS n, X'00FF' AS x,
    DATE'0001-01-02' AS day, TIMESTAMP'2020-01-02 03:04:05.123456Z' AS z,
    TIMESTAMP_NTZ'1960-01-02 03:04:05.000001' AS t,
    INTERVAL '1-2' YEAR TO MONTH AS ym, INTERVAL '1 02:03:04.5' DAY TO SECOND AS ds, array(1, NULL) AS a,
    map('k', 1.5) AS m, named_struct('p', 1, 'q', array(X'01')) AS r FROM range(0, 3, 1, 2)"""
TEXTS = ("a", "m", "r", "x", "e")
"""What CSV has no place for, and the empty text, which its reader takes for NULL."""


@pytest.fixture(scope="module")
def people(spark: SparkSession) -> DataFrame:
    return spark.sql(f"SELECT {ROWS} FROM range(0, 6, 1, 2)")


@pytest.fixture
def database(spark: SparkSession) -> Iterator[SparkSession]:
    spark.sql(f"CREATE DATABASE {DB}")
    yield spark
    spark.sql(f"DROP DATABASE {DB} CASCADE")


def read(spark: SparkSession, path: Path, form: str = "parquet", schema: Any = None) -> list[Any]:
    reader = spark.read.format(form).options(multiLine=form == "csv", header=True, escape='"')
    return rows((reader if schema is None else reader.schema(schema)).load(str(path)))


def rows(frame: DataFrame) -> list[Any]:
    # Python has no value for months.
    shown = (
        frame.selectExpr("* EXCEPT (ym)", "CAST(ym AS STRING)") if "ym" in frame.columns else frame
    )
    return sorted(map(tuple, shown.collect()), key=str)


def visible(folder: Path) -> list[str]:
    return sorted(os.listdir(folder))


@pytest.mark.parametrize("form", ["parquet", "orc", "csv", "json"])
def test_every_type_and_mode(spark: SparkSession, tmp_path: Path, form: str) -> None:
    frame = spark.sql(EVERYTHING)
    frame = frame.drop(*TEXTS) if form == "csv" else frame
    columns = ", ".join(f"`{f.name}` {f.dataType.simpleString()}" for f in frame.schema.fields)
    plan = to_plan("SELECT * FROM t", schema={"t": columns})
    path, given = tmp_path / f"every thing.{form}", {"t": frame}

    def put(mode: str) -> Saved:
        return save(spark, plan, to_files=path, mode=mode, tables=given)

    def there() -> list[Any]:
        return read(spark, path, form, frame.schema)

    if form == "parquet":
        coarse = {"spark.sql.parquet.outputTimestampType": "TIMESTAMP_MILLIS"}
        with configured(spark, coarse), pytest.raises(ExecutionError, match="SS4021"):
            put("fail")
    assert put("fail") == Saved(str(path), True, 3)
    assert str(there()) == str(rows(frame))
    assert put("append").rows == 3
    assert len(there()) == 6
    if form != "parquet":
        return
    with pytest.raises(ExecutionError, match="SS4070 .* is there already"):
        put("fail")
    assert put("ignore") == Saved(str(path), False)
    assert put("overwrite").rows == 3
    assert str(there()) == str(rows(frame))
    assert visible(tmp_path) == [path.name]


def test_partitions(spark: SparkSession, people: DataFrame, tmp_path: Path) -> None:
    given: dict[str, Any] = {
        "tables": {"people": people},
        "to_files": tmp_path / "p",
        "format": "orc",
    }
    save(spark, PLAN, **given, partition_by=["DAY"])
    found = [n for n in visible(tmp_path / "p") if n[0] not in "._"]
    assert found == [f"day=2020-01-0{i}" for i in (1, 2, 3)]
    save(spark, FEW, **given, partition_by=["day"], mode="append")
    assert len(read(spark, tmp_path / "p", "orc")) == 8
    # Partitions that have no rows any more are gone.
    save(spark, FEW, **given, partition_by=["day"], mode="overwrite")
    assert read(spark, tmp_path / "p", "orc") == rows(people.where("id < 2"))
    with pytest.raises(ExecutionError, match="SS4071 .* it is partitioned by day"):
        save(spark, FEW, **given, mode="append")


def test_a_plan_that_reads_what_it_overwrites(
    spark: SparkSession, people: DataFrame, tmp_path: Path
) -> None:
    path = tmp_path / "p.parquet"
    save(spark, PLAN, to_files=path, tables={"people": people})
    save(spark, FEW, to_files=path, tables={"people": path}, mode="overwrite")
    assert read(spark, path) == rows(people.where("id < 2"))
    save(spark, PLAN, to_files=path, tables={"people": path}, mode="append")
    assert len(read(spark, path)) == 4


@pytest.mark.parametrize("mode", ["fail", "overwrite", "append"])
def test_a_plan_that_fails_on_the_way(
    spark: SparkSession, people: DataFrame, tmp_path: Path, mode: str
) -> None:
    """Some rows are written before one cannot be computed, or there are too many of them."""
    path = tmp_path / "deep" / "p"
    if mode != "fail":
        save(spark, FEW, to_files=path, format="parquet", tables={"people": people})
    before = read(spark, path) if mode != "fail" else []
    given: dict[str, Any] = {"to_files": path, "format": "parquet", "tables": {"people": people}}
    for plan, most, code in [
        (FAILS, None, "SS4010 .*DIVIDE_BY_ZERO"),
        (PLAN, 5, "SS4074 the result has 6 rows, and 5 are allowed"),
    ]:
        with pytest.raises(ExecutionError, match=code):
            save(spark, plan, mode=mode, max_rows=most, **given)
        if mode == "fail":
            assert visible(tmp_path) == []
        else:
            assert read(spark, path) == before
            assert visible(path.parent) == ["p"]


@pytest.mark.parametrize(
    ("sql", "options", "said"),
    [
        ("SELECT id, id + 1 AS ID FROM people", {}, "SS4071 .*two columns are called id"),
        ("SELECT * FROM people", {"partition_by": ["nope"]}, "SS4071 .*no column nope to .*; columns: id, name"),
        ("SELECT id, CAST(id AS DOUBLE) AS f FROM people", {"partition_by": "f"}, "SS4071 .*the column f is double"),
        ("SELECT id FROM people", {"partition_by": ["id"]}, "SS4071 .*none is left"),
        ("SELECT array(id) AS a, X'00' AS x FROM people", {"format": "csv"}, "SS4071 .*a is array<int>.*; x is"),
        ("SELECT map(id, name) AS m FROM people", {"format": "json"}, "SS4071 .*m.key is int"),
        ("SELECT * FROM people", {"format": "xml"}, "SS4073 there is no format 'xml'"),
        ("SELECT * FROM people", {"mode": "merge"}, "SS4073 there is no mode 'merge'"),
        ("SELECT * FROM people", {"to_table": "t"}, "SS4073 give a table or a folder"),
        ("SELECT * FROM people", {"to_files": "s3a://lake/x.orc"}, "SS4072 .* is on s3a"),
        ("SELECT id, '' AS p FROM people", {"partition_by": ["p"]}, "SS4010 .*a text to partition by is empty"),
    ],
)  # fmt: skip
def test_what_files_cannot_hold(
    spark: SparkSession,
    people: DataFrame,
    tmp_path: Path,
    sql: str,
    options: dict[str, Any],
    said: str,
) -> None:
    given = {
        "to_files": tmp_path / "p",
        "format": "parquet",
        "tables": {"people": people},
    } | options
    with pytest.raises(ExecutionError, match=said):
        save(spark, to_plan(sql, schema=SCHEMA), **given)
    assert visible(tmp_path) == []


def test_folders_that_are_not_ours(spark: SparkSession, people: DataFrame, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    (tmp_path / "inner").mkdir()
    given: dict[str, Any] = {"format": "parquet", "tables": {"people": people}}
    with pytest.raises(
        ExecutionError, match=r"SS4072 .* has more in it than data: inner, notes.txt"
    ):
        save(spark, PLAN, to_files=tmp_path, mode="overwrite", **given)
    with pytest.raises(ExecutionError, match="SS4013 cannot write"):
        save(spark, PLAN, to_files=tmp_path / "notes.txt" / "x", **given)
    save(spark, PLAN, to_files=tmp_path / "csv", mode="append", **given | {"format": "csv"})
    other = to_plan("SELECT name, id FROM people", schema=SCHEMA)
    with pytest.raises(ExecutionError, match="SS4071 .* its files have the columns id, name, day"):
        save(spark, other, to_files=tmp_path / "csv", mode="append", **given | {"format": "csv"})


def test_links(spark: SparkSession, people: DataFrame, tmp_path: Path) -> None:
    """A link stays one: its folder gets the rows."""
    (tmp_path / "link").symlink_to(tmp_path / "real")
    given: dict[str, Any] = {"format": "parquet", "tables": {"people": people}}
    save(spark, PLAN, to_files=tmp_path / "link", **given)
    save(spark, FEW, to_files=tmp_path / "link", mode="overwrite", **given)
    assert (tmp_path / "link").is_symlink()
    assert read(spark, tmp_path / "real") == rows(people.where("id < 2"))
    assert visible(tmp_path) == ["link", "real"]


# Policies -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("target", "code"),
    [
        ("{root}/in/p", ""),
        ("file:{root}/in/p", ""),
        ("{root}/out/p", "SS4063"),
        ("{root}/in/../out/p", "SS4063"),
        ("{root}/in/link/p", "SS4063"),
        ("{root}/in/link", "SS4063"),
        ("{root}/in/%252e%252e/p", "SS4063"),
        ("file://localhost{root}/out/p", "SS4063"),
        ("//{root}/in/p", "SS4063"),
        ("{root}/in-too/p", "SS4063"),
    ],
)
def test_a_policy_holds_folders(
    spark: SparkSession, people: DataFrame, tmp_path: Path, target: str, code: str
) -> None:
    for name in ("in", "out"):
        (tmp_path / name).mkdir()
    (tmp_path / "in" / "link").symlink_to(tmp_path / "out")
    policy = Policy(file_roots=[str(tmp_path / "in")], formats=["parquet"])
    given: dict[str, Any] = {"format": "parquet", "tables": {"people": people}, "policy": policy}
    where = target.format(root=tmp_path)
    if not code:
        assert save(spark, FEW, to_files=where, **given).rows == 2
        with pytest.raises(PolicyError, match="SS4064 .* used as orc"):
            save(spark, FEW, to_files=where, **given | {"format": "orc"})
        with pytest.raises(PolicyError, match="SS4062 the policy allows no writes"):
            save(spark, FEW, to_files=where, **given | {"policy": Policy(allow_writes=False)})
        return
    with pytest.raises(PolicyError, match=code):
        save(spark, FEW, to_files=where, **given)
    assert visible(tmp_path / "out") == []


def test_a_policy_holds_tables(database: SparkSession, people: DataFrame) -> None:
    policy = Policy(write_tables=[f"{DB}.good_*"])
    given: dict[str, Any] = {"tables": {"people": people}, "policy": policy}
    assert save(database, FEW, to_table=f"{DB}.good_one", **given).rows == 2
    for name in (f"{DB}.bad", "good_one", f"spark_catalog.{DB}.good_one", f"`{DB}.good_two`"):
        with pytest.raises(PolicyError, match="SS4062"):
            save(database, FEW, to_table=name, mode="overwrite", **given)


# Tables -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{}, {"format": "orc", "partition_by": ["day"]}])
def test_tables(database: SparkSession, people: DataFrame, options: dict[str, Any]) -> None:
    spark, name = database, f"spark_catalog.{DB}.t"

    def put(mode: str, plan: Any = PLAN, **more: Any) -> Saved:
        return save(
            spark, plan, to_table=name, mode=mode, tables={"people": people}, **options, **more
        )

    def there() -> list[Any]:
        return rows(spark.sql(f"SELECT id, name, day FROM {name}"))

    assert put("append") == Saved(name, True, 6)
    assert there() == rows(people)
    if options:
        assert spark.sql(f"SHOW PARTITIONS {name}").count() == 3
    with pytest.raises(ExecutionError, match="SS4070"):
        put("fail")
    assert put("ignore") == Saved(name, False)
    put("append", FEW)
    assert len(there()) == 8
    assert put("overwrite", FEW).rows == 2
    assert there() == rows(people.where("id < 2"))
    for mode in ("overwrite", "append"):
        for plan, most in ((FAILS, None), (PLAN, 5)):
            with pytest.raises(ExecutionError, match="SS4010|SS4074"):
                put(mode, plan, max_rows=most)
    assert there() == rows(people.where("id < 2"))
    # The table reads itself.
    again = save(spark, PLAN, to_table=name, mode="overwrite", tables={"people": spark.table(name)})
    assert again.rows == 2
    assert there() == rows(people.where("id < 2"))
    assert tables(spark) == ["t"]
    assert spark.sql(f"SHOW TBLPROPERTIES {name}").count() == 0


def tables(spark: SparkSession) -> list[str]:
    return [r.tableName for r in spark.sql(f"SHOW TABLES IN {DB}").collect() if not r.isTemporary]


def test_what_a_table_cannot_hold(database: SparkSession, people: DataFrame) -> None:
    spark = database
    spark.sql(f"CREATE TABLE {DB}.t (id BIGINT, name STRING, day STRING) USING parquet")
    spark.sql(f"CREATE TABLE {DB}.c (id INT, name STRING, day DATE) USING csv")
    spark.sql(f"CREATE VIEW {DB}.v AS SELECT 1 AS a")
    for name, mode, options, said in [
        ("t", "append", {}, "SS4071 .*day is date, and there string"),
        ("t", "overwrite", {"plan": to_plan("SELECT id, name AS n FROM people", schema=SCHEMA)},
         "SS4071 .*it has no column n; the rows have no column name; the rows have no column day"),
        ("t", "append", {"partition_by": ["id"]}, "SS4073 .* is partitioned by nothing"),
        ("t", "append", {"format": "orc"}, "SS4073 .* is of parquet"),
        ("c", "append", {}, "SS4073 .* is of csv"),
        ("v", "overwrite", {}, "SS4073 .* is a view"),
        ("n", "fail", {"format": "csv"}, "SS4073 a table of csv"),
        ("n", "fail", {"partition_by": ["x"]}, "SS4071 .*no column x"),
        ("a b", "fail", {}, "SS4010|SS3201"),
    ]:  # fmt: skip
        given: dict[str, Any] = {"plan": PLAN, "tables": {"people": people}} | options
        with pytest.raises(ExecutionError, match=said):
            save(spark, given.pop("plan"), to_table=f"{DB}.{name}", mode=mode, **given)
    assert tables(spark) == ["c", "t", "v"]
    # Numbers of a wider type are no other ones.
    ids = to_plan("SELECT id, name, name AS day FROM people", schema=SCHEMA)
    save(spark, ids, to_table=f"{DB}.t", mode="append", tables={"people": people})
    assert spark.table(f"{DB}.t").count() == 6


class Dead(BaseException):
    """The process was killed: nothing that it does has an effect any more."""


@pytest.mark.parametrize("mode", ["fail", "overwrite"])
def test_a_process_that_dies_before_any_statement(
    database: SparkSession, people: DataFrame, mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next run, of another plan, gives the table its rows, all of them and no others, and leaves nothing behind."""
    spark, name = database, f"{DB}.t"
    original, given = TableSink._run, {"tables": {"people": people}}
    stop = 0
    save(spark, PLAN, to_table=name, **given)
    three = to_plan("SELECT id, name, day FROM people WHERE id < 3", schema=SCHEMA)
    whole = [rows(people), rows(people.where("id < 2")), rows(people.where("id < 3"))]
    while True:
        if mode == "fail":
            spark.sql(f"DROP TABLE {name}")
        died = dies_at(spark, original, stop, name, mode, given, monkeypatch)
        if tables(spark) == ["t"]:
            assert rows(spark.sql(f"SELECT id, name, day FROM {name}")) in whole
        save(spark, three, to_table=name, mode="overwrite", **given)
        assert rows(spark.sql(f"SELECT id, name, day FROM {name}")) == whole[2]
        assert tables(spark) == ["t"]
        if not died:
            break
        stop += 1
    assert stop > 2


def dies_at(
    spark: Any, original: Any, stop: int, name: str, mode: str, given: Any, patch: Any
) -> bool:
    done = 0

    def run(self: TableSink, text: str) -> Any:
        nonlocal done
        if done >= stop:
            raise Dead
        done += 1
        return original(self, text)

    with patch.context() as inner:
        inner.setattr(TableSink, "_run", run)
        try:
            save(spark, FEW, to_table=name, mode=mode, **given)
        except Dead:
            return True
    return False


@pytest.mark.parametrize("mode", ["fail", "overwrite"])
def test_rows_that_are_cancelled_on_the_way_leave_no_folder(
    database: SparkSession, people: DataFrame, mode: str
) -> None:
    spark, name = database, f"{DB}.t"
    place = next(r[1] for r in spark.sql(f"DESCRIBE DATABASE {DB}").collect() if r[0] == "Location")
    folder = Path(place.removeprefix("file:"))
    if mode == "overwrite":
        save(spark, PLAN, to_table=name, tables={"people": people})
    before = rows(spark.table(name)) if mode == "overwrite" else []
    # Long enough to be cancelled, and no longer: were its tasks not to end, the suite would wait for them.
    long = spark.sql(
        "SELECT CAST(id % 7 AS INT) AS id, 'x' AS name, DATE'2024-01-01' AS day FROM range(0, 80000000, 1, 4)"
    ).select(*people.columns)
    given: dict[str, Any] = {"mode": mode, "tables": {"people": long}}
    with pytest.raises(ExecutionError, match="SS4050"), running(spark, timeout=3):
        save(spark, PLAN, to_table=name, **given)
    assert [p.name for p in folder.iterdir()] == (["t"] if before else [])
    assert tables(spark) == (["t"] if before else [])
    assert not before or rows(spark.table(name)) == before


def test_a_half_overwritten_table_is_finished_first(
    database: SparkSession, people: DataFrame, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows are added to those that the run before was to leave; another change of the table is not undone."""
    spark, name = database, f"{DB}.t"
    given = {"tables": {"people": people}}
    save(spark, PLAN, to_table=name, **given)
    assert dies_at(spark, TableSink._run, 3, name, "overwrite", given, monkeypatch)
    spark.sql(f"TRUNCATE TABLE {name}")
    save(spark, FEW, to_table=name, mode="append", **given)
    assert len(rows(spark.table(name))) == 4
    assert tables(spark) == ["t"]


@pytest.mark.parametrize("way", ["save", "execute"])
def test_rows_of_a_job_that_died_do_not_come_with_those_of_the_next(
    database: SparkSession, people: DataFrame, way: str
) -> None:
    """Its tasks had ended, and the driver was killed: Spark would take their files for those of the next job."""
    spark, name = database, f"{DB}.t"
    given: dict[str, Any] = {"tables": {"people": people}}
    save(spark, PLAN, to_table=name, **given)
    place = next(r[1] for r in spark.sql(f"DESCRIBE DATABASE {DB}").collect() if r[0] == "Location")
    folder = Path(place.removeprefix("file:")) / "t"
    task = folder / "_temporary" / "0" / "task_202601010000000000000000000_0001_m_000000"
    task.mkdir(parents=True)
    shutil.copy(next(folder.glob("part-*")), task / "part-00000-dead.parquet")
    if way == "save":
        save(spark, FEW, to_table=name, mode="append", **given)
    else:
        text = f"INSERT INTO {name} SELECT id, name, day FROM people WHERE id < 2"
        columns = SCHEMA | {name: SCHEMA["people"]}
        execute(spark, to_plan(text, schema=columns), allow_writes=True, **given)
    assert rows(spark.table(name)) == sorted(rows(people) + rows(people.where("id < 2")), key=str)
    assert not (folder / "_temporary").exists()


def test_several_results(spark: SparkSession, tmp_path: Path) -> None:
    from tests.support.build import plan, table

    rows = table("t", "a:i32")
    several = plan((rows, "a"), (rows, "b"))
    given: dict[str, Any] = {
        "tables": {"t": spark.sql("SELECT 1 AS a")},
        "to_files": tmp_path / "x.orc",
    }
    with pytest.raises(ExecutionError, match="SS4073 the plan has 2 results"):
        save(spark, several, **given)
    assert save(spark, several, root=1, **given).rows == 1
    assert spark.read.orc(str(tmp_path / "x.orc")).columns == ["b"]
