"""A refusal names a node, and the plan has it: plans with one change that makes them wrong in some way."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import substrait_sql
from substrait_sql import SubstraitSqlError
from tests.support.changed import change
from tests.support.paths import is_shared, is_there

PLANS = sorted(
    p
    for p in (Path(__file__).parents[1] / "plans").rglob("*.json")
    if not p.name.endswith(".rows.json")
)


@pytest.mark.slow
def test_the_plan_has_the_node_of_a_refusal() -> None:
    luck, refused, strange = Random(1), 0, []
    for path in luck.sample(PLANS, 250):
        try:
            plan = substrait_sql.upgrade(path)
        except SubstraitSqlError:  # deeper than Python's classes of messages go
            continue
        for _ in range(6):
            other = type(plan)()
            other.CopyFrom(plan)
            name = change(other, luck)
            try:
                substrait_sql.to_sql(other)
            except SubstraitSqlError as error:
                refused += 1
                at = str(error.path)
                if not is_shared(at) and not (at and is_there(other, at)):
                    strange.append((path.name, name, error.code, at))
    assert refused > 400
    assert not strange
