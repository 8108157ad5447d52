"""Queries that refer outwards on engines that can do less with them than Spark 4.3 (`dialect.lacks`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from substrait_sql.dialect import lacks
from substrait_sql.dialect.operators import call, infix
from substrait_sql.select.block import Slot
from substrait_sql.select.field import Field, Parts, Traits, hold
from substrait_sql.select.outer_columns import outer_columns

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from substrait_sql.select.block import Block


def one_row(block: Block, lacking: Collection[str]) -> tuple[Block, bool]:
    """A scalar subquery as an aggregation over all its rows, where the engine takes no other that refers outwards.

    Returns whether it is one now. Its value is a list then, which has none where there is more than one row:

        SELECT CASE WHEN count(*) > 1 THEN array() ELSE array(first(r.b)) END FROM r WHERE …

    That is no error in itself: the engine makes the value for keys that nobody looks up, too.
    """
    if lacks.CORRELATED_ROWS not in lacking or block.group == [] or not outer_columns(block):
        return block, False
    if block.fields[0].traits & ~Traits.AGGREGATE:
        block = block.close()
    block = block.at(Slot.GROUP)
    value = block.fields[0]
    parts = Parts()
    one = call("array", call("first", value.copy(parts)))
    many = infix(exp.GT, exp.Count(this=exp.Star()), exp.Literal.number(1))
    parts.traits |= Traits.AGGREGATE
    sql = exp.Case(ifs=[exp.If(this=many, true=call("array"))], default=one)
    block.order, block.group = [], []
    block.fields = [Field(value.type, value.name, sql=sql, sql_type=value.sql_type, parts=parts)]
    return block, True


def looked_up(query: exp.Query, *, listed: bool) -> exp.Expression:
    """The value of a scalar subquery. listed: whether `one_row` made it a list; one without elements is an error."""
    value = exp.Subquery(this=query)
    return call("element_at", value, exp.Literal.number(1)) if listed else value


def lacked(block: Block, fields: Iterable[Field], lacking: Collection[str], *, plain: bool) -> str:
    """Why the engine would not run a query that refers outwards, or run it wrong; empty where it would.

    fields: those that it returns. plain: whether it is asked for rows only, by EXISTS or IN.
    """
    if not lacking or not outer_columns(block):
        return ""
    if lacks.CORRELATED_LIMIT in lacking and (block.limited or block.windowed):
        return "below a LIMIT or a window"
    if lacks.CORRELATED_UNION in lacking and block.body is not None:
        return "in a set operation"
    if plain and lacks.CORRELATED_SUMS in lacking and block.group is not None:
        return "below an aggregation, in EXISTS or IN"
    if plain and lacks.CORRELATED_FIELDS in lacking and hold(fields, Traits.OUTER):
        return "in the SELECT list of a query in EXISTS or IN"
    if lacks.CORRELATED_ROWS in lacking and not plain and block.group:
        return "below a grouping"
    return ""
