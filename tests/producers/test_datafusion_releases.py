"""Plans that DataFusion 28 to 54 wrote, each for something that its release writes in its own way.

A file of ``datafusion``, beside this, is one plan: ``42_windows_opt.bin`` was written by release 42, of the query of
that name, after its optimizer (``raw``: before). The rows beside it are those that the release itself returned for the
query.
"""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import substrait_sql
from tests.support import json_plans, rows, run
from tests.support.json_plans import I64, field

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

FOLDER = Path(__file__).parent / "datafusion"

QUERIES = {
    "left_join": "SELECT a.id, b.id FROM a LEFT JOIN b ON a.id = b.k AND a.i > 0",
    "full_join": "SELECT a.id, b.id FROM a FULL JOIN b ON a.i < b.w",
    "semi_join": "SELECT id FROM a WHERE EXISTS (SELECT 1 FROM b WHERE b.k = a.id AND b.w < a.i)",
    "mark_join": "SELECT id FROM a WHERE NOT EXISTS (SELECT 1 FROM b WHERE b.k = a.id) OR i > 5",
    "windows": "SELECT id, max(i) OVER (PARTITION BY g, s) AS x, min(f) OVER (PARTITION BY s) AS y FROM a",
    "sets": "SELECT g, s, sum(i) AS x FROM a WHERE g IS NOT NULL AND s IS NOT NULL GROUP BY ROLLUP(g, s)",
    "grouping": "SELECT g, sum(i) AS x, grouping(g) AS y FROM a GROUP BY ROLLUP(g)",
    "intervals": "SELECT id, d + INTERVAL '1' MONTH AS x, ts - INTERVAL '36 hours 0.5 seconds' AS y FROM a",
    "units": "SELECT arrow_cast('1970-01-01T00:00:01', 'Timestamp(Second, None)') AS s, "
    "arrow_cast('1970-01-01T00:00:01', 'Timestamp(Millisecond, None)') AS ms, "
    "arrow_cast('1970-01-01T00:00:01', 'Timestamp(Microsecond, None)') AS us FROM a",
    "subtract": "SELECT id - 1 AS x FROM a",
    "negative": "SELECT -i AS x, f % 2 AS y FROM a",
    "statistics": "SELECT var_samp(f) AS v, var_pop(f) AS w, covar_samp(f, i) AS x, covar_pop(f, i) AS y, "
    "corr(f, i) AS z FROM a WHERE id < 5",
    "parts": "SELECT id, extract(second FROM ts) AS x, date_part('millisecond', ts) AS y, "
    "extract(year FROM d) / 3 AS z FROM a WHERE ts IS NOT NULL",
    "days": "SELECT id, d - DATE '2020-01-01' AS x FROM a",
    "limit": "SELECT id FROM a ORDER BY i DESC NULLS LAST, id LIMIT 3",
    "frame": "SELECT id, sum(i) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS x FROM a",
    "peers": "SELECT id, sum(i) OVER (ORDER BY g NULLS LAST) AS x FROM a",
    "offset": "SELECT id FROM a ORDER BY id OFFSET 4",
    "nanoseconds": "SELECT to_timestamp(id) AS x FROM a",
    "filter": "SELECT id, sum(i) FILTER (WHERE f > 0) OVER (PARTITION BY g) FROM a",
    "ignore_nulls": "SELECT id, first_value(i) IGNORE NULLS OVER (PARTITION BY g ORDER BY id) FROM a",
    "range": "SELECT id, sum(i) OVER (ORDER BY d RANGE BETWEEN INTERVAL '30' DAY PRECEDING AND CURRENT ROW) FROM a",
}  # fmt: skip
# What a plan does not say, though its query does.
REFUSED = {
    "28_offset_opt": "SS1014",
    "28_peers_opt": "SS2180",
    "32_nanoseconds_opt": "SS2222",
    "42_frame_raw": "SS2179",
    "42_limit_opt": "SS2188",
    "43_limit_opt": "SS2188",
    "46_ignore_nulls_opt": "SS2170",
    "53_filter_opt": "SS2170",
    "54_range_opt": "SS2170",
}
RIGHT = (
    "28_full_join_raw", "28_left_join_raw", "28_statistics_opt", "28_subtract_opt", "28_windows_opt",
    "31_semi_join_opt", "31_peers_opt", "39_sets_opt", "32_left_join_opt", "32_full_join_opt",
    "39_negative_opt", "39_intervals_opt", "40_units_opt", "41_parts_opt", "42_windows_opt",
    "42_sets_opt", "42_sets_raw", "42_intervals_opt", "42_frame_opt", "42_limit_raw",
    "43_grouping_opt", "43_mark_join_opt", "43_sets_opt", "43_sets_raw", "43_parts_opt",
    "43_limit_raw", "44_limit_opt", "44_parts_opt", "49_days_opt", "54_mark_join_opt",
)  # fmt: skip


