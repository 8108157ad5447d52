"""Floats mean what the engine that made the plan means by them: as decimals, as text, compared, and its moments."""

from __future__ import annotations

import datetime as dt
import operator
import random
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
import pyarrow.substrait as ps
import pytest
from datafusion import SessionContext

import substrait_sql
from tests.support import rows, run
from tests.support.json_plans import TEXT, cast, decimal, field, lit, of, plan, project, read, text
from tests.support.tpch import datafusion_plan

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

# Ties that are none, as the number is a little less or more than its digits, and ties that are.
TIES = [0.285, 1.005, 2.675, 1.125, -1.125, -0.285, 1.115, 8.345, 2.5, -2.5, 0.5, 4.35, 0.29]
# Where an exponent begins and ends.
EDGES = [
    *(sign * digits * 10.0**power for power in range(-8, 17) for digits in (1.0, 9.5) for sign in (1, -1)),
    0.0, -0.0, float("inf"), -float("inf"), float("nan"), 1e20, 1.5e20, 12345678.9, 9999999999999998.0,
]  # fmt: skip


def drawn() -> list[float]:
    """Numbers of all sizes that Java writes with the fewest digits."""
    pick = random.Random(18)
    return [pick.choice([1, -1]) * pick.random() * 10.0 ** pick.randint(-8, 15) for _ in range(400)]


@pytest.fixture(scope="module")
def table() -> pa.Table:
    numbers = [*TIES, *EDGES, *drawn(), None]
    # The digits of a larger fp32 are not the fewest before Java 19.
    single = [x if x is None or not 1e7 <= abs(x) < 1e23 else x % 1e6 for x in numbers]
    return pa.table({
        "k": pa.array(range(len(numbers)), pa.int64()),
        "f": pa.array(numbers, pa.float64()),
        "g": pa.array(np.array([np.nan if x is None else x for x in single], np.float32)),
    })  # fmt: skip


@pytest.fixture(scope="module")
def frame(spark: SparkSession, table: pa.Table) -> DataFrame:
    return spark.createDataFrame(table)


COMPARISONS = {
    "eq": operator.eq, "ne": operator.ne, "lt": operator.lt, "le": operator.le, "gt": operator.gt, "ge": operator.ge,
}  # fmt: skip
DATAFUSION = {
    "texts": "SELECT k, CAST(f AS VARCHAR) AS x, CAST(g AS VARCHAR) AS y FROM t",
    "decimals": "SELECT k, TRY_CAST(f AS DECIMAL(10, 2)) AS x, TRY_CAST(g AS DECIMAL(10, 2)) AS y, "
    "TRY_CAST(f AS DECIMAL(18, 5)) AS z, TRY_CAST(f AS DECIMAL(9, 0)) AS w FROM t",
    "decimals_that_fit": "SELECT k, CAST(f AS DECIMAL(10, 2)) AS x, CAST(g AS DECIMAL(5, 1)) AS y FROM t "
    "WHERE abs(f) < 1000 AND abs(g) < 1000",
    "sums": "SELECT CAST(sum(f) AS VARCHAR) || ' in all' AS x FROM t WHERE f BETWEEN 12345678 AND 12345679",
    "constants": "SELECT CAST(0.285e0 AS DECIMAL(10, 2)) AS x, CAST(10.05e0 AS DECIMAL(10, 2)) AS y, "
    "CAST(2.5e8 AS VARCHAR) AS z, CAST(2.5e0 AS VARCHAR) AS w, CAST(12345678998700.02e0 AS DECIMAL(18, 4)) AS v, "
    "CAST(-123456789012345.67e0 AS DECIMAL(18, 3)) AS u FROM t WHERE k = 1",
}  # fmt: skip


