"""What a table of the session is, for plans that alter it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from substrait_sql.lower.writes.alterations import PresentTable, TableColumn
from substrait_sql.lower.writes.rewrites import FORMATS
from substrait_sql.run.changes import staging
from substrait_sql.run.tables.schemas import substrait_type

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from substrait_sql.dialect.dialect import Dialect
    from substrait_sql.lower.writes.alterations import TableFinder

_DEFAULT = "CURRENT_DEFAULT"


def table_finder(spark: SparkSession, dialect: Dialect) -> TableFinder:
    """A function from a table's name to what it is, None if it is not there."""

    def find(names: tuple[str, ...]) -> PresentTable | None:
        name = staging.text(names, dialect)
        if not spark.catalog.tableExists(name):
            return None
        listed = {c.name: c for c in spark.catalog.listColumns(name)}
        columns = []
        for field in spark.table(name).schema.fields:
            known = listed.get(field.name)
            type = substrait_type(field.dataType, True)
            text = dialect.sql_type(type) if type is not None else field.dataType.simpleString()
            columns.append(
                TableColumn(
                    field.name,
                    text,
                    known is not None and not known.nullable,
                    str((field.metadata or {}).get(_DEFAULT, "")),
                    known is not None and known.isPartition,
                )
            )
        details = staging.details(spark, name)
        own = staging.catalog(spark, details, names) == staging.OWN_CATALOG
        plain = own and details.get("Provider", "").lower() in FORMATS
        return PresentTable(tuple(columns), plain)

    return find
