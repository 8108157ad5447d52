"""CREATE, ALTER and DROP of tables and views."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.lift.dispatch import lift, query
from substrait_sql.lift.expressions import casts
from substrait_sql.lift.query.source import renamed
from substrait_sql.lift.relations import Values
from substrait_sql.lift.scope import Scope
from substrait_sql.lift.text.parse import name_of
from substrait_sql.lift.tree import Attribute, Cast, Literal, Relation
from substrait_sql.lift.typing import types as t
from substrait_sql.lift.typing.problems import Misused
from substrait_sql.lift.writes.actions import CTAS, Action, Define, Write
from substrait_sql.lift.writes.target import parts_of, stored

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.lift.context import Context
    from substrait_sql.lift.typing.types import SparkType

_FORMAT = "parquet"


def create(node: Any, cx: Context) -> Action:
    """CREATE TABLE, with or without a query, and CREATE VIEW."""
    kind = str(node.args["kind"]).upper()
    if kind not in ("TABLE", "VIEW"):
        raise cx.error("SS5007", f"a plan has no word for CREATE {kind}", node)
    _properties(node, kind, cx)
    this = node.this
    listed = list(this.expressions) if isinstance(this, exp.Schema) else []
    target = _target(this.this if isinstance(this, exp.Schema) else this)
    replace, exists = bool(node.args.get("replace")), bool(node.args.get("exists"))
    if replace and exists:
        raise cx.error("SS5001", "not Spark SQL: OR REPLACE and IF NOT EXISTS", node)
    if kind == "VIEW":
        return _view(node, target, listed, cx)
    if node.expression is None:
        return _empty(node, target, listed, cx)
    if listed:
        raise cx.error("SS5001", "not Spark SQL: columns of a table that is made of a query", this)
    rows = query(node.expression, cx)
    mode = "replace" if replace else "ignore" if exists else "error"
    return Write(CTAS, target, rows.columns, rows, mode)


def _target(node: Any) -> tuple[str, ...]:
    *lead, last = node.parts
    return (*(p.name for p in lead), name_of(last))


def _properties(node: Any, kind: str, cx: Context) -> None:
    for each in node.args["properties"].expressions if node.args.get("properties") else ():
        if not (isinstance(each, exp.FileFormatProperty) and each.name.lower() == _FORMAT):
            what = _words(each)
            what = f"USING {each.name}" if isinstance(each, exp.FileFormatProperty) else what
            raise cx.error("SS5007", f"a plan has no word for {what} of a {kind.lower()}", node)


_ENDING = re.compile("(Column)?(Constraint|Property)$")


def _words(node: Any) -> str:
    """What a node says of a table, such as PARTITIONED BY."""
    if isinstance(node, exp.Anonymous):
        return name_of(node).upper()
    name = _ENDING.sub("", type(node).__name__)
    return re.sub("(?<=[a-z])(?=[A-Z])", " ", name).upper() or "TBLPROPERTIES"


# ------------------------------------------------------------------ views


def _view(node: Any, target: tuple[str, ...], listed: Sequence[Any], cx: Context) -> Action:
    if node.args.get("exists"):
        raise cx.error("SS5007", "a plan has no word for a view made IF NOT EXISTS", node)
    if node.expression is None:
        raise cx.error("SS5001", "CREATE VIEW wants a query", node)
    rows = query(node.expression, cx)
    names = [_view_column(each, cx) for each in listed]
    if names and len(names) != len(rows.columns):
        raise cx.error(
            "SS5003", f"the view names {len(names)} columns of {len(rows.columns)}", node.this
        )
    rows = renamed(rows, names) if names else _all_named(rows)
    operation = "replace" if node.args.get("replace") else "create"
    return Define("view", operation, target, rows.columns, rows)


def _all_named(rows: Relation) -> Relation:
    """The rows. Spark wants a name of the author's for each column of a view."""
    unnamed = next((c.name for c in rows.columns if c.auto), None)
    if unnamed is not None:
        raise Misused(f"a view wants a name for {unnamed}: {unnamed} AS name")
    return rows


def _view_column(node: Any, cx: Context) -> str:
    if isinstance(node, exp.ColumnDef) and node.args.get("constraints"):
        raise cx.error("SS5007", "a plan has no word for the comment of a column", node)
    return str(node.name)


def alter(node: Any, cx: Context) -> Action:
    """ALTER VIEW v AS …: all else a plan says by the result only, which does not say what was done."""
    kind = str(node.args.get("kind") or "").upper()
    actions: list[Any] = node.args.get("actions") or []
    if kind == "VIEW" and len(actions) == 1 and isinstance(actions[0], exp.Query):
        rows = _all_named(query(actions[0], cx))
        return Define("view", "alter", parts_of(node.this), rows.columns, rows)
    raise cx.error(
        "SS5007",
        f"a plan has what ALTER {kind} leads to, not what it does: a column renamed is as one dropped and one added",
        node,
    )


