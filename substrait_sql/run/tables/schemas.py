"""The types of tables as Substrait has them, for plans that name columns and leave their types to the catalog."""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any

from substrait_sql.rendered import Source
from substrait_sql.run.settings import turn
from substrait_sql.run.tables.sources import find_table, open_table
from substrait_sql.schema import naming, types

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pyspark.sql import DataFrame, SparkSession

    from substrait_sql.run.tables.sources import Table

_PLAIN = {
    "boolean": types.boolean, "byte": types.i8, "short": types.i16, "integer": types.i32, "long": types.i64,
    "float": types.fp32, "double": types.fp64, "string": types.string, "binary": types.binary, "date": types.date,
    "timestamp": types.precision_timestamp_tz, "timestamp_ntz": types.precision_timestamp,
}  # fmt: skip


def schema_finder(
    spark: SparkSession, tables: Mapping[str, Table]
) -> Callable[[tuple[str, ...]], dict[str, Any]]:
    """A function from a table's name to the types of its columns, by name in lower case; empty if it is not there.

    It looks at each table once: a plan without types asks at each read, and again at each rendering, and Spark lists
    the files of a path and reads the footer of one each time.
    """

    @cache
    def find(names: tuple[str, ...]) -> dict[str, Any]:
        with turn(spark):
            frame = _frame(spark, names, tables)
            fields = frame.schema.fields if frame is not None else ()
        found = {f.name.lower(): substrait_type(f.dataType, f.nullable) for f in fields}
        return {name: type for name, type in found.items() if type is not None}

    return find


def _frame(
    spark: SparkSession, names: tuple[str, ...], tables: Mapping[str, Table]
) -> DataFrame | None:
    source = Source(names, (), "")
    table = find_table(source, tables)
    if table is not None:
        return open_table(spark, source, table)
    with suppress(Exception):  # what is missing is said when the SQL is run
        return spark.table(".".join("`" + n.replace("`", "``") + "`" for n in names))
    return None


def substrait_type(spark_type: Any, nullable: bool) -> Any:
    """The Substrait type of a Spark type, structs with the names of their fields; None where there is none."""
    name = spark_type.typeName()
    if name in _PLAIN:
        return _PLAIN[name](nullable=nullable)
    if name == "decimal":
        return types.decimal(spark_type.precision, spark_type.scale, nullable=nullable)
    if name == "array":
        element = substrait_type(spark_type.elementType, spark_type.containsNull)
        return element and types.list_(element, nullable=nullable)
    if name == "map":
        key = substrait_type(spark_type.keyType, False)
        value = substrait_type(spark_type.valueType, spark_type.valueContainsNull)
        return key and value and types.map_(key, value, nullable=nullable)
    if name == "struct":
        inner = [substrait_type(f.dataType, f.nullable) for f in spark_type.fields]
        if None in inner:
            return None
        return naming.with_names(
            types.struct(inner, nullable=nullable), [f.name for f in spark_type.fields]
        )
    return None
