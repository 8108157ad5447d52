"""https://substrait.io/relations/logical_relations/#iceberg-table-type: a table by its metadata file.

Spark has no reader for that in SQL without a library, so that a temporary view comes first; `run.iceberg` is its
data source::

    CREATE TEMPORARY VIEW people_iceberg
    USING substrait_sql_iceberg
    OPTIONS (
      path = '/lake/people/metadata/v3.metadata.json'
    )
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from substrait_sql.lower.assemble import unique
from substrait_sql.lower.context import Context, invalid
from substrait_sql.lower.field import Item
from substrait_sql.lower.file_paths import location, table_word
from substrait_sql.lower.tables import TableColumn, block_over, note_source, table_node
from substrait_sql.rendered import View

if TYPE_CHECKING:
    from substrait_sql.lower.block import Block
    from substrait_sql.wire.path import Path

DATA_SOURCE = "substrait_sql_iceberg"


def iceberg_table(message: Any, columns: list[TableColumn], cx: Context, path: Path) -> Block:
    """The rows of one snapshot, the current one if the plan names none."""
    read = message.direct
    if not read.metadata_uri:
        raise invalid("SS2251", "the read does not say where the table's metadata file is", path)
    where = location(read.metadata_uri, path / "direct")
    word = table_word(where.partition("/metadata/")[0])
    view = _view(word, [("path", where), *_snapshot(read, path / "direct")], cx)
    node = table_node(
        note_source((read.metadata_uri,), columns, cx, path, view=view) or (view.name,)
    )
    item = Item(word, [c.name for c in columns], node=node, columns_are_exact=False)
    return block_over(item, columns)


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


def _view(word: str, options: list[tuple[str, str]], cx: Context) -> View:
    """The view with these options, made once for all reads of it."""
    key = tuple(options)
    for view in cx.views:
        if view.options == key:
            return view
    taken = {view.name.casefold() for view in cx.views}
    made = View(unique(f"{word}_iceberg", taken), DATA_SOURCE, key)
    cx.views.append(made)
    return made
