"""Plans drawn at random return on Spark what the oracle says.

`python -m tests.oracle.run` is the same in bulk: thousands of plans, a seed, and files of what it finds.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.oracle import draw, run
from tests.oracle.draw_keyed import Keyed
from tests.oracle.narrow import Narrow
from tests.oracle.retyped import ALLOWED, TYPES, Values

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark

EXAMPLES = 100
SEEDS = 100
RETYPED = 4
NARROW = 20
CORRELATED = 60
STACKED = 60
KEYED = 60
# Errors of Spark's own that no text of ours is known to avoid (`run.KNOWN`), in one of the tests: one in a few hundred.
MOST_KNOWN = 1


@pytest.fixture(scope="module")
def own_session(spark: SparkSession) -> SparkSession:
    """A session of its own: its settings are those for many tiny queries."""
    return run.prepared(spark.newSession())


def _check(outcome: run.Outcome, seen: Counter[str], what: str = "") -> None:
    seen[outcome.kind] += 1
    assert outcome.kind != "disagreed", f"{what}{outcome.reason}\n\n{outcome.sql}"
    assert seen["known"] <= MOST_KNOWN, f"{what}{outcome.reason}\n\n{outcome.sql}"
    assert outcome.kind != "refused", f"{what}{outcome.reason}"


def test_rows_of_drawn_plans(own_session: SparkSession) -> None:
    allowed = draw.supported(run.renders)
    seen: Counter[str] = Counter()

    @settings(
        max_examples=EXAMPLES,
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(st.randoms(use_true_random=False), st.integers(1, 6))
    def check(rng: Random, depth: int) -> None:
        _check(run.attempt(own_session, draw.Draw(rng, allowed).plan(depth)), seen)

    check()
    assert seen["agreed"] > EXAMPLES // 2, seen


def test_rows_of_seeded_plans(own_session: SparkSession) -> None:
    """The generator of the bulk runs, in small: its draws are wider than Hypothesis's first ones."""
    allowed = draw.supported(run.renders)
    seen: Counter[str] = Counter()
    for seed in range(SEEDS):
        outcome = run.attempt(own_session, run.drawn(seed, 6, allowed)[0])
        _check(outcome, seen, f"seed {seed}: ")
    assert seen["agreed"] > SEEDS * 3 // 4, seen


@pytest.mark.parametrize("values", TYPES, ids=[v.type for v in TYPES])
def test_rows_of_other_types(own_session: SparkSession, values: Values) -> None:
    """What compares, sorts, groups and joins texts does so with values of every other type."""
    spark = own_session.newSession()
    values.views(run.prepared(spark))
    seen: Counter[str] = Counter()
    for n in range(RETYPED):
        # Other plans for each type.
        seed = 3_000_000 + TYPES.index(values) * RETYPED + n
        plan = run.drawn(seed, 5, ALLOWED)[0]
        _check(run.attempt(spark, plan, values), seen, f"seed {seed}: ")


@pytest.mark.parametrize("type", ["i16", "i32", "dec<18,2>"])
def test_rows_of_narrower_columns(own_session: SparkSession, type: str) -> None:
    """Numbers that are cast where they are read, and may stand without the cast where Spark widens them by itself."""
    spark = run.prepared(own_session.newSession())
    narrow = Narrow(type)
    narrow.views(spark)
    allowed = draw.supported(run.renders)
    seen: Counter[str] = Counter()
    # The first two are where a key of GROUP BY stood above the groups without the cast that it has there.
    for seed in (1_000_137, 1_000_151, *range(4_000_000, 4_000_000 + NARROW)):
        _check(run.attempt(spark, run.drawn(seed, 6, allowed)[0], narrow), seen, f"seed {seed}: ")
    assert seen["agreed"] > NARROW * 3 // 4, seen


def test_rows_of_correlated_plans(own_session: SparkSession) -> None:
    """Of the plans from here on, those that refer outwards: at any depth, from any relation, through lateral joins."""
    allowed = frozenset(draw.FEATURES)
    seen: Counter[str] = Counter()
    seed = 1_000_000
    while sum(seen.values()) < CORRELATED:
        plan = run.drawn(seed, 5, allowed)[0]
        if "outer_reference" in str(plan):
            _check(run.attempt(own_session, plan), seen, f"seed {seed}: ")
        seed += 1
    assert seen["agreed"] > CORRELATED * 3 // 4, seen


def test_rows_of_equalities_with_outer_values(own_session: SparkSession) -> None:
    """Subqueries whose equalities with outer values are below groups, joins, set operations, windows and limits."""
    seen: Counter[str] = Counter()
    for seed in range(KEYED):
        outcome = run.attempt(own_session, Keyed(Random(seed)).plan(1 + seed % 4))
        _check(outcome, seen, f"seed {seed}: ")
    assert seen["agreed"] > KEYED * 3 // 4, seen


def test_rows_of_windows_over_windows(own_session: SparkSession) -> None:
    """Plans of little else, with two windows and more; sorts and filters, at times, in between."""
    allowed = frozenset({"window", "window_expression", "project", "sort", "filter", "emit"})
    seen: Counter[str] = Counter()
    seed = 2_000_000
    while sum(seen.values()) < STACKED:
        plan = run.drawn(seed, 8, allowed)[0]
        if str(plan).count("window_function") > 1:
            _check(run.attempt(own_session, plan), seen, f"seed {seed}: ")
        seed += 1
    assert seen["agreed"] > STACKED // 2, seen
