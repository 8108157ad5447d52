"""The command: what goes where, what it exits with, and what it says when something is wrong."""

from __future__ import annotations

import csv
import datetime
import decimal
import io
import json
import os
import pty
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from google.protobuf import json_format, text_format
from pyarrow import parquet  # type: ignore[import-untyped]
from substrait.proto import Plan

from substrait_sql import demo, files
from substrait_sql.cli.running import rows
from substrait_sql.run.retry import LATER

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

Call = "Callable[..., tuple[int, str, str]]"
COMMAND = [sys.executable, "-m", "substrait_sql"]
PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01"


@pytest.fixture(scope="module")
def plan() -> Plan:
    return Plan.FromString(demo.PLAN.read_bytes())


@pytest.fixture
def unknown_function(plan: Plan, tmp_path: Path) -> Path:
    """A plan that calls a function nobody has."""
    broken = Plan.FromString(plan.SerializeToString())
    for extension in broken.extensions:
        if extension.extension_function.name == "multiply":
            extension.extension_function.name = "frobnicate"
    path = tmp_path / "unknown_function.pb"
    path.write_bytes(broken.SerializeToString())
    return path


# render -------------------------------------------------------------------------------------------


def test_render_prints_sql_and_nothing_else(call: Any) -> None:
    code, out, err = call("render", demo.PLAN)
    assert (code, err) == (0, "")
    assert out.startswith("SELECT\n")
    assert out.endswith("LIMIT 10\n")


def test_all_encodings_give_the_same_text(call: Any, plan: Plan, tmp_path: Path) -> None:
    (tmp_path / "p.json").write_text(json_format.MessageToJson(plan))
    (tmp_path / "p.txtpb").write_text(text_format.MessageToString(plan))
    expected = call("render", demo.PLAN)[1]
    assert call("render", tmp_path / "p.json")[1] == expected
    assert call("render", tmp_path / "p.txtpb")[1] == expected


def test_stdin(call: Any) -> None:
    done = subprocess.run(
        [*COMMAND, "render", "-"], input=demo.PLAN.read_bytes(), capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.decode() == call("render", demo.PLAN)[1]


def test_statements(call: Any) -> None:
    code, out, _ = call("render", "--statement", "view", "--name", "db.`top 10`", demo.PLAN)
    assert code == 0
    assert out.startswith("CREATE OR REPLACE VIEW db.`top 10` AS\nSELECT\n")
    code, out, _ = call("render", "--statement", "insert", demo.PLAN)
    assert out.startswith("INSERT INTO plan\nSELECT\n")
    code, out, err = call("render", "--statement", "view", "--name", "a..b", demo.PLAN)
    assert (code, out) == (1, "")
    assert err.startswith("SS3201 ")


def test_many_plans(call: Any, tmp_path: Path, unknown_function: Path) -> None:
    folder = tmp_path / "plans"
    (folder / "deep").mkdir(parents=True)
    for name in ("a.pb", "b.bin", "deep/c.pb"):
        (folder / name).write_bytes(demo.PLAN.read_bytes())
    (folder / "notes.md").write_text("not a plan")
    single = call("render", demo.PLAN)[1]
    code, out, err = call("render", folder)
    assert code == 0
    assert err == "rendered: 3 of 3 plans, 0 failed\n"
    texts = [f"-- {folder / n}\n{single.rstrip()};\n" for n in ("a.pb", "b.bin", "deep/c.pb")]
    assert out == "\n".join(texts)
    # One that fails does not stop the others.
    code, out, err = call("render", folder / "a.pb", unknown_function, folder / "b.bin")
    assert code == 1
    assert out == "\n".join(texts[:2])
    assert "frobnicate" in err
    assert err.endswith("rendered: 2 of 3 plans, 1 failed\n")
    code, out, err = call("render", str(folder / "*.[bp]*"), "-o", tmp_path / "sql")
    assert (code, out) == (0, "")
    assert {p.name: p.read_text() for p in (tmp_path / "sql").iterdir()} == {
        "a.sql": single,
        "b.sql": single,
    }
    call("render", folder, "-o", tmp_path / "tree")
    assert (tmp_path / "tree" / "deep" / "c.sql").read_text() == single


def test_plans_of_one_name_do_not_overwrite_each_other(call: Any, tmp_path: Path) -> None:
    for name in ("q.pb", "q.bin"):
        (tmp_path / name).write_bytes(demo.PLAN.read_bytes())
    call("render", tmp_path, "-o", tmp_path / "out")
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == ["q.bin.sql", "q.pb.sql"]
    code, _, err = call("render", demo.PLAN, demo.PLAN, "-o", tmp_path / "out")
    assert code == 2
    assert "two plans would be written to" in err


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--nothing"],
        ["render"],
        ["render", "--name", "t", demo.PLAN],
        ["render", "--statement", "upsert", demo.PLAN],
        ["render", "--comment", "x", demo.PLAN],
        ["render", "--statement", "view", "--property", "x", demo.PLAN],
        ["render", "nothing*.pb"],
        ["render", "--statement", "view", "--name", "t", demo.PLAN, demo.PLAN],
        ["run", "--param", "x", demo.PLAN],
        ["run", "--param", "x=1", demo.PLAN],
        ["run", "--table", "t", demo.PLAN],
        ["run", "--table", "t=a", "--table", "t=b", demo.PLAN],
        ["run", "--master", "local", "--remote", "sc://x", demo.PLAN],
        ["run", "-o", "rows.xyz", demo.PLAN],
        ["run", "-o", "rows.csv", demo.PLAN, demo.PLAN],
        ["upgrade", demo.PLAN, demo.PLAN],
    ],
)
def test_usage_errors_exit_with_2(call: Any, arguments: list[object]) -> None:
    code, out, err = call(*arguments)
    assert code == 2
    assert out == "" or not arguments  # without a command, the help is the answer
    assert err or not arguments


