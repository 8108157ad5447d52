"""The whole compiler on one screen: each pass is one call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from substrait_sql import wire
from substrait_sql.arguments import expect
from substrait_sql.dialect.calls import refuse_absent
from substrait_sql.dialect.dialect import load
from substrait_sql.errors import Diagnostic, DialectError, SubstraitSqlError
from substrait_sql.lower.plan import find_problems, lower
from substrait_sql.rendered import Rendered, Span, Statement
from substrait_sql.text.generate import generate, generate_mapped
from substrait_sql.text.source_map import all_spans
from substrait_sql.wire.deep import with_room

if TYPE_CHECKING:
    from os import PathLike

    Dialect = str | PathLike[str]

    from substrait_sql.dialect.dialect import Dialect as Rules
    from substrait_sql.lower.context import SchemaFinder
    from substrait_sql.lower.plan import Lowered
    from substrait_sql.lower.writes.alterations import TableFinder
    from substrait_sql.text.source_map import Range


def render(
    plan: Any,
    *,
    dialect: Dialect = "spark",
    statement: str | None = None,
    name: str | Sequence[str] | None = None,
    annotate: bool = False,
    comments: bool = False,
    header: bool = False,
    qualify: str | None = None,
    style: Mapping[str, Any] | None = None,
    table_names: Mapping[tuple[str, ...], tuple[str, ...]] | None = None,
    schema_of: SchemaFinder | None = None,
    open_options: Mapping[str, str] | None = None,
    statement_options: Mapping[str, Any] | None = None,
    templates: Sequence[str | PathLike[str]] = (),
    target_format: str | Mapping[tuple[str, ...], str] | None = None,
    table_of: TableFinder | None = None,
    run: str = "",
) -> Rendered:
    """The SQL of a plan, with everything that belongs to it.

    plan: bytes, JSON or text-format text, a dict, a path, or a protobuf message.
    dialect: a name, or the path of a folder of your own (docs/custom_functions.md); a text with a slash in it is a
    path.
    statement: ``view``, ``table``, ``ctas``, ``insert``, ``overwrite`` or ``merge``, to wrap the query in; None for
    the query itself, or for what the plan itself writes.
    name: of that view or table, as SQL text or as its parts.
    annotate: say in comments which nodes of the plan each line begins with.
    comments: keep what the plan says besides, as comments: who made it, aliases, estimates, texts.
    header: begin with a comment that lists the tables that are read, the columns with their types, the parameters and
    the settings that the text relies on and that an engine has not by default.
    qualify: where a column has its table before it: ``joins`` (in every SELECT of several), ``unprefixed`` (in those,
    unless names begin with letters of their table) or ``needed`` (where its name could mean another column); None for
    what the dialect says (docs/dialects.md).
    style: how the text looks, such as ``{"width": 80, "commas": "leading", "functions": "upper"}`` (docs/dialects.md).
    table_names: other names for tables of the plan, by their name parts in lower case.
    schema_of: a function from the name parts of a table to the types of its columns, ``substrait.proto.Type`` by name
    in lower case, for plans that leave types to the catalog (DataFusion up to 41).
    open_options: values of options of functions that the plan does not name, such as ``{"on_log_zero": "ERROR"}``
    (docs/custom_functions.md).
    statement_options: what is said of the statement, such as ``{"format": "delta", "comment": "…"}``
    (docs/statements.md).
    templates: folders whose statement templates go before the dialect's.
    target_format: the format of the tables that the plan updates or deletes from, such as ``parquet`` or ``delta``, or
    those of several by name parts in lower case: rows of some cannot be changed in place.
    table_of: a function from the name parts of a table to what it is, for plans that alter it (docs/statements.md).
    run: part of the names of tables that are there for one run.

    The text depends on the plan and these arguments alone: not on the machine, the process or the time.

    Raises `DecodeError` for what is no plan, `InvalidPlanError` and `UnsupportedError` for a plan without right SQL,
    `DialectError` for a dialect that is not there or not right. Each names the node of the plan and a code.

    >>> from substrait_sql import demo, render
    >>> rendered = render(demo.PLAN, statement="view", name="sales.top")
    >>> rendered.sql.splitlines()[:2]
    ['CREATE OR REPLACE VIEW sales.top AS', 'SELECT']
    >>> [".".join(source.names) for source in rendered.sources]
    ['customer', 'orders', 'lineitem']
    """
    expect("style", style, Mapping, "a mapping, such as {'width': 80}")
    expect("open_options", open_options, Mapping, "a mapping of options to their values")
    expect("statement_options", statement_options, Mapping, "a mapping of options to their values")
    expect("table_names", table_names, Mapping, "a mapping of name parts to name parts")
    expect("templates", templates, (list, tuple), "a list of folders")
    asked = _Asked(
        plan,
        dialect,
        None if statement is None else (statement, name or "", statement_options),
        tuple(map(Path, templates)),
        {(): target_format} if isinstance(target_format, str) else target_format,
        table_of,
        table_names or {},
        schema_of,
        open_options,
        run,
        comments,
        header,
        qualify,
        style,
    )
    return with_room(partial(_render, asked, annotate))


@dataclass(frozen=True)
class _Asked:
    """What `render` was given. statement: the kind, the name and the options of a statement around the query."""

    plan: Any
    dialect: Dialect
    statement: tuple[str, str | Sequence[str], Mapping[str, Any] | None] | None
    templates: tuple[Path, ...]
    formats: Mapping[tuple[str, ...], str] | None
    table_of: TableFinder | None
    table_names: Mapping[tuple[str, ...], tuple[str, ...]]
    schema_of: SchemaFinder | None
    open_options: Mapping[str, str] | None
    run: str
    comments: bool
    header: bool
    qualify: str | None
    style: Mapping[str, Any] | None


def _render(asked: _Asked, annotate: bool, mapped: bool = False) -> Rendered:
    decoded = wire.read(asked.plan)
    rules = load(asked.dialect)
    rules = rules.opened(asked.open_options) if asked.open_options else rules
    rules = rules.written(asked.qualify, asked.style) if asked.qualify or asked.style else rules
    with_map = annotate or mapped or asked.comments
    lowered = lower(
        decoded,
        rules,
        asked.table_names,
        mapped=with_map,
        schema_of=asked.schema_of,
        formats=asked.formats,
        table_of=asked.table_of,
    )
    said: Mapping[str, Sequence[str]] = {}
    if asked.comments:
        from substrait_sql.plan.comments import comments_of

        said = comments_of(decoded)
    statements, queries = _statements(asked, lowered, rules, annotate, with_map, said)
    settings = rules.settings.with_times if lowered.times else rules.settings.always
    if asked.header:
        from substrait_sql.text.header import with_header

        told = {n: v for n, v in settings.items() if n not in rules.settings.defaults}
        statements = with_header(statements, lowered.sources, lowered.parameters, told)

    def spans() -> tuple[Span, ...]:
        if with_map:
            return all_spans([each.sql for each in statements], queries)
        return with_room(partial(_render, asked, False, True)).spans

    return Rendered(
        tuple(statements),
        sources=lowered.sources,
        parameters=lowered.parameters,
        settings=settings,
        diagnostics=(*decoded.diagnostics, *lowered.diagnostics),
        mapper=spans,
    )


def _statements(
    asked: _Asked,
    lowered: Lowered,
    rules: Rules,
    annotate: bool,
    with_map: bool,
    comments: Mapping[str, Sequence[str]],
) -> tuple[list[Statement], list[tuple[int, str, list[Range]]]]:
    """The statements, and for the source map: which a query is part of, its text, where in that the nodes are."""
    statements: list[Statement] = []
    queries: list[tuple[int, str, list[Range]]] = []
    wanted = None
    if lowered.views or asked.statement or any(root.actions for root in lowered.roots):
        from substrait_sql.text.statement import Statements, Wanted, refuse_lasting_views

        made = Statements(rules, asked.templates, asked.run)
        wanted = Wanted(*asked.statement) if asked.statement is not None else None
        if lowered.views:
            statements += made.temporary_views(lowered.views, lowered.roots[0].index)
    for root in lowered.roots:
        text, before = "", len(statements)
        ranges: list[Range] = []
        if root.query is not None:
            refuse_absent(root.query, rules.builtins, root.index)
        if root.query is not None and with_map:
            text, ranges = generate_mapped(
                root.query, rules.target, lowered.relations, annotate, comments
            )
            # What is said of the plan stands at its first query.
            comments = {path: said for path, said in comments.items() if path}
        elif root.query is not None:
            text = generate(root.query, rules.target)
        if root.actions:
            statements += made.of_actions(root.actions, text, root.index, wanted)
        elif wanted is not None:
            statements += made.around(text, wanted, root.columns, root.index)
        else:
            statements.append(Statement(text, "query", root.index, root.columns))
        if ranges:
            holding = (i for i in range(before, len(statements)) if text in statements[i].sql)
            queries.append((next(holding), text, ranges))
    if lowered.views:
        refuse_lasting_views(statements)
    return statements, queries


def to_sql(plan: Any, *, dialect: Dialect = "spark", **options: Any) -> str:
    """The SQL of a plan as text; several statements are joined by ``;`` and a blank line.

    plan: anything `render` takes.
    dialect: as in `render`.
    options: any other argument of `render`.

    Raises what `render` raises.

    >>> from substrait_sql import to_plan, to_sql
    >>> plan = to_plan("SELECT name FROM people WHERE id = 7", schema={"people": "id INT, name STRING"})
    >>> print(to_sql(plan))
    SELECT
      name
    FROM people
    WHERE
      id = 7
    """
    return render(plan, dialect=dialect, **options).sql


def check(plan: Any, *, dialect: Dialect = "spark") -> list[Diagnostic]:
    """The problems of a plan, all at once; none means that `render` has SQL for it.

    plan: anything `render` takes.
    dialect: as in `render`.

    Never raises on a bad plan: what is no plan at all is one finding. Errors are what `render` would raise, warnings
    and notes say how the plan was read. Raises `DialectError` for a dialect that is not right.

    >>> from substrait_sql import check, demo
    >>> check(demo.PLAN)
    []
    >>> [found.code for found in check(b"no plan")]
    ['SS1004']
    """

    def found() -> list[Diagnostic]:
        decoded = wire.read(plan)
        return [*decoded.diagnostics, *find_problems(decoded, load(dialect))]

    try:
        return with_room(found)
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

    sql: one statement or several.
    schema: as in `to_plan`.
    dialect: as in `to_plan`.
    parameters: as in `to_plan`.
    zone: as in `to_plan`.
    standard_only: as in `to_plan`.

    The path of a diagnostic is the place in the text. Raises `SqlError` SS5010 for a schema that cannot be read, never
    for the text.

    >>> from substrait_sql import check_sql
    >>> for found in check_sql("SELECT nme FROM people", schema={"people": "id INT, name STRING"}):
    ...     print(found)
    SS5004 there is no column nme
      SELECT nme FROM people
             ^^^
      at    line 1, column 8
      hint  did you mean name?
    """
    from substrait_sql.lift.check import check
    from substrait_sql.lift.schemas.of import catalog_of, zone_of
    from substrait_sql.lift.schemas.settings import check_settings
    from substrait_sql.lift.statement import Options

    check_settings(schema, dialect)
    options = Options(zone_of(schema, zone), standard_only=standard_only)

    def found() -> list[Diagnostic]:
        return check(sql, catalog_of(schema, parameters), dialect, options)

    return with_room(found)


