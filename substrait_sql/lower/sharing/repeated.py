"""Queries that a plan holds more than once, as if it referred to one subtree.

Producers that have no references write a common table expression out wherever it is read. Subtrees that are equal but
for hints and anchors are found here, before anything is lowered, and all become references to one. What is not worth a
name stays: a subtree counts that is an aggregation, of more than a whole table, or a set operation, or is computed of
the rows of one; and one of several tables in which a semi or anti join looks for a match, as that is a query of its
own in SQL. What else is read, filtered and joined only is part of a larger SELECT.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from substrait_sql.errors import InvalidPlanError
from substrait_sql.lower.relation import relation
from substrait_sql.lower.unnest.columns import become
from substrait_sql.plan import build
from substrait_sql.plan.join_types import JOINS, find
from substrait_sql.plan.scopes import is_outer, node_of, subqueries
from substrait_sql.wire.fields import is_repeated
from substrait_sql.wire.inside import (
    inputs,
    may_hold_subquery,
    open_parts,
    parts,
    placed_parts,
    relations_below,
)

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    from substrait_sql.lower.context import Context, Env
    from substrait_sql.select.block import Block
    from substrait_sql.wire.path import Path

_OVER = ("filter", "project", "sort", "window", "expand", "exchange")
# Rows picked by luck, and what nobody knows enough of.
_APART = ("fetch", "top_n", "reference", "extension_leaf", "extension_single", "extension_multi")
# The calls that may hang on the order of equal rows, and what is called.
_CALLS = {
    "AggregateFunction": "aggregate",
    "WindowFunction": "window",
    "WindowRelFunction": "window",
}
_STEADY_PARTS = ("Rel", "Literal", "Type", "RelCommon", "NamedStruct")
# What of a relation has no relation inside.
_NOT_INSIDE = ("RelCommon", "Literal", "Type")
# The messages between that field and the relation.
_SUBQUERIES = ("Subquery", "Scalar", "InPredicate", "SetPredicate", "SetComparison")


def share_repeated(rel: Any, cx: Context, path: Path) -> Any:
    """The relation with references in the place of queries that it holds more than once; itself if there are none."""
    nested = cx.held.subquery(rel)
    if not nested and not _may_repeat(rel):
        return rel
    found = _Subtrees(rel, nested)
    chosen = found.worth_sharing(cx)
    if not chosen:
        return rel
    made = build.copied(rel)
    _Sharing(found, chosen, cx).replace(made, 0, path)
    return made


def _may_repeat(rel: Any) -> bool:
    """Whether two queries worth a name could be equal, where there are no subqueries: in most plans none are."""
    met: set[Hashable] = set()
    joins, stack = 0, [rel]
    while stack:
        each = stack.pop()
        kind = each.WhichOneof("rel_type")
        if kind is None:
            continue
        node = getattr(each, kind)
        if kind in ("aggregate", "set"):
            content = (kind, *_own(node))
            if content in met:
                return True
            met.add(content)
        elif kind in JOINS:
            joins += bool(_matched(each, kind))
        # One side of such a join may be there again, whatever the joins say.
        if joins and joins + len(met) > 1:
            return True
        stack += relations_below(node)
    return False


def _own(node: Any) -> Iterator[bytes]:
    """What a relation says beside what all have, and beside its inputs: the same for equal ones."""
    for part in open_parts(node, ("Rel", "RelCommon")):
        data: bytes = part.SerializeToString(deterministic=True)
        yield data


class _Subtrees:
    """All relations below one, those in subqueries too, in the order in which they are met; equal ones have one key.

    keys: of each. ends: behind the last one below each. children: of each key, the keys of
    the relations directly below it. reads: how many tables there are below each key. large: the keys that are worth
    a name. times: how often each key is there. nested: whether there may be subqueries.
    """

    def __init__(self, rel: Any, nested: bool) -> None:
        self.nested = nested
        self._all: list[Any] = []
        # The numbers of those directly below each.
        self._below: list[list[int]] = []
        self._find(rel)
        self.ends = _ends(self._below)
        self.keys = [-1] * len(self._all)
        self.children: list[list[int]] = []
        self.reads: list[int] = []
        self.large: set[int] = set()
        self.rels: list[Any] = []
        self.times: list[int] = []
        self._known: dict[Hashable, int] = {}
        heights = _heights(self._below)
        # Equal ones are of one kind, and have as many below them.
        self._kinds = [each.WhichOneof("rel_type") for each in self._all]
        self._forms = [
            (kind, end - at)
            for at, (kind, end) in enumerate(zip(self._kinds, self.ends, strict=True))
        ]
        self._alike = Counter(self._forms)
        # All that are of one height before those that they are part of.
        for at in sorted(range(len(heights)), key=heights.__getitem__):
            self._name(at)

    def _find(self, rel: Any) -> int:
        at = len(self._all)
        self._all.append(rel)
        below: list[int] = []
        self._below.append(below)
        node = node_of(rel)
        if node is not None:
            rels = _relations(node) if self.nested else [each for _, each in inputs(node)]
            for each in rels:
                below.append(self._find(each))
        return at

    def _name(self, at: int) -> None:
        """Gives a relation its key: a higher one than those of its parts.

        One that nothing is like, or of which a part is there once only, is there once itself: nobody needs to know what
        else it says.
        """
        rel, below = self._all[at], [self.keys[i] for i in self._below[at]]
        kind = self._kinds[at]
        once = self._alike[self._forms[at]] == 1 or 1 in [self.times[key] for key in below]
        content = at if once else self._content_of(rel, kind, below)
        key = self.keys[at] = self._known.setdefault(content, len(self.children))
        if key < len(self.children):
            self.times[key] += 1
            return
        self.times.append(1)
        self.children.append(below)
        self.rels.append(rel)
        self.reads.append((kind == "read") + sum([self.reads[child] for child in below]))
        # Both sides stand before what else is below it.
        self.large.update([k for k in _matched(rel, kind, below) if self.reads[k] > 1])
        if _is_large(rel, kind) or (kind in _OVER and below and below[0] in self.large):
            self.large.add(key)

    def _content_of(self, rel: Any, kind: str | None, below: list[int]) -> Hashable:
        """What a relation says, with the keys of those below it in their places."""
        if kind is None:
            return ()
        keys = iter(below)
        found: list[Hashable] = [kind]
        for descriptor, value in getattr(rel, kind).ListFields():
            if descriptor.name == "common":
                found.append(_common(value))
            else:
                found.append((descriptor.name, self._content(descriptor, value, keys)))
        return tuple(found)

    def _content(self, descriptor: Any, value: Any, keys: Iterator[int]) -> Hashable:
        """What a field of a message has, with the keys of relations in their place."""
        if descriptor.message_type is None:
            return tuple(value) if is_repeated(descriptor) else value
        if not is_repeated(descriptor):
            return self._message(value, keys)
        return tuple([self._message(each, keys) for each in value])

    def _message(self, message: Any, keys: Iterator[int]) -> Hashable:
        name = message.DESCRIPTOR.name
        if name == "Rel":
            return next(keys)
        data: bytes = message.SerializeToString(deterministic=True)
        if name in ("Literal", "Type") or not self.nested:
            return data
        if not may_hold_subquery(data) and name not in _SUBQUERIES:
            return data
        if not any(subqueries(message)):
            return data
        return tuple((d.number, self._content(d, v, keys)) for d, v in message.ListFields())

    def worth_sharing(self, cx: Context) -> set[int]:
        """The keys of queries that are to be written once."""
        if all(self.times[key] == 1 for key in self.large):
            return set()
        barred = _Barred(self, cx).keys
        uses = [0] * len(self.children)
        chosen: set[int] = set()
        uses[self.keys[0]] = 1
        # A subtree has a lower key than those that it is part of.
        for key in reversed(range(len(self.children))):
            if uses[key] > 1 and key in self.large and key not in barred:
                chosen.add(key)
                uses[key] = 1
            for child in self.children[key]:
                uses[child] += uses[key]
        return chosen


def _ends(below: Sequence[Sequence[int]]) -> list[int]:
    """For each relation the number behind the last one below it. below: the numbers of those directly below each."""
    ends = [at + 1 for at in range(len(below))]
    for at in reversed(range(len(below))):
        if below[at]:
            ends[at] = ends[below[at][-1]]
    return ends


def _heights(below: Sequence[Sequence[int]]) -> list[int]:
    """For each relation how many lie one below the other under it."""
    heights = [0] * len(below)
    for at in reversed(range(len(below))):
        heights[at] = max([heights[i] + 1 for i in below[at]], default=0)
    return heights


def _is_large(rel: Any, kind: str | None) -> bool:
    """Whether a reader is helped by a name for the query; ``SELECT max(x) FROM t`` is as good as one."""
    if kind == "aggregate":
        mere = rel.aggregate.input.WhichOneof("rel_type") == "read" or _of_values(rel.aggregate)
        return bool(rel.aggregate.grouping_expressions) or not mere
    return kind == "set"


def _of_values(aggregate: Any) -> bool:
    """Whether it is over rows that the plan lists, or some of those."""
    given = aggregate.input
    while given.WhichOneof("rel_type") == "filter":
        given = given.filter.input
    return bool(given.read.HasField("virtual_table"))


def _matched(rel: Any, kind: str | None, sides: Sequence[int] = (0, 1)) -> Sequence[int]:
    """That one of the two sides of a join in which the other one's rows look for a match; none of other relations."""
    found = find(getattr(rel, kind), kind) if kind in JOINS else None
    if found is None or found.looks_up or not found.one_sided:
        return ()
    return sides[:1] if found.of_right else sides[1:2]


