"""Subqueries that refer outwards, where Spark cannot run them as the plan has them.

A correlated subquery and a LATERAL stay what they are wherever Spark runs them, and runs them right. What Spark cannot
do shows while a subquery is lowered (`Rewrite`). Then the plan is changed, and lowered again:

- a reference across several scopes is carried from one to the next (`carry`);
- a subquery that Spark would refuse, or answer wrongly, is computed for all outer values at once and looked up by them
  (`domain`);
- a subquery about both sides of an outer join becomes part of one of them (`sideways`).
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar

from substrait_sql.errors import REWRITTEN, refuse
from substrait_sql.lower.context import Context, Env
from substrait_sql.lower.relation import relation
from substrait_sql.lower.unnest import domain_aggregate, domain_joins, pull_joins
from substrait_sql.lower.unnest.carry import carry
from substrait_sql.lower.unnest.domain import Domain
from substrait_sql.lower.unnest.inline import inlined
from substrait_sql.lower.unnest.pull import Pull, depends, pulled_up
from substrait_sql.plan import build
from substrait_sql.plan.join_types import join_type
from substrait_sql.plan.scopes import columns, is_outer, visit_relation
from substrait_sql.schema import types
from substrait_sql.schema.ordered import is_orderable
from substrait_sql.select.outer_columns import refers_outside
from substrait_sql.select.signals import NeedsLateral, NotNative, Rewrite, ShareInput, TooDeep
from substrait_sql.wire.path import Path

if TYPE_CHECKING:
    from collections.abc import Callable

    from substrait_sql.plan.widths import Widths
    from substrait_sql.select.block import Block

__all__ = [
    "domain_aggregate",
    "domain_joins",
    "in_subquery",
    "lateral_apart",
    "lateral_join",
    "pull_joins",
]

T = TypeVar("T")
_MOST_REWRITINGS = 4
_JOINS = frozenset(
    ["join", "hash_join", "nested_loop_join", "merge_join", "lateral_join", "filter"]
)


def in_subquery(rel: Any, env: Env, path: Path, lower: Callable[[Any, Path], T]) -> T:
    """What `lower` makes of a subquery's relation, or of an equal one that Spark can run.

    env: of the expression that the subquery is part of.
    """
    try:
        with env.parts.tried():
            return _here_or_apart(rel, env, path, lower)
    except TooDeep:
        if env.outer is not None:
            raise
    return _here_or_apart(_carried(rel, env.context), env, path / REWRITTEN, lower)


def _here_or_apart(rel: Any, env: Env, path: Path, lower: Callable[[Any, Path], T]) -> T:
    """What `lower` makes of a relation, or of the same rows looked up in a domain."""
    try:
        with env.parts.tried():
            return lower(rel, path)
    except NotNative as needed:
        pulled = _pulled(rel, env)
        if pulled is not None:
            with suppress(Rewrite), env.parts.tried():
                return lower(pulled, path / REWRITTEN)
        return lower(_apart(rel, env, needed), path / REWRITTEN)


def _carried(rel: Any, cx: Context) -> Any:
    made = inlined(rel, cx)
    carry(made, cx.widths, cx.fresh_anchor)
    return made


def _pulled(rel: Any, env: Env) -> Any:
    """An equal relation with its equalities further up, None if there is none that differs."""
    cx = env.context
    return pulled_up(_carried(rel, cx), cx, cx.widths, _type_in(env))


def _type_in(env: Env) -> Callable[[Any], Any]:
    """What gives the type of the field of the record that a reference from a subquery means."""

    def type_of(reference: Any) -> Any:
        outer = reference.outer_reference
        anchor = outer.rel_reference
        if anchor not in env.anchors if anchor else env.lateral or outer.steps_out != 1:
            return None
        (field,) = columns(reference)
        begin = env.anchors[anchor] if anchor else 0
        return env.field(begin + field.field, Path()).type

    return type_of


def _apart(rel: Any, env: Env, needed: NotNative) -> Any:
    """The relation of a subquery over all outer values, of which it shows those of the current one."""
    if env.paired:
        raise NeedsLateral(needed.error) from needed
    # What is wanted of here on is no longer the affair of a join's condition, nor of a join around.
    needed = NotNative(needed.error)
    cx = env.context
    made, domain, outer = _extended(rel, env, needed)
    width = cx.widths.of(made) - domain.count
    functions = cx.functions
    same = [
        build.same(functions, build.column(width + i), build.outer_column(field, steps=1))
        for i, field in enumerate(outer)
    ]
    rows = cx.shared.make(_Rows(made), width + domain.count)
    return build.emitted(build.filtered(rows, build.conjunction(functions, same)), range(width))


class _Rows:
    """How a relation that a rewriting has made is lowered."""

    def __init__(self, rel: Any) -> None:
        self._rel = rel

    def __call__(self, cx: Context, path: Path, outer: Env | None) -> Block:
        block = relation(self._rel, cx, path, outer)
        # Spark takes an outer column in no HAVING beside measures.
        return block.close() if block.group is not None else block


def _extended(rel: Any, env: Env, needed: NotNative) -> tuple[Any, Domain, list[int]]:
    """The relation with the outer values behind its columns, the domain, and the fields of the record it has."""
    if env.outer is not None and refers_outside(env.block):
        # The values would come from a query that refers outwards itself: that one has to be independent first.
        raise needed
    if env.block.domain is None:
        raise ShareInput(env.block, env.context.shared.host)
    cx = env.context
    widths = cx.widths
    made = inlined(rel, cx)
    carry(made, widths, cx.fresh_anchor)
    places, outer = _outer_columns(made, env, needed, widths)
    kinds = [env.fields[i].type for i in outer]
    _require_lookup(kinds, needed)
    source = cx.shared.make_domain(env.block, outer)
    domain = Domain(source, places, kinds, cx, widths)
    if not domain.extend(made).dependent:
        raise needed
    return made, domain, outer


def _require_lookup(outer: list[Any], needed: NotNative) -> None:
    """Refuses outer values that cannot be compared: the rows of each would not be found again."""
    unknown = next((t for t in outer if not is_orderable(t)), None)
    if unknown is not None:
        raise refuse(
            "SS2237",
            f"Spark cannot run this subquery once per row, nor compare the outer values, {types.text(unknown)}",
            needed.error.path,
            "refer to a part of the value that is a column of its own",
        )


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
    from substrait_sql.lower.relation import relation
    from substrait_sql.lower.unnest.sideways import into_right, is_column

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
        if not is_column(message.expression):
            rel = into_right(message, "lateral_join", cx, needed)
            return relation(rel, cx, again(path, needed), outer)
        # The condition is a column of the right side already, as `into_right` makes it.
        return lateral_apart(message, cx, path, outer, NotNative(needed.error))
    except NotNative as needed:
        joined = _joined(message, cx, path, outer)
        return joined or lateral_apart(message, cx, path, outer, needed)


def _joined(message: Any, cx: Context, path: Path, outer: Env | None) -> Block | None:
    """A lateral join as a plain one on the equalities with left columns, None where there is more to its right side."""
    from substrait_sql.lower.relation import relation

    type = join_type(message, "lateral_join")
    if type.mark or not type.is_lateral:
        # A mark would be unknown where a key is NULL.
        return None
    widths = cx.widths
    left = relation(message.left, cx, path / "left", outer)
    env = Env(cx, left, outer, anchor=message.common.rel_anchor, lateral=True)
    right = _carried(message.right, cx)
    pulled = Pull(cx, widths, _type_in(env)).up(right)
    if not pulled.keys or depends(right, widths):
        return None
    rel = build.rel()
    rel.join.common.rel_anchor = message.common.rel_anchor
    rel.join.left.CopyFrom(cx.shared.make(lambda *_: left, len(left.fields)))
    rel.join.right.CopyFrom(right)
    rel.join.type = message.type
    for name in ("expression", "post_join_filter"):
        if message.HasField(name):
            getattr(rel.join, name).CopyFrom(getattr(message, name))
    width = len(left.fields)
    conditions = [rel.join.expression] if message.HasField("expression") else []
    conditions += pulled.equalities(cx.functions, width + pulled.width, env.anchors)
    rel.join.expression.CopyFrom(build.copied(build.conjunction(cx.functions, conditions)))
    if not type.one_sided:
        build.emitted(rel, range(width + pulled.width))
    return relation(rel, cx, path / REWRITTEN, outer)


def lateral_apart(
    message: Any, cx: Context, path: Path, outer: Env | None, needed: NotNative
) -> Block:
    """A lateral join as a plain one: its right side for all left rows at once, joined by the columns it refers to."""
    from substrait_sql.lower.relation import relation

    widths = cx.widths
    left = relation(message.left, cx, path / "left", outer)
    if outer is not None and refers_outside(left):
        raise needed
    left = cx.shared.host(left)
    env = Env(cx, left, outer, anchor=message.common.rel_anchor, lateral=True)
    right, domain, fields = _extended(message.right, env, needed)
    width, more = len(left.fields), domain.count
    kept = widths.of(right) - more
    rows = cx.shared.made_of(left)
    type = join_type(message, "lateral_join")
    pairs = [(field, kept + i) for i, field in enumerate(fields)]
    rel = build.hash_join(rows, right, type, pairs)
    if message.HasField("expression"):
        rel.hash_join.residual_expression.CopyFrom(message.expression)
    if message.HasField("post_join_filter"):
        rel.hash_join.post_join_filter.CopyFrom(message.post_join_filter)
    rel.hash_join.common.rel_anchor = message.common.rel_anchor
    if not type.one_sided:
        build.emitted(rel, range(width + kept))
    return relation(rel, cx, again(path, needed), outer)


def again(path: Path, needed: NotNative) -> Path:
    """The path of what a relation is rewritten to. Raises where that has been done `_MOST_REWRITINGS` times in a row.

    A join may be moved sideways, and then apart; what needs more than that would need it again and again.
    """
    count, node = 0, path.parent
    while node is not None and (node.step == REWRITTEN or node.step in _JOINS):
        count += node.step == REWRITTEN
        node = node.parent
    if count >= _MOST_REWRITINGS:
        raise NotNative(needed.error) from needed
    return path / REWRITTEN


def is_rewritten(path: Path) -> bool:
    """Whether the relation there was made by a rewriting."""
    node: Path | None = path
    while node is not None:
        if node.step == REWRITTEN:
            return True
        node = node.parent
    return False
