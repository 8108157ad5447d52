"""The node of the plan that an error of Spark is about: by a place in the SQL, a file, a text, a function."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from substrait_sql.errors import SubstraitSqlError
from substrait_sql.run.spark_errors import above, line_of, node_at
from substrait_sql.run.tables.sources import find_table

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from substrait_sql.rendered import Rendered, Source, Span, Statement
    from substrait_sql.run.tables.sources import Table

_SUMMARY = re.compile(
    r"== SQL ?\(line (\d+), position (\d+)\) ==\n(?P<lines>(?:.*\n)*?)(?P<gap> *)(?P<marks>\^+)"
)
_VIEW = re.compile(r"== SQL of VIEW ([^\n(]+?) ?\(")
_FILE = re.compile(r"\b(?:file|hdfs|s3a?|abfss?|gs|wasbs?):/+[^\s'\"?#,]+")
_IN_PYTHON = re.compile(r"^  File .*, line \d+, in (\w+)$", re.MULTILINE)


class Place(NamedTuple):
    """A part of a statement's text, from one character to behind another one, lines and columns from 1."""

    line: int
    column: int
    end_line: int
    end_column: int


def node_of(
    error: BaseException,
    statement: Statement,
    rendered: Rendered,
    paths: Mapping[str, Table] | None = None,
) -> str:
    """The node that an error is about, the root if nothing tells. paths: the tables that are given as such."""
    root = f"relations[{statement.root}]"
    try:
        return _found(error, statement, rendered, paths or {}) or root
    except SubstraitSqlError:  # the plan was a file, and is not there any longer
        return root


def _found(
    error: BaseException, statement: Statement, rendered: Rendered, paths: Mapping[str, Table]
) -> str:
    view = _view(error)
    if view:
        return _reader(view, rendered)
    for place in (*_said(error, statement.sql), *_once(error, statement.sql)):
        path = _deepest(place, statement, rendered)
        if path:
            return path
    line = line_of(error)
    if line is not None:
        return node_at(line + _lines_before(statement, rendered), rendered)
    return _file(error, rendered, paths)


def _contexts(error: BaseException) -> list[Any]:
    get = getattr(error, "getQueryContext", None)
    try:
        return list(get() or ()) if callable(get) else []
    except Exception:  # the JVM that knows it may have ended
        return []


def _view(error: BaseException) -> str:
    """The view in whose own text the error is, if it is in one."""
    named = [str(c.objectName()) for c in _contexts(error) if _is_sql(c) and c.objectName()]
    found = _VIEW.search(str(error))
    return named[0] if named else found[1] if found is not None else ""


def _is_sql(context: Any) -> bool:
    return str(getattr(context.contextType(), "name", "")) == "SQL"


def _reader(view: str, rendered: Rendered) -> str:
    name = tuple(part.strip("`").lower() for part in view.split("."))
    found = [s.path for s in rendered.sources if is_end(s, name)]
    return found[0] if len(found) == 1 else ""


def is_end(source: Source, name: tuple[str, ...]) -> bool:
    """Whether a name, in lower case, is the source's or an end of it, or the source's is an end of this one."""
    own = tuple(part.lower() for part in source.names)
    short, long = sorted((own, name), key=len)
    return long[len(long) - len(short) :] == short


def _said(error: BaseException, sql: str) -> Iterator[Place]:
    """The places in the text that the error names itself."""
    for context in _contexts(error):
        if not _is_sql(context):
            continue
        fragment, start = str(context.fragment()), _index(sql, int(context.startIndex()))
        if fragment and sql[start : start + len(fragment)] == fragment:
            yield _place(sql, start, len(fragment))
        elif fragment and sql.count(fragment) == 1:
            yield _place(sql, sql.index(fragment), len(fragment))
    found = _SUMMARY.search(str(error))
    if found is not None:
        line, column = int(found[1]), int(found[2])
        yield Place(line, column, line, column + len(found["marks"]))


