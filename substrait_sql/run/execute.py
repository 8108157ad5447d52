"""Runs a plan: renders it, gives the SQL to `spark.sql`, leaves the session as it was found."""

from __future__ import annotations

import threading
import uuid
import weakref
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias, overload

from substrait_sql import pipeline
from substrait_sql.arguments import expect, expect_session
from substrait_sql.dialect import load
from substrait_sql.errors import ExecutionError, PolicyError, SubstraitSqlError
from substrait_sql.policy.hold import hold_plan, hold_sql
from substrait_sql.policy.policy import Policy
from substrait_sql.run import returning, rewrite, shared
from substrait_sql.run.files.data_sources import check_package
from substrait_sql.run.parameters import arguments
from substrait_sql.run.release import check_release
from substrait_sql.run.seen.frames import Made
from substrait_sql.run.seen.nodes import node_of
from substrait_sql.run.seen.steps import name_within, rendering, step
from substrait_sql.run.settings import applied, check_later, is_connect, own_attempt, turn, unlogged
from substrait_sql.run.spark_errors import as_ours, ours
from substrait_sql.run.tables.columns import Wanted
from substrait_sql.run.tables.given import Given
from substrait_sql.run.tables.present import table_finder
from substrait_sql.run.tables.schemas import schema_finder
from substrait_sql.run.tables.sources import condition, find_table
from substrait_sql.run.tables.views import PREFIX, missing, views
from substrait_sql.text.rewrite import STEPS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from os import PathLike

    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.connect.session import SparkSession as ConnectSession

    from substrait_sql.dialect.dialect import Dialect
    from substrait_sql.rendered import Rendered, Source, Statement
    from substrait_sql.run.staging import Files
    from substrait_sql.run.tables.sources import Table

Session: TypeAlias = "SparkSession | ConnectSession"
"""A classic session, or one on a Spark Connect server."""


@overload
def execute(
    spark: Session,
    plan: Any,
    *,
    parameters: Mapping[Any, Any] | None = None,
    tables: Mapping[str, Any] | None = None,
    allow_writes: bool = False,
    check_nulls: bool = False,
    root: None = None,
    dialect: str | PathLike[str] = "spark",
    policy: Policy | None = None,
) -> DataFrame | Any: ...


@overload
def execute(
    spark: Session,
    plan: Any,
    *,
    parameters: Mapping[Any, Any] | None = None,
    tables: Mapping[str, Any] | None = None,
    allow_writes: bool = False,
    check_nulls: bool = False,
    root: int,
    dialect: str | PathLike[str] = "spark",
    policy: Policy | None = None,
) -> DataFrame: ...


