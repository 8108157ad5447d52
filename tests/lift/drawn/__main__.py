"""Draws statements and reports what became of them: python -m tests.lift.drawn --count 3000 --seed 1"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from typing import TYPE_CHECKING

import substrait_sql
from tests.lift import spark_says
from tests.lift.drawn.draw import Query
from tests.lift.drawn.judge import FAULTS, Outcome, attempt, attempts, prepared, shrunk
from tests.oracle.run import FAST

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def main() -> int:
    """1 if there is a fault."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--depth", type=int, default=4)
    parser.add_argument("--families", type=int, default=30, help="how many kinds of fault to show")
    parser.add_argument("--seeds", type=int, nargs="*", help="these statements instead of so many")
    parser.add_argument("--no-shrink", action="store_true")
    asked = parser.parse_args()
    spark_says.quiet()
    with prepared(substrait_sql.local_session("local[2]", FAST)) as spark:
        return run(spark, asked)


def run(spark: SparkSession, asked: argparse.Namespace) -> int:
    """Draws, compares, reports."""
    first = asked.seed * 1_000_000
    seeds = asked.seeds or range(first, first + asked.count)
    totals: Counter[str] = Counter()
    found: dict[str, list[tuple[int, Outcome]]] = {}
    start = time.monotonic()
    for n, (seed, outcome) in enumerate(attempts(spark, seeds, asked.depth), 1):
        totals[outcome.kind] += 1
        if outcome.kind != "equal":
            found.setdefault(outcome.family, []).append((seed, outcome))
        if n % 500 == 0 or n == len(seeds):
            rate = n / (time.monotonic() - start)
            print(f"{n} statements, {dict(totals)}, {rate:.1f}/s", flush=True)
    report(spark, found, asked)
    return 1 if any(totals[kind] for kind in FAULTS) else 0


def report(
    spark: SparkSession, found: dict[str, list[tuple[int, Outcome]]], asked: argparse.Namespace
) -> None:
    """Families of outcomes, and the smallest statement of each fault."""
    ranks = {kind: n for n, kind in enumerate(FAULTS)}
    families = sorted(found.items(), key=lambda f: (ranks.get(f[1][0][1].kind, 9), -len(f[1])))
    for family, members in families:
        print(f"{len(members):5} {family}   {[seed for seed, _ in members[:4]]}")
    faults = [(f, m) for f, m in families if m[0][1].kind in FAULTS or f.startswith("fails late")]
    for family, members in faults[: asked.families]:
        seed, first = min(members, key=lambda m: len(m[1].sql))

        def fails(query: Query, family: str = family) -> bool:
            return attempt(spark, query).family == family

        smallest = first if asked.no_shrink else attempt(spark, shrunk(seed, asked.depth, fails))
        print(f"\n{family} (seed {seed})\n  {smallest.sql}\n  {smallest.reason[:600]}")
        if smallest.made:
            print("  became", smallest.made.replace("\n", "\n  "), flush=True)


if __name__ == "__main__":
    raise SystemExit(main())
