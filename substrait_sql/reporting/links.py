"""Which text belongs to which relation: for each the ranges that light up, and for a place in the text whose it is."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, NamedTuple

from substrait_sql.outline.columns import node_key
from substrait_sql.text.generate import INDENTED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.outline.walk import Step
    from substrait_sql.rendered import Span

Range = tuple[int, int]

# What a relation says in the query that it is part of, beside its expressions.
_CLAUSES = {
    "sort": ("ORDER BY",),
    "fetch": ("LIMIT", "OFFSET"),
    "top_n": ("ORDER BY", "LIMIT", "OFFSET"),
    "aggregate": ("GROUP BY",),
    "window": ("SELECT",),
    "project": ("SELECT",),
}
_BEGINS = re.compile(
    r"(SELECT|FROM|WHERE|GROUP BY|HAVING|WINDOW|ORDER BY|LIMIT|OFFSET|(?:\w+ ){0,3}JOIN)\b"
)
_LAST = ("ORDER BY", "LIMIT", "OFFSET")
# From so many spaces on, lines are indented no further.
_DEEPEST = 2 * INDENTED
_JOINS = ("join", "hash_join", "merge_join", "nested_loop_join", "lateral_join", "cross")


class Part(NamedTuple):
    """The text of an expression. at: its path below the relation, empty for the relation itself."""

    begin: int
    end: int
    at: str


class Link(NamedTuple):
    """The text of a relation. main: what it says; query: the query that it is part of, None where it is all of that."""

    main: tuple[Range, ...]
    query: Range | None
    parts: tuple[Part, ...]


def links(sql: str, spans: Sequence[Span], steps: Sequence[Step]) -> list[Link]:
    """The text of each relation, in their order."""
    clauses = _Clauses(sql)
    starts = clauses.starts
    numbers: dict[str, int] = {}
    for i, step in enumerate(steps):
        numbers.setdefault(node_key(str(step.node.path)), i)
    found: list[list[Part]] = [[] for _ in steps]
    for span in spans:
        path = node_key(span.path)
        owner = _owner(path, numbers)
        if owner is None:
            continue
        begin = starts[span.line - 1] + span.column - 1
        end = starts[span.end_line - 1] + span.end_column - 1
        found[numbers[owner]].append(Part(begin, end, path[len(owner) :].lstrip(".")))
    found = _of_twins(sql, steps, found)
    return [_link(sql, clauses, step, parts) for step, parts in zip(steps, found, strict=True)]


def _of_twins(sql: str, steps: Sequence[Step], found: list[list[Part]]) -> list[list[Part]]:
    """The parts; for a relation that is written nowhere those of an equal one: the query stands once for both."""
    written = [any(p.at or not _is_query(sql, p.begin) for p in parts) for parts in found]
    numbers = {id(step.node): i for i, step in enumerate(steps)}
    below: list[list[int]] = [[] for _ in steps]
    kinds: dict[tuple[object, ...], int] = {}
    kind_of = [0] * len(steps)
    for i, step in reversed(list(enumerate(steps))):
        key = (step.word, step.parts, tuple(kind_of[b] for b in below[i]))
        kind_of[i] = kinds.setdefault(key, len(kinds))
        if step.above is not None:
            above = numbers[id(step.above)]
            below[above].append(i)
            written[above] |= written[i]
    first: dict[int, int] = {}
    for i, kind in enumerate(kind_of):
        if written[i]:
            first.setdefault(kind, i)
    return [
        parts if written[i] else found[first.get(kind_of[i], i)] for i, parts in enumerate(found)
    ]


def _is_query(sql: str, begin: int) -> bool:
    return bool(_BEGINS.match(sql, begin)) or sql.startswith(("WITH", "("), begin)


def _owner(path: str, numbers: dict[str, int]) -> str | None:
    """The path of the relation that an expression stands in."""
    while path not in numbers:
        if not path:
            return None
        path = path.rpartition(".")[0]
    return path


def _link(sql: str, clauses: _Clauses, step: Step, parts: list[Part]) -> Link:
    main = [(p.begin, p.end) for p in parts if p.at]
    query: Range | None = None
    for part in parts:
        if part.at:
            continue
        here = part.begin, part.end
        if not _is_query(sql, part.begin):
            main.append(here)
        elif query is None or here[1] - here[0] > query[1] - query[0]:
            query = here
    if query is not None:
        main += _said(clauses, step, query, main)
    return Link(tuple(_merged(main)), query, tuple(parts))


def _said(clauses: _Clauses, step: Step, query: Range, expressions: list[Range]) -> list[Range]:
    kind = step.node.kind or ""
    if kind == "set":
        return [query]
    found = clauses.of(query)
    if kind in _JOINS:
        joins = [c for word, c in found if word.endswith("JOIN")]
        return [c for c in joins if any(c[0] <= e[0] and e[1] <= c[1] for e in expressions)]
    if kind == "project" and expressions:
        return []
    return [c for word, c in found if word in _CLAUSES.get(kind, ())]


class _Clauses:
    """The clauses of the text: each begins a line, under the first word of its query."""

    def __init__(self, sql: str) -> None:
        self._sql = sql
        self.starts = [0, *(i + 1 for i, c in enumerate(sql) if c == "\n")]
        # By indent, for the lines of a query's own clauses have that of the query.
        self._begins: dict[int, list[int]] = {}
        self._words: dict[int, str] = {}
        for start in self.starts:
            indent = _indent(sql, start)
            match = _BEGINS.match(sql, start + indent)
            if match:
                self._begins.setdefault(indent, []).append(start + indent)
                self._words[start + indent] = match[1]

    def of(self, query: Range) -> list[tuple[str, Range]]:
        """The clauses of a query, in order."""
        line = self.starts[bisect_right(self.starts, query[0]) - 1]
        known = self._begins.get(query[0] - line, [])
        begins = known[bisect_left(known, query[0]) : bisect_left(known, query[1])]
        ends = [*begins[1:], query[1]] if begins else []
        found = [
            (self._words[begin], (begin, begin + len(self._sql[begin:end].rstrip())))
            for begin, end in zip(begins, ends, strict=True)
        ]
        selects = [i for i, (word, _) in enumerate(found) if word == "SELECT"]
        if query[0] - line >= _DEEPEST:
            # Those of the queries inside are among them.
            return found[: next(iter(selects[1:]), None)]
        if len(selects) > 1:
            # Of a set operation: what comes after its last branch is its own.
            return [each for each in found[selects[-1] :] if each[0] in _LAST]
        return found


def _indent(sql: str, start: int) -> int:
    """How many spaces and parentheses begin a line."""
    at = start
    while at < len(sql) and sql[at] in " (":
        at += 1
    return at - start


def _merged(ranges: list[Range]) -> list[Range]:
    """The ranges in order, those that overlap as one."""
    found: list[Range] = []
    for begin, end in sorted(ranges):
        if found and begin <= found[-1][1]:
            found[-1] = found[-1][0], max(end, found[-1][1])
        else:
            found.append((begin, end))
    return found
