"""The rows of both sides, and which differ."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Executed:
    """What running both has shown.

    ordered: whether they were compared in their order, else as bags.
    columns: of each side.
    counts: how many rows each side returned.
    only_old: rows that the old side has more often, the first ones of them.
    only_new: likewise of the new side.
    missing: how many such rows there are, of each side.
    first: the first place at which rows in order differ, counted from 1.
    """

    ordered: bool
    columns: tuple[tuple[str, ...], tuple[str, ...]]
    counts: tuple[int, int]
    only_old: tuple[Row, ...] = ()
    only_new: tuple[Row, ...] = ()
    missing: tuple[int, int] = (0, 0)
    first: int | None = None

    @property
    def same(self) -> bool:
        """Whether the rows are the same."""
        return not any(self.missing) and self.first is None

    def to_dict(self) -> dict[str, Any]:
        """Everything in values of JSON; values of rows as texts."""
        return {
            "same": self.same,
            "ordered": self.ordered,
            "columns": [list(c) for c in self.columns],
            "counts": list(self.counts),
            "missing": list(self.missing),
            "first": self.first,
            "only_old": [[shown(v) for v in row] for row in self.only_old],
            "only_new": [[shown(v) for v in row] for row in self.only_new],
        }


def shown(value: Any) -> str:
    """A value as it is compared and shown."""
    if value is None:
        return "NULL"
    if isinstance(value, float):
        return repr(value + 0.0)
    if isinstance(value, (bytes, bytearray)):
        return value.hex()
    if isinstance(value, dict):
        return "{" + ", ".join(sorted(f"{shown(k)}: {shown(v)}" for k, v in value.items())) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(shown, value)) + "]"
    return str(value)
