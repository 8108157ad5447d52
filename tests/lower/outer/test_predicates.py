"""A sample of the matrix of `tests.tools.predicates`: each place, predicate and depth. The command runs all of it."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import TYPE_CHECKING

import pytest

from tests.oracle import run
from tests.tools import predicates

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SEED = 1
NAMES = list(predicates.PREDICATES)
# Errors of Spark's own that no text of ours is known to avoid (`run.KNOWN`): three in a thousand plans.
MOST_KNOWN = 2


def sample() -> list[tuple[str, str, int]]:
    """A predicate at each place, by lot, and each predicate where Spark was seen to make a join of it."""
    lot = Random(SEED)
    names = [name for _ in predicates.PLACES for name in NAMES]
    lot.shuffle(names)
    found = [(place, names[i], i % 4) for i, place in enumerate(predicates.PLACES)]
    found += [("join LEFT", name, 0) for name in NAMES]
    # One row of literals, which Spark puts into the subquery of a full join.
    found += [("join OUTER", name, 0) for name in ("NOT UNIQUE", "NOT IN OR")]
    found += [("filter", name, 1 + i % 2) for i, name in enumerate(NAMES)]
    return found


def test_the_sample_holds_everything() -> None:
    cells = sample()
    for part, known in ((0, predicates.PLACES), (1, predicates.PREDICATES), (2, range(4))):
        assert {cell[part] for cell in cells} == set(known)


@pytest.mark.spark
def test_rows(spark: SparkSession) -> None:
    own = run.prepared(spark.newSession())
    predicates.views(own)
    seen: Counter[str] = Counter()

    def one(cell: tuple[str, str, int]) -> predicates.Outcome:
        return predicates.attempt(own, predicates.drawn(*cell))

    cells = sample()
    with ThreadPoolExecutor(2) as pool:
        outcomes = list(pool.map(one, cells))
    for cell, outcome in zip(cells, outcomes, strict=True):
        assert outcome.kind in ("right", "known", "open"), (
            f"{cell}: {outcome.reason}\n{outcome.sql}"
        )
        seen[outcome.kind] += 1
    assert seen["known"] <= MOST_KNOWN, seen
    assert seen["open"] < 5, seen
