"""The command in jobs: targets, parameters from elsewhere, limits, runs that are tried again, dry runs."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from pyarrow import ipc  # type: ignore[import-untyped]

from substrait_sql import demo, execute, to_plan
from substrait_sql.cli.running import run as module
from substrait_sql.cli.running.parameters import read_values
from substrait_sql.cli.running.rows import write_arrow
from substrait_sql.errors import ExecutionError
from substrait_sql.run.retry import LATER, again, may_work_later
from tests.support.build import parameter, plan, table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pyspark.sql import SparkSession

TABLES = ["--tables", demo.TABLES]
RUN = ["run", demo.PLAN, *TABLES]

DB = "substrait_sql_jobs"


# Targets ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--to-table", "t", "--to-files", "f.csv"], "exclude each other"),
        (["--to-table", "t", "-o", "f.csv"], "-o excludes"),
        (["--mode", "append"], "need --to-table or --to-files"),
        (["--to-table", "t", demo.PLAN], "several plans"),
    ],
)
def test_options_that_make_no_sense(call: Any, arguments: list[Any], said: str) -> None:
    code, out, err = call(*RUN, *arguments)
    assert (code, out) == (2, "")
    assert said in " ".join(err.replace("│", " ").split())


@pytest.mark.spark
@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["--to-files", "x"], "SS4073 cannot tell the format"),
        (["--to-table", "t", "--to-format", "csv"], "SS4073 a table of csv"),
        (["--to-table", "a b."], "SS3201"),
    ],
)
def test_targets_that_make_no_sense(call: Any, arguments: list[Any], code: str) -> None:
    done, out, err = call(*RUN, *arguments)
    assert (done, out) == (1, "")
    assert err.startswith(code)


@pytest.mark.spark
def test_rows_go_to_files(spark: SparkSession, call: Any, tmp_path: Path) -> None:
    target = tmp_path / "top.parquet"
    assert call(*RUN, "--to-files", target) == (0, "", f"wrote 10 rows to {target}\n")
    assert spark.read.parquet(str(target)).count() == 10
    code, out, err = call(*RUN, "--to-files", target)
    assert (code, out) == (1, "")
    assert err.startswith("SS4070 ")
    assert call(*RUN, "--to-files", target, "--mode", "ignore")[2].endswith("left as it is\n")
    code, _, err = call(*RUN, "--to-files", target, "--mode", "overwrite", "--max-rows", 9)
    assert (code, err.splitlines()[0]) == (1, "SS4074 the result has 10 rows, and 9 are allowed")
    arguments = [
        "--to-files",
        target,
        "--mode",
        "overwrite",
        "--limit",
        3,
        "--partition-by",
        "o_orderdate",
    ]
    assert call(*RUN, *arguments)[2] == f"wrote 3 rows to {target}\n"
    assert spark.read.parquet(str(target)).count() == 3


# Limits -------------------------------------------------------------------------------------------


@pytest.mark.spark
@pytest.mark.parametrize("form", ["table", "csv", "arrow", "parquet"])
def test_more_rows_than_there_may_be(
    spark: SparkSession, call: Any, tmp_path: Path, form: str
) -> None:
    where = ["-o", tmp_path / "x.parquet"] if form == "parquet" else ["--format", form]
    code, out, err = call(*RUN, *where, "--max-rows", 9)
    assert (code, out) == (1, "")
    assert err.startswith("SS4074 the result has 10 rows, and 9 are allowed\n")
    assert list(tmp_path.iterdir()) == []
    assert call(*RUN, *where, "--max-rows", 9, "--limit", 9)[0] == 0
    assert call(*RUN, *where, "--max-rows", 10)[0] == 0


# Arrow --------------------------------------------------------------------------------------------


@pytest.mark.spark
def test_arrow(spark: SparkSession, call: Any, tmp_path: Path) -> None:
    assert call(*RUN, "-o", tmp_path / "x.arrow")[0] == 0
    with ipc.open_file(tmp_path / "x.arrow") as file:
        rows = file.read_all()
    assert rows.num_rows == 10
    assert str(rows["o_orderdate"][0]) == "1995-02-08"
    assert call(*RUN, "--format", "arrow")[0] == 0
    stream = io.BytesIO()
    frame = execute(spark, demo.PLAN, tables={p.stem: p for p in demo.TABLES.iterdir()})
    write_arrow(frame, None, None, stream)
    assert ipc.open_stream(stream.getvalue()).read_all() == rows


# Parameters ---------------------------------------------------------------------------------------

ASKED = table("t", "a:i32").select(
    lambda r: [parameter(1, "i64"), parameter(2, "dec<20,2>?"), parameter(3, "date"), parameter(4, "list<i32>")]
)  # fmt: skip


@pytest.fixture
def asking(tmp_path: Path, spark: SparkSession) -> Iterator[list[Any]]:
    (tmp_path / "p.pb").write_bytes(plan((ASKED, "a b c d")).SerializeToString())
    spark.sql("CREATE OR REPLACE TEMPORARY VIEW t AS SELECT 1 AS a")
    yield ["run", tmp_path / "p.pb", "--format", "json"]
    spark.catalog.dropTempView("t")


@pytest.mark.spark
@pytest.mark.parametrize("ending", ["yaml", "json"])
def test_values_of_a_file_and_the_environment(
    asking: list[Any], call: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str
) -> None:
    """A file's values are as they are written: 18 digits and a point, a day, a list, NULL."""
    file = tmp_path / f"values.{ending}"
    text = "1: 7\n2: 123456789012345678.90\n3: 2024-02-29\n4: [1, 2]\n"
    if ending == "json":
        text = '{"1": 7, "2": 123456789012345678.90, "3": "2024-02-29", "4": [1, 2]}'
    file.write_text(text)
    given = [*asking, "--params", file]
    row = {"a": 7, "b": "123456789012345678.90", "c": "2024-02-29", "d": [1, 2]}
    assert json.loads(call(*given)[1]) == row
    monkeypatch.setenv("JOB_1", "8")
    monkeypatch.setenv("JOB_9", "not asked for")
    assert json.loads(call(*given, "--params-env", "JOB_")[1]) == row | {"a": 8}
    last = call(*given, "--params-env", "JOB_", "--param", "1=9", "--param", "3=2024-03-01")[1]
    assert json.loads(last) == row | {"a": 9, "c": "2024-03-01"}
    file.write_text(text.replace("123456789012345678.90", "null"))
    assert json.loads(call(*given)[1]) == row | {"b": None}


