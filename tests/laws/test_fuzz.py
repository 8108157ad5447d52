"""Hostile input in short: `tests.tools.fuzz` looks for more, for as long as it is let."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from substrait_sql import SubstraitSqlError, wire
from tests.tools import fuzz

SEEDS = st.lists(st.integers(0, 2**32 - 1), min_size=1, max_size=4)
INDEX = st.integers(0, 10**6)


@pytest.mark.slow
@settings(max_examples=150, deadline=None, derandomize=True, database=None)
@given(index=INDEX, seeds=SEEDS)
def test_changed_documents(index: int, seeds: list[int]) -> None:
    """JSON plans with parts of other plans, odd values, missing fields."""
    plans = fuzz.documents()
    document = plans[index % len(plans)]
    for seed in seeds:
        document = fuzz.mutated(document, seed, plans)
    fuzz.look_at(document)


@settings(max_examples=100, deadline=None, derandomize=True, database=None)
@given(index=INDEX, seeds=SEEDS)
def test_damaged_bytes(index: int, seeds: list[int]) -> None:
    """Binary plans with bytes changed, cut out, doubled."""
    plans = fuzz.documents()
    try:
        data = wire.to_bytes(wire.read(plans[index % len(plans)]).plan)
    except SubstraitSqlError:
        return
    for seed in seeds:
        data = fuzz.damaged(data, seed)
    fuzz.look_at(data)
