"""Recursive queries, for which Substrait has no relation.

They are an `ExtensionMultiRel` of two inputs, the rows to start with and the step that makes more of the rows of the
round before, until it makes none; its rows are those of all rounds. The detail is a ``google.protobuf.Struct``::

    {"recursion": "union all", "name": "reports"}

The step reads the rows of the round before as an extension table, whose base schema is that of the recursion, of the
one that it stands in, or of one so many further out::

    {"last_round": 0}
"""

from __future__ import annotations

from typing import Any

from google.protobuf.message import DecodeError
from google.protobuf.struct_pb2 import Struct

_KIND = "union all"


def name_of(detail: Any) -> str | None:
    """What a recursion is called, None where the detail of a relation says something else."""
    found = _read(detail)
    if set(found) != {"recursion", "name"} or found["recursion"] != _KIND:
        return None
    return found["name"] if isinstance(found["name"], str) else None


def steps_of(detail: Any) -> int | None:
    """How many recursions further out the rows are, None where the detail of a table says something else."""
    found = _read(detail)
    steps: Any = found.get("last_round")
    if set(found) != {"last_round"} or isinstance(steps, bool) or steps not in range(1_000):
        return None
    return int(steps)


def write_recursion(detail: Any, name: str) -> None:
    """Fills in the detail of a recursion."""
    _write(detail, {"recursion": _KIND, "name": name})


def write_round(detail: Any, steps: int) -> None:
    """Fills in the detail of the table that is the round before."""
    _write(detail, {"last_round": steps})


def _write(detail: Any, said: dict[str, Any]) -> None:
    held = Struct()
    held.update(said)
    # In one order whenever it is written: the same statement makes the same bytes.
    detail.Pack(held, deterministic=True)


def _read(detail: Any) -> dict[str, Any]:
    if not detail.Is(Struct.DESCRIPTOR):
        return {}
    held = Struct()
    try:
        detail.Unpack(held)
    except DecodeError:
        return {}
    return dict(held.items())
