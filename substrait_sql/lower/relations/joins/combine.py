"""Putting two blocks into one FROM clause, whatever relation asks for it."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

from substrait_sql.errors import refuse
from substrait_sql.lower.relations.joins.generated import generates, see_items_before
from substrait_sql.lower.relations.joins.one_match import compares_with_group, membership
from substrait_sql.lower.relations.sets.chain import matched_rows
from substrait_sql.plan.join_types import JoinType
from substrait_sql.schema import types
from substrait_sql.select.block import Block, Join, Slot
from substrait_sql.select.field import Field, Traits, hold
from substrait_sql.select.signals import CloseBlock, NeedsLateral, ShareInput, TooDeep
from substrait_sql.spark.joins import check_join
from substrait_sql.spark.limits import settle_limits

if TYPE_CHECKING:
    from substrait_sql.select.item import ColumnNode, Item
    from substrait_sql.wire.path import Path

On = Callable[[Block], list[Field]]

# What the side of a join may say without parentheses around it.
_SIMPLE = frozenset({"joins", "where", "order"})


@dataclass(frozen=True, slots=True)
class Hint:
    """A join hint for Spark: the word, and the side it names, ``left`` or ``right``."""

    word: str
    side: str


def combine(
    left: Block,
    right: Block,
    kind: JoinType,
    on: On,
    path: Path,
    hint: Hint | None = None,
    *,
    correlated: bool = False,
    lacking: Collection[str] = (),
) -> Block:
    """The join of two blocks. on: lowers the condition over a block whose fields are left ++ right.

    correlated: whether outer references may occur, since the join stands in a subquery. lacking: what the dialect's
    engine cannot do.
    """
    if kind in (JoinType.RIGHT_SEMI, JoinType.RIGHT_ANTI):
        return _swapped(left, right, kind.mirrored, on, path, hint, correlated, lacking)
    left, right = operand(left, kind, 0), operand(right, kind, 1)
    try:
        block = _merge(left, right, kind, on)
    except CloseBlock as needed:
        if needed.block.item is not left.item or isinstance(needed, ShareInput):
            raise
        left, right = _plain(left), _plain(right)
        block = _merge(left, right, kind, on)
    _call_as_suggested(left)
    _call_as_suggested(right)
    if kind is not JoinType.INNER and hold(block.joins[-1].on, Traits.IMPURE):
        raise refuse(
            "SS2049",
            f"Spark takes no random value in the condition of a {kind} join",
            path,
            "compute it in a projection below the join",
        )
    check_join(block, kind, left.items, path, correlated, lacking)
    if hint is not None:
        _add_hint(block, left, right, kind, hint)
    if correlated:
        return block
    if kind is JoinType.LEFT_SEMI:
        if compares_with_group(block.joins[-1], left, right):
            block.joins[-1].kind = "INNER"
            return block
        block.joins[-1].member = membership(block.joins[-1], left, right)
    return matched_rows(block, left, right, kind)


def unconditional(_: Block) -> list[Field]:
    """The condition of a join that has none, or TRUE."""
    return []


Side = Callable[[Block], "tuple[Block, list[ColumnNode]]"]


def lateral(left: Block, right: Side, kind: JoinType, on: On, path: Path) -> Block:
    """``a JOIN LATERAL (…)``. right: lowers the other side over a left row, and says what it uses of it.

    The condition of an inner join is a filter above it, that of a left join part of the right side: Spark fails over
    some conditions in ON (as of 4.3).
    """
    left = operand(left, kind, 0)
    try:
        block = _lateral(left, right, kind, on, path)
    except CloseBlock as needed:
        if needed.block.item is not left.item or isinstance(needed, ShareInput):
            raise
        return _lateral(left.close(), right, kind, on, path, closed=True)
    _call_as_suggested(left)
    return block


def _lateral(
    left: Block, right: Side, kind: JoinType, on: On, path: Path, *, closed: bool = False
) -> Block:
    inner, captured = right(left)
    if not captured:
        # Nothing but a join: Spark fails over a LATERAL that it could do without, too.
        inner = inner.close() if closed else inner
        inner = operand(inner, kind, 1)
        block = _merge(left, inner, kind, on)
        _call_as_suggested(inner)
        return block
    if not inner.limited:
        inner.order = []
    if kind is JoinType.LEFT and on is not unconditional:
        inner = _with_where(inner)
        # A subquery of the condition may refer to plain columns only.
        apart = any(not f.plain if closed else f.heavy for f in inner.fields)
        inner = inner.close() if apart else inner
        inner.where += _inside(left, inner, on, captured, path)
    if kind is JoinType.INNER and generates(inner):
        see_items_before(inner)
    else:
        inner = settle_limits(inner.close(), range(len(inner.fields)))
        assert inner.item is not None
        inner.item.lateral = True
    block = _merge(left, inner, kind, lambda _: [])
    block.joins[-1].captured = captured
    if kind is JoinType.INNER:
        block.where += on(block)
    return block


def _with_where(side: Block) -> Block:
    """The side with room for conditions. What the plan calls it is called so, and not a query within."""
    if side.is_open(Slot.WHERE):
        return side
    called, side.named = side.suggested, None
    fresh = side.at(Slot.WHERE)
    fresh.title = called
    return fresh


def _inside(
    left: Block, inner: Block, on: On, captured: list[ColumnNode], path: Path
) -> list[Field]:
    """The condition of a lateral left join, for the right side's WHERE, where left columns are outer ones."""
    view = Block(
        left.item,
        left.fields + inner.fields,
        joins=left.joins,
        anchors=both_anchors(left, inner),
    )
    items = set(left.items)
    found = on(view)
    for condition in found:
        if condition.traits & Traits.SUBQUERY:
            raise NeedsLateral(
                refuse("SS2043", "a subquery in the condition of a lateral join", path)
            )
        used = condition.parts.columns if condition.parts else []
        if any(c.item not in items and c.item not in inner.items for c in used):
            # The condition of a left join stands inside of the right side, one query further from what is outside.
            if not all(f.plain for f in left.fields):
                raise CloseBlock(left)
            raise TooDeep(refuse("SS2126", "the reference crosses more than one scope", path))
        outside = [c for c in used if c.item in items]
        if condition.parts is not None and outside:
            condition.parts.traits |= Traits.OUTER
        captured += outside
    return found


