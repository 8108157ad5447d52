"""https://substrait.io/relations/logical_relations/#read-operation"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.errors import Diagnostic, invalid, refuse
from substrait_sql.lower.context import Context, Env, Given
from substrait_sql.lower.declared_types import exact
from substrait_sql.lower.expression import expression
from substrait_sql.lower.expressions.literal import exact_literal
from substrait_sql.lower.expressions.references.masks import read_mask
from substrait_sql.lower.relation import lowers
from substrait_sql.lower.relations.reads.tables import (
    TableColumn,
    block_over,
    note_source,
    schema_columns,
    table_node,
    unique_names,
)
from substrait_sql.lower.relations.rows.filter import keep
from substrait_sql.lower.retry import settled
from substrait_sql.schema import naming, types
from substrait_sql.schema.nulls import takes
from substrait_sql.select.block import Block, SetBody
from substrait_sql.select.field import Field, Parts, Traits
from substrait_sql.select.item import Item

if TYPE_CHECKING:
    from substrait_sql.lower.value import Value
    from substrait_sql.wire.path import Path


@lowers("read")
def read_rel(message: Any, cx: Context, path: Path, outer: Env | None) -> Block:
    """FROM a table, by the names of the plan's own schema, never ``*``; then the filters; then the mask.

    Both filters see the whole base schema, also columns that the mask drops. The best-effort filter is applied too, as
    the specification's own example counts on that, unless it could fail in a row that nobody asked about.
    """
    kind = message.WhichOneof("read_type")
    if kind not in (None, "virtual_table") and not message.HasField("base_schema"):
        raise invalid("SS2025", "the read does not say which columns there are", path)
    if kind == "named_table":
        picked = _picked(message)
        block = _named_table(message, cx, path, picked)
        if picked:
            return block
    elif kind == "virtual_table":
        block = _virtual_table(message, _columns(message, path), cx, path / kind, outer)
    elif kind == "extension_table":
        from substrait_sql.lower.relations.extension import extension_table

        columns = [(c.name, c.type) for c in _columns(message, path)]
        block = extension_table(message.extension_table, columns, cx, path / kind)
    elif kind == "local_files":
        from substrait_sql.lower.relations.reads.files import local_files

        block = local_files(message.local_files, _columns(message, path), cx, path / kind)
    elif kind == "iceberg_table":
        from substrait_sql.lower.relations.reads.iceberg import iceberg_table

        block = iceberg_table(message.iceberg_table, _columns(message, path), cx, path / kind)
    elif kind is None:
        hint = "set named_table, virtual_table, local_files or iceberg_table"
        raise invalid("SS2021", "the read names nothing to read", path, hint)
    else:
        raise refuse("SS2022", f"reads of a {kind} are not known here", path / kind)
    if kind in ("named_table", "local_files") and not message.HasField("projection"):
        _distrust(block, cx, path)
    for name in ("filter", "best_effort_filter"):
        if message.HasField(name) and (name == "filter" or _is_safe(message, cx, path / name)):
            block = keep(block, message, getattr(message, name), cx, path / name, outer)
    if message.HasField("projection"):
        block.fields = read_mask(message.projection, block, cx, path / "projection")
    return block


def _is_safe(message: Any, cx: Context, path: Path) -> bool:
    from substrait_sql.lower.relations.reads.never_fails import never_fails

    return never_fails(message.best_effort_filter, cx, path)


def _distrust(block: Block, cx: Context, path: Path) -> None:
    """Marks a read that `Habits.needs_mask` is about; it is refused once a column of it is used."""
    if not cx.habits.needs_mask or len(block.fields) == 1:
        # Of one column there is no order.
        return
    for each in block.body.branches if block.body is not None else [block]:
        for item in each.items:
            item.unknowable = Diagnostic(
                "SS2029",
                "the plan does not say which columns of this table it uses",
                str(path),
                "DuckDB leaves that out of plans made without its optimizer; make the plan with it",
            )


def _columns(message: Any, path: Path) -> list[TableColumn]:
    return schema_columns(message.base_schema, path / "base_schema")


def _picked(message: Any) -> list[int]:
    """The columns of a mask, where nothing else sees any of the table: the others need not be made. Empty: all."""
    schema, mask = message.base_schema, message.projection.select.struct_items
    width = len(schema.names)
    if message.HasField("filter") or message.HasField("best_effort_filter"):
        return []
    if width != len(schema.struct.types) or any(m.HasField("child") for m in mask):
        return []
    picked = [m.field for m in mask]
    return picked if all(0 <= i < width for i in picked) else []


def _named_table(message: Any, cx: Context, path: Path, picked: list[int]) -> Block:
    """picked: the columns that it has, by their ordinals; all if there are none."""
    names = tuple(message.named_table.names)
    if not names:
        raise invalid("SS2024", "the table has no name", path / "named_table")

    def columns() -> list[TableColumn]:
        return _typed(_columns(message, path), names, given)

    given = cx.given
    cx.saw_table(message.base_schema.struct.types)
    own = [] if picked else columns()
    table = table_node(note_source(names, columns, cx, path) or names)
    item = Item(names[-1], list(message.base_schema.names), node=table, columns_are_exact=False)
    if not picked:
        item.names = [c.name for c in own]
        return block_over(item, own)
    block = Block(item, [], base=item.base)
    declared = message.base_schema.struct.types
    made: dict[int, Field] = {}
    for i in picked:
        if i not in made:
            made[i] = Field(declared[i], item.names[i], item=item, ordinal=i)
    block.fields = [made[i] for i in picked]
    return block


def _typed(columns: list[TableColumn], names: tuple[str, ...], given: Given) -> list[TableColumn]:
    """The columns with the types of the table that is there, where the plan has none."""
    if given.schema_of is None or not columns or any(c.type is not None for c in columns):
        return columns
    known = given.schema_of(names)
    found = []
    for column in columns:
        type = known.get(column.name.lower())
        inner = type if type is not None and types.inner_names(type) else None
        found.append(
            TableColumn(column.name, naming.bare(type) if inner is not None else type, inner)
        )
    return found


def _virtual_table(
    message: Any, columns: list[TableColumn], cx: Context, path: Path, outer: Env | None
) -> Block:
    """``VALUES (…), (…) AS t(a, b)``, every column of exactly its declared type."""
    rows = message.virtual_table.expressions
    env = Env(cx, Block(None, []), outer)
    if not columns and rows and not message.HasField("base_schema"):
        columns = _unnamed(rows[0], env, (path / "expressions")[0] / "fields")
    for i, row in enumerate(rows):
        if len(row.fields) != len(columns):
            raise invalid(
                "SS2026",
                f"row {i} has {len(row.fields)} values for {len(columns)} columns",
                (path / "expressions")[i],
            )
    if not rows:
        return _empty(columns, cx, path)
    if not columns:
        return _rows_only(len(rows))
    made = [_row(row, columns, cx, outer, path, i) for i, row in enumerate(rows)]
    counted = _counted(columns, rows)
    if counted is not None:
        return counted
    if len(rows) == 1:
        return made[0]
    cells = [block.fields for block in made]
    if _foldable(columns, cells) and not any(block.item for block in made):
        return _values(columns, [[c.sql for c in row] for row in cells])
    return _union(columns, made)


def _unnamed(row: Any, env: Env, path: Path) -> list[TableColumn]:
    """The columns of a virtual table without a schema: its first row's. DuckDB writes that for "no FROM"."""
    found = [TableColumn("", expression(e, env, path[i]).type) for i, e in enumerate(row.fields)]
    env.take()
    return found


