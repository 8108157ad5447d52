"""https://substrait.io/expressions/scalar_functions/ and aggregate_functions/: calls, by lines of data."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.dialect.facts import NOTHING
from substrait_sql.dialect.model import Argument, Built, Call
from substrait_sql.dialect.operators import cast, operand
from substrait_sql.errors import invalid
from substrait_sql.lower.common_type import (
    require_alike,
    require_among,
    require_fitting,
    with_places,
)
from substrait_sql.lower.declared_types import INTEGERS, NUMBERS, exact, settle
from substrait_sql.lower.expression import expression, lowers
from substrait_sql.lower.expressions.casts.finite import OF_DOUBLES, most_of_call
from substrait_sql.lower.expressions.days import read_days
from substrait_sql.lower.expressions.functions.bound import Bound, may_bind
from substrait_sql.lower.expressions.functions.callee import Callee
from substrait_sql.lower.expressions.functions.cast_calls import cast_of_call, cast_to_texts
from substrait_sql.lower.expressions.functions.declared import warn_of_digits
from substrait_sql.lower.expressions.functions.units import cut_to_unit
from substrait_sql.lower.expressions.functions.unsigned import settle_unsigned
from substrait_sql.lower.expressions.guards import is_known
from substrait_sql.lower.expressions.interval import shortest
from substrait_sql.lower.expressions.literal import exact_literal, integer_as
from substrait_sql.lower.lost import warn_of_call, warn_of_release
from substrait_sql.lower.retry import apart, written_once
from substrait_sql.lower.value import Value
from substrait_sql.lower.widening import are_as_wide, without_widening
from substrait_sql.schema import naming, types
from substrait_sql.select.asked import VALUE
from substrait_sql.select.field import Traits
from substrait_sql.spark.clauses import Clause
from substrait_sql.tree import origin
from substrait_sql.tree.copies import TooLong

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.dialect.facts import Facts
    from substrait_sql.lower.context import Context, Env
    from substrait_sql.schema.functions import FunctionName
    from substrait_sql.wire.path import Path


@lowers("scalar_function")
def scalar_function(message: Any, env: Env, path: Path) -> Value:
    """A call, written as the dialect's line for its overload says."""
    cx = env.context
    callee = cx.callees.get(message.function_reference)
    if callee is None:
        declared = cx.functions.get(message.function_reference, path)
        callee = cx.callees[message.function_reference] = Callee(
            declared, declared, cx.dialect, cx.habits.by_type
        )
    if callee.depends:
        meant = cx.habits.meant(callee.name, message)
        callee = callee.meant(meant, cx.dialect, cx.habits.by_type)
        warn_of_release(callee.name.name, callee.declared.name, cx, path)
    facts = callee.facts
    if facts.compares or facts.counts_characters:
        warn_of_call(facts, message, cx, path)
    if env.asked is VALUE and not callee.tests:
        return _called(callee, message, env, path)
    # Below a test Spark may take its own IN for the whole of a condition, of which NULL is FALSE.
    with env.asking(env.asked.through(callee.standard), plain=not callee.tests):
        # The arguments may have to be lowered again, see below: with the same asked of them.
        return _called(callee, message, env, path)


def _called(callee: Callee, message: Any, env: Env, path: Path) -> Value:
    values, arguments = call_arguments(
        message.arguments, env, path, common=callee.common, callee=callee.name.name
    )
    if callee.by_type:
        meant = env.context.habits.over(callee.name, arguments, path)
        callee = callee.meant(meant, env.context.dialect)
    name, facts = callee.name, callee.facts
    if callee.takes_texts:
        cast_to_texts(values, arguments, message.arguments, env, path)
    bare = False
    if facts.compares or callee.common:
        bare = require_alike(values, path)
        declared = declared_type(message, env.context)
        if callee.common and declared is not None:
            require_fitting(values, declared, path)
    if facts.finds:
        require_among(values[0], values[1], path)
    options: list[tuple[str, Sequence[str]]] = []
    if message.options:
        heeds = env.context.habits.heeds
        options = [o for o in options_of(message) if heeds(o[0], name.name, message)]
    quotient = name.name == "float_quotient" and len(values) == len(message.arguments) == 2
    if quotient and is_known(message.arguments[1].value, env):
        options.append(("on_division_by_zero", ["ERROR"]))
    call = Call(name, arguments, options, declared_type(message, env.context), path)
    call.make_exact = lambda call: make_exact(call, values, env, facts)
    kinds = [a.kind for a in call.valued]
    dated = facts.compares and "date" in kinds and read_days(values)
    # Spark divides whole numbers as doubles.
    wide = replace(facts, widens_all=True) if quotient else facts
    if without_widening(values, wide, asks_null=callee.about_null) or dated or bare:
        put_back(call.valued, values)
    if "interval_day" in kinds or "interval_year" in kinds:
        _write_short(call, values, facts)
    if "user_defined" in kinds or call.output_kind == "user_defined":
        coerced = env.context if env.context.habits.unsigned_by_variation else None
        settle_unsigned(call, values, facts, path, scalar=True, coerced=coerced)
    if call.output_kind in INTEGERS and not callee.widens:
        _keep_width(call, values, env)
    built = env.context.dialect.plain(call) or _built(call, values, message, env, path)
    if built.casts:
        return cast_of_call(built, message, values[0], env, path)
    if env.context.habits.moment_sums and call.output_kind in _POINTS:
        built.sql = cut_to_unit(built.sql, call, values)
    if callee.standard == "not" and _is_key(values[0], env):
        # Spark finds `a <> b` among the keys below a NOT, and not in `a = b`.
        built.sql = exp.Not(this=operand(values[0].sql, exp.Not, "only"))
    if env.parts.traits & Traits.SUBQUERY and over_queries(built.sql):
        # Asks for the first argument that holds a query as a column.
        call_arguments(message.arguments, env, path, Clause.CALLED_WITH)
    warn_of_digits(call, built, facts, env.context)
    if facts.makes_rows:
        env.parts.traits |= Traits.TIME_WINDOW
    if built.impure:
        env.parts.traits |= Traits.IMPURE
    found = settle(named(built, callee.declared, values), env.context, path)
    if callee.standard in OF_DOUBLES:
        found.most = most_of_call(callee.standard, values, found.sql_type or found.type)
    return found