def _common(common: Any) -> Hashable:
    """What all relations have in common but for hints, which are about names and numbers of rows, and anchors."""
    emitted = common.WhichOneof("emit_kind") == "emit"
    mapping = tuple(common.emit.output_mapping) if emitted else None
    extension: bytes = common.advanced_extension.SerializeToString(deterministic=True)
    return (mapping, extension)


class _Barred:
    """The keys of subtrees that mean something else each time, or might.

    They refer to a query around, pick rows by luck, or call what gives another value each time.
    """

    def __init__(self, found: _Subtrees, cx: Context) -> None:
        self.keys: set[int] = set()
        self._cx = cx
        self._anchored = False
        kinds = [rel.WhichOneof("rel_type") for rel in found.rels]
        nodes = [node_of(rel) for rel in found.rels]
        named = {
            key
            for key, (kind, node) in enumerate(zip(kinds, nodes, strict=True))
            if kind is not None and kind not in _APART and node.common.rel_anchor
        }
        for key, (kind, node) in enumerate(zip(kinds, nodes, strict=True)):
            # What is there once matters only for the anchors that it may refer to.
            if kind is None or (found.times[key] == 1 and not named):
                continue
            below = any(child in self.keys for child in found.children[key])
            if below or kind in _APART or self._varies(node):
                self.keys.add(key)
        if self._anchored:
            self.keys |= named

    def _varies(self, message: Any) -> bool:
        name = message.DESCRIPTOR.name
        if name == "FieldReference":
            outer = is_outer(message)
            self._anchored |= outer and bool(message.outer_reference.rel_reference)
            return outer
        if name in (*_CALLS, "ScalarFunction") and not self._is_steady(message, name):
            return True
        found = False
        for _, each in parts(message):
            if each.DESCRIPTOR.name not in _STEADY_PARTS:
                found = self._varies(each) or found
        return found

    def _is_steady(self, call: Any, kind: str) -> bool:
        """Whether a call has one value for the same rows. Where its function is none, who lowers it says so."""
        try:
            called = self._cx.functions.get(call.function_reference)
        except InvalidPlanError:
            return False
        if kind == "ScalarFunction":
            return bool(called.standard)
        # `grouping` has no line: it is about the groups, which `lower.relations.aggregates` makes.
        return called.standard == "grouping" or self._cx.dialect.facts(_CALLS[kind], called).steady


