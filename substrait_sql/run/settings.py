"""The settings that a statement relies on, in a session that may have others."""

from __future__ import annotations

import importlib.util
import logging
import threading
import uuid
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

_ATTEMPT = "mapreduce.job.application.attempt.id"
_ATTEMPT_CUT = 128 - 31
"""Hadoop takes it for a number of 31 bits."""


@contextmanager
def applied(
    spark: SparkSession, settings: Mapping[str, str], defaults: Mapping[str, str] | None = None
) -> Iterator[None]:
    """The settings a statement relies on; then again what was there, unset where it was unset.

    defaults: those that Spark has by itself, which need not be set.

    Raises `ExecutionError` SS4012 for one that the session does not take, SS4035 where somebody else has changed one
    within.
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
            if is_connect(spark):
                _check_same(spark, settings, defaults or {})
        finally:
            for key, old in before.items():
                if old is None:
                    spark.conf.unset(key)
                else:
                    spark.conf.set(key, old)


def _check_same(
    spark: SparkSession, settings: Mapping[str, str], defaults: Mapping[str, str]
) -> None:
    """Raises SS4035 if these have other values by now: our lock holds no other process with the same session."""
    current = _current(spark, settings)
    changed = [k for k, v in settings.items() if (current[k] or defaults.get(k)) != v]
    if changed:
        raise ExecutionError.of(
            "SS4035",
            f"somebody else has changed {', '.join(changed)} of this session while a statement relied on it",
            hint="give each process a session of its own: another session_id, or none",
        )


def _current(spark: SparkSession, keys: Iterable[str]) -> dict[str, str | None]:
    """What the session has set these to, None where it has not."""
    if is_connect(spark):
        everything = spark.conf.getAll  # one request; each key alone would be one
        return {key: everything.get(key) for key in keys}
    return {key: spark.conf.get(key, None) for key in keys}


def own_attempt() -> dict[str, str]:
    """What a statement that adds rows relies on, so that it adds no others.

    Tasks put their files below ``_temporary/0`` of a table, and the driver moves what is there in the end: of a run
    that was killed, too. Under a number of its own there are the files of this one alone.
    """
    return {_ATTEMPT: str(uuid.uuid4().int >> _ATTEMPT_CUT)}


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