# What can be wrong with a plan --------------------------------------------------------------------


@pytest.mark.parametrize("command", ["render", "check", "explain", "upgrade", "run"])
@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("empty.pb", b""),
        ("picture.png", PNG),
        ("truncated.pb", demo.PLAN.read_bytes()[:900]),
        ("broken.json", b'{"relations": [{'),
        ("text.json", b"SELECT 1"),
        ("missing.pb", None),
        ("folder.pb/", b""),
    ],
)
def test_what_is_no_plan(
    call: Any, tmp_path: Path, command: str, name: str, content: bytes | None
) -> None:
    path = tmp_path / name
    if content is not None and not name.endswith("/"):
        path.write_bytes(content)
    code, _, err = call(command, path)
    assert code == 1
    assert err.startswith("SS")
    assert str(path) in err
    assert len(err.splitlines()) <= 25


@pytest.mark.parametrize("command", ["render", "check", "run"])
def test_an_unknown_function(call: Any, unknown_function: Path, command: str) -> None:
    code, _, err = call(command, unknown_function)
    assert code == 1
    assert err.startswith("SS2")
    assert "frobnicate" in err
    assert "  at    relations[0].root.input" in err
    assert f"  in    {unknown_function}" in err


def test_check(call: Any, unknown_function: Path) -> None:
    code, out, err = call("check", demo.PLAN, unknown_function)
    assert code == 1
    lines = out.splitlines()
    assert lines[0].startswith(f"ok      {demo.PLAN}")
    assert lines[1].startswith(f"refused {unknown_function}: SS2")
    assert err.endswith("checked: 1 of 2 plans, 1 failed\n")
    assert call("check", demo.PLAN)[0] == 0


def test_check_of_many(call: Any, unknown_function: Path, tmp_path: Path) -> None:
    """A folder of plans ends in a table: each problem once, the most frequent first."""
    folder = tmp_path / "plans"
    folder.mkdir()
    for i in range(11):
        (folder / f"plan{i:02}.json").write_bytes(unknown_function.read_bytes())
    (folder / "plan11.json").write_text('{"relations": [{"rel": {}}]}')
    (folder / "plan12.bin").write_bytes(b"\x1a\x00")
    code, out, err = call("check", folder)
    assert code == 1
    head, _, table = out.partition("\n\n")
    assert len(head.splitlines()) == 13
    rows = table.splitlines()
    assert rows[1].split()[:2] == ["11", "SS2213"]
    assert "frobnicate" in rows[1]
    assert rows[2].strip() == str(folder / "plan00.json")
    assert sorted(r.split()[0] for r in rows[1::2]) == ["1", "1", "11"]
    assert "Traceback" not in out + err


