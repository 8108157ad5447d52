"""The fields of an aggregation: its keys and measures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.errors import invalid
from substrait_sql.lower.common_type import held
from substrait_sql.lower.expressions.functions.measure import DISTINCT, Beside, measure
from substrait_sql.lower.expressions.literal import exact_literal
from substrait_sql.lower.records import record_field
from substrait_sql.lower.relation import environment
from substrait_sql.lower.relations.rows.project import passed_on
from substrait_sql.lower.retry import apart, columns_first
from substrait_sql.schema import types
from substrait_sql.select.field import Field, Parts, Traits, hold
from substrait_sql.select.masks import SetNumber
from substrait_sql.spark.clauses import Clause

if TYPE_CHECKING:
    from substrait_sql.lower.context import Context, Env
    from substrait_sql.select.block import Block
    from substrait_sql.wire.path import Path


def fields(
    message: Any, cx: Context, block: Block, path: Path, outer: Env | None, plain: bool = False
) -> tuple[list[Field], list[Field]]:
    """The keys and the measures over a block. plain: the keys must be columns of it, and may group one at a time."""
    env = environment(message, cx, block, outer)
    keys = [
        _key(e, env, (path / "grouping_expressions")[i])
        for i, e in enumerate(message.grouping_expressions)
    ]
    groups = [] if plain else keys
    distinct = [m.measure.invocation == DISTINCT for m in message.measures]
    expanded = _expands([m for m, one in zip(message.measures, distinct, strict=True) if one])
    measures = [
        _grouping(m, message, cx, at)
        if asks_for_the_set(m, cx, at)
        else measure(
            m,
            env,
            at,
            groups,
            first_in_order(m, message, path),
            Beside(sum(distinct) > is_one, expanded),
        )
        for m, is_one, at in (
            (m, distinct[i], (path / "measures")[i]) for i, m in enumerate(message.measures)
        )
    ]
    return keys, measures


def _expands(distinct: list[Any]) -> bool:
    """Whether Spark makes rows for each of the DISTINCT measures: of other values, of some rows only, of a constant."""
    asked = [[a.value for a in m.measure.arguments] for m in distinct]
    constant = any(all(v.HasField("literal") for v in values) for values in asked)
    return constant or any(
        m.HasField("filter") or values != asked[0]
        for m, values in zip(distinct, asked, strict=True)
    )


def keys_ready(
    block: Block, message: Any, cx: Context, path: Path, outer: Env | None, plain: bool = False
) -> Block:
    """The block over which the keys can be had: closed, or with columns for them. plain: see `fields`."""
    found = [record_field(e, block.fields) for e in message.grouping_expressions]
    passed = [f for f in found if f is not None and not f.heavy]
    closes = hold(passed, Traits.OUTER) or (plain and not all(f.plain for f in passed))
    at = path / "grouping_expressions"
    places = {
        at[i]: e
        for i, e in enumerate(message.grouping_expressions)
        if plain and found[i] is None and i not in literal_keys(message)
    }

    def computed(over: Block) -> list[Field]:
        env = environment(message, cx, over, outer)
        keys = [_key(e, env, place) for place, e in places.items()]
        for key in keys:
            key.name = key.name or "key"
        return keys

    block = columns_first(block, list(places), computed)
    return block.close_with_computed() if closes else block


def literal_keys(message: Any) -> frozenset[int]:
    """The places of the keys that are literals: they tell no groups apart."""
    expressions = enumerate(message.grouping_expressions)
    return frozenset(i for i, e in expressions if e.WhichOneof("rex_type") == "literal")


def first_in_order(measure: Any, message: Any, path: Path) -> Path:
    """Where the first measure over rows in the same order is: the places of the rows are one column for all."""
    sorts = measure.measure.sorts
    if not sorts:
        return path
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


def _key(message: Any, env: Env, path: Path) -> Field:
    """A key. A literal says its type."""
    column = env.block.computed.get(str(path)) if env.block.computed else None
    if column is not None:
        return column
    passed = passed_on(message, env)
    if passed is not None:
        if isinstance(passed, SetNumber):
            # What it asks of each set stands below the groups, where nobody can ask any more.
            passed = passed.with_type(passed.type)
        return _typed(passed, env, path)
    value = apart(message, env, path, Clause.GROUPED)
    if value.literal is not None and not isinstance(value.sql, exp.Cast):
        value.sql, value.sql_type = exact_literal(value.literal, env, path), None
    return value.as_field(env.take())


def _typed(field: Field, env: Env, path: Path) -> Field:
    """A field of the input; where that is a number, with its type."""
    if not isinstance(field.sql, exp.Literal) or field.sql.is_string or field.type is None:
        return field
    if types.same(held(field), field.type):
        return field
    fresh = field.with_type(field.type)
    fresh.say_width()
    if fresh.sql_type is None:
        return fresh
    number = exp.Cast(this=field.sql, to=env.context.type_node(field.type, path))
    return Field(field.type, field.name, sql=number, parts=Parts(), subject=field.subject)
