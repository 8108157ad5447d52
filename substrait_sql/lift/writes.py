"""Statements that change something, in the words of a plan: rows written, tables and views made, changed, dropped.

https://substrait.io/relations/logical_relations/#write-operator
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.lift import operators
from substrait_sql.lift.dispatch import lift, query
from substrait_sql.lift.relations import Filter, Project, Scan
from substrait_sql.lift.scope import Scope, visible
from substrait_sql.lift.tree import Attribute, Expr, Relation, column
from substrait_sql.lift.typing import casts
from substrait_sql.lift.typing.problems import Misused

if TYPE_CHECKING:
    from substrait_sql.lift.context import Context
    from substrait_sql.lift.schemas.catalog import Table

INSERT, DELETE, CTAS = "insert", "delete", "ctas"


@dataclass(frozen=True, slots=True)
class Write:
    """Rows into a table or out of it. kind: insert, delete, ctas. mode: error, replace or ignore, of a new table."""

    kind: str
    target: tuple[str, ...]
    columns: tuple[Attribute, ...]
    rows: Relation
    mode: str = ""


@dataclass(frozen=True, slots=True)
class Update:
    """New values for columns, by their places, of the rows for which the condition is true."""

    target: tuple[str, ...]
    columns: tuple[Attribute, ...]
    values: tuple[tuple[int, Expr], ...]
    condition: Expr | None


@dataclass(frozen=True, slots=True)
class Define:
    """A table or view made or dropped. operation: create, replace, drop, drop_if_exists."""

    kind: str
    operation: str
    target: tuple[str, ...]
    columns: tuple[Attribute, ...] = ()
    definition: Relation | None = None


Action = Write | Update | Define


def action(node: Any, cx: Context) -> Action | None:
    """What a statement does; None for a query."""
    match node:
        case exp.Insert():
            return _insert(node, cx)
        case exp.Create():
            return _create(node, cx)
        case exp.Delete():
            return _delete(node, cx)
        case exp.Update():
            return _update(node, cx)
        case exp.Drop():
            return _drop(node, cx)
    return None


def _parts(node: Any) -> tuple[str, ...]:
    return tuple(p.name for p in node.parts)


def _known(node: Any, cx: Context) -> Table:
    found = cx.catalog.table(_parts(node))
    if found is None:
        raise cx.error("SS5004", f"there is no table {'.'.join(_parts(node))}", node)
    return found


def _columns(table: Table) -> tuple[Attribute, ...]:
    return tuple(Attribute(f.name, f.type, f.nullable) for f in table.columns)


def _insert(node: Any, cx: Context) -> Write:
    if node.args.get("overwrite"):
        raise cx.error("SS5007", "a plan has no word for INSERT OVERWRITE", node)
    target = node.this
    named = [c.name for c in target.expressions] if isinstance(target, exp.Schema) else []
    table = _known(target.this if isinstance(target, exp.Schema) else target, cx)
    rows = query(node.expression, cx)
    return Write(INSERT, table.name, _columns(table), _stored(rows, table, named))


def _stored(rows: Relation, table: Table, named: list[str]) -> Relation:
    """The rows as the table's columns, each brought to its type as an INSERT does."""
    names = [n.casefold() for n in named] or [f.name.casefold() for f in table.columns]
    known = {f.name.casefold() for f in table.columns}
    wrong = next((n for n in names if n not in known), None)
    if wrong is not None:
        raise Misused(f"{'.'.join(table.name)} has no column {wrong}")
    if len(set(names)) < len(names):
        raise Misused("INSERT names a column twice")
    if len(names) != len(rows.columns):
        raise Misused(f"INSERT wants {len(names)} columns, the query has {len(rows.columns)}")
    given = dict(zip(names, rows.columns, strict=True))
    values: list[Expr] = []
    for field in table.columns:
        source = given.get(field.name.casefold())
        if source is None:
            raise Misused(f"INSERT leaves out {field.name}: name it, its default is not known here")
        value = column(source)
        if not casts.stored(value.type, field.type):
            kinds = f"{str(value.type).upper()} in {str(field.type).upper()}"
            raise Misused(f"{field.name}: Spark stores no {kinds}")
        values.append(operators.cast(value, field.type))
    made = tuple(
        Attribute(f.name, v.type, v.nullable) for f, v in zip(table.columns, values, strict=True)
    )
    return Project(made, rows, tuple(values))


