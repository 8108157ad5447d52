"""https://substrait.io/expressions/window_functions/: ``f(x) OVER (PARTITION BY … ORDER BY … ROWS …)``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.dialect import operators
from substrait_sql.dialect.facts import UNKNOWN
from substrait_sql.dialect.model import Built, Call
from substrait_sql.errors import refuse
from substrait_sql.lower.common_type import require_alike
from substrait_sql.lower.constants import NotConstant, constant
from substrait_sql.lower.declared_types import exact, settle
from substrait_sql.lower.expression import lowers
from substrait_sql.lower.expressions.functions.declared import warn_of_digits
from substrait_sql.lower.expressions.functions.function import (
    by_place,
    call_arguments,
    count_rows,
    declared_type,
    make_exact,
    named,
    options_of,
    over_queries,
)
from substrait_sql.lower.expressions.functions.unsigned import settle_unsigned
from substrait_sql.lower.expressions.windows.distance import with_room
from substrait_sql.lower.expressions.windows.frame import Frame, frame, refuse_named_loss
from substrait_sql.lower.expressions.windows.moving_frame import MovingFrame, moves
from substrait_sql.lower.expressions.windows.over import Over, Window
from substrait_sql.lower.lost import warn_of_window
from substrait_sql.lower.retry import apart
from substrait_sql.lower.value import Value
from substrait_sql.schema import types
from substrait_sql.select.field import Parts, Traits, absorb
from substrait_sql.select.signals import CloseBlock
from substrait_sql.spark.clauses import Clause
from substrait_sql.spark.selects import filters_late
from substrait_sql.tree.copies import clone

if TYPE_CHECKING:
    from substrait_sql.dialect.facts import Facts
    from substrait_sql.lower.context import Context, Env
    from substrait_sql.schema.functions import FunctionName
    from substrait_sql.wire.path import Path

_DISTINCT = 2
_SHIFTS = {"lag": "try_subtract", "lead": "try_add"}


@lowers("window_function")
def window_function(message: Any, env: Env, path: Path) -> Value:
    """A window function with a window of its own."""
    over = Over(message.partitions, path / "partitions", message.sorts, path / "sorts")
    return call_over(message, over, env, path)


def has_over(message: Any, cx: Context, path: Path) -> bool:
    """Whether its SQL is a window function, and no function of columns that are."""
    name = cx.functions.get(message.function_reference, path)
    moving = not cx.dialect.facts("window", name).frameless and moves(message, cx, path)
    return not moving and not _shifts_by_rows(message, name, cx, path)


def call_over(message: Any, over: Over, env: Env, path: Path) -> Value:
    """The function over that window. Unset bounds mean the whole partition, unlike SQL's default: they are written."""
    name = env.context.functions.get(message.function_reference, path)
    if env.context.habits.named_loss in ("FILTER", "IGNORE NULLS", "DISTINCT"):
        refuse_named_loss(env.context.habits.named_loss, path)
    if filters_late(env.block):
        raise CloseBlock(env.block)
    facts = env.context.dialect.facts("window", name)
    warn_of_window(name.standard, facts, env.context, path)
    if not facts.frameless and moves(message, env.context, path):
        return _over_moving(message, name, facts, over, env, path)
    if _shifts_by_rows(message, name, env.context, path):
        return _shifted(message, name, over, env, path)
    with env.apart() as used:
        window = over.window(env)
        values, arguments = call_arguments(message.arguments, env, path, Clause.OVER)
    if name.standard in _SHIFTS and len(values) > 2:
        require_alike([values[0], values[2]], path)
    if message.invocation != _DISTINCT:
        count_rows(name, values, arguments)
    meant = env.context.habits.over(name, arguments, path)
    call = Call(meant, arguments, options_of(message), declared_type(message, env.context), path)
    call.make_exact = lambda call: make_exact(call, values, env)
    settle_unsigned(call, values, facts, path)
    if values and not facts.frameless:
        _apart_from_grouping_sets(env)
    keys = window.keys
    within = Frame()
    if not facts.frameless:
        within = frame(message, over.sorts, bool(keys), window.key_type, env, path)
        if within.reach and not env.context.habits.frames_overflow:
            keys = [with_room(keys[0], window.key_type, within.reach)]
    if within.whole and facts.orderless:
        keys, within.spec, window.parts = [], None, Parts()
    elif facts.whole_partition and (keys or within.spec is not None):
        raise refuse("SS2177", f"Spark computes {name.name} over whole partitions only", path)
    if facts.needs_order and not keys:
        keys = [exp.Ordered(this=exp.Null(), nulls_first=True)]
    if message.invocation == _DISTINCT and not facts.repeats_are_nothing:
        built = _distinct(call, env)
    else:
        built = env.context.dialect.window(call)
    if used.traits & Traits.SUBQUERY and over_queries(built.sql):
        # Asks for the first argument that holds a query as a column.
        call_arguments(message.arguments, env, path, Clause.CALLED_WITH)
    if within.empty and facts.over_nothing == UNKNOWN:
        raise refuse(
            "SS2177",
            f"what {name.name} is over no rows is not known, and its frame may be empty",
            path,
        )
    if within.empty and not within.peers:
        # Neither the argument nor the window is in the text.
        built = _over_nothing(built, facts, env, path)
    else:
        absorb(env.parts, used)
        absorb(env.parts, window.parts)
        built.wrap(_over(window, keys, within))
        if within.peers:
            built = _over_peers(built, window.keys[0].this, window.key_type, facts)
        # The clones are twins of these columns, which are in the environment already.
        env.parts.traits |= Traits.WINDOW
    warn_of_digits(call, built, facts, env.context)
    return by_place(named(built, name, values), env, path)


