"""Plans in bulk: ``python -m tests.oracle.run --plans 2000 --seed 1 --depth 6``.

Draws plans, renders them, runs the text on Spark and compares with the oracle's rows. A plan that
the package refuses is counted; one whose rows differ is shrunk, shown and saved.
"""

from __future__ import annotations

import argparse
import json
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from google.protobuf import json_format

import substrait_sql
from tests.oracle import compare, draw, relations
from tests.oracle.model import OracleError, Table

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from tests.oracle.narrow import Narrow
    from tests.oracle.retyped import Values

FAST = {
    "spark.sql.shuffle.partitions": "1",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.timeType.enabled": "true",
    "spark.driver.memory": "2g",
}
# Errors of Spark's own (as of 4.3) that no text of ours is known to avoid: counted apart, as `known`.
KNOWN = {
    "key not found": "the constraints of a UNION with a column that a correlated subquery computes",
    "when executing a LeftSingle join": "a lookup without an equality, where the outer rows look fewer",
    "PLAN_VALIDATION_FAILED": "an optimizer rule that breaks its own plan, over columns of several queries",
    "MISSING_ATTRIBUTES": "the same, over a table that is read twice in a correlated query",
    "has not finished": "an uncorrelated subquery in the condition of an anti join, at times",
    "Unable to rewrite domain join": "a correlated subquery over rows of the plan, of which there are none",
    "ConstraintHelper": "a struct that equals itself under other names of its fields, in the condition of a join",
    "SCALAR_SUBQUERY_TOO_MANY_ROWS": "an uncorrelated subquery is run even where no row asks for it",
}
# Seconds that a correlated plan may take, from its bytes to its rows; what takes longer is named.
SLOW = 5
SAVED = Path(__file__).parents[2] / ".cache" / "oracle"


class Choices(Random):
    """Random numbers that are written down; `given` ones come first, then those of the seed, or
    zeros if there is none."""

    def __init__(self, seed: int | None, given: Iterable[float] = ()) -> None:
        super().__init__(seed)
        self._fresh, self._given, self.made = seed is not None, iter(given), list[float]()

    def random(self) -> float:
        number = next(self._given, None)
        if number is None:
            number = super().random() if self._fresh else 0.0
        self.made.append(number)
        return number


@dataclass
class Outcome:
    """What became of one plan. kind: agreed, refused, skipped, known or disagreed."""

    kind: str
    reason: str = ""
    plan: Any = None
    sql: str = ""
    want: Table | None = None
    got: list[tuple[Any, ...]] | None = None

    @property
    def family(self) -> str:
        """What kind of disagreement: an error class of Spark, a crash, or other rows."""
        if not self.reason.startswith(("Spark: ", "crashed: ")):
            return "rows"
        found = re.search(r"\[([A-Z_.]{6,})\]", self.reason)
        return found[1] if found else self.reason[:60]


def renders(plan: Any) -> bool:
    try:
        substrait_sql.to_sql(plan)
    except substrait_sql.SubstraitSqlError:
        return False
    return True


def views(spark: SparkSession) -> None:
    """The three tables, as views over literal rows: no job has to read them."""

    def cell(value: Any) -> str:
        return "NULL" if value is None else repr(value)

    for name, (columns, rows) in draw.TABLES.items():
        texts = [f"({', '.join(map(cell, row))})" for row in rows] or ["(NULL, NULL, NULL)"]
        made = f"VALUES {', '.join(texts)} AS t({', '.join(columns)})"
        spark.sql(
            f"SELECT CAST(k AS BIGINT) k, CAST(s AS STRING) s, CAST(b AS BOOLEAN) b FROM {made}"
            + ("" if rows else " WHERE FALSE")
        ).createOrReplaceTempView(name)


