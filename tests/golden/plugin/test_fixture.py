"""The fixture: plans that are files and plans that are not, names, and what it returns and raises."""

from __future__ import annotations

import pytest

from substrait_sql.golden import names
from tests.golden.plugin.conftest import Project

pytest_plugins = ["pytester"]

A = "SELECT id FROM t WHERE x > 10"


def test_where_the_golden_files_are(project: Project) -> None:
    project.write("pytest.ini", "[pytest]\n")
    project.plan("plans/a.pb", A)
    project.write("acme/dialect.yaml", "name: acme\nmetadata: {extends: spark}\n")
    project.tests(
        """
def test_file(golden_sql):
    assert golden_sql(Path("plans/a.pb")).startswith("SELECT")
    golden_sql("plans/a.pb", dialect="databricks")
    golden_sql("plans/a.pb", "of_a_file")
    golden_sql("plans/a.pb", dialect=Path("acme"))

@pytest.mark.parametrize("x", ["a/b", "..", "é"])
def test_bytes(golden_sql, x):
    golden_sql(PLAN)
    golden_sql(PLAN, f"../{x}")

class TestIt:
    def test_bytes(self, golden_sql):
        golden_sql(PLAN, dialect="spark35")
"""
    )
    project.run().assert_outcomes(failed=5)
    project.run("--golden-update").assert_outcomes(passed=5)
    folder = "__golden__/test_it"
    assert project.files() == sorted(
        [
            "plans/a.sql",
            "plans/a.databricks.sql",
            "plans/a.acme.sql",
            f"{folder}/of_a_file.sql",
            f"{folder}/TestIt.test_bytes.spark35.sql",
            *(f"{folder}/test_bytes[{x}].sql" for x in ("a%2Fb", "..", "%5Cxe9")),
            *(f"{folder}/%2E.%2F{x}.sql" for x in ("a%2Fb", "..", "é")),
        ]
    )
    project.run().assert_outcomes(passed=5)


def test_two_texts_for_one_file(project: Project) -> None:
    project.plan("a.pb", A)
    project.tests(
        "def test_two(golden_sql):\n    golden_sql(PLAN)\n    golden_sql(Path('a.pb'), 'test_two')"
    )
    found = project.run("--golden-update")
    found.assert_outcomes(failed=1)
    found.stdout.fnmatch_lines(["*two texts have the same golden file*name=*"])


def test_statements_and_refused_plans(project: Project) -> None:
    project.plan("a.pb", A)
    project.tests(
        """
import substrait_sql

def test_view(golden_sql):
    golden_sql(substrait_sql.render(Path("a.pb"), statement="view", name="v"))

def test_text(golden_sql):
    golden_sql(substrait_sql.to_sql(PLAN))

def test_refused(golden_sql):
    with pytest.raises(substrait_sql.DecodeError):
        golden_sql(b"no plan")

def test_fails(golden_sql):
    golden_sql(b"no plan")
"""
    )
    found = project.run("--golden-update")
    found.assert_outcomes(passed=3, failed=1)
    found.stdout.fnmatch_lines([">*golden_sql(b*no plan*", "E *DecodeError: SS1*"])
    found.stdout.no_fnmatch_line("*decode.py*")
    golden = project.path / "__golden__/test_it/test_view.sql"
    assert golden.read_text().startswith("CREATE OR REPLACE VIEW v AS\nSELECT")
    golden.write_text(golden.read_text().replace("10", "11"))
    project.run("-k", "view").stdout.fnmatch_lines(
        ["*differs: __golden__/test_it/test_view.sql -> test_it.py::test_view: rows may differ"]
    )


@pytest.mark.parametrize(
    "text", ["x" * 300, "é" * 200, "x" * 299 + "y", "\ud800", "a\nb", ".hidden"]
)
def test_names_of_files(text: str) -> None:
    name = names.file_name(text)
    assert len(name.encode()) <= 200
    assert name.isprintable()
    assert not name.startswith(".")


def test_other_texts_have_other_names() -> None:
    texts = ["a/b", "a%2Fb", "a_b", "A/b", "x" * 300, "x" * 299 + "y", "x" * 299, ".", "%2E"]
    assert len({names.file_name(text) for text in texts}) == len(texts)
