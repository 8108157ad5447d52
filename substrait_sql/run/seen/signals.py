"""Signals that come while the main thread waits for Spark.

A thread that waits for an answer of the JVM must get it: an exception in between would leave the answer for the next
call, which then waits for the whole query first. PySpark's own handler of Ctrl-C does that. So a signal cancels the
jobs from another thread, Spark answers with an error, and the interrupt is raised when that is there. Anywhere else it
is raised at once.
"""

from __future__ import annotations

import _thread
import signal
import sys
import threading
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import FrameType


class Interrupted(KeyboardInterrupt):
    """A signal ended a run. number: the signal's."""

    def __init__(self, number: int) -> None:
        super().__init__(signal.Signals(number).name)
        self.number = number


class Signals:
    """The handlers of signals while something runs, and then again those that were there.

    first: is called when one comes. again: when another one comes after it, before that is raised.
    held: nothing is raised meanwhile.
    """

    def __init__(
        self,
        numbers: Sequence[int],
        first: Callable[[], None],
        again: Callable[[], None] | None = None,
    ) -> None:
        self.numbers = numbers
        self.came: int | None = None
        self.held = False
        self._first = first
        self._again = again
        self._nudged = False
        self._before: dict[int, Any] = {}

    def install(self) -> None:
        """Sets the handlers, if this is the main thread: others cannot. What is ignored, as by nohup, stays so."""
        if threading.current_thread() is threading.main_thread():
            heard = [n for n in self.numbers if signal.getsignal(n) != signal.SIG_IGN]
            self._before = {n: signal.signal(n, self._handle) for n in heard}

    def restore(self) -> None:
        """Sets those that were there before."""
        if self.came is not None and self._before:
            sys.setprofile(None)
        for number, handler in self._before.items():
            # None is one that Python has not set.
            signal.signal(number, signal.SIG_DFL if handler is None else handler)
        self._before = {}

    def nudge(self) -> None:
        """Looks once more, from another thread, whether the main thread can have what came."""
        if self.came is not None and self._before:
            self._nudged = True
            # As if it came again; it does nothing where the handlers are gone by now.
            _thread.interrupt_main(signal.Signals(self.came))

    def _handle(self, number: int, frame: FrameType | None) -> None:
        nudged, self._nudged = self._nudged, False
        if not nudged and self.came is not None:
            if self._again is not None:
                self._again()
            raise Interrupted(number)
        if not nudged:
            self.came = number
            self._first()
        self._look(frame)
        # As soon as the answer is there: the next call would hide it again.
        sys.setprofile(lambda frame, *_: self._look(frame))

    def _look(self, frame: FrameType | None) -> None:
        """Raises what came, unless an answer of the JVM is awaited, or something is being cleaned up."""
        if self.came is None or self.held:
            return
        if sys.exc_info()[0] is not None or _waits_for_java(frame):
            return
        sys.setprofile(None)
        raise Interrupted(self.came)


def _waits_for_java(frame: FrameType | None) -> bool:
    while frame is not None:
        if str(frame.f_globals.get("__name__", "")).startswith("py4j."):
            return True
        frame = frame.f_back
    return False


def is_free(number: int) -> bool:
    """Whether no handler of the caller's is there for a signal: PySpark has one of its own."""
    handler = signal.getsignal(number)
    pysparks = str(getattr(handler, "__module__", "")).startswith("pyspark.")
    return pysparks or handler in (signal.default_int_handler, signal.SIG_DFL)