class _Sharing:
    """Puts references into a copy of the relation. Each shared query is lowered where the first one stands."""

    def __init__(self, found: _Subtrees, chosen: set[int], cx: Context) -> None:
        self._found = found
        self._chosen = chosen
        self._cx = cx
        self._widths = cx.widths
        self._references: dict[int, Any] = {}

    def replace(self, rel: Any, at: int, path: Path) -> int:
        """Replaces what is chosen in a relation, in place. at: its number. Returns the number behind it."""
        key, end = self._found.keys[at], self._found.ends[at]
        if key in self._references:
            become(rel, self._references[key])
            return end
        following = at + 1
        kind = rel.WhichOneof("rel_type")
        if kind is not None:
            for place, each in _placed_relations(getattr(rel, kind), path / kind):
                following = self.replace(each, following, place)
        if key in self._chosen:
            self._references[key] = self._shared(build.copied(rel), path)
            become(rel, self._references[key])
        return end

    def _shared(self, rel: Any, path: Path) -> Any:
        reader: Any = None

        def lower(cx: Context, _: Path, outer: Env | None) -> Block:
            nonlocal reader
            if reader is None:
                block = relation(rel, cx, path)
                reader = cx.shared.reader_of(block)
                if reader is None:
                    return block
            made: Block = reader()
            return made

        return self._cx.shared.make(lower, self._widths.of(rel))


def _relations(message: Any) -> list[Any]:
    """The relations in a relation's node or in an expression, not those inside them, in the order of the fields."""
    found: list[Any] = []
    for each in open_parts(message, _NOT_INSIDE):
        name = each.DESCRIPTOR.name
        if name == "Rel":
            found.append(each)
        elif name in _SUBQUERIES or may_hold_subquery(each.SerializeToString()):
            found += _relations(each)
    return found


def _placed_relations(message: Any, path: Path) -> Iterator[tuple[Path, Any]]:
    """The same relations, each with where it stands."""
    for each, at in placed_parts(message, path, _NOT_INSIDE):
        name = each.DESCRIPTOR.name
        if name == "Rel":
            yield at, each
        elif name in _SUBQUERIES or may_hold_subquery(each.SerializeToString()):
            yield from _placed_relations(each, at)
