"""Columns of a UNION whose type Spark makes by itself: the widest of whole numbers and decimals.

    SELECT price FROM sales UNION ALL SELECT 0.00 FROM stores

has the decimal of ``price``, as if ``CAST(0 AS DECIMAL(7, 2))`` stood there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from substrait_sql.dialect.operators import is_bare_decimal
from substrait_sql.dialect.results import as_decimal, meet, widest
from substrait_sql.lower.common_type import held, with_places
from substrait_sql.lower.value import Value
from substrait_sql.schema import types
from substrait_sql.select.block import BESIDE_SELECT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.select.block import Block
    from substrait_sql.select.field import Field


def without_casts(blocks: Sequence[Block], column: int) -> bool:
    """Makes a column of the inputs what it is without casts, if the UNION is of its declared type then. Says whether.

    What the UNION yields in this column is what the first input declares.
    """
    fields = [block.fields[column] for block in blocks]
    wanted = fields[0].type
    if all(f.narrow is None and f.sql_type is None for f in fields) or as_decimal(wanted) is None:
        return False
    bare = [_bare(block, field) for block, field in zip(blocks, fields, strict=True)]
    # A decimal constant without places says that it is one there: `0BD`, of its own digits.
    written = [held(value) for value, f in zip(bare, fields, strict=True) if not is_null(f)]
    if any(as_decimal(t) is None for t in written) or not meet(written):
        return False
    if not types.same(widest(written), wanted):
        return False
    for block, field, value in zip(blocks, fields, bare, strict=True):
        block.fields[column] = made = field.with_type(field.type)
        made.sql_type = None
        if value.sql is not field.sql and not field.plain:
            made.sql, made.narrow, made.literal = value.sql, None, field.literal
    return True


def is_null(field: Field) -> bool:
    """Whether it is NULL of some type."""
    return isinstance(field.sql, exp.Cast) and isinstance(field.sql.this, exp.Null)


def _bare(block: Block, field: Field) -> Value:
    """The column without a cast that only widens, and a constant with its places; as it is where that cannot change."""
    if field.sql is None:
        return Value(exp.Null(), field.type, field.sql_type)
    value = Value.of_field(field, field.sql)
    if not block.says_only(BESIDE_SELECT):
        return value
    if is_bare_decimal(field.sql, field.type):
        return with_places(value)
    return value.narrow or value
