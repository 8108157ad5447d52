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
from substrait_sql.select.field import Field

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.select.block import Block


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
    written = [held(value) for value, f in zip(bare, fields, strict=True) if not _is_null(f)]
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


def with_bare_nulls(blocks: list[Block]) -> list[Block]:
    """The inputs of a UNION, where NULL needs no type: Spark gives it that of the inputs that are not NULL."""
    for block in blocks:
        if not block.says_only(BESIDE_SELECT):
            continue
        for i, f in enumerate(block.fields):
            if _is_null(f) and not all(_is_null(b.fields[i]) for b in blocks):
                block.fields[i] = Field(f.type, f.name, sql=exp.Null(), parts=f.parts)
    return blocks


def _is_null(field: Field) -> bool:
    """Whether it is NULL, of some type."""
    made = field.sql
    return isinstance(made, exp.Null) or (
        isinstance(made, exp.Cast) and isinstance(made.this, exp.Null)
    )


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
