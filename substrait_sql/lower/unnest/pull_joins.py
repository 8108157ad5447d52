"""Equalities with outer values above joins and set operations: rows meet within one value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from substrait_sql.lower.unnest import unseen
from substrait_sql.lower.unnest.columns import hoist_filter, re_emit, shift_record
from substrait_sql.lower.unnest.keys import Key, Pulled
from substrait_sql.lower.unnest.pull import Pull, compared, shown, step
from substrait_sql.plan import build, join_types
from substrait_sql.plan.join_types import JoinType, join_type
from substrait_sql.plan.scopes import node_of
from substrait_sql.schema import types
from substrait_sql.wire.path import ROOT

if TYPE_CHECKING:
    from substrait_sql.lower.unnest.unseen import Seen

_EQ, _NOT_DISTINCT = build.EQ, build.IS_NOT_DISTINCT_FROM


@step("cross", "join", "hash_join", "merge_join", "nested_loop_join", "lateral_join")
def join(pull: Pull, rel: Any, seen: Seen) -> Pulled:
    """A kept side passes its keys on; the other side's only where they are the same."""
    kind = rel.WhichOneof("rel_type")
    node = node_of(rel)
    if "post_join_filter" in node.DESCRIPTOR.fields_by_name and node.HasField("post_join_filter"):
        hoist_filter(rel)
        return pull.up(rel, seen)
    below = unseen.below_emit(node, seen)
    type = _narrowed(pull, node, kind, below)
    left, right = _sides(pull, node, kind, type, below)
    direct = pull.widths.direct(rel) - _keys_shown(type, left, right)
    left, right, met = _meeting(pull, node, type, left, right)
    own = right if type.of_right else left
    first = len(left.keys)
    shift_record(node, lambda i: i if i < left.width else i + first, pull.widths)
    _substitute(pull, node, left, right)
    if met:
        _meet(pull, rel, kind, type, left, right, met)
    return _output(rel, type, left, right, own, direct, {j for _, j in met})


def _narrowed(pull: Pull, node: Any, kind: str, seen: Seen) -> JoinType:
    """The join's type, after the sides have lost the padding that nobody sees."""
    type = join_type(node, kind)
    if seen is None or type not in (JoinType.LEFT, JoinType.RIGHT, JoinType.FULL):
        return type
    left = pull.widths.of(node.left)
    width = left + pull.widths.of(node.right)
    narrowed = join_types.outer(
        left=type.padded.left and not unseen.passes_over(seen, 0, left),
        right=type.padded.right and not unseen.passes_over(seen, left, width),
    )
    # Logical and physical joins have the same numbers for these.
    node.type = narrowed.logical
    pull.moved |= narrowed is not type
    return narrowed


def _sides(pull: Pull, node: Any, kind: str, type: JoinType, seen: Seen) -> tuple[Pulled, Pulled]:
    """Both sides with their keys behind them. The right one of a lateral join is another matter."""
    width = pull.widths.of(node.left)
    both = type in (JoinType.INNER, JoinType.LEFT, JoinType.RIGHT)
    of_left = unseen.of_side(seen, 0, width) if both and not type.padded.left else None
    left = pull.up(node.left, of_left)
    if kind == "lateral_join":
        return left, Pulled(pull.widths.of(node.right))
    end = width + pull.widths.of(node.right)
    of_right = unseen.of_side(seen, width, end) if both and not type.padded.right else None
    return left, pull.up(node.right, of_right)


def _keys_shown(type: JoinType, left: Pulled, right: Pulled) -> int:
    """How many keys the join's direct output has."""
    return type.returned.left * len(left.keys) + type.returned.right * len(right.keys)


def _meeting(
    pull: Pull, node: Any, type: JoinType, left: Pulled, right: Pulled
) -> tuple[Pulled, Pulled, list[tuple[int, int]]]:
    """The keys that are left on each side, and the pairs of them that must be equal."""
    pairs = [
        (i, j)
        for i, a in enumerate(left.keys)
        for j, b in enumerate(right.keys)
        if a.of == b.of and a.function == b.function and types.same(a.type, b.type)
    ]
    if type is JoinType.INNER:
        return left, right, pairs
    turned = type.of_right
    kept, other = (right, left) if turned else (left, right)
    same = {pair[0] if turned else pair[1] for pair in pairs}
    if type is JoinType.FULL or len(same) < len(other.keys):
        # What is padded or only looked up has no place for a key of its own.
        pull.settle(node.left if turned else node.right, other)
        other, pairs = Pulled(other.width), []
    elif other.keys:
        pull.moved = True
    if type is JoinType.FULL:
        pull.settle(node.left, kept)
        kept = Pulled(kept.width)
    elif kept.keys:
        pull.moved = True
    return (other, kept, pairs) if turned else (kept, other, pairs)


