"""The end of a run, in the process that reports: what was written, and golden files that nothing has."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from substrait_sql.golden.options import FOLDER, folder_name, given

if TYPE_CHECKING:
    from collections.abc import Callable

    from substrait_sql.golden.record import Record
    from substrait_sql.golden.run import Run

TOLD = "golden_sql"
"""Under which name a worker of pytest-xdist tells what it has seen."""


def note_collected(record: Record, session: pytest.Session) -> None:
    """Keeps files of SQL in folders that were given as a whole, and notes the tests that have golden files."""
    record.seen = {path for path in record.seen if _whole(Path(path).parent, session)}
    modules = {Path(path).parent.name for path in record.seen if FOLDER in path}
    for item in session.items:
        if folder_name(item.path) in modules:
            tests = record.tests.setdefault(str(item.path), set())
            if "golden_sql" in getattr(item, "fixturenames", ()):
                tests.add(item.nodeid)
    record.partial |= bool(session.testsfailed)


def _whole(folder: Path, session: pytest.Session) -> bool:
    """Whether a folder, or one around it, was given; so nothing in it was left out."""
    return any(session.isinitpath(each) for each in (folder, *folder.parents))


class Summary:
    """A plugin of its own, where pytest reports: not in workers."""

    def __init__(
        self, config: pytest.Config, record: Record, run_of: Callable[[pytest.Config], Run]
    ) -> None:
        self.config = config
        self.record = record
        self.run_of = run_of
        self.passed: set[str] = set()
        self.run: Run | None = None
        self.orphans: list[Path] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Tests that passed have used all of their golden files."""
        if report.when == "call" and report.passed:
            self.passed.add(report.nodeid)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """What a worker of pytest-xdist has seen; one that crashed tells nothing, and others may miss its files."""
        told = getattr(node, "workeroutput", {}).get(TOLD)
        if told is None:
            self.record.partial = True
        else:
            self.record.add(told)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Finds orphans, and fails the run where the project wants that."""
        if not (self.record.claimed or given(self.config)):
            return
        from substrait_sql.golden.orphans import orphans

        self.run = self.run_of(self.config)
        settings = self.run.settings
        if settings.orphans == "ignore" or self.config.option.collectonly:
            return
        self.orphans = orphans(self.record, settings, self.passed)
        if self.orphans and settings.orphans == "fail" and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """The section about golden files, if there is anything to say."""
        if self.run is None:
            return
        said = [*_written(self.run), *_orphans(self.run, self.orphans), *_nothing(self.run)]
        if said:
            terminalreporter.section("golden SQL")
            for line in said:
                terminalreporter.write_line(line)


def _written(run: Run) -> list[str]:
    written = run.record.written
    lines = [f"  {written[path]:8} {run.shown(Path(path))}" for path in sorted(written)]
    return [f"{_counted(len(lines), 'file')} written:", *lines] if lines else []


def _orphans(run: Run, found: list[Path]) -> list[str]:
    if not found:
        return []
    failed = "failed: " if run.settings.orphans == "fail" else ""
    lines = [f"  {run.shown(path)}" for path in found]
    head = f"{failed}{_counted(len(lines), 'orphan')}, golden SQL that no plan and no test has:"
    return [head, *lines, "  remove what is not needed, or say golden_sql_orphans = ignore"]


def _nothing(run: Run) -> list[str]:
    """Whoever wants files written and gets none has perhaps not said which plans there are."""
    if not run.settings.writes or run.record.claimed:
        return []
    plans = " ".join(run.settings.plans) or "not set"
    return [
        f"no golden SQL: no test calls golden_sql, and no plan is one (golden_sql_plans: {plans})"
    ]


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
