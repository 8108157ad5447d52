"""Sort fields: the order of rows, and which rows are equal in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cmp_to_key
from typing import Any

from substrait_sql.wire.descriptors import message
from tests.oracle import functions, values
from tests.oracle.model import Env, Invalid, Row, RuntimeFailure, Undetermined

# What a comparison function gives; its sign is all that matters.
_WIDE = message("Type")(i64={})
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

    ways = [_way(s, envs) for s in sorts]
    keys = [tuple(evaluate(s.expr, env) for s in sorts) for env in envs]

    def compare(i: int, j: int) -> int:
        for way, a, b in zip(ways, keys[i], keys[j], strict=True):
            found = way(a, b)
            if found:
                return found
        return 0

    indices = sorted(range(len(keys)), key=cmp_to_key(compare))
    groups: list[int] = []
    for n, i in enumerate(indices):
        groups.append(0 if n == 0 else groups[-1] + (compare(indices[n - 1], i) != 0))
    return indices, groups


def _way(sort: Any, envs: Sequence[Env]) -> Callable[[Any, Any], int]:
    """How two keys compare: in a direction, or as a function of the plan says."""
    if sort.WhichOneof("sort_kind") == "direction":
        if sort.direction not in range(1, 6):
            raise Invalid("a sort without a direction")
        return lambda a, b: compare_by(sort.direction, a, b)

    def compare(a: Any, b: Any) -> int:
        name = envs[0].world.functions[sort.comparison_function_reference]
        found = functions.call(name, _WIDE, [a, b], ())
        if found is None:
            raise RuntimeFailure("a comparison function that gives NULL")
        return int(found)

    return compare


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
