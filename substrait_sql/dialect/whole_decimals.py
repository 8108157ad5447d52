"""Decimals without decimal places, as they are written: `0`, which Spark reads as an INT.

Beside a decimal it is one, by its digits. By itself it is not: its sum is a BIGINT then, its average a DOUBLE.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.schema.types import kind

if TYPE_CHECKING:
    from substrait_sql.dialect.model import Call


def is_bare(node: exp.Expression | None, type: Any) -> bool:
    """Whether a decimal is written as a number that nothing in the text says to be one."""
    number = isinstance(node, exp.Literal) and not node.is_string
    return number and kind(type) == "decimal" and "." not in node.name  # type: ignore[union-attr]


def suffixed(node: exp.Expression) -> exp.Expression:
    """The number as a decimal: ``0BD``."""
    return exp.Var(this=f"{node.name}BD")


def keep(call: Call) -> None:
    """Arguments as decimals, where no other one makes them so, and the result may be of another type for it.

    One of no known type may be a decimal.
    """
    if kind(call.output_type) == "bool":
        return
    valued = [a for a in call.arguments if a.sql is not None]
    given = list(zip(valued, call.types, strict=True))
    bare = [a for a, t in given if is_bare(a.sql, t)]
    if any(kind(t) in ("decimal", None) for a, t in given if a not in bare):
        return
    for argument in bare:
        assert argument.sql is not None
        argument.sql = suffixed(argument.sql)
