"""What is drawn: choices, names, and what a place of a statement may refer to."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tests.oracle.run import Choices

T = TypeVar("T")

KINDS = ("int", "str", "big", "dec", "dbl", "bool", "date", "ts")
RARE = ("small", "real", "ntz", "days", "months", "bin", "ints", "strs", "map", "row")
KEYS = ("int", "str", "big", "dec", "bool", "date")


class Column(NamedTuple):
    """A value that an expression may use, by the text that stands for it."""

    text: str
    kind: str


@dataclass(frozen=True)
class Query:
    """A query, and the names and kinds of its columns; ordered: its rows have one order."""

    text: str
    columns: tuple[Column, ...]
    ordered: bool = False


@dataclass(frozen=True)
class Around:
    """What a query sees: columns of the queries around it, common table expressions, how many queries it may hold."""

    outer: tuple[Column, ...] = ()
    shared: tuple[Query, ...] = ()
    queries: int = 2


@dataclass(frozen=True)
class Env:
    """What an expression sees. arguments: what a measure is made of, where one may stand; windows: where windows may
    stand, the list of those that have names."""

    columns: tuple[Column, ...]
    around: Around = field(default_factory=Around)
    arguments: Env | None = None
    windows: list[str] | None = None

    def plain(self) -> Env:
        """Without windows and measures."""
        return replace(self, arguments=None, windows=None)

    def closed(self) -> Env:
        """Without the columns of queries around."""
        return replace(self, around=replace(self.around, outer=()))


@dataclass
class Draw:
    """Choices. The first of a list and a FALSE are the simplest ones: zeros make the smallest statement."""

    rng: Choices
    query: Callable[..., Query] | None = None

    def chance(self, probability: float) -> bool:
        return self.rng.random() > 1 - probability

    def pick(self, items: Sequence[T]) -> T:
        return items[int(self.rng.random() * len(items))]

    def some(self, items: Sequence[T], least: int, most: int) -> list[T]:
        """Different items, in the order that they are drawn in."""
        rest, out = list(items), []
        for _ in range(min(len(rest), least + int(self.rng.random() * (most - least + 1)))):
            out.append(rest.pop(int(self.rng.random() * len(rest))))
        return out

    def kind(self) -> str:
        return self.pick(RARE) if self.chance(0.2) else self.pick(KINDS)
