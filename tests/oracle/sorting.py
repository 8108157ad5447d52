"""Sort fields: the order of rows, and which rows are equal in it (spec.md 1.4)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cmp_to_key
from typing import Any

from tests.oracle import values
from tests.oracle.model import Env, Invalid, NotCovered, Row, Undetermined

ASC_FIRST, ASC_LAST, DESC_FIRST, DESC_LAST, CLUSTERED = range(1, 6)


def compare_by(direction: int, a: Any, b: Any) -> int:
    """-1, 0 or 1 in that direction; NULL equals NULL, and its end is said by the direction."""
    if a is None or b is None:
        first = -1 if direction in (ASC_FIRST, DESC_FIRST) else 1
        return ((a is None) - (b is None)) * first
    found = values.compare(a, b) or 0
    return -found if direction in (DESC_FIRST, DESC_LAST) else found


def ordering(sorts: Any, envs: Sequence[Env]) -> tuple[list[int], list[int]]:
    """(indices of the rows in order, group of each of these). Equal rows share a group."""
    from tests.oracle.expressions import evaluate

    directions = []
    for s in sorts:
        if s.WhichOneof("sort_kind") != "direction":
            raise NotCovered("custom comparisons")
        if s.direction not in range(1, 6):
            raise Invalid("a sort without a direction")
        directions.append(s.direction)
    keys = [tuple(evaluate(s.expr, env) for s in sorts) for env in envs]

    def compare(i: int, j: int) -> int:
        for direction, a, b in zip(directions, keys[i], keys[j], strict=True):
            found = compare_by(direction, a, b)
            if found:
                return found
        return 0

    indices = sorted(range(len(keys)), key=cmp_to_key(compare))
    groups: list[int] = []
    for n, i in enumerate(indices):
        groups.append(0 if n == 0 else groups[-1] + (compare(indices[n - 1], i) != 0))
    return indices, groups


def leading(sorts: Any) -> int:
    """How many sort fields order rows: after a clustered one the order is free."""
    for n, s in enumerate(sorts):
        if s.direction == CLUSTERED:
            return n
    return len(sorts)


def require_same(rows: Sequence[Row], groups: Sequence[int], at: int) -> None:
    """A cut between two rows of one group is fixed only if the whole group is equal rows."""
    if not 0 < at < len(rows) or groups[at - 1] != groups[at]:
        return
    if len({values.key(r) for r, g in zip(rows, groups, strict=True) if g == groups[at]}) > 1:
        raise Undetermined("a fetch that cuts through rows of one rank")
