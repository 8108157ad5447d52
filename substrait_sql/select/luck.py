"""Whether a query gives other rows each time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from substrait_sql.select.block import PRINTED, Shared, query_of
from substrait_sql.select.field import Traits, hold

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

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
    return any(map(_draws, _every([block])))


def _draws(block: Block) -> bool:
    own = (*block.fields, *block.where, *block.having, *block.sorted_by)
    return hold(own, Traits.IMPURE) or not block.says_only(PRINTED)


def varies(item: Item) -> bool:
    """Whether Spark may see in an item of FROM what is not deterministic: something drawn, or a condition of `_pin`."""
    query = query_of(item)
    if query is None:
        return False
    shared = [i for i in _items(item) if isinstance(i, Shared)]
    # Where there are none, no query is read by them either.
    read = _every(i.block for i in shared)
    return is_drawn(query) or any(_of_luck(each, shared[0].builtins) for each in read)


def _items(top: Item) -> Iterator[Item]:
    """An item and those that the queries below it read, each query once."""
    ahead, seen = [top], set[int]()
    while ahead:
        item = ahead.pop()
        query = query_of(item)
        if query is None or id(query) in seen:
            continue
        seen.add(id(query))
        yield item
        branches = query.body.branches if query.body is not None else [query]
        ahead += [i for branch in branches for i in branch.items]


def _of_luck(block: Block, builtins: Builtins) -> bool:
    """Whether other rows of a shared query may come out another time, as `_is_luck` says of its text."""
    own = (*block.fields, *block.hidden, *block.where, *block.having)
    calls = [n for f in own if f.sql is not None for n in f.sql.find_all(exp.Anonymous)]
    return block.limited or any(may_vary(str(n.this), builtins) for n in calls)


def _every(blocks: Iterable[Block]) -> Iterator[Block]:
    """The queries and all that they read, each once: of two that read one twice, a chain would be walked 2^n times."""
    ahead, seen = list(blocks), set[int]()
    while ahead:
        block = ahead.pop()
        if id(block) not in seen:
            seen.add(id(block))
            yield block
            ahead += beneath(block)


def beneath(block: Block) -> list[Block]:
    """The queries that a query reads, and the branches of a set operation."""
    return [*block.read, *(block.body.branches if block.body is not None else [])]


def may_vary(name: str, builtins: Builtins) -> bool:
    """Whether a function may give something else over the same rows; who knows what a registered one does."""
    return name in _BY_LUCK or builtins.kind(name) is None