def _over_moving(
    message: Any, name: FunctionName, facts: Facts, over: Over, env: Env, path: Path
) -> Value:
    """The function over a frame whose offsets are computed for each row: over an array of its values."""
    _apart_from_grouping_sets(env)
    with env.apart():
        values, arguments = call_arguments(message.arguments, env, path, Clause.PARTITION)
    meant = env.context.habits.over(name, arguments, path)
    call = Call(meant, arguments, options_of(message), declared_type(message, env.context), path)

    def argument() -> Value:
        if not message.arguments:
            return Value(exp.Literal.number(1), types.i32())
        return call_arguments(message.arguments[:1], env, path, Clause.PARTITION)[0][0]

    known = not values or (values[0].type is not None and not types.nullable(values[0].type))
    moving = MovingFrame(message, over, argument, env, path)
    found = moving.values(keeps_nulls=known or not facts.passes_over_nulls)
    if message.invocation == _DISTINCT:
        found = operators.call("array_distinct", found)
    built = env.context.dialect.over_values(call, found)
    warn_of_digits(call, built, facts, env.context)
    return settle(named(built, name, values), env.context, path)


def _shifts_by_rows(message: Any, name: FunctionName, cx: Context, path: Path) -> bool:
    """Whether it is `lag` or `lead`, by an offset that is computed for each row."""
    if name.standard not in _SHIFTS or name.urn is None or len(message.arguments) < 2:
        return False
    offset = message.arguments[1].value
    try:
        constant(offset, cx, path.argument(1))
    except NotConstant:
        return True
    return bool(offset.WhichOneof("rex_type") == "scalar_function")


def _shifted(message: Any, name: FunctionName, over: Over, env: Env, path: Path) -> Value:
    """``lag`` and ``lead`` by such an offset: a value of the array of the partition's rows."""
    _apart_from_grouping_sets(env)

    def lowered(i: int) -> Value:
        value = apart(message.arguments[i].value, env, path.argument(i), Clause.PARTITION)
        sql = exact(value.sql, value.sql_type, value.type, env.context, path.argument(i))
        return Value(sql, value.type, None, value.name)

    def offset() -> tuple[exp.Expression, Any]:
        value = lowered(1)
        return value.sql, value.type

    with env.apart():
        values, _ = call_arguments(message.arguments, env, path, Clause.PARTITION)
    moving = MovingFrame(message, over, lambda: lowered(0), env, path)
    default = lowered(2).sql if len(message.arguments) > 2 else None
    sql = moving.shifted(_SHIFTS[name.standard or ""], offset, default)
    held = types.with_nullability(values[0].type, True)
    built = Built(sql, declared_type(message, env.context) or held, held)
    return settle(named(built, name, values), env.context, path)


def _apart_from_grouping_sets(env: Env) -> None:
    """A key that an aggregate is called on is to Spark (as of 4.3) the ungrouped column, in a window as well."""
    if env.block.grouping_sets:
        raise CloseBlock(env.block)


def _over(window: Window, keys: list[exp.Expression], within: Frame) -> Any:
    def over(node: exp.Expression) -> exp.Expression:
        order = exp.Order(expressions=[clone(k) for k in keys]) if keys else None
        return exp.Window(
            this=node,
            partition_by=[clone(p) for p in window.partitions],
            order=order,
            spec=clone(within.spec) if within.spec is not None else None,
            over="OVER",
        )

    return over


def _over_peers(built: Built, key: exp.Expression, type: Any, facts: Facts) -> Built:
    """The function over the peers of a row without a key, whose frame they are; that of any other row is empty.

    So it is with NaN and the infinities, which are the same whatever is added to them: they are no 0 less themselves.
    """
    value = facts.over_nothing
    nothing = exp.Literal.number(value) if value is not None else None
    alone = operators.is_null(clone(key))
    if types.kind(type) in ("fp32", "fp64"):
        moved = operators.infix(exp.Sub, clone(key), clone(key))
        moved = operators.infix(exp.NEQ, moved, exp.Literal.number(0))
        alone = operators.call("coalesce", moved, exp.true())
    case = exp.If(this=alone, true=built.sql)
    return Built(exp.Case(ifs=[case], default=nothing), built.type, built.sql_type)


def _over_nothing(built: Built, facts: Facts, env: Env, path: Path) -> Built:
    """What an aggregate of no row is. Spark does not take such a frame, and fails over FILTER (WHERE FALSE)."""
    if facts.over_nothing is not None:
        return Built(exp.Literal.number(facts.over_nothing), built.type, types.i32())
    sql: exp.Expression = exp.Null()
    if built.type is not None:
        sql = operators.cast(sql, env.context.type_node(built.type, path))
    return Built(sql, built.type)


def _distinct(call: Call, env: Env) -> Built:
    """``count(DISTINCT x)``, which Spark does not take in a window: by the set of its values."""
    if len(call.values) != 1:
        raise refuse(
            "SS2171",
            f"Spark takes no DISTINCT in a window, and no set of several values for {call.function.name}",
            call.path / "invocation",
        )
    (x,) = call.values
    if types.kind(call.types[0]) in ("fp32", "fp64"):
        # The set would hold -0.0 next to 0.0; their sums with 0 are the same. A FLOAT and an INT make a DOUBLE.
        zero: exp.Expression = exp.Literal.number(0)
        if types.kind(call.types[0]) == "fp32":
            zero = operators.cast(zero, env.context.type_node(call.types[0], call.path))
        x = operators.infix(exp.Add, x, zero)
    built = env.context.dialect.over_values(call, operators.call("collect_set", x))
    sets = built.sql.find_all(exp.Anonymous)
    built.calls = tuple(node for node in sets if node.this == "collect_set")
    return built