def test_a_defect_of_ours_is_one_screen_too(call: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from substrait_sql import pipeline

    def fail(*_: object, **__: object) -> None:
        raise ValueError("line one\nline two")

    monkeypatch.setattr(pipeline, "render", fail)
    code, out, err = call("render", demo.PLAN)
    assert (code, out) == (1, "")
    assert err.startswith("SS9000 a defect of substrait-sql: ValueError: line one\n")


# explain, upgrade ---------------------------------------------------------------------------------


def test_explain(call: Any) -> None:
    code, out, err = call("explain", demo.PLAN)
    assert (code, err) == (0, "")
    for word in ("lineitem", "customer", "revenue"):
        assert word in out


def test_upgrade(call: Any, tmp_path: Path) -> None:
    code, out, err = call("upgrade", demo.PLAN)
    assert (code, err) == (0, "")
    upgraded = json_format.Parse(out, Plan())
    for name, read in (
        ("p.pb", Plan.FromString),
        ("p.txtpb", lambda b: text_format.Parse(b, Plan())),
    ):
        assert call("upgrade", demo.PLAN, "-o", tmp_path / name)[0] == 0
        assert read((tmp_path / name).read_bytes()) == upgraded
    assert call("render", tmp_path / "p.pb")[1] == call("render", demo.PLAN)[1]


# run ----------------------------------------------------------------------------------------------


@pytest.mark.spark
def test_run_prints_a_table(spark: SparkSession, call: Any) -> None:
    code, out, err = call("run", "--tables", demo.TABLES, "--show-sql", demo.PLAN)
    assert code == 0
    lines = out.splitlines()
    assert lines[0].split() == ["l_orderkey", "revenue", "o_orderdate", "o_shippriority"]
    assert lines[2].split() == ["1637", "243512.7981", "1995-02-08", "0"]
    assert lines[-1] == "(10 rows)"
    assert err.startswith("SELECT\n")


@pytest.mark.spark
def test_run_formats(spark: SparkSession, call: Any, tmp_path: Path) -> None:
    base = ["run", "--tables", demo.TABLES, demo.PLAN]
    code, out, err = call(*base, "--format", "csv", "--limit", "2")
    assert (code, err) == (0, "")
    assert list(csv.reader(io.StringIO(out)))[1] == ["1637", "243512.7981", "1995-02-08", "0"]
    assert len(out.splitlines()) == 3
    code, out, err = call(*base, "--format", "json", "--limit", "1")
    assert json.loads(out) == {
        "l_orderkey": 1637,
        "revenue": "243512.7981",
        "o_orderdate": "1995-02-08",
        "o_shippriority": 0,
    }
    for name in ("r.csv", "r.json", "new/r.parquet"):
        assert call(*base, "-o", tmp_path / name) == (0, "", "")
    table = parquet.read_table(tmp_path / "new" / "r.parquet")
    assert table.num_rows == 10
    assert table.column("revenue")[0].as_py() == decimal.Decimal("243512.7981")
    assert table.column("o_orderdate")[0].as_py() == datetime.date(1995, 2, 8)
    assert len((tmp_path / "r.csv").read_text().splitlines()) == 11
    assert len((tmp_path / "r.json").read_text().splitlines()) == 10
    assert sorted(p.name for p in tmp_path.iterdir()) == ["new", "r.csv", "r.json"]


@pytest.mark.spark
def test_run_many(spark: SparkSession, call: Any, tmp_path: Path, unknown_function: Path) -> None:
    base = ["run", "--tables", demo.TABLES, "--limit", "1"]
    code, out, err = call(*base, demo.PLAN, unknown_function, demo.PLAN)
    assert code == 1
    assert out.count(f"-- {demo.PLAN}\n") == 2
    assert out.count("(1 row)") == 2
    assert err.endswith("ran: 2 of 3 plans, 1 failed\n")
    other = tmp_path / "other.pb"
    other.write_bytes(demo.PLAN.read_bytes())
    code, out, err = call(*base, "-f", "csv", "-o", tmp_path / "out", demo.PLAN, other)
    assert (code, out) == (0, "")
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == ["other.csv", "plan.csv"]


@pytest.mark.spark
def test_run_without_its_tables(spark: SparkSession, call: Any, tmp_path: Path) -> None:
    code, out, err = call("run", demo.PLAN, "--table", f"Orders={demo.TABLES / 'orders.parquet'}")
    assert (code, out) == (1, "")
    assert err.startswith("SS4003 ")
    assert "there are: orders" in err
    assert "  at    relations[0].root.input" in err
    assert "--tables DIR" in err
    # Both tables that are missing, each in four lines.
    assert (err.count("SS4003 "), len(err.splitlines())) == (2, 8)
    code, out, err = call("run", demo.PLAN, "--tables", tmp_path / "nothing")
    assert (code, out) == (1, "")
    assert err.startswith("SS4004 ")
    broken = tmp_path / "orders.parquet"
    broken.write_bytes(PNG)
    code, out, err = call("run", demo.PLAN, "--tables", demo.TABLES, "--table", f"orders={broken}")
    assert code == 1
    assert err.startswith("SS40")
    assert str(broken) in err


@pytest.mark.spark
def test_run_refuses_what_makes_no_sense(spark: SparkSession, call: Any) -> None:
    base = ["run", "--tables", demo.TABLES, demo.PLAN]
    code, _, err = call(*base, "--param", "7=x")
    assert code == 1
    assert err.startswith("SS4007 ")
    code, _, err = call(*base, "--root", "3")
    assert code == 1
    assert err.startswith("SS4008 ")
    code, _, err = call(*base, "-o", "/proc/nothing/rows.csv")
    assert code == 1
    assert err.startswith("SS4013 ")


@pytest.mark.slow
def test_a_server_that_is_not_there(call: Any) -> None:
    code, out, err = call("run", "--remote", "sc://127.0.0.1:1/;use_ssl=false", demo.PLAN)
    assert (code, out) == (LATER, "")
    assert err.startswith("SS40")
    assert len(err.splitlines()) <= 3


# The process --------------------------------------------------------------------------------------


def test_a_reader_that_goes_away(tmp_path: Path) -> None:
    plans = [str(demo.PLAN)] * 400
    with subprocess.Popen(
        [*COMMAND, "render", *plans], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        err = process.stderr.read()
    assert process.returncode == 1
    assert err == b""


def interrupted(seconds: float) -> tuple[int, bytes, bytes]:
    """What becomes of the command if the signal comes so long after its start."""
    with subprocess.Popen(
        [*COMMAND, "render", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        time.sleep(seconds)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
    return process.returncode, out, err.strip()


@pytest.mark.slow
def test_ctrl_c() -> None:
    """The command is waiting for stdin when the signal comes; on a busy machine it may still be starting."""
    # What a shell starts in the background ignores the signal, and what that starts does, too.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        found = next((f for f in map(interrupted, (3, 10, 30)) if f[0] == 130), None)
    finally:
        signal.signal(signal.SIGINT, before)
    assert found == (130, b"", b"interrupted")


def on_a_terminal(*arguments: object, **more: str) -> tuple[bytes, bytes]:
    """Run the command with stderr on a terminal; returns stdout and what the terminal got. more: environment."""
    ours, theirs = pty.openpty()
    seen: list[bytes] = []

    def read() -> None:
        while True:
            try:
                data = os.read(ours, 4096)
            except OSError:
                return
            if not data:
                return
            seen.append(data)

    reader = threading.Thread(target=read)
    reader.start()
    own = ("NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE")
    environment = {k: v for k, v in os.environ.items() if k not in own}
    environment |= {"TERM": "xterm", "COLUMNS": "100", **more}
    done = subprocess.run(
        [*COMMAND, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=theirs,
        check=False,
        env=environment,
    )
    os.close(theirs)
    reader.join(10)
    os.close(ours)
    return done.stdout, b"".join(seen)


def test_progress_and_colour_only_on_a_terminal(unknown_function: Path) -> None:
    plans = [demo.PLAN, unknown_function, demo.PLAN]
    out, err = on_a_terminal("render", *plans)
    assert b"\x1b" not in out
    assert b"3/3" in err
    assert b"\x1b[31m" in err
    done = subprocess.run([*COMMAND, "render", *plans], capture_output=True, check=False)
    assert done.stdout == out
    assert b"\x1b" not in done.stderr
    assert b"3/3" not in done.stderr


def test_help_and_version() -> None:
    for arguments in (["--help"], ["render", "-h"], ["run", "--help"], ["--version"]):
        done = subprocess.run([*COMMAND, *arguments], capture_output=True, text=True, check=False)
        assert done.returncode == 0
        assert done.stdout
        assert done.stderr == ""


def test_rendering_starts_fast() -> None:
    """The command itself, without the compiler's own libraries: what every call pays."""
    code = (
        "import time; t = time.perf_counter(); import substrait_sql.cli.app; "
        "print(time.perf_counter() - t)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert float(done.stdout) < 1.5


# Text ---------------------------------------------------------------------------------------------


def test_a_table_lines_up_and_stays_in_its_lines() -> None:
    out = io.StringIO()
    data = [("表", 1, None), ("a\nb\x1b[31m", 22, 1.5), ("", -3, float("nan"))]
    rows.write_text("table", ["name", "n", "x"], data, ["string", "int", "double"], out)
    assert out.getvalue() == (
        "name           n     x\n"
        "------------  --  ----\n"
        "表             1  NULL\n"
        "a\\nb\\x1b[31m  22   1.5\n"
        "              -3   NaN\n"
        "(3 rows)\n"
    )


def test_csv_tells_null_from_empty() -> None:
    out = io.StringIO()
    rows.write_text(
        "csv", ["a,b", "c"], [("", None), ('say "hi"', b"\x01")], ["string", "binary"], out
    )
    assert out.getvalue() == '"a,b",c\n"",\n"say ""hi""",01\n'


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (decimal.Decimal("1E+3"), "1000"),
        (decimal.Decimal("0E-20"), "0.00000000000000000000"),
        (datetime.datetime(2024, 1, 2, 3, 4, 5, 600), "2024-01-02 03:04:05.000600"),
        (datetime.timedelta(days=-1, hours=2), "-0 22:00:00"),
        (datetime.timedelta(days=1, microseconds=500000), "1 00:00:00.5"),
        (float("-inf"), "-Infinity"),
        (1e300, "1e+300"),
        ({"k": [1, None, datetime.date(2024, 1, 2)]}, '{"k": [1, null, "2024-01-02"]}'),
    ],
)
def test_values_as_text(value: object, text: str) -> None:
    assert rows.text(value) == text


def test_json_refuses_to_lose_a_column() -> None:
    from substrait_sql.errors import ExecutionError

    with pytest.raises(ExecutionError, match="SS4013 .*: a"):
        rows.write_text("json", ["a", "a"], [(1, 2)], ["int", "int"], io.StringIO())


@pytest.mark.spark
def test_types_that_python_has_no_value_for(spark: SparkSession) -> None:
    frame = spark.sql(
        "SELECT INTERVAL '1-2' YEAR TO MONTH AS i, parse_json('{}') AS v, 1 AS i, "
        "named_struct('a', array(1, NULL), 'b', map('k', X'01')) AS s"
    )
    names, data, types = rows.collect(frame, None)
    out = io.StringIO()
    rows.write_text("csv", names, data, types, out)
    assert out.getvalue().splitlines() == [
        "i,v,i,s",
        'INTERVAL \'1-2\' YEAR TO MONTH,{},1,"{""a"": [1, null], ""b"": {""k"": ""01""}}"',
    ]


def test_suffixes_of_plans_are_lower_case() -> None:
    assert all(s == s.lower() for s in files.SUFFIXES)


# The documentation --------------------------------------------------------------------------------


def shown(marker: str) -> str:
    """The code block of the README that follows a marker."""
    text = (Path(__file__).parents[2] / "README.md").read_text()
    return text.split(f"<!-- {marker}")[1].split("```", 2)[1].split("\n", 1)[1]


def test_the_readme_shows_the_real_sql(call: Any) -> None:
    assert shown("demo:sql") == call("render", demo.PLAN)[1]


@pytest.mark.spark
def test_the_readme_shows_the_real_rows(spark: SparkSession, call: Any) -> None:
    assert shown("demo:rows") == call("run", "--tables", demo.TABLES, demo.PLAN)[1]


@pytest.mark.parametrize(("closed", "code"), [("<&-", 1), (">&-", 0), ("2>&-", 0)])
def test_streams_that_the_caller_has_closed(closed: str, code: int) -> None:
    """As of a service without a terminal. What would be read is empty, what is written is lost."""
    plan = "-" if closed == "<&-" else str(demo.PLAN)
    line = f'"$@" {closed}'
    done = subprocess.run(
        ["bash", "-c", line, "bash", *COMMAND, "render", plan],
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == code
    assert "Traceback" not in done.stderr
