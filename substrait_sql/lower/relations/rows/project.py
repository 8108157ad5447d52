"""https://substrait.io/relations/logical_relations/#project-operation"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from substrait_sql.errors import invalid
from substrait_sql.lower.expression import expression
from substrait_sql.lower.needs import needs, read_by
from substrait_sql.lower.records import record_field
from substrait_sql.lower.relation import environment, lowers, relation
from substrait_sql.lower.relations.rows.sorted_rows import sorted_for_windows
from substrait_sql.lower.retry import settled
from substrait_sql.select.block import Block, Slot
from substrait_sql.select.field import Field, Traits, hold
from substrait_sql.select.outer_columns import outer_columns
from substrait_sql.spark.selects import of_computed_group
from substrait_sql.wire.inside import within

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.lower.context import Context, Env
    from substrait_sql.wire.path import Path


@lowers("project")
def project_rel(message: Any, cx: Context, path: Path, outer: Env | None) -> Block:
    """More columns: the output is all of the input's, then the expressions. The emit that follows drops what it may.

    ``Project(Read(t(a, b)), [a + b], emit [2])`` is ``SELECT a + b FROM t``.
    """
    replaces = cx.habits.project_replaces and message.common.WhichOneof("emit_kind") != "emit"
    # DataFusion picks columns by a projection without expressions, but for its emit.
    if (
        not message.expressions
        and not replaces
        and message.common.WhichOneof("emit_kind") != "emit"
    ):
        raise invalid("SS2031", "the projection has no expressions", path / "expressions")
    block = relation(message.input, cx, path / "input", outer).at(Slot.SELECT)
    block = sorted_for_windows(block, message.expressions, cx, path / "expressions")
    if not message.expressions and block.suggested:
        # Fewer columns of the same rows.
        block.named = (path, block.suggested)
    if not _takes(block, message.expressions, cx, outer) or _loses_order(block, message, outer):
        block = block.close()
    block, added = settled(block, lambda b: _expressions(message, cx, b, path, outer))
    block.fields = added if replaces else block.fields + added
    return block


def _takes(block: Block, messages: Sequence[Any], cx: Context, outer: Env | None) -> bool:
    """Whether the SELECT list can have the expressions.

    A window sees all rows that the clauses before it let through: not those that a LIMIT has cut, nor other windows.
    Spark takes no outer column beside measures, nor in what holds a window.
    """
    open_to_windows = block.is_open(Slot.WINDOW)
    if block.group is not None and any(_mixes_keys(m, block) for m in messages):
        return False
    if outer is None and open_to_windows:
        return True
    found = [needs(m, block.fields, cx) for m in messages]
    if not open_to_windows and any(n & Traits.WINDOW for n in found):
        return False
    apart = block.group is not None or block.limited
    return not any(n & Traits.OUTER and (apart or n & Traits.WINDOW) for n in found)


def _mixes_keys(message: Any, block: Block) -> bool:
    """Whether a window and, outside of it, a computed key would be in one column: Spark finds no such key there."""
    outside = list(within(message, ("Rel", "Literal", "Type", "WindowFunction")))
    read = [f for each in outside for f in read_by(each, block.fields)]
    if not hold(read, Traits.WINDOW) and not any(
        each.DESCRIPTOR.name == "WindowFunction" for each in outside
    ):
        return False
    return any(of_computed_group(each, block) for each in read)


def _loses_order(block: Block, message: Any, outer: Env | None) -> bool:
    """Whether it would compute beside a LIMIT of a correlated query what takes the place of a sort key.

    Spark needs those keys there, see `spark.limits`: they are returned to a SELECT around, which computes.
    """
    if outer is None or not (block.limited and block.order):
        return False
    if all(record_field(e, block.fields) is not None for e in message.expressions):
        return False
    kept = range(len(block.fields))
    if message.common.WhichOneof("emit_kind") == "emit":
        kept = message.common.emit.output_mapping
    return any(block.find(key) not in kept for key in block.sorted_by) and bool(
        outer_columns(block)
    )


def _expressions(
    message: Any, cx: Context, block: Block, path: Path, outer: Env | None
) -> list[Field]:
    env = environment(message, cx, block, outer, seen_above=_seen_above(message, cx, block))
    found = []
    for i, e in enumerate(message.expressions):
        plain = passed_on(e, env)
        if plain is not None:
            found.append(plain)
            continue
        value = expression(e, env, (path / "expressions")[i])
        found.append(value.as_field(env.take()))
    return found


def passed_on(message: Any, env: Env) -> Field | None:
    """The field itself, where the expression is a mere reference to one that may stand twice, or that moves up."""
    field = record_field(message, env.fields)
    if field is not None and field.parts is not None and field.heavy:
        if env.used_elsewhere(field):
            return None
        env.moved.add(id(field))
    return field


def _seen_above(message: Any, cx: Context, block: Block) -> frozenset[int] | None:
    """The ids of the input's fields that are still to be seen behind this relation, None for all."""
    if message.common.WhichOneof("emit_kind") == "emit":
        width = len(block.fields)
        kept = message.common.emit.output_mapping
        return frozenset(id(block.fields[i]) for i in kept if 0 <= i < width)
    return frozenset() if cx.habits.project_replaces else None
