"""The end of a run, in the process that reports: what was written, and golden files that nothing has."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from substrait_sql.golden import names
from substrait_sql.golden.orphans import orphans
from substrait_sql.golden.settings import CHECK

if TYPE_CHECKING:
    from substrait_sql.golden.run import Run

TOLD = "golden_sql"
"""Under which name a worker of pytest-xdist tells what it has seen."""


def note_collected(run: Run, session: pytest.Session) -> None:
    """Keeps files of SQL in folders that were given as a whole, and notes the tests that have golden files."""
    record = run.record
    record.seen = {path for path in record.seen if _whole(Path(path).parent, session)}
    modules = {Path(path).parent.name for path in record.seen if names.FOLDER in path}
    for item in session.items:
        if names.folder_name(item.path) in modules:
            tests = record.tests.setdefault(str(item.path), set())
            if "golden_sql" in getattr(item, "fixturenames", ()):
                tests.add(item.nodeid)
    record.partial |= bool(session.testsfailed)


def _whole(folder: Path, session: pytest.Session) -> bool:
    """Whether a folder, or one around it, was given; so nothing in it was left out."""
    return any(session.isinitpath(each) for each in (folder, *folder.parents))


class Summary:
    """A plugin of its own, where pytest reports: not in workers."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.orphans: list[Path] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Tests that passed have used all of their golden files."""
        if report.when == "call" and report.passed:
            self.run.passed.add(report.nodeid)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """What a worker of pytest-xdist has seen; one that crashed tells nothing, and others may miss its files."""
        told = getattr(node, "workeroutput", {}).get(TOLD)
        if told is None:
            self.run.record.partial = True
        else:
            self.run.record.add(told)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Finds orphans, and fails the run where the project wants that."""
        settings = self.run.settings
        if settings.orphans == "ignore" or session.config.option.collectonly:
            return
        self.orphans = orphans(self.run.record, settings, self.run.passed)
        if self.orphans and settings.orphans == "fail" and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """The section about golden files, if there is anything to say."""
        said = [*self._written(), *self._orphans(), *self._nothing()]
        if said:
            terminalreporter.section("golden SQL")
            for line in said:
                terminalreporter.write_line(line)

    def _written(self) -> list[str]:
        written = self.run.record.written
        lines = [f"  {written[path]:8} {self.run.shown(Path(path))}" for path in sorted(written)]
        return [f"{_counted(len(lines), 'file')} written:", *lines] if lines else []

    def _orphans(self) -> list[str]:
        if not self.orphans:
            return []
        failed = "failed: " if self.run.settings.orphans == "fail" else ""
        lines = [f"  {self.run.shown(path)}" for path in self.orphans]
        head = f"{failed}{_counted(len(lines), 'orphan')}, golden SQL that no plan and no test has:"
        return [head, *lines, "  remove what is not needed, or say golden_sql_orphans = ignore"]

    def _nothing(self) -> list[str]:
        """Whoever wants files written and gets none has perhaps not said which plans there are."""
        settings = self.run.settings
        if settings.mode == CHECK or self.run.record.claimed:
            return []
        plans = " ".join(settings.plans) or "not set"
        return [
            f"no golden SQL: no test calls golden_sql, and no plan is one (golden_sql_plans: {plans})"
        ]


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
