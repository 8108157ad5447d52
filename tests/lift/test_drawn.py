"""Drawn statements: the rows, names and types of `spark.sql`, or a refusal. `python -m tests.lift.drawn` draws more."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from tests.lift.drawn import judge

STATEMENTS, DEPTH = 100, 4


@pytest.fixture(scope="module")
def drawn(spark: Any) -> list[tuple[int, judge.Outcome]]:
    with judge.prepared(spark) as session:
        return list(judge.attempts(session, range(STATEMENTS), DEPTH))


def test_no_other_rows(drawn: list[tuple[int, judge.Outcome]]) -> None:
    bad = ("wrong", "crashed", "spark error")
    assert [(seed, o.kind, o.sql, o.reason) for seed, o in drawn if o.kind in bad] == []


def test_most_become_plans(drawn: list[tuple[int, judge.Outcome]]) -> None:
    counts = Counter(o.kind for _, o in drawn)
    assert counts["equal"] > STATEMENTS * 0.7
    assert counts["refused"] < STATEMENTS * 0.05
