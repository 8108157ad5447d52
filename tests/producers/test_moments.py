"""Moments and times mean what the engine that made the plan means by them: as text, from text, of fewer digits."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest
from datafusion import SessionContext

import substrait_sql
from substrait_sql.errors import UnsupportedError
from tests.support import rows, run
from tests.support.json_plans import (
    I64,
    TEXT,
    Json,
    call,
    cast,
    field,
    functions,
    lit,
    moment,
    of,
    plan,
    project,
    read,
    text,
)
from tests.support.tpch import datafusion_plan

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

MOMENTS = [
    "2020-01-02 03:04:05.678901", "1969-12-31 23:59:58.4", "1969-12-31 23:59:58.5", "1969-12-31 23:59:58.6",
    "1969-12-31 23:59:58", "1970-01-01 00:00:00", "1970-01-01 00:00:00.5", "2020-02-29 00:00:00.0005",
    "1960-01-01 00:00:00.000499", "1960-01-01 00:00:00.9995", None,
]  # fmt: skip
TEXTS = [
    "2020-01-02", "2020-01-02 03:04:05", "2020-01-02T03:04:05.5Z", "2020-01-02 03:04:05+02",
    "2020-01-02 23:04:05-02:30", "2020-10-25T02:30:00.25+01:00", None,
]  # fmt: skip
TIMES = ["00:00:00.500000", "01:02:03", "23:59:59.000001", "10:00:00.120000", None]


def at(value: str | None) -> dt.datetime | None:
    return None if value is None else dt.datetime.fromisoformat(value)


@pytest.fixture(scope="module")
def moments() -> pa.Table:
    size = range(max(len(MOMENTS), len(TEXTS)))
    texts, times = ((given + [None] * len(size))[: len(size)] for given in (TEXTS, TIMES))
    return pa.table({
        "k": pa.array(size, pa.int64()),
        "ts": pa.array([at(m) for m in MOMENTS], pa.timestamp("us")),
        "ms": pa.array([at(m) and at(m).replace(microsecond=500000) for m in MOMENTS], pa.timestamp("ms")),
        "s": pa.array(texts, pa.string()),
        "tm": pa.array([t and dt.time.fromisoformat(t) for t in times], pa.time64("us")),
        "short": pa.array([t and dt.time.fromisoformat(t[:8]) for t in times], pa.time32("s")),
    })  # fmt: skip


DATAFUSION = {
    "units": "SELECT k, CAST(ts AS TIMESTAMP(0)) AS x, CAST(ts AS TIMESTAMP(3)) AS y, CAST(ms AS TIMESTAMP(0)) AS z "
    "FROM t",
    "sums": "SELECT k, ms + INTERVAL '1 microsecond' AS a, ms - INTERVAL '1 microsecond' AS b, "
    "ms - INTERVAL '1 day' AS c, "
    "CAST(ts AS TIMESTAMP(0)) - INTERVAL '1 month 0.2 seconds' AS d, ts + INTERVAL '1 microsecond' AS e, "
    "date_bin(INTERVAL '2 seconds', ms) AS f, ms + INTERVAL '1500 microseconds' > ms AS g FROM t",
    "texts": "SELECT k, CAST(ts AS VARCHAR) AS x, CAST(tm AS VARCHAR) AS y, CAST(short AS VARCHAR) AS z FROM t",
    "offsets": "SELECT k, CAST(s AS TIMESTAMP(6)) AS x, TRY_CAST(s AS TIMESTAMP(6)) AS y, CAST(s AS TIMESTAMP(0)) AS z "
    "FROM t",
}  # fmt: skip


@pytest.mark.spark
@pytest.mark.parametrize("query", DATAFUSION)
def test_datafusion(query: str, moments: pa.Table, spark: SparkSession) -> None:
    context = SessionContext()
    context.register_record_batches("t", [moments.to_batches()])
    batches = context.sql(DATAFUSION[query]).collect()
    want = [tuple(row.values()) for batch in batches for row in batch.to_pylist()]
    made = datafusion_plan(context, DATAFUSION[query])
    found = [tuple(r) for r in substrait_sql.execute(spark, made, tables={"t": moments}).collect()]
    assert not rows.difference(found, want), substrait_sql.to_sql(made)


def test_datafusion_bins_that_are_finer_than_the_moment(moments: pa.Table) -> None:
    context = SessionContext()
    context.register_record_batches("t", [moments.to_batches()])
    made = datafusion_plan(context, "SELECT date_bin(INTERVAL '1500 microseconds', ms) AS x FROM t")
    with pytest.raises(
        UnsupportedError, match=r"SS2302 the interval is finer than precision_timestamp\?<3>"
    ):
        substrait_sql.to_sql(made)


def columns(*types: Json) -> Json:
    """A read of columns a, b, … as DuckDB writes it."""
    mask = {"select": {"structItems": [{"field": i} if i else {} for i in range(len(types))]}}
    return read([chr(ord("a") + i) for i in range(len(types))], list(types), projection=mask)


def of_text(spark: SparkSession, made: Json, table: str, zone: str) -> list[Any]:
    """The rows of the plan's text in a session of this zone, over a table t."""
    spark.conf.set("spark.sql.session.timeZone", zone)
    try:
        return [
            tuple(r)
            for r in spark.sql(f"WITH t AS ({table}) {substrait_sql.to_sql(made)}").collect()
        ]
    finally:
        spark.conf.set("spark.sql.session.timeZone", "UTC")


