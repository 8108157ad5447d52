"""ORC files, read so that conditions find all their rows.

Spark hands a comparison with a constant down to the reader, which passes over groups of rows by the smallest and
largest value that a file notes of them. -0.0 and 0.0 are two values there, and texts are ordered by their units of
UTF-16, where Spark and the writers of the notes go by UTF-8. No option of the reader says otherwise. What Spark cannot
hand down is a condition on the value of a function, so that is what floats and texts become.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from substrait_sql.run.quoting import quote

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, DataFrameReader

_MISLEADING = ("float", "double", "string", "varchar", "char")
"""The beginnings of the names of types whose order is another one in a file's notes."""


def load(reader: DataFrameReader, where: str | list[str]) -> DataFrame:
    """The files as a table, of which the columns that may lose rows are no longer the files' own to Spark."""
    frame = reader.format("orc").load(where)
    columns = [(quote(f.name), computed(quote(f.name), f.dataType)) for f in frame.schema.fields]
    if all(made == name for name, made in columns):
        return frame
    return frame.selectExpr(*(f"{made} AS {name}" for name, made in columns))


def computed(sql: str, type: Any) -> str:
    """The SQL of the same value, computed where it is a float or a text, or a struct that has one.

    Conditions on elements of lists and maps are never handed down.

    >>> from pyspark.sql.types import DateType, DoubleType, StructType
    >>> computed("x", DoubleType()), computed("x", DateType())
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
