"""The relations of a plan one after the other, each with what it says: what an outline and a report are made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from substrait_sql.lower.plan import context_of, place_of
from substrait_sql.lower.relation import relation
from substrait_sql.lower.sharing.queries import SharedQueries
from substrait_sql.outline.columns import (
    Knowledge,
    Node,
    name_by_root,
    nests_deeper,
    node_key,
    tree,
)
from substrait_sql.outline.notation import Notation, Subquery
from substrait_sql.outline.relations import Relations, lateral_scope
from substrait_sql.plan.producers import habits_of
from substrait_sql.wire.deep import lacked_room

if TYPE_CHECKING:
    from collections.abc import Iterator

    from substrait_sql.dialect.dialect import Dialect
    from substrait_sql.outline.parts import Scope
    from substrait_sql.wire import Decoded, Path

DEEPEST_LOWERED = 1_000
"""How many relations may stand below each other for the lowering to be asked.

Its columns are found by the text of a path, which is as long as the tree is deep. Beyond this the time would grow with
the square, and the columns are those that the plan itself tells.
"""


@dataclass(slots=True)
class Step:
    """A relation of a tree.

    depth: from 1. above: the relation that it is an input of, or in an expression of which it is the subquery; None for
    the first one. outer: the record around. subquery: the one whose first relation it is. word, parts: what it says.
    """

    node: Node
    depth: int
    above: Node | None = None
    outer: Scope | None = None
    subquery: Subquery | None = None
    word: str = ""
    parts: tuple[str, ...] = ()


class Walk:
    """Walks trees. Only a stack of its own: plans nest deeper than Python does."""

    def __init__(self, known: Knowledge) -> None:
        self._known = known
        self._relations = Relations(known.notation)

    def entry(self, entry: Any, index: int, at: Path) -> Node | None:
        """The tree of one of the plan's relations, under the names that its root gives; None for an empty one.

        at: where it stands.
        """
        kind = entry.WhichOneof("rel_type")
        if kind is None:
            return None
        node = tree(
            top_of(entry), at / "root" / "input" if kind == "root" else at / kind, self._known
        )
        self._known.shared[index] = node.columns
        if kind == "root":
            name_by_root(node, list(entry.root.names))
        return node

    def subqueries(self, found: list[Subquery], depth: int) -> Iterator[Step]:
        """The trees of subqueries that have no relation around them."""
        for item in found:
            yield from self.steps(self._subquery(item, depth, None))

    def below(self, node: Node) -> Iterator[Step]:
        """A relation and all below it, each before its subqueries, and those before its inputs."""
        yield from self.steps(Step(node, 1))

    def steps(self, first: Step) -> Iterator[Step]:
        """The same from a step on."""
        stack = [first]
        while stack:
            step = stack.pop()
            step.word, parts = self._relations.describe(step.node, step.outer)
            step.parts = tuple(parts)
            found = self._known.notation.take()
            yield step
            stack += reversed([*self._inside(step, found), *self._inputs(step)])

    def _inside(self, step: Step, found: list[Subquery]) -> list[Step]:
        return [self._subquery(item, step.depth + 1, step.node) for item in found]

    def _subquery(self, item: Subquery, depth: int, above: Node | None) -> Step:
        node = tree(item.message, item.path, self._known)
        return Step(node, depth + 1, above, item.scope, item)

    def _inputs(self, step: Step) -> list[Step]:
        found = []
        for i, below in enumerate(step.node.inputs):
            outer = step.outer
            if step.node.kind == "lateral_join" and i == 1:
                outer = lateral_scope(step.node, outer)
            found.append(Step(below, step.depth + 1, step.node, outer))
        return found


def knowledge_of(decoded: Decoded, dialect: Dialect) -> Knowledge:
    """What is known of a plan. Raises nothing that the lowering raises: it fills gaps only."""
    columns = lowered_columns(decoded, dialect)
    return Knowledge(Notation(decoded.plan), columns, habits_of(decoded), {})


def lowered_columns(decoded: Decoded, dialect: Dialect) -> dict[str, list[tuple[str, Any]]]:
    """The columns of every relation that the lowering reaches, by `node_key`."""
    plan = decoded.plan
    if is_deep(plan):
        return {}
    cx = context_of(decoded, dialect)
    cx.outputs = {}
    # With a list for findings, an expression without SQL does not hide the columns above it.
    cx.findings = []
    # From the last one: what it reads is lowered with it.
    for i, entry in reversed(list(enumerate(plan.relations))):
        place, top = place_of(decoded, i), top_of(entry)
        at = place / "root" / "input" if entry.WhichOneof("rel_type") == "root" else place / "rel"
        if str(at / (top.WhichOneof("rel_type") or "")) in cx.outputs:
            continue
        cx.shared = SharedQueries(plan, dialect.target)
        try:
            relation(top, cx, at)
        except Exception as error:  # a defect of the lowering must not hide the plan
            if lacked_room(error):
                raise
    return {node_key(path): columns for path, columns in cx.outputs.items()}


def is_deep(plan: Any) -> bool:
    """Whether relations nest deeper than `DEEPEST_LOWERED`."""
    return any(nests_deeper(top_of(entry), DEEPEST_LOWERED) for entry in plan.relations)


def top_of(entry: Any) -> Any:
    """The topmost ``Rel`` of an entry of ``Plan.relations``."""
    return entry.root.input if entry.WhichOneof("rel_type") == "root" else entry.rel
