"""Differences of texts: lines, and in them words."""

from __future__ import annotations

import difflib
import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_WORD = re.compile(r"\w+|\s+|.")
_CONTEXT = 3
_LONG = 1_000

Spans = tuple[tuple[int, int], ...]


class Line(NamedTuple):
    """A line of a diff. mark: ``-``, ``+``, a blank, or ``@``. spans: where its changed words begin and end."""

    mark: str
    text: str
    spans: Spans = ()


class Row(NamedTuple):
    """A line of each side, None where that side has none."""

    old: Line | None
    new: Line | None


def unified(old: tuple[str, str], new: tuple[str, str]) -> str:
    """The unified diff of two texts with their labels, empty if they are the same."""
    found = [
        f"{line.mark if line.mark != '@' else ''}{line.text}" for line in lines(old[1], new[1])
    ]
    return "\n".join([f"--- {old[0]}", f"+++ {new[0]}", *found]) if found else ""


def lines(old: str, new: str) -> list[Line]:
    """The lines of a unified diff without its head, with their changed words."""
    a, b = old.split("\n"), new.split("\n")
    found: list[Line] = []
    for group in _matcher(a, b).get_grouped_opcodes(_CONTEXT):
        (_, first, _, start, _), (_, _, last, _, end) = group[0], group[-1]
        found.append(Line("@", f"@@ -{_range(first, last)} +{_range(start, end)} @@"))
        for tag, i, j, k, m in group:
            if tag == "equal":
                found += [Line(" ", text) for text in a[i:j]]
                continue
            rows = list(_paired(a[i:j], b[k:m]))
            found += [row.old for row in rows if row.old is not None]
            found += [row.new for row in rows if row.new is not None]
    return found


def rows(old: str, new: str) -> list[Row]:
    """All lines of both, side by side."""
    a, b = old.split("\n"), new.split("\n")
    found: list[Row] = []
    for tag, i, j, k, m in _matcher(a, b).get_opcodes():
        if tag == "equal":
            found += [Row(Line(" ", text), Line(" ", text)) for text in a[i:j]]
        else:
            found += _paired(a[i:j], b[k:m])
    return found


def _matcher(a: Sequence[str], b: Sequence[str]) -> difflib.SequenceMatcher[str]:
    """Long texts repeat lines so often that the pairs of equal ones are too many: frequent ones are left out."""
    return difflib.SequenceMatcher(None, a, b, autojunk=len(b) > _LONG)


def _range(start: int, end: int) -> str:
    """A range of lines as `diff` writes it."""
    count = end - start
    return str(start + 1) if count == 1 else f"{start + bool(count)},{count}"


def _paired(old: Sequence[str], new: Sequence[str]) -> Iterator[Row]:
    """The lines of a change, one beside the other, with the words that changed."""
    for i in range(max(len(old), len(new))):
        a = old[i] if i < len(old) else None
        b = new[i] if i < len(new) else None
        if a is None or b is None:
            yield Row(None if a is None else Line("-", a), None if b is None else Line("+", b))
            continue
        left, right = words(a, b)
        yield Row(Line("-", a, left), Line("+", b, right))


def words(old: str, new: str) -> tuple[Spans, Spans]:
    """Where the words of two lines differ; nothing where the lines have little in common."""
    a, b = _WORD.findall(old), _WORD.findall(new)
    matcher = _matcher(a, b)
    if matcher.ratio() < 0.4:
        return (), ()
    left, right = [], []
    for tag, i, j, k, m in matcher.get_opcodes():
        if tag != "equal":
            left.append(_span(a, i, j))
            right.append(_span(b, k, m))
    return tuple(s for s in left if s[0] < s[1]), tuple(s for s in right if s[0] < s[1])


def _span(parts: Sequence[str], start: int, end: int) -> tuple[int, int]:
    before = sum(map(len, parts[:start]))
    return before, before + sum(map(len, parts[start:end]))
