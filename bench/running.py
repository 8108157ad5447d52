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


class Ran(NamedTuple):
    """Medians in seconds, 0 where Spark was too slow for one of the texts or refused it: then `rows` says so.

    Else it says whether both return the same.
    """

    name: str
    ours: float
    theirs: float
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
        "local[2]", {"spark.sql.shuffle.partitions": "2", "spark.driver.memory": "3g"}
    )
    for name, path in files.items():
        spark.read.parquet(str(path)).createOrReplaceTempView(name)
    for name, ours, theirs in cases:
        progress(f"run {name}")
        try:
            found = _pair(spark, name, ours, theirs, repeat, limit)
        except NotRun as why:
            found = Ran(name, 0.0, 0.0, str(why))
        yield found
    spark.stop()


def _pair(spark: SparkSession, name: str, ours: str, theirs: str, repeat: int, limit: float) -> Ran:
    returned: list[list[tuple[Any, ...]]] = []
    for whose, text in (("ours", ours), ("by hand", theirs)):  # warm
        _within(spark, limit, whose, lambda t=text: returned.append(run.collect(spark.sql(t))))
    same = "DIFFERENT ROWS" if rows.difference(returned[0], returned[1]) else "same"
    spent: dict[str, list[float]] = {"ours": [], "by hand": []}
    for turn in range(repeat):  # alternating, each first every other time
        for whose, text in (("ours", ours), ("by hand", theirs))[:: 1 if turn % 2 == 0 else -1]:
            work = lambda t=text: _drain(spark, t)  # type: ignore[misc]  # noqa: E731
            spent[whose].append(_within(spark, limit, whose, work))
    return Ran(name, statistics.median(spent["ours"]), statistics.median(spent["by hand"]), same)


def _drain(spark: SparkSession, text: str) -> None:
    spark.sql(text).write.format("noop").mode("overwrite").save()


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
