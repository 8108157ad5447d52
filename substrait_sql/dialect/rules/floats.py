"""Comparisons of floats.

Spark hands a comparison of a column with a constant down to Parquet and ORC files and to cached tables, which pass over
whole groups of rows by the smallest and largest value noted for them. Those notes leave NaN out, and take -0.0 and 0.0
for two values: `x <> 1.0`, `x > 1.0` and `x = 0.0` would lose rows that Spark itself finds in the same data. A column
that is added to is compared by Spark alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.dialect import operators
from substrait_sql.dialect.rules import Result, number
from substrait_sql.schema import types as ty

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.dialect.line import Line
    from substrait_sql.dialect.model import Call, Node


def compared(call: Call, line: Line) -> Result:
    """A comparison as its line says it; of floats, by Spark alone."""
    return line.plain(by_spark(call.values, call.types)), line.returns(call)


def by_spark(values: Sequence[Node], types: Sequence[Any]) -> list[Node]:
    """The values of a comparison, a column of floats that meets a constant as ``x + 0``."""
    if not any(ty.kind(t) in ("fp32", "fp64") for t in types):
        return list(values)
    columns = [_is_column(v) for v in values]
    if not any(columns) or not any(map(_is_constant, values)):
        return list(values)
    return [
        operators.infix(exp.Add, v, number(0)) if column else v
        for v, column in zip(values, columns, strict=True)
    ]


def _is_column(node: Node) -> bool:
    """A column or a field of one; casts between floats Spark takes off again."""
    while isinstance(node, exp.Cast | exp.Dot | exp.Tuple):
        node = node.expressions[0] if isinstance(node, exp.Tuple) else node.this
    return isinstance(node, exp.Column)


def _is_constant(node: Node) -> bool:
    """What has no column of this query; a subquery is a constant by the time the files are read."""
    found = node.walk(prune=lambda n: isinstance(n, exp.Query | exp.Subquery))
    return not any(isinstance(n, exp.Column) for n in found)
