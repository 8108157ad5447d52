"""What `execute` returns as Arrow and pandas: the right values of every type, on a classic session and on Connect."""

from __future__ import annotations

import datetime as dt
import math
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest

from substrait_sql import execute, to_plan

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SQL = """SELECT true AS b, 1Y AS i8, -2S AS i16, 3 AS i32, 9223372036854775807L AS i64, CAST(0.5 AS FLOAT) AS f32,
    CAST('NaN' AS DOUBLE) AS f64, CAST(1.50 AS DECIMAL(38, 2)) AS dec, 'a''é' AS s, X'00FF' AS x,
    DATE'1900-02-28' AS d, TIMESTAMP'2020-01-02 03:04:05.123456Z' AS z, TIMESTAMP_NTZ'1960-01-02 03:04:05.000001' AS t,
    INTERVAL '1 02:03:04.5' DAY TO SECOND AS span, array(1, NULL) AS a, named_struct('p', 1L, 'q', 'r') AS r,
    map('k', CAST(2 AS DECIMAL(5, 1))) AS m, CAST(NULL AS INT) AS n"""
PLAN = to_plan(SQL, schema={})
EXPECTED: dict[str, Any] = {
    "b": True, "i8": 1, "i16": -2, "i32": 3, "i64": 2**63 - 1, "f32": 0.5, "f64": math.nan, "dec": Decimal("1.50"),
    "s": "a'é", "x": b"\x00\xff", "d": dt.date(1900, 2, 28), "z": dt.datetime(2020, 1, 2, 3, 4, 5, 123456, dt.UTC),
    "t": dt.datetime(1960, 1, 2, 3, 4, 5, 1), "span": dt.timedelta(days=1, hours=2, minutes=3, seconds=4.5),
    "a": [1, None], "r": {"p": 1, "q": "r"}, "m": [("k", Decimal("2.0"))], "n": None,
}  # fmt: skip


def check(spark: Any) -> None:
    """The values, as Arrow and as pandas."""
    frame = execute(spark, PLAN)
    (row,) = frame.toArrow().to_pylist()
    assert math.isnan(row.pop("f64"))
    assert row == {name: value for name, value in EXPECTED.items() if name != "f64"}
    pandas = frame.toPandas()
    found = {name: pandas[name][0] for name in pandas.columns}
    assert math.isnan(found["f64"])
    for name in ("b", "i8", "i16", "i32", "i64", "f32", "dec", "s", "d"):
        assert found[name] == EXPECTED[name], name
    assert bytes(found["x"]) == EXPECTED["x"]
    # Points in time have no zone in pandas: they are those of the session.
    assert found["z"].isoformat() == "2020-01-02T03:04:05.123456"
    assert found["t"] == EXPECTED["t"]
    assert found["span"].to_pytimedelta() == EXPECTED["span"]
    assert [None if v is None or math.isnan(v) else v for v in found["a"]] == [1, None]
    assert found["r"]["p"] == 1
    assert found["m"] == {"k": Decimal("2.0")}
    assert found["n"] is None or math.isnan(found["n"])


@pytest.mark.spark
def test_on_a_classic_session(spark: SparkSession) -> None:
    check(spark)
