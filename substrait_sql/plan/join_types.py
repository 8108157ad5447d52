"""The join types: https://substrait.io/relations/logical_relations/#join-types.

One table says what there is to know of each: its numbers, which sides it keeps, returns and pads, whether it adds a
mark. Everybody asks it, for the relations of a plan and for the joins of a SELECT alike.
"""

from __future__ import annotations

from enum import Enum
from typing import Any, NamedTuple

from substrait_sql.errors import invalid
from substrait_sql.wire.path import ROOT, Path


class Sides(NamedTuple):
    """Whether something is so of the left side of a join, and of the right one."""

    left: bool
    right: bool


_NEITHER, _BOTH = Sides(False, False), Sides(True, True)
_LEFT, _RIGHT = Sides(True, False), Sides(False, True)


class JoinType(Enum):
    """A join type. It is written as SQL's words for it.

    logical, physical: its number in the enums of the logical and of the physical joins.
    kept: the sides whose rows the output is made of, one by one; those of an inner join are pairs.
    returned: the sides whose columns are in the output.
    padded: the sides whose columns are NULL where there is no match.
    mark: whether a boolean column stands behind the others.
    """

    #              logical, physical, kept, returned, padded, mark
    INNER = 1, 1, _NEITHER, _BOTH, _NEITHER, False
    FULL = 2, 2, _BOTH, _BOTH, _BOTH, False
    LEFT = 3, 3, _LEFT, _BOTH, _RIGHT, False
    RIGHT = 4, 4, _RIGHT, _BOTH, _LEFT, False
    LEFT_SEMI = 5, 5, _LEFT, _LEFT, _NEITHER, False
    LEFT_ANTI = 6, 7, _LEFT, _LEFT, _NEITHER, False
    LEFT_SINGLE = 7, 9, _LEFT, _BOTH, _RIGHT, False
    RIGHT_SEMI = 8, 6, _RIGHT, _RIGHT, _NEITHER, False
    RIGHT_ANTI = 9, 8, _RIGHT, _RIGHT, _NEITHER, False
    RIGHT_SINGLE = 10, 10, _RIGHT, _BOTH, _LEFT, False
    LEFT_MARK = 11, 11, _LEFT, _LEFT, _NEITHER, True
    RIGHT_MARK = 12, 12, _RIGHT, _RIGHT, _NEITHER, True

    def __init__(
        self, logical: int, physical: int, kept: Sides, returned: Sides, padded: Sides, mark: bool
    ) -> None:
        self.logical = logical
        self.physical = physical
        self.kept = kept
        self.returned = returned
        self.padded = padded
        self.mark = mark
        self.words = self.name.replace("_", " ")
        # Whether each row looks up what it matches. SQL has no such join: it is a subquery over the other side.
        self.looks_up = self.name.endswith(("MARK", "SINGLE"))
        # Whether the columns of one side are not returned: the other side's rows only ask for a match.
        self.one_sided = returned != _BOTH

    def __str__(self) -> str:
        return self.words

    @property
    def mirrored(self) -> JoinType:
        """The same join with its sides exchanged: a LEFT SEMI join is a RIGHT SEMI one of the right side."""
        side, line, form = self.name.partition("_")
        other = {"LEFT": "RIGHT", "RIGHT": "LEFT"}.get(side, side)
        return JoinType[other + line + form]

    @property
    def form(self) -> str:
        """What the type's name says behind the side: SEMI, ANTI, SINGLE, MARK, or nothing."""
        return self.name.partition("_")[2]

    @property
    def of_right(self) -> bool:
        """Whether the rows are those of the right side alone, as the type's name says."""
        return self.kept == _RIGHT

    @property
    def as_matches(self) -> Sides:
        """The sides whose rows are there as matches of the other's only: padded if there are none, or not returned."""
        return Sides(
            self.padded.left or not self.returned.left,
            self.padded.right or not self.returned.right,
        )

    @property
    def unmatched(self) -> Sides:
        """The sides whose rows may be in the output without a match."""
        return _NEITHER if self.form == "SEMI" else self.kept

    @property
    def is_lateral(self) -> bool:
        """Whether a lateral join may be of the type. Its right side is nothing without a left row."""
        return not self.kept.right


_LOGICAL = {each.logical: each for each in JoinType}
_PHYSICAL = {each.physical: each for each in JoinType}
_WORDS = {each.words: each for each in JoinType} | {"CROSS": JoinType.INNER}
# The kinds of relations that are joins, with what the numbers in their field `type` mean; a cross product has no such
# field.
_NUMBERED = {
    "join": _LOGICAL,
    "lateral_join": _LOGICAL,
    "hash_join": _PHYSICAL,
    "merge_join": _PHYSICAL,
    "nested_loop_join": _PHYSICAL,
}
JOINS = ("cross", *_NUMBERED)


def find(node: Any, kind: str) -> JoinType | None:
    """The type of a join, None if the specification has none of its number. kind: of the relation."""
    return JoinType.INNER if kind == "cross" else _NUMBERED[kind].get(node.type)


def join_type(node: Any, kind: str, path: Path = ROOT) -> JoinType:
    """The type of a join. kind: of the relation. path: where the type stands, for the error.

    Raises SS2042 where the specification has none of its number.
    """
    found = find(node, kind)
    if found is None:
        raise invalid("SS2042", f"join type {node.type} does not exist", path)
    return found


def of_sql(words: str) -> JoinType:
    """What a join in a FROM clause is: ``LEFT``, ``LEFT SEMI``, and ``CROSS``, which is an inner one."""
    return _WORDS[words]


def outer(left: bool, right: bool) -> JoinType:
    """The join that returns both sides, and pads these with NULLs."""
    return {
        (False, False): JoinType.INNER,
        (False, True): JoinType.LEFT,
        (True, False): JoinType.RIGHT,
        (True, True): JoinType.FULL,
    }[left, right]
