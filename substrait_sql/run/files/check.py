"""Files that a plan reads: whether their columns have the types that the plan declares, and what to do if not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from substrait_sql.errors import ExecutionError
from substrait_sql.run.files import orc, parquet
from substrait_sql.run.files.nanoseconds import has_times, is_refused, read_anyway
from substrait_sql.run.spark_errors import ours
from substrait_sql.run.tables.columns import fitted
from substrait_sql.run.workers import hint

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyspark.sql import DataFrame, SparkSession

    from substrait_sql.rendered import Source
    from substrait_sql.run.tables.columns import Wanted

_METADATA = "_metadata"


def recast(spark: SparkSession, source: Source, wanted: Wanted) -> DataFrame:
    """The rows of the files with the declared types.

    Raises `ExecutionError`: SS4015 if the files cannot be read, SS4016 if a column cannot be had as declared, SS4017
    if a package is missing that reads them.
    """
    try:
        found = _open(spark, source, metadata_of(wanted))
        _ = found.schema
    except ExecutionError:
        raise
    except Exception as error:
        what = f"cannot read the files {source.names[0]!r}"
        remedy = hint(error) or "is there such a file? relative paths start where Spark was started"
        raise ours(error, "SS4015", what, source.path, remedy) from error
    if source.view is None and place(source)[0] == "orc":
        wanted = orc.wanted_of(spark, found, wanted)
    cast = fitted(found, source, wanted, metadata_of(wanted) if source.reader else [])
    return found if cast is None else cast


def _open(spark: SparkSession, source: Source, metadata: Sequence[str]) -> DataFrame:
    if source.view is not None:
        from substrait_sql.run.files.data_sources import register

        register(spark, source.view.using, source.path)
        reader = spark.read.format(source.view.using).options(**dict(source.view.options))
        return reader.load()
    form, where = place(source)
    if form == "orc":
        return with_columns(orc.load(spark, spark.read, where), metadata)
    if form != "parquet":
        return with_columns(spark.sql(f"SELECT * FROM {source.reader}"), metadata)
    try:
        frame = parquet.load(spark.read, where, has_floats=declares_floats(source))
    except Exception as error:
        if not is_refused(error):
            raise
    else:
        if not has_times(frame):
            return with_columns(frame, metadata)
    return read_anyway(spark, lambda schema: parquet.load(spark.read, where, schema), metadata)


def place(source: Source) -> tuple[str, str]:
    """The format of files, and where they are as Spark's readers take it."""
    form, _, quoted = source.reader.partition(".")
    closing = quoted[-1]
    return form, quoted[1:-1].replace(closing * 2, closing)


def declares_floats(source: Source) -> bool:
    """Whether the plan says that there are floats in a column, or in a part of one."""
    return any(kind in column.type for column in source.columns for kind in ("fp32", "fp64"))


def metadata_of(wanted: Wanted) -> list[str]:
    """What the statements read of Spark's own knowledge of a row's file, of which some readers have none."""
    return [_METADATA] if wanted.uses(_METADATA) else []


def with_columns(frame: DataFrame, also: Sequence[str]) -> DataFrame:
    """The columns of files, and these of Spark's own: a view has what it is told alone."""
    missing = [name for name in also if name not in frame.columns]
    return frame.select("*", *missing) if missing else frame
