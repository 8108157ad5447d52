"""Where in the text each node of the plan stands: `Rendered.spans`, `Rendered.source_map`, and `render --annotate`.

The text is printed once more, with marks about what comes from a node of the plan. Marks are halves of surrogate
pairs, which are in no text that was ever encoded. They make lines longer, so that some are broken elsewhere: the two
texts are the same but for marks and white space, and places are found by counting what is neither.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

from substrait_sql.errors import node_path
from substrait_sql.rendered import BETWEEN, Span
from substrait_sql.text.printer import about_each
from substrait_sql.tree.origin import paths_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from substrait_sql.wire.path import Path

_OPEN, _NUMBER, _CLOSE = "\ud801", "\ud802", "\ud803"
_MARK = re.compile(f"{_OPEN}(\\d+){_NUMBER}|{_CLOSE}")


class Range(NamedTuple):
    """Two offsets in a text, and the node whose text stands between them."""

    begin: int
    end: int
    path: str


class Marks:
    """Makes a printer put marks about the nodes that have a note of their origin."""

    def __init__(self, printer: Any) -> None:
        self._paths: list[Sequence[Path]] = []
        about_each(printer, self._marked)

    def _marked(self, handler: Callable[..., str]) -> Callable[..., str]:
        """What the handler makes of a node, in marks. The first is behind a character: the printer looks at that."""

        def handle(printer: Any, node: Any) -> str:
            text = handler(printer, node)
            paths = paths_of(node)
            if not text or not paths:
                return text
            self._paths.append(paths)
            return f"{text[0]}{_OPEN}{len(self._paths) - 1}{_NUMBER}{text[1:]}{_CLOSE}"

        return handle

    def read(self, marked: str, text: str) -> list[Range]:
        """Where in the text the nodes stand that are marked in the other one."""
        places = [i for i, c in enumerate(text) if not c.isspace()]
        ranges: list[Range] = []
        opened: list[tuple[int, int]] = []
        at = seen = 0
        for mark in _MARK.finditer(marked):
            seen += sum(not c.isspace() for c in marked[at : mark.start()])
            at = mark.end()
            if mark[1] is not None:
                opened.append((seen - (not marked[mark.start() - 1].isspace()), int(mark[1])))
                continue
            begin, number = opened.pop()
            found = map(node_path, self._paths[number])
            ranges += [Range(places[begin], places[seen - 1] + 1, path) for path in found]
        return list(dict.fromkeys(ranges))


def with_relations(ranges: list[Range], relations: Sequence[Path]) -> list[Range]:
    """The ranges, and for each relation without one that of the nearest one above, of whose query it is a part."""
    known: dict[str, Range] = {}
    for each in ranges:
        if each.path not in known or each.begin < known[each.path].begin:
            known[each.path] = each
    more = []
    # A relation comes before those below it, which find what was found for it.
    for path in dict.fromkeys(map(node_path, relations)):
        above = path
        while above and above not in known:
            above = above.rpartition(".")[0]
        if above and above != path:
            more.append(known[above]._replace(path=path))
            known[path] = known[above]
    return ranges + more


def annotated(text: str, ranges: list[Range]) -> tuple[str, list[Range]]:
    """The text with a comment before each line at which nodes begin: those that are part of no other one there.

    A line break inside quotes must be something else here, for a comment there would be part of the value.
    """
    starts = _starts(text)
    notes: dict[int, list[str]] = {}
    reached: dict[int, int] = {}
    in_order = sorted(ranges, key=lambda r: (r.begin, -r.end, len(r.path), r.path))
    for (begin, end), same in groupby(in_order, key=lambda r: r[:2]):
        line = bisect_right(starts, begin) - 1
        if end > reached.get(line, -1):
            reached[line] = end
            notes.setdefault(line, []).extend(r.path for r in same)
    notes = {i: list(dict.fromkeys(paths)) for i, paths in notes.items()}
    return with_lines(text, ranges, notes)


def commented(
    text: str, ranges: list[Range], comments: Mapping[str, Sequence[str]]
) -> tuple[str, list[Range]]:
    """The text with what the plan says of a relation before the line at which that begins, once.

    comments: by the relation's path; those under an empty one are about the plan, and come first. As for `annotated`.
    """
    starts = _starts(text)
    first: dict[str, int] = {}
    for each in sorted(ranges, key=lambda r: r.begin):
        first.setdefault(each.path, bisect_right(starts, each.begin) - 1)
    notes: dict[int, list[str]] = {}
    for path, said in comments.items():
        if path and path not in first:
            continue
        about = f"{path.rpartition('.')[2].replace('_', ' ')}: " if path else ""
        notes.setdefault(first.get(path, 0), []).append(about + harmless("; ".join(said)))
    return with_lines(text, ranges, notes)


# The first characters of what is more than a text in a comment.
_ACTIVE = re.compile(r"(\*(?=/)|/(?=\*)|\$(?=\{)|\{(?=[{%#]))")


def harmless(text: str) -> str:
    """A text that can end no comment, begin none and leave its line, whoever wrote it.

    Spark replaces ``${…}`` before it reads a text, Jinja what begins with ``{{``, ``{%`` and ``{#``, in comments too.
    """
    visible = "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in text)
    return _ACTIVE.sub(r"\1 ", visible)


def with_lines(
    text: str, ranges: list[Range], notes: Mapping[int, Sequence[str]]
) -> tuple[str, list[Range]]:
    """The text with comments before some lines, and where the ranges are then."""
    starts = _starts(text) if ranges else []
    parts, moved = [], []
    added = 0
    for i, line in enumerate(text.split("\n")):
        indent = line[: len(line) - len(line.lstrip())]
        for note in notes.get(i, ()):
            parts.append(f"{indent}/* {note} */")
            added += len(parts[-1]) + 1
        moved.append(added)
        parts.append(line)

    def at(offset: int) -> int:
        return offset + moved[bisect_right(starts, offset) - 1]

    found = [Range(at(r.begin), at(r.end - 1) + 1, r.path) for r in ranges]
    return "\n".join(parts), found


def _starts(text: str) -> list[int]:
    return [0, *(i + 1 for i, c in enumerate(text) if c == "\n")]


def all_spans(
    statements: Sequence[str], queries: Iterable[tuple[int, str, list[Range]]]
) -> tuple[Span, ...]:
    """The ranges as lines and columns of the statements together, in the order of the text.

    queries: the number of the statement that a query is part of, its text, and the ranges in that.
    """
    text = BETWEEN.join(statements)
    starts = _starts(text)

    def place(at: int) -> tuple[int, int]:
        line = bisect_right(starts, at)
        return line, at - starts[line - 1] + 1

    found = []
    for number, query, ranges in queries:
        before = sum(len(s) + len(BETWEEN) for s in statements[:number])
        offset = before + max(statements[number].find(query), 0)
        for each in ranges:
            begin, end = place(offset + each.begin), place(offset + each.end - 1)
            found.append(Span(each.path, *begin, end[0], end[1] + 1))
    found.sort(key=lambda s: (s.line, s.column, -s.end_line, -s.end_column, len(s.path), s.path))
    return tuple(found)