def _add_hint(block: Block, left: Block, right: Block, kind: JoinType, hint: Hint) -> None:
    """A hint names one item of FROM, and Spark builds a semi or anti join from the right one only."""
    side = left if hint.side == "left" else right
    if side.joins or (kind.one_sided and side is left):
        return
    assert side.item is not None
    block.hints.append((hint.word, side.item))


def _swapped(
    left: Block,
    right: Block,
    kind: JoinType,
    on: On,
    path: Path,
    hint: Hint | None,
    correlated: bool,
    lacking: Collection[str],
) -> Block:
    """A right semi or anti join: the inputs change places, the condition keeps its ordinals."""
    width = len(left.fields)
    if hint is not None:
        hint = Hint(hint.word, "left" if hint.side == "right" else "right")

    def turned(block: Block) -> list[Field]:
        rest = len(block.fields) - width
        view = Block(block.item, block.fields[rest:] + block.fields[:rest], joins=block.joins)
        view.anchors = {a: i - rest if i >= rest else i + width for a, i in block.anchors.items()}
        return on(view)

    return combine(right, left, kind, turned, path, hint, correlated=correlated, lacking=lacking)


def operand(block: Block, kind: JoinType, side: int) -> Block:
    """The block in a form that may stand on that side of the join without parentheses."""
    block = _shaped(block, kind, side)
    block.order = []
    return block


def _plain(side: Block) -> Block:
    """The side with plain columns only: those of a derived table, where it has others or says anything."""
    return side if side.is_bare else side.close()


def _call_as_suggested(side: Block) -> None:
    """Calls the one item of a side as the plan calls its rows. A side that has closed is called so as a whole."""
    if side.suggested and side.item is not None and not side.joins:
        side.item.base = side.suggested


def _shaped(block: Block, kind: JoinType, side: int) -> Block:
    simple = block.says_only(_SIMPLE)
    if block.item is None or not simple or not block.is_open(Slot.WHERE):
        return block.close()
    if hold((*block.fields, *block.where), Traits.IMPURE):
        return block.close()
    tested = kind is JoinType.INNER or (kind.one_sided and side == 1)
    if not tested and any(i.checked is not None for i in block.items):
        # The test that a single join has been run stands in WHERE, where a padded side is another one.
        return block.close()
    padded = kind.padded[side]
    if padded and not all(f.plain for f in block.fields):
        # A computed column would be computed again over the padding, and need not be NULL there.
        return block.close()
    if kind is JoinType.FULL and block.where:
        return block.close()
    if side == 0 and not padded:
        return block
    if hold(block.where, Traits.SUBQUERY) and kind is not JoinType.INNER:
        return block.close()
    if side == 0:
        return block
    if block.joins and (
        kind is not JoinType.INNER or not all(_moves_freely(j) for j in block.joins)
    ):
        return block.close()
    return block


