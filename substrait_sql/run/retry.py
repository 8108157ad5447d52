"""Errors after which the same may work: Spark, or what it reads, was lost or busy; nothing was wrong with the plan."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING, Final, TypeVar

from substrait_sql.errors import SubstraitSqlError
from substrait_sql.run.spark_errors import is_sparks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Result = TypeVar("Result")

LATER: Final = 75
"""The exit code that says so: ``EX_TEMPFAIL`` of sysexits.h."""

LONGEST: Final = 300.0
"""The seconds after which waiting grows no longer."""

_ENDED = "SS4023"
_BUSY = re.compile(
    "|".join(
        (
            "ExecutorLostFailure",
            "Executor .{0,40}lost",
            "Slave lost|Worker lost|Remote RPC client disassociated",
            "FetchFailed|MetadataFetchFailed|missing an output location for shuffle",
            "Could not execute broadcast in|Futures timed out",
            "All masters are unresponsive",
            "Connection (refused|reset|closed|timed out)|Broken pipe|Read timed out|SocketTimeout",
            r"StatusCode\.(UNAVAILABLE|DEADLINE_EXCEEDED|RESOURCE_EXHAUSTED)",
            r"INVALID_HANDLE\.SESSION",
            "SlowDown|Too Many Requests|Service Unavailable|TooManyRequestsException|throttl",
            r"(Status|status) ?[Cc]ode:? (429|503)",
        )
    )
)


def may_work_later(error: BaseException) -> bool:
    """Whether the same may work if it is tried again, as far as anybody knows.

    >>> may_work_later(ConnectionRefusedError(111, "Connection refused"))
    True
    >>> may_work_later(ValueError("no number"))
    False
    """
    for each in _behind(error):
        if isinstance(each, SubstraitSqlError):
            if any(d.code == _ENDED for d in each.diagnostics):
                return True
        elif isinstance(each, (ConnectionError, TimeoutError)) or (
            is_sparks(each) and _BUSY.search(str(each))
        ):
            return True
    return False


def _behind(error: BaseException) -> Iterator[BaseException]:
    """An error and those that it comes from."""
    seen: set[int] = set()
    each: BaseException | None = error
    while each is not None and id(each) not in seen:
        seen.add(id(each))
        yield each
        each = each.__cause__


def again(
    work: Callable[[], Result],
    retries: int,
    wait: float,
    lost: Callable[[BaseException, float, int], bool],
) -> Result:
    """What `work` returns, which is called again after errors that may pass.

    wait: the seconds before the second time; each time twice as long. lost: is told of an error, how long it will be,
    and which time that is; False if it cannot be tried again.
    """
    for time_of in range(1, retries + 1):
        try:
            return work()
        except Exception as error:
            pause = min(wait * 2 ** (time_of - 1), LONGEST)
            if not may_work_later(error) or not lost(error, pause, time_of):
                raise
        time.sleep(pause)
    return work()
