"""https://substrait.io/relations/logical_relations/#local-files: files of Arrow's IPC format.

Spark has no reader for them, so that a temporary view comes first; `run.files.arrow` is its data source::

    CREATE TEMPORARY VIEW people_arrow
    USING substrait_sql_arrow
    OPTIONS (
      path = '/data/people.arrow'
    )
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from substrait_sql.errors import refuse
from substrait_sql.lower.relations.reads.paths import location, table_word
from substrait_sql.lower.relations.reads.tables import TableColumn, block_over_view
from substrait_sql.rendered import View

if TYPE_CHECKING:
    from substrait_sql.lower.context import Context
    from substrait_sql.select.block import Block
    from substrait_sql.wire.path import Path

DATA_SOURCE = "substrait_sql_arrow"


def arrow_files(item: Any, uri: str, columns: list[TableColumn], cx: Context, path: Path) -> Block:
    """The rows of a file, or of the files in a folder."""
    if item.WhichOneof("path_type") == "uri_path_glob":
        raise refuse(
            "SS2244", "Arrow files are read by name, not by pattern", path, "name the files"
        )
    if item.start or item.length:
        raise refuse("SS2246", "a part of an Arrow file cannot be read by its bytes", path)
    where = location(uri, path)
    view = View(f"{table_word(where)}_arrow", DATA_SOURCE, (("path", where),))
    return block_over_view(view, uri, columns, cx, path)
