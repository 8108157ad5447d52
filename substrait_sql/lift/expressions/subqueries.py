"""Queries as values: scalar, EXISTS, IN, ANY and ALL."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.lift import correlation, operators
from substrait_sql.lift.dispatch import lift, lifts, query
from substrait_sql.lift.expressions import draws, nulls
from substrait_sql.lift.relations import Project
from substrait_sql.lift.tree import (
    Attribute,
    Call,
    Expr,
    Relation,
    Subquery,
    WindowCall,
    column,
    holds,
)
from substrait_sql.lift.typing import common
from substrait_sql.lift.typing import types as t
from substrait_sql.lift.typing.problems import Misused

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.lift.context import Context


def _query(node: Any, cx: Context) -> Relation:
    found = query(node, cx.below())
    correlation.check(found)
    return found


@lifts(exp.Subquery, exp.Select, exp.Union, exp.Except, exp.Intersect, exp.Values)
def _scalar(node: Any, cx: Context) -> Expr:
    if isinstance(node, (exp.Select, exp.SetOperation)):
        raise Misused("not Spark SQL: a query among values has brackets of its own", "SS5001")
    found = _query(node, cx)
    if len(found.columns) != 1:
        raise Misused(f"a query as a value has one column, not {len(found.columns)}")
    return Subquery(found.columns[0].type, True, "scalar", found)


@lifts(exp.Exists)
def _exists(node: Any, cx: Context) -> Expr:
    return Subquery(t.BOOLEAN, False, "exists", _query(node.this, cx))


_LOGIC = (exp.And, exp.Or, exp.Not, exp.Paren)


def _is_condition(node: Any) -> bool:
    """Whether it stands in a condition of rows, where unknown counts as FALSE all the same."""
    above = node.parent
    while isinstance(above, _LOGIC):
        above = above.parent
    return isinstance(above, (exp.Having, exp.Join, exp.Qualify, exp.Merge)) or (
        isinstance(above, exp.Where) and not isinstance(above.parent, exp.Filter)
    )


def _asked_positively(node: Any, cx: Context) -> bool:
    """Whether an even number of negations is around it, before Spark decides how many answers it has.

    Spark moves NOT through AND, OR and comparisons with a constant inwards first: ``(NOT (a OR x IN (query))) = TRUE``
    asks for NOT IN. Raises `SqlError` where the constant would have to be computed.
    """
    positive, below, above = True, node, node.parent
    while isinstance(above, (*_LOGIC, exp.EQ, exp.NEQ)):
        if isinstance(above, (exp.EQ, exp.NEQ)):
            other = (above.expression if above.this is below else above.this).unnest()
            if isinstance(other, exp.Boolean):
                positive ^= other.this is isinstance(above, exp.NEQ)
            elif other.find(exp.Column, exp.Query, exp.Null):
                break
            else:
                what = (
                    "IN (query) compared with a constant that must be computed: write TRUE or FALSE"
                )
                raise cx.error("SS5007", f"a plan has no word for {what}", node)
        elif isinstance(above, exp.Not):
            positive = not positive
        below, above = above, above.parent
    return positive


def in_query(node: Any, cx: Context, *, negated: bool = False) -> Expr:
    """Value IN (query), or NOT IN."""
    made = _in_query(node, cx)
    if _is_condition(node) or nulls.asked_about(made):
        return operators.negation(made) if negated else made
    if holds(made, WindowCall):
        raise Misused("IN (query) takes no window function outside of conditions")
    if _asked_positively(node, cx):
        found: Expr = replace(made, kind="found", nullable=False)
        return operators.negation(found) if negated else found
    missed = replace(made, kind="missed", nullable=False)
    return missed if negated else operators.negation(missed)


def _in_query(node: Any, cx: Context) -> Subquery:
    # Of a query in brackets sqlglot takes the brackets away, too, which make a value of it.
    left = node.this if isinstance(node.this, exp.Subquery) else node.this.unnest()
    found = _query(node.args["query"], cx)
    if isinstance(left, exp.Tuple):
        values = [lift(e, cx) for e in left.expressions]
    else:
        values = [lift(left, cx)]
        if isinstance(values[0], Call) and values[0].name == "struct":
            # Its parts are compared one by one.
            values = list(values[0].arguments)
    draws.check(values, "IN (query) looks for")
    return _among(values, found, node)


def _among(values: Sequence[Expr], found: Relation, node: Any) -> Subquery:
    if len(values) != len(found.columns):
        raise Misused(
            f"IN compares {len(values)} values with a query of {len(found.columns)} columns"
        )
    kinds = [_one(v.type, c.type) for v, c in zip(values, found.columns, strict=True)]
    unordered = next((k for k in kinds if not t.is_orderable(k)), None)
    if unordered is not None:
        raise Misused(f"IN does not compare {str(unordered).upper()}")
    given = tuple(operators.cast(v, k) for v, k in zip(values, kinds, strict=True))
    nullable = any(v.nullable for v in values) or any(c.nullable for c in found.columns)
    return Subquery(t.BOOLEAN, nullable, "in", brought(found, kinds), given, node)


def _one(a: t.SparkType, b: t.SparkType) -> t.SparkType:
    if operators.same(a, b):
        return b
    if a.kind == b.kind == "struct" and len(a.fields) == len(b.fields):
        inner = [_one(x.type, y.type) for x, y in zip(a.fields, b.fields, strict=True)]
        return t.struct(
            t.Field(y.name, k, x.nullable or y.nullable)
            for k, x, y in zip(inner, a.fields, b.fields, strict=True)
        )
    found = common.wider(a, b)
    if found is None:
        raise Misused(f"IN does not compare {str(a).upper()} with {str(b).upper()}")
    return found


def brought(found: Relation, kinds: Sequence[t.SparkType]) -> Relation:
    """The rows with columns of these types; the relation itself where they are."""
    if all(operators.same(c.type, k) for c, k in zip(found.columns, kinds, strict=True)):
        return found
    made = tuple(operators.cast(column(c), k) for c, k in zip(found.columns, kinds, strict=True))
    columns = tuple(
        Attribute(c.name, e.type, e.nullable, c.auto)
        for c, e in zip(found.columns, made, strict=True)
    )
    return Project(columns, found, made)
