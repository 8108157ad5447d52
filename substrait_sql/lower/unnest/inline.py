"""Shared subtrees that refer outwards, written out where they are used.

A common table expression cannot refer to the query that reads it. So a subtree is one only if it needs nothing from
outside; any other is copied to each of its uses, its parameters replaced by what is bound to them there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from substrait_sql.errors import invalid, refuse
from substrait_sql.lower.unnest.columns import become
from substrait_sql.lower.unnest.parameters import bind, uses
from substrait_sql.plan import build
from substrait_sql.plan.scopes import expressions, node_of, subqueries
from substrait_sql.wire.inside import inputs
from substrait_sql.wire.path import ROOT, Path

if TYPE_CHECKING:
    from substrait_sql.lower.context import Context

# A chain of subtrees that each use the next one twice doubles with every step.
_MOST_COPIES = 1_000


def inlined(rel: Any, cx: Context) -> Any:
    """A copy of a relation without references to subtrees that refer outwards."""
    made = build.copied(rel)
    _Inliner(cx).all_of(made)
    return made


def needs_inlining(message: Any, cx: Context, path: Path) -> bool:
    """Whether the subtree that a ReferenceRel names refers outwards."""
    bound = bool(message.outer_reference_bindings)
    return bound or _Inliner(cx, path).free(message.subtree_ordinal)


def copy_of(message: Any, cx: Context, path: Path) -> Any:
    """The subtree that a ReferenceRel names, written out."""
    return _Inliner(cx, path).copy_of(message)


class _Inliner:
    """One run over a relation. path: of what is at fault. copies: how many subtrees have been written out."""

    def __init__(self, cx: Context, path: Path = ROOT) -> None:
        self.cx = cx
        self.path = path
        self.widths = cx.widths
        self.copies = 0
        self.open: list[int] = []

    def free(self, ordinal: int) -> bool:
        """Whether a subtree refers to a record outside of it, itself or through another one."""
        known = self.cx.shared.free
        if ordinal < 0:
            return False
        if ordinal in known:
            return known[ordinal]
        if ordinal in self.open:
            raise invalid("SS2072", f"subtree {ordinal} refers to itself", self.path)
        self.open.append(ordinal)
        rel = self.cx.shared.subtree(ordinal, self.path)
        free = [self.free(n) for n in _named(rel)]
        found = any(free) or bool(self.cx.shared.declarations(ordinal) or uses(rel, self.widths))
        self.open.pop()
        known[ordinal] = found
        return found

    def all_of(self, rel: Any) -> None:
        """Writes out what a relation, and all below it, refers to."""
        kind = rel.WhichOneof("rel_type")
        if kind is None:
            return
        if kind == "reference":
            if not rel.reference.outer_reference_bindings and not self.free(
                rel.reference.subtree_ordinal
            ):
                return
            if rel.reference.subtree_ordinal in self.open:
                raise invalid(
                    "SS2072",
                    f"subtree {rel.reference.subtree_ordinal} refers to itself",
                    self.path,
                )
            become(rel, self.copy_of(rel.reference))
            return
        node = node_of(rel)
        for _, each in expressions(node):
            for inner in subqueries(each):
                self.all_of(inner)
        for _, each in inputs(node):
            self.all_of(each)

    def copy_of(self, message: Any) -> Any:
        """The subtree of a ReferenceRel, written out."""
        ordinal = message.subtree_ordinal
        self.copies += 1
        if self.copies > _MOST_COPIES:
            raise refuse(
                "SS2076",
                f"the plan's shared subtrees refer outwards, and are used more than {_MOST_COPIES} times in one query",
                self.path,
            )
        self.open.append(ordinal)
        made = build.copied(self.cx.shared.subtree(ordinal, self.path))
        bind(made, message, self.cx.shared.declarations(ordinal), ordinal, self.widths)
        self.all_of(made)
        self.open.pop()
        return made


def _named(rel: Any) -> set[int]:
    """The subtrees that a relation refers to, here or in its subqueries."""
    if rel.WhichOneof("rel_type") is None:
        return set()
    if rel.WhichOneof("rel_type") == "reference":
        return {rel.reference.subtree_ordinal}
    node = node_of(rel)
    found = set()
    for _, each in expressions(node):
        for inner in subqueries(each):
            found |= _named(inner)
    for _, each in inputs(node):
        found |= _named(each)
    return found