def _foldable(columns: list[TableColumn], cells: list[list[Field]]) -> bool:
    """Whether VALUES takes the rows: nothing but constants, and no single structs, which it would take apart."""
    if len(columns) == 1 and types.kind(columns[0].type) == "struct":
        return False
    return not any(
        (c.parts is not None and (c.parts.traits or c.parts.columns)) or not _is_evaluated(c)
        for row in cells
        for c in row
    )


# Spark (as of 4.3) makes the rows of VALUES before it knows lambdas and what it has other words for (``nullif``,
# BETWEEN): any of that it refuses there. These it takes; tests/lower/relations/test_values.py has them run.
AT_ONCE = (
    exp.Literal, exp.Var, exp.Null, exp.Boolean, exp.Cast, exp.DataType, exp.Neg, exp.Not, exp.Paren, exp.Add, exp.Sub,
    exp.Mul, exp.Div, exp.Mod, exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE, exp.And, exp.Or, exp.Is, exp.Case,
    exp.If, exp.DPipe,
)  # fmt: skip
CALLED_AT_ONCE = frozenset({
    "array", "map", "named_struct", "coalesce", "concat", "upper", "lower", "trim", "length", "abs", "replace",
    "substring", "round", "floor", "ceil", "greatest", "least", "date_add", "element_at", "sqrt",
})  # fmt: skip


def _is_evaluated(cell: Field) -> bool:
    """Whether Spark computes the cell in VALUES: a literal, and what is made of such in ways that are known to be."""
    if cell.literal is not None or cell.sql is None:
        return True
    return all(
        isinstance(n, AT_ONCE)
        or (isinstance(n, exp.Anonymous) and str(n.this).lower() in CALLED_AT_ONCE)
        for n in cell.sql.walk()
    )


def _rows_only(count: int) -> Block:
    """Rows without columns: there is nothing in them but how many they are."""
    if count == 1:
        return Block(None, [])
    return Block(_range(count), [], base="rows")


