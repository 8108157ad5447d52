r"""Reads sets of characters: `[a-z&&[^aeiou]]`, `[[:alpha:]_]`, `\\p{L}`."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from substrait_sql.dialect.regex import folding
from substrait_sql.dialect.regex.escapes import (
    escaped_character,
    is_character_escape,
    named_character,
)
from substrait_sql.dialect.regex.nodes import (
    Complement,
    Difference,
    Fold,
    Intersection,
    Property,
    Ranges,
    RegexError,
    Set,
    Union,
)
from substrait_sql.dialect.regex.properties import letter, named, posix

if TYPE_CHECKING:
    from substrait_sql.dialect.regex.flavour import Flavour
    from substrait_sql.dialect.regex.reader import Reader

_POSIX = re.compile(r":(\^?[\w =-]+):\]")
_DEEPEST = 50


def property_(read: Reader, char: str, flavour: Flavour, fold: Fold) -> Set:
    r"""The set of `\p{…}` or `\P{…}`, behind the letter."""
    if read.starts("{"):
        found = named(read.until("}"), flavour)
    elif not flavour.backtracks:
        found = named(read.raw(), flavour)
    else:
        raise RegexError(rf"a \{char} without a name")
    return Complement(_fitting(found, fold)) if char == "P" else _fitting(found, fold)


def bracket(read: Reader, flavour: Flavour, fold: Fold, depth: int = 0) -> Set:
    """The set behind a `[`, up to its end."""
    if depth > _DEEPEST:
        raise RegexError(f"sets in more than {_DEEPEST} others")
    if flavour.any_escape and (found := _POSIX.match(read.source, read.at)) and not read.quoting:
        read.at = found.end()
        return _fitting(posix(found[1], flavour), fold)
    return _Bracket(read, flavour, fold, depth).whole()


def _fitting(found: Set, fold: Fold) -> Set:
    """The set, if it is known what it is where case does not matter."""
    if isinstance(found, Complement):
        return Complement(_fitting(found.of, fold))
    if isinstance(found, Property) and found.extra is None and fold is not Fold.NONE:
        raise RegexError(f"{found.name}, a property of one case, where case does not matter")
    return found


@dataclass
class _Bracket:
    """What has been read of a set. total, operator: what stands before the last operator, and that one."""

    read: Reader
    flavour: Flavour
    fold: Fold
    depth: int
    items: list[Set] = field(default_factory=list)
    total: Set | None = None
    operator: str = ""
    last: str = ""
    bare: bool = False

    def whole(self) -> Set:
        negated = self._take("^")
        if self._take("]"):
            self._add(Ranges(((93, 93),)), "character")
        while not self._take("]"):
            self._item()
        if self.last == "operator":
            raise RegexError("a set with an operator at its end")
        found = self._combined()
        return Complement(found) if negated else found

    def _take(self, char: str) -> bool:
        if self.read.peek() != (char, False):
            return False
        self.read.next()
        return True

    def _add(self, found: Set, kind: str) -> None:
        self.items.append(found)
        self.last = kind
        self.bare = self.bare or isinstance(found, Ranges)

    def _item(self) -> None:
        char, plain = self.read.next()
        if not plain and char == "[" and self._opens():
            self._add(self._nested(), "set")
        elif not plain and char in "-&~" and self._operates(char):
            return
        elif not plain and char == "-" and self.last == "character" and self._ranges():
            self._range()
        elif not plain and char == "\\":
            self._escape()
        else:
            self._add(_one(char), "character")

    def _opens(self) -> bool:
        """Whether a `[` within a set begins another one."""
        return self.flavour.nests or _POSIX.match(self.read.source, self.read.at) is not None

    def _nested(self) -> Set:
        if found := _POSIX.match(self.read.source, self.read.at):
            self.read.at = found.end()
            return _fitting(posix(found[1], self.flavour), self.fold)
        return bracket(self.read, self.flavour, self.fold, self.depth + 1)

    def _operates(self, char: str) -> bool:
        """Read what follows a `-` or `&` if that is an operator."""
        following = self.read.peek()
        if following == (char, False) and (self.flavour.operators or char == "-"):
            self.read.next()
            if char * 2 not in self.flavour.operators or not self.last or self.last == "operator":
                raise RegexError(f"{char * 2} in a set")
            self.total = self._combined()
            self.items, self.operator, self.last, self.bare = [], char * 2, "operator", False
            return True
        if (
            char != "~"
            and following == ("[", False)
            and self.last == "set"
            and self.flavour.any_escape
        ):
            self.read.next()
            before, nested = Union(tuple(self.items)), self._nested()
            kind = Difference if char == "-" else Intersection
            self.items = [kind(before, nested)]
            return True
        return False

    def _combined(self) -> Set:
        right = self.items[0] if len(self.items) == 1 else Union(tuple(self.items))
        if self.total is None:
            return right
        if self.bare and self.fold is not Fold.NONE:
            raise RegexError(f"{self.operator} before characters, where case does not matter")
        kind = Difference if self.operator == "--" else Intersection
        return kind(self.total, right)

    def _ranges(self) -> bool:
        """Whether the `-` behind a character makes a range."""
        return self.read.peek() not in (("]", False), ("[", False))

    def _range(self) -> None:
        low = self.items.pop()
        assert isinstance(low, Ranges)
        char, plain = self.read.next()
        if not plain and char == "\\":
            found = self._escaped()
            if not isinstance(found, str):
                raise RegexError("a range that ends with a set")
            char = found
        first = low.pairs[0][0]
        if ord(char) < first:
            raise RegexError("a range from its end to its start")
        self._add(Ranges(((first, ord(char)),)), "range")

    def _escape(self) -> None:
        found = self._escaped()
        if isinstance(found, str):
            self._add(_one(found), "character")
        else:
            self._add(found, "range" if isinstance(found, Property) and found.unicode else "set")

    def _escaped(self) -> Set | str:
        char = self.read.raw()
        if char in "pP" and char:
            return property_(self.read, char, self.flavour, self.fold)
        if char in "wWdDsS" or (char in "hHvV" and self.flavour.backtracks):
            if not char:
                raise RegexError("a backslash at the end")
            return letter(char, self.flavour)
        if not char.isascii() or not char.isalnum():
            return char
        if is_character_escape(char, self.flavour):
            return escaped_character(self.read, char, self.flavour)
        if char == "N" and char in self.flavour.escapes:
            return named_character(self.read)
        if self.flavour.any_escape and char.isalpha():
            return char
        raise RegexError(rf"\{char} in a set")


def _one(char: str) -> Ranges:
    return Ranges(((ord(char), ord(char)),))


def closed(found: Set, ascii_only: bool) -> Set:
    """The set with all that is equal but for case to one of it."""
    match found:
        case Ranges(pairs):
            return Ranges(folding.closed(pairs, ascii_only))
        case Property(_, _, extra):
            more = Ranges(tuple((ord(c), ord(c)) for c in extra or ""))
            return Union((found, more)) if extra and not ascii_only else found
        case Complement(of):
            return Complement(closed(of, ascii_only))
        case Union(parts):
            return Union(tuple(closed(p, ascii_only) for p in parts))
        case Intersection(left, right):
            return Intersection(closed(left, ascii_only), closed(right, ascii_only))
        case Difference(left, right):
            return Difference(closed(left, ascii_only), closed(right, ascii_only))