def _is_key(value: Value, env: Env) -> bool:
    """Whether it is what the rows are grouped by."""
    return any(key.sql is not None and key.sql == value.sql for key in env.block.group or ())


_POINTS = ("precision_timestamp", "precision_timestamp_tz")
# What an interval is added to.
_MOMENTS = ("date", *_POINTS, "precision_time")


def _write_short(call: Call, values: list[Value], facts: Facts) -> None:
    """Literals of intervals in the units that they need, where these do not show: ``d + INTERVAL '7' DAY``."""
    shifts = call.function.name in ("add", "subtract") and call.output_kind in _MOMENTS
    if not (shifts or facts.compares):
        return
    for value, place in zip(values, call.valued, strict=True):
        short = None if value.literal is None else shortest(value.literal)
        if short is not None:
            value.sql = place.sql = short
            value.coerced = True


def over_queries(sql: exp.Expression) -> bool:
    """Whether a function that takes a lambda has a query in its arguments, which Spark refuses.

    ``array_sort`` without one has a comparison for it.
    """
    around = [node.parent for node in sql.find_all(exp.Lambda)]
    around += [node for node in sql.find_all(exp.Anonymous) if node.name == "array_sort"]
    return any(n is not None and n.find(exp.Query, exp.Exists) is not None for n in around)


def _built(call: Call, values: list[Value], message: Any, env: Env, path: Path) -> Built:
    """The call as the dialect writes it. An argument that it writes twice, and that is too long, is a column first.

    Or a parameter, where there are columns of such columns already, see `may_bind`.
    """
    bound: list[Bound] = []
    while True:
        given = [v.sql for v in values]
        try:
            with origin.arguments(given):
                built = env.context.dialect.scalar(call)
            break
        except TooLong as found:
            at = next(i for i, node in enumerate(given) if node is found.node)
            if not may_bind(env):
                places = [
                    i
                    for i, a in enumerate(message.arguments)
                    if a.WhichOneof("arg_type") == "value"
                ]
                argument = message.arguments[places[at]].value
                written_once(argument, env, path, path.argument(places[at]))
            bound.append(Bound(values[at], env, len(bound)))
        put_back(call.valued, values)
        call.chosen.clear()
    for each in reversed(bound):
        built.sql = each.around(built.sql)
    return built


def put_back(places: Sequence[Argument], values: Sequence[Value]) -> None:
    """The arguments that are values as these are now, before the dialect looks at them."""
    for place, value in zip(places, values, strict=True):
        if place.sql is not value.sql:
            place.inside = None
        place.sql, place.sql_type = value.sql, value.sql_type


def declared_type(message: Any, cx: Context) -> Any:
    """The declared result type, None where the plan leaves it out, or declares what the result is not."""
    if not message.HasField("output_type"):
        return None
    declared = message.output_type
    return None if cx.misses_casts and types.kind(declared) in NUMBERS else declared


def call_arguments(
    messages: Sequence[Any],
    env: Env,
    path: Path,
    clause: Clause | None = None,
    common: bool = False,
    callee: str = "",
) -> tuple[list[Value], list[Argument]]:
    """The arguments of a call: the lowered values, and all arguments as the dialect takes them.

    clause: where the arguments stand, if they may have to be columns before the call can be made. common: Spark makes
    one type of them, as it does of the results of a CASE. callee: the function, by its name.
    """
    values: list[Value] = []
    arguments: list[Argument] = []
    for i, message in enumerate(messages):
        kind = message.WhichOneof("arg_type")
        if kind == "value":
            at = path.argument(i)
            env.callee, env.given = callee, values
            value = (
                apart(message.value, env, at, clause)
                if clause is not None
                else expression(message.value, env, at)
            )
            if common:
                value = _one_of_several(value, env, at)
            values.append(value)
            narrow = value.narrow.sql if value.narrow is not None else None
            made = Argument(value.sql, value.type, value.sql_type, None, narrow, value.inside)
            arguments.append(made)
        elif kind == "enum":
            arguments.append(Argument(enum=message.enum))
        elif kind == "type":
            arguments.append(Argument(type=message.type))
        else:
            raise invalid("SS2112", "the argument is empty", (path / "arguments")[i])
    return values, arguments


