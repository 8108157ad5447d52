"""What a regular expression consists of, whichever flavour it was written in."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class RegexError(ValueError):
    """A pattern that the flavour does not know, or that Java cannot express. The text says which part, and why."""


class Fold(Enum):
    """Which characters are equal besides those that are the same."""

    NONE = "case sensitive"
    ASCII = "A to Z and a to z"
    SIMPLE = "one character for one"
    FULL = "several characters for one, too: ß is ss"


@dataclass(frozen=True)
class Literal:
    """Characters that stand for themselves; a full folding looks at all of them together."""

    text: str
    fold: Fold


@dataclass(frozen=True)
class Ranges:
    """Characters by their numbers, from and to."""

    pairs: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Property:
    """A set that Java has a name for.

    name: as the pattern calls it. java: as Java writes it in brackets. extra: what case-insensitivity adds, None where
    that is too much to write out. unicode: the name means all of Unicode under `(?U)` only.
    """

    name: str
    java: str
    extra: str | None = ""
    unicode: bool = False


@dataclass(frozen=True)
class Union:
    """Characters of any of some sets."""

    parts: tuple[Set, ...]


@dataclass(frozen=True)
class Intersection:
    """Characters of both sets."""

    left: Set
    right: Set


@dataclass(frozen=True)
class Difference:
    """Characters of the left set that are not of the right one."""

    left: Set
    right: Set


@dataclass(frozen=True)
class Complement:
    """All other characters."""

    of: Set


Set = Ranges | Property | Union | Intersection | Difference | Complement


@dataclass(frozen=True)
class Class:
    """One character of a set."""

    of: Set
    fold: Fold


@dataclass(frozen=True)
class Dot:
    """One character that ends no line, or with `everything` any, where CR LF may be one character (`pairs`).

    breaks: whether all line ends of Unicode end a line, or LF alone.
    """

    everything: bool
    breaks: bool
    pairs: bool


@dataclass(frozen=True)
class Start:
    """`^`: of the text, or of any line. after_last: also behind a line end that ends the text."""

    lines: bool
    breaks: bool
    after_last: bool


@dataclass(frozen=True)
class End:
    """`$`: of the text, or of any line. before_last: also before a line end that ends the text."""

    lines: bool
    breaks: bool
    before_last: bool


@dataclass(frozen=True)
class Anchor:
    r"""`\A`, `\z` or `\G`, which mean the same everywhere."""

    java: str


@dataclass(frozen=True)
class Boundary:
    r"""`\b`, `\B`. marks: marks and format characters belong to the character before them."""

    negated: bool
    marks: bool
    ascii: bool


@dataclass(frozen=True)
class Break:
    r"""`\R`: a line end, CR LF as one."""


@dataclass(frozen=True)
class Reference:
    """What a group matched."""

    group: int
    name: str


@dataclass(frozen=True)
class Group:
    """number: of a group that captures, from 1."""

    body: Node
    number: int | None = None
    name: str = ""


@dataclass(frozen=True)
class Atomic:
    """What is kept for good once it has matched."""

    body: Node


@dataclass(frozen=True)
class Look:
    """What stands before or behind, or must not."""

    body: Node
    behind: bool
    negated: bool


@dataclass(frozen=True)
class Repeat:
    """most: None for any number. mode: `""` for as many as can be, `?` for as few, `+` for good."""

    body: Node
    least: int
    most: int | None
    mode: str


@dataclass(frozen=True)
class Sequence:
    """One part behind the other."""

    parts: tuple[Node, ...]


@dataclass(frozen=True)
class Choice:
    """The first of several that matches."""

    options: tuple[Node, ...]


Node = (
    Literal
    | Class
    | Dot
    | Start
    | End
    | Anchor
    | Boundary
    | Break
    | Reference
    | Group
    | Atomic
    | Look
    | Repeat
    | Sequence
    | Choice
)


@dataclass(frozen=True)
class Pattern:
    """A pattern that was read. groups: how many capture. names: of those that have one."""

    root: Node
    groups: int
    names: tuple[str, ...]
