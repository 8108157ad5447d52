"""Whether a query gives other rows each time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from substrait_sql.select.block import PRINTED, Shared, query_of
from substrait_sql.select.field import Traits, hold

if TYPE_CHECKING:
    from substrait_sql.dialect.builtins import Builtins
    from substrait_sql.select.block import Block
    from substrait_sql.select.item import Item


# What these give hangs on the order of rows that are equal by all keys.
_BY_LUCK = frozenset(
    {
        "row_number", "ntile", "lag", "lead", "first_value", "last_value", "nth_value", "any_value", "min_by",
        "collect_list", "listagg", "string_agg",
    }
)  # fmt: skip


def is_drawn(block: Block) -> bool:
    """Whether something in the query gives another value each time: ``rand()``, ``uuid()``."""
    own = (*block.fields, *block.where, *block.having, *block.sorted_by)
    if hold(own, Traits.IMPURE) or not block.says_only(PRINTED):
        return True
    return any(map(is_drawn, beneath(block)))


def varies(item: Item) -> bool:
    """Whether Spark may see in an item of FROM what is not deterministic: something drawn, or a condition of `_pin`."""
    query = query_of(item)
    if query is None:
        return False
    if is_drawn(query) or (isinstance(item, Shared) and _of_luck(query, item.builtins)):
        return True
    branches = query.body.branches if query.body is not None else [query]
    return any(varies(i) for branch in branches for i in branch.items)


def _of_luck(block: Block, builtins: Builtins) -> bool:
    """Whether other rows of a shared query may come out another time, as `_is_luck` says of its text."""
    own = (*block.fields, *block.hidden, *block.where, *block.having)
    calls = [n for f in own if f.sql is not None for n in f.sql.find_all(exp.Anonymous)]
    return (
        block.limited
        or any(may_vary(str(n.this), builtins) for n in calls)
        or any(_of_luck(each, builtins) for each in beneath(block))
    )


def beneath(block: Block) -> list[Block]:
    """The queries that a query reads, and the branches of a set operation."""
    return [*block.read, *(block.body.branches if block.body is not None else [])]


def may_vary(name: str, builtins: Builtins) -> bool:
    """Whether a function may give something else over the same rows; who knows what a registered one does."""
    return name in _BY_LUCK or builtins.kind(name) is None
