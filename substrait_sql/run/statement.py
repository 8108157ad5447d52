"""One statement of a plan, given to `spark.sql`."""

from __future__ import annotations

import threading
import uuid
import weakref
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from substrait_sql.errors import ExecutionError
from substrait_sql.run.seen.frames import Made
from substrait_sql.run.seen.nodes import node_of
from substrait_sql.run.seen.steps import step
from substrait_sql.run.settings import applied, check_later, is_connect, own_attempt, unlogged
from substrait_sql.run.spark_errors import ours
from substrait_sql.run.tables.sources import condition, find_table
from substrait_sql.run.tables.views import PREFIX, missing

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyspark.sql import DataFrame, SparkSession

    from substrait_sql.dialect.dialect import Dialect
    from substrait_sql.rendered import Rendered, Source, Statement
    from substrait_sql.run.tables.given import Given
    from substrait_sql.run.tables.sources import Table


def run_statement(
    spark: SparkSession,
    statement: Statement,
    rendered: Rendered,
    name: str,
    values: Mapping[str, Any],
    tables: Given,
    dialect: Dialect,
) -> DataFrame:
    """Gives a statement to Spark, and returns its rows.

    rendered: what it is part of. name: what the plan is called. values: of its parameters.

    Raises `ExecutionError` for what Spark does not take.
    """
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