@pytest.mark.parametrize("query", DATAFUSION)
def test_datafusion(query: str, table: pa.Table, frame: DataFrame, spark: SparkSession) -> None:
    context = SessionContext()
    context.register_record_batches("t", [table.to_batches()])
    batches = context.sql(DATAFUSION[query]).collect()
    want = [tuple(row.values()) for batch in batches for row in batch.to_pylist()]
    for optimised in (True, False):
        made = datafusion_plan(context, DATAFUSION[query], optimised)
        difference = rows.difference(run.last_rows(spark, made, {"t": frame}), want)
        assert not difference, f"{difference}\n\n{substrait_sql.to_sql(made)}"


def test_pyarrow(table: pa.Table, frame: DataFrame, spark: SparkSession) -> None:
    casts = {name: pc.field(name).cast("string", safe=False) for name in ("f", "g")}
    made = bytes(ps.serialize_expressions(list(casts.values()), list(casts), table.schema))
    want = [
        tuple(pc.cast(table[name], pa.string())[i].as_py() for name in casts)
        for i in range(len(table))
    ]
    assert not rows.difference(run.last_rows(spark, made, {"input": frame}), want)


def test_nan_of_pyarrow(spark: SparkSession) -> None:
    """NaN equals nothing there, and is not more than a number; beside a NULL a comparison is NULL."""
    numbers = [1.0, 2.5, float("nan"), float("inf"), None]
    pairs = [(x, y) for x in numbers for y in numbers]
    types = {"f": pa.float64(), "g": pa.float64(), "r": pa.float32(), "q": pa.float32()}
    given = pa.table(
        {
            name: pa.array([p[i % 2] for p in pairs], type)
            for i, (name, type) in enumerate(types.items())
        }
    )
    f, g, r, q = map(pc.field, types)
    compared = {
        f"{name}{i}": operation(x, y)
        for i, (x, y) in enumerate([(f, g), (r, q), (f, pc.scalar(2.5)), (pc.scalar(2.5), g)])
        for name, operation in COMPARISONS.items()
    }
    compared["not"] = ~(f > g)
    compared["both"] = (r > pa.scalar(1.5, pa.float32())) & (f <= g)
    made = bytes(ps.serialize_expressions(list(compared.values()), list(compared), given.schema))
    want = [tuple(row.values()) for row in ds.dataset(given).to_table(columns=compared).to_pylist()]
    frame = spark.createDataFrame(pairs, "f DOUBLE, g DOUBLE").selectExpr(
        "*", "CAST(f AS FLOAT) AS r", "CAST(g AS FLOAT) AS q"
    )
    difference = rows.difference(run.last_rows(spark, made, {"input": frame}), want)
    assert not difference, f"{difference}\n\n{substrait_sql.to_sql(made)}"


def test_comparisons_in_comparisons() -> None:
    """What is asked for NaN stands in the text twice at most, however deep it is."""
    schema = pa.schema([("f", pa.float64()), ("g", pa.float64())])
    f, g = pc.field("f"), pc.field("g")
    lengths, inner = [], f
    for _ in range(8):
        inner = pc.if_else(inner > g, g, f)
        lengths.append(
            len(substrait_sql.to_sql(bytes(ps.serialize_expressions([inner], ["x"], schema))))
        )
    assert lengths[7] < 3 * lengths[3]


@pytest.mark.parametrize(
    "form", ["({} / g)", "(g / {})", "({} % g)", "CAST(CAST({} AS VARCHAR) AS DOUBLE)"]
)
def test_floats_nested(form: str, table: pa.Table) -> None:
    """What stands several times in the SQL of a call is computed before it, where it is long."""
    context = SessionContext()
    context.register_record_batches("t", [table.to_batches()])
    lengths, inner = [], "f"
    for _ in range(8):
        inner = form.format(inner)
        made = datafusion_plan(context, f"SELECT {inner} AS x FROM t", optimised=False)
        lengths.append(len(substrait_sql.to_sql(made)))
    assert lengths[7] < 3 * lengths[3]


