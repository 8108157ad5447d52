"""What a plan leaves to Python's garbage collector: the tree of its text, whose nodes know their parents.

A cycle anywhere else keeps all that was made for the plan until the collector looks, which then takes longer than the
text; and a message class that nobody holds is made again for each plan.
"""

from __future__ import annotations

import gc
from pathlib import Path
from typing import Any

from google.protobuf.message import Message
from sqlglot import exp

import substrait_sql
from substrait_sql.dialect.model import Call
from substrait_sql.lower.context import Context, Env

# Joins, subqueries, CTEs, aggregates, windows, casts: of releases without and with an upgrade.
PLANS = sorted((Path(__file__).parents[2] / "docs" / "worst_texts").glob("*.pb"))


def left_by(plans: list[bytes]) -> list[Any]:
    """What is unreachable, and in a cycle or held by one, after one more rendering of the plans."""
    for plan in plans:
        substrait_sql.to_sql(plan)
    gc.collect()
    gc.disable()
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        for plan in plans:
            substrait_sql.to_sql(plan)
        gc.collect()
        return list(gc.garbage)
    finally:
        gc.garbage.clear()
        gc.set_debug(0)
        gc.enable()


def test_the_tree_alone() -> None:
    found = left_by([path.read_bytes() for path in PLANS])
    held = [x for x in found if isinstance(x, Context | Env | Call)]
    classes = [x for x in found if isinstance(x, type) and issubclass(x, Message)]
    assert any(isinstance(x, exp.Select) for x in found)
    assert [type(x).__name__ for x in held] == []
    assert [x.__name__ for x in classes] == []
