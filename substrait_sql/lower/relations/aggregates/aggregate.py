"""https://substrait.io/relations/logical_relations/#aggregate-operation"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.dialect.operators import call
from substrait_sql.errors import invalid, refuse
from substrait_sql.lower.lost import warn_of_groups
from substrait_sql.lower.relation import lowers
from substrait_sql.lower.relations.aggregates.distinct_counts import of_distinct_rows
from substrait_sql.lower.relations.aggregates.fields import fields, keys_ready
from substrait_sql.lower.relations.aggregates.one_row import of_one_row
from substrait_sql.lower.relations.aggregates.rows import rows_of
from substrait_sql.lower.relations.aggregates.total import one_row
from substrait_sql.lower.relations.sets.chain import distinct_rows
from substrait_sql.lower.retry import settled
from substrait_sql.schema import types
from substrait_sql.select.block import Block, Join
from substrait_sql.select.field import Field, Parts, Traits, hold
from substrait_sql.select.outer_columns import outer_columns

if TYPE_CHECKING:
    from substrait_sql.lower.context import Context, Env
    from substrait_sql.wire.path import Path


@lowers("aggregate")
def aggregate_rel(message: Any, cx: Context, path: Path, outer: Env | None) -> Block:
    """GROUP BY; keys without measures are SELECT DISTINCT. The output is the keys, then the measures."""
    sets = _sets(message, path)
    if cx.habits.keys_apart:
        sets = [[i for refs in sets for i in refs]]
    warn_of_groups(message, cx, path)
    if len(sets) > 1:
        from substrait_sql.lower.relations.aggregates.grouping_sets import grouping_sets

        return grouping_sets(message, sets, cx, path, outer)
    block = rows_of(message, cx, path, outer)
    block = keys_ready(block, message, cx, path, outer)
    block, (keys, measures) = settled(block, lambda b: fields(message, cx, b, path, outer))
    if not keys and not measures:
        raise invalid("SS2051", "an aggregation without keys and measures has no output", path)
    block.order = []
    block.fields = keys + measures
    if keys and not measures and not any(types.holds(k.type, "map") for k in keys):
        # Spark groups by maps, and has no DISTINCT of them.
        # In the step of a recursion Spark takes DISTINCT, and no GROUP BY.
        block.distinct, block.groups_all = True, not cx.recursions
        return distinct_rows(block, path)
    block.group_by(keys)
    if not keys and hold(measures, Traits.REGISTERED):
        return _one_row(block, path)
    return of_one_row(of_distinct_rows(block))


def _one_row(block: Block, path: Path) -> Block:
    """The one row of an aggregation without keys, where a function of somebody's own may leave it out.

    ``SELECT … FROM (SELECT 1) LEFT JOIN (SELECT f(x) FROM t) ON TRUE``: Spark returns no row for an aggregate that is
    written in Python, if there is none to aggregate. The result is NULL then, and an error if it must not be.
    In a correlated subquery Spark itself has that NULL.
    """
    if outer_columns(block):
        if not all(f.type is None or types.nullable(f.type) for f in block.fields):
            raise refuse(
                "SS2059",
                "what a registered aggregate is over no rows is not known, and must not be NULL",
                path / "measures",
            )
        return block
    closed = block.close()
    assert closed.item is not None
    joined = Join("LEFT", closed.item, [])
    return Block(
        one_row(),
        [f if f.type is None or types.nullable(f.type) else _present(f) for f in closed.fields],
        base=block.base,
        joins=[joined],
        anchors=closed.anchors,
    )


def _present(field: Field) -> Field:
    parts = Parts()
    error = call("raise_error", exp.Literal.string("an aggregate has no value over no rows"))
    sql = call("coalesce", field.emit(parts), error)
    return Field(field.type, field.name, sql=sql, sql_type=field.sql_type, parts=parts)


def _sets(message: Any, path: Path) -> list[list[int]]:
    """The grouping sets, as ordinals of the keys. No set, or one without keys, is a single group of all rows."""
    sets = [list(dict.fromkeys(g.expression_references)) for g in message.groupings] or [[]]
    references = {i for refs in sets for i in refs}
    if references != set(range(len(message.grouping_expressions))):
        raise invalid(
            "SS2053",
            f"the grouping refers to the expressions {sorted(references)}, of {len(message.grouping_expressions)}",
            path / "groupings",
        )
    return sets
