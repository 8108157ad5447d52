"""A bound on the work that a plan makes: a small one may be refused, and never keeps anybody waiting.

Some plans have a text only after they have been rewritten, and a subquery in a subquery may have to be rewritten once
more each time that the one around it is. What is done is counted: relations and expressions that are lowered, nodes of
SQL that are copied. A plan whose work grows with its size stays far below the allowance; where it grows with a power of
the nesting, the plan is refused before anybody has to wait.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from substrait_sql.errors import UnsupportedError
from substrait_sql.tree.copies import COPIED
from substrait_sql.wire.fields import is_repeated

if TYPE_CHECKING:
    from substrait_sql.wire.path import Path

# What any plan may take, and what each of its parts allows beside. Plans of producers take one step for
# each part of theirs or less, nested calls of functions that write their argument several times seven.
ALLOWED, PER_PART = 20_000, 30


class Work:
    """Counts what is done for one plan, in the thread that made this."""

    __slots__ = ("_before", "_done", "_limit", "_plan", "_refused")

    def __init__(self, plan: Any) -> None:
        self._plan = plan
        self._done = 0
        self._before = COPIED.nodes
        # Few plans are so big that their size matters, and counting takes time.
        self._limit = ALLOWED
        self._refused: UnsupportedError | None = None

    @property
    def done(self) -> int:
        """Relations and expressions lowered, and nodes copied, up to now."""
        return self._done + COPIED.nodes - self._before

    def spend(self, path: Path) -> None:
        """Counts one relation or expression more. Raises SS2015 beyond the allowance."""
        self._done += 1
        if self._done + COPIED.nodes - self._before > self._limit:
            self._beyond(path)

    def _beyond(self, path: Path) -> None:
        if self._refused is None:
            self._limit = ALLOWED + PER_PART * parts_of(self._plan)
            if self.done <= self._limit:
                return
            self._refused = refused(self._limit, path)
        # Whoever goes on after an error, as `check` does, meets the same one at once.
        raise self._refused


def refused(limit: int, path: Path) -> UnsupportedError:
    """The error for a plan that takes more than that."""
    return UnsupportedError.of(
        "SS2015",
        f"the plan takes more than {limit:,} steps, which is out of proportion to its size",
        path,
        "nest fewer subqueries, or write the rows of one of them to a table first",
    )


def parts_of(plan: Any) -> int:
    """How many messages and repeated values a plan is made of."""
    count, stack = 0, [plan]
    while stack:
        for field, value in stack.pop().ListFields():
            if field.message_type is not None:
                stack.extend(value if is_repeated(field) else [value])
            elif not is_repeated(field):
                continue
            count += len(value) if is_repeated(field) else 1
    return count
