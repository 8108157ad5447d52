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


def first_of(keys: Sequence[Field]) -> list[int]:
    """For each key the first one that is the same expression.

    To be asked before the input is shared: to who reads a shared query, its columns are several expressions.
    """
    return [position(keys, key) or 0 for key in keys]


def same_groups(sets: Sequence[Sequence[int]], first: Sequence[int], block: Block) -> list[Groups]:
    """What each set groups by, as the `first_of` its keys. Empty where no other set does so.

    It is so of all that read a shared query: one more in between would be more to read.
    """
    if any(isinstance(item, Shared) for item in block.items):
        return [frozenset() for _ in sets]
    found = [frozenset(first[i] for i in refs) for refs in sets]
    times = Counter(found)
    return [groups if times[groups] > 1 else frozenset() for groups in found]


class RepeatedSet:
    """The groups of a set that others have as well.

    block, made: what makes them. refs: its keys. first: of all keys, see `first_of`.
    """

    def __init__(
        self, block: Block, made: Made, refs: Sequence[int], first: Sequence[int], cx: Context
    ) -> None:
        self._keys, measures = made
        self._own, self._first = [first[i] for i in refs], first
        own = [self._keys[i] for i in refs]
        block.group, block.fields = own, [*own, *measures]
        block.order = []
        block.title = block.derived_name()
        self._fresh: Callable[[], Block] = cx.shared.share(block, {})

    def read(self) -> tuple[Block, Made]:
        """A block over the groups, with the keys and the measures as its columns."""
        block = self._fresh()
        columns = block.fields
        places = {first: place for place, first in reversed([*enumerate(self._own)])}
        keys = [
            columns[places[first]] if first in places else key
            for key, first in zip(self._keys, self._first, strict=True)
        ]
        return block, (keys, columns[len(self._own) :])
