"""Official cases that say something else than the extension file their function is defined in: a file beside this."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from typing import TYPE_CHECKING

import yaml

from substrait_sql.resources import PACKAGE
from substrait_sql.testing.cases.run import PASSED, Outcome

if TYPE_CHECKING:
    from pathlib import Path

CONTRADICTS = "contradicts"


@dataclass(frozen=True)
class Entry:
    """Cases of the files that match a pattern, whose text contains ``case``; only in one form if it names one.

    ``column`` is both forms with columns. what: only those that are refused, or wrong.
    """

    file: str
    reason: str
    case: str = ""
    form: str = ""
    what: str = ""

    def covers(self, outcome: Outcome) -> bool:
        """Whether the outcome is of these cases."""
        return (
            fnmatchcase(outcome.case.file, self.file)
            and self.case in outcome.case.text
            and outcome.form.endswith(self.form)
            and self.what in ("", outcome.what)
        )


@cache
def contradictions() -> tuple[Entry, ...]:
    """All of them."""
    return entries(PACKAGE / "testing" / "cases" / "contradictions.yaml")


def entries(path: Path) -> tuple[Entry, ...]:
    """What a file lists."""
    rows = yaml.safe_load(path.read_text(encoding="utf-8"))
    return tuple(Entry(**row) for row in rows or ())


def verdict(outcome: Outcome) -> str:
    """passed, refused, wrong, or that the case contradicts its extension file, and we go by that."""
    if outcome.what != PASSED and any(e.covers(outcome) for e in contradictions()):
        return CONTRADICTS
    return outcome.what
