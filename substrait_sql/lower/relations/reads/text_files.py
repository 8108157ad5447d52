r"""https://substrait.io/relations/logical_relations/#file-formats: text files with a separator between the columns.

Their columns have no names, so that they are bound by position::

    FROM csv.`/data/people.csv` WITH (sep = '|', quote = '', header = 'true', mode = 'FAILFAST',
      columnPruning = 'false') AS people(id, name)

FAILFAST, without the pruning of columns, makes a line with more or fewer columns an error rather than NULLs. Spark
returns NULL for an empty field; the SELECT makes of it what the plan means. What its reader for CSV cannot do is
done line by line: several lines to skip, and a single column, where an empty line is a value.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.dialect.identifiers import identifier
from substrait_sql.dialect.operators import call
from substrait_sql.dialect.strings import in_quotes, string_literal
from substrait_sql.errors import invalid, refuse
from substrait_sql.lower.declared_types import exact
from substrait_sql.lower.relations.reads.tables import METADATA, TableColumn, direct, unique_names
from substrait_sql.schema import types
from substrait_sql.select.block import Block
from substrait_sql.select.field import Field, Parts
from substrait_sql.select.item import Item

if TYPE_CHECKING:
    from substrait_sql.dialect.identifiers import Names
    from substrait_sql.lower.context import Context
    from substrait_sql.wire.path import Path

_TEXTS = ("string", "varchar", "fixed_char")
_NESTED = ("struct", "list", "map", "user_defined", "func")


def text_files(
    options: Any, where: str, word: str, columns: list[TableColumn], cx: Context, path: Path
) -> Block:
    """All lines of the files. where: the path as Spark wants it; word: what to call them."""
    if not columns:
        raise refuse("SS2247", "a text file without columns has no SQL", path)
    _check(options, len(columns), path)
    for column in columns:
        if types.kind(column.type) in _NESTED:
            raise refuse(
                "SS2247", f"a text file holds no {types.text(column.type)} ({column.name})", path
            )
    names = unique_names(columns)
    has_nulls = True
    if len(columns) > 1 and options.header_lines_to_skip < 2:
        item = _csv(options, where, word, names)
    elif len(columns) == 1 and not options.quote and not options.header_lines_to_skip:
        item = _aliased("text", where, "", word, names)
        has_nulls = False
    else:
        item = _by_line(options, where, word, names, cx.dialect.names, path)
    given = options.HasField("value_treated_as_null")
    null = options.value_treated_as_null if given else None
    fields = [_field(c, _said(item, i, has_nulls, null), cx, path) for i, c in enumerate(columns)]
    return Block(item, fields, base=word)


def _check(options: Any, columns: int, path: Path) -> None:
    separator, quote, escape = options.field_delimiter, options.quote, options.escape
    if not separator and columns > 1:
        raise invalid("SS2247", "the plan does not say what separates the columns", path)
    if len(quote) > 1 or len(escape) > 1:
        raise refuse("SS2247", "Spark quotes and escapes with one character each", path)
    if escape and not quote:
        raise refuse("SS2247", "Spark reads an escape character inside quotes only", path)
    if any(end in text for text in (separator, quote, escape) for end in "\r\n"):
        raise refuse("SS2247", "Spark ends the line at what is to separate or quote", path)
    if separator and separator in (quote, escape):
        raise invalid("SS2247", "one character is to separate and to quote", path)


def _options(options: Any) -> list[tuple[str, str]]:
    """What to tell Spark's reader where its defaults are others."""
    found = []
    if options.field_delimiter not in ("", ","):
        # It reads the escapes of Java in the option once more.
        found.append(("sep", options.field_delimiter.replace("\\", "\\\\")))
    if options.quote != '"':
        found.append(("quote", options.quote))
    # Spark's own is a backslash. Without one no quote stands inside quotes, but Spark wants to be told of one.
    escape = options.escape or options.quote
    if escape not in ("", "\\"):
        found.append(("escape", escape))
    if options.header_lines_to_skip:
        found.append(("header", "true"))
    return [*found, ("mode", "FAILFAST")]


def _csv(options: Any, where: str, word: str, names: list[str]) -> Item:
    given = [*_options(options), ("columnPruning", "false")]
    listed = ", ".join(f"{name} = {in_quotes(value)}" for name, value in given)
    return _aliased("csv", where, f"WITH ({listed})", word, names)


def _aliased(form: str, where: str, settings: str, word: str, names: list[str]) -> Item:
    """``csv.`where` WITH (…) AS word(names)``."""
    node = direct(form, where)
    if settings:
        node.set("this", exp.Introducer(this=node.this, expression=exp.Var(this=settings)))
    node.set("alias", exp.TableAlias(columns=[identifier(n) for n in names]))
    return Item(word, [*names, METADATA], node=node)


_LINES = r"""
FROM text.{where} WITH (wholetext = 'true') AS texts
LATERAL VIEW posexplode(split(regexp_replace(value, '(\\r?\\n|\\r)\\z', ''), '\\r?\\n|\\r')) lines AS number, line
WHERE
  {condition}"""


def _by_line(
    options: Any, where: str, word: str, names: list[str], written: Names, path: Path
) -> Item:
    """Each file as one text, cut into its lines; a line is read as CSV. written: how the dialect writes names.

    An empty file has no line, and behind the end of the last line there is none.
    """
    if "\n" in where or "\r" in where:
        raise refuse("SS2243", "the name of a text file to be read by lines has one itself", path)
    schema = in_quotes(", ".join(f"c{i} STRING" for i in range(len(names))))
    given = ", ".join(in_quotes(t) for o in _options(options) if o[0] != "header" for t in o)
    record = f"from_csv(line, {schema}, map({given}))"
    # A line without anything is a value where there is one column, and nothing where there are several.
    kept = "value <> ''" if len(names) == 1 else "line <> ''"
    if options.header_lines_to_skip:
        kept += f" AND number >= {options.header_lines_to_skip}"
    lines = _LINES.format(where=written.in_quotes(where), condition=kept)
    if len(names) == 1:
        query = f"SELECT\n  IF(line = '', '', {record}.c0) AS {written.quote(names[0])}{lines}"
    else:
        inner = f"SELECT\n  {record} AS record{lines}".replace("\n", "\n  ")
        columns = ",\n  ".join(f"record.c{i} AS {written.quote(n)}" for i, n in enumerate(names))
        query = f"SELECT\n  {columns}\nFROM (\n  {inner}\n) AS records"
    return Item(word, list(names), node=exp.Subquery(this=exp.Var(this=query)))


def _said(item: Item, ordinal: int, has_nulls: bool, null: str | None) -> Field:
    """The column as a text, NULL where the plan has one.

    has_nulls: whether Spark returns NULL for an empty field. null: the text that stands for NULL, None if none does.
    """
    plain = Field(types.string(), item=item, ordinal=ordinal)
    if null == "" if has_nulls else null is None:
        return plain
    parts = Parts()
    sql: exp.Expression = plain.emit(parts)
    if has_nulls:
        sql = call("coalesce", sql, string_literal(""))
    if null is not None:
        sql = call("nullif", sql, string_literal(null))
    return Field(types.string(), sql=sql, parts=parts)


def _field(column: TableColumn, said: Field, cx: Context, path: Path) -> Field:
    """The column under its declared type."""
    if said.plain and (column.type is None or types.kind(column.type) in _TEXTS):
        return Field(column.type, column.name, item=said.item, ordinal=said.ordinal)
    parts = Parts()
    sql = exact(said.emit(parts), said.type, column.type, cx, path)
    return Field(column.type, column.name, sql=sql, parts=parts)
