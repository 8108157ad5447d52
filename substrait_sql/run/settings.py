"""The settings that a statement relies on, in a session that may have others."""

from __future__ import annotations

import importlib.util
import logging
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

from substrait_sql.errors import ExecutionError
from substrait_sql.run.spark_errors import ours

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from pyspark.sql import SparkSession

    from substrait_sql.dialect.settings import Settings
    from substrait_sql.rendered import Statement

# Settings belong to the session: two threads that run plans on one session must not see each
# other's.
_SETTINGS = threading.RLock()


@contextmanager
def applied(
    spark: SparkSession, settings: Mapping[str, str], defaults: Mapping[str, str] | None = None
) -> Iterator[None]:
    """The settings a statement relies on; then again what was there, unset where it was unset.

    defaults: those that Spark has by itself, which need not be set.
    """
    before: dict[str, str | None] = {}
    if not settings:
        yield
        return
    with _SETTINGS:
        try:
            current = _current(spark, settings)
            for key, value in settings.items():
                was = current[key]
                if was == value or (was is None and (defaults or {}).get(key) == value):
                    continue
                try:
                    spark.conf.set(key, value)
                except Exception as error:
                    what = f"the session does not take the setting {key}={value}"
                    raise ours(error, "SS4012", what) from error
                before[key] = was
            yield
        finally:
            for key, old in before.items():
                if old is None:
                    spark.conf.unset(key)
                else:
                    spark.conf.set(key, old)


def _current(spark: SparkSession, keys: Iterable[str]) -> dict[str, str | None]:
    """What the session has set these to, None where it has not."""
    if is_connect(spark):
        everything = spark.conf.getAll  # one request; each key alone would be one
        return {key: everything.get(key) for key in keys}
    return {key: spark.conf.get(key, None) for key in keys}


def check_later(spark: SparkSession, statement: Statement, known: Settings) -> None:
    """Refuses a session whose settings would change the rows when they are made, long after this call.

    known: the settings of the dialect.
    """
    wrong = known.harmful(statement.sql)
    for key, value in _current(spark, wrong).items():
        if value is not None and value.upper() == wrong[key].upper():
            raise ExecutionError.of(
                "SS4021",
                f"the session has {key}={value}, which gives other rows",
                f"relations[{statement.root}]",
                hint=f"Spark reads it when rows are made: unset it until then, spark.conf.unset({key!r})",
            )


def query_logger(name: str) -> logging.Logger | None:
    """The logger in which pyspark tells of failed queries; None before Spark 4, which has none."""
    if importlib.util.find_spec("pyspark.logger") is None:
        return None
    from pyspark.logger import PySparkLogger

    return PySparkLogger.getLogger(name)


@contextmanager
def unlogged() -> Iterator[None]:
    """Keep pyspark from printing a stack trace for an error that we turn into one of ours."""
    logger = query_logger("SQLQueryContextLogger")
    if logger is None:
        yield
        return
    level = logger.level
    logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        logger.setLevel(level)


def is_connect(spark: object) -> bool:
    """Whether `spark` is a Spark Connect session."""
    return type(spark).__module__.startswith("pyspark.sql.connect")