def _index(sql: str, units: int) -> int:
    """Java counts the halves of a character beyond the first 65,536."""
    if sql.isascii():
        return units
    return len(sql.encode("utf-16-le")[: 2 * units].decode("utf-16-le", "ignore"))


def _once(error: BaseException, sql: str) -> Iterator[Place]:
    """The places of texts that are raised, and of functions that fail, where the text has them once."""
    get = getattr(error, "getMessageParameters", None)
    try:
        parameters: Mapping[str, str] = (get() or {}) if callable(get) else {}
    except Exception:  # on Connect asking may fail as the error did: then the text has no place
        parameters = {}
    raised = str(parameters.get("errorMessage", ""))
    function = re.match(r"`?(\w+)", str(parameters.get("functionName", "")))
    names = [function[1]] if function is not None else []
    names += reversed(_IN_PYTHON.findall(str(error)))
    patterns = [re.escape(raised)] if raised else []
    patterns += [rf"(?<![\w.`])`?{name}`?\(" for name in names]
    for pattern in patterns:
        found = list(re.finditer(pattern, sql, re.IGNORECASE))
        if len(found) == 1:
            yield _place(sql, found[0].start(), len(found[0][0].rstrip("(")))


def _place(sql: str, start: int, length: int) -> Place:
    before, until = sql[:start], sql[: start + length]
    return Place(
        before.count("\n") + 1,
        start - before.rfind("\n"),
        until.count("\n") + 1,
        start + length - until.rfind("\n"),
    )


def _lines_before(statement: Statement, rendered: Rendered) -> int:
    """The lines of the whole text before those of a statement."""
    before = rendered.statements[: rendered.statements.index(statement)]
    return sum(s.sql.count("\n") + 2 for s in before)


def _deepest(place: Place, statement: Statement, rendered: Rendered) -> str:
    """The node whose text is the shortest that holds a place; where several have that text, the one above them."""
    more = _lines_before(statement, rendered)
    begin, end = (place.line + more, place.column), (place.end_line + more, place.end_column)
    around = [
        s
        for s in rendered.spans
        if (s.line, s.column) <= begin and end <= (s.end_line, s.end_column)
    ]
    if not around:
        return ""
    # Of texts that all hold one place the shorter one ends sooner, or begins later.
    shortest = min(around, key=_extent)
    return above([s.path for s in around if _extent(s) == _extent(shortest)])


def _extent(span: Span) -> tuple[int, int, int]:
    lines = span.end_line - span.line
    return lines, span.end_column - span.column if not lines else -span.line, span.end_column


def _file(error: BaseException, rendered: Rendered, paths: Mapping[str, Table]) -> str:
    """The node that reads the file which the error names, where it is one alone."""
    # The path may end a sentence.
    named = {bare(found[0].rstrip(".")) for found in _FILE.finditer(str(error))}
    known = {}
    for source in rendered.sources:
        given = find_table(source, paths)
        if source.reader or source.view is not None:
            known[source.path] = source.names[-1]
        elif isinstance(given, (str, os.PathLike)):
            known[source.path] = os.fspath(given)
    readers = {node for node, where in known.items() for file in named if _is_in(file, bare(where))}
    if not readers:
        # A table of the catalog: its folder has its name, as a rule.
        folders = {part for file in named for part in file.lower().split("/")[:-1]}
        rest = [s for s in rendered.sources if s.path not in known]
        readers = {s.path for s in rest if s.names[-1].lower() in folders}
    return readers.pop() if len(readers) == 1 else ""


def bare(path: str) -> str:
    """A whole path without its scheme and the slashes around it."""
    found = re.match(r"\w+:/+", path)
    return (path[found.end() :] if found is not None else os.path.abspath(path)).strip("/")


def _is_in(file: str, place: str) -> bool:
    folder = place.split("*", 1)[0]
    return bool(folder) and (
        file == place
        or file.startswith(folder.rstrip("/") + "/")
        or ("*" in place and file.startswith(folder))
    )
