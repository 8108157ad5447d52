"""What a plan leaves to Python's garbage collector: the tree of its text, whose nodes know their parents.

A cycle anywhere else keeps all that was made for the plan until the collector looks, which then takes longer than the
text; and a message class that nobody holds is made again for each plan.
"""

from __future__ import annotations

import gc
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.message import Message

import substrait_sql
from substrait_sql.dialect.model import Call
from substrait_sql.lower.context import Context, Env

# Joins, subqueries, CTEs, aggregates, windows, casts: of releases without and with an upgrade.
PLANS = sorted((Path(__file__).parents[2] / "docs" / "worst_texts").glob("*.pb"))


def left_by(data: bytes) -> list[Any]:
    """What is unreachable, and in a cycle or held by one, after one more rendering of a plan."""
    for _ in range(2):
        substrait_sql.to_sql(data)
    gc.collect()
    gc.disable()
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        substrait_sql.to_sql(data)
        gc.collect()
        return list(gc.garbage)
    finally:
        gc.garbage.clear()
        gc.set_debug(0)
        gc.enable()


@pytest.mark.parametrize("path", PLANS, ids=lambda path: path.stem)
def test_the_tree_alone(path: Path) -> None:
    found = left_by(path.read_bytes())
    held = [x for x in found if isinstance(x, Context | Env | Call)]
    classes = [x for x in found if isinstance(x, type) and issubclass(x, Message)]
    assert [type(x).__name__ for x in held] == []
    assert [x.__name__ for x in classes] == []
