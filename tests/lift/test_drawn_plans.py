"""Drawn plans, and the plans that their texts become: both have the same rows, by the oracle. Nothing runs on Spark.

In bulk: ``python -m tests.lift.test_drawn_plans --minutes 5 --seed 7 --depth 5``.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from typing import Any, NamedTuple

import pytest

import substrait_sql
from substrait_sql import SubstraitSqlError
from tests.oracle import draw, relations, run
from tests.oracle.model import OracleError
from tests.support.declared import schema_of

FEATURES = frozenset(draw.FEATURES)


class Judged(NamedTuple):
    """kind: same, other, not lifted, undecided (by the oracle), refused (the plan drawn)."""

    kind: str
    about: str = ""


def rows_of(plan: Any) -> Counter[str] | None:
    """The rows of the only root in no order; None where the oracle cannot say."""
    try:
        (found,) = relations.roots(plan, draw.TABLES)
    except OracleError:
        return None
    return Counter(map(repr, found.rows))


def judged(seed: int, depth: int) -> Judged:
    plan = run.drawn(seed, depth, FEATURES)[0]
    try:
        rendered = substrait_sql.render(plan)
    except SubstraitSqlError:
        return Judged("refused")
    before = rows_of(plan)
    try:
        again = substrait_sql.to_plan(rendered.sql, schema=schema_of(rendered))
    except SubstraitSqlError as error:
        return Judged("not lifted", f"{error}\n{rendered.sql}")
    after = rows_of(again)
    if before is None or after is None:
        return Judged("undecided")
    return Judged("same" if before == after else "other", rendered.sql)


def look(seed: int, depth: int, plans: int = 10**9, seconds: float = 10**9) -> list[Judged]:
    end = time.monotonic() + seconds
    found = []
    while len(found) < plans and time.monotonic() < end:
        found.append(judged(seed * 1_000_000 + len(found), depth))
    return found


@pytest.mark.slow
def test_rows_of_plans_that_come_back() -> None:
    found = look(1, depth=4, plans=150)
    assert [each.about for each in found if each.kind in ("other", "not lifted")] == []
    assert Counter(each.kind for each in found)["same"] > 100


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--depth", type=int, default=5)
    given = parser.parse_args()
    outcomes = look(given.seed, given.depth, seconds=60 * given.minutes)
    for each in outcomes:
        if each.kind in ("other", "not lifted"):
            print(f"-- {each.kind}\n{each.about}\n")
    print(dict(Counter(each.kind for each in outcomes)))
