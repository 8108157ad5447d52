"""A difference as text for a terminal, as Markdown for a pull request, as JSON for machines."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, NamedTuple

from substrait_sql.outline.literals import clean
from substrait_sql.review.diff.lines import Line, lines, rows
from substrait_sql.review.diff.rows import shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from substrait_sql.review.diff.change import Change
    from substrait_sql.review.diff.difference import Difference
    from substrait_sql.review.diff.rows import Executed, Row

_NARROWEST = 80
_COLOURS = {"-": "\x1b[31m", "+": "\x1b[32m", "@": "\x1b[36m", "bold": "\x1b[1m", "dim": "\x1b[2m"}
_MARKED, _PLAIN, _END = "\x1b[7m", "\x1b[27m", "\x1b[0m"
_ROWS = {
    "may": "rows may differ",
    "cannot": "rows cannot differ by this",
    "order": "only the order of rows",
}


class Look(NamedTuple):
    """How text is to look. width: of a terminal, for two sides; 0 for as wide as it is."""

    colour: bool = False
    side_by_side: bool = False
    width: int = 0


def as_text(found: Difference, look: Look | None = None) -> str:
    """The difference for a terminal or a file."""
    look = look or Look()
    head = f"{clean(found.old.label)} -> {clean(found.new.label)}: {_verdict(found)}"
    said = [_styled(head, "bold", look), *(f"  {line}" for line in _reasons(found))]
    for change in found.changes:
        said += _change(change, look)
    if found.executed is not None:
        said += ["", *_executed(found.executed)]
    if not found.same_text:
        body = _sides(found, look) if look.side_by_side else _unified(found, look)
        said += ["", *body]
    return "\n".join(said) + "\n"


def _verdict(found: Difference) -> str:
    return found.headline


def _reasons(found: Difference) -> Iterator[str]:
    rows = "rows may differ" if found.rows_may_differ else "rows cannot differ"
    if found.same and found.rows_may_differ:
        rows = "rows differ no more than between two runs of one of them"
    if found.category in ("order", "additive"):
        rows = {
            "order": "the rows cannot differ, their order may",
            "additive": "rows of the old columns cannot differ",
        }[found.category]
    yield f"{rows}: {found.why}" if found.category != "rows" else found.why
    if found.same and not found.same_text:
        yield "the text is another: see below"
    yield from (clean(note) for note in found.notes)


def _change(change: Change, look: Look) -> Iterator[str]:
    yield f"* {change.text}"
    yield _styled(f"    {_ROWS[change.rows]}: {change.why}", "dim", look)
    for word, path in (("old", change.old), ("new", change.new)):
        if path:
            yield _styled(f"    {word}  {path}", "dim", look)


def _executed(found: Executed) -> Iterator[str]:
    how = "in their order" if found.ordered else "as bags"
    if found.same:
        yield f"run: the same {found.counts[0]:,} rows, compared {how}"
        return
    yield f"run: {found.counts[0]:,} and {found.counts[1]:,} rows, compared {how}; they differ"
    if found.first is not None:
        yield f"  the first row that differs is number {found.first:,}"
    sides = (
        ("-", found.columns[0], found.only_old, found.missing[0]),
        ("+", found.columns[1], found.only_new, found.missing[1]),
    )
    for mark, columns, some, many in sides:
        yield f"{mark} {many:,} rows ({', '.join(map(clean, columns))})"
        yield from (f"{mark}   {_row(row)}" for row in some)
        if many > len(some):
            yield f"{mark}   … and {many - len(some):,} more"


def _row(row: Row) -> str:
    return clean(" | ".join(map(shown, row)))


# -- lines ---------------------------------------------------------------------------------------


def _unified(found: Difference, look: Look) -> Iterator[str]:
    yield _styled(f"--- {clean(found.old.label)}", "bold", look)
    yield _styled(f"+++ {clean(found.new.label)}", "bold", look)
    for line in lines(found.old.text, found.new.text):
        if line.mark == "@":
            yield _styled(line.text, "@", look)
            continue
        yield _line(line, look)
        if line.spans and not look.colour:
            yield "?" + _underlined(line)


def _line(line: Line, look: Look) -> str:
    if not look.colour or line.mark == " ":
        return line.mark + line.text
    return f"{_COLOURS[line.mark]}{line.mark}{_marked(line)}{_END}"


def _marked(line: Line) -> str:
    """The text with its changed words in reverse."""
    said, at = [], 0
    for start, end in line.spans:
        said += [line.text[at:start], _MARKED, line.text[start:end], _PLAIN]
        at = end
    return "".join([*said, line.text[at:]])


def _underlined(line: Line) -> str:
    """A line of marks below the changed words, as Python's difflib has it."""
    said = [" "] * len(line.text)
    for start, end in line.spans:
        said[start:end] = "^" * (end - start)
    return "".join(said).rstrip()


