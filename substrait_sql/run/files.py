"""Files that a plan reads: whether their columns have the types that the plan declares, and what to do if not."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from substrait_sql.dialect.identifiers import quote
from substrait_sql.errors import ExecutionError
from substrait_sql.run import parquet
from substrait_sql.run.nanoseconds import has_times, is_refused, read_anyway
from substrait_sql.run.sources import first_line

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyspark.sql import DataFrame, SparkSession

    from substrait_sql.rendered import Source

_DIGITS = {"tinyint": 3, "smallint": 5, "int": 10, "bigint": 19}
_DECIMAL = re.compile(r"decimal\((\d+),(\d+)\)")
_METADATA = "_metadata"
_PARQUET = "parquet.`"


def recast(spark: SparkSession, source: Source) -> DataFrame | None:
    """The rows of the files with the declared types, None if the SQL has them anyway.

    Raises `ExecutionError`: SS4015 if the files cannot be read, SS4016 if a column cannot be had as declared, SS4017
    if a package is missing that reads them.
    """
    try:
        found, as_written = _open(spark, source)
        schema = {f.name: _plain(f.dataType.simpleString()) for f in found.schema.fields}
    except ExecutionError:
        raise
    except Exception as error:
        raise ExecutionError.of(
            "SS4015",
            f"cannot read the files {source.names[0]!r}: {_reason(error)}",
            source.path,
            hint="is there such a file? relative paths start where Spark was started",
        ) from error
    casts = _casts(source, schema)
    if not casts:
        return None if as_written else found
    columns = [f"{_cast(n, casts[n])} AS {quote(n)}" if n in casts else quote(n) for n in schema]
    if source.reader and _METADATA not in schema:
        columns.append(_METADATA)
    return found.selectExpr(*columns)


def _open(spark: SparkSession, source: Source) -> tuple[DataFrame, bool]:
    """The rows of the files, and whether the SQL finds them as well."""
    if source.view is not None:
        from substrait_sql.run.data_sources import register

        register(spark, source.view.using, source.path)
        reader = spark.read.format(source.view.using).options(**dict(source.view.options))
        return reader.load(), False
    if not source.reader.startswith(_PARQUET):
        return spark.sql(f"SELECT * FROM {source.reader}"), True
    where = source.reader[len(_PARQUET) : -1].replace("``", "`")
    try:
        frame = parquet.load(spark.read, where)
    except Exception as error:
        if not is_refused(error):
            raise
    else:
        if not has_times(frame):
            if not parquet.holds_floats(frame):
                return frame, True
            own = [_METADATA] if _METADATA not in frame.columns else []
            return frame.select("*", *own), False
    return read_anyway(
        spark, lambda schema: parquet.load(spark.read, where, schema), [_METADATA]
    ), False


def _reason(error: Exception) -> str:
    """What went wrong, in a line; for a data source in Python it is the last one of a traceback."""
    text = str(error).rpartition(" SQLSTATE: ")[0].rstrip()
    if "PYTHON_DATA_SOURCE_ERROR" in text:
        return text.splitlines()[-1].strip()
    return first_line(error)


def _casts(source: Source, schema: Mapping[str, str]) -> dict[str, str]:
    """The columns that have another type than the plan declares, with that type."""
    by_name = {name.lower(): name for name in schema}
    casts = {}
    for column in source.columns:
        name = by_name.get(column.name.lower())
        declared = _plain(column.spark_type)
        if name is None or not declared or schema[name] == declared:
            continue
        if not _converts(schema[name], declared):
            raise ExecutionError.of(
                "SS4016",
                f"the column {column.name!r} of {source.names[0]!r} is {schema[name]}, "
                f"and the plan declares {column.type}",
                source.path,
                hint="no conversion keeps all values; declare the type that the file has",
            )
        casts[name] = column.spark_type
    return casts


def _converts(actual: str, declared: str) -> bool:
    """Whether a cast gives the same value of the other type, or an error where there is none."""
    if actual == "float" and declared == "double":
        return True
    if declared in _DIGITS:
        # ANSI casts of integers fail rather than wrap around.
        scale = _DECIMAL.fullmatch(actual)
        return actual in _DIGITS or (scale is not None and scale[2] == "0")
    wanted, given = _DECIMAL.fullmatch(declared), _DECIMAL.fullmatch(actual)
    if wanted is None or (given is None and actual not in _DIGITS):
        return False
    return given is None or int(given[2]) <= int(wanted[2])


def _plain(type: str) -> str:
    return re.sub(r"[\s`]", "", type).lower()


def _cast(name: str, type: str) -> str:
    return f"CAST({quote(name)} AS {type})"
