"""https://substrait.io/relations/logical_relations/#iceberg-table-type: a table by its metadata file.

Spark has no reader for that in SQL without a library, so that a temporary view comes first; `run.files.iceberg` is its
data source::

    CREATE TEMPORARY VIEW people_iceberg
    USING substrait_sql_iceberg
    OPTIONS (
      path = '/lake/people/metadata/v3.metadata.json'
    )
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from substrait_sql.errors import invalid
from substrait_sql.lower.relations.reads.paths import location, table_word
from substrait_sql.lower.relations.reads.tables import TableColumn, block_over_view
from substrait_sql.rendered import View

if TYPE_CHECKING:
    from substrait_sql.lower.context import Context
    from substrait_sql.select.block import Block
    from substrait_sql.wire.path import Path

DATA_SOURCE = "substrait_sql_iceberg"


def iceberg_table(message: Any, columns: list[TableColumn], cx: Context, path: Path) -> Block:
    """The rows of one snapshot, the current one if the plan names none."""
    read = message.direct
    if not read.metadata_uri:
        raise invalid("SS2251", "the read does not say where the table's metadata file is", path)
    where = location(read.metadata_uri, path / "direct")
    word = table_word(where.partition("/metadata/")[0])
    options = (("path", where), *_snapshot(read, path / "direct"))
    view = View(f"{word}_iceberg", DATA_SOURCE, options)
    return block_over_view(view, read.metadata_uri, columns, cx, path)


def _snapshot(read: Any, path: Path) -> list[tuple[str, str]]:
    match read.WhichOneof("snapshot"):
        case "snapshot_id":
            text = read.snapshot_id
            if not (text.isascii() and text.removeprefix("-").isdigit()):
                raise invalid("SS2252", f"{text!r} is no id of a snapshot", path / "snapshot_id")
            return [("snapshot_id", str(int(text)))]
        case "snapshot_timestamp":
            return [("as_of_microseconds", str(read.snapshot_timestamp))]
    return []
