"""What names mean in QUALIFY, and in HAVING beside windows, as of Spark 4.3; found by drawing, documented nowhere.

Where the select list has a window function the condition is about the rows that come of it: a name is one of the list,
or a column that those functions read as it is; what neither has is a column of FROM. Where it has none, and the
condition itself has, the columns of FROM come first.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from substrait_sql.lift.query.source import repeated, values_by_name
from substrait_sql.lift.tree import AggregateCall, Column, WindowCall, holds

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from substrait_sql.lift.query.source import Item
    from substrait_sql.lift.scope import Scope
    from substrait_sql.lift.tree import Expr


def qualify_scope(items: Sequence[Item], scope: Scope) -> Scope:
    """What the condition sees. scope: the columns of FROM, and the names of the list behind them."""
    windowed = [each.value for each in items if holds(each.value, WindowCall)]
    found = values_by_name(items)
    if not windowed:
        return replace(scope, first=repeated(items, scope.columns))
    for value in windowed:
        for each in _read_as_it_is(value):
            found.setdefault(each.attribute.name.casefold(), {}).setdefault(
                id(each.attribute), each
            )
    return replace(scope, first={name: tuple(values.values()) for name, values in found.items()})


def _read_as_it_is(value: Expr) -> Iterator[Column]:
    """The columns that stand beside a window function, and those that are an argument or a key of one by themselves."""
    if isinstance(value, Column):
        yield value
    elif isinstance(value, WindowCall):
        keys = [key.value for key in value.order]
        direct = (*value.function.children, *value.partition, *keys)
        yield from (each for each in direct if isinstance(each, Column))
    elif not isinstance(value, AggregateCall):
        for each in value.children:
            yield from _read_as_it_is(each)
