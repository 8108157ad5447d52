"""What the four join relations share: https://substrait.io/relations/logical_relations/#join-types.

They differ in how they say the condition, and in the numbers of the join types.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from substrait_sql.errors import refuse
from substrait_sql.lower.needs import windows
from substrait_sql.lower.relation import environment, relation
from substrait_sql.lower.relations.joins.combine import Hint, both_anchors, combine
from substrait_sql.lower.relations.rows.filter import keep
from substrait_sql.plan.join_types import JoinType
from substrait_sql.plan.scopes import expressions
from substrait_sql.select.asked import Asked
from substrait_sql.select.block import Block
from substrait_sql.select.signals import ComputeFirst, NeedsLateral
from substrait_sql.spark.joins import check_subquery
from substrait_sql.wire.path import ROOT

if TYPE_CHECKING:
    from substrait_sql.lower.context import Context, Env
    from substrait_sql.select.field import Field
    from substrait_sql.wire.path import Path

# Lowers the condition over left ++ right. The number: how many columns the left side has. All but mark joins ask for
# the TRUE of the condition only.
On = Callable[["Env", int, Asked], "list[Field]"]


def joined(
    message: Any,
    kind: JoinType,
    on: On,
    cx: Context,
    path: Path,
    outer: Env | None,
    hint: Hint | None = None,
) -> Block:
    """``a JOIN b ON …``, with the join's own word where SQL has one; mark and single joins are subqueries.

    A post-join filter is what it is called: a WHERE, applied to the rows that the join gives.
    """
    try:
        block = _joined(message, kind, on, cx, path, outer, hint)
    except NeedsLateral as needed:
        from substrait_sql.lower.unnest.attempts import again
        from substrait_sql.lower.unnest.sideways import into_right

        at = again(path, needed)
        rel = into_right(message, path.step, cx, needed, lambda rel: relation(rel, cx, at, outer))
        return relation(rel, cx, at, outer)
    if _has_post_join_filter(message):
        block = keep(block, message, message.post_join_filter, cx, path / "post_join_filter", outer)
    return block


def _joined(
    message: Any,
    kind: JoinType,
    on: On,
    cx: Context,
    path: Path,
    outer: Env | None,
    hint: Hint | None,
) -> Block:
    """The join without its post-join filter."""

    def side(name: str) -> Block:
        return relation(getattr(message, name), cx, path / name, outer)

    windowed = _has_windows(message, cx)
    if windowed and not _may_filter(message, kind):
        raise over_pairs(kind, path)
    if kind.looks_up:
        return _looked_up(message, kind, on, side, cx, path, outer)
    left, right = side("left"), side("right")
    lacking = cx.dialect.target.lacks
    if windowed:
        return _filtered(message, left, right, kind, cx, path, outer)
    width = len(left.fields)

    def condition(block: Block) -> list[Field]:
        env = environment(message, cx, block, outer, paired=True)
        env.keeps = kind is JoinType.INNER
        env.plain = env.keeps and outer is None
        return on(env, width, Asked.TRUE)

    try:
        return combine(
            left, right, kind, condition, path, hint, correlated=outer is not None, lacking=lacking
        )
    except ComputeFirst as needed:
        if not _may_filter(message, kind):
            raise uncomputable(kind, needed) from needed
        return _filtered(message, left, right, kind, cx, path, outer)


def _filtered(
    message: Any,
    left: Block,
    right: Block,
    kind: JoinType,
    cx: Context,
    path: Path,
    outer: Env | None,
) -> Block:
    """An inner join whose condition has to be computed over all pairs of rows first: a filter above those."""
    lacking = cx.dialect.target.lacks
    block = combine(
        left, right, kind, lambda _: [], path, correlated=outer is not None, lacking=lacking
    )
    return keep(block, message, message.expression, cx, path / "expression", outer)


def _may_filter(message: Any, kind: JoinType) -> bool:
    """Whether its condition can be a filter above all pairs of rows."""
    return kind is JoinType.INNER and "expression" in message.DESCRIPTOR.fields_by_name


def _has_windows(message: Any, cx: Context) -> bool:
    """Whether there is a window function in what decides which rows match."""
    return any(
        name != "post_join_filter" and any(windows(each, ROOT, cx))
        for name, each in expressions(message)
    )


def over_pairs(kind: JoinType, path: Path) -> Exception:
    """What to raise for a window function in the condition of a join that is no inner one."""
    return refuse(
        "SS2048",
        f"a window function in the condition of a {kind} join has no SQL: it is over all pairs of rows",
        path,
    )


def uncomputable(kind: JoinType, needed: ComputeFirst) -> Exception:
    """What to raise where a part of a join's condition has to be a column before that."""
    return NeedsLateral(
        refuse(
            "SS2164",
            f"a part of the condition of a {kind} join would have to be a column before it stands in a subquery",
            needed.path,
        )
    )


def _has_post_join_filter(message: Any) -> bool:
    return "post_join_filter" in message.DESCRIPTOR.fields_by_name and message.HasField(
        "post_join_filter"
    )


def _looked_up(
    message: Any,
    kind: JoinType,
    on: On,
    side: Callable[[str], Block],
    cx: Context,
    path: Path,
    outer: Env | None,
) -> Block:
    from substrait_sql.lower.relations.joins.marks import marked, single

    lacking = cx.dialect.target.lacks
    names = ("right", "left") if kind.of_right else ("left", "right")

    def condition(kept: Block, other: Block, asked: Asked) -> tuple[list[Field], list[Field]]:
        pair = (kept, other) if names[0] == "left" else (other, kept)
        view = Block(
            kept.item,
            pair[0].fields + pair[1].fields,
            joins=kept.joins,
            anchors=both_anchors(*pair),
        )
        env = environment(message, cx, view, outer, paired=True)
        found = on(env, len(pair[0].fields), asked)
        for f in found:
            check_subquery(f, kind, kept.items, other.items, path, lacking)
        return found, view.fields

    kept = side(names[0])
    try:
        if kind.mark:
            two_valued = cx.habits.two_valued_marks
            return marked(kept, lambda _: side(names[1]), condition, path, lacking, two_valued)
        block, columns = single(kept, lambda _: side(names[1]), condition, path, lacking)
    except ComputeFirst as needed:
        raise uncomputable(kind, needed) from needed
    block.fields = block.fields + columns if names[0] == "left" else columns + block.fields
    return block