def attempt(spark: SparkSession, plan: Any, values: Values | Narrow | None = None) -> Outcome:
    """Render, run and compare one plan. values: that stand for its texts, or how its tables are read."""
    try:
        sql = substrait_sql.to_sql(plan if values is None else values.plan(plan))
    except substrait_sql.SubstraitSqlError as error:
        return Outcome("refused", error.code, plan)
    except Exception as error:
        return Outcome("disagreed", f"crashed: {type(error).__name__}: {error}", plan)
    try:
        (want,) = relations.roots(plan, draw.TABLES)
    except OracleError as error:
        return Outcome("skipped", type(error).__name__, plan, sql)
    try:
        frame = spark.sql(sql)
        got = [tuple(r) for r in frame.collect()] if values is None else values.rows(frame)
    except Exception as error:  # whatever Spark says of a plan that has rows is a finding
        known = next((text for text in KNOWN if text in str(error)), None)
        if known is not None:
            return Outcome("known", known, plan, sql, want)
        return Outcome("disagreed", "Spark: " + str(error)[:300], plan, sql, want)
    found = compare.difference(got, want)
    return Outcome("disagreed" if found else "agreed", found, plan, sql, want, got)


def drawn(seed: int, most: int, allowed: frozenset[str]) -> tuple[Any, list[float], int]:
    """The plan of that seed, the choices it is made of, and its depth."""
    rng = Choices(seed)
    depth = 1 + seed % most
    return draw.Draw(rng, allowed).plan(depth), rng.made, depth


def shrunk(
    choices: list[float],
    depth: int,
    allowed: frozenset[str],
    fails: Callable[[Any], bool],
    tries: int = 250,
) -> Any:
    """A smaller plan that fails as well: choices are left out, or set to zero, as long as it does."""
    best, plan = choices, _replay(choices, depth, allowed)
    progress = True
    while progress and tries > 0:
        progress = False
        for candidate, d in _simpler(best, depth):
            tries -= 1
            made = _replay(candidate, d, allowed)
            if tries < 0:
                break
            if made is not None and made.ByteSize() <= plan.ByteSize() and fails(made):
                best, depth, plan, progress = candidate, d, made, True
                break
    return plan


def _replay(choices: list[float], depth: int, allowed: frozenset[str]) -> Any:
    try:
        return draw.Draw(Choices(None, choices), allowed).plan(depth)
    except (RecursionError, IndexError, ValueError):
        return None


def _simpler(choices: list[float], depth: int) -> Iterator[tuple[list[float], int]]:
    if depth > 1:
        yield choices, depth - 1
    size = max(len(choices) // 2, 1)
    while size:
        for at in range(0, len(choices), size):
            yield choices[:at] + choices[at + size :], depth
            if any(choices[at : at + size]):
                yield [*choices[:at], *[0.0] * size, *choices[at + size :]], depth
        size //= 2


def save(outcome: Outcome, name: str) -> Path:
    SAVED.mkdir(parents=True, exist_ok=True)
    path = SAVED / f"{name}.json"
    path.write_text(json_format.MessageToJson(outcome.plan, indent=1), encoding="utf-8")
    said = {
        "reason": outcome.reason,
        "sql": outcome.sql,
        "oracle": [list(r) for r in outcome.want.rows] if outcome.want else None,
        "spark": [list(r) for r in outcome.got] if outcome.got is not None else None,
    }
    path.with_suffix(".found.json").write_text(json.dumps(said, indent=1), encoding="utf-8")
    return path


def show(outcome: Outcome) -> None:
    print("\n" + outcome.sql)
    print("  " + outcome.reason)
    if outcome.want is not None:
        print("  oracle", outcome.want.rows[:12], "" if outcome.want.order is None else "in order")
    print("  spark ", outcome.got[:12] if outcome.got is not None else None, flush=True)


def session() -> SparkSession:
    """A session of our own."""
    return prepared(substrait_sql.local_session("local[2]", FAST))


def prepared(spark: SparkSession) -> SparkSession:
    """The session with settings for tiny queries, and the tables."""
    for key, value in {**FAST, **settings()}.items():
        if key.startswith("spark.sql."):
            spark.conf.set(key, value)
    views(spark)
    return spark


def settings() -> Mapping[str, str]:
    """What the rendered text relies on."""
    from substrait_sql.dialect import load

    return load("spark").settings.always


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plans", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--depth", type=int, default=6)
    parser.add_argument("--show", type=int, default=10, help="how many disagreements to shrink")
    parser.add_argument("--all", action="store_true", help="draw what is refused today as well")
    parser.add_argument(
        "--correlated",
        action="store_true",
        help="only plans that refer outwards, of this depth and many subqueries; Spark's default heap",
    )
    asked = parser.parse_args()
    print(f"seed {asked.seed}, {asked.plans} plans of depth up to {asked.depth}", flush=True)
    if asked.correlated:
        return correlated(asked.plans, asked.seed, asked.depth)
    spark = session()
    allowed = frozenset(draw.FEATURES) if asked.all else draw.supported(renders)
    left_out = sorted(set(draw.FEATURES) - allowed)
    print("left out, as always refused: " + (", ".join(left_out) or "nothing"), flush=True)
    totals: Counter[str] = Counter()
    refusals: Counter[str] = Counter()
    found: list[tuple[int, Outcome]] = []
    start = time.monotonic()

    def one(n: int) -> tuple[int, Outcome]:
        seed = asked.seed * 1_000_000 + n
        return seed, attempt(spark, drawn(seed, asked.depth, allowed)[0])

    with ThreadPoolExecutor(2) as pool:
        for n, (seed, outcome) in enumerate(pool.map(one, range(asked.plans)), 1):
            totals[outcome.kind] += 1
            if outcome.kind in ("refused", "skipped", "known"):
                refusals[outcome.reason] += 1
            if outcome.kind == "disagreed":
                found.append((seed, outcome))
            if n % 250 == 0:
                rate = n / (time.monotonic() - start)
                print(f"{n} plans, {dict(totals)}, {rate:.0f}/s", flush=True)
    print(f"seed {asked.seed}: {dict(totals)}; {dict(refusals.most_common())}", flush=True)
    report(spark, found, asked, allowed)
    return 1 if found else 0


