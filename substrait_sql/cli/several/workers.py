"""Work on many plans by several processes: what comes of each plan, in the order of the plans.

Each process is told what to do once, and is given a few plans at a time. Only so many are ahead of the reader that
memory does not grow with their number. Who ends, for whatever reason, ends the processes.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import deque
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from substrait_sql.cli.several.failures import Stop, unforeseen
from substrait_sql.cli.several.memory import collect_seldom
from substrait_sql.errors import ExecutionError, SubstraitSqlError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from concurrent.futures import Future

    from substrait_sql.cli.inputs import Input

T = TypeVar("T")

_AT_ONCE = 8
"""How many plans a process is given at a time."""

_AHEAD = 4
"""How many times that each process may be ahead of the reader."""


@dataclass(frozen=True, slots=True)
class Outcome(Generic[T]):
    """What came of one plan."""

    made: T | None
    error: SubstraitSqlError | None = None

    def get(self) -> T:
        """What was made. Raises what was raised."""
        if self.error is not None:
            raise self.error
        made: Any = self.made
        return made  # type: ignore[no-any-return]


@contextmanager
def outcomes(
    work: Callable[[Input], T], inputs: Sequence[Input], jobs: int
) -> Iterator[Iterator[Outcome[T]]]:
    """What `work` makes of each input, which other processes are told by pickling.

    An error that is none of ours is one of ours there. Raises `Stop` with SS4034 if a process is gone.
    """
    pool = ProcessPoolExecutor(jobs, _context(), initializer=_begin, initargs=(work,))
    try:
        yield _in_order(pool, inputs, jobs)
    except BaseException:
        # What they are at would be waited for.
        for process in multiprocessing.active_children():
            process.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _context() -> Any:
    """Processes that share nothing with this one but what it says: it may have threads, which a fork would break."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    found = multiprocessing.get_context("forkserver")
    # Imported once, by the process that the others are forked of.
    found.set_forkserver_preload(["substrait_sql.pipeline", __name__])
    return found


def _in_order(
    pool: ProcessPoolExecutor, inputs: Sequence[Input], jobs: int
) -> Iterator[Outcome[Any]]:
    rest = (
        pool.submit(_outcomes, inputs[at : at + _AT_ONCE]) for at in range(0, len(inputs), _AT_ONCE)
    )
    waiting: deque[Future[list[Outcome[Any]]]] = deque(islice(rest, jobs * _AHEAD))
    while waiting:
        try:
            found = waiting.popleft().result()
        except BrokenProcessPool as error:
            gone = ExecutionError.of(
                "SS4034",
                "a process that worked on the plans is gone: killed, perhaps, for the memory that it took",
                hint="--jobs 1 does one plan at a time",
            )
            raise Stop(gone) from error
        waiting.extend(islice(rest, 1))
        yield from found


_WORK: list[Callable[[Input], Any]] = []


def _begin(work: Callable[[Input], Any]) -> None:
    """What a process does first. Ctrl-C is for the process that has started it, and it does not live longer."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    collect_seldom()
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _WORK[:] = [work]


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def _outcomes(inputs: Sequence[Input]) -> list[Outcome[Any]]:
    return [_outcome(item) for item in inputs]


def _outcome(item: Input) -> Outcome[Any]:
    try:
        return Outcome(_WORK[0](item))
    except SubstraitSqlError as error:
        return Outcome(None, error)
    except Exception as error:
        return Outcome(None, SubstraitSqlError(unforeseen(error)))