def test_texts_of_moments_of_pyarrow(spark: SparkSession) -> None:
    given = [dt.datetime(2020, 1, 1), dt.datetime(1969, 12, 31, 23, 59, 59, 500000), None]
    table = pa.table({unit: pa.array(given, pa.timestamp(unit)) for unit in ("ms", "us")})
    casts = {name: pc.field(name).cast("string", safe=False) for name in table.column_names}
    made = bytes(ps.serialize_expressions(list(casts.values()), list(casts), table.schema))
    want = [
        tuple(pc.cast(table[name], pa.string())[i].as_py() for name in casts)
        for i in range(len(given))
    ]
    frame = spark.createDataFrame([(x, x) for x in given], "ms TIMESTAMP_NTZ, us TIMESTAMP_NTZ")
    assert not rows.difference(run.last_rows(spark, made, {"input": frame}), want)


# Of DuckDB 1.1.3: a number, its text, as DECIMAL(10, 2), as DECIMAL(9, 0), as FLOAT and DECIMAL(10, 2).
DUCKDB = [
    ("0.285", "0.285", "0.28", "0", "0.28"),
    ("1.005", "1.005", "1.00", "1", "1.00"),
    ("2.675", "2.675", "2.68", "3", "2.68"),
    ("1.125", "1.125", "1.12", "1", "1.12"),
    ("-1.125", "-1.125", "-1.12", "-1", "-1.12"),
    ("-0.285", "-0.285", "-0.28", "0", "-0.28"),
    ("2.5", "2.5", "2.50", "2", "2.50"),
    ("0.0", "0.0", "0.00", "0", "0.00"),
    ("-0.0", "-0.0", "0.00", "0", "0.00"),
    ("0.0001", "0.0001", "0.00", "0", "0.00"),
    ("0.000015", "1.5e-05", "0.00", "0", "0.00"),
    ("-0.00009", "-9e-05", "0.00", "0", "0.00"),
    ("12345678.9", "12345678.9", None, None, None),
    ("10000000000", "10000000000.0", None, None, None),
    ("123456789012345.6", "123456789012345.6", None, None, None),
    ("9999999999999998", "9999999999999998.0", None, None, None),
    ("1e16", "1e+16", None, None, None),
    ("1.5e20", "1.5e+20", None, None, None),
    ("-1e-7", "-1e-07", "0.00", "0", "0.00"),
    ("Infinity", "inf", None, None, None),
    ("-Infinity", "-inf", None, None, None),
    ("NaN", "nan", None, None, None),
]


def test_duckdb(spark: SparkSession) -> None:
    fp64, fp32 = of("fp64"), of("fp32")
    rel = project(
        read(["f", "g"], [fp64, fp32], projection={"select": {"structItems": [{}, {"field": 1}]}}),
        cast(field(0), TEXT),
        *(
            cast(field(i), type)
            for i, type in ((0, decimal(10, 2)), (0, decimal(9, 0)), (1, decimal(10, 2)))
        ),
    )
    made = plan(rel, ["x", "y", "z", "w"], "DuckDB", 53)
    small = [(float(n), *more) for n, *more in DUCKDB if more[1] is not None]
    frame = spark.createDataFrame([(n, n) for n, *_ in small], "f DOUBLE, g FLOAT")
    want = [(x, *map(Decimal, more)) for _, x, *more in small]
    assert not rows.difference(run.last_rows(spark, made, {"t": frame}), want)
    one = read(["f"], [fp64], projection={"select": {"structItems": [{}]}})
    texts = plan(project(one, cast(field(0), TEXT)), ["x"], "DuckDB", 53)
    frame = spark.createDataFrame([(float(n),) for n, *_ in DUCKDB], "f DOUBLE")
    assert not rows.difference(
        run.last_rows(spark, texts, {"t": frame}), [(x,) for _, x, *_ in DUCKDB]
    )