def outward(seed: int, depth: int) -> Any:
    """The first plan from that seed on that refers outwards, and the seed behind it."""
    while True:
        plan = draw.Draw(Choices(seed), frozenset(draw.FEATURES), subqueries=9).plan(depth)
        seed += 1
        if "outer_reference" in str(plan):
            return plan, seed


def correlated(plans: int, first: int, depth: int) -> int:
    """Runs correlated plans in a session with the heap that Spark has if nobody says more; prints sizes and times."""
    heap = {**FAST, "spark.driver.memory": "1g"}
    spark = prepared(substrait_sql.local_session("local[2]", heap))
    totals: Counter[str] = Counter()
    ratios: list[float] = []
    seconds: list[float] = []
    seed = first * 1_000_000
    for _ in range(plans):
        plan, seed = outward(seed, depth)
        start = time.monotonic()
        outcome = attempt(spark, plan)
        seconds.append(time.monotonic() - start)
        ratios.append(len(outcome.sql) / plan.ByteSize())
        totals[outcome.kind] += 1
        if seconds[-1] > SLOW:
            print(f"seed {seed - 1}: {seconds[-1]:.1f} seconds", flush=True)
        if outcome.kind not in ("agreed", "skipped"):
            print(f"seed {seed - 1}: {outcome.kind}: {outcome.reason}", flush=True)
    for what, numbers in (("characters for each byte of the plan", ratios), ("seconds", seconds)):
        middle, most = sorted(numbers)[len(numbers) // 2], max(numbers)
        print(f"{what}: median {middle:.2f}, most {most:.2f}")
    print(dict(totals))
    return 1 if totals["disagreed"] else 0


def report(
    spark: SparkSession,
    found: list[tuple[int, Outcome]],
    asked: argparse.Namespace,
    allowed: frozenset[str],
) -> None:
    """The disagreements by family, and the smallest plans for some of each; other rows first."""
    families: dict[str, list[tuple[int, Outcome]]] = {}
    for seed, outcome in sorted(found, key=lambda f: (f[1].family != "rows", f[0])):
        families.setdefault(outcome.family, []).append((seed, outcome))
    for family, members in families.items():
        print(f"{len(members)} x {family}: {[seed for seed, _ in members[:8]]}", flush=True)
    for family, members in families.items():
        for seed, _ in members[: asked.show if family == "rows" else 2]:

            def fails(plan: Any, family: str = family) -> bool:
                outcome = attempt(spark, plan)
                return outcome.kind == "disagreed" and outcome.family == family

            _, choices, depth = drawn(seed, asked.depth, allowed)
            smallest = attempt(spark, shrunk(choices, depth, allowed, fails))
            print(f"\nseed {seed}, saved as {save(smallest, f'seed{seed}')}")
            show(smallest)


if __name__ == "__main__":
    raise SystemExit(main())