def _moves_freely(join: Join) -> bool:
    """Whether the join may stand anywhere among others."""
    return join.kind in ("INNER", "CROSS") and join.captured is None


def _merge(left: Block, right: Block, kind: JoinType, on: On) -> Block:
    assert left.item is not None
    assert right.item is not None
    left_padded, right_padded = kind.padded
    fields = _padded(left.fields, left_padded) + _padded(right.fields, right_padded)
    block = Block(
        left.item,
        left.fields + right.fields,
        base=left.base,
        joins=list(left.joins),
        where=list(left.where),
        anchors=both_anchors(left, right),
        hints=left.hints + right.hints,
    )
    conditions = on(block)
    if kind is JoinType.INNER:
        block.where += right.where
        _attach(block, right, conditions)
    elif kind is JoinType.RIGHT:
        # What the padded side keeps is decided before the padding: in ON, where WHERE would come too late.
        block.where = list(right.where)
        block.joins.append(Join(kind.words, right.item, conditions + left.where))
    else:
        block.joins.append(Join(kind.words, right.item, conditions + right.where))
    block.fields = left.fields if kind.one_sided else fields
    return block


def both_anchors(left: Block, right: Block) -> dict[int, int]:
    """The anchors of two records that stand one behind the other."""
    width = len(left.fields)
    return {**{a: i + width for a, i in right.anchors.items()}, **left.anchors}


def _padded(fields: list[Field], padded: bool) -> list[Field]:
    if not padded:
        return fields
    return [f.with_type(types.with_nullability(f.type, True)) for f in fields]


def _attach(block: Block, right: Block, conditions: list[Field]) -> None:
    """Adds the items of an inner join's right side, each condition at the first join where all its columns are there.

    ``a JOIN (b JOIN c ON b.x = c.x) ON a.k = c.k`` needs no parentheses: ``a JOIN c ON a.k = c.k JOIN b ON b.x = c.x``.
    """
    assert right.item is not None
    waiting = [right.item] + [j.item for j in right.joins]
    if conditions and not any(_belongs_in_where(c, {*block.items, *waiting}) for c in conditions):
        others = set(waiting[1:])
        if not any(_items(c) & others for c in conditions):
            # The usual case: the condition is about the right side's first item, and all else stays as it is.
            block.joins.append(Join("INNER", right.item, conditions))
            block.joins.extend(right.joins)
            return
    pending = list(conditions)
    for join in right.joins:
        pending += join.on
    new = set(waiting)
    placed = set(block.items)
    late = [c for c in pending if _belongs_in_where(c, new | placed)]
    block.where += late
    pending = [c for c in pending if c not in late]
    while waiting:
        item = _next_item(waiting, pending, placed, new)
        waiting.remove(item)
        placed.add(item)
        ready = [c for c in pending if not (_items(c) & new) - placed]
        if waiting and not any(item in _items(c) for c in ready):
            ready = []
        pending = [c for c in pending if c not in ready]
        block.joins.append(Join("INNER" if ready else "CROSS", item, ready))
    if pending:
        block.joins[-1].on += pending
        block.joins[-1].kind = "INNER"


def _belongs_in_where(condition: Field, items: set[Item]) -> bool:
    """A subquery that refers to both sides, a condition on outer columns alone, ``rand()``: none for Spark's ON."""
    if condition.traits & (Traits.SUBQUERY | Traits.IMPURE):
        return True
    found = _items(condition)
    return bool(found) and not found & items


def _next_item(
    waiting: list[Item], pending: list[Field], placed: set[Item], new: set[Item]
) -> Item:
    """The first item that some condition ties to what is there already, else simply the first."""
    for item in waiting:
        for condition in pending:
            items = _items(condition)
            if item in items and len(items) > 1 and not (items & new) - placed - {item}:
                return item
    return waiting[0]


def _items(condition: Field) -> set[Item]:
    return {c.item for c in condition.parts.columns} if condition.parts else set()
