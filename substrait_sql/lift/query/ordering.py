"""ORDER BY and LIMIT of a whole query, ordinals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.lift import operators
from substrait_sql.lift.dispatch import lift
from substrait_sql.lift.expressions.functions import sort_key
from substrait_sql.lift.problems import Unknown
from substrait_sql.lift.relations import Fetch, Sort
from substrait_sql.lift.scope import Scope, visible
from substrait_sql.lift.tree import (
    Column,
    Expr,
    Literal,
    Relation,
    SortKey,
    Subquery,
    column,
    holds,
)
from substrait_sql.lift.typing import types as t

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.lift.context import Context


def ordinal(node: Any, width: int, cx: Context, clause: str) -> int | None:
    """The place, from 0, of a column that is meant by its number; None for an expression."""
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


def ordered(found: Relation, order: Sequence[Any], cx: Context) -> Relation:
    """The rows of a finished query in an order of its columns."""
    keys: list[SortKey] = []
    scope = Scope(visible(found.columns), outer=cx.scope.outer)
    for node in order:
        place = ordinal(node.this, len(found.columns), cx, "ORDER BY")
        if isinstance(node.this, exp.Var) and node.this.name.upper() == "ALL":
            keys += [sort_key(column(a), node) for a in found.columns]
        elif place is not None:
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
        raise cx.error("SS5003", f"{words} do not go together", node)
    limit, offset = node.args.get("limit"), node.args.get("offset")
    count = None if limit is None else _count(limit.expression, cx, "LIMIT")
    start = None if offset is None else _count(offset.expression, cx, "OFFSET")
    if count is None and start is None:
        return found
    return Fetch(found.columns, found, start, count)


def _count(node: Any, cx: Context, clause: str) -> Expr | None:
    if isinstance(node, (exp.Var, exp.Column)) and node.name.upper() == "ALL":
        return None
    if isinstance(node, exp.All):
        return None
    column = node.find(exp.Column)
    if column is not None and node.find(exp.Query) is None:
        raise cx.error("SS5003", f"{clause} wants a number that stands in the text", column)
    value = lift(node, cx.inside(Scope([])))
    if value.type.kind not in t.INTEGRAL[:3] or holds(value, Column, Subquery):
        raise cx.error(
            "SS5003", f"{clause} wants a whole number, INT at most, that stands in the text", node
        )
    if isinstance(value, Literal) and isinstance(value.value, int) and value.value < 0:
        raise cx.error("SS5003", f"{clause} {value.value} is negative", node)
    return operators.cast(value, t.BIGINT)
