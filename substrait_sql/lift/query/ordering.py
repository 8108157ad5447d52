"""ORDER BY, and what else puts rows in an order; LIMIT; ordinals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.lift import operators
from substrait_sql.lift.dispatch import lift
from substrait_sql.lift.expressions.folded import whole
from substrait_sql.lift.expressions.functions import sort_key
from substrait_sql.lift.problems import Unknown, no_value
from substrait_sql.lift.relations import Fetch, Sort
from substrait_sql.lift.scope import Scope, Visible, visible
from substrait_sql.lift.tree import (
    AggregateCall,
    Attribute,
    Column,
    Expr,
    Relation,
    SortKey,
    Subquery,
    WindowCall,
    column,
    holds,
)
from substrait_sql.lift.typing import types as t
from substrait_sql.lift.typing.problems import Misused

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from substrait_sql.lift.context import Context
    from substrait_sql.lift.query.source import Item


def ordinal(node: Any, width: int, cx: Context, clause: str) -> int | None:
    """The place, from 0, of a column that is meant by its number, be it in brackets; None for an expression."""
    node = node.unnest()
    negative = isinstance(node, exp.Neg)
    number = node.this if negative else node
    if not isinstance(number, exp.Literal) or number.is_string or not number.this.isdigit():
        return None
    place = -int(number.this) if negative else int(number.this)
    if not 1 <= place <= width:
        if cx.problems is not None and cx.problems.count:
            raise Unknown
        columns = "there is one column" if width == 1 else f"there are {width} columns"
        raise cx.error("SS5003", f"{clause} {place}: {columns}", node)
    return place - 1


def is_all(order: Sequence[Any], scope: Scope) -> bool:
    """Whether the one key is ALL, and no column of this query that is called so."""
    if len(order) != 1:
        return False
    node = order[0].this.unnest()
    word = isinstance(node, exp.Column) and node.name.upper() == "ALL" and not node.table
    try:
        own = [s.local(["all"]) for s in (scope, scope.below) if s is not None]
    except Misused:
        return False
    return word and own.count(None) == len(own)


def ordered(found: Relation, order: Sequence[Any], cx: Context) -> Relation:
    """The rows of a finished query in an order of its columns."""
    keys: list[SortKey] = []
    scope = Scope(visible(found.columns), outer=cx.scope.outer)
    if is_all(order, scope):
        keys = [sort_key(column(a), order[0]) for a in found.columns]
        return Sort(found.columns, found, tuple(keys))
    for node in order:
        place = ordinal(node.this, len(found.columns), cx, "ORDER BY")
        if place is not None:
            keys.append(sort_key(column(found.columns[place]), node))
        else:
            with cx.about(node):
                keys.append(sort_key(lift(node.this, cx.inside(scope)), node))
    return Sort(found.columns, found, tuple(keys))


def limited(found: Relation, node: Any, cx: Context) -> Relation:
    """LIMIT and OFFSET; LIMIT ALL is none."""
    given = [k for k in ("order", "cluster", "sort", "distribute") if node.args.get(k)]
    if len(given) > 1 and given != ["sort", "distribute"]:
        words = " and ".join(f"{k.upper()} BY" for k in given)
        raise cx.error("SS5003", f"{words} do not go together", node.args[given[1]])
    limit, offset = node.args.get("limit"), node.args.get("offset")
    count = None if limit is None else _count(limit.expression, cx, "LIMIT")
    start = None if offset is None else _count(offset.expression, cx, "OFFSET")
    if count is None and start is None:
        return found
    return Fetch(found.columns, found, start, count)


def _count(node: Any, cx: Context, clause: str) -> Expr | None:
    named = isinstance(node, (exp.Var, exp.Column)) and node.name.upper() == "ALL"
    if named or isinstance(node, exp.All):
        if clause == "LIMIT":
            return None
        raise cx.error("SS5003", f"{clause} wants a number that stands in the text", node)
    column = node.find(exp.Column)
    if column is not None and node.find(exp.Query) is None:
        raise cx.error("SS5003", f"{clause} wants a number that stands in the text", column)
    value = lift(node, cx.inside(Scope([])))
    if value.type != t.INT or holds(value, Column, Subquery):
        raise cx.error("SS5003", f"{clause} wants an INT that stands in the text", node)
    number = whole(value)
    if number is not None and number < 0:
        raise cx.error("SS5003", f"{clause} {number} is negative", node)
    return operators.cast(value, t.BIGINT)


def sorted_key(node: Any, outputs: Sequence[Attribute], tiers: Scope, cx: Context) -> SortKey:
    """A key of the ORDER BY of a SELECT. tiers: its `sort_scope`."""
    return cx.checked(
        lambda: _sort(node, outputs, tiers, cx), lambda: sort_key(no_value(), node), node
    )


def _sort(node: Any, outputs: Sequence[Attribute], tiers: Scope, cx: Context) -> SortKey:
    place = ordinal(node.this, len(outputs), cx, "ORDER BY")
    if place is not None:
        return sort_key(column(outputs[place]), node)
    with cx.about(node):
        value = lift(node.this, cx.inside(tiers).at("ORDER BY"))
        if holds(value, WindowCall):
            raise Misused("ORDER BY takes no window function: name one in the select list")
        return sort_key(value, node)


def check_partitions(node: Any, outputs: Sequence[Attribute], tiers: Scope, cx: Context) -> None:
    """What SORT BY, DISTRIBUTE BY and CLUSTER BY name has to be there, though a plan has no word for it."""
    for clause in ("sort", "distribute", "cluster"):
        found = node.args.get(clause)
        for each in found.expressions if found is not None else ():
            ordered = each if isinstance(each, exp.Ordered) else exp.Ordered(this=each)
            key = sorted_key(ordered, outputs, tiers, cx)
            if clause != "sort" and holds(key.value, AggregateCall):
                raise cx.error("SS5003", f"{clause.upper()} BY takes no aggregate function", each)


def sort_scope(
    outputs: Sequence[Attribute], items: Sequence[Item], scope: Scope, *, distinct: bool
) -> Scope:
    """The select list, and behind it the columns of FROM; behind DISTINCT they only explain what is not there."""
    qualifiers: dict[int, tuple[str, ...]] = {}
    for v in scope.columns:
        qualifiers.setdefault(id(v.attribute), v.qualifier)
    shown = [
        Visible(attribute, attribute.nullable, _qualifier(each, qualifiers))
        for attribute, each in zip(outputs, items, strict=True)
    ]
    below = Scope(scope.columns, outer=scope.outer, words=True)
    return Scope(shown, outer=below, below=below, soft=not distinct)


def _qualifier(item: Item, qualifiers: Mapping[int, tuple[str, ...]]) -> tuple[str, ...]:
    if isinstance(item.value, Column) and not isinstance(item.node, exp.Alias):
        return qualifiers.get(id(item.value.attribute), ())
    return ()
