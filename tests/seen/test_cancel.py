"""Runs that end early: their jobs are cancelled at once, the error says why, the session is as it was."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from substrait_sql import ExecutionError, execute, running, to_plan
from substrait_sql.run.seen import cancel
from substrait_sql.run.seen.cancel import cancellable, finishing
from substrait_sql.run.seen.signals import Interrupted
from tests.support.jobs import left_of_runs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pyspark.sql import SparkSession

# Queries that are interpreted look seldom whether they are to end.
pytestmark = pytest.mark.usefixtures("compiled")

LONG = "SELECT sum(hash(a.id, b.id)) AS x FROM range(900000000) a JOIN range(900) b ON a.id % 7 <> b.id % 3"
"""Hours of work. A task looks whether it is to end behind a thousand rows of the first table, each with all others:
a second or two, where Java has not compiled the loop."""

SOON = 30
"""Seconds that a busy machine may take for what takes less than one on an idle one."""


def signalled(number: int = signal.SIGINT, after: float = 1.0) -> None:
    """Sends a signal to this process after a while."""
    threading.Timer(after, os.kill, (os.getpid(), number)).start()


def signalled_when(come: Callable[[], bool]) -> None:
    """Sends it as soon as something is so."""
    while not come():
        time.sleep(0.05)
    os.kill(os.getpid(), signal.SIGINT)


def state(spark: SparkSession) -> object:
    """What a run must leave as it was."""
    context = spark.sparkContext
    return (
        context.getJobTags(),
        context.getLocalProperty("spark.job.description"),
        signal.getsignal(signal.SIGINT),
        signal.getsignal(signal.SIGTERM),
        sorted(t.name for t in spark.catalog.listTables()),
    )


@contextmanager
def ends_early(spark: SparkSession, error: type[BaseException]) -> Iterator[Any]:
    """The block ends with such an error, soon; no job is left, and the next statement has its own answer."""
    before, begun = state(spark), time.monotonic()
    with pytest.raises(error) as caught:
        yield caught
    assert time.monotonic() - begun < SOON
    assert spark.sql("SELECT 7 AS x").first().x == 7
    assert state(spark) == before
    deadline = time.monotonic() + SOON
    while left_of_runs(spark) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not left_of_runs(spark)


ACTIONS: dict[str, Callable[[SparkSession], object]] = {
    "collect": lambda spark: spark.sql(LONG).collect(),
    "iterate": lambda spark: list(spark.sql(LONG).toLocalIterator(prefetchPartitions=True)),
    "arrow": lambda spark: spark.sql(LONG).toArrow(),
    "table": lambda spark: spark.sql(f"CREATE TABLE never_made USING parquet AS {LONG}"),
    "python": lambda _: time.sleep(SOON),
}


@pytest.mark.parametrize("action", ACTIONS)
def test_ctrl_c(spark: SparkSession, action: str) -> None:
    with ends_early(spark, Interrupted), cancellable(spark):
        signalled()
        ACTIONS[action](spark)
    assert not spark.catalog.tableExists("never_made")


def test_ctrl_c_between_calls(spark: SparkSession) -> None:
    """No job is there to be cancelled: each call is over before the signal is looked at."""
    with ends_early(spark, KeyboardInterrupt), cancellable(spark):
        signalled()
        while True:
            spark.conf.get("spark.sql.ansi.enabled")


def test_what_must_not_stay_half_done_is_finished_first(spark: SparkSession) -> None:
    """A signal cancels no job of it, and is raised after it."""
    slow = spark.range(2).selectExpr("java_method('java.lang.Thread', 'sleep', 1000L)")
    done: list[object] = []
    with ends_early(spark, Interrupted), cancellable(spark):
        with finishing():
            signal.raise_signal(signal.SIGINT)
            done += slow.collect()
            done.append("finished")
        time.sleep(SOON)
    assert done[2:] == ["finished"]


def test_a_jvm_that_may_be_moving_files_has_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    ended: list[object] = []
    monkeypatch.setattr(cancel, "end_java", ended.append)
    monkeypatch.setattr(cancel, "_SUFFERED", {"signal": 0.0, "timeout": 300.0})
    watch, words = cancel.Watch("tag", is_patient=True), queue.SimpleQueue[str]()
    words.put("signal")
    attendant = threading.Thread(target=cancel._attend, args=("spark", watch, words, True))
    attendant.start()
    time.sleep(0.6)
    assert ended == []
    watch.is_patient = False
    time.sleep(0.6)
    words.put("end")
    attendant.join()
    assert ended == ["spark"]


def test_sigterm(spark: SparkSession) -> None:
    ending = (signal.SIGTERM,)
    with ends_early(spark, Interrupted) as caught, cancellable(spark, signals=ending):
        signalled(signal.SIGTERM)
        spark.sql(LONG).collect()
    assert caught.value.number == signal.SIGTERM


def test_handlers_of_the_callers_stay(spark: SparkSession) -> None:
    came = []
    before = signal.signal(signal.SIGINT, lambda number, _: came.append(number))
    try:
        with cancellable(spark):
            signal.raise_signal(signal.SIGINT)
            assert spark.range(3).count() == 3
    finally:
        signal.signal(signal.SIGINT, before)
    assert came == [signal.SIGINT]


def test_the_time_is_over(spark: SparkSession) -> None:
    with ends_early(spark, ExecutionError) as caught, running(spark, timeout=1):
        spark.sql(LONG).collect()
    assert caught.value.code == "SS4050"
    assert "after 1 seconds" in str(caught.value)


def test_in_time(spark: SparkSession) -> None:
    before = state(spark)
    with running(spark, timeout=SOON * 10):
        assert spark.range(3).count() == 3
    assert state(spark) == before
    time.sleep(0.3)
    assert not any(t.name.startswith("substrait-sql.run") for t in threading.enumerate())


def test_other_threads_go_on(spark: SparkSession) -> None:
    """What is cancelled are the jobs of the run, and no others of the session."""
    found: list[object] = []
    other = threading.Thread(
        target=lambda: found.extend(
            spark.sql(
                "SELECT count(*) FROM range(8000) a JOIN range(9000) b ON a.id <> b.id"
            ).collect()
        )
    )
    with ends_early(spark, ExecutionError), running(spark, timeout=1):
        other.start()
        spark.sql(LONG).collect()
    other.join()
    assert found == [(8000 * 9000 - 8000,)]


@pytest.mark.parametrize("after", [0.0, 0.1, 0.2, 0.3])
def test_an_error_cancels_what_is_left(spark: SparkSession, after: float) -> None:
    """Whether it comes in the query's first job, which broadcasts a table, between that and the next, or later."""
    tags: list[str] = []
    with ends_early(spark, ZeroDivisionError), running(spark) as run:
        tags.append(run.tag)

        def begin() -> None:
            spark.sparkContext.addJobTag(run.tag)
            with pytest.raises(Exception, match="cancelled"):
                spark.sql(LONG).collect()
            tags.append("cancelled")

        other = threading.Thread(target=begin)
        other.start()
        while not spark.sparkContext.statusTracker().getActiveJobsIds():
            time.sleep(0.01)
        time.sleep(after)
        _ = 1 / 0
    other.join(SOON)
    assert tags[1:] == ["cancelled"]


