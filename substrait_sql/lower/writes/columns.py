"""What is written has the types of the table that the plan describes: Spark would put in casts of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from substrait_sql.errors import invalid
from substrait_sql.lower.common_type import with_exact
from substrait_sql.lower.declared_types import becomes
from substrait_sql.lower.relations.reads.tables import schema_columns
from substrait_sql.schema import types

if TYPE_CHECKING:
    from substrait_sql.lower.context import Context
    from substrait_sql.select.block import Block
    from substrait_sql.wire.path import Path


def aligned(block: Block, schema: Any, cx: Context, path: Path) -> Block:
    """The rows with the types of a ``table_schema``.

    Raises SS2097 for another number of columns, SS2176 where a cast could change a value.
    """
    columns = schema_columns(schema, path)
    if len(columns) != len(block.fields):
        raise invalid(
            "SS2097",
            f"{len(block.fields)} columns are written into a table of {len(columns)}",
            path,
        )
    for i, column in enumerate(columns):
        if takes(column.type, block.fields[i].type, f"column {i} of the rows", path):
            block = with_exact(block, i, column.type, cx, path)
    return block


def takes(column: Any, type: Any, what: str, path: Path) -> bool:
    """Whether a value needs a cast to become one of a column. Raises SS2176 where that could be another value.

    what: the value, in the words of the message. Texts and bytes are stored as they are, whatever their length.
    """
    if type is None or column is None or types.same(type, column):
        return False
    if not becomes(type, column) or _narrows(type, column):
        raise invalid(
            "SS2176",
            f"{what} is {types.text(type)}, and the table's is {types.text(column)}",
            path,
            "cast it to the type of the column",
        )
    return types.kind(column) not in _STORED


_STORED = frozenset({"string", "varchar", "fixed_char", "uuid", "binary", "fixed_binary"})


def _narrows(type: Any, column: Any) -> bool:
    """Whether the column is a decimal of fewer digits, or a UUID and the value any text."""
    kinds = types.kind(type), types.kind(column)
    if kinds == ("decimal", "decimal"):
        return bool(type.decimal.precision > column.decimal.precision)
    return kinds[0] != kinds[1] == "uuid"
