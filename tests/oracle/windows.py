"""Window functions: as expressions, and as a relation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tests.oracle import sorting, values
from tests.oracle.model import (
    Env,
    Invalid,
    NotCovered,
    Row,
    RuntimeFailure,
    Scope,
    Table,
    Undetermined,
    World,
)

RANGE = 2
RANKS = ("row_number", "rank", "dense_rank", "ntile")
SHIFTS = {"lag": -1, "lead": 1}
PICKS = ("first_value", "last_value", "nth_value")
# These look at the rank of a row, never at its place among rows of the same rank.
STEADY = ("rank", "dense_rank")


@dataclass(frozen=True)
class Partition:
    """The records of one partition in order, and the peer group of each."""

    envs: list[Env]
    groups: list[int]
    sorts: Any

    def first(self, at: int) -> int:
        return self.groups.index(self.groups[at])

    def last(self, at: int) -> int:
        return len(self.groups) - 1 - self.groups[::-1].index(self.groups[at])

    def ties_differ(self) -> bool:
        """Whether rows of the same rank are not all the same row."""
        for g in set(self.groups):
            peers = [e for e, h in zip(self.envs, self.groups, strict=True) if h == g]
            if len({(values.key(e.row), _hidden(e)) for e in peers}) > 1:
                return True
        return False


def _hidden(env: Env) -> int:
    return env.frame.groups[env.index] if env.frame else 0


def inside(message: Any) -> bool:
    """Whether an expression holds a window function (outside its subqueries)."""
    if message.WhichOneof("rex_type") == "window_function":
        return True
    stack = [message]
    while stack:
        for descriptor, value in stack.pop().ListFields():
            if descriptor.name in ("subquery", "literal") or descriptor.message_type is None:
                continue
            if descriptor.name == "window_function":
                return True
            stack.extend([value] if hasattr(value, "ListFields") else value)
    return False


def expression_value(message: Any, env: Env) -> Any:
    """2.4: a window function among other expressions looks at all records of its relation."""
    if env.frame is None:
        raise NotCovered("a window function in a join condition")
    memo = env.frame.memo
    # Not the wrapper's id: Python gives it to the next wrapper as soon as this one is gone.
    key = message.SerializeToString(deterministic=True)
    if key not in memo:
        call = message.window_function
        envs = [
            Env(env.world, r, s, env.frame, i)
            for i, (r, s) in enumerate(zip(env.frame.rows, env.frame.scopes, strict=True))
        ]
        memo[key] = column(call, call.partitions, call.sorts, envs)
    return memo[key][env.index]


def window_relation(node: Any, world: World, scope: Scope) -> Table:
    """1.11: the input's columns, then one per function; all share partitions and sorts, each has
    bounds of its own. The order stays."""
    from tests.oracle.relations import anchor_of, environments, relation

    table = relation(node.input, world, scope)
    envs = environments(node, table, world, scope, [anchor_of(node.input)])
    columns = [
        column(f, node.partition_expressions, node.sorts, envs) for f in node.window_functions
    ]
    rows = [row + tuple(c[i] for c in columns) for i, row in enumerate(table.rows)]
    return Table(table.width + len(columns), rows, table.order)


def column(call: Any, partitions: Any, sorts: Any, envs: Sequence[Env]) -> list[Any]:
    """The function's value for each record. NULL partition keys are equal."""
    from tests.oracle.expressions import evaluate

    parts: dict[Row, list[Env]] = {}
    for env in envs:
        parts.setdefault(values.key(tuple(evaluate(p, env) for p in partitions)), []).append(env)
    out: list[Any] = [None] * len(envs)
    for members in parts.values():
        indices, groups = sorting.ordering(sorts, members)
        partition = Partition([members[i] for i in indices], groups, sorts)
        for at, env in enumerate(partition.envs):
            out[env.index] = _value(call, partition, at)
    return out


def _value(call: Any, partition: Partition, at: int) -> Any:
    name = partition.envs[at].world.functions[call.function_reference]
    if name not in STEADY and _looks_at_places(name, call) and partition.ties_differ():
        raise Undetermined("a window over rows of one rank")
    if name in RANKS:
        return _rank(name, partition, at)
    if name in SHIFTS:
        return _shift(SHIFTS[name], call, partition, at)
    low, high = _frame(call, partition, at)
    members = partition.envs[low : high + 1] if low <= high else []
    if name in PICKS:
        return _pick(name, call, members, partition.envs[at])
    from tests.oracle.aggregates import measure

    return measure(call, members, partition.envs[at].world)


