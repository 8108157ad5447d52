"""A project with golden tests, and pytest in it: `pytester` runs it in this process."""

from __future__ import annotations

from pathlib import Path

import pytest
from google.protobuf import json_format

import substrait_sql
from substrait_sql.golden import ask, items, meaning  # noqa: F401  # not anew in each inner run

SCHEMA = {"t": "id BIGINT NOT NULL, k BIGINT, x BIGINT, name STRING", "u": "k BIGINT, y BIGINT"}
PLUGINS = ("-p", "substrait_sql.golden.plugin", "-p", "no:cacheprovider")
INI = "[pytest]\ngolden_sql_plans = *.plan.*\n"


class Project:
    """A folder with plans and tests."""

    def __init__(self, pytester: pytest.Pytester) -> None:
        self.pytester = pytester
        self.path = pytester.path
        self.write("pytest.ini", INI)

    def write(self, name: str, text: str) -> Path:
        """A file with this text."""
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def plan(self, name: str, sql: str) -> Path:
        """A file with the plan of this SQL: JSON, or binary."""
        plan = substrait_sql.to_plan(sql, schema=SCHEMA)
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".json":
            path.write_text(json_format.MessageToJson(plan), encoding="utf-8")
        else:
            path.write_bytes(plan.SerializeToString())
        return path

    def tests(self, text: str, name: str = "test_it.py") -> None:
        """A file of tests. PLAN is a plan that is no file."""
        plan = substrait_sql.to_plan("SELECT id FROM t", schema=SCHEMA).SerializeToString()
        head = f"from pathlib import Path\nimport pytest\nPLAN = {plan!r}\n"
        self.write(name, head + text)

    def run(self, *arguments: str) -> pytest.RunResult:
        """Pytest in this folder, with no plugin but ours and those that the arguments name."""
        # It is imported already, which it is not where pytest is called for tests only.
        quiet = "ignore::pytest.PytestAssertRewriteWarning"
        return self.pytester.runpytest_inprocess(*PLUGINS, "-W", quiet, *arguments)

    def read(self, name: str) -> str:
        """The text of a file."""
        return (self.path / name).read_text(encoding="utf-8")

    def files(self, pattern: str = "*.sql") -> list[str]:
        """The files of SQL below the folder."""
        return sorted(p.relative_to(self.path).as_posix() for p in self.path.rglob(pattern))


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Project:
    """An empty one that collects ``*.plan.*``."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setenv("PYTHONPATH", str(Path(substrait_sql.__file__).parents[1]))
    for name in ("CI", "PYTEST_ADDOPTS", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    return Project(pytester)
