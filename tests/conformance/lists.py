"""The cases that need not pass, each with its reason.

`refused.yaml` beside this: the case is right, and Spark has no form for it. Those that say something else than the
extension file of their function are in the package, `substrait_sql/testing/cases`.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from substrait_sql.testing.cases.contradictions import (
    CONTRADICTS,
    Entry,
    contradictions,
    entries,
    verdict,
)
from substrait_sql.testing.cases.run import PASSED, REFUSED, WRONG, Outcome

if TYPE_CHECKING:
    from collections.abc import Iterable

HERE = Path(__file__).parent


@cache
def refusals() -> tuple[Entry, ...]:
    return entries(HERE / "refused.yaml")


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


__all__ = [
    "CONTRADICTS",
    "contradictions",
    "figures",
    "refusals",
    "stale",
    "stated",
    "verdict",
    "verdicts",
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
