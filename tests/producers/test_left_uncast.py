"""DataFusion's functions that cast, arguments that its plans leave uncast, and times of day beside intervals."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal as D
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest
from datafusion import SessionContext

import substrait_sql
from substrait_sql.errors import SubstraitSqlError, UnsupportedError
from tests.support import rows, sessions
from tests.support.tpch import datafusion_plan

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

MOMENTS = [
    dt.datetime(2024, 1, 31, 13, 14, 15, 678901), dt.datetime(1960, 2, 29, 0, 0, 0, 1), None,
    dt.datetime(2000, 12, 31, 23, 59, 59, 999999), dt.datetime(1969, 12, 31, 12),
]  # fmt: skip
TABLE = pa.table({
    "id": pa.array([1, 2, 3, 4, None], pa.int64()),
    "i": pa.array([5, -3, None, 7, 0], pa.int32()),
    "f": pa.array([1.5, -2.5, None, 0.0, 1e10]),
    "p": pa.array([D("1.55"), D("-2.45"), None, D("0.05"), D("99.99")], pa.decimal128(10, 2)),
    "s": pa.array(["abc", "Ab cd", None, "", "x"]),
    "b": pa.array([True, False, None, True, False]),
    "y": pa.array([b"ab", b"", None, b"\xff", b"x"]),
    "d": pa.array([m and m.date() for m in MOMENTS], pa.date32()),
    "t": pa.array([m and m.time() for m in MOMENTS], pa.time64("us")),
    "short": pa.array([m and m.time().replace(microsecond=0) for m in MOMENTS], pa.time32("s")),
    "ts": pa.array(MOMENTS, pa.timestamp("us")),
    "tz": pa.array(MOMENTS, pa.timestamp("us", "UTC")),
})  # fmt: skip

VALUES = {
    "to_date": "to_date(ts), to_date(tz), to_date(d), to_date(id), to_date(i), to_date('2024-02-29'), "
    "to_date(to_timestamp(ts))",
    "to_timestamp": "to_timestamp(ts), to_timestamp(tz), to_timestamp('2024-01-31T10:00:00+02:00'), "
    "to_timestamp('2024-01-31'), to_timestamp('2024-01-31 10:00:00.123456')",
    "to_timestamp_units": "to_timestamp_seconds(ts), to_timestamp_seconds(tz), to_timestamp_millis(ts), "
    "to_timestamp_micros(tz), to_timestamp_nanos(ts), to_timestamp_seconds('2024-01-31T10:00:00.9')",
    "unix": "to_unixtime(tz), to_unixtime(ts), to_unixtime(d), to_unixtime(f), to_unixtime(id)",
    "local": "to_local_time(tz), to_local_time(ts)",
    "arrow": "arrow_cast(i, 'Int64'), arrow_cast(ts, 'Timestamp(Second, None)'), arrow_cast(f, 'Float32'), "
    "arrow_cast(p, 'Decimal128(12, 4)'), arrow_cast(i, 'Utf8'), arrow_cast(d, 'Timestamp(Microsecond, None)')",
    "times": "CAST(ts AS TIME), CAST(tz AS TIME), to_time('10:11:12.123456'), make_time(id, 11, 59), "
    "make_time(1, 2, 3)",
    "parts_of_times": "extract(hour FROM t), extract(minute FROM t), extract(second FROM t), extract(epoch FROM t), "
    "extract(millisecond FROM t), extract(microsecond FROM t), date_part('hour', short)",
    "cut_times": "date_trunc('hour', t), date_trunc('minute', t), date_trunc('second', t), "
    "date_trunc('millisecond', t)",
    "times_and_intervals": "t + INTERVAL '1 hour', t - INTERVAL '14 hours 0.5 seconds', INTERVAL '90 minutes' + t, "
    "t + INTERVAL '25 hours 1 day 1 month', t - INTERVAL '1 day'",
    "days_and_intervals": "d + INTERVAL '13 months', d - INTERVAL '1 year 2 months', INTERVAL '1 day' + d, "
    "d + INTERVAL '1 month 3 days 5 hours', d + INTERVAL '1 month -36 hours', d - INTERVAL '1 month 3 days 36 hours', "
    "d + INTERVAL '-1 month -3 days -36 hours', d + INTERVAL '3 days -36 hours', INTERVAL '36 hours' + d",
    "intervals_first": "INTERVAL '1 month' + ts, INTERVAL '1 hour' + tz, INTERVAL '1 day 2 hours' + ts",
    "zoned": "date_bin(INTERVAL '15 minutes', tz), date_bin(INTERVAL '1 day', tz), to_char(tz, '%Y-%m-%d %H:%M')",
    "bins": "date_bin(INTERVAL '15 minutes', ts, TIMESTAMP '2000-01-01'), ts > TIMESTAMP '2000-01-01'",
    "cut_decimals": "trunc(p), trunc(p, 1), trunc(p, -1), trunc(p, 2), trunc(p, 5), trunc(p * p, 3)",
    "joined": "s || i, s || f, s || d, s || ts, s || tz, s || t, s || b, s || p, 1 || s, i || s || f, y || y",
    "concat": "concat(s, i, f, b), concat(i, p), concat(s, ts, d, t), concat_ws('-', s, i, f, ts), "
    "concat_ws('-', b, s)",
    "series": "generate_series(1, 3), generate_series(id, i), generate_series(id, i, 2), generate_series(id, i, -2), "
    "generate_series(i), generate_series(4, NULL, 3), range(3), range(i), range(id, i), range(id, i, 2), "
    "range(id, i, -1), range(id, i, id), range(i, i, -1), generate_series(i, i)[1] + 5000000000",
}  # fmt: skip


def plain(value: Any) -> Any:
    return value.to_pydatetime(warn=False) if hasattr(value, "to_pydatetime") else value


def datafusion_rows(context: SessionContext, sql: str) -> list[tuple[Any, ...]]:
    batches = context.sql(sql).collect()
    return [tuple(map(plain, row.values())) for batch in batches for row in batch.to_pylist()]


def context_of(table: pa.Table) -> SessionContext:
    context = SessionContext()
    context.register_record_batches("a", [table.to_batches()])
    return context


@pytest.mark.spark
@pytest.mark.parametrize("group", VALUES)
def test_values(group: str, spark: SparkSession) -> None:
    context = context_of(TABLE)
    listed = ", ".join(f"{v} AS c{i}" for i, v in enumerate(_split(VALUES[group])))
    sql = f"SELECT id, {listed} FROM a"
    want = datafusion_rows(context, sql)
    with sessions.configured(spark, {"spark.sql.timeType.enabled": "true"}):
        for optimised in (True, False):
            made = datafusion_plan(context, sql, optimised=optimised)
            found = map(tuple, substrait_sql.execute(spark, made, tables={"a": TABLE}).collect())
            assert not rows.difference(list(found), want), substrait_sql.to_sql(made)


def _split(values: str) -> list[str]:
    """The values of a list, by the commas that are in no brackets and no text."""
    found, depth, quoted = [""], 0, False
    for letter in values:
        quoted ^= letter == "'"
        depth += 0 if quoted else (letter in "([") - (letter in ")]")
        if letter == "," and not depth and not quoted:
            found.append("")
        else:
            found[-1] += letter
    return found


@pytest.mark.spark
def test_what_the_time_is(spark: SparkSession) -> None:
    """The optimizer writes nanoseconds, which Spark has none of."""
    context = context_of(TABLE)
    sql = "SELECT id, now() > ts AS x, current_date() > d AS y, now() - INTERVAL '1 day' > ts AS z FROM a"
    made = datafusion_plan(context, sql, optimised=False)
    found = [tuple(r) for r in substrait_sql.execute(spark, made, tables={"a": TABLE}).collect()]
    assert not rows.difference(found, datafusion_rows(context, sql))
    with pytest.raises(UnsupportedError, match="SS2136"):
        substrait_sql.to_sql(datafusion_plan(context, "SELECT now() AS x FROM a"))


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ("short + INTERVAL '1 second'", "SS2222"),
        ("to_char(tz, '%Z')", "SS2222"),
        ("to_time(s)", "SS2302"),
        ("trunc(p, -8)", "SS2222"),
        ("to_timestamp(s, '%Y')", "SS2212"),
        # Texts there; Spark would make numbers of them.
        ("nvl(s, i)", "SS2115"),
        ("ifnull(i, s)", "SS2115"),
        ("to_timestamp('2024-01-31T10:00:00.1234567')", "SS2302"),
    ],
)
def test_refused(value: str, code: str) -> None:
    made = datafusion_plan(context_of(TABLE), f"SELECT {value} AS x FROM a", optimised=False)
    with pytest.raises(SubstraitSqlError, match=code):
        substrait_sql.to_sql(made)
