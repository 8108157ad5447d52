"""Values that SQL writes twice, and that are too long for that."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from substrait_sql.lower.expressions.functions.bound import Bound, may_bind
from substrait_sql.lower.retry import written_once
from substrait_sql.tree import origin
from substrait_sql.tree.copies import TooLong

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sqlglot import exp

    from substrait_sql.lower.context import Env
    from substrait_sql.lower.value import Value
    from substrait_sql.wire.path import Path


def each_once(
    values: Sequence[Value],
    places: Sequence[tuple[Any, Path]],
    env: Env,
    path: Path,
    build: Callable[[], exp.Expression],
) -> exp.Expression:
    """What `build` makes of the values, none of which it may copy that is long: those become columns, or parameters.

    places: the message of each value, and where it stands. build: may be called several times.
    """
    bound: list[Bound] = []
    while True:
        given = [v.sql for v in values]
        try:
            with origin.arguments(given):
                sql = build()
            break
        except TooLong as found:
            at = next(i for i, node in enumerate(given) if node is found.node)
            if not may_bind(env):
                message, inside = places[at]
                written_once(message, env, path, inside)
            bound.append(Bound(values[at], env, len(bound)))
    for each in reversed(bound):
        sql = each.around(sql)
    return sql
