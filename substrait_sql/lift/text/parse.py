"""A text into statements of sqlglot's tree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp
from sqlglot.errors import ErrorLevel, ParseError, TokenError

from substrait_sql.errors import Diagnostic, SqlError
from substrait_sql.lift.text import apart, clauses, known, precedence, tokens
from substrait_sql.tree import releases

if TYPE_CHECKING:
    from collections.abc import Sequence

Node = exp.Expression


class Source:
    """A text and where things stand in it."""

    def __init__(self, sql: str) -> None:
        self.sql = sql
        self.tokens: list[Any] = []

    def position(self, node: Any) -> tuple[int, int] | None:
        """Line and column, both from 1, of the first thing under the node that has a place."""
        for each in node.walk() if isinstance(node, exp.Expression) else ():
            meta = each.meta if hasattr(each, "meta") else {}
            if "line" in meta:
                start = meta.get("start", 0)
                return self.line_and_column(start)
            name = each.name if isinstance(each, (exp.Anonymous, exp.Identifier)) else ""
            found = tokens.PREFIX.match(name)
            if found:
                return self.line_and_column(self.tokens[int(found[1])].start)
        return None

    def line_and_column(self, start: int) -> tuple[int, int]:
        """The place of a character."""
        before = self.sql[:start]
        return before.count("\n") + 1, start - (before.rfind("\n") + 1) + 1

    def error(self, code: str, message: str, node: Any = None, hint: str = "") -> SqlError:
        """The error, with the line it is about underlined."""
        place = self.position(node) if node is not None else None
        return self.error_at(code, message, place, hint)

    def error_at(
        self, code: str, message: str, place: tuple[int, int] | None, hint: str = ""
    ) -> SqlError:
        """The error at a line and column."""
        if place is None:
            return SqlError(Diagnostic(code, message, "", hint))
        line, column = place
        lines = self.sql.split("\n")
        text = lines[line - 1] if line <= len(lines) else ""
        shown, mark = text[:200], " " * (min(column, 200) - 1) + "^"
        return SqlError(
            Diagnostic(
                code, f"{message}\n  {shown}\n  {mark}", f"line {line}, column {column}", hint
            )
        )


def statement(sql: str) -> tuple[Node, Source]:
    """The one statement of the text. Raises `SqlError` SS5001 for what is no SQL."""
    source = Source(sql)
    try:
        source.tokens = tokens.tokens_of(sql)
    except TokenError as error:
        raise source.error("SS5001", f"not SQL: {str(error).splitlines()[0]}") from error
    found = list(source.tokens)
    while found and found[-1].token_type == tokens.Kind.SEMICOLON:
        found.pop()
    return parsed(found, source), source


def parsed(found: Sequence[Any], source: Source) -> Node:
    """Tokens of one statement as a tree."""
    try:
        clauses.check(found)
        ready = tokens.prepared(found)
        tree: Node = apart.Apart(lambda part: _tree(part, source)).statement(ready)
    except clauses.Misplaced as error:
        place = source.line_and_column(error.token.start)
        raise source.error_at("SS5001", f"not Spark SQL: {error}", place) from error
    except apart.Unsaid as error:
        place = source.line_and_column(error.token.start)
        raise source.error_at("SS5007", str(error), place) from error
    for node, part in known.unknown(tree):
        what = f"{type(node).__name__.upper()}" + (f" with {part}" if part else "")
        raise source.error("SS5002", f"{what} is not known here", node)
    return tree


def _tree(found: Sequence[Any], source: Source) -> Any:
    try:
        made = releases.parser_of(tokens.dialect(), error_level=ErrorLevel.IMMEDIATE).parse(
            list(found), source.sql
        )
    except ParseError as error:
        raise _wrong(error, source) from error
    statements = [m for m in made if m is not None]
    if len(statements) != 1:
        count = "no statement" if not statements else f"{len(statements)} statements"
        raise source.error("SS5001", f"the text holds {count}, one is wanted")
    found_tree: Node = precedence.bound(statements[0])
    return found_tree


def _wrong(error: ParseError, source: Source) -> SqlError:
    first = error.errors[0] if error.errors else {}
    description = str(first.get("description") or error).split(". Line")[0].rstrip(".")
    place = None
    if first.get("line"):
        line, column = int(first["line"]), int(first["col"])
        width = len(str(first.get("highlight") or "")) or 1
        place = line, max(1, column - width + 1)
    return source.error_at("SS5001", f"not Spark SQL: {_plain(description)}", place)


def _plain(text: str) -> str:
    return tokens.PREFIX.sub("", text)


def name_of(node: Any) -> str:
    """The name of a function as the text has it."""
    found: str = tokens.PREFIX.sub("", node.name)
    return found
