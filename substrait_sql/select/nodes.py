"""Conditions as sqlglot nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from substrait_sql.dialect.operators import operand

if TYPE_CHECKING:
    from substrait_sql.select.field import Field, Parts


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
