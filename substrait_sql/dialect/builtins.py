"""What the functions that an engine has by itself are: the `builtins` of a dialect, a file of a line for each.

    abs scalar
    rand scalar drawn
    mode aggregate ordered
    listagg absent

A function that a dialect below has and this one has not is absent: no text may call it.
`dialects/spark/builtins.txt` is made from Spark's function registry. Which give another value each time, whatever the
arguments, the registry does not say; nor which take the order of their rows as WITHIN GROUP (ORDER BY …); and it has
the aggregates `vector_avg` and `vector_sum` among the scalars.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

KINDS: Final = ("scalar", "aggregate", "window", "generator", "absent")
ABSENT: Final = "absent"
_DRAWN, _ORDERED = "drawn", "ordered"


@dataclass(frozen=True)
class Builtins:
    """The functions of one dialect, by name in lower case."""

    kinds: Mapping[str, str] = field(default_factory=dict)
    drawn: frozenset[str] = frozenset()
    ordered: frozenset[str] = frozenset()

    def kind(self, name: str) -> str | None:
        """``scalar``, ``aggregate``, ``window`` or ``generator``; None for a function that somebody has to register."""
        found = self.kinds.get(name.strip("`").lower())
        return None if found == ABSENT else found

    def is_absent(self, name: str) -> bool:
        """Whether another engine that this one is like has the function, and this one has not."""
        return self.kinds.get(name.strip("`").lower()) == ABSENT

    @cached_property
    def absent(self) -> frozenset[str]:
        """All such functions."""
        return frozenset(name for name, kind in self.kinds.items() if kind == ABSENT)

    def is_drawn(self, name: str) -> bool:
        """Whether it gives another value each time."""
        return name.lower() in self.drawn

    def is_ordered(self, name: str) -> bool:
        """Whether the order of its rows is WITHIN GROUP (ORDER BY …)."""
        return name.lower() in self.ordered

    def over(self, other: Builtins) -> Builtins:
        """These, and those of the other that are not among them."""
        kinds = {**other.kinds, **self.kinds}
        drawn = self.drawn | (other.drawn - self.kinds.keys())
        return Builtins(kinds, drawn, self.ordered | (other.ordered - self.kinds.keys()))


NONE: Final = Builtins()


def read(text: str) -> Builtins:
    """The functions that a file lists. Raises `ValueError` for a line that is none."""
    kinds: dict[str, str] = {}
    marked: dict[str, set[str]] = {_DRAWN: set(), _ORDERED: set()}
    for line in text.splitlines():
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        known = len(words) in (2, 3) and words[1] in KINDS and all(w in marked for w in words[2:])
        if not known:
            raise ValueError(
                f"{line!r} is not a name, one of {', '.join(KINDS)}, and may be drawn or ordered"
            )
        kinds[words[0].lower()] = words[1]
        for mark in words[2:]:
            marked[mark].add(words[0].lower())
    return Builtins(kinds, frozenset(marked[_DRAWN]), frozenset(marked[_ORDERED]))
