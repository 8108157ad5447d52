"""Files with plans as tests of their own, one for each dialect."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from substrait_sql.errors import SubstraitSqlError
from substrait_sql.files import stem
from substrait_sql.golden import names
from substrait_sql.golden.case import Case
from substrait_sql.golden.orphans import dialects

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import Self

    from substrait_sql.golden.run import Run


class PlanFile(pytest.File):
    """A file with a plan."""

    def __init__(self, *, run: Run, **given: Any) -> None:
        super().__init__(**given)
        self.run = run

    @classmethod
    def of(cls, parent: pytest.Collector, path: Path, run: Run) -> Self:
        """The file below its folder."""
        return cls.from_parent(parent, path=path, run=run)

    def collect(self) -> Iterator[PlanItem]:
        """The dialects of the configuration, then those that have a file beside the plan."""
        settings = self.run.settings
        for dialect in (*settings.dialects, *self._others()):
            item: PlanItem = PlanItem.from_parent(
                self, name=names.label(dialect), run=self.run, dialect=dialect
            )
            self.run.claim(item.golden)
            yield item

    def _others(self) -> list[str]:
        """Dialects of golden files that are there, but for those of the configuration."""
        settings = self.run.settings
        found = set(self.run.neighbours(self.path.parent).middles.get(stem(self.path), ()))
        found -= {names.label(d) for d in settings.dialects}
        return sorted(found & dialects(settings)) if found else []


class PlanItem(pytest.Item):
    """The SQL of a plan in a dialect is that of the golden file beside it."""

    def __init__(self, *, run: Run, dialect: str, **given: Any) -> None:
        super().__init__(**given)
        self.run = run
        self.dialect = dialect
        self.golden = run.settings.golden_of_plan(self.path, dialect)

    def runtest(self) -> None:
        """Renders and compares."""
        from substrait_sql import pipeline

        self._check_name()
        settings = self.run.settings
        dialect = settings.known(self.dialect)
        label = self.run.shown(self.path)
        try:
            sql = pipeline.to_sql(self.path, dialect=dialect)
        except SubstraitSqlError as error:
            pytest.fail(f"{label} has no SQL in {self.name}\n{error}", pytrace=False)
        self.run.check(
            Case(self.golden, sql, self.path, label, dialect, self.nodeid, settings.tables)
        )

    def _check_name(self) -> None:
        """Two plans of one name would take turns in writing the file."""
        beside = self.run.neighbours(self.path.parent).plans.get(stem(self.path), ())
        others = [path for path in beside if path != self.path]
        if others:
            both = f"{self.run.shown(self.path)} and {self.run.shown(others[0])}"
            golden = self.run.shown(self.golden)
            pytest.fail(f"{both} have the same golden file, {golden}: rename one", pytrace=False)

    def reportinfo(self) -> tuple[Path, None, str]:
        """Where the test is, and what it is called."""
        return self.path, None, f"{self.run.shown(self.path)} in {self.name}"
