"""Values that are known when the plan runs: dynamic parameters and the variables of the execution.

https://substrait.io/expressions/dynamic_parameters/ and https://substrait.io/expressions/execution_context_variables/.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.dialect.operators import call
from substrait_sql.dialect.strings import string_literal
from substrait_sql.errors import invalid, refuse
from substrait_sql.lower.expression import lowers
from substrait_sql.lower.expressions.literal import literal
from substrait_sql.lower.value import Value
from substrait_sql.rendered import ZONE
from substrait_sql.schema import types
from substrait_sql.wire.path import ROOT

if TYPE_CHECKING:
    from substrait_sql.lower.context import Env
    from substrait_sql.wire.path import Path

_UNITS = {0: "SECOND", 3: "MILLISECOND", 6: ""}


@lowers("dynamic_parameter")
def dynamic_parameter(message: Any, env: Env, path: Path) -> Value:
    """``CAST(:p3 AS BIGINT)`` for anchor 3, or the value that the plan itself binds to it.

    DataFusion leaves out the type of some: those are of their value's type.
    """
    anchor, type = message.parameter_reference, message.type
    given = env.context.given
    if anchor in given.bound_twice:
        raise invalid("SS2185", f"parameter {anchor} is bound to two values", path)
    bound = given.bindings.get(anchor)
    if bound is not None:
        place = (ROOT / "parameter_bindings")[list(given.bindings).index(anchor)]
        value = literal(bound, env, place / "value")
        if types.kind(type) is not None and not types.same(value.type, type):
            raise invalid(
                "SS2185",
                f"parameter {anchor} is a {types.text(type)}, and bound to a {types.text(value.type)}",
                path,
            )
        return value
    name, text = f"p{anchor}", types.text(type)
    if given.parameters.setdefault(name, text) != text:
        raise invalid(
            "SS2185",
            f"parameter {anchor} is a {text} here, and a {given.parameters[name]} elsewhere",
            path,
        )
    marker = exp.Placeholder(this=name)
    if types.kind(type) is None:
        return Value(marker, None, None, name)
    return Value(exp.Cast(this=marker, to=env.context.type_node(type, path)), type, None, name)


@lowers("execution_context_variable")
def variable(message: Any, env: Env, path: Path) -> Value:
    """``current_timestamp()``, ``current_date()``, the time zone: one value for the whole query."""
    kind = message.WhichOneof("execution_context_variable_type")
    if kind is None:
        raise invalid("SS2186", "the variable is empty: none of its kinds is set", path)
    if env.context.given.per_record:
        raise refuse(
            "SS2187",
            "Spark has one value for a whole query, and the plan asks for one of each record",
            path,
            "plan.execution_behavior.variable_eval_mode decides that",
        )
    if kind == "current_timezone":
        # `current_timezone()` is that of the session when rows are made, which may be another one by then.
        return Value(string_literal(ZONE), types.string(), None, kind)
    _read_clock(env, path)
    now: exp.Expression = call(kind)
    if kind == "current_date":
        return Value(now, types.date(), None, kind)
    precision = message.current_timestamp.precision
    if precision not in _UNITS:
        raise refuse(
            "SS2187",
            f"no form for the current time to {precision} decimal places of a second",
            path,
            "0, 3 and 6 have one",
        )
    if _UNITS[precision]:
        now = call("date_trunc", exp.Literal.string(_UNITS[precision]), now)
    return Value(now, types.precision_timestamp_tz(precision), None, kind)


def _read_clock(env: Env, path: Path) -> None:
    """The time is the same all over the plan; two queries of Spark would each have their own."""
    given = env.context.given
    if given.clock is None:
        given.clock = given.root
    if given.clock != given.root:
        raise refuse(
            "SS2189",
            "two results of the plan ask for the current time, and each query would have its own",
            path,
            "pass the time as a parameter, or make plans of one root",
        )