def tables() -> dict[str, pa.Table]:
    moments = ["2020-01-31T10:11:12.123456", "2020-02-29T23:59:59", None, "1969-12-31T23:59:59.500"]
    moments += ["2000-01-01T00:00:00", "2021-08-01T12:30:01.000004"]
    days = [(2020, 1, 31), (2020, 2, 29), None, (1969, 7, 20), (2021, 12, 31), (2000, 1, 1)]
    a = {
        "id": pa.array([1, 2, 3, 4, 5, 6], pa.int64()),
        "i": pa.array([1, -7, 3, None, 0, 12], pa.int32()),
        "f": pa.array([1.5, -2.5, 0.0, 3.25, None, 100.5]),
        "g": pa.array(["x", "y", "x", "y", "z", "x"]),
        "s": pa.array(["p", "p", "q", None, "q", "q"]),
        "d": pa.array([day and dt.date(*day) for day in days]),
        "ts": pa.array([m and dt.datetime.fromisoformat(m) for m in moments], pa.timestamp("us")),
    }
    b = {
        "id": pa.array([1, 2, 3, 4], pa.int64()),
        "k": pa.array([1, 1, 3, None], pa.int64()),
        "w": pa.array([2, -8, None, 2], pa.int32()),
    }
    return {"a": pa.table(a), "b": pa.table(b)}


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("releases")
    for name, table in tables().items():
        pq.write_table(table, folder / f"{name}.parquet")
    return {name: str(folder / f"{name}.parquet") for name in tables()}


def test_every_plan_is_here() -> None:
    assert {p.stem for p in FOLDER.glob("*.bin")} == {*RIGHT, *REFUSED}


@pytest.mark.spark
@pytest.mark.parametrize("case", RIGHT)
def test_rows(case: str, spark: SparkSession, names: dict[str, str]) -> None:
    plan = (FOLDER / f"{case}.bin").read_bytes()
    (want,) = rows.load(FOLDER / f"{case}.rows.json")
    got = run.last_rows(spark, plan, names)
    difference = rows.difference(got, want.rows, ordered="limit" in case)
    assert not difference, difference


@pytest.mark.spark
@pytest.mark.parametrize("case", REFUSED)
def test_what_a_plan_does_not_say(case: str, spark: SparkSession, names: dict[str, str]) -> None:
    plan = (FOLDER / f"{case}.bin").read_bytes()
    with pytest.raises(substrait_sql.SubstraitSqlError, match=REFUSED[case]):
        run.frames(spark, plan, names)


def test_a_post_join_filter_of_today() -> None:
    """Up to 32 (0.35) it is a part of the condition; from 39 on none is written, and one would be what it says."""
    sides = {
        "left": json_plans.read(["a", "b"], [I64, I64]),
        "right": json_plans.read(["c", "d"], [I64, I64]),
    }
    equal, less = (
        json_plans.call(f, {"bool": {}}, field(i), field(i + 2)) for f, i in enumerate((0, 1))
    )
    join = {"type": "JOIN_TYPE_LEFT", "expression": equal, "postJoinFilter": less, **sides}
    declared = json_plans.functions("equal", "lt")

    def text(producer: str, minor: int) -> str:
        plan = json_plans.plan({"join": join}, list("abcd"), producer, minor, extensions=declared)
        return json_plans.text(plan)

    assert "ON t.a = t_2.c AND t.b < t_2.d" in text("datafusion", 35)
    assert text("datafusion", 85) == text("somebody", 85)
    assert "ON t.a = t_2.c AND" not in text("datafusion", 85)
