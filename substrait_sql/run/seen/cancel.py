"""Ends the jobs of a run when its time is over, a signal comes, or an error leaves it.

Jobs are found by a tag that the thread which starts them carries. Spark forgets a cancellation once it is done, so that
it is asked again and again until the run is at its end: a query may be between two jobs.
"""

from __future__ import annotations

import logging
import os
import queue
import signal
import threading
import time
import uuid
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from substrait_sql.errors import ExecutionError
from substrait_sql.run.seen import labels
from substrait_sql.run.seen.signals import Interrupted, Signals, is_free
from substrait_sql.run.settings import is_connect
from substrait_sql.run.turns import ENDED

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_AGAIN: Final = 0.25
"""Seconds between two cancellations."""
_SUFFERED: Final = {"signal": 3.0, "timeout": 30.0}
"""For so many seconds a JVM of our own may go on with what is no job, such as the plan of a query; then it is ended."""
_LAST: Final = 4.0
"""So long after that, or after a second signal, the process ends wherever it is."""


@dataclass
class Watch:
    """A run that can be ended.

    tag: that of its jobs.
    timeout: after so many seconds it is ended.
    timed_out: whether it was.
    is_finishing: nothing is ended now. is_patient: a JVM of our own has longer to answer.
    """

    tag: str
    timeout: float | None = None
    timed_out: bool = False
    signals: Signals | None = None
    is_finishing: bool = False
    is_patient: bool = False

    @property
    def signal(self) -> int | None:
        """The signal that came, if one did."""
        return self.signals.came if self.signals is not None else None

    def error(self, error: BaseException) -> BaseException:
        """What an error that ends the run is about: a signal, the time, or what it says itself."""
        if self.signal is not None:
            return error if isinstance(error, Interrupted) else Interrupted(self.signal)
        if self.timed_out and isinstance(error, Exception):
            return ExecutionError.of(
                "SS4050",
                f"the plan was ended after {self.timeout:g} seconds",
                hint="give it more with --timeout, in Python running(..., timeout=...)",
            )
        return error


_WATCH: ContextVar[Watch | None] = ContextVar("substrait_sql_watch", default=None)


@contextmanager
def finishing() -> Iterator[None]:
    """What is within comes to its end, as a table would be half of it otherwise; what came is raised after it.

    A second signal ends it all the same.
    """
    watch = _WATCH.get()
    if watch is None or watch.signals is None or watch.is_finishing:
        yield
        return
    watch.is_finishing = watch.signals.held = True
    try:
        yield
    finally:
        watch.is_finishing = watch.signals.held = False


@contextmanager
def patient() -> Iterator[None]:
    """Within are rows added to a table: a JVM that does not answer may be moving files, and is not ended soon."""
    watch = _WATCH.get()
    if watch is None:
        yield
        return
    watch.is_patient = True
    try:
        yield
    finally:
        watch.is_patient = False


@contextmanager
def cancellable(
    spark: Any,
    *,
    timeout: float | None = None,
    signals: Sequence[int] | None = None,
    owned: bool = False,
) -> Iterator[Watch]:
    """What this thread starts within is ended after so many seconds, by a signal, and when an error leaves.

    signals: those that end it; by default Ctrl-C where nobody else handles
    it. They are handled in the main thread only. owned: the process is ours to end, and so is its JVM, if Spark does
    not answer.

    Raises `ExecutionError` SS4050 when the time was over, `Interrupted` when a signal came, ValueError for a timeout
    that is no time, or longer than a thread can wait.
    """
    if timeout is not None and not 0 < timeout <= threading.TIMEOUT_MAX:
        raise ValueError(f"timeout is a number of seconds above 0, not {timeout!r}")
    if signals is None:
        signals = [n for n in (signal.SIGINT,) if is_free(n)]
    watch = Watch(f"{labels.OWN}.run={uuid.uuid4().hex[:12]}", timeout)
    words: queue.SimpleQueue[str] = queue.SimpleQueue()
    last = _end_soon if owned else None
    watch.signals = Signals(signals, lambda: words.put("signal"), last)
    attendant = threading.Thread(
        target=_attend, args=(spark, watch, words, owned), name=watch.tag, daemon=True
    )
    if owned:
        _lose_answer()
    watch.signals.install()
    attendant.start()
    token, waits = _WATCH.set(watch), ENDED.set(lambda: watch.timed_out)
    try:
        with labels.described(spark, None, (labels.OWN, watch.tag)):
            yield watch
        _raise_what_came(watch)
    except BaseException as error:
        _finish(words, attendant)
        _cancel_left(spark, watch.tag, 0.0 if owned else _LAST)
        found = watch.error(error)
        if found is error:
            raise
        raise found from error
    finally:
        _WATCH.reset(token)
        ENDED.reset(waits)
        _finish(words, attendant)
        watch.signals.restore()


