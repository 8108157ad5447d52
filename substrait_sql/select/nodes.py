"""Sort keys and conditions as sqlglot nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from substrait_sql.dialect.operators import operand

if TYPE_CHECKING:
    from substrait_sql.select.block import SortKey
    from substrait_sql.select.field import Field, Parts


def ordered(node: exp.Expression, key: SortKey) -> exp.Expression:
    """One item of an ORDER BY; ASC goes without saying, and so do NULLs where Spark puts them by itself."""
    return exp.Ordered(this=node, desc=key.descending or None, nulls_first=key.nulls_first)


def conjunction(conditions: list[Field], parts: Parts) -> exp.Expression | None:
    """The conditions joined by AND, None if there are none."""
    result: exp.Expression | None = None
    for condition in conditions:
        node = condition.emit(parts)
        if result is None:
            result = node
        else:
            result = exp.And(
                this=operand(result, exp.And, "left"), expression=operand(node, exp.And, "right")
            )
    return result