_FORMAT = "parquet"


def _create(node: Any, cx: Context) -> Action:
    kind = str(node.args["kind"]).upper()
    if kind not in ("TABLE", "VIEW"):
        raise cx.error("SS5007", f"a plan has no word for CREATE {kind}", node)
    for each in node.args["properties"].expressions if node.args.get("properties") else ():
        if not (isinstance(each, exp.FileFormatProperty) and each.name.lower() == _FORMAT):
            what = type(each).__name__.removesuffix("Property").upper()
            raise cx.error("SS5007", f"a plan has no word for {what} of a {kind}", node)
    this = node.this
    schema = this if isinstance(this, exp.Schema) else None
    target = _parts(schema.this if schema is not None else this)
    replace, exists = bool(node.args.get("replace")), bool(node.args.get("exists"))
    if node.expression is None:
        raise cx.error("SS5007", "CREATE TABLE without a query is not known here yet", node)
    if schema is not None:
        raise cx.error("SS5007", "names of columns in CREATE are not known here yet", node)
    rows = query(node.expression, cx)
    if kind == "VIEW":
        if exists:
            raise cx.error("SS5007", "a plan has no word for a view made IF NOT EXISTS", node)
        operation = "replace" if replace else "create"
        return Define("view", operation, target, rows.columns, rows)
    if replace and exists:
        raise Misused("a table is made OR REPLACE or IF NOT EXISTS, not both")
    mode = "replace" if replace else "ignore" if exists else "error"
    return Write(CTAS, target, rows.columns, rows, mode)


def _drop(node: Any, cx: Context) -> Define:
    kind = str(node.args["kind"]).lower()
    tables = node.args.get("tables") or [node.this]
    if kind not in ("table", "view") or len(tables) != 1:
        raise cx.error("SS5007", f"a plan has no word for DROP {kind.upper()}", node)
    operation = "drop_if_exists" if node.args.get("exists") else "drop"
    return Define(kind, operation, _parts(tables[0]))


def _scan(target: Any, cx: Context) -> tuple[Table, Scan, Context]:
    table = _known(target, cx)
    attributes = _columns(table)
    alias = target.args.get("alias")
    name = (alias.name,) if alias is not None and alias.name else table.name
    inner = cx.inside(Scope(visible(attributes, name)))
    return table, Scan(attributes, table.name), inner


def _condition(node: Any, cx: Context) -> Expr | None:
    where = node.args.get("where")
    if where is None:
        return None
    with cx.about(where):
        return operators.truth(lift(where.this, cx), "WHERE")


def _delete(node: Any, cx: Context) -> Write:
    table, scan, inner = _scan(node.this, cx)
    condition = _condition(node, inner)
    rows: Relation = scan if condition is None else Filter(scan.columns, scan, condition)
    return Write(DELETE, table.name, scan.columns, rows)


def _update(node: Any, cx: Context) -> Update:
    table, scan, inner = _scan(node.this, cx)
    places = {a.name.casefold(): i for i, a in enumerate(scan.columns)}
    values: dict[int, Expr] = {}
    for each in node.expressions:
        if not isinstance(each, exp.EQ) or not isinstance(each.this, exp.Column):
            raise cx.error("SS5001", "UPDATE wants SET column = value", each)
        place = places.get(each.this.name.casefold())
        if place is None:
            raise cx.error("SS5004", f"there is no column {each.this.name}", each)
        if place in values:
            raise cx.error("SS5003", f"UPDATE sets {each.this.name} twice", each)
        value, kind = lift(each.expression, inner), scan.columns[place].type
        if not casts.stored(value.type, kind):
            kinds = f"{str(value.type).upper()} in {str(kind).upper()}"
            raise cx.error("SS5003", f"{each.this.name}: Spark stores no {kinds}", each)
        values[place] = operators.cast(value, kind)
    condition = _condition(node, inner)
    return Update(table.name, scan.columns, tuple(values.items()), condition)
