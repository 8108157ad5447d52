"""Queries that a plan holds more than once, as if it referred to one subtree.

Producers that have no references write a common table expression out wherever it is read. Subtrees that are equal but
for hints and anchors are found here, before anything is lowered, and all become references to one. What is not worth a
name stays: a subtree counts that is an aggregation, of more than a whole table, or a set operation, or is computed of
the rows of one; and one of several tables in which a semi or anti join looks for a match, as that is a query of its
own in SQL. What else is read, filtered and joined only is part of a larger SELECT.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from substrait_sql.lower.relation import relation
from substrait_sql.lower.unnest.columns import become
from substrait_sql.plan import build
from substrait_sql.plan.join_types import JOINS, find
from substrait_sql.plan.scopes import is_outer, node_of, subqueries
from substrait_sql.wire.inside import inputs, parts

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
# How Expression.subquery begins: its tag, a length, and the tag of the kind. What has not these bytes has no subquery.
_SUBQUERY = re.compile(rb"b[\x80-\xff]{0,9}[\x00-\x7f][\n\x12\x1a\x22]")
# The messages between that field and the relation.
_SUBQUERIES = ("Subquery", "Scalar", "InPredicate", "SetPredicate", "SetComparison")


def share_repeated(rel: Any, cx: Context, path: Path) -> Any:
    """The relation with references in the place of queries that it holds more than once; itself if there are none."""
    if not _may_repeat(rel):
        return rel
    found = _Subtrees(rel, path)
    chosen = found.worth_sharing(cx)
    if not chosen:
        return rel
    made = build.copied(rel)
    _Sharing(found, chosen, cx).replace(made, 0)
    return made


def _may_repeat(rel: Any) -> bool:
    """Whether two queries worth a name could be there at all: most plans have one, and are not looked at further."""
    few, stack = 2, [rel]
    while stack:
        each = stack.pop()
        kind, node = each.WhichOneof("rel_type"), node_of(each)
        few -= kind in ("aggregate", "set") or bool(_matched(each, kind))
        if few <= 0:
            return True
        if node is not None:
            stack += [below for _, below in inputs(node)]
    return bool(_SUBQUERY.search(rel.SerializeToString()))


class _Subtrees:
    """All relations below one, those in subqueries too, in the order in which they are met; equal ones have one key.

    keys: of each. ends: behind the last one below each. paths: where each stands. children: of each key, the keys of
    the relations directly below it. reads: how many tables there are below each key. large: the keys that are worth
    a name.
    """

    def __init__(self, rel: Any, path: Path) -> None:
        self.keys: list[int] = []
        self.ends: list[int] = []
        self.paths: list[Path] = []
        self.children: list[list[int]] = []
        self.reads: list[int] = []
        self.large: set[int] = set()
        self.rels: list[Any] = []
        self._known: dict[Hashable, int] = {}
        self._open: list[list[int]] = [[]]
        self._visit(rel, path)

    def _visit(self, rel: Any, path: Path) -> int:
        at = len(self.keys)
        self.keys.append(-1)
        self.ends.append(0)
        self.paths.append(path)
        kind = rel.WhichOneof("rel_type")
        self._open.append([])
        content = (kind, *self._parts(rel, kind, path)) if kind is not None else ()
        below = self._open.pop()
        key = self._known.setdefault(content, len(self._known))
        if key == len(self.children):
            self.children.append(below)
            self.rels.append(rel)
            self.reads.append((kind == "read") + sum(self.reads[child] for child in below))
            # Both sides stand before what else is below it.
            self.large.update(k for k in _matched(rel, kind, below) if self.reads[k] > 1)
            if _is_large(rel, kind) or (kind in _OVER and below and below[0] in self.large):
                self.large.add(key)
        self._open[-1].append(key)
        self.keys[at], self.ends[at] = key, len(self.keys)
        return key

    def _parts(self, rel: Any, kind: str, path: Path) -> Iterator[Hashable]:
        node, at = getattr(rel, kind), path / kind
        for descriptor, value in node.ListFields():
            if descriptor.name == "common":
                yield _common(value)
            else:
                yield (descriptor.name, self._content(descriptor, value, at))

    def _content(self, descriptor: Any, value: Any, path: Path) -> Hashable:
        """What a field of a message has, with the keys of relations in their place."""
        repeated = not isinstance(value, (str, bytes)) and hasattr(value, "__len__")
        if descriptor.message_type is None:
            return tuple(value) if repeated else value
        at = path / descriptor.name
        if not repeated:
            return self._message(value, at)
        return tuple(self._message(each, at[i]) for i, each in enumerate(value))

    def _message(self, message: Any, path: Path) -> Hashable:
        if message.DESCRIPTOR.name == "Rel":
            return self._visit(message, path)
        data: bytes = message.SerializeToString(deterministic=True)
        name = message.DESCRIPTOR.name
        if name in ("Literal", "Type") or (not _SUBQUERY.search(data) and name not in _SUBQUERIES):
            return data
        count = len(self.keys)
        content = tuple((d.number, self._content(d, v, path)) for d, v in message.ListFields())
        return content if len(self.keys) > count else data

    def worth_sharing(self, cx: Context) -> set[int]:
        """The keys of queries that are to be written once."""
        if not self._repeats():
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

    def _repeats(self) -> bool:
        times = [0] * len(self.children)
        for key in self.keys:
            times[key] += 1
        return any(times[key] > 1 for key in self.large)


def _is_large(rel: Any, kind: str | None) -> bool:
    """Whether a reader is helped by a name for the query; ``SELECT max(x) FROM t`` is as good as one."""
    if kind == "aggregate":
        mere = rel.aggregate.input.WhichOneof("rel_type") == "read"
        return bool(rel.aggregate.grouping_expressions) or not mere
    return kind == "set"


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
        named: set[int] = set()
        self._anchored = False
        for key, rel in enumerate(found.rels):
            kind, node = rel.WhichOneof("rel_type"), node_of(rel)
            if node is None:
                continue
            below = any(child in self.keys for child in found.children[key])
            if below or kind in _APART or self._varies(node):
                self.keys.add(key)
            elif node.common.rel_anchor:
                named.add(key)
        if self._anchored:
            self.keys |= named

    def _varies(self, message: Any) -> bool:
        name = message.DESCRIPTOR.name
        if name == "FieldReference":
            outer = is_outer(message)
            self._anchored |= outer and bool(message.outer_reference.rel_reference)
            return outer
        if name in _CALLS:
            called = self._cx.functions.get(message.function_reference)
            steady = self._cx.dialect.facts(_CALLS[name], called).steady
            # `grouping` has no line: it is about the groups, which `lower.relations.aggregates` makes.
            if not steady and called.standard != "grouping":
                return True
        elif (
            name == "ScalarFunction"
            and not self._cx.functions.get(message.function_reference).standard
        ):
            return True
        found = False
        for _, each in parts(message):
            if each.DESCRIPTOR.name not in _STEADY_PARTS:
                found = self._varies(each) or found
        return found


class _Sharing:
    """Puts references into a copy of the relation. Each shared query is lowered where the first one stands."""

    def __init__(self, found: _Subtrees, chosen: set[int], cx: Context) -> None:
        self._found = found
        self._chosen = chosen
        self._cx = cx
        self._widths = cx.widths
        self._references: dict[int, Any] = {}

    def replace(self, rel: Any, at: int) -> int:
        """Replaces what is chosen in a relation, in place. at: its number. Returns the number behind it."""
        key, end = self._found.keys[at], self._found.ends[at]
        if key in self._references:
            become(rel, self._references[key])
            return end
        following = at + 1
        for each in _relations_in(node_of(rel)):
            following = self.replace(each, following)
        if key in self._chosen:
            self._references[key] = self._shared(build.copied(rel), self._found.paths[at])
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


def _relations_in(message: Any) -> Iterator[Any]:
    """The relations in a message, not those inside them, in the order of the fields."""
    if message is None:
        return
    for name, each in parts(message):
        if each.DESCRIPTOR.name == "Rel":
            yield each
        elif name != "common" and _SUBQUERY.search(each.SerializeToString()):
            yield from subqueries(each)