def _range(*bounds: int) -> Item:
    """Spark knows no ``range.id``: the columns have another qualifier."""
    call = exp.Anonymous(this="range", expressions=[exp.Literal.number(n) for n in bounds])
    return Item("rows", ["id"], node=exp.Table(this=call))


def _counted(columns: list[TableColumn], rows: list[Any]) -> Block | None:
    """``range(3)`` for its rows: whole numbers one after the other in a column ``id``, as Spark calls it."""
    if len(rows) < 2 or [c.name for c in columns] != ["id"]:
        return None
    cells = [row.fields[0].literal for row in rows]
    if not types.same(columns[0].type, types.i64()) or any(
        cell.WhichOneof("literal_type") != "i64" for cell in cells
    ):
        return None
    first = cells[0].i64
    if first < 0 or any(cell.i64 != first + i for i, cell in enumerate(cells)):
        return None
    bounds = (first, first + len(cells)) if first else (len(cells),)
    return block_over(_range(*bounds), columns)


def _cell(message: Any, column: TableColumn, env: Env, at: Path) -> Field:
    """A cell of the declared type, structs under the names of the schema."""
    value = expression(message, env, at)
    _check_cell(value, column, at)
    wanted = column.sql_type if column.sql_type is not None else column.type
    if value.literal is not None:
        sql = exact_literal(value.literal, env, at)
        sql = exact(sql, _as_nullable(value.type, wanted), wanted, env.context, at)
    else:
        given = _as_nullable(value.sql_type or value.type, wanted)
        sql = exact(value.sql, given, wanted, env.context, at)
    parts = env.take()
    if parts.traits & (Traits.WINDOW | Traits.AGGREGATE):
        raise invalid("SS2028", "a virtual table has no rows that a window could look at", at)
    found = Field(column.type, "", sql=sql, sql_type=column.sql_type, parts=parts)
    found.literal = value.literal
    return found


def _as_nullable(given: Any, wanted: Any) -> Any:
    """A cell's type with the NULLs inside that its column may have; the names of fields are its own."""
    bare = naming.bare(wanted)
    return bare if given is not None and takes(bare, given) else given


def _check_cell(value: Value, column: TableColumn, path: Path) -> None:
    """A cell is of its column's type, parts that cannot be NULL included: nothing is converted.

    Some producers leave types out.
    """
    if value.type is None or column.type is None:
        return
    if not takes(column.type, value.type):
        found, wanted = types.text(value.type), types.text(column.type)
        raise invalid("SS2027", f"a {found} in column {column.name}, which is {wanted}", path)
    if value.is_null and not types.nullable(column.type):
        raise invalid("SS2027", f"a NULL in column {column.name}, which has none", path)


def _row(
    row: Any, columns: list[TableColumn], cx: Context, outer: Env | None, path: Path, at: int
) -> Block:
    """One row needs no table: ``SELECT 1 AS a``. A part of a cell may have to be a column of a derived table first."""
    places = (path / "expressions")[at] / "fields"

    def cells(block: Block) -> list[Field]:
        env = Env(cx, block, outer)
        return [_cell(f, columns[j], env, places[j]) for j, f in enumerate(row.fields)]

    block, fields = settled(Block(None, []), cells)
    block.fields = _named(columns, fields)
    return block


def _named(columns: list[TableColumn], cells: list[Field]) -> list[Field]:
    for column, cell in zip(columns, cells, strict=True):
        cell.name = column.name
    return cells


def _values(columns: list[TableColumn], rows: list[list[Any]]) -> Block:
    tuples = [exp.Tuple(expressions=row) for row in rows]
    item = Item("rows", unique_names(columns), node=exp.Values(expressions=tuples))
    return block_over(item, [c._replace(name=n) for n, c in zip(item.names, columns, strict=True)])


def _union(columns: list[TableColumn], branches: list[Block]) -> Block:
    """What VALUES does not take (subqueries, columns of an outer query) is one SELECT a row."""
    names = unique_names(columns)
    named = [c._replace(name=n) for n, c in zip(names, columns, strict=True)]
    for branch in branches:
        _named(named, branch.fields)
    union = block_over(Item("rows", names), named)
    from substrait_sql.lower.relations.sets.branch_types import with_bare_nulls

    body = SetBody("UNION", False, with_bare_nulls(branches))
    return Block(None, union.fields, base="rows", body=body)


def _empty(columns: list[TableColumn], cx: Context, path: Path) -> Block:
    """No rows: one row of typed NULLs that a WHERE FALSE takes away."""
    cells = [
        Field(
            c.type,
            c.name,
            # There is no value that could be finer than Spark's own.
            sql=exp.Cast(
                this=exp.Null(), to=cx.type_node(types.to_micros(c.sql_type or c.type), path)
            ),
            sql_type=c.sql_type,
            parts=Parts(),
        )
        for c in columns
    ]
    block = Block(None, cells)
    block.where = [Field(types.boolean(), "", sql=exp.false(), parts=Parts())]
    return block
