"""Equalities with outer values above joins and set operations: rows meet within one value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from substrait_sql.lower.unnest import unseen
from substrait_sql.lower.unnest.columns import hoist_filter, re_emit, shift_record
from substrait_sql.lower.unnest.domain_joins import join_type
from substrait_sql.lower.unnest.keys import Key, Pulled
from substrait_sql.lower.unnest.pull import Pull, compared, shown, step
from substrait_sql.plan import build
from substrait_sql.plan.scopes import node_of
from substrait_sql.schema import types
from substrait_sql.wire.path import ROOT

if TYPE_CHECKING:
    from substrait_sql.lower.unnest.unseen import Seen

_INNER = 1
_ONE_SIDE = ("SEMI", "ANTI", "MARK")
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
    name = _narrowed(pull, node, kind, below)
    left, right = _sides(pull, node, kind, name, below)
    direct = pull.widths.direct(rel) - _keys_shown(name, left, right)
    left, right, met = _meeting(pull, node, name, left, right)
    own = right if name.startswith("RIGHT") else left
    first = len(left.keys)
    shift_record(node, lambda i: i if i < left.width else i + first, pull.widths)
    _substitute(pull, node, name, left, right)
    if met:
        _meet(pull, rel, kind, name, left, right, met)
    return _output(rel, name, left, right, own, direct, {j for _, j in met})


def _narrowed(pull: Pull, node: Any, kind: str, seen: Seen) -> str:
    """The join's type in words, after the sides have lost the padding that nobody sees."""
    if kind == "cross":
        return "INNER"
    name = join_type(node, kind)
    if seen is None or name not in ("LEFT", "RIGHT", "FULL"):
        return name
    left = pull.widths.of(node.left)
    width = left + pull.widths.of(node.right)
    # The rows that are NULL on the right, and those that are on the left.
    pads_right = name != "RIGHT" and not unseen.passes_over(seen, left, width)
    pads_left = name != "LEFT" and not unseen.passes_over(seen, 0, left)
    number = {(False, False): 1, (True, True): 2, (True, False): 3, (False, True): 4}
    node.type = number[pads_right, pads_left]
    pull.moved |= join_type(node, kind) != name
    return join_type(node, kind)


def _sides(pull: Pull, node: Any, kind: str, name: str, seen: Seen) -> tuple[Pulled, Pulled]:
    """Both sides with their keys behind them. The right one of a lateral join is another matter."""
    width = pull.widths.of(node.left)
    both = name in ("INNER", "LEFT", "RIGHT")
    of_left = unseen.of_side(seen, 0, width) if both and name != "RIGHT" else None
    left = pull.up(node.left, of_left)
    if kind == "lateral_join":
        return left, Pulled(pull.widths.of(node.right))
    end = width + pull.widths.of(node.right)
    of_right = unseen.of_side(seen, width, end) if both and name != "LEFT" else None
    return left, pull.up(node.right, of_right)


def _keys_shown(name: str, left: Pulled, right: Pulled) -> int:
    """How many keys the join's direct output has."""
    side, _, rest = name.partition(" ")
    if rest in _ONE_SIDE:
        return len((left if side == "LEFT" else right).keys)
    return len(left.keys) + len(right.keys)


def _meeting(
    pull: Pull, node: Any, name: str, left: Pulled, right: Pulled
) -> tuple[Pulled, Pulled, list[tuple[int, int]]]:
    """The keys that are left on each side, and the pairs of them that must be equal."""
    pairs = [
        (i, j)
        for i, a in enumerate(left.keys)
        for j, b in enumerate(right.keys)
        if a.of == b.of and a.function == b.function and types.same(a.type, b.type)
    ]
    if name == "INNER":
        return left, right, pairs
    turned = name.startswith("RIGHT")
    kept, other = (right, left) if turned else (left, right)
    same = {pair[0] if turned else pair[1] for pair in pairs}
    if name == "FULL" or len(same) < len(other.keys):
        # What is padded or only looked up has no place for a key of its own.
        pull.settle(node.left if turned else node.right, other)
        other, pairs = Pulled(other.width), []
    elif other.keys:
        pull.moved = True
    if name == "FULL":
        pull.settle(node.left, kept)
        kept = Pulled(kept.width)
    elif kept.keys:
        pull.moved = True
    return (other, kept, pairs) if turned else (kept, other, pairs)


def _substitute(pull: Pull, node: Any, name: str, left: Pulled, right: Pulled) -> None:
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
    name: str,
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
        node.type = _INNER
    mark = name.endswith("MARK")
    node = node_of(rel)
    if kind in ("hash_join", "merge_join"):
        for i, j in pairs:
            added = node.keys.add()
            added.left.CopyFrom(build.column(left.width + i).selection)
            added.right.CopyFrom(build.column(right.width + j).selection)
            plain = not mark and _is_plain(pull, left.keys[i])
            added.comparison.simple = _EQ if plain else _NOT_DISTINCT
        return
    begin = left.width + len(left.keys) + right.width
    conditions = [node.expression] if node.HasField("expression") else []
    for i, j in pairs:
        first, second = build.column(left.width + i), build.column(begin + j)
        conditions.append(compared(pull, left.keys[i], first, second, null_safe=mark))
    made = build.copied(build.conjunction(pull.cx.functions, conditions))
    node.expression.CopyFrom(made)


def _is_plain(pull: Pull, key: Key) -> bool:
    return pull.cx.functions.get(key.function, ROOT).standard == "equal"


def _output(
    rel: Any,
    name: str,
    left: Pulled,
    right: Pulled,
    own: Pulled,
    direct: int,
    met: set[int],
) -> Pulled:
    """The columns that the join had, and the keys behind them. met: the right keys that the left side has, too."""
    side, _, rest = name.partition(" ")
    if rest in _ONE_SIDE:
        return shown(rel, own, direct, own.width)
    more, begin = len(left.keys), left.width + len(left.keys)
    second = [begin + right.width + i for i in range(len(right.keys))]
    places = second if side == "RIGHT" else list(range(left.width, begin))
    keys = own.keys
    if name == "INNER":
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
