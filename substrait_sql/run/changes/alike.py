"""Whether the table that an update rewrites holds the values of the plan's columns as they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyspark.sql import SparkSession

    from substrait_sql.rendered import Column

_FLOATS = ("float", "double")
_INTEGERS = ("byte", "short", "integer", "long")
_TEXTS = ("string", "char", "varchar", "binary", "boolean")
_NESTED = ("STRUCT", "ARRAY", "MAP")
_MOMENTS = ("timestamp", "timestamp_ntz")


def what_differs(spark: SparkSession, name: str, planned: Sequence[Column]) -> str | None:
    """What is said of the first column whose values would be written as others; None where there is none.

    Spark writes structs by the places of their fields, and rounds or cuts numbers and moments to the table's types.
    """
    there = {f.name.casefold(): f.dataType for f in spark.table(name).schema.fields}
    for column in planned:
        actual = there[column.name.casefold()]
        plain = not column.spark_type.startswith(_NESTED)
        if not column.spark_type or (plain and actual.typeName() in _TEXTS):
            continue
        declared = spark.sql(f"SELECT CAST(NULL AS {column.spark_type}) AS x").schema[0].dataType
        if not _keeps(actual, declared):
            return f"{column.name} is {actual.simpleString()} in {name}, and {declared.simpleString()} in the plan"
    return None


def _keeps(actual: Any, declared: Any) -> bool:
    """Whether a column of one type holds each value of another as it is, or Spark fails over it."""
    kinds = actual.typeName(), declared.typeName()
    if kinds == ("struct", "struct"):
        return _keeps_fields(actual, declared)
    if kinds == ("array", "array"):
        return _keeps(actual.elementType, declared.elementType)
    if kinds == ("map", "map"):
        return _keeps(actual.keyType, declared.keyType) and _keeps(
            actual.valueType, declared.valueType
        )
    return not _cuts(actual, declared)


def _keeps_fields(actual: Any, declared: Any) -> bool:
    names = [[f.name.casefold() for f in each.fields] for each in (actual, declared)]
    if names[0] != names[1] and sorted(names[0]) == sorted(names[1]):
        return False
    return all(
        _keeps(a.dataType, b.dataType) for a, b in zip(actual.fields, declared.fields, strict=False)
    )


def _cuts(actual: Any, declared: Any) -> bool:
    """Whether Spark leaves something of a value out, without an error."""
    to, of = actual.typeName(), declared.typeName()
    if of == "decimal" or of in _FLOATS:
        places = declared.scale if of == "decimal" else None
        if to in _INTEGERS:
            return places != 0
        if to == "decimal":
            return places is None or places > actual.scale
    if to == "float":
        return of in ("integer", "long", "double", "decimal")
    return bool(to == "date" and of in _MOMENTS)
