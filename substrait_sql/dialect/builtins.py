"""What the functions that an engine has by itself are: the `builtins` of a dialect, a file of a line for each.

    abs scalar
    rand scalar drawn

`dialects/spark/builtins.txt` is made from Spark's function registry. Which give another value each time, whatever the
arguments, the registry does not say.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

KINDS: Final = ("scalar", "aggregate", "window", "generator")
_DRAWN = "drawn"


@dataclass(frozen=True)
class Builtins:
    """The functions of one dialect, by name in lower case."""

    kinds: Mapping[str, str] = field(default_factory=dict)
    drawn: frozenset[str] = frozenset()

    def kind(self, name: str) -> str | None:
        """``scalar``, ``aggregate``, ``window`` or ``generator``; None for a function that somebody has to register."""
        return self.kinds.get(name.strip("`").lower())

    def is_drawn(self, name: str) -> bool:
        """Whether it gives another value each time."""
        return name.lower() in self.drawn

    def over(self, other: Builtins) -> Builtins:
        """These, and those of the other that are not among them."""
        kinds = {**other.kinds, **self.kinds}
        return Builtins(kinds, self.drawn | (other.drawn - self.kinds.keys()))


NONE: Final = Builtins()


def read(text: str) -> Builtins:
    """The functions that a file lists. Raises `ValueError` for a line that is none."""
    kinds: dict[str, str] = {}
    drawn: set[str] = set()
    for line in text.splitlines():
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        if len(words) not in (2, 3) or words[1] not in KINDS or words[2:] not in ([], [_DRAWN]):
            raise ValueError(f"{line!r} is not a name, one of {', '.join(KINDS)}, and may be drawn")
        kinds[words[0].lower()] = words[1]
        if words[2:]:
            drawn.add(words[0].lower())
    return Builtins(kinds, frozenset(drawn))
