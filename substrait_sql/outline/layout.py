"""Lines of an outline: what does not fit on one is broken where a reader would break it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from substrait_sql.outline.literals import shorten

if TYPE_CHECKING:
    from collections.abc import Iterator

_WIDTH = 150
_NARROWEST = 60
_MOST_LINES = 16
_DEEPEST = 40


def indented(depth: int) -> str:
    """Return the indent of a depth; a number where the text would grow with its square."""
    return "  " * depth if depth <= _DEEPEST else "  " * _DEEPEST + f"[depth {depth}] "


class Layout:
    """Lines under one indent."""

    def __init__(self, indent: str) -> None:
        self._first = indent
        self._indent = " " * len(indent)
        self.room = max(_WIDTH - len(indent), _NARROWEST)

    def relation(self, word: str, parts: list[str], columns: str) -> Iterator[str]:
        """Yield a relation. columns: its output, empty where it is not to be shown."""
        head = f"{word}  {'; '.join(parts)}" if parts else word
        arrow = f"-> {columns}" if columns else ""
        if len(head) > self.room:
            yield f"{self._first}{word}"
            inner = Layout(self._indent + "    ")
            for part in parts:
                yield from inner.part(part)
        elif arrow and len(head) + len(arrow) + 2 <= self.room:
            yield f"{self._first}{head}  {arrow}"
            return
        else:
            yield f"{self._first}{head}"
        if arrow:
            yield self._indent + "    " + shorten(arrow, self.room)

    def line(self, text: str) -> Iterator[str]:
        """One line, cut where it is too long."""
        yield self._first + shorten(text, self.room)

    def part(self, text: str) -> Iterator[str]:
        """One part, on as many lines as it needs, up to some."""
        lines = _broken(text, self.room)
        for i, line in enumerate(lines):
            if i == _MOST_LINES:
                yield f"{self._indent}  … and {len(lines) - i} more lines"
                return
            yield f"{self._indent}{'  ' if i else ''}{line}"


def _broken(text: str, room: int) -> list[str]:
    """Return the text in lines, broken behind commas: outer ones where possible."""
    if len(text) <= room:
        return [text]
    lines: list[str] = []
    for piece in _pieces(text):
        if lines and len(lines[-1]) + len(piece) + 1 <= room:
            lines[-1] += " " + piece
        else:
            lines.extend(_forced(piece, room))
    return lines


def _pieces(text: str) -> list[str]:
    """Return the text cut behind the commas that stand within one pair of parentheses at most."""
    found, start, depth, in_quotes = [], 0, 0, False
    for i, c in enumerate(text):
        if c == "'":
            in_quotes = not in_quotes
        elif in_quotes:
            continue
        elif c in "([{":
            depth += 1
        elif c in ")]}":
            depth -= 1
        elif c == "," and depth <= 1 and text[i + 1 : i + 2] == " ":
            found.append(text[start : i + 1])
            start = i + 2
    return [*found, text[start:]]


def _forced(piece: str, room: int) -> list[str]:
    found = []
    while len(piece) > room:
        at = piece.rfind(" ", room // 2, room)
        at = at if at > 0 else room
        found.append(piece[:at])
        piece = piece[at:].lstrip()
    return [*found, piece]
