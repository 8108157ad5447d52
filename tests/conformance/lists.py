"""The cases that need not pass, each with its reason: two files of data beside this module.

`contradictions.yaml`: the case says something else than the extension file its function is defined in.
`refused.yaml`: the case is right, and Spark has no form for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import yaml

from tests.conformance.run import PASSED, REFUSED, WRONG, Outcome

if TYPE_CHECKING:
    from collections.abc import Iterable

HERE = Path(__file__).parent
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
        return (
            fnmatchcase(outcome.case.file, self.file)
            and self.case in outcome.case.text
            and outcome.form.endswith(self.form)
            and self.what in ("", outcome.what)
        )


@cache
def contradictions() -> tuple[Entry, ...]:
    return _read("contradictions.yaml")


@cache
def refusals() -> tuple[Entry, ...]:
    return _read("refused.yaml")


def _read(name: str) -> tuple[Entry, ...]:
    rows = yaml.safe_load((HERE / name).read_text(encoding="utf-8"))
    return tuple(Entry(**row) for row in rows or ())


def verdict(outcome: Outcome) -> str:
    """passed, refused, wrong, or that the case contradicts its extension file, and we go by that."""
    if outcome.what != PASSED and any(e.covers(outcome) for e in contradictions()):
        return CONTRADICTS
    return outcome.what


def stated(outcome: Outcome) -> bool:
    """Whether an outcome is passed, or is not for a reason that stands in the lists."""
    if verdict(outcome) in (PASSED, CONTRADICTS):
        return True
    return outcome.what == REFUSED and any(e.covers(outcome) for e in refusals())


def stale(outcomes: Iterable[Outcome]) -> list[Entry]:
    """The entries that no outcome needs."""
    missed = [o for o in outcomes if o.what != PASSED]
    refused = [o for o in missed if o.what == REFUSED]
    return [e for e in contradictions() if not any(e.covers(o) for o in missed)] + [
        e for e in refusals() if not any(e.covers(o) for o in refused)
    ]


ORDER = (WRONG, REFUSED, CONTRADICTS, PASSED)


def verdicts(outcomes: Iterable[Outcome]) -> dict[tuple[str, int, str], str]:
    """The worst verdict on each case, which is known by its file, line and text.

    A call passes as soon as it does with what Spark wants to be constant as a constant.
    """
    found = list(outcomes)
    passed = {id(o.case) for o in found if o.form == "first column" and o.what == PASSED}
    worst: dict[tuple[str, int, str], str] = {}
    for outcome in found:
        if outcome.form == "column" and id(outcome.case) in passed:
            continue
        key = (outcome.case.file, outcome.case.line, outcome.case.text)
        worst[key] = min(worst.get(key, PASSED), verdict(outcome), key=ORDER.index)
    return worst


def figures(outcomes: Iterable[Outcome]) -> str:
    """The figures of the official cases in one line, which README.md has too."""
    found = [v for (file, _, _), v in verdicts(outcomes).items() if not file.startswith("own/")]
    counts = [found.count(v) for v in (PASSED, CONTRADICTS, REFUSED, WRONG)]
    return (
        f"Of {len(found)} official function cases {counts[0]} pass; {counts[1]} say something else than their own "
        f"extension file; {counts[2]} are refused, {counts[3]} are wrong."
    )
