"""Expressions that are a field of the record, as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.select.field import Field


def record_field(message: Any, record: Sequence[Field]) -> Field | None:
    """The field of the record that an expression is, None for any other expression."""
    if message.WhichOneof("rex_type") != "selection":
        return None
    selection = message.selection
    if selection.WhichOneof("root_type") not in (None, "root_reference"):
        return None
    segment = selection.direct_reference
    if (
        selection.WhichOneof("reference_type") != "direct_reference"
        or segment.WhichOneof("reference_type") != "struct_field"
        or segment.struct_field.HasField("child")
    ):
        return None
    ordinal: int = segment.struct_field.field
    return record[ordinal] if 0 <= ordinal < len(record) else None
