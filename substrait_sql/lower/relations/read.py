"""https://substrait.io/relations/logical_relations/#read-operation"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.dialect.identifiers import identifier
from substrait_sql.errors import Diagnostic, UnsupportedError
from substrait_sql.lower.block import Block
from substrait_sql.lower.context import Context, Env, invalid, refuse
from substrait_sql.lower.expressions import expression
from substrait_sql.lower.expressions.literal import exact_literal
from substrait_sql.lower.field import Field, Item, Parts
from substrait_sql.lower.relations import lowers
from substrait_sql.lower.relations.filter import keep
from substrait_sql.lower.values import exact
from substrait_sql.rendered import Column, Source
from substrait_sql.schema import types

if TYPE_CHECKING:
    from substrait_sql.wire.path import Path


@lowers("read")
def read_rel(message: Any, cx: Context, path: Path, outer: Env | None) -> Block:
    """FROM a table, by the names of the plan's own schema, never ``*``; then the filters; then the mask.

    Both filters see the whole base schema, also columns that the mask drops. The best-effort filter is applied too:
    the specification's own example counts on that.
    """
    kind = message.WhichOneof("read_type")
    if kind == "named_table":
        block = _named_table(message, cx, path)
    elif kind == "virtual_table":
        block = _virtual_table(message, cx, path / kind, outer)
    elif kind is None:
        raise invalid("SS2021", "the read names nothing to read", path)
    else:
        raise refuse("SS2022", f"reads of a {kind} have no SQL yet", path / kind)
    if kind == "named_table" and not message.HasField("projection"):
        _distrust(block, cx, path)
    for name in ("filter", "best_effort_filter"):
        if message.HasField(name):
            block = keep(block, message, getattr(message, name), cx, path / name, outer)
    if message.HasField("projection"):
        block.fields = _mask(message.projection, block.fields, path / "projection")
    return block


def _distrust(block: Block, cx: Context, path: Path) -> None:
    """Marks a read that `Habits.needs_mask` is about; it is refused once a column of it is used."""
    if cx.habits.needs_mask and block.item is not None:
        block.item.unknowable = Diagnostic(
            "SS2029",
            "the plan does not say which columns of this table it uses",
            str(path),
            "DuckDB leaves that out of plans made without its optimizer; make the plan with it",
        )


def _columns(message: Any, path: Path) -> list[tuple[str, Any]]:
    """The top-level names and types of the base schema, whose names list nested fields too, depth first.

    DataFusion up to 40 writes names without any type; those types stay unknown.
    """
    schema = message.base_schema
    names, declared = list(schema.names), list(schema.struct.types)
    if not declared:
        return [(name, None) for name in names]
    if len(names) == len(declared):
        # Every field takes one name at least, so none takes more.
        return list(zip(names, declared, strict=True))
    found = []
    at = 0
    for type in declared:
        if at >= len(names):
            break
        found.append((names[at], type))
        at += types.field_count(type)
    if at != len(names) or len(found) != len(declared):
        raise invalid(
            "SS2023",
            f"the schema has {len(names)} names for {sum(map(types.field_count, declared))} fields",
            path / "base_schema",
        )
    return found


def _named_table(message: Any, cx: Context, path: Path) -> Block:
    names = tuple(message.named_table.names)
    if not names:
        raise invalid("SS2024", "the table has no name", path / "named_table")
    columns = _columns(message, path)
    _note_source(names, columns, cx, path)
    written = cx.table_names.get(tuple(n.lower() for n in names), names)
    parts = [identifier(n) for n in written]
    keys = ("this", "db", "catalog")
    table: exp.Expression
    if len(parts) <= len(keys):
        table = exp.Table(**dict(zip(keys, reversed(parts), strict=False)))
    else:
        tail: exp.Expression = parts[2]
        for part in parts[3:]:
            tail = exp.Dot(this=tail, expression=part)
        table = exp.Table(this=tail, db=parts[1], catalog=parts[0])
    item = Item(names[-1], [n for n, _ in columns], node=table, columns_are_exact=False)
    return _over(item, columns)


def _note_source(
    names: tuple[str, ...], columns: list[tuple[str, Any]], cx: Context, path: Path
) -> None:
    key = tuple(n.lower() for n in names)
    if key in cx.sources:
        return

    def describe() -> tuple[Column, ...]:
        return tuple(Column(n, types.text(t), _sql_type(t, cx, path)) for n, t in columns)

    cx.sources[key] = Source(names, describe, str(path))


def _sql_type(type: Any, cx: Context, path: Path) -> str:
    """The SQL type of a table's column, empty where there is none: that matters only if the column is used."""
    if types.kind(type) is None:
        return ""
    try:
        return cx.dialect.sql_type(type, path)
    except UnsupportedError:
        return ""


