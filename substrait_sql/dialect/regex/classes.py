"""Writes characters and sets of them as Java does."""

from __future__ import annotations

import unicodedata

from substrait_sql.dialect.regex import folding
from substrait_sql.dialect.regex.nodes import (
    Complement,
    Difference,
    Intersection,
    Property,
    Ranges,
    Set,
    Union,
)

_CONTROLS = {"\t": r"\t", "\n": r"\n", "\r": r"\r", "\f": r"\f"}
_SPECIAL = frozenset(r"\^$.|?*+()[]{}")
_SPECIAL_IN_SET = frozenset(r"\^-&[]")


def character(char: str, special: frozenset[str] = _SPECIAL) -> str:
    """A character that stands for itself."""
    if char in special:
        return "\\" + char
    if char in _CONTROLS:
        return _CONTROLS[char]
    if char.isprintable() and not unicodedata.category(char).startswith("M"):
        return char
    return f"\\x{{{ord(char):X}}}"


def alone(found: Set) -> str:
    """A set that stands for one character."""
    if isinstance(found, Complement):
        if isinstance(found.of, Property) and _is_short(found.of):
            java = found.of.java
            return "\\" + java[1].upper() + java[2:]
        if isinstance(found.of, Intersection | Difference | Complement):
            return f"[^{alone(found.of)}]"
        return f"[^{inner(found.of)}]"
    if isinstance(found, Property) and (_is_short(found) or _is_bracket(found)):
        return found.java
    if isinstance(found, Ranges) and not found.pairs:
        return r"[^\x{0}-\x{10FFFF}]"
    return f"[{inner(found)}]"


def inner(found: Set) -> str:
    """What stands between the brackets of a set."""
    match found:
        case Ranges(pairs):
            return "".join(_range(low, high) for low, high in pairs) if pairs else alone(found)
        case Property(_, java):
            return java
        case Complement():
            return alone(found)
        case Union(parts):
            return "".join(
                alone(p) if isinstance(p, Intersection | Difference) else inner(p) for p in parts
            )
        case Intersection(left, right):
            return f"{inner(left)}&&{alone(right)}"
        case Difference(left, right):
            return f"{inner(left)}&&{alone(Complement(right))}"


def _is_short(found: Property) -> bool:
    return found.java.count("\\") == 1 and found.java.startswith("\\") and found.java[-1] != "t"


def _is_bracket(found: Property) -> bool:
    return found.java.startswith("[") and found.java.endswith("]")


def _range(low: int, high: int) -> str:
    first, last = (character(chr(c), _SPECIAL_IN_SET) for c in (low, high))
    if low == high:
        return first
    return f"{first}{'' if high == low + 1 else '-'}{last}"


def any_of(chars: str) -> str:
    """One of some characters."""
    if len(chars) == 1:
        return character(chars)
    return alone(Ranges(folding.merged(tuple((ord(c), ord(c)) for c in chars))))
