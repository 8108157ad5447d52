"""FROM: tables, derived tables, VALUES, joins, LATERAL."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.lift import operators
from substrait_sql.lift.dispatch import lift, part, query
from substrait_sql.lift.names import no_table
from substrait_sql.lift.query import generate, joins, pivot, table_functions
from substrait_sql.lift.query.source import (
    Source,
    flat,
    named,
    no_rows_from,
    renamed,
    unknown,
)
from substrait_sql.lift.relations import CommonQuery, LastRound, Project, Scan, Shared, Values
from substrait_sql.lift.scope import NO_NAME, visible
from substrait_sql.lift.text.parse import name_of
from substrait_sql.lift.tree import Attribute, Column, Relation, Subquery, column, holds
from substrait_sql.lift.typing import common
from substrait_sql.lift.typing import types as t
from substrait_sql.lift.typing.problems import Misused
from substrait_sql.tree import releases

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.lift.context import Context


def from_clause(node: Any, cx: Context) -> Source:
    """The rows of FROM with its joins and lateral views."""
    first = node.args.get(releases.FROM)
    if first is None:
        if node.args.get("joins"):
            raise cx.error("SS5001", "JOIN stands behind FROM", node)
        found = no_rows_from()
    else:
        found = relation(first.this, cx)
        # A comma joins what stands before it, as CROSS JOIN does: spark.sql.ansi.relationPrecedence is off.
        for each in node.args.get("joins") or ():
            found = _joined(each, found, cx)
    laterals = node.args.get("laterals") or ()
    if laterals and any(isinstance(j.this, pivot.NODES) for j in node.args.get("joins") or ()):
        raise cx.error(
            "SS5002", "PIVOT together with LATERAL VIEW wants brackets here", laterals[0]
        )
    for each in laterals:
        found = _viewed(each, found, cx)
    return found


def _joined(node: Any, left: Source, cx: Context) -> Source:
    return cx.checked(lambda: joins.join(node, left, cx), lambda: unknown(left), node)


def _viewed(node: Any, left: Source, cx: Context) -> Source:
    return cx.checked(lambda: generate.lateral_view(node, left, cx), lambda: unknown(left), node)


@part
def relation(node: Any, cx: Context) -> Source:
    """One item of FROM."""
    return cx.checked(lambda: _relation(node, cx), unknown, node)


def _relation(node: Any, cx: Context) -> Source:
    match node:
        case exp.Table():
            found = _table(node, cx)
        case exp.Subquery():
            found = _derived(node, cx)
        case exp.Values():
            found = named(values(node, cx), _with_alias(node), ())
        case exp.Lateral():
            found = joins.lateral(node, no_rows_from(), "cross", None, cx)
        case exp.Paren():
            found = relation(node.this, cx)
        case _:
            raise cx.error("SS5002", f"FROM does not know {type(node).__name__}", node)
    for each in node.args.get("joins") or ():
        found = _joined(each, found, cx)
    return found


def _table(node: Any, cx: Context) -> Source:
    if node.args.get("version") is not None:
        raise cx.error("SS5007", "a plan has no word for a table of another time", node)
    if node.args.get("partition") is not None:
        raise cx.error("SS5001", "not Spark SQL: PARTITION in FROM", node)
    if isinstance(node.this, exp.Anonymous):
        made = table_functions.table_function(node.this, cx)
        found = named(made, node, ())
    elif isinstance(node.this, exp.Values):
        # Of rows in brackets sqlglot makes a table.
        found = named(values(node.this, cx), node, ())
    else:
        found = _named_table(node, cx)
    return found


def _named_table(node: Any, cx: Context) -> Source:
    parts = [p.name for p in node.parts]
    common = cx.common.get(parts[0].casefold()) if len(parts) == 1 else None
    if common is not None:
        common.inside |= not cx.draws
        return named(use(common), node, (common.name,))
    table = cx.catalog.table(parts)
    if table is None:
        raise no_table(parts, node, cx)
    if table.sql is not None:
        return named(_view(table, node, cx), node, _qualifier(table.name, node, cx))
    for field in table.columns:
        cx.engine.check_type(field.type)
    columns = tuple(Attribute(f.name, f.type, f.nullable) for f in table.columns)
    said = tuple(c for c in columns if not t.contains(c.type, *t.WITHOUT_WORD))
    qualifier = _qualifier(table.name, node, cx)
    alias = node.args.get("alias")
    if len(said) == len(columns) or (alias is not None and alias.args.get("columns")):
        return named(_as_text(Scan(columns, table.name)), node, qualifier)
    found = named(_as_text(Scan(said, table.name)), node, qualifier)
    return _with_unsaid(
        found, columns, (alias.name,) if alias is not None and alias.name else qualifier
    )


def _with_unsaid(found: Source, columns: Sequence[Attribute], qualifier: Sequence[str]) -> Source:
    """With the columns of types that Substrait has not: the plan's table is without them, and who reads one is told."""
    shown = list(found.columns)
    for place, each in enumerate(columns):
        if t.contains(each.type, *t.WITHOUT_WORD):
            shown[place:place] = visible([each], qualifier)
    return replace(found, columns=shown)


