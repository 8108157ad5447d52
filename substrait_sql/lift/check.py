"""All that is wrong with a text of one or more statements."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.errors import SqlError
from substrait_sql.lift.context import Context
from substrait_sql.lift.dispatch import query
from substrait_sql.lift.engine import engine
from substrait_sql.lift.problems import UNKNOWN, Problems
from substrait_sql.lift.schemas.catalog import Table
from substrait_sql.lift.statement import Options, encoded, lifted
from substrait_sql.lift.text.parse import parsed, pieces
from substrait_sql.lift.typing.types import Field
from substrait_sql.lift.writes.actions import CTAS, Define, Write
from substrait_sql.lift.writes.target import parts_of

if TYPE_CHECKING:
    from substrait_sql.errors import Diagnostic
    from substrait_sql.lift.schemas.catalog import Catalog
    from substrait_sql.lift.text.parse import Source
    from substrait_sql.lift.tree import Relation
    from substrait_sql.lift.writes.actions import Action

    Found = Relation | Action | None


def check(sql: str, catalog: Catalog, dialect: str, options: Options) -> list[Diagnostic]:
    """The problems of all statements, in their order. Tables that one makes are there for those behind it."""
    problems = Problems()
    try:
        sources = pieces(sql)
    except SqlError as error:
        return list(error.diagnostics)
    for source in sources:
        problems.count = 0
        _statement(source, catalog, dialect, options, problems)
    return sorted(problems.found, key=_place)


def _place(found: Diagnostic) -> tuple[int, ...]:
    """Line and column; what has no place comes last."""
    return tuple(map(int, re.findall(r"\d+", found.path))) or (sys.maxsize,)


def _statement(
    source: Source, catalog: Catalog, dialect: str, options: Options, problems: Problems
) -> None:
    cx = Context(catalog, source, zone=options.zone, problems=problems, engine=engine(dialect))
    try:
        node = parsed(source.tokens, source)
    except SqlError as error:
        problems.note(error)
        return
    found: Found = cx.checked(lambda: lifted(node, cx), lambda: None, node)
    if found is None:
        _rows(node, cx)
    _made(node, found, catalog, complete=not problems.count)
    if found is not None and not problems.count:
        cx.checked(lambda: encoded(found, dialect, options), lambda: None, node)


def _rows(node: Any, cx: Context) -> None:
    """The query of a statement of which something else is wrong."""
    rows = node.args.get("expression")
    if isinstance(node, exp.Insert) and isinstance(rows, exp.Select):
        query(rows, cx)


def _made(node: Any, found: Found, catalog: Catalog, *, complete: bool) -> None:
    """Statements behind this one know what it makes; any column may be one of what is not complete."""
    if isinstance(found, (Write, Define)) and complete:
        if isinstance(found, Define) or found.kind == CTAS:
            fields = tuple(Field(c.name, c.type, c.nullable) for c in found.columns)
            catalog.add(Table(found.target, fields))
    elif isinstance(node, exp.Create):
        this = node.this.this if isinstance(node.this, exp.Schema) else node.this
        if isinstance(this, exp.Table):
            catalog.add(Table(parts_of(this), (Field("", UNKNOWN),)))
