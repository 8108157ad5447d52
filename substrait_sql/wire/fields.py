"""What a field of a message is, for every release of protobuf that we work with (5.29 to 6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from google.protobuf.descriptor import FieldDescriptor as _Field

if TYPE_CHECKING:
    from google.protobuf.descriptor import FieldDescriptor

if hasattr(_Field, "is_repeated"):

    def is_repeated(field: FieldDescriptor) -> bool:
        """Whether a field holds any number of values."""
        return bool(field.is_repeated)
else:

    def is_repeated(field: FieldDescriptor) -> bool:
        """Whether a field holds any number of values. Protobuf 6 warns about its label."""
        label: int = getattr(field, "label")  # noqa: B009
        return label == _Field.LABEL_REPEATED