# Whether a text has columns with a schema before their table: asked once, not for each table.
_LONG = "columns with a schema"


def _qualifier(name: tuple[str, ...], node: Any, cx: Context) -> tuple[str, ...]:
    """What may stand before its columns: all parts of its name where the text has such long ones."""
    root = node.root()
    if _LONG not in root.meta:
        root.meta[_LONG] = any(c.args.get("db") is not None for c in root.find_all(exp.Column))
    return cx.catalog.whole(name) if root.meta[_LONG] else name


def _as_text(scanned: Relation) -> Relation:
    """CHAR and VARCHAR columns are text for every expression."""
    if all(c.type == t.plain(c.type) for c in scanned.columns):
        return scanned
    plain = tuple(Attribute(c.name, t.plain(c.type), c.nullable) for c in scanned.columns)
    made = tuple(
        operators.cast(column(c), p.type) for c, p in zip(scanned.columns, plain, strict=True)
    )
    return Project(plain, scanned, made)


def _view(table: Any, node: Any, cx: Context) -> Relation:
    found = cx.view(table.sql)
    names = [f.name for f in table.columns]
    if len(names) != len(found.columns):
        raise cx.error("SS5004", f"the view {'.'.join(table.name)} has other columns now", node)
    return renamed(found, names)


def use(common: CommonQuery) -> Relation:
    """A use of a common table expression."""
    common.uses += 1
    own = common.relation.columns
    if common.recursive:
        rows = tuple(Attribute(c.name, c.type, True) for c in own)
        return LastRound(rows, common, alias=common.name)
    columns = tuple(Attribute(c.name, c.type, c.nullable, c.auto) for c in own)
    first: dict[int, Attribute] = {}
    for made, of in zip(columns, own, strict=True):
        # One column that is there twice is one here, too.
        same = first.setdefault(id(of.twin or of), made)
        made.twin = None if same is made else same
    return Shared(columns, common, alias=common.name)


def _derived(node: Any, cx: Context) -> Source:
    if isinstance(node.this, (exp.Table, exp.Subquery)) and not _is_query(node.this):
        # Joins in brackets.
        inside = relation(node.this, cx)
        alias = node.args.get("alias")
        return named(flat(inside), node, ()) if alias is not None and alias.name else inside
    return named(query(node.this, cx.apart()), node, (NO_NAME,))


def _is_query(node: Any) -> bool:
    if node.args.get("joins") or node.args.get("alias"):
        return False
    return isinstance(node, exp.Subquery) and (
        not isinstance(node.this, (exp.Table, exp.Subquery)) or _is_query(node.this)
    )


def _bare(node: Any) -> Any:
    return node.this if isinstance(node, exp.Alias) else node


def _with_alias(node: Any) -> Any:
    """VALUES 1, 2 AS t(a): sqlglot takes the alias for that of the last value."""
    last = node.expressions[-1]
    alias = node.args.get("alias")
    if not isinstance(last, exp.Tuple) or not isinstance(last.expressions[-1], exp.Alias):
        return node
    if len(last.expressions) == 1 and (alias is None or not alias.name):
        alias = exp.TableAlias() if alias is None else alias
        alias.set("this", exp.to_identifier(last.expressions[0].alias))
        node.set("alias", alias)
    return node


def _parts(row: Any) -> list[Any]:
    """The values of a row: a single struct(…) is one by itself."""
    parts = list(row.expressions) if isinstance(row, exp.Tuple) else [row.unnest()]
    if not parts:
        raise Misused("VALUES wants a value in each row", "SS5001")
    first = _bare(parts[0]).unnest()
    if len(parts) == 1 and isinstance(first, exp.Anonymous) and name_of(first).lower() == "struct":
        return list(first.expressions)
    return parts


def values(node: Any, cx: Context) -> Relation:
    """VALUES (1, 'a'), (2, 'b')."""
    inner = cx.at("VALUES")
    rows = [[lift(_bare(e), inner) for e in _parts(r)] for r in node.expressions]
    if any(holds(value, Column, Subquery) for row in rows for value in row):
        raise Misused("VALUES takes no column and no query")
    width = len(rows[0])
    if any(len(r) != width for r in rows):
        raise Misused("VALUES wants as many values in each row")
    columns: list[Attribute] = []
    brought: list[list[Any]] = []
    for place in range(width):
        made = operators.one_type([r[place] for r in rows], "VALUES", common.in_rows)
        brought.append(made)
        nullable = any(e.nullable for e in made)
        kind = made[0].type
        if any(e.type != kind for e in made):
            # What is inside may be NULL in one row and not in another.
            kind = common.of_all([e.type for e in made], common.in_rows) or kind
        columns.append(Attribute(f"col{place + 1}", kind, nullable))
    return Values(tuple(columns), tuple(zip(*brought, strict=True)))
