"""The settings that a statement relies on, in a session that may have others."""

from __future__ import annotations

import importlib.util
import logging
import threading
import uuid
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from substrait_sql.errors import ExecutionError
from substrait_sql.run.spark_errors import ours
from substrait_sql.run.turns import Turn, set_all, settings_of, unset_all

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from pyspark.sql import SparkSession

    from substrait_sql.dialect.settings import Settings
    from substrait_sql.rendered import Statement

# Settings belong to the session: two threads that run plans on one session must not see each
# other's.
_SETTINGS = threading.RLock()

# The turns of this process at sessions that others may have too, by the session's id.
_TURNS: dict[str, Turn] = {}

_ATTEMPT = "mapreduce.job.application.attempt.id"
_ATTEMPT_CUT = 128 - 31
"""Hadoop takes it for a number of 31 bits."""


@contextmanager
def turn(spark: SparkSession) -> Iterator[None]:
    """Within, no other plan has settings of its own on the session: in no thread, and in no process that has it too.

    Raises `ExecutionError` SS4035 where another process has taken this one for gone.
    """
    with _SETTINGS:
        if not is_connect(spark) or _id(spark) in _TURNS:
            yield
            return
        own = _TURNS[_id(spark)] = Turn(spark)
        try:
            own.take()
            yield
            own.check()
        finally:
            del _TURNS[_id(spark)]
            own.leave()


def _id(spark: Any) -> str:
    return str(spark.session_id)


@contextmanager
def applied(
    spark: SparkSession, settings: Mapping[str, str], defaults: Mapping[str, str] | None = None
) -> Iterator[None]:
    """The settings a statement relies on; then again what was there, unset where it was unset.

    defaults: those that Spark has by itself, which need not be set.

    Raises `ExecutionError` SS4012 for one that the session does not take, SS4035 where somebody else has changed one
    within.
    """
    if not settings:
        yield
        return
    with turn(spark):
        current = _current(spark, settings)
        wanted = {k: v for k, v in settings.items() if not _has(current[k], v, k, defaults or {})}
        before: dict[str, str | None] = {}
        try:
            _change(spark, wanted, current, before)
            yield
            if is_connect(spark):
                _check_same(spark, settings, defaults or {})
        finally:
            _set_back(spark, before)


def _has(current: str | None, value: str, key: str, defaults: Mapping[str, str]) -> bool:
    return current == value or (current is None and defaults.get(key) == value)


def _change(
    spark: SparkSession,
    settings: Mapping[str, str],
    current: Mapping[str, str | None],
    before: dict[str, str | None],
) -> None:
    """Sets them; before: gets what each was that may be another now.

    Raises `ExecutionError` SS4012 for one that the session does not take.
    """
    if settings and is_connect(spark):
        before.update({key: current[key] for key in settings})
        try:
            set_all(spark, settings)  # one request; each key alone would be one
            return
        except Exception:
            before.clear()  # which of them it is shows below
    for key, value in settings.items():
        set_one(spark, key, value)
        before[key] = current[key]


def set_one(spark: Any, key: str, value: str) -> None:
    """Sets it. Raises `ExecutionError` SS4012 where the session does not take it."""
    try:
        spark.conf.set(key, value)
    except Exception as error:
        what = f"the session does not take the setting {key}={value}"
        raise ours(error, "SS4012", what) from error


def _set_back(spark: SparkSession, before: Mapping[str, str | None]) -> None:
    kept = {key: old for key, old in before.items() if old is not None}
    unset = [key for key, old in before.items() if old is None]
    if is_connect(spark):
        if kept:
            set_all(spark, kept)
        if unset:
            unset_all(spark, unset)
        return
    for key, old in kept.items():
        spark.conf.set(key, old)
    for key in unset:
        spark.conf.unset(key)


def _check_same(
    spark: SparkSession, settings: Mapping[str, str], defaults: Mapping[str, str]
) -> None:
    """Raises SS4035 if these have other values by now: not every process with the same session waits for its turn."""
    everything = settings_of(spark)
    _TURNS[_id(spark)].check_in(everything)
    current = {key: everything.get(key) for key in settings}
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
        everything = settings_of(spark)  # one request; each key alone would be one
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
    late = {setting.name: setting for setting in known.late(statement.sql)}
    for key, value in _current(spark, late).items():
        if late[key].spoils(value):
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