def _over(item: Item, columns: list[tuple[str, Any]]) -> Block:
    fields = [Field(t, n, item=item, ordinal=i) for i, (n, t) in enumerate(columns)]
    return Block(item, fields, base=item.base)


def _mask(mask: Any, fields: list[Field], path: Path) -> list[Field]:
    """The masked fields in the order in which the mask lists them (the rule since 0.108, and what producers mean)."""
    found = []
    for i, item in enumerate(mask.select.struct_items):
        ordinal = item.field
        if item.HasField("child") or not 0 <= ordinal < len(fields):
            at = ((path / "select") / "struct_items")[i]
            if item.HasField("child"):
                raise refuse("SS2025", "masks of nested fields have no SQL yet", at)
            raise invalid("SS2101", f"field {ordinal} does not exist: there are {len(fields)}", at)
        found.append(fields[ordinal])
    return found


def _virtual_table(message: Any, cx: Context, path: Path, outer: Env | None) -> Block:
    """``VALUES (…), (…) AS t(a, b)``, every column of exactly its declared type."""
    columns = _columns(message, path)
    rows = message.virtual_table.expressions
    for i, row in enumerate(rows):
        if len(row.fields) != len(columns):
            raise invalid(
                "SS2026",
                f"row {i} has {len(row.fields)} values for {len(columns)} columns",
                (path / "expressions")[i],
            )
    if not columns:
        if len(rows) == 1:
            return Block(None, [])
        raise refuse("SS2027", "tables of several rows without columns have no SQL yet", path)
    if not rows:
        return _empty(columns, cx, path)
    env = Env(cx, Block(None, []), outer)
    cells = [
        [_cell(f, columns[j][1], env, path, i) for j, f in enumerate(row.fields)]
        for i, row in enumerate(rows)
    ]
    if len(rows) == 1:
        return _one_row(columns, cells[0])
    return _values(columns, [[c.sql for c in row] for row in cells])


def _cell(message: Any, declared: Any, env: Env, path: Path, row: int) -> Field:
    """A cell of the declared type. What Spark cannot fold may not stand in VALUES."""
    at = (path / "expressions")[row]
    value = expression(message, env, at)
    if value.literal is not None:
        sql = exact_literal(value.literal, env, at)
        sql = exact(sql, value.type, declared, env.context, at)
    else:
        sql = exact(value.sql, value.sql_type or value.type, declared, env.context, at)
    parts = env.take()
    if parts.traits:
        raise refuse(
            "SS2028", "subqueries and window functions in a virtual table have no SQL yet", at
        )
    return Field(declared, "", sql=sql, parts=parts)


def _one_row(columns: list[tuple[str, Any]], cells: list[Field]) -> Block:
    """One row needs no table: ``SELECT 1 AS a``."""
    for (name, _), cell in zip(columns, cells, strict=True):
        cell.name = name
    return Block(None, cells)


def _values(columns: list[tuple[str, Any]], rows: list[list[Any]]) -> Block:
    tuples = [exp.Tuple(expressions=row) for row in rows]
    item = Item("rows", unique_names(columns), node=exp.Values(expressions=tuples))
    return _over(item, [(n, t) for n, (_, t) in zip(item.names, columns, strict=True)])


def unique_names(columns: list[tuple[str, Any]]) -> list[str]:
    """The columns' names, made different from each other where they are not."""
    from substrait_sql.lower.assemble import unique

    taken: set[str] = set()
    return [unique(name or "value", taken) for name, _ in columns]


def _empty(columns: list[tuple[str, Any]], cx: Context, path: Path) -> Block:
    """No rows: one row of typed NULLs that a WHERE FALSE takes away."""
    cells = [
        Field(
            t,
            n,
            sql=exp.Cast(this=exp.Null(), to=cx.type_node(t, path)),
            parts=Parts(),
        )
        for n, t in columns
    ]
    block = Block(None, cells)
    block.where = [Field(types.boolean(), "", sql=exp.false(), parts=Parts())]
    return block
