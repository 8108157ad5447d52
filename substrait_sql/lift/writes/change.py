"""DELETE, TRUNCATE, UPDATE, and what of MERGE is one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.lift import operators
from substrait_sql.lift.dispatch import lift
from substrait_sql.lift.near import near
from substrait_sql.lift.relations import Filter, Scan
from substrait_sql.lift.scope import Scope, visible
from substrait_sql.lift.writes.actions import DELETE, Update, Write
from substrait_sql.lift.writes.target import (
    attributes_of,
    default_of,
    is_default,
    stored,
    table_of,
)

if TYPE_CHECKING:
    from substrait_sql.lift.context import Context
    from substrait_sql.lift.schemas.catalog import Table
    from substrait_sql.lift.tree import Attribute, Expr, Relation


def _scan(target: Any, cx: Context) -> tuple[Table, Scan, Context]:
    table = table_of(target, cx)
    attributes = attributes_of(table)
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


def delete(node: Any, cx: Context) -> Write:
    """DELETE FROM t WHERE …"""
    table, scan, inner = _scan(node.this, cx)
    condition = _condition(node, inner)
    rows: Relation = scan if condition is None else Filter(scan.columns, scan, condition)
    return Write(DELETE, table.name, scan.columns, rows)


def truncate(node: Any, cx: Context) -> Write:
    """TRUNCATE TABLE t deletes all rows."""
    if node.args.get("partition") is not None:
        raise cx.error("SS5007", "a plan has no word for the partitions of a table", node)
    if node.args.get("is_database") or len(node.expressions) != 1:
        raise cx.error("SS5001", "TRUNCATE wants one table", node)
    table, scan, _ = _scan(node.expressions[0], cx)
    return Write(DELETE, table.name, scan.columns, scan)


def update(node: Any, cx: Context) -> Update:
    """UPDATE t SET a = …, b = DEFAULT WHERE …"""
    table, scan, inner = _scan(node.this, cx)
    values: dict[int, Expr] = {}
    for each in node.expressions:
        if not isinstance(each, exp.EQ) or not isinstance(each.this, exp.Column):
            raise cx.error("SS5001", "UPDATE wants SET column = value", each)
        place = _place(each.this, scan.columns, inner)
        name = scan.columns[place].name
        if place in values:
            raise cx.error("SS5003", f"UPDATE sets {name} twice", each)
        field = table.columns[place]
        with cx.about(each):
            if is_default(each.expression):
                values[place] = default_of(table, field, cx)
            else:
                values[place] = stored(lift(each.expression, inner), field.type, name)
    condition = _condition(node, inner)
    return Update(table.name, scan.columns, tuple(values.items()), condition)


def _place(node: Any, columns: tuple[Attribute, ...], cx: Context) -> int:
    parts = [p.name for p in node.parts]
    *qualifier, name = parts
    shown = cx.scope.qualified(qualifier) if qualifier else cx.scope.columns
    if qualifier and not shown:
        message = f"there is no column {'.'.join(parts)} to set: fields of structs are not set by themselves"
        raise cx.error("SS5004", message, node)
    for place, each in enumerate(columns):
        if each.name.casefold() == name.casefold():
            return place
    hint = near(name, [c.name for c in columns])
    raise cx.error("SS5004", f"there is no column {'.'.join(parts)}", node, hint)
