"""Grouping sets with the same groups, whose numbers differ: aggregated once, and read once for each of them.

WITH emp_agg AS (SELECT dept, sum(salary) AS sum_salary FROM emp GROUP BY dept)
SELECT dept, sum_salary, 0 FROM emp_agg UNION ALL SELECT dept, sum_salary, 1 FROM emp_agg
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from substrait_sql.select.block import Block, Shared
from substrait_sql.select.field import Field, position

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from substrait_sql.lower.context import Context

# The keys and the measures of an aggregation.
Made = tuple[list[Field], list[Field]]
Groups = frozenset[int]


def same_groups(sets: Sequence[Sequence[int]], keys: Sequence[Field], block: Block) -> list[Groups]:
    """What each set groups by: the first of the keys that are one expression. Empty where no other set does so.

    It is so of all that read a shared query: one more in between would be more to read.
    """
    if any(isinstance(item, Shared) for item in block.items):
        return [frozenset() for _ in sets]
    first = [position(keys, key) or 0 for key in keys]
    found = [frozenset(first[i] for i in refs) for refs in sets]
    times = Counter(found)
    return [groups if times[groups] > 1 else frozenset() for groups in found]


class RepeatedSet:
    """The groups of a set that others have as well. block, made: what makes them. refs: its keys."""

    def __init__(self, block: Block, made: Made, refs: Sequence[int], cx: Context) -> None:
        keys, measures = made
        self._keys, self._own = keys, [keys[i] for i in refs]
        block.group, block.fields = self._own, [*self._own, *measures]
        block.order = []
        block.title = block.derived_name()
        self._fresh: Callable[[], Block] = cx.shared.share(block, {})

    def read(self) -> tuple[Block, Made]:
        """A block over the groups, with the keys and the measures as its columns."""
        block = self._fresh()
        columns = block.fields
        places = [position(self._own, key) for key in self._keys]
        keys = [k if p is None else columns[p] for k, p in zip(self._keys, places, strict=True)]
        return block, (keys, columns[len(self._own) :])