def _substitute(pull: Pull, node: Any, left: Pulled, right: Pulled) -> None:
    begin = left.width + len(left.keys)
    places = [*range(left.width, begin)]
    keys: tuple[Key, ...] = left.keys
    if right.keys:
        keys = (*keys, *right.keys)
        places += [begin + right.width + i for i in range(len(right.keys))]
    pull.substitute(node, keys, places)


def _meet(
    pull: Pull,
    rel: Any,
    kind: str,
    type: JoinType,
    left: Pulled,
    right: Pulled,
    pairs: list[tuple[int, int]],
) -> None:
    """Adds to the join's condition that the keys of both sides are equal.

    A mark says that it does not know where a condition is NULL: there the comparison is null-safe.
    """
    if kind == "cross":
        crossed = build.copied(rel.cross)
        node = rel.join
        node.left.CopyFrom(crossed.left)
        node.right.CopyFrom(crossed.right)
        node.common.CopyFrom(crossed.common)
        node.type = JoinType.INNER.logical
    node = node_of(rel)
    if kind in ("hash_join", "merge_join"):
        for i, j in pairs:
            added = node.keys.add()
            added.left.CopyFrom(build.column(left.width + i).selection)
            added.right.CopyFrom(build.column(right.width + j).selection)
            plain = not type.mark and _is_plain(pull, left.keys[i])
            added.comparison.simple = _EQ if plain else _NOT_DISTINCT
        return
    begin = left.width + len(left.keys) + right.width
    conditions = [node.expression] if node.HasField("expression") else []
    for i, j in pairs:
        first, second = build.column(left.width + i), build.column(begin + j)
        conditions.append(compared(pull, left.keys[i], first, second, null_safe=type.mark))
    made = build.copied(build.conjunction(pull.cx.functions, conditions))
    node.expression.CopyFrom(made)


def _is_plain(pull: Pull, key: Key) -> bool:
    return pull.cx.functions.get(key.function, ROOT).standard == "equal"


def _output(
    rel: Any,
    type: JoinType,
    left: Pulled,
    right: Pulled,
    own: Pulled,
    direct: int,
    met: set[int],
) -> Pulled:
    """The columns that the join had, and the keys behind them. met: the right keys that the left side has, too."""
    if type.one_sided:
        return shown(rel, own, direct, own.width)
    more, begin = len(left.keys), left.width + len(left.keys)
    second = [begin + right.width + i for i in range(len(right.keys))]
    places = second if type.of_right else list(range(left.width, begin))
    keys = own.keys
    if type is JoinType.INNER:
        fresh = [i for i in range(len(right.keys)) if i not in met]
        keys = (*keys, *(right.keys[i] for i in fresh))
        places += [second[i] for i in fresh]
    common = node_of(rel).common
    emitted = common.WhichOneof("emit_kind") == "emit"
    width = len(common.emit.output_mapping) if emitted else direct
    if left.keys or right.keys:
        re_emit(rel, direct, lambda i: i if i < left.width else i + more, places)
    return Pulled(width, keys)


@step("set")
def set_operation(pull: Pull, rel: Any, seen: Seen) -> Pulled:
    """All branches must have the same keys. Rows are equal only if their keys are."""
    below = unseen.below_emit(rel.set, seen) if _is_union_all(rel.set) else None
    branches = [pull.up(each, below) for each in rel.set.inputs]
    width, keys = branches[0]
    orders = [_order(branch.keys, keys) for branch in branches]
    if not keys or any(order is None for order in orders):
        for each, branch in zip(rel.set.inputs, branches, strict=True):
            pull.settle(each, branch)
        return Pulled(pull.widths.of(rel))
    for each, branch, order in zip(rel.set.inputs, branches, orders, strict=True):
        own = list(range(branch.width))
        places = [branch.width + i for i in order or ()]
        if places != list(range(branch.width, branch.width + len(keys))):
            each.CopyFrom(build.project(each, [], [*own, *places]))
    pull.moved = True
    return shown(rel, Pulled(width, keys), width, width)


def _order(keys: tuple[Key, ...], wanted: tuple[Key, ...]) -> list[int] | None:
    """Where the wanted keys are among others, None unless those are the same."""
    if len(keys) != len(wanted) or len({key.of for key in keys}) < len(keys):
        return None
    places = {key.of: i for i, key in enumerate(keys)}
    for key in wanted:
        found = keys[places[key.of]] if key.of in places else None
        if found is None or found.function != key.function:
            return None
        if not types.same(found.type, key.type):
            return None
    return [places[key.of] for key in wanted]


def _is_union_all(node: Any) -> bool:
    names = type(node).DESCRIPTOR.fields_by_name["op"].enum_type.values_by_number
    return bool(node.op in names and names[node.op].name == "SET_OP_UNION_ALL")
