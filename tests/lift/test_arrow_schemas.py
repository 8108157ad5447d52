"""Schemas of Arrow, and what has one: the types that `execute` gives such a table."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any

import pandas
import pyarrow as pa
import pytest
from google.protobuf.message import Message

import substrait_sql
from substrait_sql import SqlError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

TYPES = {
    "ARRAY<INT>": [
        pa.list_(pa.int32()), pa.large_list(pa.int32()), pa.list_(pa.int32(), 2),
        pa.list_view(pa.int32()), pa.large_list_view(pa.int32()),
    ],
    "STRING": [
        pa.string(), pa.large_string(), pa.string_view(), pa.json_(),
        pa.dictionary(pa.uint32(), pa.string_view()), pa.run_end_encoded(pa.int32(), pa.string()),
    ],
    "DATE": [pa.date32(), pa.date64()],
    "INTERVAL DAY TO SECOND": [pa.duration("us"), pa.duration("ns")],
    "TIME(6)": [pa.time32("s"), pa.time64("us"), pa.time64("ns")],
    "TINYINT": [pa.int8(), pa.bool8()],
    "FLOAT": [pa.float32(), pa.float16()],
    "DECIMAL(20,0)": [pa.uint64(), pa.decimal128(20, 0)],
    "MAP<STRING, ARRAY<TINYINT>>": [pa.map_(pa.string(), pa.list_view(pa.int8()))],
}  # fmt: skip
EACH = [(ddl, kind) for ddl, kinds in TYPES.items() for kind in kinds]


class Schema:
    """As polars has it."""

    def __init__(self, kind: pa.DataType) -> None:
        self._held = pa.schema([("x", kind)])

    def __arrow_c_schema__(self) -> Any:
        return self._held.__arrow_c_schema__()


class Frame:
    """As DataFusion has it."""

    def __init__(self, kind: pa.DataType) -> None:
        self._held = pa.schema([("x", kind)])

    def schema(self) -> pa.Schema:
        return self._held


def _struct(columns: Any) -> Message:
    made: Any = substrait_sql.to_plan("SELECT x FROM t", schema={"t": columns})
    read: Message = made.relations[0].root.input.read.base_schema.struct
    return read


@pytest.mark.parametrize(("ddl", "kind"), EACH)
def test_types(ddl: str, kind: pa.DataType) -> None:
    empty = pa.schema([("x", kind)]).empty_table()
    for columns in (empty.schema, empty, Schema(kind), Frame(kind), {"x": kind}):
        assert _struct(columns) == _struct({"x": ddl})


def test_a_frame_of_pandas() -> None:
    frame = pandas.DataFrame({"x": [1, 2], "schema": ["a", None]})
    assert _struct(frame) == _struct("x BIGINT, schema STRING")


@pytest.mark.parametrize("values", [[1, "a"], [1j], [2**70]])
def test_a_frame_of_pandas_that_is_no_table(values: list[Any]) -> None:
    with pytest.raises(SqlError, match="SS5010 the DataFrame is no table: "):
        _struct(pandas.DataFrame({"x": pandas.Series(values)}))


@pytest.mark.spark
def test_a_frame_of_spark(spark: SparkSession) -> None:
    assert _struct(spark.sql("SELECT 1S AS x")) == _struct({"x": "SMALLINT NOT NULL"})


@pytest.mark.spark
def test_the_rows_of_such_a_table(spark: SparkSession) -> None:
    kinds = [kind for _, kind in EACH if not pa.types.is_map(kind)]
    made = pa.table({f"c{i}": pa.nulls(1, kind) for i, kind in enumerate(kinds)})
    plan = substrait_sql.to_plan("SELECT * FROM t", schema={"t": made})
    frame = substrait_sql.execute(spark, plan, tables={"t": made})
    assert list(map(tuple, frame.collect())) == [(None,) * made.num_columns]


@pytest.mark.spark
def test_the_values_of_such_a_table(spark: SparkSession) -> None:
    one, clock = dt.timedelta(days=1, microseconds=3), dt.time(1, 2, 3, 4)
    given: dict[str, tuple[pa.DataType, Any]] = {
        "f": (pa.list_(pa.int32(), 2), [1, 2]),
        "d": (pa.duration("us"), one),
        "n": (pa.duration("ns"), one),
        "t": (pa.time32("s"), dt.time(1, 2, 3)),
        "u": (pa.time64("ns"), clock),
        "e": (pa.date64(), dt.date(1969, 1, 2)),
        "q": (pa.uint64(), 2**64 - 1),
    }
    made = pa.table({name: pa.array([value], kind) for name, (kind, value) in given.items()})
    sql = "SELECT *, d + n AS s, e + 1 AS g, f[1] AS h FROM t WHERE u > TIME '01:02:03'"
    frame = substrait_sql.execute(
        spark, substrait_sql.to_plan(sql, schema={"t": made}), tables={"t": made}
    )
    values = [value for _, value in given.values()]
    assert list(map(tuple, frame.collect())) == [
        (*values, one + one, dt.date(1969, 1, 3), 2),
    ]


@pytest.mark.parametrize("kind", [pa.month_day_nano_interval(), pa.dense_union([])])
def test_types_that_spark_has_not(kind: pa.DataType) -> None:
    with pytest.raises(SqlError, match="SS5010 Spark has no type for Arrow's"):
        _struct({"x": kind})
