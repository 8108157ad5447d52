"""Drawn plans with one change: where `diff` calls both the same, the oracle has the same rows for both.

In bulk: ``python -m tests.review.test_changed_plans --minutes 5 --seed 7``.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from random import Random
from typing import Any, NamedTuple

import pytest

import substrait_sql
from tests.oracle import draw, relations
from tests.oracle.model import OracleError
from tests.oracle.run import drawn
from tests.support.changed import change

# What the oracle says of a plan that means nothing: it looks for what is there, and not for what is not.
_NO_PLAN = (
    OracleError,
    ValueError,
    IndexError,
    KeyError,
    TypeError,
    AttributeError,
    RecursionError,
)
_ALLOWED = frozenset(draw.FEATURES)
_CHANGES = 12


class Found(NamedTuple):
    """wrong: what was changed in which plans, that is the same to `diff` and has other rows."""

    wrong: list[tuple[int, str, Any]]
    compared: Counter[str]


def rows(plan: Any) -> Counter[str]:
    (table,) = relations.roots(plan, draw.TABLES)
    return Counter(map(repr, table.rows))


def look(seed: int, plans: int = 10**9, seconds: float = 10**9) -> Found:
    found = Found([], Counter())
    end = time.monotonic() + seconds
    for each in range(seed * 1_000_000, seed * 1_000_000 + plans):
        if time.monotonic() > end:
            break
        plan = drawn(each, 4, _ALLOWED)[0]
        try:
            before = rows(plan)
        except OracleError:
            continue
        luck = Random(each)
        for _ in range(_CHANGES):
            _compare(plan, before, luck, each, found)
    return found


def _compare(plan: Any, before: Counter[str], luck: Random, seed: int, found: Found) -> None:
    other = type(plan)()
    other.CopyFrom(plan)
    name = change(other, luck)
    try:
        after = rows(other)
    except _NO_PLAN:
        return
    category = substrait_sql.diff(plan, other).category
    found.compared[category] += 1
    if category in ("same", "order") and after != before and _has_sql(other):
        found.wrong.append((seed, name, other))


def _has_sql(plan: Any) -> bool:
    try:
        substrait_sql.to_sql(plan)
    except substrait_sql.SubstraitSqlError:
        return False
    return True


@pytest.mark.slow
def test_what_is_the_same_has_the_same_rows() -> None:
    found = look(1, plans=30)
    assert not found.wrong, [(seed, name) for seed, name, _ in found.wrong]
    assert found.compared["same"] > 30
    assert found.compared["rows"] > 30


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float, default=1)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    said = look(given.seed, seconds=60 * given.minutes)
    for number, what, _ in said.wrong:
        print(f"plan {number}: {what}")
    print(said.compared)
