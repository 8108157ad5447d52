"""Files that a plan reads: whether their columns have the types that the plan declares, and what to do if not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from substrait_sql.errors import ExecutionError
from substrait_sql.run.files import parquet
from substrait_sql.run.files.nanoseconds import has_times, is_refused, read_anyway
from substrait_sql.run.spark_errors import ours
from substrait_sql.run.tables.columns import fitted
from substrait_sql.run.workers import hint

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from substrait_sql.rendered import Source
    from substrait_sql.run.tables.columns import Wanted

_METADATA = "_metadata"
_PARQUET = "parquet."


def recast(spark: SparkSession, source: Source, wanted: Wanted) -> DataFrame | None:
    """The rows of the files with the declared types, None if the SQL has them anyway.

    Raises `ExecutionError`: SS4015 if the files cannot be read, SS4016 if a column cannot be had as declared, SS4017
    if a package is missing that reads them.
    """
    try:
        found, as_written = _open(spark, source)
        _ = found.schema
    except ExecutionError:
        raise
    except Exception as error:
        what = f"cannot read the files {source.names[0]!r}"
        remedy = hint(error) or "is there such a file? relative paths start where Spark was started"
        raise ours(error, "SS4015", what, source.path, remedy) from error
    cast = fitted(found, source, wanted, [_METADATA] if source.reader else [])
    return found if cast is None and not as_written else cast


def _open(spark: SparkSession, source: Source) -> tuple[DataFrame, bool]:
    """The rows of the files, and whether the SQL finds them as well."""
    if source.view is not None:
        from substrait_sql.run.files.data_sources import register

        register(spark, source.view.using, source.path)
        reader = spark.read.format(source.view.using).options(**dict(source.view.options))
        return reader.load(), False
    if not source.reader.startswith(_PARQUET):
        return spark.sql(f"SELECT * FROM {source.reader}"), True
    closing = source.reader[-1]
    where = source.reader[len(_PARQUET) + 1 : -1].replace(closing * 2, closing)
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
