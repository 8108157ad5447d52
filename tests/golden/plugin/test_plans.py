"""Files with plans as tests: what passes, what fails and with which words, what is written."""

from __future__ import annotations

from fnmatch import fnmatch

import pytest

from tests.golden.plugin.conftest import Project

pytest_plugins = ["pytester"]

A = "SELECT id FROM t WHERE x > 10"
B = "SELECT id FROM t WHERE x > 20"


def test_from_nothing_to_a_changed_plan(project: Project) -> None:
    project.plan("plans/q.plan.json", A)
    missing = project.run()
    missing.assert_outcomes(failed=1)
    missing.stdout.fnmatch_lines(
        [
            "*no golden SQL plans/q.sql for plans/q.plan.json; it would be:",
            "FROM t",
            "write it, then read it:  pytest plans/q.plan.json::spark --golden-update",
            "FAILED plans/q.plan.json::spark - *no golden SQL plans/q.sql*",
        ]
    )
    assert project.files() == []

    written = project.run("--golden-update")
    written.assert_outcomes(passed=1)
    written.stdout.fnmatch_lines(["*= golden SQL =*", "1 file written:", "  new      plans/q.sql"])
    assert project.read("plans/q.sql") == "SELECT\n  id\nFROM t\nWHERE\n  x > 10\n"
    again = project.run("--golden-update", "-v")
    again.stdout.fnmatch_lines(["plans/q.plan.json::spark PASSED*"])
    again.stdout.no_fnmatch_line("*golden SQL*")

    project.plan("plans/q.plan.json", B)
    changed = project.run()
    changed.assert_outcomes(failed=1)
    changed.stdout.fnmatch_lines(
        [
            "golden SQL differs: plans/q.sql -> plans/q.plan.json: rows may differ",
            "[*] a condition changed: x > 10 became x > 20*",
            "--- plans/q.sql",
            "+++ plans/q.plan.json",
            "-  x > 10",
            "+  x > 20",
            "if the new SQL is right:  pytest plans/q.plan.json::spark --golden-update",
        ]
    )
    assert "x > 10" in project.read("plans/q.sql")
    project.run("--golden-update").stdout.fnmatch_lines(["  changed  plans/q.sql"])
    assert "x > 20" in project.read("plans/q.sql")


def test_only_what_is_configured_is_collected(project: Project) -> None:
    project.write("pytest.ini", "[pytest]\n")
    project.plan("q.plan.json", A)
    project.write("q.sql", "-- somebody's own\n")
    project.tests("def test_nothing(): pass")
    unused = project.run()
    unused.assert_outcomes(passed=1)
    unused.stdout.no_fnmatch_line("*golden SQL*")
    project.run("--golden-update").stdout.fnmatch_lines(
        ["no golden SQL: * (golden_sql_plans: not set)"]
    )
    project.run("q.plan.json").assert_outcomes(failed=1)

    project.write("pytest.ini", "[pytest]\ngolden_sql_plans = plans/*.pb\n")
    project.plan("plans/a.pb", A)
    project.plan("others/b.pb", A)
    project.write("plans/notes.sql.pb.md", "no plan")
    assert project.run("--golden-update").parseoutcomes() == {"passed": 2}
    assert project.files() == ["plans/a.sql", "q.sql"]


def test_every_ending_of_plans(project: Project) -> None:
    for ending in ("json", "pb", "bin", "binpb", "substrait"):
        project.plan(f"{ending}.plan.{ending}", A)
    project.write("README.plan.md", "no plan")
    project.run("--golden-update").assert_outcomes(passed=5)
    assert project.files()[0] == "bin.sql"


def test_line_ends_and_blank_lines_at_the_end_do_not_count(project: Project) -> None:
    project.plan("q.plan.json", A)
    text = b"SELECT\r\n  id\r\nFROM t\r\nWHERE\r\n  x > 10"
    (project.path / "q.sql").write_bytes(text)
    project.run("--golden-update").assert_outcomes(passed=1)
    assert (project.path / "q.sql").read_bytes() == text


def test_dialects_of_the_project_and_of_files(project: Project) -> None:
    project.write(
        "pytest.ini", f"{project.read('pytest.ini')}golden_sql_dialects = spark databricks\n"
    )
    project.plan("q.plan.json", A)
    project.run("--golden-update").assert_outcomes(passed=2)
    assert project.files() == ["q.databricks.sql", "q.sql"]
    project.write("q.spark35.sql", "")
    found = project.run("-v")
    found.stdout.fnmatch_lines(
        [
            "q.plan.json::spark PASSED*",
            "q.plan.json::databricks PASSED*",
            "q.plan.json::spark35 FAILED*",
        ]
    )
    project.run("q.plan.json::spark35", "--golden-update").assert_outcomes(passed=1)
    assert project.read("q.spark35.sql") == project.read("q.sql")


