"""Writes letters whose case may not matter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from substrait_sql.dialect.regex import facts, folding, sets
from substrait_sql.dialect.regex.classes import alone, any_of, character
from substrait_sql.dialect.regex.nodes import Class, Fold, Literal, Node, Ranges, RegexError, Union

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# Ways to write what several characters in a row may be instead.
_MOST_WAYS = 16


def closest(nodes: Sequence[Node]) -> list[Letters]:
    """The ways to write the letters of a pattern; with a flag of Java's where case matters nowhere in it."""
    leaves = [n for n in nodes if isinstance(n, Literal | Class)]
    folded = [n for n in leaves if n.fold is not Fold.NONE and facts.minds_case(n)]
    if not folded:
        return [Letters("")]
    if any(n.fold is Fold.NONE and facts.minds_case(n) for n in leaves):
        return [Letters("")]
    if all(n.fold is Fold.ASCII for n in folded):
        return [Letters("i")]
    return [Letters("i"), *([Letters("iu")] if not any(map(_java_errs, leaves)) else [])]


def _java_errs(node: Literal | Class) -> bool:
    if node.fold is Fold.ASCII:
        return True
    if isinstance(node, Literal):
        return folding.java_errs(node.text + node.text.casefold())
    return _set_java_errs(node.of)


def _set_java_errs(found: object) -> bool:
    if isinstance(found, Ranges):
        return any(folding.within(c, found.pairs) for c in folding.ERRING)
    inside = [getattr(found, n) for n in ("of", "left", "right") if hasattr(found, n)]
    return any(map(_set_java_errs, [*inside, *getattr(found, "parts", ())]))


class Letters:
    """How letters are written. flag: `""`, `i`, which is ASCII to Java, or `iu`."""

    def __init__(self, flag: str) -> None:
        self.flag = flag

    def flags(self, unicode: bool) -> tuple[str, str]:
        """The flags to turn on, and those to turn off. `U` brings `u` with it."""
        return self.flag, "-u" if self.flag == "i" and unicode else ""

    def literal(self, node: Literal) -> str:
        """A text."""
        if node.fold is Fold.NONE:
            return "".join(map(character, node.text))
        if node.fold is Fold.FULL and folding.expands(node.text):
            return "".join(self._expanded(node.text.casefold()))
        return "".join(self._one(c, node.fold) for c in node.text)

    def of_set(self, node: Class) -> str:
        """A set."""
        if node.fold is Fold.NONE or not facts.minds_case(node):
            return alone(node.of)
        ascii_only = node.fold is Fold.ASCII
        if self.flag == "i" and isinstance(node.of, Ranges | Union):
            return alone(self._less(node.of, ascii_only))
        return alone(sets.closed(node.of, ascii_only))

    def _less(self, found: Ranges | Union, ascii_only: bool) -> Ranges | Union:
        """A set with what the flag does not see to."""
        if isinstance(found, Union):
            return Union(
                tuple(
                    self._less(p, ascii_only)
                    if isinstance(p, Ranges | Union)
                    else sets.closed(p, ascii_only)
                    for p in found.parts
                )
            )
        if ascii_only:
            return found
        known = folding.closed(found.pairs, True)
        more = [
            (c, c)
            for low, high in folding.closed(found.pairs, False)
            for c in range(low, high + 1)
            if high - low < 0x400 and not folding.within(c, known)
        ]
        wide = [p for p in folding.closed(found.pairs, False) if p[1] - p[0] >= 0x400]
        return Ranges((*found.pairs, *folding.merged((*more, *wide))))

    def _one(self, char: str, fold: Fold) -> str:
        alike = folding.alike(char)
        if fold is Fold.ASCII:
            alike = char + char.swapcase() if char.isascii() and char.isalpha() else char
        covered = {char}
        if self.flag and char.isascii():
            covered.add(char.swapcase())
        if self.flag == "iu" or set(alike) <= covered:
            return character(char)
        return any_of(alike)

    def _expanded(self, folded: str) -> Iterator[str]:
        """The pieces of a text of which several characters may be one."""
        at = 0
        while at < len(folded):
            end = _reach(folded, at)
            if end == at + 1:
                yield self._one(folded[at], Fold.FULL)
            else:
                yield f"(?:{'|'.join(self._ways(folded[at:end]))})"
            at = end

    def _ways(self, folded: str) -> list[str]:
        found = list(_splits(folded))
        if len(found) > _MOST_WAYS:
            raise RegexError(
                f"{folded!r}, which may be written in many ways where case does not matter"
            )
        return [
            "".join(
                self._one(p, Fold.FULL) if len(p) == 1 else any_of(folding.expanding(p))
                for p in way
            )
            for way in found
        ]


def _reach(folded: str, at: int) -> int:
    """Where the part ends that begins here and has no character across its end."""
    end, i = at + 1, at
    while i < end:
        for n in (2, 3):
            if folding.expanding(folded[i : i + n]) and len(folded[i : i + n]) == n:
                end = max(end, i + n)
        i += 1
    return end


def _splits(folded: str, found: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    if not folded:
        yield found
        return
    yield from _splits(folded[1:], (*found, folded[0]))
    for n in (2, 3):
        if len(folded) >= n and folding.expanding(folded[:n]):
            yield from _splits(folded[n:], (*found, folded[:n]))
