"""ORC files, read so that conditions find all their rows, and days and times are those that were written.

Spark hands a comparison with a constant down to the reader, which passes over groups of rows by the smallest and
largest value that a file notes of them. -0.0 and 0.0 are two values there, texts are ordered by their units of UTF-16,
where Spark and the writers of the notes go by UTF-8, and days and times before 1582-10-15 are counted in the Julian
calendar. No option of the reader says otherwise. What Spark cannot hand down is a condition on the value of a function,
so that is what these become.

A file may say of which calendar its days are. Those of Java's writer do; in others, such as pyarrow's, they are of the
calendar that SQL and Substrait have. Unless it is told, Spark takes theirs before 1582-10-15 for Julian ones.

A time without a zone becomes a point in time by the zone of Spark's Java, whatever the session's zone is. Only where
both are UTC it is the time of the file.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from substrait_sql.run.quoting import quote

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, DataFrameReader, SparkSession

    from substrait_sql.run.tables.columns import Wanted

_MISLEADING = ("float", "double", "string", "varchar", "char", "date", "timestamp")
"""The beginnings of the names of types whose order is another one in a file's notes."""

_OF_FILES = "orc.proleptic.gregorian.default"
"""The setting of Java's reader for the calendar of files that do not say theirs."""
_OF_READER = {"orc.proleptic.gregorian": "false"}
"""The calendar in which Spark expects days of it."""


def load(spark: SparkSession, reader: DataFrameReader, where: str | list[str]) -> DataFrame:
    """The files as a table, of which the columns that may lose rows are no longer the files' own to Spark."""
    calendar = {_OF_FILES: spark.conf.get(_OF_FILES, None) or "true", **_OF_READER}
    frame = reader.options(**calendar).format("orc").load(where)
    columns = [(quote(f.name), computed(quote(f.name), f.dataType)) for f in frame.schema.fields]
    if all(made == name for name, made in columns):
        return frame
    return frame.selectExpr(*(f"{made} AS {name}" for name, made in columns))


def wanted_of(spark: SparkSession, frame: DataFrame, wanted: Wanted) -> Wanted:
    """What is wanted of a table of ORC files: its points in time are those of Java's zone."""
    has_times = any("timestamp" in f.dataType.simpleString() for f in frame.schema.fields)
    if not has_times or not wanted.is_in_utc:
        return wanted
    return replace(wanted, zone=_zone_of_java(spark), zone_of="Java's zone (-Duser.timezone)")


def _zone_of_java(spark: SparkSession) -> str:
    """The zone of the Java that reads files; nothing if the server does not let it be asked."""
    try:
        said = str(spark.sql("SELECT reflect('java.util.TimeZone', 'getDefault')").collect()[0][0])
    except Exception:  # servers refuse calls of Java with errors of their own
        return ""
    found = re.search(r'id="([^"]*)"', said)
    return found[1] if found else ""


def computed(sql: str, type: Any) -> str:
    """The SQL of the same value, computed where conditions on it may lose rows, or in a struct that has such a field.

    Conditions on elements of lists and maps are never handed down.

    >>> from pyspark.sql.types import DoubleType, LongType, StructType
    >>> computed("x", DoubleType()), computed("x", LongType())
    ('greatest(x, x)', 'x')
    >>> computed("x", StructType().add("a", DoubleType()))
    'IF(x IS NULL, NULL, struct(greatest(x.a, x.a) AS a))'
    """
    if type.typeName() != "struct":
        return f"greatest({sql}, {sql})" if type.simpleString().startswith(_MISLEADING) else sql
    paths = [(f"{sql}.{quote(f.name)}", f) for f in type.fields]
    made = [(computed(path, f.dataType), f) for path, f in paths]
    if made == paths:
        return sql
    fields = ", ".join(f"{value} AS {quote(f.name)}" for value, f in made)
    return f"IF({sql} IS NULL, NULL, struct({fields}))"
