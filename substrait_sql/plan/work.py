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

    __slots__ = ("_plan", "_refused", "allowed", "done")

    def __init__(self, plan: Any) -> None:
        self._plan = plan
        # Relations and expressions lowered, and nodes copied, but for those that this thread copies from here on.
        self.done = -COPIED.nodes
        # Few plans are so big that their size matters, and counting takes time.
        self.allowed = ALLOWED
        self._refused: UnsupportedError | None = None

    def beyond(self, path: Path) -> None:
        """For whoever finds that more is done than allowed so far. Raises SS2015 where that is too much."""
        if self._refused is None:
            self.allowed = ALLOWED + PER_PART * parts_of(self._plan)
            if self.done + COPIED.nodes <= self.allowed:
                return
            self._refused = refused(self.allowed, path)
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
