"""How far Spark is with the jobs of a run, while it runs."""

from __future__ import annotations

import threading
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from substrait_sql.run.settings import is_connect

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

EVERY: Final = 0.3
"""Seconds between two looks."""


@dataclass(frozen=True, slots=True)
class Counts:
    """How much there is to do, as far as Spark knows by now, and how much of it is done."""

    stages: int = 0
    stages_done: int = 0
    tasks: int = 0
    tasks_done: int = 0


@contextmanager
def progress(spark: Any, tag: str, show: Callable[[Counts], None]) -> Iterator[None]:
    """Tells, again and again, how far the jobs of a tag are; of a Connect server those of the session."""
    with _told(spark, show) if is_connect(spark) else _asked(spark, tag, show):
        yield


@contextmanager
def _asked(spark: Any, tag: str, show: Callable[[Counts], None]) -> Iterator[None]:
    over = threading.Event()

    def ask() -> None:
        with suppress(Exception):  # the session may end
            while not over.wait(EVERY):
                show(counts(spark, tag))

    asking = threading.Thread(target=ask, name="substrait-sql.progress", daemon=True)
    asking.start()
    try:
        yield
    finally:
        over.set()
        asking.join(EVERY)


def counts(spark: Any, tag: str) -> Counts:
    """How far the jobs of a tag are on a classic session. Stages that were skipped are none."""
    tracker = spark.sparkContext.statusTracker()
    jobs = spark.sparkContext._jsc.sc().statusTracker().getJobIdsForTag(tag)
    stages = {
        stage: found
        for job in map(tracker.getJobInfo, jobs)
        for stage in (job.stageIds if job is not None and job.status == "RUNNING" else ())
        if (found := tracker.getStageInfo(int(stage))) is not None
    }
    finished = [s for s in stages.values() if s.numCompletedTasks == s.numTasks]
    return Counts(
        len(stages),
        len(finished),
        sum(s.numTasks for s in stages.values()),
        sum(s.numCompletedTasks for s in stages.values()),
    )


@contextmanager
def _told(spark: Any, show: Callable[[Counts], None]) -> Iterator[None]:
    def hear(
        stages: Iterable[Any] | None, inflight_tasks: int, operation_id: str | None, done: bool
    ) -> None:
        del inflight_tasks, operation_id, done
        found = list(stages or ())
        show(
            Counts(
                len(found),
                sum(bool(s.done) for s in found),
                sum(s.num_tasks for s in found),
                sum(s.num_completed_tasks for s in found),
            )
        )

    if not hasattr(spark, "registerProgressHandler"):  # before Spark 4
        yield
        return
    spark.registerProgressHandler(hear)
    try:
        yield
    finally:
        spark.removeProgressHandler(hear)
