"""Expressions as the record shows them: those that are a field of it, and those that say the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from substrait_sql.select.field import Field


def record_field(message: Any, record: Sequence[Field]) -> Field | None:
    """The field of the record that an expression is, None for any other expression."""
    if message.WhichOneof("rex_type") != "selection":
        return None
    selection = message.selection
    if selection.WhichOneof("root_type") not in (None, "root_reference"):
        return None
    # A masked reference has none.
    segment = selection.direct_reference
    if segment.WhichOneof("reference_type") != "struct_field":
        return None
    field = segment.struct_field
    if field.HasField("child"):
        return None
    ordinal: int = field.field
    return record[ordinal] if 0 <= ordinal < len(record) else None


def content(message: Any, record: Sequence[Field]) -> Hashable:
    """The same for two expressions that say the same of the same columns, whatever the ordinals of these are.

    None where that is not seen at once: of what is no call of columns, constants and such calls.
    """
    match message.WhichOneof("rex_type"):
        case "selection":
            field = record_field(message, record)
            return field if field is not None and field.plain else None
        case "literal":
            data: bytes = message.literal.SerializeToString()
            return data
        case "scalar_function":
            call = message.scalar_function
            parts = [content(a.value, record) for a in call.arguments]
            # What is compared with itself is warned of at each place.
            if None in parts or len(set(parts)) < len(parts) or call.options:
                return None
            return (call.function_reference, call.output_type.SerializeToString(), *parts)
    return None