@as_ours("preparing the plan")
def execute(
    spark: Any,
    plan: Any,
    *,
    parameters: Mapping[Any, Any] | None = None,
    tables: Mapping[str, Any] | None = None,
    allow_writes: bool = False,
    check_nulls: bool = False,
    root: int | None = None,
    dialect: str | PathLike[str] = "spark",
    policy: Policy | None = None,
) -> DataFrame | list[DataFrame]:
    """Run a plan on a Spark session and return its rows as a DataFrame.

    spark: a classic or a Spark Connect session.
    plan: anything `render` takes.
    parameters: the value for each dynamic parameter, by its anchor in the plan: ``{1: 10}``.
    tables: by name, in any case: a DataFrame of Spark or pandas, a table of Arrow, or the path of a
    Parquet file or folder (``.orc``, ``.csv`` and ``.json`` too). Tables that are not given are looked
    up in the session's catalog. Columns of other types than the plan's are cast where that keeps
    every value, else refused.
    allow_writes: run statements that change something. Without it they are refused.
    check_nulls: make a NULL an error, when rows are made, where the plan says that a table has none.
    root: run one root only, by its index in ``Plan.relations``.
    dialect: as in `render`. Functions of your own must be registered on the session.
    policy: what the plan may do. It is held against that before anything is asked of the session; writes need
    ``allow_writes`` besides.

    A plan with several roots gives a list, in the order of the plan. No type can tell how many roots
    a plan has, so that without ``root`` the result is typed as a DataFrame that may be anything else.
    The temporary views and settings that a statement needs are there for that statement alone.

    Raises `ExecutionError` (SS40xx) when a table (SS4003) or parameter is missing, a table does not hold
    what the plan declares (SS4016), Spark refuses the SQL (SS4009), or the session is older than the
    dialect (SS4028); `PolicyError` for a write that is not allowed (SS4014) and for what the policy does
    not allow (SS4061 to SS4067); `ArgumentError` for arguments of another kind; and what `render` raises.
    What fails when rows are made is pyspark's own error, as of any DataFrame.

    >>> from substrait_sql import demo, execute, local_session
    >>> spark = local_session()
    >>> tables = {path.stem: path for path in demo.TABLES.iterdir()}
    >>> execute(spark, demo.PLAN, tables=tables).first().l_orderkey
    1637
    """
    expect("parameters", parameters, Mapping, "a mapping of anchors to values, such as {1: 10}")
    expect(
        "tables",
        tables,
        Mapping,
        "a mapping of names to tables, such as {'orders': 'orders.parquet'}",
    )
    expect("allow_writes", allow_writes, bool, "True or False")
    expect("root", root, int, "the index of a root in Plan.relations")
    expect("policy", policy, Policy, "a Policy, such as Policy.read('policy.yaml') returns")
    rules = load(dialect)
    file = plan
    if policy is not None:
        plan = hold_plan(plan, policy, rules)
    given = Given(spark, tables or {})
    check_release(spark, rules)
    schema_of = schema_finder(spark, given)
    table_of = table_finder(spark, rules)
    render = partial(pipeline.render, plan, dialect=dialect, schema_of=schema_of, table_of=table_of)
    rendered = rendering(render)
    name = name_within(file, rendered)
    statements = choose(rendered, root)
    allow(statements, allow_writes)
    if policy is not None:
        hold_sql(rendered, policy, rules)
    expect_session(spark)
    formats = rewrite.formats(spark, rendered, statements, rules)
    run = ""
    if formats:
        render, run = partial(render, target_format=formats), uuid.uuid4().hex[:8]
        rendered = render(run=run)
        statements = choose(rendered, root)
    values = arguments(rendered.parameters, parameters or {})
    run_one = partial(_run, spark, name=name, values=values, tables=given, dialect=rules)
    last: dict[int, DataFrame] = {}
    records: set[int] = set()
    seen: dict[int, Files] = {}
    if formats:
        same = rewrite.named(rendered, rendered, values)
        for each, there in rewrite.unfinished(spark, choose(same, root), rules).items():
            now = rewrite.named(render(run=there.run), rendered, values)
            steps = [s for s in now.statements if s.root == each and s.kind in STEPS]
            step_one = partial(run_one, rendered=now)
            last[each] = rewrite.finish(spark, steps, there, step_one, rules)
        if last.keys() == {s.root for s in statements}:
            return last[root] if root is not None else _one_or_all(list(last.values()))
        seen = rewrite.check(spark, rendered, statements, given, rules)
    # What tables are, too, depends on the settings that the caller has: of the caller's own frames and zone.
    with (
        turn(spark),
        views(
            spark,
            rendered,
            statements,
            given,
            wanted_of(spark, statements, rules, check_nulls),
        ) as renames,
    ):
        first = rendered
        if renames:
            rendered = render(table_names=renames, run=run)
        rendered = rewrite.named(rendered, first, values)
        run_one = partial(run_one, rendered=rendered)
        # A root of several statements returns what its last one does.
        finished = frozenset(last)
        chosen = [s for s in choose(rendered, root) if s.root not in finished]
        for s in chosen:
            if s.root in records:
                continue
            if own := returning.steps_of(s, chosen):
                last[s.root] = returning.run(own, run_one)
                records.add(s.root)
            elif s.kind not in STEPS:
                last[s.root] = run_one(s)
            elif s.kind == STEPS[0]:
                steps = [x for x in chosen if x.root == s.root and x.kind in STEPS]
                last[s.root] = rewrite.run(spark, steps, run, seen.get(s.root), run_one, rules)
        shared.note([last[s.root] for s in chosen], chosen, run_one, rules.target.grammar)
    frames = [last[s] for s in dict.fromkeys(s.root for s in statements)]
    return frames[0] if root is not None else _one_or_all(frames)


def _one_or_all(frames: list[DataFrame]) -> DataFrame | list[DataFrame]:
    return frames[0] if len(frames) == 1 else frames


def foresee(
    rendered: Rendered, parameters: Mapping[Any, Any], root: int | None, allow_writes: bool
) -> None:
    """Raises what `execute` would raise about these options before it asks the session for anything."""
    allow(choose(rendered, root), allow_writes)
    arguments(rendered.parameters, parameters)
    for source in rendered.sources:
        if source.view is not None:
            check_package(source.view.using, source.path)


def choose(rendered: Rendered, root: int | None) -> list[Statement]:
    """The statements of a root, all if none is named. Raises `ExecutionError` SS4008 for one that is not there."""
    if root is None:
        return list(rendered.statements)
    chosen = [s for s in rendered.statements if s.root == root]
    if not chosen:
        there = ", ".join(str(s.root) for s in rendered.statements) or "none"
        raise ExecutionError.of(
            "SS4008", f"the plan has no root {root}", "relations", hint=f"roots there are: {there}"
        )
    return chosen


