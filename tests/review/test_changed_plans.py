"""Drawn plans with one change: where `diff` calls both the same, the oracle has the same rows for both.

In bulk: ``python -m tests.review.test_changed_plans --minutes 5 --seed 7``.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter, defaultdict
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from google.protobuf.descriptor import FieldDescriptor

import substrait_sql
from substrait_sql.wire.fields import is_repeated
from tests.oracle import draw, relations
from tests.oracle.model import OracleError
from tests.oracle.run import drawn

if TYPE_CHECKING:
    from collections.abc import Iterator

# What the oracle says of a plan that means nothing: it looks for what is there, and not for what is not.
_NO_PLAN = (
    OracleError,
    ValueError,
    IndexError,
    KeyError,
    TypeError,
    AttributeError,
    RecursionError,
)
_ALLOWED = frozenset(draw.FEATURES)
_CHANGES = 12
# Without them the oracle has no columns, where a plan still has the names of all.
_NEEDED = "substrait.NamedStruct.struct"


class Place(NamedTuple):
    """A field of a message in the plan that is set."""

    message: Any
    field: FieldDescriptor


class Found(NamedTuple):
    """wrong: what was changed in which plans, that is the same to `diff` and has other rows."""

    wrong: list[tuple[int, str, Any]]
    compared: Counter[str]


def places(message: Any) -> Iterator[Place]:
    """Every field that is set, in the relations of a plan."""
    stack = list(message.relations)
    while stack:
        node = stack.pop()
        for field, value in node.ListFields():
            yield Place(node, field)
            if field.message_type is not None:
                stack.extend(value if is_repeated(field) else [value])


def change(plan: Any, luck: Random) -> str:
    """Changes one field of a plan, of any kind that it has, and says which; nothing where that cannot be."""
    kinds = defaultdict(list)
    for place in places(plan):
        kinds[place.field.full_name].append(place)
    kinds.pop(_NEEDED, None)
    name = luck.choice(sorted(kinds))
    message, field = luck.choice(kinds[name])
    try:
        if is_repeated(field):
            _change_list(getattr(message, field.name), luck)
        elif field.message_type is not None:
            message.ClearField(field.name)
        else:
            setattr(message, field.name, _other(getattr(message, field.name), field, luck))
    except (ValueError, TypeError):
        return ""
    return name


def _change_list(values: Any, luck: Random) -> None:
    """Two members change places, or one is taken out, is there twice, or is another."""
    members = list(values)
    i = luck.randrange(len(members))
    match luck.choice(["swap", "take out", "double", "alter"]):
        case "swap" if i:
            members[i - 1], members[i] = members[i], members[i - 1]
        case "take out":
            del members[i]
        case "alter" if isinstance(members[i], int):
            members[i] += luck.choice([-1, 1])
        case _:
            members.insert(i, members[i])
    copies = [
        type(m).FromString(m.SerializeToString()) if hasattr(m, "ListFields") else m
        for m in members
    ]
    del values[:]
    values.extend(copies)


def _other(value: Any, field: FieldDescriptor, luck: Random) -> Any:
    if field.enum_type is not None:
        return luck.choice([v.number for v in field.enum_type.values if v.number != value])
    match value:
        case bool():
            return not value
        case str():
            return value + "x"
        case bytes():
            return value + b"\1"
    return value + luck.choice([-1, 1])


def rows(plan: Any) -> Counter[str]:
    (table,) = relations.roots(plan, draw.TABLES)
    return Counter(map(repr, table.rows))


def look(seed: int, plans: int = 10**9, seconds: float = 10**9) -> Found:
    found = Found([], Counter())
    end = time.monotonic() + seconds
    for each in range(seed * 1_000_000, seed * 1_000_000 + plans):
        if time.monotonic() > end:
            break
        plan = drawn(each, 4, _ALLOWED)[0]
        try:
            before = rows(plan)
        except OracleError:
            continue
        luck = Random(each)
        for _ in range(_CHANGES):
            _compare(plan, before, luck, each, found)
    return found


def _compare(plan: Any, before: Counter[str], luck: Random, seed: int, found: Found) -> None:
    other = type(plan)()
    other.CopyFrom(plan)
    name = change(other, luck)
    try:
        after = rows(other)
    except _NO_PLAN:
        return
    category = substrait_sql.diff(plan, other).category
    found.compared[category] += 1
    if category in ("same", "order") and after != before and _has_sql(other):
        found.wrong.append((seed, name, other))


def _has_sql(plan: Any) -> bool:
    try:
        substrait_sql.to_sql(plan)
    except substrait_sql.SubstraitSqlError:
        return False
    return True


def test_what_is_the_same_has_the_same_rows() -> None:
    found = look(1, plans=30)
    assert not found.wrong, [(seed, name) for seed, name, _ in found.wrong]
    assert found.compared["same"] > 30
    assert found.compared["rows"] > 30


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float, default=1)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    said = look(given.seed, seconds=60 * given.minutes)
    for number, what, _ in said.wrong:
        print(f"plan {number}: {what}")
    print(said.compared)
