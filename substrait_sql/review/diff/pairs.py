"""Which source of one query is which of another: so that the rest can be compared as if they were the same."""

from __future__ import annotations

from collections import defaultdict
from itertools import count
from typing import TYPE_CHECKING, Any

from substrait_sql.review.meaning.keys import Keys
from substrait_sql.review.meaning.model import Block, From

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from substrait_sql.review.meaning.model import Expr, Leaf

Pair = tuple["Leaf", "Leaf"]


class SideKeys(Keys):
    """The keys of one side, in which sources that have a partner on the other side are called the same.

    plain: the keys of the side by itself, with what each source is called there. through: sources that are looked
    through: what they pass on is the same without.
    """

    def __init__(self, labels: dict[Leaf, str], plain: Keys) -> None:
        super().__init__(labels)
        self.plain = plain
        self.own = plain.labels
        self.through: set[Leaf] = set()

    def _expr(self, expr: Expr) -> str:
        if expr.inner is not None and (expr.head[1] == "pass" or expr.leaf in self.through):
            return self.expr(expr.inner)
        return super()._expr(expr)


class Pairs:
    """Sides a and b, and the labels that their sources share."""

    def __init__(self, a: SideKeys, b: SideKeys) -> None:
        self.a = a
        self.b = b
        self._numbers = count()

    @classmethod
    def of(cls, a: Block, b: Block) -> Pairs:
        """Those of two whole queries."""
        return cls(SideKeys({}, _own(a)), SideKeys({}, _own(b)))

    def find(self, a: From, b: From) -> tuple[list[Pair], list[Leaf], list[Leaf]]:
        """The pairs, and the sources of each side that have no partner."""
        left, right = list(a.leaves()), list(b.leaves())
        found: list[Pair] = []
        for way in _WAYS:
            pairs = _matching(
                [(x, way(x, self.a.own)) for x in left], [(y, way(y, self.b.own)) for y in right]
            )
            found += pairs
            taken = {leaf for pair in pairs for leaf in pair}
            left = [x for x in left if x not in taken]
            right = [x for x in right if x not in taken]
        if len(left) == len(right) and all(x.kind == "table" for x in (*left, *right)):
            found += zip(left, right, strict=True)
            left = right = []
        for x, y in found:
            self.a.labels[x] = self.b.labels[y] = f"both {next(self._numbers)}"
        for keys, alone in ((self.a, left), (self.b, right)):
            for leaf in alone:
                keys.labels[leaf] = f"alone {next(self._numbers)}"
        found.sort(key=lambda pair: pair[1].number)
        return found, left, right


def _own(block: Block) -> Keys:
    keys = Keys()
    keys.block(block)
    return keys


# By what sources are paired: what they are, without the places of those that are alike, tables by name, then by kind.
_WAYS: tuple[Callable[[Any, dict[Any, str]], object], ...] = (
    lambda leaf, own: own[leaf],
    lambda leaf, own: own[leaf].partition("#")[0],
    lambda leaf, own: (leaf.kind, leaf.head) if leaf.kind == "table" else None,
    lambda leaf, own: leaf.kind if leaf.kind != "table" else None,
)


def _matching(
    left: Iterable[tuple[Leaf, object]], right: Iterable[tuple[Leaf, object]]
) -> list[Pair]:
    waiting: dict[object, list[Leaf]] = defaultdict(list)
    for leaf, key in right:
        waiting[key].append(leaf)
    for leaves in waiting.values():
        leaves.reverse()
    return [(leaf, waiting[key].pop()) for leaf, key in left if key is not None and waiting[key]]


def only(block: Block) -> Leaf | None:
    """The operator that is all that a query reads."""
    source = block.source
    if len(source.items) != 1 or source.attached or not source.items[0].inputs:
        return None
    return source.items[0]


def below(block: Block) -> Iterable[str]:
    """The kinds of the operators below each other."""
    leaf = only(block)
    while leaf is not None:
        yield leaf.kind
        leaf = only(leaf.inputs[0])


def opened(block: Block, leaf: Leaf) -> Block:
    """The query without the operator that it reads: over what that reads."""
    made = From(conditions=list(block.source.conditions))
    for each in leaf.inputs:
        made.items += each.source.items
        made.attached += each.source.attached
        made.conditions += each.source.conditions
    order = block.order or leaf.inputs[0].order
    return Block(made, block.outputs, order)


def blocks_paired(
    a: Sequence[Block], b: Sequence[Block], pairs: Pairs
) -> list[tuple[Block | None, Block | None]]:
    """The inputs of a set operation: equal ones, then those that are left in their order."""
    keys = [list(map(pairs.a.plain.block, a)), list(map(pairs.b.plain.block, b))]
    rest = list(range(len(b)))
    found: list[tuple[Block | None, Block | None]] = []
    left = []
    for i, key in enumerate(keys[0]):
        same = next((j for j in rest if keys[1][j] == key), None)
        if same is None:
            left.append(i)
        else:
            rest.remove(same)
            found.append((a[i], b[same]))
    for i in range(max(len(left), len(rest))):
        x = a[left[i]] if i < len(left) else None
        y = b[rest[i]] if i < len(rest) else None
        found.append((x, y))
    return found
