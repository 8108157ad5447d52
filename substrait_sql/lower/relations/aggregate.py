"""https://substrait.io/relations/logical_relations/#aggregate-operation"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.dialect.operators import call
from substrait_sql.lower.block import Block, Join, Slot
from substrait_sql.lower.context import CloseBlock, ComputeFirst, Context, Env, invalid, refuse
from substrait_sql.lower.correlated_joins import outer_columns
from substrait_sql.lower.expressions.function import UNFIT
from substrait_sql.lower.expressions.literal import exact_literal
from substrait_sql.lower.expressions.measure import measure
from substrait_sql.lower.field import Field, Item, Parts, Traits
from substrait_sql.lower.lost import warn_of_groups
from substrait_sql.lower.relations import environment, lowers, relation
from substrait_sql.lower.relations.grouping_sets import grouping_sets
from substrait_sql.lower.relations.project import passed_on
from substrait_sql.lower.retry import apart, settled
from substrait_sql.schema import types

if TYPE_CHECKING:
    from substrait_sql.wire.path import Path


@lowers("aggregate")
def aggregate_rel(message: Any, cx: Context, path: Path, outer: Env | None) -> Block:
    """GROUP BY; keys without measures are SELECT DISTINCT. The output is the keys, then the measures."""
    sets = _sets(message, path)
    if cx.habits.keys_apart:
        sets = [[i for refs in sets for i in refs]]
    warn_of_groups(message, cx, path)
    if len(sets) > 1:
        return grouping_sets(message, sets, cx, path, outer)
    block = relation(message.input, cx, path / "input", outer).at(Slot.GROUP)
    block, (keys, measures) = settled(block, lambda b: fields(message, cx, b, path, outer))
    if not keys and not measures:
        raise invalid("SS2051", "an aggregation without keys and measures has no output", path)
    block.order = []
    block.fields = keys + measures
    if keys and not measures:
        block.distinct = True
    else:
        block.group = keys
    if not keys and any(f.traits & Traits.REGISTERED for f in measures):
        return _one_row(block, path)
    return block


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
    one = exp.Subquery(this=exp.Select(expressions=[exp.Literal.number(1)]))
    joined = Join("LEFT", closed.item, [])
    return Block(
        Item("one_row", [], node=one),
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


def fields(
    message: Any, cx: Context, block: Block, path: Path, outer: Env | None, plain: bool = False
) -> tuple[list[Field], list[Field]]:
    """The keys and the measures over a block. plain: the keys must be columns of it, and may group one at a time."""
    env = environment(message, cx, block, outer)
    keys = [
        _key(e, env, (path / "grouping_expressions")[i], plain)
        for i, e in enumerate(message.grouping_expressions)
    ]
    groups = [] if plain else keys
    measures = [
        _grouping(m, message, cx, at)
        if asks_for_the_set(m, cx, at)
        else measure(m, env, at, groups, first_in_order(m, message, path))
        for m, at in ((m, (path / "measures")[i]) for i, m in enumerate(message.measures))
    ]
    return keys, measures


def first_in_order(measure: Any, message: Any, path: Path) -> Path:
    """Where the first measure over rows in the same order is: the places of the rows are one column for all."""
    sorts = measure.measure.sorts
    at = next(i for i, m in enumerate(message.measures) if m.measure.sorts == sorts)
    return (path / "measures")[at] / "measure"


def asks_for_the_set(measure: Any, cx: Context, path: Path) -> bool:
    """Whether it is DataFusion's ``grouping(key, …)``: a bit per key, set in the rows of the sets without it."""
    if not cx.habits.grouping_asks or not measure.HasField("measure"):
        return False
    name = cx.functions.get(measure.measure.function_reference, path / "measure")
    return name.standard == "grouping" and name.urn is None


def _grouping(measure: Any, message: Any, cx: Context, path: Path) -> Field:
    """Of one set, which has all the keys. Several sets put their own numbers in its place."""
    keys_asked_for(measure, message, path)
    return Field(types.i32(), "grouping", sql=exp.Literal.number(0), parts=Parts())


def keys_asked_for(measure: Any, message: Any, path: Path) -> list[int]:
    """The keys that ``grouping`` is about, by their ordinals."""
    expressions = [e.SerializeToString(deterministic=True) for e in message.grouping_expressions]
    found = []
    for i, argument in enumerate(measure.measure.arguments):
        given = argument.value.SerializeToString(deterministic=True)
        if given not in expressions:
            raise invalid(
                "SS2060",
                "grouping is about a key of the aggregation, and this is none",
                (path / "measure").argument(i),
            )
        found.append(expressions.index(given))
    return found


def _key(message: Any, env: Env, path: Path, plain: bool) -> Field:
    """A key. An integer literal is written with its type, for Spark would take the bare digit for an ordinal."""
    column = env.block.computed.get(str(path)) if env.block.computed else None
    if column is not None:
        return column
    if message.WhichOneof("rex_type") == "selection":
        passed = passed_on(message, env)
        if passed is not None:
            if (plain and not passed.plain) or passed.traits & Traits.OUTER:
                raise CloseBlock(env.block)
            return passed
    value = apart(message, env, path, UNFIT)
    if value.literal is not None:
        value.sql = exp.Cast(
            this=exact_literal(value.literal, env, path), to=env.context.type_node(value.type, path)
        )
        value.sql_type = None
    field = value.as_field(env.take())
    if plain:
        field.name = field.name or "key"
        raise ComputeFirst(env.block, field, path)
    return field