# Of DuckDB 1.0 and 1.1.3: a moment as TIMESTAMP_S and as TIMESTAMP_MS.
ROUNDED = [
    ("2020-01-02 03:04:05.678901", "2020-01-02 03:04:06", "2020-01-02 03:04:05.679"),
    ("1969-12-31 23:59:58.4", "1969-12-31 23:59:58", "1969-12-31 23:59:58.4"),
    ("1969-12-31 23:59:58.5", "1969-12-31 23:59:58", "1969-12-31 23:59:58.5"),
    ("1969-12-31 23:59:58.6", "1969-12-31 23:59:59", "1969-12-31 23:59:58.6"),
    ("1970-01-01 00:00:00.5", "1970-01-01 00:00:01", "1970-01-01 00:00:00.5"),
    ("2020-02-29 00:00:00.0005", "2020-02-29 00:00:00", "2020-02-29 00:00:00.001"),
    ("1960-01-01 00:00:00.0005", "1960-01-01 00:00:00", "1960-01-01 00:00:00"),
    ("1960-01-01 00:00:00.000499", "1960-01-01 00:00:00", "1960-01-01 00:00:00"),
    ("1960-01-01 00:00:00.9995", "1960-01-01 00:00:01", "1960-01-01 00:00:00.999"),
]
# A text as TIMESTAMP.
MOVED = [
    ("2020-01-02 03:04:05", "2020-01-02 03:04:05"),
    ("2020-01-02T03:04:05.5Z", "2020-01-02 03:04:05.5"),
    ("2020-01-02 03:04:05 UTC", "2020-01-02 03:04:05"),
    ("2020-01-02 03:04:05+02", "2020-01-02 01:04:05"),
    ("2020-01-02 03:04:05+02:30", "2020-01-02 00:34:05"),
    ("2020-01-02", "2020-01-02 00:00:00"),
    ("2020-01-02 03:04:05-02", "2020-01-02 05:04:05"),
]


@pytest.mark.spark
def test_duckdb(spark: SparkSession) -> None:
    rel = project(columns(moment(6)), cast(field(0), moment(0)), cast(field(0), moment(3)))
    frame = spark.createDataFrame([(at(x),) for x, *_ in ROUNDED], "a TIMESTAMP_NTZ")
    want = [tuple(map(at, more)) for _, *more in ROUNDED]
    made = plan(rel, ["x", "y"], "DuckDB", 53)
    assert not rows.difference(run.last_rows(spark, made, {"t": frame}), want)
    rel = project(columns(TEXT), cast(field(0), moment(6)))
    made = plan(rel, ["x"], "DuckDB", 53)
    want = [(at(x),) for _, x in MOVED]
    values = ", ".join(f"('{x}')" for x, _ in MOVED)
    for zone in ("UTC", "America/New_York"):
        found = of_text(spark, made, f"SELECT * FROM VALUES {values} AS v(a)", zone)
        assert not rows.difference(found, want), zone


@pytest.mark.spark
def test_texts_of_duckdb(spark: SparkSession) -> None:
    """Behind a moment stands how far the session's zone is from UTC."""
    rel = project(columns(of("precisionTimestampTz", precision=6)), cast(field(0), TEXT))
    made = plan(rel, ["x"], "DuckDB", 53)
    texts = {
        "UTC": "2020-01-02 01:04:05.5+00",
        "Europe/Berlin": "2020-01-02 02:04:05.5+01",
        "Asia/Kolkata": "2020-01-02 06:34:05.5+05:30",
        "America/St_Johns": "2020-01-01 21:34:05.5-03:30",
    }
    for zone, expected in texts.items():
        found = of_text(spark, made, "SELECT TIMESTAMP '2020-01-02 01:04:05.5Z' AS a", zone)
        assert found == [(expected,)]


def test_a_constant_has_an_offset_or_not() -> None:
    """What a constant says is seen before it runs."""
    for said, sql in (
        ("2020-01-02", "CAST('2020-01-02' AS TIMESTAMP_NTZ)"),
        ("2020-01-02 03:04:05+02", "CASE WHEN '2020-01-02 03:04:05+02' RLIKE "),
    ):
        rel = project(columns(I64), cast(lit(string=said), moment(6)))
        assert sql in text(plan(rel, ["x"], "DuckDB", 53))


@pytest.mark.parametrize("minor", [48, 53])
def test_an_enumeration_has_no_order_that_a_plan_tells(minor: int) -> None:
    """In DuckDB 1.1 the least of 'a' and 'x' of an ENUM('x', 'a') is 'x'."""
    read_ = columns(of("userDefined"))
    measure = {
        "functionReference": 0,
        "outputType": of("userDefined"),
        "arguments": [{"value": field(0)}],
    }
    measure |= {"phase": "AGGREGATION_PHASE_INITIAL_TO_RESULT"}
    beside = {**measure, "arguments": [{"value": field(0)}, {"value": field(0)}]}
    plans = [
        plan({"sort": {"input": read_, "sorts": [{"expr": field(0), "direction": "SORT_DIRECTION_ASC_NULLS_LAST"}]}},
             ["a"], "DuckDB", minor),
        plan({"aggregate": {"input": read_, "measures": [{"measure": measure}]}}, ["x"], "DuckDB", minor,
             extensions=functions("min")),
        plan({"aggregate": {"input": read_, "measures": [{"measure": beside}]}}, ["x"], "DuckDB", minor,
             extensions=functions("arg_max")),
        plan({"filter": {"input": read_, "condition": call(0, of("bool"), field(0), field(0))}}, ["a"], "DuckDB", minor,
             extensions=functions("lt")),
    ]  # fmt: skip
    for made in plans:
        with pytest.raises(UnsupportedError, match="SS2199 the plan does not declare"):
            substrait_sql.to_sql(made)
    same = {"filter": {"input": read_, "condition": call(0, of("bool"), field(0), field(0))}}
    made = plan(same, ["a"], "DuckDB", minor, extensions=functions("equal"))
    assert text(made) == "SELECT a FROM t WHERE a = a"