def _raise_what_came(watch: Watch) -> None:
    if watch.signal is not None:
        raise Interrupted(watch.signal)


def _finish(words: queue.SimpleQueue[str], attendant: threading.Thread) -> None:
    words.put("end")
    attendant.join(_AGAIN)


def _attend(spark: Any, watch: Watch, words: queue.SimpleQueue[str], owned: bool) -> None:
    """Waits for the time to be over, for a signal or for the end, and cancels until the end comes."""
    try:
        word = words.get(timeout=watch.timeout)
    except queue.Empty:
        watch.timed_out, word = True, "timeout"
    begun = time.monotonic()
    suffered, ended = _SUFFERED.get(word, 0.0), False
    while word != "end":
        if watch.is_finishing:
            begun = time.monotonic()
        else:
            with suppress(Exception):  # the session may have ended, and with it what is cancelled
                labels.cancel(spark, watch.tag)
            if watch.signals is not None:
                watch.signals.nudge()
        past = time.monotonic() - begun
        allowed = _SUFFERED["timeout"] if watch.is_patient else suffered
        if owned and past > allowed and not ended:
            ended = True
            end_java(spark)
        if owned and past > allowed + _LAST:
            _end(watch.signal)
        try:
            word = words.get(timeout=_AGAIN)
        except queue.Empty:
            word = "again"


def _cancel_left(spark: Any, tag: str, seconds: float) -> None:
    """Cancels what an error may have left running; in another thread, as this one may be cut off from the JVM.

    seconds: so long it is asked again, while the caller goes on: a query of another thread may be between two jobs.
    """
    asked = threading.Event()
    other = threading.Thread(target=_cancel_quietly, args=(spark, tag, seconds, asked), daemon=True)
    other.start()
    asked.wait(_LAST)


def _cancel_quietly(spark: Any, tag: str, seconds: float, asked: threading.Event) -> None:
    end = time.monotonic() + seconds
    while True:
        with suppress(Exception):
            labels.cancel(spark, tag)
        asked.set()
        if time.monotonic() >= end:
            return
        time.sleep(_AGAIN)


def end_java(spark: Any) -> None:
    """Ends the JVM that this process has started. Whoever waits for its answer has an error then."""
    if is_connect(spark):
        return
    process = getattr(getattr(spark.sparkContext, "_gateway", None), "proc", None)
    if process is not None:
        _lose_answer()
        process.terminate()


def _lose_answer() -> None:
    """Keeps Py4J from printing that an answer of the JVM is lost.

    It logs that as the root of all loggers, which gives the root a handler, and that one prints what its own say too.
    """
    logging.getLogger().addFilter(_is_of_others)
    logging.getLogger("py4j").propagate = False


def _is_of_others(record: logging.LogRecord) -> bool:
    return "py4j" not in Path(record.pathname).parts


def _end_soon() -> None:
    """Ends the process, if it has not ended by itself in a moment."""
    _lose_answer()
    timer = threading.Timer(1, _end, (signal.SIGINT,))
    timer.daemon = True
    timer.start()


def _end(number: int | None) -> None:
    os._exit(128 + number if number is not None else 1)
