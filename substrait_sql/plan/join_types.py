"""The join types of the specification: https://substrait.io/relations/logical_relations/#join-types."""

from __future__ import annotations

_COMMON = {
    1: "INNER",
    2: "FULL",
    3: "LEFT",
    4: "RIGHT",
    5: "LEFT SEMI",
    10: "RIGHT SINGLE",
    11: "LEFT MARK",
    12: "RIGHT MARK",
}


LOGICAL = {**_COMMON, 6: "LEFT ANTI", 7: "LEFT SINGLE", 8: "RIGHT SEMI", 9: "RIGHT ANTI"}


PHYSICAL = {**_COMMON, 6: "RIGHT SEMI", 7: "LEFT ANTI", 8: "RIGHT ANTI", 9: "LEFT SINGLE"}
