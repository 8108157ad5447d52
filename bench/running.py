"""Spark's time for our texts, beside those that a person wrote."""

from __future__ import annotations

import statistics
import threading
import time
from typing import TYPE_CHECKING, Any, NamedTuple

import substrait_sql
from tests.support import rows, run

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

    from pyspark.sql import SparkSession


# Seconds until Spark has written down what the last stage took.
_LISTENED = 0.15


class Spent(NamedTuple):
    """Seconds by the clock, and of the processor: the driver's thread, which plans, and all tasks.

    Those of the processor are nearly the same on a machine that has other work.
    """

    clock: float = 0.0
    processor: float = 0.0

    def plus(self, other: Spent) -> Spent:
        """Both together."""
        return Spent(self.clock + other.clock, self.processor + other.processor)


class Ran(NamedTuple):
    """Medians, 0 where Spark was too slow for one of the texts or refused it: then `rows` says so.

    Else it says whether both return the same.
    """

    name: str
    ours: Spent
    theirs: Spent
    rows: str


class NotRun(Exception):
    """Spark was stopped, or failed."""


def ran(
    cases: Iterable[tuple[str, str, str]],
    files: Mapping[str, Path],
    repeat: int,
    limit: float,
    progress: Callable[[str], None],
) -> Iterator[Ran]:
    """The pairs of texts, (name, ours, the one by hand), over tables in Parquet files.

    Each text runs once to be warm, then `repeat` times, the two by turns. limit: seconds for one run.
    """
    spark = substrait_sql.local_session(
        "local[2]",
        {
            "spark.sql.shuffle.partitions": "2",
            "spark.driver.memory": "3g",
            "spark.ui.retainedStages": "200",
        },
    )
    for name, path in files.items():
        spark.read.parquet(str(path)).createOrReplaceTempView(name)
    for name, ours, theirs in cases:
        progress(f"run {name}")
        try:
            found = _pair(spark, name, ours, theirs, repeat, limit)
        except NotRun as why:
            found = Ran(name, Spent(), Spent(), str(why))
        yield found
    spark.stop()


def _pair(spark: SparkSession, name: str, ours: str, theirs: str, repeat: int, limit: float) -> Ran:
    returned: list[list[tuple[Any, ...]]] = []
    for whose, text in (("ours", ours), ("by hand", theirs)):  # warm
        _within(spark, limit, whose, lambda t=text: returned.append(run.collect(spark.sql(t))))
    same = "DIFFERENT ROWS" if rows.difference(returned[0], returned[1]) else "same"
    spent: dict[str, list[Spent]] = {"ours": [], "by hand": []}
    for turn in range(repeat):  # alternating, each first every other time
        for whose, text in (("ours", ours), ("by hand", theirs))[:: 1 if turn % 2 == 0 else -1]:
            before = _mark(spark)
            clock = _within(spark, limit, whose, lambda t=text: _drain(spark, t))  # type: ignore[misc]
            spent[whose].append(Spent(clock, _processor(spark, before)))
    return Ran(name, *map(_median, (spent["ours"], spent["by hand"])), same)


def _median(runs: list[Spent]) -> Spent:
    return Spent(*map(statistics.median, zip(*runs, strict=True)))


def _drain(spark: SparkSession, text: str) -> None:
    spark.sql(text).write.format("noop").mode("overwrite").save()


class _Mark(NamedTuple):
    """thread: nanoseconds of the driver's thread so far. stage: the last one so far."""

    thread: int
    stage: int


def _mark(spark: SparkSession) -> _Mark:
    return _Mark(_thread(spark), max((s.stageId() for s in _stages(spark)), default=-1))


def _processor(spark: SparkSession, since: _Mark) -> float:
    """The seconds of the processor since then."""
    thread = _thread(spark) - since.thread
    time.sleep(_LISTENED)
    tasks = (s.executorCpuTime() for s in _stages(spark) if s.stageId() > since.stage)
    return (thread + sum(tasks)) / 1e9


def _thread(spark: SparkSession) -> int:
    """Nanoseconds of the driver's thread. Whatever one thread of Python asks for, one thread of Java does."""
    java: Any = spark._jvm
    beans = java.java.lang.management.ManagementFactory
    return int(beans.getThreadMXBean().getCurrentThreadCpuTime())


def _stages(spark: SparkSession) -> list[Any]:
    """The stages so far."""
    java: Any = spark._jvm
    context: Any = spark.sparkContext
    no_quantiles = context._gateway.new_array(java.double, 0)
    store = context._jsc.sc().statusStore()
    found = store.stageList(None, False, False, no_quantiles, java.java.util.ArrayList())
    return list(java.scala.jdk.javaapi.CollectionConverters.asJava(found))


def _within(spark: SparkSession, limit: float, whose: str, work: Callable[[], object]) -> float:
    """The seconds that the work takes. Raises `NotRun` where Spark fails or has to be stopped."""
    stopped = threading.Event()

    def stop() -> None:
        stopped.set()
        spark.sparkContext.cancelAllJobs()

    timer = threading.Timer(limit, stop)
    timer.start()
    start = time.perf_counter()
    try:
        work()
    except Exception as error:
        said = next(iter(str(error).strip().splitlines()), type(error).__name__)
        why = f"more than {limit:g} s" if stopped.is_set() else said[:60]
        raise NotRun(f"{whose}: {why}") from error
    finally:
        timer.cancel()
    return time.perf_counter() - start
