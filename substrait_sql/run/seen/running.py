"""For whoever asks a plan's DataFrame for rows: Spark's jobs named after it, a time limit, errors at its nodes."""

from __future__ import annotations

import datetime as dt
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from substrait_sql.arguments import expect_session
from substrait_sql.errors import SubstraitSqlError
from substrait_sql.run.seen import labels, metrics, record
from substrait_sql.run.seen.cancel import cancellable
from substrait_sql.run.seen.frames import error_of, made_of
from substrait_sql.run.seen.record import Record
from substrait_sql.run.seen.steps import Heard, heard
from substrait_sql.run.spark_errors import is_sparks

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Iterator, Sequence

    from substrait_sql.run.seen.frames import Made

Row = TypeVar("Row")


@dataclass
class Running:
    """What runs within `substrait_sql.running`.

    name: of the plan.
    tag: that of the jobs of this run alone, for ``SparkContext.cancelJobsWithTag`` of another thread.
    rows: how many rows came, if somebody counts them: for the record.
    """

    name: str
    plan: Any = field(default=None, repr=False)
    made: Made | None = field(default=None, repr=False)
    frame: Any = field(default=None, repr=False)
    dialect: str | None = None
    tag: str = ""
    rows: int | None = None
    exit: int | None = None
    dry_run: bool = False
    heard: Heard = field(default_factory=Heard, repr=False)
    error: BaseException | None = field(default=None, repr=False)
    _spark: Any = field(default=None, repr=False)
    _since: int = field(default=-1, repr=False)
    _time: dt.datetime = field(default_factory=lambda: dt.datetime.now(dt.UTC), repr=False)
    _begun: float = field(default_factory=time.monotonic, repr=False)
    _seconds: float | None = field(default=None, repr=False)
    _record: Record | None = field(default=None, repr=False)

    @contextmanager
    def jobs(
        self,
        spark: Any,
        timeout: float | None = None,
        signals: Sequence[int] | None = None,
        owned: bool = False,
    ) -> Iterator[None]:
        """What this thread starts within is this run's: named, cancelled when it is time, errors at nodes."""
        self._spark = spark
        with suppress(Exception):  # the session may have ended, which the first statement will say
            self._since = metrics.last_execution(spark)
        with (
            cancellable(spark, timeout=timeout, signals=signals, owned=owned) as watch,
            labels.described(spark, self.name or None, labels.tags(self.name)),
            self.asking(self.frame),
            heard(self.name) as found,
            self._errors_at_nodes(),
        ):
            self.tag, self.heard = watch.tag, found
            yield

    @contextmanager
    def timed(self) -> Iterator[Running]:
        """The run begins, and is over."""
        try:
            yield self
        except BaseException as error:
            self.error = error
            raise
        finally:
            self._seconds = time.monotonic() - self._begun

    @contextmanager
    def asking(self, frame: Any) -> Iterator[None]:
        """The jobs within make the rows of a frame of this run, and are named after its root."""
        made = made_of(frame)
        if made is None:
            yield
            return
        text = labels.description(self.name or made.name, made.statement)
        tags = labels.tags(self.name or made.name, made.statement)
        with labels.described(self._spark, text, tags):
            yield

    def counted(self, rows: Iterable[Row]) -> Iterator[Row]:
        """The rows as they are, which are counted while they are taken."""
        self.rows = self.rows or 0
        for row in rows:
            self.rows += 1
            yield row

    @contextmanager
    def _errors_at_nodes(self) -> Iterator[None]:
        """What Spark raises within, as an error of ours."""
        try:
            yield
        except SubstraitSqlError:
            raise
        except Exception as error:
            if not is_sparks(error):
                raise
            known = [s.made for s in self.heard.steps if s.frame is not None]
            if self.made is not None:
                known = [self.made]
            raise error_of(error, known[0] if len(known) == 1 else None) from error

    @property
    def record(self) -> Record:
        """What is known of the run, as a line of a log has it. How many rows were read is asked of the session once."""
        if self._record is None or self._seconds is None:
            self._record = self._recorded()
        return self._record

    def _recorded(self) -> Record:
        total = self._seconds if self._seconds is not None else time.monotonic() - self._begun
        steps = self.heard.steps
        made = [s.made for s in steps] if self.made is None else [self.made]
        # A plan is rendered again where its tables have other names in the session.
        rendered = [made[-1].rendered] if made else self.heard.rendered[-1:]
        analysing = sum(s.seconds for s in steps)
        seconds = {
            "render": self.heard.rendering,
            "analyse": analysing,
            "run": max(total - self.heard.rendering - analysing, 0.0),
            "total": total,
        }
        found = Record(
            time=self._time.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            plan=self.name or (made[-1].name if made else ""),
            dialect=self.dialect,
            statements=record.statements(steps),
            rows=self.rows,
            seconds={key: round(value, 3) for key, value in seconds.items()},
            settings=record.settings(rendered),
            exit=self.exit,
            dry_run=self.dry_run,
        )
        if self.plan is not None:
            found.sha256, found.producer = record.identity(self.plan)
        record.ended(found, self.error)
        nodes = []
        with suppress(Exception):  # the session may have ended
            found.versions = record.versions(self._spark)
            if self._spark is not None and found.result != "cancelled":
                nodes = metrics.nodes(self._spark, self.tag, self._since)
                if not metrics.has_reads(nodes):
                    frames = [s.frame for s in steps if s.made.statement.kind == "query"]
                    nodes += [
                        n
                        for f in (*frames, self.frame)
                        if f is not None
                        for n in metrics.of_frame(f)
                    ]
        found.written = metrics.written(nodes)
        found.reads = metrics.reads(rendered, made[-1].paths if made else {}, nodes)
        return found


@contextmanager
def running(
    what: Any,
    *,
    name: str = "",
    timeout: float | None = None,
    log: str | os.PathLike[str] | None = None,
) -> Iterator[Running]:
    """Spark's jobs while a plan's rows are asked for: named after the plan, and cancelled when something goes wrong.

    what: a DataFrame that `execute` returned, or the session: `execute` may be called within.
    name: what to call the plan; by default its file's name.
    timeout: seconds after which the jobs are cancelled.
    log: a file to which a line of JSON is appended when the run is over, however it ends (docs/observing.md).

    The jobs that this thread starts within have the plan's name and the root as their description, as the Spark UI and
    the event log show it, and as tags. On a Connect server they have the tags. Ctrl-C cancels them, if this is the main
    thread and nobody else handles it, and so does an error that leaves the block. The thread's description and tags are
    then again what they were.

    Raises `ExecutionError` SS4050 when the time is over, and SS4010 for what Spark raises within, with the node of the
    plan that it is about, as far as Spark says where; Spark's own error is its cause. Other errors pass as they are.

    >>> from substrait_sql import demo, execute, local_session, running
    >>> spark = local_session()
    >>> frame = execute(spark, demo.PLAN, tables={p.stem: p for p in demo.TABLES.iterdir()})
    >>> with running(frame, name="top orders", timeout=600) as run:
    ...     rows = frame.collect()
    >>> len(rows), run.record.result
    (10, 'ok')
    """
    spark = getattr(what, "sparkSession", what)
    expect_session(spark)
    made = made_of(what) if spark is not what else None
    frame = what if made is not None else None
    run = Running(name or (made.name if made is not None else ""), made=made, frame=frame)
    try:
        with run.timed(), run.jobs(spark, timeout):
            yield run
    finally:
        if log is not None:
            record.append(log, run.record)