def test_an_interrupted_rewriting_leaves_nothing(spark: SparkSession) -> None:
    """Its second table is dropped, and the table has its rows."""
    spark.sql("DROP TABLE IF EXISTS seen_changed")
    spark.sql("CREATE TABLE seen_changed USING parquet AS SELECT id FROM range(5)")
    slow = "CASE WHEN (SELECT count(*) FROM big JOIN small ON big.id * 3 + small.id * 5 > 1) < 0 THEN 1 ELSE id END"
    schema = {name: {"id": "BIGINT"} for name in ("seen_changed", "big", "small")}
    plan = to_plan(f"UPDATE seen_changed SET id = {slow} WHERE id > 2", schema=schema)
    tables = {"big": spark.range(900_000_000), "small": spark.range(900)}
    try:
        with ends_early(spark, KeyboardInterrupt), running(spark) as run:

            def fills() -> bool:
                kinds = [s.made.statement.kind for s in run.heard.steps]
                return "rewrite_fill" in kinds and bool(left_of_runs(spark))

            threading.Thread(target=signalled_when, args=(fills,)).start()
            execute(spark, plan, tables=tables, allow_writes=True)
        assert not spark.sql("SHOW TABLES LIKE 'seen_changed_*'").collect()
        assert sorted(r.id for r in spark.table("seen_changed").collect()) == [0, 1, 2, 3, 4]
    finally:
        spark.sql("DROP TABLE seen_changed")


def test_a_lost_answer_is_not_printed() -> None:
    """Py4J's words through the root of all loggers give that a handler, which its own words would come through too."""
    code = """
import logging, types, py4j.java_gateway
from substrait_sql.run.seen.cancel import end_java
process = types.SimpleNamespace(terminate=lambda: None)
gateway = types.SimpleNamespace(proc=process)
end_java(types.SimpleNamespace(sparkContext=types.SimpleNamespace(_gateway=gateway)))
logging.basicConfig()
logging.getLogger("py4j.clientserver").error("Exception occurred while shutting down connection")
logging.getLogger("of.others").error("another's")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr == "ERROR:of.others:another's\n"
