"""Parquet files, read so that conditions on floats find all their rows.

Spark hands a comparison with a constant down to the reader, which passes over groups of rows by what a file notes of
them: the smallest and largest value, a page's, a dictionary, a Bloom filter. NaN is in none of the first two, and -0.0
and 0.0 are two values in all of them. `x <> 1.0` would lose rows that Spark itself finds in the same data. Files with
floats are read without.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, DataFrameReader
    from pyspark.sql.types import StructType

_EVERY_GROUP = {
    f"parquet.filter.{notes}.enabled": "false"
    for notes in ("stats", "columnindex", "dictionary", "bloom")
}


def load(
    reader: DataFrameReader,
    where: str | list[str],
    schema: StructType | None = None,
    has_floats: bool = False,
) -> DataFrame:
    """The files as a table. schema: their columns, as found if it is None. has_floats: whether that is to be expected.

    Spark lists all files each time that they are loaded, which is done once where floats are expected or not there.
    """
    reader = reader.format("parquet")
    if schema is not None:
        reader = reader.schema(schema)
    if has_floats:
        return reader.options(**_EVERY_GROUP).load(where)
    frame = reader.load(where)
    if not holds_floats(frame):
        return frame
    return reader.schema(frame.schema).options(**_EVERY_GROUP).load(where)


def holds_floats(frame: DataFrame) -> bool:
    """Whether there are floats in a column, or in a part of one."""
    types = (f.dataType.simpleString() for f in frame.schema.fields)
    return any("float" in t or "double" in t for t in types)