def test_all_that_is_wrong_with_values_at_once(call: Any, tmp_path: Path) -> None:
    (tmp_path / "p.pb").write_bytes(plan((ASKED, "a b c d")).SerializeToString())
    (tmp_path / "v.yaml").write_text("1: x\n2: 1.234\n4: [1, 2.5]\n7: 1\n")
    code, out, err = call("run", tmp_path / "p.pb", "--params", tmp_path / "v.yaml")
    assert (code, out) == (1, "")
    heads = [line for line in err.splitlines() if line.startswith("SS")]
    assert heads == [
        "SS4007 the plan has no parameter 7",
        "SS4006 no value was given for parameter 3",
        "SS4018 parameter 1 is a i64, and 'x' is none",
        "SS4018 parameter 2 is a decimal?<20,2>, and '1.234' is none",
        "SS4018 parameter 4 is a i32, and '2.5' is none",
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("- 1", "is no mapping of anchors"),
        ("a: 1", "has 'a', and parameters have numbers"),
        ("1: 2\n1: 3", "1 is there twice"),
        ("1: [", "cannot be read"),
        ("!!python/object/apply:os.getcwd []", "cannot be read"),
    ],
)
def test_files_of_values_that_are_none(call: Any, tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "v.yaml").write_text(text)
    code, _, err = call(*RUN, "--params", tmp_path / "v.yaml")
    assert code == 1
    assert err.startswith("SS4075 ")
    assert said in err
    assert call(*RUN, "--params", tmp_path / "none.yaml")[2].startswith("SS4075 ")


def test_values_are_texts(tmp_path: Path) -> None:
    (tmp_path / "v.yaml").write_text(
        "1: 1.10\n2: yes\n3: ~\n4: 'null'\n5: 0x10\n6: 2020-01-01 12:00:00\n"
    )
    found = {1: "1.10", 2: "yes", 3: None, 4: "null", 5: "0x10", 6: "2020-01-01 12:00:00"}
    assert read_values(tmp_path / "v.yaml") == found
    assert yaml.safe_load("1: 1.10") == {1: 1.1}


# Once more ----------------------------------------------------------------------------------------