def count_rows(name: FunctionName, values: list[Value], arguments: list[Argument]) -> None:
    """``count(*)`` for ``count(1)``, which producers write for it."""
    if name.standard != "count" or name.foreign or len(values) != 1:
        return
    (value,) = values
    if value.literal is not None and not value.is_null:
        arguments[0].sql = exp.Star()


def _one_of_several(value: Value, env: Env, path: Path) -> Value:
    """A value that Spark makes one type of with others: it takes structs of one type only, names included."""
    if value.type is None or not types.holds(value.type, "struct"):
        return with_places(value)
    sql = exact(value.sql, value.sql_type, value.type, env.context, path)
    return Value(sql, value.type, None, value.name, value.literal, value.subject)


def options_of(message: Any) -> Sequence[tuple[str, Sequence[str]]]:
    """The options of a call, as (name, preferences)."""
    if not message.options:
        return ()
    return [(o.name, list(o.preference)) for o in message.options]


def _keep_width(call: Call, values: list[Value], env: Env) -> None:
    """Integer arithmetic in Spark is as wide as its widest argument, as it is written.

    Where that is narrower than the declared result (``1`` is written for an ``i64``, and some producers add an ``i64``
    to an ``i32``), one argument is made as wide, or the result would overflow early. Where a constant alone is wider as
    it is written (``200`` beside a SMALLINT), it is written as what it is, ``200S``.
    """
    output = call.output_type
    width = INTEGERS[call.output_kind or ""]
    if not values:
        return
    widths = [INTEGERS.get(types.kind(v.sql_type or v.type) or "", 9) for v in values]
    if max(widths) >= width:
        _write_narrow(call, values, widths, env)
        return
    chosen = next((i for i, v in enumerate(values) if v.literal is not None), 0)
    value = values[chosen]
    as_wide = integer_as(value.literal, output) if value.literal is not None else None
    if as_wide is not None and as_wide.literal is not None:
        value.sql = exact_literal(as_wide.literal, env, call.path)
    else:
        value.sql = exp.Cast(this=value.sql, to=env.context.type_node(output, call.path))
    value.sql_type = output
    place = call.valued[chosen]
    place.sql, place.sql_type = value.sql, output


def _write_narrow(call: Call, values: list[Value], widths: list[int], env: Env) -> None:
    """Constants that alone make the result wider than it is declared, as what they are declared."""
    output = call.output_type
    wide = [i for i, width in enumerate(widths) if width > INTEGERS[types.kind(output) or ""]]
    if any(values[i].literal is None or not types.same(values[i].type, output) for i in wide):
        return
    places = [a for a in call.arguments if a.sql is not None]
    for i in wide:
        values[i].sql = places[i].sql = exact_literal(values[i].literal, env, call.path)
        values[i].sql_type = places[i].sql_type = None


def make_exact(call: Call, values: list[Value], env: Env, facts: Facts = NOTHING) -> None:
    """What an overflow does depends on the very type of the arguments, and so they are written.

    So does what somebody's own function does. The names of fields stay what they are. facts: of a scalar function.
    """
    if facts.one_type and are_as_wide(values):
        return
    for value, place in zip(values, call.valued, strict=True):
        if value.coerced:
            continue
        if value.literal is not None:
            place.sql = exact_literal(value.literal, env, call.path)
        elif place.sql_type is not None and _is_exact(place.sql_type, value.type):
            continue
        elif place.sql is not None:
            place.sql = exact(place.sql, place.sql_type, value.type, env.context, call.path)
        place.sql_type = value.type


def _is_exact(held: Any, declared: Any) -> bool:
    """Whether a cast would change nothing but the names of fields, and which parts may be NULL."""
    if types.same(naming.bare(held), declared):
        return True
    return types.holds(held, "struct") and naming.same_values(held, declared)


def by_place(value: Value, env: Env, path: Path) -> Value:
    """The result of an aggregate in its declared type.

    Fields are as a plan knows them, by place, unless it is known what they are called: Spark names them as it likes.
    """
    known = value.sql_type is not None
    value = settle(value, env.context, path)
    if not known and value.type is not None and types.holds(value.type, "struct"):
        value.sql = cast(value.sql, env.context.type_node(value.type, path))
    return value


def named(built: Built, function: FunctionName, values: list[Value]) -> Value:
    """The result of a call, with a name that says what was called on which column."""
    for value in values:
        if value.subject:
            name = f"{function.name}_{value.subject}"
            return Value(built.sql, built.type, built.sql_type, name, None, value.subject)
    return Value(built.sql, built.type, built.sql_type, function.name, None, "")
