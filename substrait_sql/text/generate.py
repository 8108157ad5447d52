"""AST -> text. The only place that prints: every formatting choice is made here."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

from sqlglot import ErrorLevel, exp
from sqlglot.dialects.dialect import Dialect as SqlglotDialect

if TYPE_CHECKING:
    from collections.abc import Callable

WIDTH = 100
INDENTED = 50

# Stands for a line break inside quotes while lines are indented. Sqlglot's own mark is a word that a plan could hold,
# too; half a surrogate pair is in no text that was ever encoded.
_BREAK = "\ud800"


def generate(query: exp.Expr, indent: int = 0) -> str:
    """The text of a query: one clause per line, functions as they are named, nothing rewritten.

    indent: how many spaces stand before each line but the first one.
    """
    printer: Any = SqlglotDialect.get_or_raise("spark").generator(
        pretty=True,
        normalize_functions=False,
        unsupported_level=ErrorLevel.IMMEDIATE,
        max_text_width=WIDTH,
    )
    printer._dispatch = _handlers()
    printer.SENTINEL_LINE_BREAK = _BREAK
    printer.wrap = _wrapping(printer)
    # `generate` would first search the tree for WITH clauses to move, and ours is where it belongs.
    text: str = printer.sql(query)
    return text.strip().replace("\n", "\n" + " " * indent).replace(_BREAK, "\n")


def _wrapping(printer: Any) -> Callable[[exp.Expr], str]:
    """Sqlglot's parentheses about a query, but its lines are indented no further than `INDENTED` queries deep.

    Beyond that the spaces would be most of the text, and grow with the square of the depth.
    """
    plain, depth = printer.wrap, 0

    def wrap(query: exp.Expr) -> str:
        nonlocal depth
        depth += 1
        try:
            if depth <= INDENTED:
                text: str = plain(query)
                return text
            bare = isinstance(query, exp.UNWRAPPED_QUERIES)
            return f"(\n{printer.sql(query) if bare else printer.sql(query, 'this')}\n)"
        finally:
            depth -= 1

    return wrap


@cache
def _handlers() -> dict[type[exp.Expr], Callable[..., str]]:
    """Sqlglot's own handlers, but SELECT printed as it is, and what belongs to a call on its line.

    For Spark sqlglot rewrites QUALIFY, DISTINCT ON, UNNEST and ANY first, and searches the whole
    tree below every SELECT for them: quadratic in the nesting, for things our trees never hold.
    """
    printer: Any = SqlglotDialect.get_or_raise("spark").generator()
    own: dict[type[exp.Expr], Callable[..., str]] = {
        exp.Select: type(printer).select_sql,
        exp.Filter: _filter,
        exp.Var: _var,
        exp.WithinGroup: _within_group,
    }
    return {**printer._dispatch, **own}


_QUOTED = re.compile(r"`(?:[^`]|``)*`")


def _var(printer: Any, node: exp.Var) -> str:
    """Finished text, such as a type; a line break in a quoted name is no place to indent."""
    text = str(node.this)
    if "`" not in text or "\n" not in text:
        return text
    return _QUOTED.sub(lambda found: found[0].replace("\n", _BREAK), text)


def _filter(printer: Any, node: exp.Filter) -> str:
    """``count(*) FILTER (WHERE x > 1)``, on one line where that is short."""
    call, condition = printer.sql(node, "this"), printer.sql(node.expression, "this")
    if "\n" not in condition and not printer.too_wide([call, condition]):
        return f"{call} FILTER (WHERE {condition})"
    return f"{call} FILTER (\n{printer.indent('WHERE')}\n{printer.indent(printer.indent(condition))}\n)"


def _within_group(printer: Any, node: exp.WithinGroup) -> str:
    """``string_agg(name, ',') WITHIN GROUP (ORDER BY id)``."""
    keys = ", ".join(printer.sql(key) for key in node.expression.expressions)
    return f"{printer.sql(node, 'this')} WITHIN GROUP (ORDER BY {keys})"


_COMMENT = re.compile(r"\s*/\* (relations\[\S*) \*/")


def map_lines(annotated: str, *, counted: bool) -> tuple[tuple[int, str], ...]:
    """The lines of an annotated text at which relations begin, from 1, with the relations' paths.

    counted: whether the comments themselves count as lines, as they do in the annotated text.
    """
    found = []
    line = 1
    for text in annotated.split("\n"):
        comment = _COMMENT.fullmatch(text)
        if comment is not None:
            found.append((line + 1 if counted else line, comment[1]))
        if comment is None or counted:
            line += 1
    return tuple(found)
