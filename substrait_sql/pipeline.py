"""The whole compiler on one screen: each pass is one call."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from google.protobuf.message import DecodeError

from substrait_sql import wire
from substrait_sql.dialect.calls import refuse_absent
from substrait_sql.dialect.dialect import load
from substrait_sql.errors import Diagnostic, DialectError, SubstraitSqlError
from substrait_sql.lower.plan import find_problems, lower
from substrait_sql.outline.tree import outline
from substrait_sql.rendered import Rendered, Span, Statement
from substrait_sql.text.generate import generate, generate_mapped
from substrait_sql.text.source_map import all_spans
from substrait_sql.wire.deep import in_big_stack, lacked_room, without_limit

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from os import PathLike

    Dialect = str | PathLike[str]

    from substrait_sql.lower.context import SchemaFinder
    from substrait_sql.text.source_map import Range


def render(
    plan: Any,
    *,
    dialect: Dialect = "spark",
    statement: str | None = None,
    name: str | Sequence[str] | None = None,
    annotate: bool = False,
    table_names: Mapping[tuple[str, ...], tuple[str, ...]] | None = None,
    schema_of: SchemaFinder | None = None,
    open_options: Mapping[str, str] | None = None,
) -> Rendered:
    """The SQL of a plan, with everything that belongs to it.

    plan: bytes, JSON or text-format text, a dict, a path, or a protobuf message. dialect: a name, or the path of a
    folder of your own (docs/custom_functions.md); a text with a slash in it is a path. statement: ``view``, ``table``
    or ``insert`` to wrap the query as a statement on `name`, a name as SQL text or its parts. table_names: other names
    for tables of the plan, by their name parts in lower case. annotate: say in comments which nodes each line begins
    with. schema_of: the types of a table's columns, for plans that leave them to the catalog (DataFusion up to 41).
    open_options: values of options of functions that the plan does not name, such as
    ``{"on_log_zero": "ERROR"}`` (docs/custom_functions.md).
    Raises `SubstraitSqlError`.
    """
    names = table_names or {}
    given = plan, dialect, statement, name, names, annotate, schema_of, open_options
    return _with_room(partial(_render, *given))


def _with_room(work: Callable[[], Rendered]) -> Rendered:
    try:
        return work()
    except Exception as error:
        if not lacked_room(error):
            raise
    # A plan may nest deeper than Python likes to; a thread of its own has the room.
    return in_big_stack(work)


def _render(
    plan: Any,
    dialect: Dialect,
    statement: str | None,
    name: str | Sequence[str] | None,
    table_names: Mapping[tuple[str, ...], tuple[str, ...]],
    annotate: bool,
    schema_of: SchemaFinder | None,
    open_options: Mapping[str, str] | None,
    mapped: bool = False,
) -> Rendered:
    decoded = wire.read(plan)
    rules = load(dialect).opened(open_options) if open_options else load(dialect)
    lowered = lower(decoded, rules, table_names, mapped=annotate or mapped, schema_of=schema_of)
    statements: list[Statement] = []
    if lowered.views:
        from substrait_sql.text.statement import refuse_lasting_views, temporary_views

        statements += temporary_views(lowered.views, lowered.roots[0].index, rules)
    # For the source map: the statement that a query is part of, its text, and where in that the nodes are.
    queries: list[tuple[int, str, list[Range]]] = []
    for root in lowered.roots:
        text = ""
        if root.query is not None:
            refuse_absent(root.query, rules.builtins, root.index)
        if root.query is not None and (annotate or mapped):
            text, ranges = generate_mapped(root.query, rules.target, lowered.relations, annotate)
            queries.append((len(statements), text, ranges))
        elif root.query is not None:
            text = generate(root.query, rules.target)
        if root.actions:
            from substrait_sql.text.statement import of_actions

            statements += of_actions(root.actions, text, root.index, rules, statement)
            continue
        kind = "query"
        if statement is not None:
            from substrait_sql.text.statement import as_statement

            text, kind = as_statement(text, statement, name or "", rules), statement
        statements.append(Statement(text, kind, root.index, root.columns))

    if lowered.views:
        refuse_lasting_views(statements)

    def spans() -> tuple[Span, ...]:
        if annotate or mapped:
            return all_spans([each.sql for each in statements], queries)
        given = plan, dialect, statement, name, table_names, False, schema_of, open_options, True
        return _with_room(partial(_render, *given)).spans

    return Rendered(
        tuple(statements),
        sources=lowered.sources,
        parameters=lowered.parameters,
        settings=rules.settings.with_times if lowered.times else rules.settings.always,
        diagnostics=(*decoded.diagnostics, *lowered.diagnostics),
        mapper=spans,
    )


def to_sql(plan: Any, *, dialect: Dialect = "spark", **options: Any) -> str:
    """The text alone; several statements are joined by ``;`` and a blank line."""
    return render(plan, dialect=dialect, **options).sql


def check(plan: Any, *, dialect: Dialect = "spark") -> list[Diagnostic]:
    """The problems of a plan; never raises on a bad one. Raises `DialectError` for a dialect that is not right."""
    try:
        decoded = wire.read(plan)
        return [*decoded.diagnostics, *find_problems(decoded, load(dialect))]
    except DialectError:
        raise
    except SubstraitSqlError as error:
        return list(error.diagnostics)


def check_sql(
    sql: str,
    *,
    schema: Any,
    dialect: str = "spark",
    parameters: Mapping[str, Any] | None = None,
    zone: str | None = None,
    standard_only: bool = False,
) -> list[Diagnostic]:
    """The problems of a text of Spark SQL, all at once: of each statement, with semicolons between them.

    The path of a diagnostic is the place in the text, ``line 3, column 8``. The arguments are those of `to_plan`.
    Raises `SqlError` SS5010 for a schema that cannot be read, never for the text.
    """
    from substrait_sql.lift.check import check
    from substrait_sql.lift.schemas.of import catalog_of, zone_of
    from substrait_sql.lift.statement import Options

    options = Options(zone or zone_of(schema), standard_only=standard_only)

    def found() -> list[Diagnostic]:
        return check(sql, catalog_of(schema, parameters), dialect, options)

    try:
        return found()
    except (RecursionError, DecodeError):
        return without_limit(found)


def explain(plan: Any, *, dialect: Dialect = "spark") -> str:
    """The plan as a tree of relations, with the name and type of each column. dialect: as in `render`."""
    return outline(wire.read(plan), load(dialect))


def upgrade(plan: Any) -> Any:
    """The plan in today's wire form, as a ``substrait.proto.Plan``."""
    return wire.to_message(wire.read(plan).plan)


