"""A text into statements of sqlglot's tree."""

from __future__ import annotations

import difflib
import logging
import re
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

import yaml
from sqlglot import exp
from sqlglot.errors import ErrorLevel, ParseError, TokenError

from substrait_sql.errors import SqlError
from substrait_sql.lift.text import (
    apart,
    clauses,
    foreign,
    gaps,
    hints,
    known,
    parse_errors,
    precedence,
    tokens,
)
from substrait_sql.lift.text.comments import StrayHint, Unclosed, blanked
from substrait_sql.lift.typing.problems import Misused
from substrait_sql.resources import DIALECTS
from substrait_sql.tree import releases

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


Node = exp.Expression
_STATEMENTS = DIALECTS / "spark" / "support" / "statements.yaml"
# How much of a line a message shows.
_WIDTH = 160
_WORD = re.compile(r"[\w.]+")
# More than any number that means something has.
_DIGITS = 1_000
_HALF = re.compile("[\ud800-\udfff]")


def _predicates_above(node: Any, top: Any) -> int:
    """How many IS stand behind a node that are inside of another one."""
    found = 0
    while node is not top:
        found += isinstance(node.parent, exp.Is) and node.arg_key == "this"
        node = node.parent
    return found


class Source:
    """A text and where things stand in it."""

    def __init__(self, sql: str) -> None:
        self.sql = sql
        self.tokens: list[Any] = []
        # By where a token ends, the place of the one behind it; and by a predicate's identity itself and such a place.
        self._behind: dict[int, int] = {}
        self._asked: dict[int, tuple[Any, int]] = {}

    def position(self, node: Any) -> tuple[int, int] | None:
        """Line and column, both from 1, of the first word of the text that is known to be of the node."""
        found = node.walk() if isinstance(node, exp.Expression) else ()
        start = min((s for s in map(self._start, found) if s >= 0), default=-1)
        return None if start < 0 else self.line_and_column(start)

    def _start(self, node: Any) -> int:
        """The place of the first letter of a name or a constant, -1 for a column's table and what has none."""
        if isinstance(node.parent, exp.Column) and node.arg_key != "this":
            return -1
        if "line" in node.meta:
            return int(node.meta.get("start", 0))
        name = node.name if isinstance(node, (exp.Anonymous, exp.Identifier)) else ""
        found = tokens.PREFIX.match(name)
        return self.tokens[int(found[1])].start if found else -1

    def has_condition(self, lateral: Any) -> bool:
        """Whether ON stands behind ``LATERAL function(…) AS t(a)`` or ``LATERAL (SELECT function(…) …) AS t(a)``.

        Without it sqlglot's tree has ON TRUE.
        """
        named = (tokens.PREFIX.match(f.name) for f in lateral.this.find_all(exp.Anonymous))
        places = [int(each[1]) for each in named if each]
        if not places:
            return True
        place = min(places) + 1
        if isinstance(lateral.this, exp.Subquery):
            place = next(
                (
                    i
                    for i in range(place, 0, -1)
                    if self._word(i - 1) == "LATERAL" and self._word(i) == "("
                ),
                0,
            )
        alias = lateral.args.get("alias")
        place = self._closed(place)
        if alias is not None and alias.name:
            place += 2 if self._word(place) == "AS" else 1
        if alias is not None and alias.args.get("columns"):
            place = self._closed(place)
        return self._word(place) == "ON"

    def denies_null(self, predicate: Any) -> bool:
        """Whether a predicate is ``… IS NOT NULL``, for which sqlglot has the tree of ``NOT … IS NULL`` too.

        Where nothing of its operand has a place, as in ``NOT NULL IS NULL``, it is taken for IS NOT NULL.
        """
        if not self._behind:
            self._behind = {token.end: place + 1 for place, token in enumerate(self.tokens)}
        operand = predicate.this
        last = max(operand.walk(prune=lambda each: id(each) in self._asked), key=self._place)
        inside = _predicates_above(last, operand)
        for place in range(self._place(last) or len(self.tokens), len(self.tokens)):
            if self.tokens[place].token_type == tokens.Kind.IS:
                if not inside:
                    self._asked[id(predicate)] = predicate, place + 1
                    return self._word(place + 1) == "NOT"
                inside -= 1
        return True

    def _place(self, node: Any) -> int:
        """The place of the token behind a name, or behind the IS of a predicate that was asked about; 0 without one."""
        asked = self._asked.get(id(node))
        return asked[1] if asked else self._behind.get(self._end(node), 0)

    def _end(self, node: Any) -> int:
        """The place of the last letter of a name, -1 for what has none."""
        found = tokens.PREFIX.match(node.name) if isinstance(node, exp.Anonymous) else None
        return self.tokens[int(found[1])].end if found else int(node.meta.get("end", -1))

    def _word(self, place: int) -> str:
        return self.tokens[place].text.upper() if place < len(self.tokens) else ""

    def _closed(self, place: int) -> int:
        """The place behind the bracket that closes the one that opens there."""
        depth = 0
        for i in range(place, len(self.tokens)):
            kind = self.tokens[i].token_type
            depth += (kind == tokens.Kind.L_PAREN) - (kind == tokens.Kind.R_PAREN)
            if not depth:
                return i + 1
        return len(self.tokens)

    def line_and_column(self, start: int) -> tuple[int, int]:
        """The place of a character."""
        before = self.sql[:start]
        return before.count("\n") + 1, start - (before.rfind("\n") + 1) + 1

    def error(self, code: str, message: str, node: Any = None, hint: str = "") -> SqlError:
        """The error, with the line it is about underlined."""
        return self.error_at(code, message, self.position(node), hint)

    def misused(self, problem: Misused, node: Any = None) -> SqlError:
        """The error of a problem: at the word that it is about if the text has that once, else at its node, or this."""
        word = problem.word.casefold()
        found = [x for x in self.tokens if word and x.text.casefold() == word]
        place = self.line_and_column(found[0].start) if len(found) == 1 else None
        place = place or self.position(node if problem.node is None else problem.node)
        return self.error_at(problem.code, str(problem), place, problem.hint)

    def error_at(
        self, code: str, message: str, place: tuple[int, int] | None, hint: str = ""
    ) -> SqlError:
        """The error at a line and column."""
        if place is None:
            return SqlError.of(code, message, "", hint)
        line, column = place
        shown, mark = self._underlined(line, column)
        what = f"{message}\n  {shown}\n  {mark}"
        return SqlError.of(code, what, f"line {line}, column {column}", hint)

    def at(self, place: tuple[int, int] | None) -> tuple[Any, Any]:
        """The token at a line and column, and the one before it; None where there is none."""
        for number, token in enumerate(self.tokens):
            if place is not None and self.line_and_column(token.start) == place:
                return token, self.tokens[number - 1] if number else None
        return None, None

    def _underlined(self, line: int, column: int) -> tuple[str, str]:
        """The line of the text, a long one around the place, and the marks below the word that begins there."""
        lines = self.sql.split("\n")
        text = (lines[line - 1] if line <= len(lines) else "").replace("\t", " ").rstrip("\r")
        start = sum(len(each) + 1 for each in lines[: line - 1]) + column - 1
        word = _WORD.match(self.sql, start)
        widths = (t.end - t.start + 1 for t in self.tokens if t.start == start)
        width = next(widths, len(word[0]) if word else 1)
        width = max(1, min(width, len(text) - column + 1))
        first = 0 if column + width <= _WIDTH else max(0, column - 1 - _WIDTH // 2)
        shown = ("…" if first else "") + text[first : first + _WIDTH]
        shown += "…" if first + _WIDTH < len(text) else ""
        lead = column - 1 - first + (1 if first else 0)
        return shown, " " * lead + "^" * min(width, _WIDTH)


# What `spark.sql.variable.substitute` is about, which is on unless it is turned off.
_VARIABLE = re.compile(r"\$\{(?:\w+?:)?\S+?\}")


def statement(sql: str) -> tuple[Node, Source]:
    """The one statement of the text. Raises `SqlError` SS5001 for what is no SQL."""
    found = pieces(sql)
    if not found:
        raise Source(sql).error("SS5001", "the text holds no statement")
    source, *more = found
    if more:
        place = source.line_and_column(more[0].tokens[0].start)
        count = f"the text holds {len(found)} statements, a plan is of one"
        raise more[0].error_at("SS5001", count, place)
    return parsed(source.tokens, source), source


def pieces(sql: str) -> list[Source]:
    """The statements of a text, which have semicolons between them. Raises `SqlError` SS5001 for what is no SQL."""
    if not isinstance(sql, str):
        raise SqlError.of("SS5001", f"a statement is a text, not of type {type(sql).__name__}")
    whole = Source(sql)
    variable = _VARIABLE.search(sql)
    if variable:
        what = f"Spark puts the value of a setting for {variable[0]} before it reads the text"
        raise whole.error_at("SS5007", what, whole.line_and_column(variable.start()))
    try:
        whole.tokens = tokens.tokens_of(blanked(sql))
    except (StrayHint, Unclosed) as error:
        what = "not SQL" if isinstance(error, Unclosed) else "not Spark SQL"
        place = whole.line_and_column(error.start)
        raise whole.error_at("SS5001", f"{what}: {error}", place) from error
    except TokenError as error:
        raise whole.error("SS5001", f"not SQL: {str(error).splitlines()[0]}") from error
    _check_tokens(whole)
    found: list[Source] = [Source(sql)]
    for token in whole.tokens:
        if token.token_type == tokens.Kind.SEMICOLON:
            found.append(Source(sql))
        else:
            found[-1].tokens.append(token)
    return [each for each in found if each.tokens]


def _check_tokens(source: Source) -> None:
    for token in source.tokens:
        code, what = "", ""
        if token.token_type == tokens.Kind.NUMBER and len(token.text) > _DIGITS:
            code, what = "SS5003", f"Spark has no type for a number of {len(token.text)} digits"
        elif _HALF.search(token.text):
            code, what = "SS5007", "half of a surrogate pair is no character of a plan"
        if code:
            raise source.error_at(code, what, source.line_and_column(token.start))


def parsed(found: Sequence[Any], source: Source) -> Node:
    """Tokens of one statement as a tree."""
    if found:
        check_first(found[0], source)
    try:
        foreign.check_unread(found)
        clauses.check(found)
        gaps.check(found)
        foreign.check(found)
        ready = tokens.prepared(found)
        tree: Node = apart.Apart(lambda part: _tree(part, source)).statement(ready)
        gaps.check_brackets(found)
    except clauses.Misplaced as error:
        place = source.line_and_column(error.token.start)
        raise source.error_at("SS5001", f"not Spark SQL: {error}", place) from error
    except apart.Unsaid as error:
        place = source.line_and_column(error.token.start)
        raise source.error_at("SS5007", str(error), place) from error
    for node, part in known.unknown(tree):
        if part in known.SAID:
            code, what = known.SAID[part]
            word = node.name if isinstance(node, exp.Placeholder) else ""
            raise source.misused(Misused(what, code, word=word), node)
        word = type(node).__name__.upper()
        # The parser names some operators after functions of other systems.
        written = word in source.sql.upper().replace("_", "")
        what = (word if written else "this") + (f" with {part}" if part else "")
        raise source.error("SS5002", f"{what} is not known here", node)
    return tree


def check_first(token: Any, source: Source) -> None:
    """Raises `SqlError` for a statement that begins with a word of which plans say nothing, or none of Spark's."""
    word, place = token.text.upper().partition(" ")[0], source.line_and_column(token.start)
    if token.text == "(" or word in words("read"):
        return
    if word in words("commands"):
        raise source.error_at("SS5007", f"{word} is a command: a plan has no word for it", place)
    close = difflib.get_close_matches(word, words("read"), n=1, cutoff=0.7)
    hint = f"did you mean {close[0]}?" if close else ""
    shown = source.sql[token.start : token.end + 1]
    raise source.error_at("SS5001", f"no statement of Spark SQL begins with {shown}", place, hint)


@cache
def words(kind: str) -> tuple[str, ...]:
    """First words of statements: ``read``, and ``commands`` of which plans say nothing."""
    found = yaml.safe_load(_STATEMENTS.read_text(encoding="utf-8"))
    return tuple(found[kind].split())


@contextmanager
def _silent() -> Iterator[None]:
    """Without the warnings of sqlglot's parser on stderr: what it does not read is refused by us."""
    logger = logging.getLogger("sqlglot")
    before, logger.disabled = logger.disabled, True
    try:
        yield
    finally:
        logger.disabled = before


def _tree(found: Sequence[Any], source: Source) -> Any:
    parser = tokens.dialect().parser(error_level=ErrorLevel.IMMEDIATE)
    try:
        with _silent():
            made = releases.parsed(parser, list(found), source.sql)
    except ParseError as error:
        raise _wrong(error, source) from error
    except TokenError as error:
        what = "not Spark SQL: a hint in the text cannot be read"
        raise source.error("SS5001", f"{what} ({str(error).splitlines()[0]})") from error
    except _UNREAD as error:
        opened, token = _left_open(found), parser._curr or found[-1]
        what = "the text cannot be read on from here" if opened is None else "this ( has no end"
        place = source.line_and_column((opened or token).start)
        raise source.error_at("SS5001", f"not Spark SQL: {what}", place) from error
    statements = [m for m in made if m is not None]
    if len(statements) != 1:
        count = "no statement" if not statements else f"{len(statements)} statements"
        raise source.error("SS5001", f"the text holds {count}, one is wanted")
    if isinstance(statements[0], exp.Command):
        place = source.line_and_column(found[0].start)
        word = found[0].text.upper()
        raise source.error_at("SS5007", f"a plan has no word for what {word} says here", place)
    hints.placed(statements[0], found, source.sql)
    try:
        found_tree: Node = precedence.bound(statements[0])
    except ParseError as error:
        raise source.error("SS5001", f"not Spark SQL: {error}") from error
    _read_rows(found_tree)
    loose = precedence.without_brackets(found_tree)
    if loose is not None:
        what = "a comparison beside LIKE, BETWEEN, IN or IS wants brackets around one of them"
        if isinstance(loose, exp.Exists):
            what = "EXISTS (…) wants brackets around it before what stands behind it"
        raise source.error("SS5001", what, loose)
    return found_tree


def _read_rows(tree: Any) -> None:
    """``x IN (VALUES 1, 2)`` is an IN of a query, for sqlglot of a list. Changes the tree."""
    for each in tree.find_all(exp.In):
        listed = each.expressions
        if len(listed) == 1 and isinstance(listed[0], exp.Values):
            each.set("expressions", None)
            each.set("query", exp.Subquery(this=listed[0]))


# What sqlglot's parser raises while it looks for a mistake: it counts arguments before it misses a parenthesis.
_UNREAD = (LookupError, TypeError, ValueError, AttributeError)


def _left_open(found: Sequence[Any]) -> Any:
    """The last parenthesis that nothing closes, None if all are closed."""
    opened = []
    for token in found:
        if token.token_type == tokens.Kind.L_PAREN:
            opened.append(token)
        elif token.token_type == tokens.Kind.R_PAREN and opened:
            opened.pop()
    return opened[-1] if opened else None


def _wrong(error: ParseError, source: Source) -> SqlError:
    first = error.errors[0] if error.errors else {}
    description = str(first.get("description") or error).split(". Line")[0].rstrip(".")
    place = None
    if first.get("line"):
        line, column = int(first["line"]), int(first["col"])
        width = len(str(first.get("highlight") or "")) or 1
        place = line, max(1, column - width + 1)
    token, before = source.at(place)
    last = source.tokens[-1] if source.tokens else None
    found = parse_errors.said(description, token, before, last)
    if found.token is not None:
        place = source.line_and_column(found.token.start)
    return source.error_at("SS5001", f"not Spark SQL: {found.message}", place, found.hint)


def name_of(node: Any) -> str:
    """The name of a function as the text has it."""
    found: str = tokens.PREFIX.sub("", node.name)
    return found
