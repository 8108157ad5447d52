"""A value of any row, where there is one row: as DuckDB writes the subquery of a comparison.

SELECT any_value(max_price) FROM (SELECT max(price) AS max_price FROM t) AS t_agg
SELECT max(price) FROM t
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from substrait_sql.select.block import derived
from substrait_sql.tree.chains import column

if TYPE_CHECKING:
    from substrait_sql.select.block import Block
    from substrait_sql.select.field import Field

_PLAIN = frozenset({"group", "joins", "where"})


def of_one_row(block: Block) -> Block:
    """The aggregation, or the query of one row that it picks values of."""
    rows = derived(block.item)
    if rows is None or rows.group != [] or rows.hidden or not rows.says <= _PLAIN:
        return block
    if block.group or block.says != {"group"}:
        return block
    picked = [_picked(f, block) for f in block.fields]
    if -1 in picked or len(set(picked)) < len(picked):
        return block
    rows.fields = [_declared(rows.fields[i], f) for i, f in zip(picked, block.fields, strict=True)]
    rows.anchors = block.anchors
    return rows


def _declared(field: Field, measure: Field) -> Field:
    """The value itself, of the type that its measure declares; a wider number is still narrower as it is written."""
    value = field.with_type(measure.type)
    value.sql_type = measure.sql_type
    return value


def _picked(field: Field, block: Block) -> int:
    """Which column of its only table a measure is any value of, -1 if it does anything else."""
    node = field.sql
    if type(node) is not exp.Anonymous or node.this != "any_value" or len(node.expressions) != 1:
        return -1
    found = column(node.expressions[0])
    return found[1] if found is not None and found[0] is block.item else -1
