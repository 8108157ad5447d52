"""Queries of one row at most, which no LIMIT makes shorter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from substrait_sql.select.block import query_of

if TYPE_CHECKING:
    from substrait_sql.select.block import Block

# How many derived tables are looked into, one in the other.
_DEEPEST = 16


def has_one_row(block: Block, depth: int = 0) -> bool:
    """Whether it has one row at most: a group of all rows, a LIMIT 1, and joins of such.

    SELECT max(x) FROM t
    """
    limit = block.limit
    if isinstance(limit, exp.Literal) and limit.name in ("0", "1"):
        return True
    if block.group is not None:
        return not block.group and not block.grouping_sets
    if block.body is not None or depth > _DEEPEST:
        return False
    seen = [] if block.item is None else [block.item]
    for join in block.joins:
        if join.kind == "FULL":
            return False
        if join.kind not in ("LEFT SEMI", "LEFT ANTI"):
            seen.append(join.item)
    queries = map(query_of, seen)
    return all(query is not None and has_one_row(query, depth + 1) for query in queries)
