"""INSERT: the rows as the table's columns, each of its type, with defaults for columns that are left out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.lift.dispatch import lift, query
from substrait_sql.lift.near import near
from substrait_sql.lift.problems import Unknown, is_open
from substrait_sql.lift.relations import Project
from substrait_sql.lift.text.parse import statement
from substrait_sql.lift.tree import Attribute, Expr, Relation, column
from substrait_sql.lift.typing.problems import Misused
from substrait_sql.lift.writes.actions import INSERT, Write
from substrait_sql.lift.writes.target import (
    attributes_of,
    default_of,
    is_default,
    stored,
    table_of,
)
from substrait_sql.tree import releases

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from substrait_sql.lift.context import Context
    from substrait_sql.lift.schemas.catalog import Table


def insert(node: Any, cx: Context) -> Write:
    """INSERT INTO t (a, b) …, BY NAME, PARTITION (c = 1), with DEFAULT among the values."""
    _refuse(node, cx)
    target = node.this
    schema = target if isinstance(target, exp.Schema) else None
    named = [c.name for c in schema.expressions] if schema is not None else None
    place = schema.this if schema is not None else target
    table = table_of(place, cx)
    fixed, last = _partition(place.args.get("partition"), cx)
    if named is None:
        apart = {n.casefold() for n in (*fixed, *last)}
        named = [f.name for f in table.columns if f.name.casefold() not in apart]
    names = [*named, *last]
    _check_names([*names, *fixed], table, schema or place, cx)
    source = _with_defaults(_source(node, cx), names, table, cx)
    rows = query(source, cx)
    if node.args.get("by_name"):
        names = [c.name for c in rows.columns]
        _check_names(names, table, node.expression, cx)
    elif is_open(rows.columns):
        raise Unknown
    elif len(names) != len(rows.columns):
        raise Misused(f"INSERT wants {len(names)} columns, the query has {len(rows.columns)}")
    return Write(INSERT, table.name, attributes_of(table), _stored(rows, names, fixed, table, cx))


def _refuse(node: Any, cx: Context) -> None:
    if node.args.get("overwrite"):
        hint = "write TRUNCATE TABLE and INSERT INTO, which are two statements"
        raise cx.error(
            "SS5007", "a plan has no word for INSERT OVERWRITE: rows are added only", node, hint
        )
    if node.args.get("where") is not None:
        raise cx.error(
            "SS5007", "a plan has no word for INSERT … REPLACE WHERE: rows are added only", node
        )
    if node.args.get("by_name") and isinstance(node.this, exp.Schema):
        raise cx.error("SS5001", "not Spark SQL: BY NAME and a list of columns", node)


def _source(node: Any, cx: Context) -> Any:
    """The query of the rows, with what stands in WITH before INSERT."""
    found = node.expression or node.args.get("source")
    if found is None:
        raise cx.error("SS5001", "INSERT wants a query or VALUES", node)
    with_ = node.args.get(releases.WITH)
    if with_ is not None:
        own = found.args.get(releases.WITH)
        if own is not None:
            own.set("expressions", [*with_.expressions, *own.expressions])
        else:
            found.set(releases.WITH, with_)
    return found


def _partition(node: Any, cx: Context) -> tuple[dict[str, Expr], list[str]]:
    """PARTITION (a = 1, b): the columns with a value of their own, and those that the query has last."""
    fixed: dict[str, Expr] = {}
    last: list[str] = []
    for each in node.expressions if node is not None else ():
        if isinstance(each, exp.EQ) and isinstance(each.this, exp.Column):
            fixed[each.this.name] = lift(each.expression, cx)
        elif isinstance(each, (exp.Column, exp.Identifier)):
            last.append(each.name)
        else:
            raise cx.error("SS5001", "PARTITION wants columns, or column = value", each)
    return fixed, last


def _check_names(names: Sequence[str], table: Table, node: Any, cx: Context) -> None:
    known = {f.name.casefold(): f.name for f in table.columns}
    found: set[str] = set()
    for name in names:
        key = name.casefold()
        if key not in known:
            message = f"{'.'.join(table.name)} has no column {name}"
            raise cx.error("SS5004", message, _of_name(node, name), near(name, known.values()))
        if key in found:
            raise cx.error("SS5003", f"INSERT names column {name} twice", _of_name(node, name))
        found.add(key)


def _of_name(node: Any, name: str) -> Any:
    """Where a name stands last."""
    found = [i for i in node.find_all(exp.Identifier) if i.name == name]
    return found[-1] if found else node


def _with_defaults(node: Any, names: Sequence[str], table: Table, cx: Context) -> Any:
    """The query with the defaults themselves for the word DEFAULT, where a value of a column stands."""
    rows: list[Any] = []
    if isinstance(node, exp.Values):
        rows = [r.expressions if isinstance(r, exp.Tuple) else [r] for r in node.expressions]
    elif isinstance(node, exp.Select):
        rows = [node.expressions]
    for row in rows:
        for name, value in zip(names, row, strict=False):
            if is_default(value):
                value.replace(_default(name, table, cx))
    return node


def _default(name: str, table: Table, cx: Context) -> Any:
    field = next(f for f in table.columns if f.name.casefold() == name.casefold())
    default_of(table, field, cx)
    text = table.defaults.get(name.casefold())
    if text is None:
        return exp.Null()
    # As the column's type, so that one row's default does not decide the type of all rows.
    node, _ = statement(f"SELECT CAST({text} AS {field.type})")
    return node.expressions[0]


def _stored(
    rows: Relation,
    names: Sequence[str],
    fixed: Mapping[str, Expr],
    table: Table,
    cx: Context,
) -> Relation:
    """The rows as the table's columns, each brought to its type as an INSERT does."""
    given: dict[str, Expr] = {n.casefold(): v for n, v in fixed.items()}
    given |= {n.casefold(): column(c) for n, c in zip(names, rows.columns, strict=True)}
    values: list[Expr] = []
    for field in table.columns:
        value = given.get(field.name.casefold())
        if value is None:
            values.append(default_of(table, field, cx))
        else:
            values.append(stored(value, field.type, field.name))
    made = tuple(
        Attribute(f.name, v.type, v.nullable) for f, v in zip(table.columns, values, strict=True)
    )
    return Project(made, rows, tuple(values))
