"""Floats in files and cached tables: Spark passes over groups of rows by notes that leave out NaN and the sign of 0.

Expected rows: NaN equals NaN and is above all others, -0.0 equals 0.0, as everywhere on Spark.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest
from pyarrow import orc, parquet

from tests.support import build
from tests.support.build import call, lit, not_, one_of, plan, record_one_of, scalar, table, virtual
from tests.support.run import last_rows

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pyspark.sql import DataFrame, SparkSession

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


def _tables(spark: SparkSession, folder: Path) -> dict[str, DataFrame]:
    """Each group as a file of each format, and all of them as a cached table."""
    out = {}
    for name, values in GROUPS.items():
        rows = pa.table(
            {
                t: pa.array(values * 10, k)
                for t, k in zip(TYPES, (pa.float64(), pa.float32()), strict=True)
            }
        )
        parquet.write_table(rows, folder / f"{name}.parquet")
        orc.write_table(rows, folder / f"{name}.orc")
    for form in ("parquet", "orc"):
        paths = [str(folder / f"{name}.{form}") for name in GROUPS]
        out[form] = spark.read.format(form).load(paths)
    out["cached"] = spark.read.parquet(*(str(folder / f"{n}.parquet") for n in GROUPS)).cache()
    return out


@pytest.mark.parametrize("kind", TYPES)
def test_no_row_is_passed_over(spark: SparkSession, tmp_path: Path, kind: str) -> None:
    """Each condition finds the same rows in files and in a cached table as it does value by value."""
    source = table("t", "fp64:fp64? fp32:fp32?", emit=[TYPES.index(kind)])

    def counted(i: int, condition: Callable[[Expr, str], Expr]) -> R:
        kept = source.filter(lambda r: condition(r[0], kind))
        place = lit(i, "i32")
        return kept.aggregate(measures=lambda _: [build.count()]).project(lambda _: [place])

    counts = [counted(i, condition) for i, (condition, _) in enumerate(CONDITIONS.values())]
    together = plan((build.set_("UNION_ALL", *counts), "n i"))
    values = [v for group in GROUPS.values() for v in group if v is not None] * 10
    expected = {name: sum(map(meets, values)) for name, (_, meets) in CONDITIONS.items()}
    tables = _tables(spark, tmp_path)
    names = list(CONDITIONS)
    try:
        for form, frame in tables.items():
            rows = last_rows(spark, together, {"t": frame})
            assert (form, {names[i]: n for n, i in rows}) == (form, expected)
    finally:
        tables["cached"].unpersist()
