"""What is read: the columns that a plan declares for it, and a SELECT of them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlglot import exp

from substrait_sql.dialect.identifiers import identifier
from substrait_sql.errors import UnsupportedError, invalid
from substrait_sql.rendered import Column, Declared, Source, View
from substrait_sql.schema import naming, types
from substrait_sql.select.block import Block
from substrait_sql.select.field import Field
from substrait_sql.select.item import Item
from substrait_sql.select.output_names import unique

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from substrait_sql.dialect.dialect import Dialect
    from substrait_sql.lower.context import Context
    from substrait_sql.wire.path import Path


METADATA = "_metadata"
"""The column that Spark has for every row of a file; an item that offers it lists it behind its columns."""


class TableColumn(NamedTuple):
    """A column of the base schema. sql_type: its type with the names of the struct fields inside, else None."""

    name: str
    type: Any
    sql_type: Any = None


def schema_columns(schema: Any, path: Path) -> list[TableColumn]:
    """The top-level names and types of a schema, whose names list nested fields too, depth first.

    DataFusion up to 41 writes names without any type; those types stay unknown.
    """
    names, declared = list(schema.names), list(schema.struct.types)
    if not declared:
        return [TableColumn(name, None) for name in names]
    if len(names) == len(declared):
        # Every field takes one name at least, so none takes more.
        return [TableColumn(n, t) for n, t in zip(names, declared, strict=True)]
    found = []
    at = 0
    for type in declared:
        if at >= len(names):
            break
        after = at + types.field_count(type)
        inner = naming.named(type, names[at + 1 : after])
        found.append(TableColumn(names[at], type, None if inner is type else inner))
        at = after
    if at != len(names) or len(found) != len(declared):
        raise invalid(
            "SS2023",
            f"the schema has {len(names)} names for {sum(map(types.field_count, declared))} fields",
            path,
        )
    return found


def table_node(written: Sequence[str]) -> exp.Expression:
    """A table by its name in any number of parts."""
    parts = [identifier(n) for n in written]
    keys = ("this", "db", "catalog")
    if len(parts) <= len(keys):
        return exp.Table(**dict(zip(keys, reversed(parts), strict=False)))
    tail: exp.Expression = parts[2]
    for part in parts[3:]:
        tail = exp.Dot(this=tail, expression=part)
    return exp.Table(this=tail, db=parts[1], catalog=parts[0])


def direct(form: str, where: str) -> exp.Table:
    """Files as a table: ``parquet.`/data/people.parquet` ``. It has no name of its own, so that it needs an alias."""
    place = exp.Identifier(this=where, quoted=True)
    return exp.Table(this=exp.Dot(this=identifier(form), expression=place))


def note_source(
    names: tuple[str, ...],
    columns: Callable[[], list[TableColumn]],
    cx: Context,
    path: Path,
    *,
    reader: str = "",
    view: View | None = None,
    whole: Path | str = "",
) -> tuple[str, ...] | None:
    """Notes what is read: a source for a table, and for each read of files. Returns the table to read instead, if any.

    columns: lists them, once somebody asks. reader, view, whole: what stands in FROM where that is no table; see
    `Source`.
    """
    key = Source.key_of(names, path, view.name if view is not None else reader)
    source = cx.sources.get(key)
    if source is None:
        source = cx.sources[key] = Source(names, (), path, reader, view, whole=whole)

    # The source outlives the context, which holds the source.
    dialect = cx.dialect

    def describe() -> tuple[Declared, ...]:
        return tuple(_declared(c, dialect, path) for c in columns())

    source.note(path, describe)
    return cx.table_names.get(key)


def _declared(column: TableColumn, dialect: Dialect, path: Path) -> Declared:
    type = column.type if column.sql_type is None else column.sql_type
    text = _sql_type(type, dialect, path)
    return Declared(Column(column.name, types.text(column.type), text), type)


def _sql_type(type: Any, dialect: Dialect, path: Path) -> str:
    """The SQL type of a table's column, empty where there is none: that matters only if the column is used."""
    if types.kind(type) is None:
        return ""
    try:
        return dialect.sql_type(type, path)
    except UnsupportedError:
        return ""


def block_over(item: Item, columns: list[TableColumn]) -> Block:
    """A SELECT of all columns of an item of FROM."""
    fields = [
        Field(c.type, c.name, sql_type=c.sql_type, item=item, ordinal=i)
        for i, c in enumerate(columns)
    ]
    return Block(item, fields, base=item.base)


def block_over_view(
    view: View, uri: str, columns: list[TableColumn], cx: Context, path: Path
) -> Block:
    """A SELECT of the columns of a data source that a temporary view stands for, made once for all reads of it.

    view: its name may get a number; what stands before the last ``_`` becomes the alias. uri: as the plan has it.
    """
    for known in cx.views:
        if (known.using, known.options) == (view.using, view.options):
            made = known
            break
    else:
        taken = {known.name.casefold() for known in cx.views}
        made = replace(view, name=unique(view.name, taken))
        cx.views.append(made)
    node = table_node(note_source((uri,), lambda: columns, cx, path, view=made) or (made.name,))
    word = view.name.rpartition("_")[0]
    item = Item(word, [c.name for c in columns], node=node, columns_are_exact=False)
    return block_over(item, columns)


def unique_names(columns: list[TableColumn]) -> list[str]:
    """The columns' names, made different from each other where they are not."""
    taken: set[str] = set()
    return [unique(c.name or "value", taken) for c in columns]
