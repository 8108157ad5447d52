"""Floats and texts in files: Spark passes over groups of rows by notes whose order is not its own.

The notes of Parquet leave out NaN, those of both formats tell -0.0 from 0.0 (Bloom filters too), and those of ORC are
read as if texts were ordered by units of UTF-16. Expected rows: NaN equals NaN and is above all others, -0.0 equals
0.0, and texts are ordered by their bytes of UTF-8, as everywhere on Spark.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import duckdb
import pyarrow as pa
import pytest
from pyarrow import orc, parquet

import substrait_sql
from tests.support import build
from tests.support.build import call, lit, not_, one_of, plan, record_one_of, scalar, table, virtual

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
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


FORMATS: dict[str, Callable[[pa.Table, Path], None]] = {
    "orc": orc.write_table,
    "parquet": parquet.write_table,
}


def _write(folder: Path, form: str) -> None:
    """Each group as a file."""
    for name, values in GROUPS.items():
        columns = {"fp64": pa.array(values * 10), "fp32": pa.array(values * 10, pa.float32())}
        FORMATS[form](pa.table(columns), folder / f"{name}.{form}")


def _named(folder: Path, form: str, columns: str) -> R:
    """The files as a plan names them."""
    out, rel = build.read_of(columns, None, None, None)
    getattr(rel.local_files.items.add(uri_folder=str(folder)), form).SetInParent()
    return out


def _counted(
    spark: SparkSession, source: R, conditions: Iterable[Callable[[R], Expr]], folder: Path
) -> list[int]:
    """How many rows meet each condition; `folder` is the table t."""

    def counted(i: int, condition: Callable[[R], Expr]) -> R:
        kept = source.filter(condition).aggregate(measures=lambda _: [build.count()])
        return kept.project(lambda _: [lit(i, "i32")])

    counts = [counted(i, condition) for i, condition in enumerate(conditions)]
    together = plan((build.set_("UNION_ALL", *counts), "n i"))
    frame = substrait_sql.execute(spark, together, tables={"t": folder})
    return [n for n, _ in sorted(frame.collect(), key=lambda row: row[1])]


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("named", [False, True])
def test_no_row_is_passed_over(
    spark: SparkSession, tmp_path: Path, form: str, kind: str, named: bool
) -> None:
    """Each condition finds the same rows in files as it does value by value."""
    _write(tmp_path, form)
    columns = "fp64:fp64? fp32:fp32?"
    source = _named(tmp_path, form, columns) if named else table("t", columns)
    at = TYPES.index(kind)
    asked = [lambda r, c=c: c(r[at], kind) for c, _ in CONDITIONS.values()]
    found = dict(zip(CONDITIONS, _counted(spark, source, asked, tmp_path), strict=True))
    values = [v for group in GROUPS.values() for v in group if v is not None] * 10
    assert found == {name: sum(map(meets, values)) for name, (_, meets) in CONDITIONS.items()}


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("named", [False, True])
def test_no_row_is_passed_over_by_a_bloom_filter(
    spark: SparkSession, tmp_path: Path, kind: str, named: bool
) -> None:
    """DuckDB writes such filters by itself, in which -0.0 is another value than 0.0."""
    path, columns = tmp_path / "t.parquet", "fp64:fp64? fp32:fp32?"
    values = "unnest([-0.0, 5.0, 'NaN'::DOUBLE])"
    duckdb.sql(
        f"COPY (SELECT {values} AS fp64, {values}::FLOAT AS fp32 FROM range(1000)) TO '{path}'"
    )
    noted = duckdb.sql(f"SELECT bloom_filter_offset FROM parquet_metadata('{path}')").fetchall()
    assert None not in {offset for (offset,) in noted}
    source = _named(tmp_path, "parquet", columns) if named else table("t", columns)
    at = TYPES.index(kind)
    asked = [lambda r, v=v: _compare("equal", r[at], v, kind) for v in (0.0, -0.0, 5.0, NAN, 1.0)]
    assert _counted(spark, source, asked, path) == [1000, 1000, 1000, 1000, 0]


# What is behind the surrogates of UTF-16 and before what they stand for, so that the two orders differ.
WIDE, SMILE = "\uff01", "\U0001f600"
TEXTS = [[WIDE], [SMILE], ["a", SMILE, None]]
ABOUT_TEXTS = {
    "less": ("lt", SMILE, lambda v: v.encode() < SMILE.encode()),
    "equal": ("equal", WIDE, lambda v: v == WIDE),
    "greater": ("gt", WIDE, lambda v: v.encode() > WIDE.encode()),
    "not greater": ("lte", SMILE, lambda v: True),
}


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("named", [False, True])
@pytest.mark.parametrize("inside", [False, True])
def test_no_text_is_passed_over(
    spark: SparkSession, tmp_path: Path, form: str, named: bool, inside: bool
) -> None:
    """Of columns, and of fields of structs, whose conditions Spark hands to the reader too."""
    for i, values in enumerate(TEXTS):
        column = pa.array([{"y": v} if inside else v for v in values])
        FORMATS[form](pa.table({"x": column, "n": range(len(values))}), tmp_path / f"{i}.{form}")
    columns = "x(y):struct<str?>? n:i64?" if inside else "x:str? n:i64?"
    source = _named(tmp_path, form, columns) if named else table("t", columns)

    def asked(r: R, name: str, constant: str) -> Expr:
        x = build.part(r[0], 0, out="str?") if inside else r[0]
        return call("comparison", f"{name}:any_any", "bool?", x, lit(constant, "str"))

    conditions = [lambda r, a=a: asked(r, *a[:2]) for a in ABOUT_TEXTS.values()]
    found = dict(zip(ABOUT_TEXTS, _counted(spark, source, conditions, tmp_path), strict=True))
    values = [v for group in TEXTS for v in group if v is not None]
    assert found == {name: sum(map(meets, values)) for name, (*_, meets) in ABOUT_TEXTS.items()}
