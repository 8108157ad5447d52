"""https://substrait.io/relations/logical_relations/#local-files: files that are read where they lie.

Spark reads a file in FROM, so that no statement has to come first::

    SELECT id, name FROM parquet.`/data/people.parquet` AS people

The items of a read are the branches of a UNION ALL. Columns are found by the names of the base schema. The text
trusts the plan about their types; `execute` looks at the files and casts where they have others. Where it has one view
over several items, that is one branch.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from sqlglot import exp

from substrait_sql import extensions
from substrait_sql.dialect.operators import call
from substrait_sql.dialect.strings import string_literal
from substrait_sql.errors import invalid, refuse
from substrait_sql.lower.relations.reads.arrow_files import arrow_files
from substrait_sql.lower.relations.reads.paths import spark_path, table_word
from substrait_sql.lower.relations.reads.tables import (
    METADATA,
    TableColumn,
    block_over,
    direct,
    note_source,
    table_node,
    unique_names,
)
from substrait_sql.lower.relations.reads.text_files import text_files
from substrait_sql.schema import types
from substrait_sql.select.block import Block, SetBody
from substrait_sql.select.field import Field, Parts
from substrait_sql.select.item import Item

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.lower.context import Context
    from substrait_sql.wire.path import Path

_BY_ENDING = {".parquet": "parquet", ".pq": "parquet", ".orc": "orc", ".arrow": "arrow"}
_TOGETHER = ("parquet", "orc")
"""The formats of which Spark may read several items as one table."""


class FileRead(NamedTuple):
    """One item. uri: where it is, as the plan has it. size: how many bytes it may have at most, None for any number.

    whole: the read that it is an item of.
    """

    item: Any
    uri: str
    path: Path
    size: int | None = None
    whole: Path | str = ""


def local_files(message: Any, columns: list[TableColumn], cx: Context, path: Path) -> Block:
    """All rows of all items, as a block over the columns of the base schema."""
    items = (file_read(item, (path / "items")[i]) for i, item in enumerate(message.items))
    reads = [read._replace(whole=path) for read in items]
    if not reads:
        raise invalid("SS2241", "the read names no files", path)
    known: set[tuple[str, ...]] = set()
    found = (_branch(read, columns, cx, known) for read in _whole_files(reads))
    branches = [branch for branch in found if branch is not None]
    if len(branches) == 1:
        return branches[0]
    named = [c._replace(name=n) for n, c in zip(unique_names(columns), columns, strict=True)]
    base = branches[0].base
    union = block_over(Item(base, [c.name for c in named]), named)
    return Block(None, union.fields, base=base, body=SetBody("UNION", False, branches))


def file_read(item: Any, path: Path) -> FileRead:
    """The item at a node of the plan. Raises SS2241 for one without a place."""
    kind = item.WhichOneof("path_type")
    uri = getattr(item, kind) if kind is not None else ""
    if not uri:
        raise invalid("SS2241", "the item does not say where its file is", path)
    return FileRead(item, uri, path)


def _whole_files(reads: Sequence[FileRead]) -> list[FileRead]:
    """The reads with the slices of a file put together: Spark's SQL reads whole files only.

    Slices that follow each other from the first byte on are all of a file that is no longer than they are. How long
    it is shows when it is read; so they are taken, under that condition.
    """
    groups: dict[object, list[FileRead]] = {}
    for i, read in enumerate(reads):
        sliced = read.item.start or read.item.length
        groups.setdefault((read.uri, _form(read.item)) if sliced else i, []).append(read)
    return [group[0] if isinstance(key, int) else _joined(group) for key, group in groups.items()]


def _form(item: Any) -> bytes:
    """How the item is to be read, apart from where."""
    form = type(item)()
    form.CopyFrom(item)
    for name in ("start", "length", "partition_index"):
        form.ClearField(name)
    return bytes(form.SerializeToString(deterministic=True))


def _joined(slices: Sequence[FileRead]) -> FileRead:
    end = 0
    first = slices[0]
    if first.item.WhichOneof("path_type") in ("uri_folder", "uri_path_glob"):
        raise refuse("SS2246", "a slice of several files has no meaning", first.path)
    for read in sorted(slices, key=lambda r: (r.item.start, r.item.length)):
        if read.item.start != end or not read.item.length:
            raise refuse(
                "SS2246",
                f"the read takes a part of the file {read.uri!r} only, and Spark's SQL has no byte ranges",
                read.path,
                "make the plan over whole files",
            )
        end += read.item.length
    return first._replace(size=end)


def _branch(
    read: FileRead, columns: list[TableColumn], cx: Context, known: set[tuple[str, ...]]
) -> Block | None:
    """The rows of an item; None if a view that is read before has them. known: these views."""
    where = spark_path(read.uri, read.item.WhichOneof("path_type"), read.path)
    form = format_of(read)
    if form == "arrow":
        return arrow_files(read.item, read.uri, columns, cx, read.path)
    if form == "text":
        word = table_word(where)
        block = text_files(read.item.text, where, word, columns, cx, read.path / "text")
    else:
        made = _table_read(read, form, where, columns, cx, known)
        if made is None:
            return None
        block = made
    if read.size is not None:
        block.where = [_at_most(block.items[0], read)]
    return block


def format_of(read: FileRead) -> str:
    """``parquet``, ``orc``, ``text``, ``arrow``, or what is registered. Raises SS2245 where Spark has no reader."""
    form = read.item.WhichOneof("file_format")
    if form in ("parquet", "orc", "text", "arrow"):
        return str(form)
    if form is None:
        for ending, known in _BY_ENDING.items():
            if read.uri.lower().endswith(ending):
                return known
        raise refuse("SS2245", f"the plan does not say what format {read.uri!r} has", read.path)
    if form == "extension":
        url = read.item.extension.type_url
        registered = extensions.find_format(url)
        if registered is not None:
            return registered
        raise refuse(
            "SS2245",
            f"nobody has registered what files of the format {url} are",
            read.path,
            "substrait_sql.extensions.register_format says which format of Spark they have",
        )
    raise refuse("SS2245", f"Spark has no reader for files of the format {form}", read.path)


def _table_read(
    read: FileRead,
    form: str,
    where: str,
    columns: list[TableColumn],
    cx: Context,
    known: set[tuple[str, ...]],
) -> Block | None:
    """A file that knows its columns: ``FROM parquet.`…` ``."""
    node: exp.Expression = direct(form, where)
    reader = f"{form}.{cx.dialect.names.in_quotes(where)}"
    whole = read.whole if form in _TOGETHER and _is_plain(read) else ""
    checked = note_source((read.uri,), lambda: columns, cx, read.path, reader=reader, whole=whole)
    if checked is not None:
        if checked in known:
            return None
        known.add(checked)
        node = table_node(checked)
    names = [c.name for c in columns]
    item = Item(table_word(where), [*names, METADATA], node=node, columns_are_exact=False)
    return block_over(item, columns)


def _is_plain(read: FileRead) -> bool:
    """Whether an item is a file or a folder, without anything more to hold."""
    return read.size is None and read.item.WhichOneof("path_type") in ("uri_file", "uri_folder")


def _at_most(item: Item, read: FileRead) -> Field:
    """``assert_true(_metadata.file_size <= 668, '…') IS NULL``: true, or an error."""
    if METADATA not in item.names:
        raise refuse("SS2246", "a text file that is read by lines has no slices", read.path)
    parts = Parts()
    column = parts.column(item, item.names.index(METADATA))
    length = exp.Dot(this=column, expression=exp.to_identifier("file_size"))
    fits = exp.LTE(this=length, expression=exp.Literal.number(read.size))
    check = call("assert_true", fits, string_literal("the plan reads only a part of this file"))
    return Field(types.boolean(), "", sql=exp.Is(this=check, expression=exp.Null()), parts=parts)
