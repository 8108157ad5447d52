"""The golden files of a run: compares, writes, asks, and remembers what it has seen."""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING, Any, NoReturn

import pytest

from substrait_sql.golden import names
from substrait_sql.golden.case import UnreadableError, read, write
from substrait_sql.golden.neighbours import Neighbours
from substrait_sql.golden.record import CHANGED, NEW
from substrait_sql.golden.settings import CHECK, REVIEW, UPDATE

if TYPE_CHECKING:
    from pathlib import Path

    from substrait_sql.golden.case import Case
    from substrait_sql.golden.record import Record
    from substrait_sql.golden.settings import Settings


class Run:
    """What one process has of the run."""

    def __init__(self, config: pytest.Config, settings: Settings, record: Record) -> None:
        self.config = config
        self.settings = settings
        self.record = record
        self._texts: dict[str, str] = {}
        self._neighbours: dict[Path, Neighbours] = {}

    def shown(self, path: Path) -> str:
        """A path in messages."""
        return names.shown(path, self.settings.start)

    def claim(self, golden: Path) -> None:
        """This golden file belongs to something."""
        self.record.claimed.add(os.path.realpath(golden))

    def neighbours(self, folder: Path) -> Neighbours:
        """What is in a folder of plans."""
        if folder not in self._neighbours:
            self._neighbours[folder] = Neighbours(folder, self.settings)
        return self._neighbours[folder]

    def check(self, case: Case) -> None:
        """Fails the test if the golden file does not hold the SQL; writes it if that was asked for."""
        __tracebackhide__ = True
        self.claim(case.golden)
        self._once(case)
        try:
            old = read(case.golden)
        except UnreadableError as error:
            old = None
            if self.settings.mode == CHECK:
                _fail(f"cannot read the golden SQL {self.shown(case.golden)}: {error}")
        if old is not None and old.rstrip("\n") == case.sql.rstrip("\n"):
            return
        if self.settings.mode == UPDATE:
            self._write(case)
        elif self.settings.mode == REVIEW:
            self._review(case, old)
        else:
            _fail(f"{self._said(case, old, False)}\n\n{self._commands(case, old)}")

    def _once(self, case: Case) -> None:
        """Two texts cannot be in one file, and whoever updates must not lose one."""
        __tracebackhide__ = True
        before = self._texts.setdefault(os.path.realpath(case.golden), case.text)
        if before != case.text:
            _fail(
                f"two texts have the same golden file, {self.shown(case.golden)}:"
                " give each a name of its own, golden_sql(plan, name=…), or rename the plan"
            )

    def _write(self, case: Case) -> None:
        __tracebackhide__ = True
        how = CHANGED if case.golden.exists() else NEW
        problem = write(case)
        if problem:
            _fail(problem)
        self.record.written[str(case.golden)] = how

    def _review(self, case: Case, old: str | None) -> None:
        from substrait_sql.golden.ask import NO, QUIT, SKIP, YES, ask

        __tracebackhide__ = True
        colour = self.config.get_terminal_writer().hasmarkup
        answer = ask(self.config, self._said(case, old, colour))
        name = self.shown(case.golden)
        if answer == YES:
            self._write(case)
        elif answer == NO:
            _fail(f"{name}: the new SQL was not taken")
        elif answer == SKIP:
            pytest.skip(f"{name}: not decided")
        elif answer == QUIT:
            pytest.exit("the review was ended; what was taken is written", returncode=1)

    def _said(self, case: Case, old: str | None, colour: bool) -> str:
        """What is the matter with the golden file."""
        name = self.shown(case.golden)
        if old is None:
            return f"no golden SQL {name} for {case.label}; it would be:\n\n{case.sql}"
        from substrait_sql.golden.meaning import explained

        found = explained(case, old, name, self._session, colour)
        return f"golden SQL differs: {found}".rstrip("\n")

    def _commands(self, case: Case, old: str | None) -> str:
        """What to do about it."""
        place, _, rest = case.node.partition("::")
        path = names.shown(self.settings.root / place, self.settings.start)
        # A path that begins with a hyphen would be taken for an option.
        test = shlex.quote(f"{'./' if path.startswith('-') else ''}{path}::{rest}")
        if old is None:
            return f"write it, then read it:  pytest {test} --golden-update"
        return (
            f"if the new SQL is right:  pytest {test} --golden-update\n"
            "one after the other:      pytest --golden-review"
        )

    def _session(self) -> Any:
        return self.config.hook.pytest_golden_sql_session(config=self.config)


def _fail(text: str) -> NoReturn:
    __tracebackhide__ = True
    pytest.fail(text, pytrace=False)
