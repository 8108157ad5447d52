"""Runs of other kinds: reviews on a terminal, workers of pytest-xdist, rows on Spark, nothing but pytest."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.golden.plugin.conftest import PLUGINS, Project
from tests.support.terminal import typed

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytest_plugins = ["pytester"]

A = "SELECT id FROM t WHERE x > 10"
B = "SELECT id FROM t WHERE x > 20"


def on_terminal(project: Project, answers: str, *arguments: str) -> tuple[int, str]:
    """Pytest in a process of its own on a pseudo-terminal, with these lines typed: exit code, what is shown."""
    return typed([sys.executable, "-m", "pytest", *PLUGINS, *arguments], answers, project.path)


@pytest.mark.slow
def test_a_review_on_a_terminal(project: Project) -> None:
    """One is taken, one is not, one is left, an answer is not understood, and one more file is new."""
    for name in "abcd":
        project.plan(f"{name}.plan.json", A)
    project.run("--golden-update").assert_outcomes(passed=4)
    for name in "abc":
        project.plan(f"{name}.plan.json", B)
    project.plan("e.plan.json", B)
    code, shown = on_terminal(project, "y\nno\nperhaps\ns\ny\n", "--golden-review", "-rs")
    assert "golden SQL differs: a.sql -> a.plan.json: rows may differ" in shown
    assert "a condition changed: x > 10 became x > 20" in shown
    assert shown.count("write the new SQL? [y]es, [n]o, [s]kip, [q]uit:") == 5
    assert "b.sql: the new SQL was not taken" in shown
    assert "c.sql: not decided" in shown
    assert "no golden SQL e.sql for e.plan.json; it would be:" in shown
    assert "2 files written:\n  changed  a.sql\n  new      e.sql" in shown
    assert "1 failed, 3 passed, 1 skipped" in shown
    assert code == pytest.ExitCode.TESTS_FAILED
    kept = ["x > 20" in project.read(f"{name}.sql") for name in "abcde"]
    assert kept == [True, False, False, False, True]

    code, shown = on_terminal(project, "q\n", "--golden-review")
    assert "the review was ended" in shown
    assert code == 1
    assert "x > 10" in project.read("b.sql")


def test_a_review_with_workers_is_refused(project: Project) -> None:
    project.plan("a.plan.json", A)
    found = project.run("-p", "xdist", "-n", "1", "--golden-review")
    assert found.ret == pytest.ExitCode.USAGE_ERROR
    found.stderr.fnmatch_lines(["*run it without -n*"])


def test_workers(project: Project) -> None:
    """Everything is written once and said once, by whichever worker."""
    names = [f"p{i}" for i in range(6)]
    for name in names:
        project.plan(f"plans/{name}.plan.json", A)
    project.tests(
        """
@pytest.mark.parametrize("x", range(6))
def test_same(golden_sql, x):
    golden_sql(PLAN, "shared")
"""
    )
    project.write("plans/gone.sql", "")
    project.write("__golden__/test_it/gone.sql", "")
    written = project.run("-p", "xdist", "-n", "2", "--golden-update", "--golden-orphans", "fail")
    written.assert_outcomes(passed=12)
    assert written.ret == pytest.ExitCode.TESTS_FAILED
    written.stdout.fnmatch_lines(["failed: 2 orphans, golden SQL *"])
    files = ["__golden__/test_it/shared.sql", *(f"plans/{name}.sql" for name in names)]
    lines = written.outlines
    assert [line.split()[1] for line in lines if line.startswith("  new ")] == files
    assert [line.strip() for line in lines if line.endswith("gone.sql")] == [
        "__golden__/test_it/gone.sql",
        "plans/gone.sql",
    ]
    assert project.files() == sorted([*files, "plans/gone.sql", "__golden__/test_it/gone.sql"])
    assert not list(project.path.rglob(".*.sql-*"))


def test_rows_of_both_texts(project: Project, spark: SparkSession) -> None:
    """In the session that the project's conftest gives, over the tables of a folder or of the test."""
    rows = {"id": [1, 2, 3], "k": [1, 1, 1], "x": [5, 15, 25], "name": ["a", "b", "c"]}
    schema = pa.schema(
        [
            pa.field("id", pa.int64(), False),
            ("k", pa.int64()),
            ("x", pa.int64()),
            ("name", "string"),
        ]
    )
    (project.path / "tables").mkdir()
    pq.write_table(pa.table(rows, schema=schema), project.path / "tables" / "t.parquet")
    project.write(
        "conftest.py",
        "from pyspark.sql import SparkSession\n"
        "def pytest_golden_sql_session(config):\n"
        "    print('the session of the project')\n"
        "    return SparkSession.getActiveSession()\n",
    )
    project.plan("a.plan.json", B)
    project.write("a.sql", "SELECT id FROM t WHERE x > 15\n")
    project.tests(
        "from pyspark.sql import SparkSession\n"
        "def test_it(golden_sql):\n"
        "    golden_sql(PLAN, tables='tables', spark=SparkSession.getActiveSession())\n"
    )
    project.write("__golden__/test_it/test_it.sql", "SELECT id FROM t WHERE id < 3\n")
    found = project.run("-o", "golden_sql_tables=tables")
    found.assert_outcomes(failed=2)
    found.stdout.fnmatch_lines(
        [
            "golden SQL differs: a.sql -> a.plan.json: rows may differ",
            "run: the same 1 rows, compared as bags",
            "golden SQL differs: __golden__/test_it/test_it.sql -> test_it.py::test_it: rows may differ",
            "run: 2 and 3 rows, compared as bags; they differ",
            "+ 1 rows (id)",
            "+   3",
        ]
    )
    # The other test has given its own.
    assert found.stdout.str().count("the session of the project") == 1
    (project.path / "tables" / "t.parquet").unlink()
    project.run("--golden-tables", "tables", "a.plan.json").stdout.fnmatch_lines(
        ["*not run: SS4003 *", "+  x > 20"]
    )


def test_without_pyspark(project: Project) -> None:
    """Texts are compared; rows cannot be, and that is said."""
    project.plan("a.plan.json", A)
    project.write("a.sql", B)
    (project.path / "tables").mkdir()
    project.write("conftest.py", "import sys\nsys.modules['pyspark'] = None\n")
    command = [sys.executable, "-m", "pytest", *PLUGINS, "--golden-tables", "tables"]
    done = subprocess.run(
        command, cwd=project.path, capture_output=True, text=True, check=False,
        env={**os.environ, "PATH": "", "JAVA_HOME": ""},
    )  # fmt: skip
    assert "not run: SS4002" in done.stdout
    assert "golden SQL differs: a.sql" in done.stdout


def test_a_project_that_has_none_imports_next_to_nothing(project: Project) -> None:
    project.write("pytest.ini", "[pytest]\n")
    project.tests(
        """
import sys

def test_modules():
    heavy = {"sqlglot", "google.protobuf", "yaml", "substrait", "jinja2", "pyarrow", "pyspark"}
    assert not heavy & set(sys.modules)
    assert len([m for m in sys.modules if m.startswith("substrait_sql")]) < 20
"""
    )
    command = [sys.executable, "-m", "pytest", *PLUGINS, "-q"]
    done = subprocess.run(command, cwd=project.path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
