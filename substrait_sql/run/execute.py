"""Runs a plan: renders it, gives the SQL to `spark.sql`, leaves the session as it was found."""

from __future__ import annotations

import logging
import threading
import uuid
import weakref
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from substrait_sql import pipeline
from substrait_sql.errors import ExecutionError, PolicyError
from substrait_sql.run.arguments import checked
from substrait_sql.run.files import recast
from substrait_sql.run.schemas import schema_finder
from substrait_sql.run.settings import applied, check_later, is_connect
from substrait_sql.run.sources import (
    Table,
    available,
    find_table,
    first_line,
    is_frame,
    open_table,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from os import PathLike

    from pyspark.sql import DataFrame, SparkSession

    from substrait_sql.rendered import Rendered, Source, Statement

PREFIX = "__substrait_sql_"
"""How the names of our temporary views begin."""


def execute(
    spark: SparkSession,
    plan: Any,
    *,
    parameters: Mapping[Any, Any] | None = None,
    tables: Mapping[str, Table] | None = None,
    allow_writes: bool = False,
    root: int | None = None,
    dialect: str | PathLike[str] = "spark",
) -> DataFrame | list[DataFrame]:
    """Run a plan on a Spark session and return its rows as a DataFrame.

    spark: a classic or a Spark Connect session.
    plan: anything `render` takes.
    parameters: the value for each dynamic parameter, by its anchor in the plan.
    tables: by name, in any case: a DataFrame, or the path of a Parquet file or folder (``.orc``,
    ``.csv`` and ``.json`` too). Tables that are not given are looked up in the session's catalog.
    allow_writes: run statements that change something. Without it they are refused.
    root: run one root only, by its index in ``Plan.relations``.
    dialect: as in `render`. Functions of your own must be registered on the session.

    A plan with several roots gives a list, in the order of the plan. The temporary views and
    settings that a statement needs are there for that statement alone.

    Raises `ExecutionError` (SS40xx) when a table or parameter is missing or Spark refuses the SQL,
    `PolicyError` for a write that is not allowed, and what `render` raises.
    """
    given = tables or {}
    schema_of = schema_finder(spark, given)
    rendered = pipeline.render(plan, dialect=dialect, schema_of=schema_of)
    _allow(_choose(rendered, root), allow_writes)
    values = _arguments(rendered, parameters or {})
    with _views(spark, rendered, given) as renames:
        if renames:
            rendered = pipeline.render(
                plan, dialect=dialect, table_names=renames, schema_of=schema_of
            )
        # A root of several statements returns what its last one does.
        last = {s.root: _run(spark, s, rendered, values, given) for s in _choose(rendered, root)}
    frames = list(last.values())
    return frames if root is None and len(frames) != 1 else frames[0]


def _choose(rendered: Rendered, root: int | None) -> list[Statement]:
    if root is None:
        return list(rendered.statements)
    chosen = [s for s in rendered.statements if s.root == root]
    if not chosen:
        there = ", ".join(str(s.root) for s in rendered.statements) or "none"
        raise ExecutionError.of(
            "SS4008", f"the plan has no root {root}", "relations", hint=f"roots there are: {there}"
        )
    return chosen


def _allow(statements: list[Statement], allow_writes: bool) -> None:
    for statement in statements:
        if statement.kind not in ("query", "temporary_view") and not allow_writes:
            raise PolicyError.of(
                "SS4014",
                f"the plan would run a statement that changes something ({statement.kind})",
                f"relations[{statement.root}]",
                hint="call execute(..., allow_writes=True) or pass --allow-writes if that is meant",
            )


def marker(anchor: object) -> str:
    """The name of a dynamic parameter in the SQL: ``p3`` for anchor 3."""
    text = str(anchor)
    return text if text.startswith("p") else f"p{text}"


def _arguments(rendered: Rendered, given: Mapping[Any, Any]) -> dict[str, Any]:
    """The arguments of `spark.sql`: all that the plan needs, and no others."""
    needed = {marker(name): value for name, value in rendered.parameters.items()}
    values = {marker(anchor): value for anchor, value in given.items()}
    unknown = [name for name in values if name not in needed]
    if unknown:
        there = ", ".join(name[1:] for name in needed) or "none"
        message = f"the plan has no parameter {', '.join(name[1:] for name in unknown)}"
        raise ExecutionError.of(
            "SS4007", message, hint=f"anchors of the plan's parameters: {there}"
        )
    missing = [name for name in needed if name not in values]
    if missing:
        message = f"no value was given for parameter {', '.join(name[1:] for name in missing)}"
        hint = "pass parameters={ANCHOR: value} or --param ANCHOR=VALUE"
        raise ExecutionError.of("SS4006", message, hint=hint)
    return {name: checked(name, value, needed[name]) for name, value in values.items()}


@contextmanager
def _views(
    spark: SparkSession, rendered: Rendered, tables: Mapping[str, Table]
) -> Iterator[dict[tuple[str, ...], tuple[str, ...]]]:
    """Temporary views over the given tables, under names nobody else has; gone at the end."""
    names: dict[tuple[str, ...], tuple[str, ...]] = {}
    stem = f"{PREFIX}{uuid.uuid4().hex[:12]}"
    try:
        for source in rendered.sources:
            view = f"{stem}_{len(names)}"
            if _made_view(spark, source, tables, rendered.settings, view):
                names[source.key] = (view,)
        yield names
    finally:
        for (view,) in names.values():
            spark.catalog.dropTempView(view)


def _made_view(
    spark: SparkSession,
    source: Source,
    tables: Mapping[str, Table],
    settings: Mapping[str, str],
    view: str,
) -> bool:
    """Makes a view of what to read instead of what the SQL names; whether that was needed."""
    files = bool(source.reader) or source.view is not None
    table = None if files else find_table(source, tables)
    if not files and (table is None or is_frame(table)):
        # A DataFrame of the caller's means what it does in the session as the caller has it.
        if table is not None:
            open_table(spark, source, table).createOrReplaceTempView(view)
        return table is not None
    with applied(spark, settings), _unlogged():
        frame = open_table(spark, source, table) if table is not None else recast(spark, source)
        if frame is not None:
            frame.createOrReplaceTempView(view)
        return frame is not None


def _run(
    spark: SparkSession,
    statement: Statement,
    rendered: Rendered,
    values: Mapping[str, Any],
    tables: Mapping[str, Table],
) -> DataFrame:
    used = {name: value for name, value in values.items() if f":{name}" in statement.sql}
    try:
        with applied(spark, rendered.settings), _unlogged():
            check_later(spark, statement)
            frame = spark.sql(statement.sql, args=used) if used else spark.sql(statement.sql)
            if statement.kind == "query" and is_connect(spark):
                return _pinned(spark, frame)
            return frame
    except ExecutionError:
        raise
    except Exception as error:
        raise _engine_error(spark, error, statement, rendered, tables) from error


@contextmanager
def _unlogged() -> Iterator[None]:
    """Keep pyspark from printing a stack trace for an error that we turn into one of ours."""
    from pyspark.logger import PySparkLogger

    logger = PySparkLogger.getLogger("SQLQueryContextLogger")
    level = logger.level
    logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        logger.setLevel(level)


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


def _engine_error(
    spark: SparkSession,
    error: Exception,
    statement: Statement,
    rendered: Rendered,
    tables: Mapping[str, Table],
) -> ExecutionError:
    if condition(error) == "TABLE_OR_VIEW_NOT_FOUND":
        named = [s for s in rendered.sources if not s.reader and s.view is None]
        missing = [s for s in named if not _in_catalog(spark, s, tables)]
        if missing:
            return _missing(spark, missing[0], tables)
    path = f"relations[{statement.root}]"
    if "java.lang.StackOverflowError" in str(error):
        return ExecutionError.of(
            "SS4022",
            "the query is nested too deeply for the stack that this Spark's driver has",
            path,
            hint="start the driver with spark.driver.extraJavaOptions=-Xss32m, as local_session() does",
        )
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
    return ExecutionError.of(
        "SS4009",
        f"Spark refuses the SQL: {first_line(error)}",
        path,
        hint="see the SQL with render",
    )


def condition(error: BaseException) -> str | None:
    """Spark's name for an error, such as ``DIVIDE_BY_ZERO``; None for other errors."""
    get = getattr(error, "getCondition", None)
    found = get() if callable(get) else None
    return found if isinstance(found, str) else None


def _in_catalog(spark: SparkSession, source: Source, tables: Mapping[str, Table]) -> bool:
    if find_table(source, tables) is not None:
        return True
    name = ".".join("`" + part.replace("`", "``") + "`" for part in source.names)
    try:
        return spark.catalog.tableExists(name)
    except Exception:
        return False  # a catalog or schema that is not there either


def _missing(spark: SparkSession, source: Source, tables: Mapping[str, Table]) -> ExecutionError:
    try:
        catalog = [t.name for t in spark.catalog.listTables() if not t.name.startswith(PREFIX)]
    except Exception:
        catalog = []
    return ExecutionError.of(
        "SS4003",
        f"the plan reads the table {'.'.join(source.names)}, which is not there; "
        f"tables there are: {available(tables, catalog)}",
        source.path,
        hint="give it with --tables DIR or --table NAME=PATH; "
        "in Python: execute(..., tables={name: DataFrame or path})",
    )


def run_error(error: Exception) -> ExecutionError:
    """An error of the engine while rows are made, as one of ours."""
    if isinstance(error, ExecutionError):
        return error
    return ExecutionError.of("SS4010", f"Spark failed while running the SQL: {first_line(error)}")
