"""``count(DISTINCT x)`` for the count over distinct rows, as optimizers write it.

SELECT k, count(x) AS n FROM (SELECT DISTINCT k, x FROM t) AS t_distinct GROUP BY k
SELECT k, count(DISTINCT x) AS n FROM t GROUP BY k
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from substrait_sql.dialect.operators import call
from substrait_sql.select.block import derived
from substrait_sql.select.field import Field, Parts, Traits
from substrait_sql.tree.chains import column

if TYPE_CHECKING:
    from substrait_sql.select.block import Block

_PLAIN = frozenset({"distinct", "joins", "where"})


def of_distinct_rows(block: Block) -> Block:
    """The aggregation, or another one of the same rows over what its distinct rows are made of."""
    rows = derived(block.item)
    if rows is None or not rows.distinct or rows.hidden:
        return block
    if not rows.says <= _PLAIN or block.says != {"group"}:
        return block
    keys = block.group or []
    counted = [_counted(f, block) for f in block.fields[len(keys) :]]
    shown = [f.ordinal for f in keys if f.item is block.item]
    asked = {*shown, *counted}
    if len(shown) < len(keys) or len(set(counted)) != 1 or asked != set(range(len(rows.fields))):
        return block
    if None in counted or any(f.traits or f.heavy for f in rows.fields):
        return block
    made = []
    for f in block.fields[len(keys) :]:
        parts = Parts()
        parts.traits |= Traits.AGGREGATE
        value = rows.fields[counted[0] or 0].copy(parts)
        sql = call("count", exp.Distinct(expressions=[value]))
        made.append(Field(f.type, f.name, sql=sql, sql_type=f.sql_type, parts=parts))
    keys = [rows.fields[i] for i in shown]
    rows.group_by(keys)
    rows.distinct = rows.groups_all = False
    rows.fields = [*keys, *made]
    rows.order = []
    rows.anchors = block.anchors
    return rows


def _counted(field: Field, block: Block) -> int | None:
    """Which column of its only table a measure counts, None if it does anything else."""
    node = field.sql
    if type(node) is not exp.Anonymous or node.this != "count" or len(node.expressions) != 1:
        return None
    found = column(node.expressions[0])
    return found[1] if found is not None and found[0] is block.item else None