def explain(plan: Any, *, dialect: Dialect = "spark") -> str:
    """The plan as a tree of relations, the result first, with the name and type of each column.

    plan: anything `render` takes. One that is refused has its tree, too.
    dialect: as in `render`.

    Raises `DecodeError` for what is no plan.

    >>> from substrait_sql import explain, to_plan
    >>> print(explain(to_plan("SELECT name FROM people WHERE id = 7", schema={"people": "id INT, name STRING"})))
    plan by substrait-sql 0.96.0
    root 0: [name]
      project  nothing; emit 1  -> name: string?
        filter  equal(id, 7)  -> id: i32?, name: string?
          read  people (2 columns)
    """
    from substrait_sql.outline.tree import outline

    return outline(wire.read(plan), load(dialect))


def upgrade(plan: Any) -> Any:
    """The plan in today's wire form, as a ``substrait.proto.Plan``.

    plan: anything `render` takes, of any release of Substrait.

    Raises `DecodeError` for what is no plan, `InvalidPlanError` for an old form that cannot be right, and
    `UnsupportedError` SS1012 for fields that the installed bindings do not know.
    """
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

    sql: one statement, as Spark would read it in ANSI mode.
    schema: the columns of the tables: a mapping (``{"t": {"id": "INT NOT NULL", "name": "STRING"}}``), a JSON or YAML
    file of it, a folder of Parquet tables, a Spark session.
    dialect: a name, as in `render`.
    parameters: the types of parameters, by name: ``{"least": "DECIMAL(10,2)"}`` for ``:least``.
    zone: where the session is, for timestamps without a zone; that of the session given, else UTC.
    steps_out: write outer references as a number of subqueries, as older consumers want.
    standard_only: refuse what only Spark's own functions say.
    inline: write common table expressions at each of their uses, for consumers that read one relation only.

    Raises `SqlError` with the place in the text, without one for a session that reads texts in another way.

    >>> from substrait_sql import to_plan
    >>> plan = to_plan("SELECT upper(name) AS n FROM people", schema={"people": "name STRING"})
    >>> list(plan.relations[0].root.names)
    ['n']
    """
    from substrait_sql.lift import statement
    from substrait_sql.lift.schemas.of import catalog_of, zone_of
    from substrait_sql.lift.schemas.settings import check_settings

    check_settings(schema, dialect)
    options = statement.Options(zone_of(schema, zone), steps_out, standard_only, inline)

    def lifted() -> Any:
        catalog = catalog_of(schema, parameters)
        return wire.to_message(statement.lift(sql, catalog, dialect, options))

    return with_room(lifted)
