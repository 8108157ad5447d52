"""https://substrait.io/relations/physical_relations/#expand-operation"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.errors import invalid
from substrait_sql.lower.common_type import with_places
from substrait_sql.lower.expression import expression
from substrait_sql.lower.expressions.conditional import case_of
from substrait_sql.lower.relation import environment, lowers, relation
from substrait_sql.lower.relations.joins.combine import combine
from substrait_sql.lower.relations.rows.project import passed_on
from substrait_sql.lower.retry import settled
from substrait_sql.lower.value import Value
from substrait_sql.plan.join_types import JoinType
from substrait_sql.schema import types
from substrait_sql.select.block import Block, Slot
from substrait_sql.select.field import Field, Parts
from substrait_sql.select.item import Item

if TYPE_CHECKING:
    from substrait_sql.lower.context import Context, Env
    from substrait_sql.wire.path import Path


@lowers("expand")
def expand_rel(message: Any, cx: Context, path: Path, outer: Env | None) -> Block:
    """Each row several times, joined to the numbers of the copies. A switching field is a CASE over those.

    The output is a column per definition, the input's columns beyond them as they are, and the number of the copy.
    There may be more definitions than columns, as in the rollups of Spark's own plans.
    """
    block = relation(message.input, cx, path / "input", outer).at(Slot.SELECT)
    width = len(block.fields)
    copies = _copies(message)
    if copies > 1:
        block = combine(block, _numbers(copies), JoinType.INNER, lambda _: [], path)

    def lower(over: Block) -> list[Field]:
        env = environment(message, cx, over, outer, fields=over.fields[:width])
        at = path / "fields"
        number = over.fields[width] if copies > 1 else None
        return [_field(f, env, number, copies, at[i]) for i, f in enumerate(message.fields)]

    block, made = settled(block, lower)
    number = block.fields[width] if copies > 1 else _zero()
    block.fields = [*made, *block.fields[len(made) : width], number]
    return block


def _zero() -> Field:
    return Field(types.i32(), "copy", sql=exp.Literal.number(0), parts=Parts())


def _numbers(copies: int) -> Block:
    """``VALUES (0), (1) AS copies(copy)``."""
    rows = [exp.Tuple(expressions=[exp.Literal.number(i)]) for i in range(copies)]
    item = Item("copies", ["copy"], node=exp.Values(expressions=rows))
    return Block(item, [Field(types.i32(), "copy", item=item, ordinal=0)])


def _field(message: Any, env: Env, number: Field | None, copies: int, path: Path) -> Field:
    """One column of the output."""
    kind = message.WhichOneof("field_type")
    if kind == "consistent_field":
        return _consistent(message.consistent_field, env, path / kind)
    if kind is None:
        raise invalid("SS2196", "the field is empty: none of its kinds is set", path)
    duplicates = message.switching_field.duplicates
    at = path / kind / "duplicates"
    if not duplicates:
        raise invalid("SS2196", "the switching field has no duplicates", at)
    if number is None:
        return _consistent(duplicates[0], env, at[0])
    values = [with_places(expression(d, env, at[i])) for i, d in enumerate(duplicates)]
    branches = [(exp.Literal.number(i), value) for i, value in enumerate(values)]
    found = case_of(Value(number.copy(env.parts), number.type), branches, None, env, at)
    nullable = len(values) < copies or any(v.type is None or types.nullable(v.type) for v in values)
    if found.type is not None:
        found.type = types.with_nullability(found.type, nullable)
    found.name = next((v.name for v in values if v.name), "")
    return found.as_field(env.take())


def _consistent(message: Any, env: Env, path: Path) -> Field:
    passed = passed_on(message, env)
    if passed is not None:
        return passed
    value = expression(message, env, path)
    return value.as_field(env.take())


def _copies(message: Any) -> int:
    counts = [
        len(f.switching_field.duplicates)
        for f in message.fields
        if f.WhichOneof("field_type") == "switching_field"
    ]
    return max(counts, default=1)