def allow(statements: list[Statement], allow_writes: bool) -> None:
    """Raises `PolicyError` SS4014 for a statement that changes something, if that is not allowed."""
    for statement in statements:
        if statement.kind not in ("query", "temporary_view") and not allow_writes:
            raise PolicyError.of(
                "SS4014",
                f"the plan would run a statement that changes something ({statement.kind})",
                f"relations[{statement.root}]",
                hint="call execute(..., allow_writes=True) or pass --allow-writes if that is meant",
            )


def wanted_of(
    spark: Any, statements: Sequence[Statement], dialect: Dialect, check_nulls: bool = False
) -> Wanted:
    """What the statements want of the tables that they read."""
    text = "\n".join(s.sql for s in statements)
    zone = spark.conf.get("spark.sql.session.timeZone") or ""
    return Wanted(text, dialect, _type_text(dialect), check_nulls, zone)


def _type_text(dialect: Dialect) -> Callable[[Any], str]:
    """The SQL of a Substrait type, empty where the dialect has none."""

    def text(type: Any) -> str:
        try:
            return dialect.sql_type(type)
        except SubstraitSqlError:
            return ""

    return text


def _run(
    spark: SparkSession,
    statement: Statement,
    rendered: Rendered,
    name: str,
    values: Mapping[str, Any],
    tables: Given,
    dialect: Dialect,
) -> DataFrame:
    with step(spark, Made(name, statement, rendered, tables.paths)) as taken:
        taken.frame = frame = _sql(spark, statement, rendered, values, tables, dialect)
        return frame


def _sql(
    spark: SparkSession,
    statement: Statement,
    rendered: Rendered,
    values: Mapping[str, Any],
    tables: Mapping[str, Table],
    dialect: Dialect,
) -> DataFrame:
    known = dialect.settings
    used = {name: value for name, value in values.items() if f":{name}" in statement.sql}
    try:
        settings = rendered.settings
        if statement.kind == "insert":
            settings = {**settings, **own_attempt()}
        with applied(spark, settings, known.defaults), unlogged():
            check_later(spark, statement, known)
            frame = spark.sql(statement.sql, args=used) if used else spark.sql(statement.sql)
            if statement.kind == "query" and is_connect(spark):
                frame = _pinned(spark, frame)
        return frame
    except ExecutionError:
        raise
    except Exception as error:
        raise engine_error(spark, error, statement, rendered, tables) from error


def _pinned(spark: SparkSession, frame: DataFrame) -> DataFrame:
    """The frame with its analysis fixed as of now.

    A Connect client keeps the SQL text, and the server analyses it again at every action: after our
    views and settings are gone. A temporary view over the frame keeps the analysed plan; it lives
    as long as any frame made from the result does.
    """
    view = f"{PREFIX}{uuid.uuid4().hex[:12]}"
    frame.createOrReplaceTempView(view)
    result = spark.table(view)
    # Frames made from this one hold on to its plan, so the plan's end is the view's end.
    plan = result._plan
    weakref.finalize(plan, _drop_later, weakref.ref(spark), view).atexit = False
    return result


def _drop_later(session: weakref.ref[SparkSession], view: str) -> None:
    # The collector may call this in the middle of another request: a request of our own needs
    # another thread.
    threading.Thread(target=_drop, args=(session, view), daemon=True).start()


def _drop(session: weakref.ref[SparkSession], view: str) -> None:
    spark = session()
    if spark is not None:
        with suppress(Exception):  # the session may have ended, and the view with it
            spark.catalog.dropTempView(view)


def engine_error(
    spark: SparkSession,
    error: Exception,
    statement: Statement,
    rendered: Rendered,
    tables: Mapping[str, Table],
) -> ExecutionError:
    """What Spark says of a statement that it does not take, as an error of ours."""
    if condition(error) == "TABLE_OR_VIEW_NOT_FOUND":
        named = [s for s in rendered.sources if not s.reader and s.view is None]
        absent = [s for s in named if not _in_catalog(spark, s, tables)]
        if absent:
            return missing(spark, absent[0], tables)
    path = node_of(error, statement, rendered)
    if condition(error) in ("UNRESOLVED_ROUTINE", "ROUTINE_NOT_FOUND"):
        get = getattr(error, "getMessageParameters", None)
        found: Any = get() if callable(get) else None
        routine = str((found or {}).get("routineName", "")).replace("`", "")
        return ExecutionError.of(
            "SS4019",
            f"the session has no function {routine or 'of that name'}, which the SQL calls",
            path,
            hint="register it before: spark.udf.register(name, function), CREATE TEMPORARY FUNCTION, "
            "or --init FILE.sql",
        )
    return ours(error, "SS4009", "Spark refuses the SQL", path, hint="see the SQL with render")


def _in_catalog(spark: SparkSession, source: Source, tables: Mapping[str, Table]) -> bool:
    if find_table(source, tables) is not None:
        return True
    name = ".".join("`" + part.replace("`", "``") + "`" for part in source.names)
    try:
        return spark.catalog.tableExists(name)
    except Exception:
        return False  # a catalog or schema that is not there either
