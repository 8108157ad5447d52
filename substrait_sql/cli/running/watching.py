"""What stands around each plan that the command ``run`` runs: signals, the time limit, progress, a line of a log."""

from __future__ import annotations

import signal
import threading
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

import click

from substrait_sql.cli.running.before import Failed
from substrait_sql.cli.several.failures import Stop
from substrait_sql.errors import ExecutionError
from substrait_sql.files import stem
from substrait_sql.run.retry import LATER, may_work_later

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

    from substrait_sql.cli.batch import Batch
    from substrait_sql.cli.inputs import Input
    from substrait_sql.run.seen.progress import Counts
    from substrait_sql.run.seen.running import Running

STDERR = "-"


@dataclass(frozen=True)
class Watching:
    """How the plans of one call are watched. log: where a line of JSON for each goes, ``-`` is stderr.

    dry_run: whether they are looked at alone.
    """

    batch: Batch
    dialect: str
    timeout: float | None
    log: str | None
    dry_run: bool = False

    def check(self) -> None:
        """Raises `Failed` if the log cannot be written."""
        if self.log in (None, STDERR):
            return
        try:
            with open(str(self.log), "a", encoding="utf-8"):
                pass
        except OSError as error:
            message = f"cannot write {self.log!r}: {error.strerror}"
            raise Failed(ExecutionError.of("SS4013", message)) from error

    @contextmanager
    def plan(self, item: Input) -> Iterator[Running]:
        """The run of one plan, from its reading on: the log has a line of it, however it ends."""
        from substrait_sql.run.seen.running import Running

        name = stem(item.stem) if item.stem is not None else item.label
        run = Running(name, item.plan, dialect=self.dialect, exit=0, dry_run=self.dry_run)
        try:
            with run.timed():
                yield run
        finally:
            if self.log is not None:
                self._write(run)

    @contextmanager
    def jobs(self, run: Running, spark: Any) -> Iterator[None]:
        """Its jobs, which signals and the time limit cancel, and a terminal shows."""
        from substrait_sql.run.seen.progress import progress

        ending = (signal.SIGINT, signal.SIGTERM)
        with (
            run.jobs(spark, self.timeout, ending, owned=True),
            self.batch.line(run.name) as show,
        ):
            if show is None:
                yield
                return

            def tell(counts: Counts) -> None:
                rows = f", {run.rows:,} rows" if run.rows else ""
                stages = f"stage {min(counts.stages_done + 1, counts.stages)} of {counts.stages}"
                text = f"{run.name}: {stages}{rows}" if counts.stages else f"{run.name}{rows}"
                show(text, counts.tasks_done, counts.tasks)

            with progress(spark, run.tag, tell):
                yield

    def _write(self, run: Running) -> None:
        from substrait_sql.run.seen.record import append

        if isinstance(run.error, Stop):
            run.error = run.error.error
        if run.error is not None:
            run.exit = _exit_code(run.error)
        if self.log != STDERR:
            append(str(self.log), run.record)
            return
        with self.batch.paused():
            click.echo(run.record.line(), err=True)


def _exit_code(error: BaseException) -> int:
    """That of a call with this plan alone."""
    if isinstance(error, KeyboardInterrupt):
        return 128 + int(getattr(error, "number", signal.SIGINT))
    return LATER if may_work_later(error) else 1


@contextmanager
def terminable() -> Iterator[None]:
    """SIGTERM ends what runs within as Ctrl-C does, and not the process at once: what was begun is cleaned up."""
    from substrait_sql.run.seen.signals import Interrupted

    def end(number: int, frame: FrameType | None) -> NoReturn:
        del frame
        raise Interrupted(number)

    before = signal.getsignal(signal.SIGTERM)
    if before == signal.SIG_IGN or threading.current_thread() is not threading.main_thread():
        yield
        return
    signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
