"""``SELECT DISTINCT a, b`` for ``SELECT a, b … GROUP BY a, b``, which has no measures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from substrait_sql.schema import types
from substrait_sql.tree.compare import same_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.select.block import Block
    from substrait_sql.select.field import Field


def are_groups(block: Block, needed: Sequence[int]) -> bool:
    """Whether a query that groups returns its keys, all of them and nothing else. Spark has no DISTINCT of maps."""
    keys = block.group or []
    if not keys or block.grouping_sets or block.having or len(keys) != len(needed):
        return False
    visible = block.fields + block.hidden
    fields = [visible[i] for i in needed]
    shown = [*fields, *block.sorted_by]
    return all(any(_same(f, key) for key in keys) for f in shown) and not any(
        types.holds(key.type, "map") or not any(_same(key, f) for f in fields) for key in keys
    )


def _same(a: Field, b: Field) -> bool:
    if a.sql is None or b.sql is None:
        return a.sql is b.sql and a.item is b.item and a.ordinal == b.ordinal
    return a.sql is b.sql or same_text(a.sql, b.sql)
