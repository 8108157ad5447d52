"""``python -m tests.conformance [FILE...] [-k TEXT] [--verbose]``: the function cases, on Spark.

FILE is a part of a case file's name, such as ``arithmetic/add`` or ``own/``; without one, all are run.
Exit 1 if a result is wrong, or a call refused for no stated reason.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from substrait_sql.testing.cases.run import PASSED, REFUSED, WRONG, run
from tests.conformance import lists, read, session

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.testing.cases.run import Outcome


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.conformance", description=__doc__)
    parser.add_argument("file", nargs="*", help="a part of the names of case files")
    parser.add_argument("-k", metavar="TEXT", default="", help="only cases whose text has TEXT")
    parser.add_argument("--verbose", action="store_true", help="print every refusal in full")
    chosen = parser.parse_args(argv)
    files = [f for f in read.files() if not chosen.file or any(x in f for x in chosen.file)]
    cases = [c for f in files for c in read.cases(f) if chosen.k in c.text]
    if not cases:
        print("no case has that name", file=sys.stderr)
        return 2
    started = time.monotonic()
    with session.spark() as spark:
        outcomes = run(spark, cases)
    report(outcomes, verbose=chosen.verbose)
    print(f"{time.monotonic() - started:.0f} s")
    return 0 if all(map(lists.stated, outcomes)) else 1


def report(outcomes: Sequence[Outcome], *, verbose: bool) -> None:
    """Prints the figures of each file and in total, what is wrong, and why calls are refused."""
    worst = lists.verdicts(outcomes)
    figures: dict[str, Counter[str]] = defaultdict(Counter)
    for (file, _, _), what in worst.items():
        figures[file][what] += 1
    columns = (PASSED, REFUSED, lists.CONTRADICTS, WRONG)
    print(f"{'':48}" + "".join(f"{c:>13}" for c in columns))
    for file, counted in figures.items():
        print(f"{file:48}" + "".join(f"{counted[c] or '':>13}" for c in columns))
    total = sum(figures.values(), Counter())
    print(f"{'total':48}" + "".join(f"{total[c]:>13}" for c in columns))
    print(lists.figures(outcomes))
    for outcome in outcomes:
        if lists.verdict(outcome) == WRONG:
            print(outcome)
    _print_refusals([o for o in outcomes if lists.verdict(o) == REFUSED], verbose=verbose)


def _print_refusals(outcomes: Sequence[Outcome], *, verbose: bool) -> None:
    if verbose:
        print(*outcomes, sep="\n")
        return
    reasons = Counter(
        (o.form, "" if lists.stated(o) else "not stated: ", o.why.partition("   at ")[0])
        for o in outcomes
    )
    for (form, stated, why), count in sorted(reasons.items()):
        print(f"{count:5} {form}: {stated}{why}")


sys.exit(main())