def to_plan(
    sql: str,
    *,
    schema: Any,
    dialect: str = "spark",
    parameters: Mapping[str, Any] | None = None,
    zone: str | None = None,
    steps_out: bool = False,
    standard_only: bool = False,
    inline: bool = False,
) -> Any:
    """The plan of a statement of Spark SQL, as a ``substrait.proto.Plan``.

    schema: the columns of the tables: a mapping (``{"t": {"id": "INT NOT NULL", "name": "STRING"}}``), a JSON or YAML
    file, a folder of Parquet tables, a Spark session. parameters: the types of parameters, by name. zone: where the
    session is, for timestamps without a zone; that of the session given, else UTC. steps_out: write outer references as
    a number of subqueries, as older consumers want. standard_only: refuse what only Spark's own functions say. inline:
    write common table expressions at each of their uses, for consumers that read one relation only.
    Raises `SqlError` with the place in the text.
    """
    from substrait_sql.lift import statement
    from substrait_sql.lift.schemas.of import catalog_of, zone_of

    catalog = catalog_of(schema, parameters)
    options = statement.Options(zone or zone_of(schema), steps_out, standard_only, inline)

    def lifted() -> Any:
        return wire.to_message(statement.lift(sql, catalog, dialect, options))

    try:
        return lifted()
    except (RecursionError, DecodeError):
        # Deeper than Python or protobuf's reader goes by itself.
        return without_limit(lifted)
