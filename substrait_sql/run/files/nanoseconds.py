"""Parquet files with points in time in nanoseconds, or with times of day: Spark reads both as numbers only.

(It reads times of day where a setting is on, which would have to be on still when rows are made.) DataFusion and pandas
write such files. What is finer than a microsecond is an error in the row that has it, as Spark holds no more
(`docs/types.md`).
"""

from __future__ import annotations

import importlib.util
from typing import TYPE_CHECKING, Any

from substrait_sql.errors import ExecutionError
from substrait_sql.run import quoting
from substrait_sql.run.quoting import quote
from substrait_sql.run.settings import applied

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.types import StructType

_REFUSALS = ("TIMESTAMP(NANOS", "UNSUPPORTED_TIME_TYPE")
_AS_NUMBERS = {"spark.sql.legacy.parquet.nanosAsLong": "true"}


def is_refused(error: Exception) -> bool:
    """Whether Spark did not read a Parquet file for one of these types."""
    return any(text in str(error) for text in _REFUSALS)


def has_times(frame: DataFrame) -> bool:
    """Whether a column holds times of day, which Spark read while the setting was on."""
    return any(f.dataType.typeName() == "time" for f in frame.schema.fields)


def read_anyway(
    spark: SparkSession, load: Callable[[StructType | None], DataFrame], also: Sequence[str] = ()
) -> DataFrame:
    """The files with these numbers as what they are. load: reads them, with the columns' types as found or as given.

    also: columns of Spark's own to keep.
    Raises `ExecutionError`: SS4017 without pyarrow, which tells the columns from those that are numbers, SS4004 if
    the files differ in them, or have them inside of other values.
    """
    with applied(spark, {**_AS_NUMBERS, **quoting.times()}):
        frame = load(None)
        found = frame.schema
        counted = _columns(frame.inputFiles())
        times = {f.name for f in found.fields if f.dataType.typeName() == "time"}
        if times:
            found = _as_numbers(found, times)
        return load(found).selectExpr(
            *(
                _time(name, counted)
                if name in times
                else _moment(name, counted[name])
                if name in counted
                else quote(name)
                for name in found.names
            ),
            *(c for c in also if c not in found.names),
        )


def _time(name: str, counted: Collection[str]) -> str:
    """The time of day of a number of microseconds, or of nanoseconds if it is one of these: an error where finer."""
    column = quote(name)
    if name not in counted:
        return f"time_from_micros({column}) AS {column}"
    error = "a time of day that is finer than a microsecond, which Spark cannot hold"
    # The number is looked at, and not the time: a cast to TIME is refused where the setting is off again.
    micros = (
        f"CASE WHEN {column} % 1000 <> 0 THEN raise_error('{error}') ELSE {column} div 1000 END"
    )
    return f"time_from_micros({micros}) AS {column}"


def _as_numbers(schema: StructType, names: set[str]) -> StructType:
    from pyspark.sql.types import LongType, StructField, StructType

    return StructType(
        [StructField(f.name, LongType()) if f.name in names else f for f in schema.fields]
    )


def _columns(files: Sequence[str]) -> dict[str, bool]:
    """The columns in nanoseconds, and whether they have a zone, which is UTC. files: their URIs."""
    if importlib.util.find_spec("pyarrow") is None:
        what = "reading nanoseconds needs pyarrow"
        raise ExecutionError.of("SS4017", what, hint="pip install pyarrow")
    first: dict[str, bool] = {}
    for i, uri in enumerate(files):
        found = _nanoseconds(_schema(uri), uri)
        if i and found != first:
            message = f"{files[0]!r} and {uri!r} do not have the same columns in nanoseconds"
            raise ExecutionError.of("SS4004", message, hint="write them alike")
        first = found
    return first


def _schema(uri: str) -> Any:
    from pyarrow import fs, parquet  # type: ignore[import-untyped]

    system, path = fs.FileSystem.from_uri(uri)
    return parquet.read_schema(path, filesystem=system)


def _nanoseconds(schema: Any, uri: str) -> dict[str, bool]:
    found = {}
    for field in schema:
        if str(field.type).startswith("timestamp[ns"):
            found[field.name] = field.type.tz is not None
        elif str(field.type) == "time64[ns]":
            found[field.name] = False
        elif "timestamp[ns" in str(field.type):
            raise ExecutionError.of(
                "SS4004",
                f"the column {field.name!r} in {uri!r} holds points in time in nanoseconds inside of a {field.type}",
                hint="write them in microseconds",
            )
    return found


def _moment(name: str, utc: bool) -> str:
    """The point in time, by counting microseconds; an error where there is more to it."""
    column = quote(name)
    micros = f"({column} div 1000)"
    seconds = f"CAST({micros} * 0.000001BD AS DECIMAL(18, 6))"
    made = (
        f"timestamp_micros({micros})"
        if utc
        else f"TIMESTAMP_NTZ '1970-01-01 00:00:00' + make_dt_interval(0, 0, 0, {seconds})"
    )
    error = "a point in time that is finer than a microsecond, which Spark cannot hold"
    return f"CASE WHEN {column} % 1000 <> 0 THEN raise_error('{error}') ELSE {made} END AS {column}"
