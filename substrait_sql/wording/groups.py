"""``SELECT DISTINCT a, b`` for ``SELECT a, b … GROUP BY a, b``, which has no measures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from substrait_sql.schema import types
from substrait_sql.tree.compare import Texts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.select.block import Block
    from substrait_sql.select.field import Field


def are_groups(block: Block, needed: Sequence[int]) -> bool:
    """Whether a query that groups returns its keys, all of them and nothing else. Spark has no DISTINCT of maps."""
    keys = block.group or []
    if not keys or block.grouping_sets or block.having or any(_is_map(key) for key in keys):
        return False
    visible = block.fields + block.hidden
    fields = [visible[i] for i in needed]
    groups = _Columns(keys)
    if not all(f in groups for f in (*fields, *block.sorted_by)):
        return False
    shown = _Columns(fields)
    return all(k in shown for k in keys)


def _is_map(key: Field) -> bool:
    return types.holds(key.type, "map")


class _Columns:
    """Columns, to ask whether one is among them that says the same."""

    def __init__(self, fields: Sequence[Field]) -> None:
        self._plain = {(id(f.item), f.ordinal) for f in fields if f.sql is None}
        self._computed = Texts(f.sql for f in fields if f.sql is not None)

    def __contains__(self, field: Field) -> bool:
        if field.sql is None:
            return (id(field.item), field.ordinal) in self._plain
        return field.sql in self._computed
