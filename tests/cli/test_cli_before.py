"""What ``run`` says before Spark starts: none of these calls may start it."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from substrait_sql import demo
from substrait_sql.run import session
from tests.support import build
from tests.support.cases import EMP
from tests.support.cases.expressions.given import less

if TYPE_CHECKING:
    from collections.abc import Callable

TABLES = ["--tables", demo.TABLES]


@pytest.fixture
def before(
    call: Callable[..., tuple[int, str, str]], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., tuple[int, str]]:
    """Run the command where starting Spark is an error, and none runs: exit code, stderr."""

    def start(*_: object, **__: object) -> None:
        raise AssertionError("Spark was started")

    for name in ("local_session", "remote_session"):
        monkeypatch.setattr(session, name, start)
    monkeypatch.setattr(session, "is_running", lambda: False)
    for name in ("SPARK_HOME", "SPARK_CONF_DIR"):
        monkeypatch.delenv(name, raising=False)

    def run(*arguments: object) -> tuple[int, str]:
        code, out, err = call("run", *arguments)
        assert out == ""
        return code, err

    return run


def test_the_fixture_sees_a_start(before: Any) -> None:
    code, err = before(demo.PLAN, *TABLES)
    assert (code, "Spark was started" in err) == (1, True)


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        ([*TABLES, "--init", "/nothing.sql"], "SS4020", "cannot read /nothing.sql: No such file"),
        ([*TABLES, "--param", "7=x"], "SS4007", "the plan has no parameter 7"),
        ([*TABLES, "--root", "3"], "SS4008", "roots there are: 0"),
        ([*TABLES, "--root", "-1"], "SS4008", "the plan has no root -1"),
        (["--tables", "/nothing"], "SS4004", "'/nothing': No such file or directory"),
        ([*TABLES, "--table", "orders=/nothing.parquet"], "SS4004", "orders from '/nothing.parquet'"),
        ([*TABLES, "--table", "orders=/no*/x.parquet"], "SS4004", "no such file"),
        ([], "SS4003", "the plan reads the table customer, which is not there"),
        (["--table", f"orders={demo.TABLES}/orders.parquet"], "SS4003", "tables there are: orders"),
        ([*TABLES, "-o", "/proc/nothing/rows.csv"], "SS4013", "cannot write '/proc/nothing/rows.csv'"),
    ],
)  # fmt: skip
def test_is_said_before_spark_starts(
    before: Any, arguments: list[object], code: str, said: str
) -> None:
    exit_code, err = before(demo.PLAN, *arguments)
    assert exit_code == 1
    assert err.startswith(f"{code} ")
    assert said in err


def test_an_init_file_that_is_no_sql(before: Any, tmp_path: Path) -> None:
    (tmp_path / "init.sql").write_text("SELECT 'open")
    assert before(demo.PLAN, *TABLES, "--init", tmp_path / "init.sql")[1].startswith("SS4020 ")
    (tmp_path / "init.sql").write_bytes(b"\xff\xfe\x00")
    assert before(demo.PLAN, *TABLES, "--init", tmp_path / "init.sql")[1].startswith("SS4020 ")


def test_an_output_that_cannot_be_written(before: Any, tmp_path: Path) -> None:
    (tmp_path / "rows.parquet").mkdir()
    (tmp_path / "out" / "plan.csv").mkdir(parents=True)
    (tmp_path / "file").touch()
    for arguments in (
        ["-o", tmp_path / "rows.parquet"],
        ["-f", "csv", "-o", tmp_path / "out"],
        ["-o", tmp_path / "file" / "rows.csv"],
    ):
        code, err = before(demo.PLAN, *TABLES, *arguments)
        assert (code, err.split()[0]) == (1, "SS4013")
    # What was made to try it is gone again.
    assert "Spark was started" in before(demo.PLAN, *TABLES, "-o", tmp_path / "a/b/rows.csv")[1]
    assert sorted(p.name for p in tmp_path.iterdir()) == ["file", "out", "rows.parquet"]


def test_parquet_without_pyarrow(before: Any, tmp_path: Path, monkeypatch: Any) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda n, *a: None if n == "pyarrow" else find(n, *a)
    )
    code, err = before(demo.PLAN, *TABLES, "-o", tmp_path / "rows.parquet")
    assert (code, err.splitlines()[0]) == (1, "SS4013 writing Parquet or Arrow needs pyarrow")
    assert "pip install pyarrow" in err


def test_parameters(before: Any, tmp_path: Path) -> None:
    (tmp_path / "emp.csv").write_text("id,name,dept,salary\n")
    (tmp_path / "p.pb").write_bytes(build.plan((less(EMP), "id x")).SerializeToString())
    base = [tmp_path / "p.pb", "--table", f"emp={tmp_path}/emp.csv"]
    assert before(*base)[1].startswith("SS4006 no value was given for parameter 1")
    for value in ("x", "5.7", "", "99999999999999999999"):
        assert before(*base, "--param", f"1={value}")[1].startswith("SS4018 parameter 1 is a i64")
    assert "Spark was started" in before(*base, "--param", "1=-5")[1]


@pytest.mark.parametrize(
    "arguments", [["--conf", "shuffle.partitions=2"], ["--limit", "3000000000"], ["-o", "rows.xyz"]]
)
def test_what_makes_no_sense(before: Any, arguments: list[str]) -> None:
    assert before(demo.PLAN, *TABLES, *arguments)[0] == 2


def test_a_server_has_files_and_tables_of_its_own(before: Any) -> None:
    for where in (["--remote", "sc://server"], ["--master", "spark://server:7077"]):
        assert "Spark was started" in before(demo.PLAN, "--table", "orders=/far/away", *where)[1]
