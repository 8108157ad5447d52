"""Plans that name the columns of their tables and leave the types to the catalog."""

from __future__ import annotations

from typing import Any


def without_types(message: Any) -> None:
    """Leaves the types of all tables' columns out, in place, as DataFusion did for years."""
    for field, value in message.ListFields():
        if field.name == "base_schema":
            value.ClearField("struct")
        elif field.type == field.TYPE_MESSAGE:
            for part in value if field.is_repeated else [value]:
                without_types(part)
