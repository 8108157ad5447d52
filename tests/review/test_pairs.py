"""`diff` on plans of DataFusion, made of queries that were changed by hand; the rows are DataFusion's."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import datafusion
import pyarrow as pa
import pytest
import yaml
from datafusion import substrait

import substrait_sql

PAIRS = yaml.safe_load(Path(__file__).with_name("pairs.yaml").read_text(encoding="utf-8"))
INT = pa.int64()
TABLES = {
    "t": {
        "id": pa.array([1, 2, 3, 4, 5], INT), "k": pa.array([1, 2, None, 1, 1], INT),
        "x": pa.array([10, 20, 30, None, 7], INT),
        "name": pa.array(["a", "b", "c", None, "a"]), "v": pa.array([1.5, 2.5, None, 0.5, 7.25]),
    },
    "s": {"id": pa.array([1, 9], INT), "k": pa.array([1, 2], INT)},
    "u": {
        "id": pa.array([1, 2, 5, 1], INT), "k": pa.array([1, 3, None, 1], INT), "y": pa.array([7, 8, 9, 7], INT),
        "w": pa.array(["p", "q", "r", "s"]),
    },
}  # fmt: skip


@cache
def context() -> datafusion.SessionContext:
    made = datafusion.SessionContext()
    for name, columns in TABLES.items():
        made.register_record_batches(name, [pa.table(columns).to_batches()])
    return made


def plan(sql: str, optimised: bool = True) -> bytes:
    frame = context().sql(sql)
    made = frame.optimized_logical_plan() if optimised else frame.logical_plan()
    return substrait.Producer.to_substrait_plan(made, context()).encode()


def bag(sql: str, names: list[str]) -> Counter[Any]:
    return Counter(tuple(row[n] for n in names) for row in context().sql(sql).to_pylist())


def same_rows(old: str, new: str) -> bool:
    """By the columns that both have; by place where none has the name of another."""
    a, b = (context().sql(sql).schema().names for sql in (old, new))
    common = [n for n in a if n in b]
    return bag(old, common or a) == bag(new, common or b)


@pytest.mark.parametrize("name", PAIRS)
def test_what_changed(name: str) -> None:
    pair = PAIRS[name]
    found = substrait_sql.diff(plan(pair["old"]), plan(pair["new"]))
    assert same_rows(pair["old"], pair["new"]) == pair["rows"]
    assert found.category == pair["category"]
    assert pair["changes"] in ("any", [c.kind for c in found.changes]), found
    assert pair["rows"] or found.rows_may_differ
    assert all(c.old or c.new for c in found.changes)


@pytest.mark.parametrize("name", PAIRS)
def test_an_optimiser_changes_nothing_that_is_listed(name: str) -> None:
    """Unoptimised plans against optimised ones: never the same where rows differ, never changed where they are not."""
    pair = PAIRS[name]
    try:
        raw = plan(pair["old"], optimised=False)
    except RuntimeError:
        return  # DataFusion has no plan for outer references
    assert substrait_sql.diff(raw, plan(pair["old"])).category in ("same", "names")
    across = substrait_sql.diff(raw, plan(pair["new"]))
    assert pair["rows"] or across.category == "rows"
