"""Whether two blocks are the same: a key that is equal for both only if one is the other with its sources renamed.

Sources of one kind are told apart by what is asked of them. Where that does not do, by their places in the plan: then
equal blocks may have different keys, and never the other way round.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from substrait_sql.review.meaning.model import Block, Expr

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from substrait_sql.review.meaning.model import Attached, From, Leaf

# What these pass on is known by what it is inside, so that the columns of their inputs have no places.
_BY_CONTENT = ("aggregate", "fetch", "window", "full", "shared")
_IN_ANY_ORDER = ("aggregate", "values")
_ONCE = (("call", "", "and"), ("call", "", "or"), ("list",))
_ROUNDS = 2


def digest(*parts: object) -> str:
    """A short text for some values, other for other ones."""
    return hashlib.blake2b(repr(parts).encode(), digest_size=16).hexdigest()


class Keys:
    """The keys of one query. labels: what its sources are called, as far as they are known yet."""

    def __init__(self, labels: dict[Leaf, str] | None = None) -> None:
        self.labels = labels if labels is not None else {}
        self._known: dict[int, str] = {}
        # How many sources of a kind the queries around have: one inside must not be called as they are.
        self._around: Counter[str] = Counter()

    def block(self, block: Block) -> str:
        """The key of a query with its columns and its order."""
        with self._labelled(block.source, [*block.outputs, *block.order]):
            return digest(
                self.source(block.source), self.several(block.outputs), self.several(block.order)
            )

    @contextmanager
    def _labelled(self, source: From, uses: Sequence[Expr]) -> Iterator[None]:
        """Labels the sources, and keeps their labels from those of the queries inside."""
        self.label(source, uses)
        own = Counter(_kind(self.labels[leaf]) for leaf in source.leaves())
        self._around.update(own)
        try:
            yield
        finally:
            self._around.subtract(own)

    def several(self, exprs: Iterable[Expr]) -> list[str]:
        """The keys of some expressions."""
        return [self.expr(e) for e in exprs]

    def source(self, source: From) -> str:
        """The key of a From whose sources have their labels."""
        return digest(
            sorted(self.labels[leaf] for leaf in source.items),
            sorted(map(self._attached, source.attached)),
            sorted(self.conditions(source)),
        )

    def conditions(self, source: From) -> dict[str, Expr]:
        """The conditions by their keys. One that is only tried is nothing beside the same that is kept."""
        found = {self.expr(each): each for each in source.conditions}
        return {
            key: each
            for key, each in found.items()
            if each.kind != "best effort" or self.expr(each.args[0]) not in found
        }

    def _attached(self, joined: Attached) -> str:
        on = sorted(set(self.several(joined.on)))
        return digest(joined.word, self.source(joined.source), on)

    def label(self, source: From, uses: Sequence[Expr]) -> None:
        """Gives the sources their labels. uses: what is asked of them beside conditions."""
        leaves = list(source.leaves())
        groups: dict[str, list[Leaf]] = defaultdict(list)
        for leaf in leaves:
            if leaf not in self.labels:
                groups[self.leaf(leaf)].append(leaf)
        alike = {leaf for group in groups.values() if len(group) > 1 for leaf in group}
        marks = _told_apart(alike, groups, [*source.every(), *uses]) if alike else {}
        for key, group in groups.items():
            ranked = sorted(group, key=lambda each: marks.get(each, ""))
            for i, leaf in enumerate(ranked, self._around[key]):
                self.labels[leaf] = f"{key}#{i}"

    def leaf(self, leaf: Leaf) -> str:
        """The key of a source by itself."""
        inputs = self._inputs(leaf)
        exprs = self.several(leaf.exprs)
        if "any order" in leaf.head:
            inputs.sort()
        if leaf.kind in _IN_ANY_ORDER:
            exprs.sort()
        return digest(leaf.kind, leaf.head, inputs, exprs)

    def _inputs(self, leaf: Leaf) -> list[str]:
        found = []
        with ExitStack() as around:
            for each in leaf.inputs:
                found.append(self._input(leaf, each))
                if leaf.kind == "lateral_join":
                    # What is on its right refers to what is on its left.
                    around.enter_context(self._labelled(each.source, ()))
        return found

    def _input(self, leaf: Leaf, block: Block) -> str:
        if leaf.kind not in _BY_CONTENT:
            return self.block(block)
        ordered = block.order if leaf.kind == "fetch" else []
        with self._labelled(block.source, [*leaf.exprs, *ordered]):
            return digest(self.source(block.source), self.several(ordered))

    def expr(self, expr: Expr) -> str:
        """The key of an expression over sources that have their labels."""
        found = self._known.get(id(expr))
        if found is None:
            found = self._known[id(expr)] = self._expr(expr)
        return found

    def _expr(self, expr: Expr) -> str:
        args = self.several(expr.args)
        if expr.head in _ONCE:
            args = sorted(set(args))
        elif expr.commutes:
            args.sort()
        if expr.leaf is not None:
            # A source that is not known is like no other.
            label = self.labels.get(expr.leaf, f"elsewhere {id(expr.leaf)}")
            inner = None if expr.inner is None else self.expr(expr.inner)
            return digest(expr.head, label, inner)
        if not expr.blocks:
            return digest(expr.head, args)
        only_rows = expr.head[1:2] == ("set_predicate",) and "predicate_op 1" in expr.head
        blocks = [Block(b.source, []) if only_rows else b for b in expr.blocks]
        return digest(expr.head, args, [self.block(b) for b in blocks])


def apart(keys: Sequence[Expr]) -> list[Expr]:
    """The keys of several grouping sets: of those that are the same, a set may have one and not the other."""
    known, told = Keys(), []
    seen: Counter[str] = Counter()
    for expr in keys:
        key = known.expr(expr)
        again, seen[key] = seen[key], seen[key] + 1
        told.append(Expr(("again", str(again)), [expr], path=expr.path) if again else expr)
    return told


def _kind(label: str) -> str:
    """What a label is without the place among those that are alike."""
    return label.partition("#")[0]


def _told_apart(
    alike: set[Leaf], groups: Mapping[str, Sequence[Leaf]], exprs: Sequence[Expr]
) -> dict[Leaf, str]:
    """What is asked of each of the sources that are alike, others of them known by what is asked of them."""
    asked: dict[Leaf, list[Expr]] = defaultdict(list)
    for expr in exprs:
        for leaf in expr.leaves & alike:
            asked[leaf].append(expr)
    marks = {leaf: key for key, group in groups.items() for leaf in group}
    for _ in range(_ROUNDS):
        marks = {
            leaf: digest(mark, sorted(_outline(e, leaf, marks) for e in asked[leaf]))
            for leaf, mark in marks.items()
        }
    return marks


def _outline(expr: Expr, own: Leaf, marks: Mapping[Leaf, str]) -> str:
    """A key of an expression in which one source is marked; what is in subqueries is left out."""
    if expr.leaf is not None:
        return digest(expr.head, expr.leaf is own, marks.get(expr.leaf))
    args = [_outline(a, own, marks) for a in expr.args]
    if expr.commutes:
        args.sort()
    return digest(expr.head, args, [b.free and own in b.free for b in expr.blocks])
