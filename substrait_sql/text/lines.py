"""Lines that are too wide for a reader, broken where they are least closely tied. Nothing but white space changes."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# What is wider is no text for readers, and its nesting would make more spaces of it than anything else.
LONGEST, DEEPEST = 2000, 60
_STEP = "  "
# Those of a type are told apart from what compares: ``ARRAY<INT>`` and ``a < b``.
_OF_TYPE, _END_OF_TYPE = "type<", "type>"
_PAIRS = {"(": ")", "CASE": "END", _OF_TYPE: _END_OF_TYPE}
_NESTED = ("ARRAY", "MAP", "STRUCT")
# One by itself is a literal that ends elsewhere.
_QUOTES = ("'", '"', "`")
# How tightly operators bind, the loosest first. The AND of a BETWEEN is none of the second row.
_LEVELS = (
    ("OR",),
    ("AND",),
    ("=", "<>", "<", "<=", ">", ">=", "<=>", "IS", "LIKE", "NOT", "BETWEEN", "IN"),
    ("+", "-", "||"),
    ("*", "/", "%", "DIV"),
)
_CONNECTORS, _COMPARISONS = 2, 2
_KEYS = ("PARTITION BY ", "ORDER BY ")
_CLAUSES = ("PARTITION BY", "ORDER BY", "ROWS BETWEEN", "RANGE BETWEEN", "ROWS ", "RANGE ")
# So much of a line in one pair of parentheses makes them the place to break it.
_MOST = 0.6


class Piece(NamedTuple):
    """A word of a line, and how many parentheses are open around it."""

    text: str
    begin: int
    depth: int


def fitted(text: str, width: int, quotes: Sequence[str], escapes: bool) -> str:
    """The text with no line wider than that, where it can be broken.

    quotes: what opens and closes a name. escapes: whether literals know backslashes.
    """
    if max(map(len, text.split("\n")), default=0) <= width:
        return text
    breaker = _Breaker(width, quotes, escapes)
    fitting: list[str] = []
    for line in text.split("\n"):
        if len(line) <= width:
            fitting.append(line)
        else:
            fitting += breaker.lines(line)
    return "\n".join(fitting)


def commas_first(text: str) -> str:
    """The text with each comma that ends a line at the beginning of the next one: ``, b``."""
    made: list[str] = []
    for line in text.split("\n"):
        if made and made[-1].endswith(","):
            made[-1] = made[-1][:-1]
            content = line.lstrip(" ")
            made.append(f"{line[: len(line) - len(content)]}, {content}")
        else:
            made.append(line)
    return "\n".join(made)


class _Breaker:
    def __init__(self, width: int, quotes: Sequence[str], escapes: bool) -> None:
        self.width = width
        inside = r"[^'\\]|\\.|''" if escapes else "[^']|''"
        doubled = inside.replace("'", '"')
        opening, closing = map(re.escape, quotes)
        name = f"{opening}(?:[^{closing}]|{closing * 2})*{closing}"
        words = (f"'(?:{inside})*'", name, f'"(?:{doubled})*"', r"/\*.*?\*/", r"[\w.@$#]+")
        self.words = re.compile("|".join((*words, r"[<>=!|&:-]+", r"\S")), re.DOTALL)

    def lines(self, line: str) -> Iterator[str]:
        """The line, or the lines that it becomes."""
        content = line.lstrip(" ")
        indent = line[: len(line) - len(content)]
        if not self.width < len(line) <= LONGEST or len(indent) > DEEPEST:
            yield line
            return
        parts = self._parts(content, indent)
        if len(parts) == 1:
            yield line
            return
        for part in parts:
            yield from self.lines(part)

    def _parts(self, content: str, indent: str) -> list[str]:
        pieces = self._pieces(content)
        if any(p.text in _QUOTES for p in pieces):
            return [content]
        if content.startswith("WHEN "):
            then = [p.begin for p in pieces if not p.depth and p.text == "THEN"]
            if then:
                return _cut(content, then, indent, indent)
        if content.startswith(_KEYS):
            keys = [p.begin + 1 for p in pieces if not p.depth and p.text == ","]
            if keys:
                return _cut(content, [content.index(" BY ") + 4, *keys], indent, indent + _STEP)
        for level in range(_CONNECTORS):
            at = self._operators(pieces, level)
            if at:
                further = indent if _stands_alone(content, pieces) else indent + _STEP
                return _cut(content, at, indent, further)
        group = _longest_group(pieces, len(content))
        tied = [at for level in (2, 3, 4) if (at := self._operators(pieces, level))]
        if group is not None and (not tied or group[1] - group[0] > _MOST * len(content)):
            return self._opened(content, pieces, group, indent)
        for at in tied:
            parts = self._filled(content, at, indent)
            if len(parts) > 1:
                return parts
        if group is not None:
            return self._opened(content, pieces, group, indent)
        names = [p.begin for p in pieces if not p.depth and p.text == "AS"]
        return _cut(content, names[-1:], indent, indent + _STEP)

    def _pieces(self, content: str) -> list[Piece]:
        """The words of a line. Parentheses whose other half is on another line are words like others."""
        words = [(m[0], m.start()) for m in self.words.finditer(content)]
        if "<" in content:
            words = list(_with_types(words))
        halves = _without_partner([text for text, _ in words])
        found: list[Piece] = []
        depth = 0
        for i, (text, begin) in enumerate(words):
            whole = i not in halves
            depth -= whole and text in _PAIRS.values()
            found.append(Piece(text if whole else f" {text}", begin, depth))
            depth += whole and text in _PAIRS
        return found

    def _operators(self, pieces: Sequence[Piece], level: int) -> list[int]:
        """Where the operators of a level stand, outside of parentheses and behind an operand."""
        found = []
        bounds = 0
        for before, piece in pairwise(pieces):
            if piece.depth:
                continue
            if piece.text == "AND" and bounds:
                bounds -= 1
                if level == _COMPARISONS:
                    found.append(piece.begin)
                continue
            bounds += piece.text == "BETWEEN"
            behind = before.text in _WORDS or before.text in ("(", ",")
            if piece.text in _LEVELS[level] and not behind:
                found.append(piece.begin)
        return found

    def _filled(self, content: str, at: Sequence[int], indent: str) -> list[str]:
        """As few lines as may be, each that follows begins with an operator."""
        further = indent + _STEP
        out: list[str] = []
        for part in _cut(content, at, "", ""):
            if out and len(out[-1]) + 1 + len(part) <= self.width:
                out[-1] += f" {part}"
            else:
                out.append((further if out else indent) + part)
        return out

    def _opened(
        self, content: str, pieces: Sequence[Piece], group: tuple[int, int], indent: str
    ) -> list[str]:
        """``f(``, what stands in the parentheses, and ``) AS x``."""
        begin, end = group
        if content.startswith("CASE", begin):
            arms = [p.begin for p in pieces if p.depth == 1 and begin < p.begin < end]
            arms = [at for at in arms if content.startswith(("WHEN ", "ELSE "), at)]
            parts = _cut(content[:end], arms, indent, indent + _STEP)
            return [*parts, f"{indent}{content[end:]}"]
        inner = content[begin + 1 : end].strip()
        inside = [p for p in pieces if begin < p.begin < end]
        commas = [p.begin + 1 for p in inside if p.depth == 1 and p.text == ","]
        offset = begin + 1 + len(content[begin + 1 : end]) - len(content[begin + 1 : end].lstrip())
        further = indent + _STEP
        parts = _cut(inner, [c - offset for c in commas], further, further)
        if commas and (content.startswith("(") or _are_literals(inside)):
            parts = self._packed(parts, further)
        elif not commas or inner.startswith(_CLAUSES):
            clauses = [inner.find(word) for word in _CLAUSES if inner.find(word) > 0]
            if inner.startswith(_CLAUSES):
                parts = _cut(inner, sorted(clauses), further, further)
        return [f"{indent}{content[: begin + 1]}", *parts, f"{indent}{content[end:]}"]

    def _packed(self, parts: Sequence[str], indent: str) -> list[str]:
        """Several to a line."""
        out: list[str] = []
        for part in parts:
            if out and len(out[-1]) + len(part) - len(indent) < self.width:
                out[-1] += f" {part.strip()}"
            else:
                out.append(part)
        return out


_WORDS = {word for level in _LEVELS for word in level} | {
    "WHEN",
    "THEN",
    "ELSE",
    "CASE",
    "ON",
    "BY",
}


def _with_types(words: Sequence[tuple[str, int]]) -> Iterator[tuple[str, int]]:
    """The words, where the angles of nested types are pairs of their own."""
    opened = 0
    for i, (text, begin) in enumerate(words):
        if text == "<" and i and words[i - 1][0] in _NESTED:
            opened += 1
            yield _OF_TYPE, begin
        elif opened and set(text) == {">"} and len(text) <= opened:
            opened -= len(text)
            yield from ((_END_OF_TYPE, begin + each) for each in range(len(text)))
        else:
            yield text, begin


def _without_partner(words: Sequence[str]) -> set[int]:
    """Which of the words are one half of `_PAIRS` while the other half is not among them."""
    opened: list[int] = []
    found: set[int] = set()
    for i, text in enumerate(words):
        if text in _PAIRS:
            opened.append(i)
        elif text in _PAIRS.values():
            if opened and _PAIRS[words[opened[-1]]] == text:
                opened.pop()
            else:
                found.add(i)
    return found.union(opened)


def _cut(content: str, at: Sequence[int], indent: str, further: str) -> list[str]:
    """The content cut before these places."""
    edges = [0, *at, len(content)]
    parts = [content[a:b].strip() for a, b in pairwise(edges)]
    return [f"{further if i else indent}{part}" for i, part in enumerate(p for p in parts if p)]


def _stands_alone(content: str, pieces: Sequence[Piece]) -> bool:
    """Whether a line is a condition of its own, whose further lines stand below it."""
    named = any(not p.depth and p.text in ("AS", "WHEN", "THEN", "ELSE") for p in pieces)
    return not named and not content.endswith(",")


def _longest_group(pieces: Sequence[Piece], least: int) -> tuple[int, int] | None:
    """Where the longest outermost parentheses begin and end."""
    found: list[tuple[int, int]] = []
    opened = 0
    for piece in pieces:
        if piece.depth == 0 and piece.text in _PAIRS:
            opened = piece.begin
        elif piece.depth == 0 and piece.text in _PAIRS.values():
            found.append((opened, piece.begin))
    found = [(a, b) for a, b in found if b - a > 2]
    return max(found, key=lambda group: group[1] - group[0], default=None)


def _are_literals(pieces: Sequence[Piece]) -> bool:
    return all(p.text == "," or p.text[0] in "'-" or p.text[0].isdigit() for p in pieces)
