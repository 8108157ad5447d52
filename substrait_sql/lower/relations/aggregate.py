"""https://substrait.io/relations/logical_relations/#aggregate-operation"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.lower.block import Block, Slot
from substrait_sql.lower.context import CloseBlock, Context, Env, invalid, refuse
from substrait_sql.lower.expressions import expression
from substrait_sql.lower.expressions.function import measure
from substrait_sql.lower.expressions.literal import exact_literal
from substrait_sql.lower.field import Field, Traits
from substrait_sql.lower.relations import environment, lowers, relation

if TYPE_CHECKING:
    from substrait_sql.wire.path import Path


@lowers("aggregate")
def aggregate_rel(message: Any, cx: Context, path: Path, outer: Env | None) -> Block:
    """GROUP BY; keys without measures are SELECT DISTINCT. The output is the keys, then the measures."""
    keys_at = _grouping(message, path)
    block = relation(message.input, cx, path / "input", outer).at(Slot.GROUP)
    try:
        keys, measures = _fields(message, cx, block, path, outer)
    except CloseBlock as needed:
        if needed.block is not block:
            raise
        block = block.close()
        keys, measures = _fields(message, cx, block, path, outer)
    if not keys and not measures:
        raise invalid("SS2051", "an aggregation without keys and measures has no output", path)
    block.order = []
    block.fields = keys + measures
    if keys_at and not measures:
        block.distinct = True
    else:
        block.group = keys
    return block


def _grouping(message: Any, path: Path) -> bool:
    """Whether rows are grouped by keys. No grouping, or one without keys, is a single group of all rows."""
    if len(message.groupings) > 1:
        raise refuse("SS2052", "several grouping sets have no SQL yet", path / "groupings")
    references = set(message.groupings[0].expression_references) if message.groupings else set()
    missing = set(range(len(message.grouping_expressions))) - references
    beyond = references - set(range(len(message.grouping_expressions)))
    if missing or beyond:
        raise invalid(
            "SS2053",
            f"the grouping refers to the expressions {sorted(references)}, of {len(message.grouping_expressions)}",
            path / "groupings",
        )
    return bool(references)


def _fields(
    message: Any, cx: Context, block: Block, path: Path, outer: Env | None
) -> tuple[list[Field], list[Field]]:
    env = environment(message, cx, block, outer)
    keys = [
        _key(e, env, (path / "grouping_expressions")[i])
        for i, e in enumerate(message.grouping_expressions)
    ]
    measures = [measure(m, env, (path / "measures")[i]) for i, m in enumerate(message.measures)]
    if any(m.traits & (Traits.WINDOW | Traits.SUBQUERY) for m in measures):
        raise refuse(
            "SS2054",
            "a subquery or window function inside a measure has no SQL yet",
            path / "measures",
        )
    return keys, measures


def _key(message: Any, env: Env, path: Path) -> Field:
    """A key. An integer literal is written with its type, for Spark would take the bare digit for an ordinal."""
    if message.WhichOneof("rex_type") == "selection":
        from substrait_sql.lower.relations.project import _passed_on

        plain = _passed_on(message, env)
        if plain is not None:
            return plain
    value = expression(message, env, path)
    if value.literal is not None:
        value.sql = exp.Cast(
            this=exact_literal(value.literal, env, path), to=env.context.type_node(value.type, path)
        )
        value.sql_type = None
    field = value.as_field(env.take())
    if field.traits & (Traits.SUBQUERY | Traits.WINDOW | Traits.IMPURE):
        raise refuse("SS2055", "grouping by a subquery or window function has no SQL yet", path)
    return field
