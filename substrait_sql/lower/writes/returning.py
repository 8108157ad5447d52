"""Writes that hand back their records, as several roots: Spark's statements return no rows.

The rows go into a table of their own first. The write and the result read them there, so that both have the same rows
and each is computed once; then that table goes. Deletions and updates are refused (`lower.writes.statements`): what
they find a statement later may be other records.
"""

from __future__ import annotations

from typing import Any, Final

from substrait_sql.plan import build

RECORDS: Final = 2
"""The output of a write that is the records it has written."""

_SUFFIX: Final = "__written"
_INSERT, _CTAS = 1, 4
_REPLACE, _IGNORE = 2, 3
_TABLE, _DROP = 1, 4
_NONE = 1


def _returns_records(node: Any) -> bool:
    """Whether this is a write whose records can be had: of all its rows, into a table that keeps what it has."""
    return (
        node.output == RECORDS
        and node.op in (_INSERT, _CTAS)
        and node.create_mode not in (_REPLACE, _IGNORE)
        and bool(node.named_table.names)
    )


def parts_of(entry: Any) -> list[Any]:
    """The roots that a root is lowered as, one after the other: itself, if it is no such write."""
    own_tables = tables_of(entry)
    if not own_tables:
        return [entry]
    node, (names,) = _relation(entry).write, own_tables
    filled, written, returned, dropped = (build.copied(entry) for _ in range(4))
    own = _emptied(filled).write
    own.named_table.names.extend(names)
    own.table_schema.CopyFrom(node.table_schema)
    own.op = _CTAS
    own.input.CopyFrom(node.input)
    _relation(written).write.output = _NONE
    _relation(written).write.common.ClearField("emit")
    _read(_relation(written).write.input, names, node.table_schema)
    _read(_relation(returned), names, node.table_schema)
    _relation(returned).read.common.CopyFrom(node.common)
    gone = _emptied(dropped).ddl
    gone.named_object.names.extend(names)
    gone.object, gone.op = _TABLE, _DROP
    return [filled, written, returned, dropped]


def tables_of(entry: Any) -> list[tuple[str, ...]]:
    """The tables that are there while a root is run, and not before."""
    rel = _relation(entry)
    if rel.WhichOneof("rel_type") == "write" and _returns_records(rel.write):
        return [staging_of(rel.write.named_table.names)]
    return []


def staging_of(target: Any) -> tuple[str, ...]:
    """The name of the table that has the rows.

    >>> staging_of(["db", "t"])
    ('db', 't__written')
    """
    return *target[:-1], target[-1] + _SUFFIX


def _relation(entry: Any) -> Any:
    return entry.root.input if entry.WhichOneof("rel_type") == "root" else entry.rel


def _emptied(entry: Any) -> Any:
    rel = _relation(entry)
    rel.Clear()
    return rel


def _read(rel: Any, names: tuple[str, ...], schema: Any) -> None:
    rel.Clear()
    rel.read.named_table.names.extend(names)
    rel.read.base_schema.CopyFrom(schema)