def test_a_server_that_does_not_answer(call: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody listens on port 1: the same command may work later."""
    waited: list[float] = []
    monkeypatch.setattr("substrait_sql.run.retry.time.sleep", waited.append)
    base = [*RUN, "--remote", "sc://127.0.0.1:1"]
    code, out, err = call(*base)
    assert (code, out) == (LATER, "")
    assert err.startswith("SS4011 ")
    code, _, err = call(*base, "--retries", 2, "--retry-wait", 3)
    assert code == LATER
    assert waited == [3, 6]
    assert "again in 3 s (1 of 2)\n" in err
    assert "again in 6 s (2 of 2)\n" in err
    # What is wrong with the plan or the command stays wrong.
    assert call(*RUN, "--remote", "nothing", "--retries", 2)[0] == 1
    assert call(*base, "--param", "7=1", "--retries", 2)[0] == 1


LOST = ConnectionResetError(104, "Connection reset by peer")


@pytest.mark.spark
@pytest.mark.parametrize(
    ("options", "tries"),
    [([], 3), (["--to-files", "out.orc"], 3), (["--to-files", "out.orc", "--mode", "append"], 1)],
)
def test_queries_are_tried_again(
    spark: SparkSession,
    call: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    options: list[str],
    tries: int,
) -> None:
    """But not where rows could be there twice."""
    monkeypatch.chdir(tmp_path)
    original, tried = module.Run._work, []

    def failing(*given: Any) -> None:
        tried.append(1)
        if len(tried) < 3:
            raise LOST
        original(*given)

    monkeypatch.setattr(module.Run, "_work", failing)
    code, _, err = call(*RUN, *options, "--retries", 5, "--retry-wait", 0)
    assert len(tried) == tries
    assert code == (0 if tries == 3 else LATER)
    assert ("again in 0 s (2 of 5)" in err) == (tries == 3)


def test_which_errors_may_pass() -> None:
    def behind(error: Exception) -> Exception:
        made = ExecutionError.of("SS4010", "Spark failed")
        made.__cause__ = error
        return made

    class FromSpark(Exception):
        pass

    FromSpark.__module__ = "py4j.protocol"
    for text in (
        "Job aborted due to stage failure: ExecutorLostFailure (executor 1 exited caused by",
        "org.apache.spark.shuffle.FetchFailedException",
        "All masters are unresponsive! Giving up.",
        "StatusCode.UNAVAILABLE",
        "com.amazonaws: SlowDown (Status Code: 503)",
    ):
        assert may_work_later(behind(FromSpark(text))), text
        assert not may_work_later(behind(ValueError(text)))
    assert may_work_later(behind(LOST))
    for text in (
        "[DIVIDE_BY_ZERO] Division by zero",
        "[PATH_NOT_FOUND] /data/503",
        "Could not parse Master URL",
    ):
        assert not may_work_later(behind(FromSpark(text))), text
    with pytest.raises(ValueError, match="no"):
        again(lambda: int("no"), 3, 0, lambda *_: True)


# Dry runs -----------------------------------------------------------------------------------------

SCHEMA = {f"{DB}.t": "id INT, name STRING"}
STATEMENTS = {
    "query": f"SELECT id FROM {DB}.t",
    "insert": f"INSERT INTO {DB}.t SELECT id, name FROM {DB}.t",
    "ctas": f"CREATE TABLE {DB}.n AS SELECT id FROM {DB}.t",
    "replace": f"CREATE OR REPLACE TABLE {DB}.t AS SELECT id FROM {DB}.t",
    "delete": f"DELETE FROM {DB}.t WHERE id = 1",
    "update": f"UPDATE {DB}.t SET name = 'x' WHERE id = 1",
    "drop": f"DROP TABLE {DB}.t",
    "view": f"CREATE OR REPLACE VIEW {DB}.v AS SELECT id FROM {DB}.t",
    "create": f"CREATE TABLE {DB}.e (id INT)",
}


@pytest.fixture
def state(spark: SparkSession) -> Iterator[Callable[[], Any]]:
    """What the catalog, the files and the session have."""
    spark.sql(f"CREATE DATABASE {DB}")
    spark.sql(
        f"CREATE TABLE {DB}.t USING parquet AS SELECT CAST(id AS INT) AS id, 'a' AS name FROM range(3)"
    )
    described = spark.sql(f"DESCRIBE DATABASE {DB}").collect()
    root = next(r[1] for r in described if r[0] == "Location").removeprefix("file:")

    def look() -> Any:
        from pathlib import Path

        files = sorted((str(p), p.stat().st_mtime_ns) for p in Path(root).rglob("*"))
        tables = sorted(map(tuple, spark.sql(f"SHOW TABLES IN {DB}").collect()))
        rows = sorted(map(tuple, spark.sql(f"SELECT * FROM {DB}.t").collect()))
        kept = spark.sql(f"SHOW TBLPROPERTIES {DB}.t").collect()
        return files, tables, rows, kept, sorted(map(tuple, spark.sql("SET").collect()))

    yield look
    spark.sql(f"DROP DATABASE {DB} CASCADE")


@pytest.mark.spark
def test_dry_runs_change_nothing(call: Any, state: Any, tmp_path: Path) -> None:
    before = state()
    for kind, sql in STATEMENTS.items():
        (tmp_path / f"{kind}.pb").write_bytes(to_plan(sql, schema=SCHEMA).SerializeToString())
        code, out, err = call("run", tmp_path / f"{kind}.pb", "--dry-run", "--allow-writes")
        assert (code, err) == (0, ""), (kind, err)
        assert "would run    root 0: " in out
        if kind != "query":
            assert call("run", tmp_path / f"{kind}.pb", "--dry-run")[2].startswith("SS4014 ")
    query = ["run", tmp_path / "query.pb", "--dry-run"]
    assert "would write  parquet files" in call(*query, "--to-files", tmp_path / "x.parquet")[1]
    assert f"would write  table {DB}.n (new)" in call(*query, "--to-table", f"{DB}.n")[1]
    assert call(*query, "--to-table", f"{DB}.t")[2].startswith("SS4070 ")
    assert call(*query, "--to-table", f"{DB}.t", "--mode", "append")[2].startswith("SS4071 ")
    assert (
        call(*query, "-o", tmp_path / "x.csv")[1].splitlines()[2]
        == f"  would write  {tmp_path}/x.csv"
    )
    assert state() == before
    assert sorted(p.suffix for p in tmp_path.iterdir()) == [".pb"] * len(STATEMENTS)


@pytest.mark.spark
def test_dry_runs_say_so_in_the_log(call: Any, state: Any, tmp_path: Path) -> None:
    for name, read in {"good": "t", "bad": "nothing"}.items():
        plan = to_plan(f"SELECT id FROM {DB}.{read}", schema={f"{DB}.{read}": "id INT"})
        (tmp_path / f"{name}.pb").write_bytes(plan.SerializeToString())
    log = tmp_path / "runs.jsonl"
    plans = [tmp_path / "good.pb", tmp_path / "bad.pb"]
    assert call("run", *plans, "--dry-run", "--run-log", log)[0] == 1
    assert call("run", plans[0], "-f", "csv", "--run-log", log)[0] == 0
    found = [json.loads(line) for line in log.read_text().splitlines()]
    keys = ("plan", "dry_run", "result", "code", "statements", "reads", "rows")
    assert [[r[key] for key in keys] for r in found[:2]] == [
        ["good", True, "ok", None, [], [], None],
        ["bad", True, "failed", "SS4003", [], [], None],
    ]
    assert (found[2]["dry_run"], found[2]["rows"]) == (False, 3)


@pytest.mark.spark
def test_dry_runs_find_what_is_wrong(call: Any, state: Any, tmp_path: Path) -> None:
    cases = [
        (f"SELECT id FROM {DB}.nothing", {f"{DB}.nothing": "id INT"}, "SS4003"),
        (f"SELECT name FROM {DB}.t", {f"{DB}.t": "name DATE"}, "SS4016"),
        (f"INSERT INTO {DB}.t SELECT id, name, id FROM {DB}.u", {f"{DB}.t": "id INT, name STRING, z INT",
         f"{DB}.u": "id INT, name STRING"}, "SS40"),
    ]  # fmt: skip
    before = state()
    for sql, schema, code in cases:
        (tmp_path / "p.pb").write_bytes(to_plan(sql, schema=schema).SerializeToString())
        done, out, err = call("run", tmp_path / "p.pb", "--dry-run", "--allow-writes")
        assert (done, out) == (1, ""), sql
        assert err.startswith(code), (sql, err)
    assert state() == before
