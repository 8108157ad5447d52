"""https://substrait.io/expressions/aggregate_functions/: the measures of an aggregation."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlglot import exp

from substrait_sql.dialect import operators
from substrait_sql.dialect.model import Built, Call
from substrait_sql.dialect.rules import literal_int
from substrait_sql.errors import invalid, refuse
from substrait_sql.lower.declared_types import INTEGERS, require_boolean
from substrait_sql.lower.expression import computed
from substrait_sql.lower.expressions.functions.declared import warn_of_digits
from substrait_sql.lower.expressions.functions.function import (
    by_place,
    call_arguments,
    count_rows,
    declared_type,
    make_exact,
    named,
    options_of,
    put_back,
)
from substrait_sql.lower.expressions.functions.unsigned import settle_unsigned
from substrait_sql.lower.lost import warn_of_measure
from substrait_sql.lower.relations.rows.sort_fields import sort_keys
from substrait_sql.lower.retry import apart
from substrait_sql.lower.widening import without_doubles
from substrait_sql.schema import types
from substrait_sql.select.field import Field, Parts, Traits
from substrait_sql.select.present import ordered
from substrait_sql.select.signals import ComputeFirst
from substrait_sql.spark.clauses import Clause
from substrait_sql.tree.compare import same_text
from substrait_sql.tree.copies import clone
from substrait_sql.tree.origin import note

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from substrait_sql.dialect.facts import Facts
    from substrait_sql.lower.context import Env
    from substrait_sql.schema.functions import FunctionName
    from substrait_sql.select.block import SortKey
    from substrait_sql.wire.path import Path

DISTINCT = 2
_LISTAGG = ("string_agg", "listagg")
# "Unspecified" is what DuckDB and DataFusion write for a complete call.
_COMPLETE, _FROM_ROWS, _TO_RESULT = (0, 3), 1, (2, 4)


class Beside(NamedTuple):
    """distinct: another measure is about distinct values. expanded: Spark makes rows for several that are."""

    distinct: bool = False
    expanded: bool = False


def measure(
    message: Any,
    env: Env,
    path: Path,
    keys: Sequence[Field] = (),
    order_at: Path | None = None,
    beside: Beside | None = None,
) -> Field:
    """One measure of an AggregateRel: ``sum(DISTINCT x) FILTER (WHERE …)``.

    keys: what the rows are grouped by. order_at: where the order of its rows is said first. beside: what is known of
    the other measures.
    """
    function = message.measure
    at = path / "measure"
    if not message.HasField("measure"):
        raise invalid("SS2151", "the measure has no function", path)
    name = env.context.functions.get(function.function_reference, at)
    distinct = function.invocation == DISTINCT
    facts = env.context.dialect.facts("aggregate", name)
    _check_phase(function, name, facts, distinct or _may_overflow(function), at)
    values, arguments = call_arguments(function.arguments, env, at, Clause.GROUPED)
    warn_of_measure(facts, values, env.context, at)
    if not distinct:
        count_rows(name, values, arguments)
        if facts.makes_doubles:
            without_doubles(values)
            put_back([a for a in arguments if a.sql is not None], values)
    meant = env.context.habits.over(name, arguments, at)
    call = Call(
        meant, arguments, options_of(function), declared_type(function, env.context), at, distinct
    )
    call.make_exact = lambda call: make_exact(call, values, env)
    settle_unsigned(call, values, facts, at)
    if facts.state_is_added_up and function.phase in _TO_RESULT:
        built = _added_up(call)
    elif function.sorts and (facts.sorts_values is not None or not facts.orderless):
        beside = beside or Beside()
        crowded = beside.distinct or message.HasField("filter")
        place = partial(_number, function.sorts, env, (order_at or at) / "sorts", keys)
        built = _in_order(function, call, facts, env, at, place, Beside(crowded, beside.expanded))
    else:
        built = env.context.dialect.aggregate(call)
    if message.HasField("filter"):
        condition = apart(message.filter, env, path / "filter", Clause.GROUPED)
        require_boolean(condition, path / "filter")
        _filter(built, condition.sql)
    warn_of_digits(call, built, facts, env.context)
    value = by_place(named(built, name, values), env, path)
    parts = env.take()
    parts.traits |= Traits.AGGREGATE | (Traits.REGISTERED if built.registered else Traits.NONE)
    if env.context.mapped:
        note(value.sql, path / "measure")
    return value.as_field(parts)


def _may_overflow(function: Any) -> bool:
    """Whether a partial sum may stop at the end of its range: what is added to it later would count from there."""
    return any(
        o.name.lower() == "overflow" and o.preference and o.preference[0].upper() != "ERROR"
        for o in function.options
    )


def _check_phase(
    function: Any, name: FunctionName, facts: Facts, inseparable: bool, path: Path
) -> None:
    """Partial phases pass states on. SQL has those only of functions whose state is a plain value."""
    if function.phase in _COMPLETE:
        return
    if not (facts.state_is_a_value or facts.state_is_added_up):
        raise refuse(
            "SS2152",
            f"the measure computes or takes the intermediate state of {name.name}, which SQL has no access to",
            path / "phase",
            "plan the aggregation in one phase (AGGREGATION_PHASE_INITIAL_TO_RESULT)",
        )
    if inseparable:
        raise refuse(
            "SS2152",
            "what is distinct, or overflows, in each part need not be so in all of them",
            path / "phase",
            "plan the aggregation in one phase (AGGREGATION_PHASE_INITIAL_TO_RESULT)",
        )


def _added_up(call: Call) -> Built:
    """The counts of parts, as one."""
    if len(call.values) != 1:
        raise invalid(
            "SS2154",
            f"the state of {call.function.name} is one number, not {len(call.values)}",
            call.path,
        )
    total = operators.call("sum", call.values[0])
    sql = operators.call("coalesce", total, exp.Literal.number(0))
    declared = call.output_type if types.kind(call.output_type) is not None else types.i64()
    built = Built(sql, declared, types.i64())
    built.calls = (total,)
    return built


def _is_itself(key: exp.Expression, value: exp.Expression, field: Field) -> bool:
    """Whether distinct values are in order by themselves, also as texts, of which each is another one."""
    if same_text(key, value):
        return True
    if not isinstance(value, exp.Cast) or value.args["to"].name.upper() != "STRING":
        return False
    return same_text(key, value.this) and types.kind(field.type) in (*INTEGERS, "date")


def _in_order(
    function: Any,
    call: Call,
    facts: Facts,
    env: Env,
    path: Path,
    place: Callable[[], exp.Expression],
    beside: Beside,
) -> Built:
    """An aggregate whose result depends on the order of its rows.

    place: makes the place of a row in its group. beside: Spark takes none that is DISTINCT beside another one that is,
    and none at all where it makes rows for several.
    """
    at = path / "sorts"
    if facts.within_group:
        built = env.context.dialect.aggregate(call)
        found = sort_keys(function.sorts, env, at, Clause.GROUPED, constants=True)
        nodes = [key.field.copy(env.parts) for key in found]
        keyed = zip(nodes, found, strict=True)
        if call.distinct and not all(_is_itself(n, call.values[0], k.field) for n, k in keyed):
            raise refuse("SS2153", "distinct values can be put in order by themselves only", at)
        if found and _is_listagg(built.sql):
            if call.distinct and beside.distinct:
                return _joined(call, nodes[0], found[0], built)
            if beside.expanded and not call.distinct:
                return _joined_in_order(call, place(), built)
        if found:
            written = [ordered(n, key, env.block) for n, key in zip(nodes, found, strict=True)]
            order = exp.Order(expressions=written)
            built.wrap(lambda node: exp.WithinGroup(this=node, expression=order))
            built.calls = tuple(built.sql.find_all(exp.WithinGroup))
        return built
    if facts.sorts_values is not None:
        _check_ascending(function, call, facts.sorts_values, env, at)
        return env.context.dialect.aggregate(call)
    if facts.makes_a_list and call.distinct:
        return _distinct_in_order(function, call, env, at)
    arity = 2 if facts.picks_by_number else 1
    simple = not call.distinct and not call.options and len(call.values) == arity
    picks = "min_by" if facts.picks_first else "max_by" if facts.picks_last else None
    if not simple or not (picks or facts.makes_a_list or facts.picks_by_number):
        raise refuse("SS2153", f"{call.function.name} of rows in order has no SQL", at)
    number = place()
    x = call.values[0]
    if picks is not None:
        picked = operators.call(picks, x, number)
        built = Built(picked, call.output_type)
        built.calls = (picked,)
        return built
    pairs = operators.call("collect_list", _pair(number, x))
    if facts.picks_by_number:
        return _numbered(pairs, call)
    return _values_of(pairs, env.context.dialect.aggregate(call))


def _distinct_in_order(function: Any, call: Call, env: Env, path: Path) -> Built:
    """``array_sort(collect_list(DISTINCT x))``: Spark has NULLs last then, and first the other way round."""
    built = env.context.dialect.aggregate(call)
    keys = sort_keys(function.sorts, env, path, Clause.GROUPED)
    node, key = keys[0].field.copy(env.parts), keys[0]
    by_itself = len(keys) == 1 and same_text(node, call.values[0])
    elsewhere = types.nullable(key.field.type) and key.descending != key.nulls_first
    if not by_itself or elsewhere or types.children(key.field.type):
        raise refuse("SS2153", "distinct values can be put in order by themselves only", path)
    made = operators.call("array_sort", built.sql)
    built.sql = operators.call("reverse", made) if key.descending else made
    return built


def _numbered(pairs: exp.Expression, call: Call) -> Built:
    """``try_element_at(transform(array_sort(…), x -> x.f1), 2)``: NULL where there are not so many rows."""
    at = literal_int(call.values[1])
    if not at:
        raise refuse(
            "SS2153", f"{call.function.name} takes a constant from 1, or up to -1", call.path
        )
    picked = operators.call("try_element_at", _in_turn(pairs), call.values[1])
    value = call.output_type if call.output_kind is not None else call.valued[0].type
    built = Built(picked, None if value is None else types.with_nullability(value, True))
    built.calls = (pairs,)
    return built


def _is_listagg(node: exp.Expression) -> bool:
    return isinstance(node, exp.Anonymous) and str(node.this).lower() in _LISTAGG


def _joined(call: Call, key: exp.Expression, order: SortKey, plain: Built) -> Built:
    """``array_join(array_sort(collect_set(x)), ',')`` for distinct values in their own order.

    ``listagg(DISTINCT x, ',') WITHIN GROUP (ORDER BY x)`` fails in Spark (as of 4.3) with a FILTER, and beside another
    measure that is DISTINCT.
    """
    found = operators.call("collect_set", key)
    values = operators.call("array_sort", found)
    values = operators.call("reverse", values) if order.descending else values
    if not same_text(key, call.values[0]):
        x = exp.to_identifier("x")
        as_text = operators.cast(exp.Column(this=x.copy()), call.values[0].args["to"])
        values = operators.call("transform", values, exp.Lambda(this=as_text, expressions=[x]))
    some = operators.call("nullif", values, operators.call("array"))
    built = Built(operators.call("array_join", some, *call.values[1:]), plain.type, plain.sql_type)
    built.calls = (found,)
    return built


def _joined_in_order(call: Call, number: exp.Expression, plain: Built) -> Built:
    """``array_join(transform(array_sort(…), x -> x.f1), ',')``, without NULLs and NULL where nothing else is.

    ``listagg(x, ',') WITHIN GROUP (ORDER BY y)`` fails in Spark (as of 4.3) where it makes rows for several DISTINCT.
    """
    x, *between = call.values
    known = exp.If(this=operators.is_null(clone(x), negated=True), true=_pair(number, x))
    pairs = operators.call("collect_list", exp.Case(ifs=[known]))
    some = operators.call("nullif", _in_turn(pairs), operators.call("array"))
    built = Built(operators.call("array_join", some, *between), plain.type, plain.sql_type)
    built.calls = (pairs,)
    return built


def _pair(number: exp.Expression, x: exp.Expression) -> exp.Expression:
    """A value behind its place."""
    return operators.call(
        "named_struct", exp.Literal.string("f0"), number, exp.Literal.string("f1"), x
    )


def _check_ascending(function: Any, call: Call, index: int, env: Env, path: Path) -> None:
    """Spark sorts the values of a quantile itself. index: of that argument."""
    found = sort_keys(function.sorts, env, path, Clause.GROUPED)
    node = found[0].field.copy(env.parts)
    value = _uncast(call.values[index], found[0].field.type)
    if len(found) > 1 or found[0].descending or not same_text(node, value):
        raise refuse("SS2153", "quantiles of values in any order but their own have no SQL", path)


def _uncast(node: exp.Expression, type: Any) -> exp.Expression:
    """The value without a cast to DOUBLE, which leaves the order of numbers as it is. type: of the sort key."""
    numbers = types.kind(type) in (*INTEGERS, "fp32", "fp64", "decimal", None)
    return node.this if isinstance(node, exp.Cast) and numbers else node


def _values_of(pairs: exp.Expression, plain: Built) -> Built:
    """``transform(array_sort(…), x -> x.f1)``, NULL over no row, as the plain call is."""
    listed = operators.call("nullif", _in_turn(pairs), operators.call("array"))
    built = Built(listed, plain.type, plain.sql_type)
    built.calls = (pairs,)
    return built


def _in_turn(pairs: exp.Expression) -> exp.Expression:
    """The values of pairs with their places, by these."""
    x = exp.to_identifier("x")
    field = exp.Dot(this=exp.Column(this=x.copy()), expression=exp.to_identifier("f1"))
    return operators.call(
        "transform", operators.call("array_sort", pairs), exp.Lambda(this=field, expressions=[x])
    )


def _number(sorts: Any, env: Env, path: Path, keys: Sequence[Field]) -> exp.Expression:
    """The place of the row in its group, as a column."""
    column = env.block.computed.get(str(path))
    if column is not None:
        return computed(column, env)
    found: list[SortKey] = sort_keys(sorts, env, path, Clause.GROUPED)
    parts = Parts()
    parts.traits |= Traits.WINDOW | env.parts.traits & Traits.PENDING
    order = [ordered(key.field.copy(parts), key, env.block) for key in found]
    sql = exp.Window(
        this=exp.Anonymous(this="row_number"),
        partition_by=[key.copy(parts) for key in keys],
        order=exp.Order(expressions=order or [exp.Ordered(this=exp.Null(), nulls_first=True)]),
        over="OVER",
    )
    raise ComputeFirst(env.block, Field(types.i32(), "place", sql=sql, parts=parts), path)


def _filter(built: Built, condition: exp.Expression) -> None:
    """Puts FILTER behind each aggregate call; a row for which the condition is NULL does not count."""
    first = True

    def around(node: exp.Expression) -> exp.Expression:
        nonlocal first
        own = condition if first else clone(condition)
        first = False
        where = exp.Where(this=own)
        if isinstance(node, (exp.IgnoreNulls, exp.RespectNulls)):
            # Spark has these words behind the clause.
            node.set("this", exp.Filter(this=node.this, expression=where))
            return node
        return exp.Filter(this=node, expression=where)

    built.wrap(around)