# ------------------------------------------------------------------ tables


def _empty(node: Any, target: tuple[str, ...], listed: Sequence[Any], cx: Context) -> Action:
    """CREATE TABLE t (a INT NOT NULL, b STRING DEFAULT 'x')."""
    if not listed:
        raise cx.error("SS5007", "a plan wants the columns of a table", node)
    columns: list[Attribute] = []
    defaults: list[Literal | None] = []
    for each in listed:
        if not isinstance(each, exp.ColumnDef):
            what = _words(each)
            raise cx.error("SS5007", f"a plan has no word for {what} of a table", each)
        with cx.about(each):
            made, default = _column(each, cx)
        if made.name.casefold() in {c.name.casefold() for c in columns}:
            raise cx.error("SS5003", f"the table has two columns {made.name}", each)
        columns.append(made)
        defaults.append(default)
    plain = all(d is None for d in defaults)
    if node.args.get("exists"):
        # A definition has no word for it; the rows of a query, none here, are written with one.
        if not (plain and all(c.nullable for c in columns)):
            raise cx.error(
                "SS5007", "a plan has no word for NOT NULL and DEFAULT with IF NOT EXISTS", node
            )
        return Write(CTAS, target, tuple(columns), Values(tuple(columns), ()), "ignore")
    values = () if plain else tuple(map(_said, columns, defaults))
    operation = "replace" if node.args.get("replace") else "create"
    return Define("table", operation, target, tuple(columns), defaults=values)


def _said(column: Attribute, default: Literal | None) -> Literal:
    return Literal(column.type, True, None) if default is None else default


def _column(node: Any, cx: Context) -> tuple[Attribute, Literal | None]:
    if node.args.get("kind") is None:
        raise cx.error("SS5001", f"column {node.name} wants a type", node)
    kind = _type(node, cx)
    nullable, default = True, None
    said = [each.args["kind"] for each in node.args.get("constraints") or ()]
    for place, each in enumerate(said):
        if type(each) in map(type, said[:place]):
            what = f"column {node.name} says {_words(each)} twice"
            raise cx.error("SS5001", f"not Spark SQL: {what}", node)
        match each:
            case exp.NotNullColumnConstraint():
                nullable = False
            case exp.DefaultColumnConstraint() as found:
                default = _default(found.this, kind, node.name, cx)
            case found:
                what = _words(found)
                raise cx.error("SS5007", f"a plan has no word for {what} of a column", node)
    return Attribute(node.name, kind, nullable), default


def _type(node: Any, cx: Context) -> SparkType:
    kind = casts.type_of(node.args["kind"])
    cx.engine.check_type(kind)
    if t.plain(kind) != kind:
        what = f"a table with {str(kind).upper()} is not written yet: it would take longer texts"
        raise cx.error("SS5007", what, node)
    if t.has_units_inside(kind):
        what = f"a plan has no word for the units of {str(kind).upper()}"
        hint = "write INTERVAL DAY TO SECOND or INTERVAL YEAR TO MONTH"
        raise cx.error("SS5007", what, node, hint)
    return kind


def _default(node: Any, kind: SparkType, name: str, cx: Context) -> Literal:
    value = stored(lift(node, cx.inside(Scope([]))), kind, name)
    if isinstance(value, Cast) and isinstance(value.value, Literal):
        value = _exact(value.value, kind) or value
    if not isinstance(value, Literal):
        raise cx.error(
            "SS5007", f"a plan has constants only as defaults: {name} has an expression", node
        )
    return value


def _exact(found: Literal, kind: SparkType) -> Literal | None:
    """A number as a constant of another type, where it is one of that type's as it stands."""
    if kind.kind in ("double", "float") and isinstance(found.value, int):
        return Literal(kind, False, float(found.value)) if abs(found.value) < 2**24 else None
    return None


def drop(node: Any, cx: Context) -> Define:
    """DROP TABLE and DROP VIEW."""
    kind = str(node.args["kind"]).lower()
    tables = node.args.get("tables") or [node.this]
    if kind not in ("table", "view") or len(tables) != 1:
        raise cx.error("SS5007", f"a plan has no word for DROP {kind.upper()}", node)
    for each in ("purge", "cascade", "restrict", "temporary", "materialized"):
        if node.args.get(each):
            raise cx.error("SS5007", f"a plan has no word for {each.upper()} of DROP", node)
    operation = "drop_if_exists" if node.args.get("exists") else "drop"
    return Define(kind, operation, parts_of(tables[0]))
