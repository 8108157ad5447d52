"""Details of relations of ours: a ``google.protobuf.Struct``, whose words everybody can read without our messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from google.protobuf.message import DecodeError
from google.protobuf.struct_pb2 import Struct

from substrait_sql.wire.deep import from_bytes

if TYPE_CHECKING:
    from collections.abc import Mapping


def write(detail: Any, said: Mapping[str, Any]) -> None:
    """Fills in the detail of a relation."""
    held = Struct()
    held.update(said)
    # In one order whenever it is written: the same statement makes the same bytes.
    detail.Pack(held, deterministic=True)


def read(detail: Any) -> dict[str, Any]:
    """What a detail says, as texts, numbers, truth values and lists of them; nothing where it is of another kind."""
    if not detail.Is(Struct.DESCRIPTOR):
        return {}
    try:
        held = from_bytes(Struct, detail.value)
    except DecodeError:
        return {}
    return {key: _plain(value) for key, value in held.fields.items()}


def _plain(value: Any) -> Any:
    """None stands for NULL, for structs, and for a value that is none."""
    kind = value.WhichOneof("kind")
    if kind == "list_value":
        return [_plain(each) for each in value.list_value.values]
    return getattr(value, kind) if kind in ("string_value", "number_value", "bool_value") else None