def test_a_dialect_that_is_a_folder_or_is_not_there(project: Project) -> None:
    project.write("acme/dialect.yaml", "name: acme\nmetadata: {extends: spark}\n")
    project.write("pytest.ini", f"{project.read('pytest.ini')}golden_sql_dialects = spark ./acme\n")
    project.plan("q.plan.json", A)
    project.run("--golden-update").assert_outcomes(passed=2)
    assert project.files() == ["q.acme.sql", "q.sql"]
    unknown = project.run("-o", "golden_sql_dialects=nope")
    assert unknown.ret == pytest.ExitCode.USAGE_ERROR
    unknown.stderr.fnmatch_lines(["*golden_sql_dialects: SS2401 *nope*"])


def test_odd_names(project: Project) -> None:
    odd = ["a b", "q'; rm -rf", "été", "[x]", "-n", "a::b", "%s{}", "x\x1b[2J", "plan", "a.b"]
    for name in odd:
        project.plan(f"{name}.plan.json", A)
    failed = project.run()
    failed.assert_outcomes(failed=len(odd))
    assert "\x1b[2J.sql" not in failed.stdout.str()
    failed.stdout.fnmatch_lines(["*pytest ./-n.plan.json::spark --golden-update"])
    failed.stdout.fnmatch_lines(["*pytest 'q'*; rm -rf.plan.json::spark' --golden-update"])
    project.run("--golden-update").assert_outcomes(passed=len(odd))
    assert project.files() == sorted(f"{name}.sql" for name in odd)
    project.run().assert_outcomes(passed=len(odd))


def test_broken_plans(project: Project) -> None:
    """Each fails with our message, and the others go on."""
    broken = {
        "bytes": (b"\x00\xff no plan", "SS1002 *"),
        "empty": (b"", "SS1006 *"),
        "json": (b"{]", "SS1003 *"),
        "nothing": (
            b'{"relations": [{"root": {"input": {"read": {}}}}]}',
            "SS2*at *root.input.read*",
        ),
    }
    for name, (content, _) in broken.items():
        (project.path / f"{name}.plan.json").write_bytes(content)
    project.plan("right.plan.json", A)
    for arguments in ((), ("--golden-update",)):
        found = project.run(*arguments)
        text = " ".join(found.outlines)
        for name, (_, said) in broken.items():
            assert fnmatch(text, f"*{name}.plan.json has no SQL in spark {said}")
        assert "Traceback" not in text
        assert "INTERNALERROR" not in text
    found.assert_outcomes(passed=1, failed=len(broken))
    assert project.files() == ["right.sql"]


def test_golden_files_that_cannot_be_read_or_written(project: Project) -> None:
    project.plan("folder.plan.json", A)
    (project.path / "folder.sql").mkdir()
    project.plan("bytes.plan.json", A)
    (project.path / "bytes.sql").write_bytes(b"\xff\xfe\x00")
    found = project.run()
    found.assert_outcomes(failed=2)
    found.stdout.fnmatch_lines(
        ["cannot read the golden SQL bytes.sql: it is no UTF-8*", "*folder.sql: Is a directory*"]
    )
    project.run("--golden-update").assert_outcomes(passed=1, failed=1)
    assert "x > 10" in project.read("bytes.sql")


def test_two_plans_of_one_name(project: Project) -> None:
    project.plan("q.plan.json", A)
    project.plan("q.plan.pb", B)
    project.write("q.json", "no plan, and no test")
    found = project.run("--golden-update")
    found.assert_outcomes(failed=2)
    found.stdout.fnmatch_lines(["q.plan.json and q.plan.pb have the same golden file, q.sql*"])
    assert project.files() == []


def test_what_meaning_cannot_be_known_of(project: Project) -> None:
    """The texts are compared all the same."""
    project.plan("q.plan.json", A)
    project.write("q.sql", "SELEKT nonsense FROM\n")
    found = project.run()
    found.stdout.fnmatch_lines(
        ["*q.sql was not read as a plan: *", "-SELEKT nonsense FROM", "+FROM t"]
    )


def test_options_that_make_no_sense(project: Project) -> None:
    project.plan("q.plan.json", A)
    for arguments, said in (
        (("--golden-update", "--golden-review"), "*give one"),
        (("--golden-review",), "*asks on a terminal, and this is none*"),
        (("--golden-tables", "nowhere"), "*there is no folder*nowhere*"),
        (("-o", "golden_sql_orphans=maybe"), "*warn, fail, ignore, not 'maybe'*"),
        (("-o", "golden_sql_dialects=a a"), "*has one twice: a a*"),
        (
            ("-o", "golden_sql_dialects=spork"),
            "*golden_sql_dialects: *there is no dialect 'spork'*",
        ),
        (("-o", "golden_sql_dialects=./nowhere"), "*golden_sql_dialects: *nowhere*"),
    ):
        found = project.run(*arguments)
        assert found.ret == pytest.ExitCode.USAGE_ERROR
        found.stderr.fnmatch_lines([said])


def test_where_pytest_was_called(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command that a failure prints is for this folder."""
    project.plan("plans/q.plan.json", A)
    monkeypatch.chdir(project.path / "plans")
    found = project.run()
    found.stdout.fnmatch_lines(["*pytest q.plan.json::spark --golden-update"])
