"""Floats in Parquet files: Spark passes over groups of rows by notes that leave out NaN and the sign of 0.

Expected rows: NaN equals NaN and is above all others, -0.0 equals 0.0, as everywhere on Spark.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest
from pyarrow import parquet

import substrait_sql
from tests.support import build
from tests.support.build import call, lit, not_, one_of, plan, record_one_of, scalar, table, virtual

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pyspark.sql import SparkSession

    from tests.support.build import Expr, R

NAN = math.nan
# Groups of rows whose notes mislead: a smallest and largest value without NaN, one sign of 0, NaN beside others.
GROUPS = {"negative": [-0.0], "positive": [0.0], "nan": [NAN, 1.0], "mixed": [-0.0, 2.0, NAN, None]}
TYPES = ("fp64", "fp32")


def _order(a: float, b: float) -> int:
    if math.isnan(a) or math.isnan(b):
        return math.isnan(a) - math.isnan(b)
    return (a > b) - (a < b)


# What is asked of a column, and which values meet it; none is met by NULL.
CONDITIONS: dict[str, tuple[Callable[[Expr, str], Expr], Callable[[float], bool]]] = {
    "x = 0": (lambda x, t: _compare("equal", x, 0.0, t), lambda v: v == 0),
    "x = -0": (lambda x, t: _compare("equal", x, -0.0, t), lambda v: v == 0),
    "x = NaN": (lambda x, t: _compare("equal", x, NAN, t), math.isnan),
    "x <=> -0": (lambda x, t: _compare("is_not_distinct_from", x, -0.0, t), lambda v: v == 0),
    "x <> 1": (lambda x, t: _compare("not_equal", x, 1.0, t), lambda v: v != 1),
    "not x = 1": (lambda x, t: not_(_compare("equal", x, 1.0, t)), lambda v: v != 1),
    "x > 1": (lambda x, t: _compare("gt", x, 1.0, t), lambda v: _order(v, 1) > 0),
    "x >= 0": (lambda x, t: _compare("gte", x, 0.0, t), lambda v: True),
    "x <= -0": (lambda x, t: _compare("lte", x, -0.0, t), lambda v: v == 0),
    "not x < 1": (lambda x, t: not_(_compare("lt", x, 1.0, t)), lambda v: _order(v, 1) >= 0),
    "between": (lambda x, t: _between(x, -1.0, -0.0, t), lambda v: v == 0),
    "not between": (lambda x, t: not_(_between(x, 0.0, 1.0, t)), lambda v: _order(v, 1) > 0),
    "in": (lambda x, t: one_of(x, lit(0.0, t), lit(NAN, t)), lambda v: v == 0 or math.isnan(v)),
    "in records": (
        lambda x, t: record_one_of([x], [lit(-0.0, t)], [lit(5.0, t)]),
        lambda v: v == 0,
    ),
    "is_nan": (lambda x, t: call("comparison", f"is_nan:{t}", "bool?", x), math.isnan),
    "x > (query)": (
        lambda x, t: _greater(build.cast(x, "fp64?"), scalar(virtual("x:fp64", (1.0,)))),
        lambda v: _order(v, 1) > 0,
    ),
}


def _compare(name: str, x: Expr, constant: float, kind: str) -> Expr:
    return call("comparison", f"{name}:any_any", "bool?", x, lit(constant, kind))


def _between(x: Expr, low: float, high: float, kind: str) -> Expr:
    bounds = lit(low, kind), lit(high, kind)
    return call("comparison", "between:any_any_any", "bool?", x, *bounds)


def _greater(x: Expr, y: Expr) -> Expr:
    return call("comparison", "gt:any_any", "bool?", x, y)


def _write(folder: Path) -> None:
    """Each group as a file."""
    for name, values in GROUPS.items():
        columns = {"fp64": pa.array(values * 10), "fp32": pa.array(values * 10, pa.float32())}
        parquet.write_table(pa.table(columns), folder / f"{name}.parquet")


def _named(folder: Path) -> R:
    """The files as a plan names them."""
    out, rel = build.read_of("fp64:fp64? fp32:fp32?", None, None, None)
    rel.local_files.items.add(uri_folder=str(folder)).parquet.SetInParent()
    return out


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("named", [False, True])
def test_no_row_is_passed_over(spark: SparkSession, tmp_path: Path, kind: str, named: bool) -> None:
    """Each condition finds the same rows in files as it does value by value."""
    _write(tmp_path)
    source = _named(tmp_path) if named else table("t", "fp64:fp64? fp32:fp32?")
    at = TYPES.index(kind)

    def counted(i: int, condition: Callable[[Expr, str], Expr]) -> R:
        kept = source.filter(lambda r: condition(r[at], kind))
        place = lit(i, "i32")
        return kept.aggregate(measures=lambda _: [build.count()]).project(lambda _: [place])

    counts = [counted(i, condition) for i, (condition, _) in enumerate(CONDITIONS.values())]
    together = plan((build.set_("UNION_ALL", *counts), "n i"))
    values = [v for group in GROUPS.values() for v in group if v is not None] * 10
    expected = {name: sum(map(meets, values)) for name, (_, meets) in CONDITIONS.items()}
    names = list(CONDITIONS)
    frame = substrait_sql.execute(spark, together, tables={} if named else {"t": tmp_path})
    assert {names[i]: n for n, i in frame.collect()} == expected