def _looks_at_places(name: str, call: Any) -> bool:
    if name in RANKS or name in SHIFTS or name in PICKS:
        return True
    kinds = {_bound_kind(b) for b in (call.lower_bound, call.upper_bound)}
    return call.bounds_type != RANGE and kinds != {"unbounded"}


def _rank(name: str, partition: Partition, at: int) -> int:
    """row_number counts rows, rank the rows before the peers, dense_rank the groups before."""
    if name == "ntile":
        raise NotCovered("ntile")
    if name == "row_number":
        return at + 1
    if name == "rank":
        return partition.first(at) + 1
    return len(set(partition.groups[: at + 1]))


def _shift(direction: int, call: Any, partition: Partition, at: int) -> Any:
    """The value so many rows before or after; beyond the partition the default, NULL if none."""
    from tests.oracle.expressions import evaluate

    env = partition.envs[at]
    args = [a.value for a in call.arguments]
    offset = evaluate(args[1], env) if len(args) > 1 else 1
    if offset is None:
        return None
    place = at + direction * offset
    if 0 <= place < len(partition.envs):
        return evaluate(args[0], partition.envs[place])
    return evaluate(args[2], env) if len(args) > 2 else None


def _pick(name: str, call: Any, members: list[Env], env: Env) -> Any:
    """A row of the frame by its place; NULL if there is none."""
    from tests.oracle.expressions import evaluate

    if call.options:
        raise NotCovered("options of window functions")
    place = {"first_value": 0, "last_value": len(members) - 1}.get(name)
    if place is None:
        place = evaluate(call.arguments[1].value, env) - 1
    if not 0 <= place < len(members):
        return None
    return evaluate(call.arguments[0].value, members[place])


def _bound_kind(bound: Any) -> str:
    """A bound that is not set reaches to the end of the partition."""
    return bound.WhichOneof("kind") or "unbounded"


def _frame(call: Any, partition: Partition, at: int) -> tuple[int, int]:
    """First and last row of the frame, both inclusive; first > last is an empty frame."""
    place = _range_place if call.bounds_type == RANGE else _rows_place
    low = place(call.lower_bound, partition, at, lower=True)
    high = place(call.upper_bound, partition, at, lower=False)
    return max(low, 0), min(high, len(partition.envs) - 1)


def _offset(bound: Any, env: Env) -> Any:
    """offset_expr for this row, or else the plain offset; never NULL, never negative."""
    from tests.oracle.expressions import evaluate

    inner = getattr(bound, _bound_kind(bound))
    found = evaluate(inner.offset_expr, env) if inner.HasField("offset_expr") else inner.offset
    if found is None or found < 0:
        raise RuntimeFailure("a bound that is NULL or negative")
    return found


def _rows_place(bound: Any, partition: Partition, at: int, lower: bool) -> int:
    """ROWS: so many rows from the current one."""
    kind = _bound_kind(bound)
    if kind == "unbounded":
        return 0 if lower else len(partition.envs) - 1
    if kind == "current_row":
        return at
    offset = int(_offset(bound, partition.envs[at]))
    return at - offset if kind == "preceding" else at + offset


def _range_place(bound: Any, partition: Partition, at: int, lower: bool) -> int:
    """RANGE: rows whose key is so far from the current one in the declared direction. The current
    row stands for its peers; where its key is NULL, offsets mean them too."""
    from tests.oracle.expressions import evaluate

    kind = _bound_kind(bound)
    if kind == "unbounded":
        return 0 if lower else len(partition.envs) - 1
    peers = partition.first(at) if lower else partition.last(at)
    if kind == "current_row":
        return peers
    if len(partition.sorts) != 1:
        raise Invalid("a RANGE offset takes one sort key")
    direction = partition.sorts[0].direction
    keys = [evaluate(partition.sorts[0].expr, e) for e in partition.envs]
    offset = _offset(bound, partition.envs[at])
    if keys[at] is None:
        return peers
    sign = -1 if direction in (sorting.DESC_FIRST, sorting.DESC_LAST) else 1
    away = -offset if kind == "preceding" else offset
    target = keys[at] * sign + away
    known = [i for i, k in enumerate(keys) if k is not None]
    if lower:
        return next((i for i in known if keys[i] * sign >= target), known[-1] + 1)
    return next((i for i in reversed(known) if keys[i] * sign <= target), known[0] - 1)
