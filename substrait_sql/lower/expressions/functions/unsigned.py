"""Unsigned integers in calls: where one is a number like any other, and where its range matters.

Spark holds them in types that are one step wider, so that what leaves the range is seen. Functions that know of it have
lines over `u!u8` and so on. To any other an unsigned argument is a number of the type that holds it; a result that is
declared unsigned is refused then, unless the function cannot leave the range.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from substrait_sql.dialect.operators import cast
from substrait_sql.errors import refuse
from substrait_sql.schema import types
from substrait_sql.schema.unsigned import held, is_unsigned

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.dialect.facts import Facts
    from substrait_sql.dialect.model import Call
    from substrait_sql.lower.context import Context
    from substrait_sql.lower.value import Value
    from substrait_sql.wire.path import Path

_NAMED = "user_defined"


def settle_unsigned(
    call: Call,
    values: Sequence[Value],
    facts: Facts,
    path: Path,
    *,
    scalar: bool = False,
    coerced: Context | None = None,
) -> None:
    """Makes unsigned arguments plain numbers where the call is not about their range. Raises SS2149.

    coerced: the context of a producer that computes with numbers of one type, that of the result.
    """
    arguments = call.valued
    # As nearly all calls are: of types that have names of their own.
    if call.output_kind != _NAMED and _NAMED not in [a.kind for a in arguments]:
        return
    leaves = facts.takes_unsigned and not facts.within_arguments
    if coerced is not None and leaves and is_unsigned(call.output_type):
        _coerce(call, values, coerced, path)
    kept = [is_unsigned(a.type) for a in arguments]
    if not any(kept) and not is_unsigned(call.output_type):
        return
    alike = all(kept) and all(types.same(a.type, arguments[0].type) for a in arguments)
    if alike and facts.takes_unsigned:
        return
    arithmetic = scalar and facts.takes_unsigned
    within = facts.within_arguments
    if is_unsigned(call.output_type) and not within and (arithmetic or any(kept)):
        raise refuse(
            "SS2149",
            f"{call.function.name} of these arguments may leave the range of its unsigned result",
            path,
            "cast the arguments to one unsigned type",
        )
    for value, argument in zip(values, arguments, strict=True):
        if is_unsigned(argument.type):
            value.type = held(argument.type)
            argument.retype(value.type)


def _coerce(call: Call, values: Sequence[Value], cx: Context, path: Path) -> None:
    """Numbers whose type the plan leaves out, as of DataFusion's row_number(), are of that of the result."""
    target = held(types.with_nullability(call.output_type, False))
    for value, argument in zip(values, call.valued, strict=True):
        if argument.kind in ("i32", "i64"):
            value.sql = argument.sql = cast(value.sql, cx.type_node(target, path))
            value.type = call.output_type
            argument.retype(call.output_type)
