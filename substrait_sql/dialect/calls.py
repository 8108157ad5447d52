"""Which calls in the SQL of an aggregate are the aggregates: an OVER, a FILTER or a DISTINCT belongs to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from substrait_sql.dialect import builtins

if TYPE_CHECKING:
    from collections.abc import Iterable

    from substrait_sql.dialect.model import Node


def aggregates(sql: Node) -> Iterable[Node]:
    """The aggregate calls in a mapping's SQL: the outermost ones that are no scalar functions of Spark."""
    if isinstance(sql, (exp.IgnoreNulls, exp.RespectNulls)) or (
        isinstance(sql, exp.Anonymous) and builtins.kind(str(sql.this)) != "scalar"
    ):
        yield sql
    else:
        for child in sql.iter_expressions():
            yield from aggregates(child)
