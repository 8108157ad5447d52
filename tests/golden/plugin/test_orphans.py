"""Golden files that no plan and no test has: which are said, and when."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.golden.plugin.conftest import Project

pytest_plugins = ["pytester"]

A = "SELECT id FROM t WHERE x > 10"


@pytest.fixture
def golden(project: Project) -> Project:
    """Two plans in a folder and a file of tests, with their golden files."""
    project.plan("plans/a.plan.json", A)
    project.plan("plans/b.plan.json", A)
    project.tests(
        """
@pytest.mark.parametrize("x", [1, 2])
def test_one(golden_sql, x):
    golden_sql(PLAN)
"""
    )
    project.run("--golden-update").assert_outcomes(passed=4)
    return project


def said(project: Project, *arguments: str) -> list[str]:
    """The orphans of a run."""
    lines = project.run(*arguments).outlines
    start = next((i for i, line in enumerate(lines) if "no plan and no test has" in line), None)
    found = lines[start + 1 :] if start is not None else []
    return [line.strip() for line in found if line.endswith(".sql")]


def test_there_are_none(golden: Project) -> None:
    golden.write("queries/mine.sql", "SELECT 1")
    golden.write("__golden__.sql", "SELECT 1")
    assert said(golden) == []


def test_of_plans_that_are_gone(golden: Project) -> None:
    (golden.path / "plans/b.plan.json").rename(golden.path / "plans/c.plan.json")
    golden.write("plans/a.databrikcs.sql", "-- a typing error")
    golden.write("plans/a.spark.sql", "-- that is a.sql")
    orphans = ["plans/a.databrikcs.sql", "plans/a.spark.sql", "plans/b.sql"]
    assert said(golden) == orphans
    assert said(golden, "plans") == orphans
    assert said(golden, "plans", "-x", "--golden-update") == orphans
    # A part of the folder, or of its tests.
    for part in (
        ["plans/a.plan.json"],
        ["-k", "c.plan"],
        ["plans/a.plan.json::spark"],
        ["test_it.py"],
    ):
        assert said(golden, *part) == []
    assert said(golden, "--collect-only") == []


def test_of_tests_that_are_gone(golden: Project) -> None:
    golden.tests("def test_one(golden_sql): golden_sql(PLAN)")
    left = [f"__golden__/test_it/test_one[{x}].sql" for x in (1, 2)]
    assert said(golden, "--golden-update") == left
    assert said(golden, "test_it.py") == []
    golden.tests("def test_one(golden_sql): pytest.skip()")
    assert said(golden) == []
    golden.tests("def test_one(golden_sql): golden_sql(PLAN); assert 0")
    assert said(golden) == []
    golden.tests("def test_one(: no Python")
    assert said(golden) == []
    golden.tests("def test_none(): pass")
    assert len(said(golden)) == 3
    (golden.path / "test_it.py").unlink()
    assert len(said(golden)) == 3


def test_beside_plans_that_tests_name(project: Project) -> None:
    project.write("pytest.ini", "[pytest]\n")
    plan = project.plan("plans/a.pb", A)
    project.tests("def test_a(golden_sql): golden_sql('plans/a.pb')")
    project.write("plans/gone.sql", "")
    project.write("queries/mine.sql", "")
    assert said(project, "--golden-update") == ["plans/gone.sql"]
    project.plan("plans/of_nobody.pb", A)
    project.write("plans/of_nobody.sql", "")
    assert said(project) == ["plans/gone.sql"]
    assert Path(plan).exists()


def test_through_a_symbolic_link(project: Project) -> None:
    plan = project.plan("real/a.pb", A)
    (project.path / "plans").symlink_to(plan.parent)
    project.tests(
        "def test_a(golden_sql):\n    golden_sql('plans/a.pb')\n    golden_sql(Path('plans/a.pb').resolve())"
    )
    project.write("real/gone.sql", "")
    assert said(project, "--golden-update")[-1:] == ["real/gone.sql"]
    assert "real/a.sql" not in said(project)


def test_a_folder_whose_last_plan_is_gone(project: Project) -> None:
    project.write("pytest.ini", "[pytest]\ngolden_sql_plans = plans/*.plan.*\n")
    project.write("plans/gone.sql", "")
    project.write("other/mine.sql", "")
    project.tests("def test_nothing(): pass")
    assert said(project) == ["plans/gone.sql"]


def test_what_the_run_says_to_them(golden: Project) -> None:
    golden.write("plans/gone.sql", "")
    assert golden.run().ret == pytest.ExitCode.OK
    failed = golden.run("--golden-orphans", "fail")
    assert failed.ret == pytest.ExitCode.TESTS_FAILED
    failed.stdout.fnmatch_lines(["failed: 1 orphan, golden SQL *", "  plans/gone.sql"])
    assert golden.run("-o", "golden_sql_orphans=fail").ret == pytest.ExitCode.TESTS_FAILED
    ignored = golden.run("-o", "golden_sql_orphans=fail", "--golden-orphans", "ignore")
    assert ignored.ret == pytest.ExitCode.OK
    ignored.stdout.no_fnmatch_line("*golden SQL*")
