"""https://substrait.io/relations/logical_relations/#sort-operation"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from substrait_sql.errors import invalid, refuse
from substrait_sql.lower.needs import fields_of
from substrait_sql.lower.relation import environment, lowers, relation
from substrait_sql.lower.relations.rows.sort_fields import sort_keys
from substrait_sql.lower.retry import settled
from substrait_sql.select.block import Block, Slot, SortKey
from substrait_sql.select.field import Traits, hold
from substrait_sql.spark.clauses import Clause

if TYPE_CHECKING:
    from substrait_sql.lower.context import Context, Env
    from substrait_sql.wire.path import Path


@lowers("sort")
def sort_rel(message: Any, cx: Context, path: Path, outer: Env | None) -> Block:
    """ORDER BY. Where Spark's default puts NULLs elsewhere than the plan, NULLS FIRST or LAST is written."""
    if not message.sorts:
        raise invalid("SS2181", "the sort names nothing to sort by", path / "sorts")
    if cx.habits.loses_limits and not str(path).endswith(".fetch.input.sort"):
        raise refuse(
            "SS2188",
            "optimised plans of DataFusion 42 and 43 do not have the LIMIT of an ORDER BY, so there may have been one",
            path,
            "make the plan without the optimizer, or with a later release",
        )
    block = relation(message.input, cx, path / "input", outer).at(Slot.ORDER)
    name = block.suggested
    block, block.order = sorted_by(block, message, cx, path, outer)
    if name:
        # The same rows in another order.
        block.named = (path, name)
    return block


def sorted_by(
    block: Block, message: Any, cx: Context, path: Path, outer: Env | None
) -> tuple[Block, list[SortKey]]:
    """The block with its sort keys. What ORDER BY does not take, a subquery say, is a column first."""
    passed = (
        field
        for sort in message.sorts
        if sort.expr.WhichOneof("rex_type") == "selection"
        for field in fields_of(sort.expr, block.fields)
    )
    if outer is not None and hold(passed, Traits.OUTER):
        block = block.close()

    def lower(over: Block) -> list[SortKey]:
        env = environment(message, cx, over, outer)
        return sort_keys(message.sorts, env, path / "sorts", Clause.SORT)

    block, keys = settled(block, lower)
    only_outputs = block.distinct or block.body is not None
    if only_outputs and any(block.find(key.field) is None for key in keys):
        return settled(block.close(), lower)
    return block, keys
