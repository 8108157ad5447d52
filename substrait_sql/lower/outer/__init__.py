"""Subqueries that refer outwards, where Spark cannot run them as the plan has them.

A correlated subquery and a LATERAL stay what they are wherever Spark runs them, and runs them right. What Spark cannot
do shows while a subquery is lowered (`Rewrite`). Then the plan is changed, and lowered again:

- a reference across several scopes is carried from one to the next (`carry`);
- a subquery that Spark would refuse, or answer wrongly, is computed for all outer values at once and looked up by them
  (`domain`);
- a subquery about both sides of an outer join becomes part of one of them (`sideways`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from substrait_sql.lower.context import (
    Context,
    Env,
    NeedsLateral,
    NotNative,
    ShareInput,
    TooDeep,
)
from substrait_sql.lower.correlated_joins import refers_outside
from substrait_sql.lower.outer import build, domain_aggregate, domain_joins
from substrait_sql.lower.outer.carry import carry
from substrait_sql.lower.outer.domain import Domain
from substrait_sql.lower.outer.inline import inlined
from substrait_sql.lower.outer.scopes import columns, is_outer, visit_relation
from substrait_sql.lower.outer.widths import Widths
from substrait_sql.wire.path import Path

if TYPE_CHECKING:
    from collections.abc import Callable

    from substrait_sql.lower.block import Block
    from substrait_sql.lower.field import Parts

__all__ = ["domain_aggregate", "domain_joins", "in_subquery", "lateral_apart", "lateral_join"]

T = TypeVar("T")
REWRITTEN = "(rewritten)"


def in_subquery(
    rel: Any, env: Env, path: Path, lower: Callable[[Any, Path], T], *, twice: bool = False
) -> T:
    """What `lower` makes of a subquery's relation, or of an equal one that Spark can run.

    env: of the expression that the subquery is part of. twice: whether `lower` makes two queries of it.
    """
    before = _Noted(env.parts)
    try:
        return _here_or_apart(rel, env, path, lower, twice)
    except TooDeep:
        if env.outer is not None:
            raise
        before.restore(env.parts)
    return _here_or_apart(_carried(rel, env.context), env, path / REWRITTEN, lower, twice)


def _here_or_apart(
    rel: Any, env: Env, path: Path, lower: Callable[[Any, Path], T], twice: bool
) -> T:
    """What `lower` makes of a relation, or of the same rows looked up in a domain."""
    before = _Noted(env.parts)
    try:
        return lower(rel, path)
    except NotNative as needed:
        before.restore(env.parts)
        return lower(_apart(rel, env, needed, twice), path / REWRITTEN)


class _Noted:
    """What an expression had used before an attempt, to forget what the attempt adds."""

    def __init__(self, parts: Parts) -> None:
        self._lengths = len(parts.columns), len(parts.captured), len(parts.scopes)
        self._traits, self._size = parts.traits, parts.size

    def restore(self, parts: Parts) -> None:
        """Sets the parts back to what they were."""
        lists = parts.columns, parts.captured, parts.scopes
        for each, length in zip(lists, self._lengths, strict=True):
            del each[length:]  # type: ignore[attr-defined]
        parts.traits, parts.size = self._traits, self._size


def _carried(rel: Any, cx: Context) -> Any:
    made = inlined(rel, cx)
    carry(made, Widths(cx), cx.fresh_anchor)
    return made


def _apart(rel: Any, env: Env, needed: NotNative, twice: bool) -> Any:
    """The relation of a subquery over all outer values, of which it shows those of the current one."""
    if env.paired:
        raise NeedsLateral(needed.error) from needed
    cx = env.context
    made, domain, outer = _extended(rel, env, needed)
    width = Widths(cx).of(made) - domain.count
    functions = cx.functions
    same = [
        build.same(functions, build.column(width + i), build.outer_column(field, steps=1))
        for i, field in enumerate(outer)
    ]
    rows = cx.shared.make(_Rows(made, twice), width + domain.count)
    return build.emitted(build.filtered(rows, build.conjunction(functions, same)), range(width))


class _Rows:
    """How a relation that a rewriting has made is lowered. twice: whether two queries read it."""

    def __init__(self, rel: Any, twice: bool) -> None:
        self._rel = rel
        self._twice = twice
        self._reader: Callable[[], Block] | None = None

    def __call__(self, cx: Context, path: Path, outer: Env | None) -> Block:
        if self._reader is not None:
            return self._reader()
        from substrait_sql.lower.relations import relation

        block = relation(self._rel, cx, path, outer)
        if self._twice:
            self._reader = cx.shared.share(block, {})
            return self._reader()
        # Spark takes an outer column in no HAVING beside measures.
        return block.close() if block.group is not None else block


def _extended(rel: Any, env: Env, needed: NotNative) -> tuple[Any, Domain, list[int]]:
    """The relation with the outer values behind its columns, the domain, and the fields of the record it has."""
    if env.outer is not None and refers_outside(env.block):
        # The values would come from a query that refers outwards itself: that one has to be independent first.
        raise needed
    if env.block.domain is None:
        raise ShareInput(env.block, env.context.shared)
    cx = env.context
    widths = Widths(cx)
    made = inlined(rel, cx)
    carry(made, widths, cx.fresh_anchor)
    places, outer = _outer_columns(made, env, needed, widths)
    source = cx.shared.make_domain(env.block, outer)
    types = [env.fields[i].type for i in outer]
    domain = Domain(source, places, types, cx, widths)
    if not domain.extend(made).dependent:
        raise needed
    return made, domain, outer


def _outer_columns(
    rel: Any, env: Env, needed: NotNative, widths: Widths
) -> tuple[dict[tuple[int, int], int], list[int]]:
    """The outer columns that a relation refers to: where each is put in the domain, and its field in the record."""
    found: dict[tuple[int, int], int] = {}

    def visit(reference: Any, stack: Any) -> None:
        if stack or not is_outer(reference):
            return
        outer = reference.outer_reference
        anchor = outer.rel_reference
        if anchor not in env.anchors if anchor else env.lateral or outer.steps_out != 1:
            raise TooDeep(needed.error)
        begin = env.anchors[anchor] if anchor else 0
        for each in columns(reference):
            env.field(begin + each.field, Path())
            found[anchor, each.field] = begin + each.field

    visit_relation(rel, (), visit, widths)
    fields = sorted(set(found.values()))
    return {key: fields.index(field) for key, field in found.items()}, fields


def lateral_join(
    message: Any,
    cx: Context,
    path: Path,
    outer: Env | None,
    lower: Callable[[Any, Path], Block],
) -> Block:
    """What `lower` makes of a lateral join, or of an equal relation that Spark can run."""
    from substrait_sql.lower.outer.sideways import into_right
    from substrait_sql.lower.relations import relation

    try:
        return lower(message, path)
    except TooDeep:
        if outer is not None or is_rewritten(path):
            raise
        rel = build.rel()
        rel.lateral_join.CopyFrom(message)
        # The emit is applied to what comes out of this.
        rel.lateral_join.common.ClearField("emit_kind")
        return relation(_carried(rel, cx), cx, path / REWRITTEN)
    except NeedsLateral as needed:
        rel = into_right(message, "lateral_join", cx, needed)
        return relation(rel, cx, path / REWRITTEN, outer)
    except NotNative as needed:
        return lateral_apart(message, cx, path, outer, needed)


def lateral_apart(
    message: Any, cx: Context, path: Path, outer: Env | None, needed: NotNative
) -> Block:
    """A lateral join as a plain one: its right side for all left rows at once, joined by the columns it refers to."""
    from substrait_sql.lower.relations import relation

    widths = Widths(cx)
    left = relation(message.left, cx, path / "left", outer)
    if outer is not None and refers_outside(left):
        raise needed
    left = cx.shared.host(left)
    env = Env(cx, left, outer, anchor=message.common.rel_anchor, lateral=True)
    right, domain, fields = _extended(message.right, env, needed)
    width, more = len(left.fields), domain.count
    kept = widths.of(right) - more
    rows = cx.shared.made_of(left)
    rel = build.hash_join(
        rows,
        right,
        domain_joins.physical_number(domain_joins.join_type(message, "lateral_join")),
        [(field, kept + i) for i, field in enumerate(fields)],
    )
    if message.HasField("expression"):
        rel.hash_join.residual_expression.CopyFrom(message.expression)
    if message.HasField("post_join_filter"):
        rel.hash_join.post_join_filter.CopyFrom(message.post_join_filter)
    rel.hash_join.common.rel_anchor = message.common.rel_anchor
    both = message.type in (1, 3, 7)
    if both:
        build.emitted(rel, range(width + kept))
    return relation(rel, cx, path / REWRITTEN, outer)


def is_rewritten(path: Path) -> bool:
    """Whether the relation there was made by a rewriting."""
    node: Path | None = path
    while node is not None:
        if node.step == REWRITTEN:
            return True
        node = node.parent
    return False