# Of DuckDB 1.0: a number, as DECIMAL(10, 2), as FLOAT and DECIMAL(10, 2), as DECIMAL(38, 2).
DUCKDB_1_0 = [
    ("0.285", "0.29", "0.28", "0.29"),
    ("1.005", "1.01", "1.00", "1.01"),
    ("2.675", "2.68", "2.68", "2.68"),
    ("-1.125", "-1.13", "-1.12", "-1.13"),
    ("0.125", "0.13", "0.12", "0.13"),
    ("1.45", "1.45", "1.45", "1.45"),
    ("0.0", "0.00", "0.00", "0.00"),
]
# Of 1.1.3: a number, as DECIMAL(20, 0), as DECIMAL(38, 2), as DECIMAL(38, 10), as FLOAT and DECIMAL(38, 10).
LONG = [
    ("2.5", "2", "2.50", "2.5", "2.4999999488"),
    ("-0.5", "0", "-0.50", "-0.5", "-0.5"),
    ("1.125", "1", "1.12", "1.125", "1.1249999872"),
    ("-123456.785", "-123457", "-123456.78", "-123456.785", "-123456.7813922816"),
    ("123.456", "123", "123.46", "123.456", "123.4559959040"),
    ("9e14", "900000000000000", "900000000000000.00", None, None),
]


@pytest.mark.parametrize(
    ("minor", "made", "types"),
    [
        (48, DUCKDB_1_0, [(0, decimal(10, 2)), (1, decimal(10, 2)), (0, decimal(38, 2))]),
        (53, LONG, [(0, decimal(20, 0)), (0, decimal(38, 2)), (0, decimal(38, 10)), (1, decimal(38, 10))]),
    ],
)  # fmt: skip
def test_decimals_of_duckdb(minor: int, made: Any, types: Any, spark: SparkSession) -> None:
    mask = {"select": {"structItems": [{}, {"field": 1}]}}
    rel = project(
        read(["f", "g"], [of("fp64"), of("fp32")], projection=mask),
        *(cast(field(i), type) for i, type in types),
    )
    names = [f"x{i}" for i in range(len(types))]
    frame = spark.createDataFrame([(float(n), float(n)) for n, *_ in made], "f DOUBLE, g FLOAT")
    found = run.last_rows(spark, plan(rel, names, "DuckDB", minor), {"t": frame})
    for (number, *expected), row in zip(made, found, strict=True):
        for text_, value in zip(expected, row, strict=True):
            assert text_ is None or Decimal(text_) == value, number


@pytest.mark.parametrize(
    ("target", "sql"),
    [
        (decimal(10, 2), "CAST(CAST(round(f * 100, 0) AS BIGINT) * 0.01 AS DECIMAL(10, 2))"),
        (decimal(9, 0), "CAST(CAST(round(f, 0) AS BIGINT) AS DECIMAL(9, 0))"),
        # A BIGINT has not the digits: the shortest ones of the float, as for a producer that nothing is known of.
        (decimal(19, 2), "CAST(CAST(f AS STRING) AS DECIMAL(19, 2))"),
        (decimal(18, 18), "CAST(CAST(f AS STRING) AS DECIMAL(18, 18))"),
    ],
)
def test_decimals_of_datafusion(target: Any, sql: str) -> None:
    rel = project(read(["f"], [of("fp64")]), cast(field(0), target))
    assert text(plan(rel, ["f", "x"], "datafusion")) == f"SELECT f, {sql} AS x FROM t"


@pytest.mark.parametrize("number", [1e300, -1e17, 123456789.0])
def test_a_constant_that_no_decimal_is(number: float) -> None:
    """Spark says so when it runs."""
    rel = project(read(["f"], [of("fp64")]), cast(lit(fp64=number), decimal(10, 2)))
    assert "AS DECIMAL(10, 2)) AS x" in text(plan(rel, ["f", "x"], "datafusion"))


def test_text_of_no_producer() -> None:
    """The text of Spark, where the plan does not say whose it is."""
    rel = project(read(["f"], [of("fp64")]), cast(field(0), TEXT))
    assert text(plan(rel, ["f", "x"])) == "SELECT f, CAST(f AS STRING) AS x FROM t"
