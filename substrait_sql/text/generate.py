"""AST -> text. The only place that prints: every formatting choice is made here."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from sqlglot import ErrorLevel, exp
from sqlglot.dialects.dialect import Dialect as SqlglotDialect

from substrait_sql.text.source_map import Marks, annotated, with_relations
from substrait_sql.tree.plan_paths import KEY

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.text.source_map import Range
    from substrait_sql.wire.path import Path

_Handler = Callable[..., str]
_Handlers = dict[type[exp.Expr], _Handler]

WIDTH = 100
INDENTED = 50
# Calls in calls, and parentheses, in one query: further in they stand on one line.
BROKEN = 16

# Stands for a line break inside quotes while lines are indented. Sqlglot's own mark is a word that a plan could hold,
# too; half a surrogate pair is in no text that was ever encoded.
_BREAK = "\ud800"


def generate(query: exp.Expr, indent: int = 0) -> str:
    """The text of a query: one clause per line, functions as they are named, nothing rewritten.

    indent: how many spaces stand before each line but the first one.
    """
    text: str = _printer().sql(query)
    return text.strip().replace("\n", "\n" + " " * indent).replace(_BREAK, "\n")


def generate_mapped(
    query: exp.Expr, relations: Sequence[Path], annotate: bool
) -> tuple[str, list[Range]]:
    """The text, and where in it each node of the plan stands. relations: those of the plan.

    annotate: with comments that say so.
    """
    text = _printer().sql(query).strip()
    printer = _printer()
    marks = Marks(printer, KEY)
    ranges = with_relations(marks.read(printer.sql(query).strip(), text), relations)
    if annotate:
        text, ranges = annotated(text, ranges)
    return text.replace(_BREAK, "\n"), ranges


def _printer() -> Any:
    printer: Any = SqlglotDialect.get_or_raise("spark").generator(
        pretty=True,
        normalize_functions=False,
        unsupported_level=ErrorLevel.IMMEDIATE,
        max_text_width=WIDTH,
    )
    layout = _Layout()
    printer._dispatch = {**_handlers(), **layout.handlers()}
    printer.SENTINEL_LINE_BREAK = _BREAK
    # Its own `generate` would first search the tree for WITH clauses to move, and ours is where it belongs: `sql` is
    # what is called.
    return printer


class _Layout:
    """Where lines are broken and how far they are indented.

    Without an end to that the spaces would be most of a deep text, and grow with the square of the depth.
    """

    def __init__(self) -> None:
        self.queries = 0
        self.calls = 0

    def _query(self, handler: _Handler) -> _Handler:
        """Sqlglot's parentheses about a query, but its lines are indented no further than `INDENTED` queries deep."""

        def handle(printer: Any, query: exp.Expr) -> str:
            calls, width = self.calls, printer.max_text_width
            self.queries += 1
            self.calls, printer.max_text_width = 0, WIDTH
            try:
                return (
                    handler(printer, query) if self.queries <= INDENTED else _flat(printer, query)
                )
            finally:
                self.queries -= 1
                self.calls, printer.max_text_width = calls, width

        return handle

    def handlers(self) -> _Handlers:
        """What is broken into several lines where it is long, unless it is `BROKEN` levels deep."""
        known = _handlers()
        found: _Handlers = {
            kind: self._deeper(known[kind]) for kind in (exp.Anonymous, exp.Case, exp.In, exp.Tuple)
        }
        found[exp.Paren] = self._deeper(self._paren(known[exp.Paren]))
        for kind in (exp.CTE, exp.Exists, exp.Subquery):
            found[kind] = self._query(known[kind])
        return found

    def _deeper(self, handler: _Handler) -> _Handler:
        def handle(printer: Any, node: exp.Expr) -> str:
            width = printer.max_text_width
            self.calls += 1
            if self.calls > BROKEN:
                printer.max_text_width = sys.maxsize
            try:
                return handler(printer, node)
            finally:
                self.calls -= 1
                printer.max_text_width = width

        return handle

    def _paren(self, handler: _Handler) -> _Handler:
        def handle(printer: Any, node: exp.Expr) -> str:
            if self.calls <= BROKEN:
                return handler(printer, node)
            return f"({printer.sql(node, 'this')})"

        return handle


@cache
def _handlers() -> _Handlers:
    """Sqlglot's own handlers, but SELECT printed as it is, and what belongs to a call on its line.

    For Spark sqlglot rewrites QUALIFY, DISTINCT ON, UNNEST and ANY first, and searches the whole
    tree below every SELECT for them: quadratic in the nesting, for things our trees never hold.
    """
    printer: Any = SqlglotDialect.get_or_raise("spark").generator()
    own: _Handlers = {
        exp.Cast: partial(_cast, "CAST"),
        exp.TryCast: partial(_cast, "TRY_CAST"),
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


def _flat(printer: Any, query: exp.Expr) -> str:
    """A query in parentheses, whose lines are not indented."""
    text, alias = f"(\n{printer.sql(query, 'this')}\n)", printer.sql(query, "alias")
    if isinstance(query, exp.CTE):
        return f"{alias} AS {text}"
    if isinstance(query, exp.Exists):
        return f"EXISTS{text}"
    return f"{text} AS {alias}" if alias else text


def _cast(word: str, printer: Any, node: exp.Cast) -> str:
    """``CAST(x AS BIGINT)``; our types are finished text, and sqlglot's compiled build takes trees of its own only."""
    return f"{word}({printer.sql(node, 'this')} AS {printer.sql(node, 'to')})"


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
