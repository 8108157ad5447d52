"""What the session says of tables that are rewritten, and of the second tables that runs have left beside them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from substrait_sql.run.settings import unlogged
from substrait_sql.text import rewrite

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pyspark.sql import SparkSession

    from substrait_sql.dialect.dialect import Dialect

OWN_CATALOG: Final = "spark_catalog"
"""That of Spark's own tables."""


@dataclass(frozen=True, slots=True)
class Left:
    """A second table that is there. cut: the time of the target's newest file before it was overwritten, if known."""

    name: str
    run: str
    state: str
    digest: str
    cut: int | None


@dataclass(frozen=True, slots=True)
class Files:
    """The files of a table. newest: when the last one was written, in microseconds."""

    newest: int
    count: int


def left(spark: SparkSession, target: Sequence[str], dialect: Dialect) -> list[Left]:
    """The second tables of a target. One by such a name without our mark is somebody's, and none of these."""
    place = f" IN {text(target[:-1], dialect)}" if target[:-1] else ""
    found = []
    for row in spark.sql(f"SHOW TABLES{place} LIKE '*__staging*'").collect():
        run = rewrite.run_of(row["tableName"], target[-1])
        if run is None or row["isTemporary"]:
            continue
        name = text(rewrite.staging_of(target, run), dialect)
        said = properties(spark, name).get(rewrite.PROPERTY, "")
        state, _, rest = said.partition(":")
        digest, _, cut = rest.partition(":")
        if state in rewrite.STATES:
            found.append(Left(name, run, state, digest, int(cut) if cut else None))
    return found


def properties(spark: SparkSession, name: str) -> dict[str, str]:
    """Those of a table."""
    return {row[0]: row[1] for row in spark.sql(f"SHOW TBLPROPERTIES {name}").collect()}


def files(spark: SparkSession, name: str) -> Files | None:
    """The files of a table as they are now, None where Spark does not say: tables of Hive."""
    refresh(spark, name)
    try:
        with unlogged():
            row = spark.sql(
                "SELECT max(unix_micros(_metadata.file_modification_time)), "
                f"count(DISTINCT _metadata.file_path) FROM {name}"
            ).collect()[0]
    except Exception:  # tables without files have no such column, and each source its error
        return None
    return Files(row[0] or 0, row[1])


def refresh(spark: SparkSession, name: str) -> None:
    """A session remembers the files of a table: those that others have added since would be lost."""
    spark.sql(f"REFRESH TABLE {name}")


def foreign_rows(spark: SparkSession, target: str, staging: Left) -> bool:
    """Whether the target has rows of others in files that are newer than those that were read."""
    if staging.cut is None:
        return False
    refresh(spark, target)
    newer = f"SELECT * FROM {target} WHERE unix_micros(_metadata.file_modification_time) > {staging.cut}"
    try:
        with unlogged():
            found = spark.sql(f"{newer} EXCEPT ALL SELECT * FROM {staging.name} LIMIT 1").collect()
            return bool(found)
    except Exception:
        # Maps and their like cannot be compared.
        return count(spark, f"({newer})") > count(spark, staging.name)


def count(spark: SparkSession, name: str) -> int:
    """How many rows a table has."""
    return int(spark.sql(f"SELECT count(*) FROM {name}").collect()[0][0])


def columns(spark: SparkSession, name: str) -> list[tuple[str, str]]:
    """The names and types of a table's columns, none of a table that is not there."""
    if not spark.catalog.tableExists(name):
        return []
    return [(f.name, f.dataType.simpleString()) for f in spark.table(name).schema.fields]


def has_text_partitions(spark: SparkSession, name: str) -> bool:
    """Whether a table is partitioned by texts: an empty one becomes NULL in the name of a folder."""
    found: list[Any] = spark.catalog.listColumns(name)
    return any(
        c.isPartition and c.dataType.startswith(("string", "char", "varchar")) for c in found
    )


def details(spark: SparkSession, name: str) -> dict[str, str]:
    """What Spark says of a table, nothing of one that it does not find."""
    try:
        with unlogged():
            found = spark.sql(f"DESCRIBE TABLE EXTENDED {name}").collect()
    except Exception:
        # The statement itself will say so.
        return {}
    rows = [(str(row[0]), str(row[1])) for row in found]
    names = [row[0] for row in rows]
    head = "# Detailed Table Information"
    return dict(rows[names.index(head) :]) if head in names else {}


def catalog(spark: SparkSession, details: Mapping[str, str], names: Sequence[str]) -> str:
    """The catalog of a table with these details, or where one of that name would be made."""
    if "Catalog" in details:
        return details["Catalog"]
    return names[0].lower() if len(names) > 2 else str(spark.catalog.currentCatalog())


def text(parts: Sequence[str], dialect: Dialect) -> str:
    """A name in quotes."""
    return ".".join(map(dialect.names.in_quotes, parts))
