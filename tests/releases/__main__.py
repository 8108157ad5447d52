"""``python -m tests.releases [golden|functions|tpch …] --dialect NAME [-k TEXT] [--json FILE]``: an older Spark.

Runs in an environment with the PySpark that it is for (`make test-spark35`, `make test-spark40`): golden plans, TPC-H
and function cases, as texts of the dialect, on a real session. Prints how many pass and what is refused; exit 1 if a
result is wrong, or an error of Spark's that is none of ours.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from tests.conformance import session
from tests.releases import functions, plans
from tests.releases.outcome import PASSED, REFUSED, WRONG

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.releases.outcome import Outcome

SUITES = {"golden": plans.golden, "tpch": plans.tpch, "functions": functions.cases}


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.releases", description=__doc__)
    parser.add_argument("suite", nargs="*", help="some of " + ", ".join(SUITES))
    parser.add_argument("-k", metavar="TEXT", default="", help="only what has TEXT in its name")
    parser.add_argument("--dialect", required=True)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all outcomes there")
    chosen = parser.parse_args(argv)
    found: list[Outcome] = []
    with session.spark() as spark:
        print(f"Spark {spark.version}, dialect {chosen.dialect}")
        for name in chosen.suite or SUITES:
            started = time.monotonic()
            outcomes = SUITES[name](spark, chosen.dialect, chosen.k)
            _report(name, outcomes, time.monotonic() - started)
            found += outcomes
    if chosen.json is not None:
        chosen.json.write_text(json.dumps([asdict(o) for o in found], indent=0), encoding="utf-8")
    return 1 if any(o.what == WRONG for o in found) else 0


def _report(suite: str, outcomes: Sequence[Outcome], seconds: float) -> None:
    counts = Counter(o.what for o in outcomes)
    figures = ", ".join(f"{counts[what]} {what}" for what in (PASSED, REFUSED, WRONG))
    print(f"{suite}: {figures} ({seconds:.0f} s)")
    for outcome in outcomes:
        if outcome.what == WRONG:
            print(f"  {outcome.name}: {outcome.why}")
    reasons = Counter(o.why for o in outcomes if o.what == REFUSED)
    for why, count in sorted(reasons.items()):
        print(f"  {count:4} refused: {why}")


sys.exit(main())