def _sides(found: Difference, look: Look) -> Iterator[str]:
    pairs = rows(found.old.text, found.new.text)
    total = look.width or max(
        _NARROWEST,
        3 + 2 * max((len(side.text) for pair in pairs for side in pair if side), default=0),
    )
    room = (total - 3) // 2
    yield _styled(f"{_fit(clean(found.old.label), room)}   {clean(found.new.label)}", "bold", look)
    for pair in pairs:
        left, right = _cut(pair.old, room), _cut(pair.new, room)
        for i in range(max(len(left), len(right))):
            a = left[i] if i < len(left) else Line(" ", "")
            b = right[i] if i < len(right) else Line(" ", "")
            changed = (
                "|"
                if pair.old and pair.new and pair.old.mark != " "
                else "<"
                if pair.new is None
                else ">"
                if pair.old is None
                else " "
            )
            pad = " " * (room - len(a.text))
            yield f"{_cell(a, look)}{pad} {changed} {_cell(b, look)}".rstrip()


def _cell(line: Line, look: Look) -> str:
    if not look.colour or line.mark == " ":
        return line.text
    return f"{_COLOURS[line.mark]}{_marked(line)}{_END}"


def _cut(line: Line | None, room: int) -> list[Line]:
    """A line in pieces that fit, with the words that are marked in each."""
    if line is None:
        return []
    found = []
    for start in range(0, max(len(line.text), 1), room):
        spans = ((max(a - start, 0), min(b - start, room)) for a, b in line.spans)
        found.append(
            Line(line.mark, line.text[start : start + room], tuple(s for s in spans if s[0] < s[1]))
        )
    return found


def _fit(text: str, room: int) -> str:
    return text[:room].ljust(room)


def _styled(text: str, style: str, look: Look) -> str:
    return f"{_COLOURS[style]}{text}{_END}" if look.colour else text


def terminal_width() -> int:
    """How wide the terminal is."""
    return max(shutil.get_terminal_size((120, 40)).columns, _NARROWEST)


# -- Markdown, JSON ------------------------------------------------------------------------------


def as_markdown(found: Difference) -> str:
    """The difference for a pull request."""
    said = [f"### {_escaped(found.old.label)} → {_escaped(found.new.label)}: {_verdict(found)}", ""]
    said += [f"{_escaped(line)}  " for line in _reasons(found)]
    if found.changes:
        said += ["", "| what changed | rows | where |", "|---|---|---|"]
    for change in found.changes:
        where = "<br>".join(
            f"{word} `{_ticked(path)}`"
            for word, path in (("old", change.old), ("new", change.new))
            if path
        )
        said.append(
            f"| {_escaped(change.text)} | {_ROWS[change.rows]}: {_escaped(change.why)} | {where} |"
        )
    if found.executed is not None:
        said += ["", *_fenced("diff", list(_executed(found.executed)))]
    if not found.same_text:
        said += ["", *_fenced("diff", found.sql().split("\n"))]
    return "\n".join(said) + "\n"


def _escaped(text: str) -> str:
    """A text that is nothing but itself in Markdown, in a cell of a table too."""
    text = clean(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return "".join(f"\\{c}" if c in "\\`*_{}[]|#~!" else c for c in text)


def _ticked(text: str) -> str:
    return clean(text).replace("`", "'").replace("|", "\\|")


def _fenced(language: str, body: Sequence[str]) -> list[str]:
    longest = max((len(line) - len(line.lstrip("`")) for line in body), default=0)
    fence = "`" * max(3, longest + 1)
    return [f"{fence}{language}", *body, fence]


def as_json(found: object) -> str:
    """Values of JSON as a text."""
    return json.dumps(found, indent=2, ensure_ascii=False) + "\n"
