"""Where columns stand: the record of each relation around an expression."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from substrait_sql.lift.tree import Attribute
    from substrait_sql.lift.typing.struct_names import Names


@dataclass(slots=True)
class Frame:
    """The record that the expressions of one relation see.

    places: the ordinal of each attribute. lateral: its right side's frames are no subqueries. anchor: the number under
    which expressions further in mean this record, 0 until one does. anchored: whether the relation takes an anchor.
    """

    places: dict[int, int]
    lateral: bool = False
    anchor: int = 0
    anchored: bool = True


@dataclass(slots=True)
class Frames:
    """The records in reach, the nearest one last; parameters of lambdas likewise.

    named: the names of structs in those parameters, by identity.
    """

    records: list[Frame] = field(default_factory=list)
    lambdas: list[list[Attribute]] = field(default_factory=list)
    named: Mapping[int, Names] = field(default_factory=dict)

    def inside(self, columns: Sequence[Attribute]) -> Frames:
        """With the record of one more relation."""
        return Frames([*self.records, Frame(places_of(columns))], self.lambdas, self.named)

    def outside(self) -> Frames:
        """What a relation sees in which nothing is placed yet."""
        return self


def places_of(columns: Sequence[Attribute]) -> dict[int, int]:
    """The first place of each attribute."""
    out: dict[int, int] = {}
    for place, each in enumerate(columns):
        out.setdefault(id(each), place)
    return out
