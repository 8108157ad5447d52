"""AST -> text. The only place that prints: every formatting choice is made here."""

from __future__ import annotations

import re
import sys
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.text.printer import BREAK, WIDTH, handlers_of, printer_of, text_of
from substrait_sql.text.source_map import Marks, annotated, commented, with_relations

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from substrait_sql.dialect.identifiers import Names
    from substrait_sql.dialect.target import Target
    from substrait_sql.text.printer import Handler, Handlers
    from substrait_sql.text.source_map import Range
    from substrait_sql.wire.path import Path

INDENTED = 50
# Calls in calls, and parentheses, in one query: further in they stand on one line.
BROKEN = 16


def generate(query: exp.Expr, target: Target, indent: int = 0) -> str:
    """The text of a query: one clause per line, functions as they are named, nothing rewritten.

    target: how the dialect writes text. indent: how many spaces stand before each line but the first one.
    """
    text = text_of(query, _printer(target))
    return text.replace("\n", "\n" + " " * indent).replace(BREAK, "\n")


def generate_mapped(
    query: exp.Expr,
    target: Target,
    relations: Sequence[Path],
    annotate: bool,
    comments: Mapping[str, Sequence[str]] | None = None,
) -> tuple[str, list[Range]]:
    """The text, and where in it each node of the plan stands. relations: those of the plan.

    annotate: with comments that say so. comments: what else to say of relations, by their paths.
    """
    text = text_of(query, _printer(target))
    printer = _printer(target)
    marks = Marks(printer)
    ranges = with_relations(marks.read(text_of(query, printer), text), relations)
    if comments:
        text, ranges = commented(text, ranges, comments)
    if annotate:
        text, ranges = annotated(text, ranges)
    return text.replace(BREAK, "\n"), ranges


def _printer(target: Target) -> Any:
    known = _handlers(target)
    return printer_of(target.grammar, {**known, **_Layout().handlers(known)})


@lru_cache(maxsize=16)
def _handlers(target: Target) -> Handlers:
    """What prints each kind of node, but for where lines are broken."""
    names: Handlers = {
        exp.Identifier: _identifier(target.names),
        exp.Var: _finished(target),
    }
    return {**handlers_of(target.grammar), **_OWN, **names}


class _Layout:
    """Where lines are broken and how far they are indented.

    Without an end to that the spaces would be most of a deep text, and grow with the square of the depth.
    """

    def __init__(self) -> None:
        self.queries = 0
        self.calls = 0

    def _query(self, handler: Handler) -> Handler:
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

    def handlers(self, known: Handlers) -> Handlers:
        """What is broken into several lines where it is long, unless it is `BROKEN` levels deep. known: by whom."""
        found: Handlers = {
            kind: self._deeper(known[kind]) for kind in (exp.Anonymous, exp.Case, exp.In, exp.Tuple)
        }
        found[exp.Paren] = self._deeper(self._paren(known[exp.Paren]))
        for kind in (exp.CTE, exp.Exists, exp.Subquery):
            found[kind] = self._query(known[kind])
        return found

    def _deeper(self, handler: Handler) -> Handler:
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

    def _paren(self, handler: Handler) -> Handler:
        def handle(printer: Any, node: exp.Expr) -> str:
            if self.calls <= BROKEN:
                return handler(printer, node)
            return f"({printer.sql(node, 'this')})"

        return handle


def _identifier(names: Names) -> Handler:
    """A name, in quotes if the dialect needs them there, or if the node says so."""

    def handle(printer: Any, node: exp.Identifier) -> str:
        quoted = node.args.get("quoted")
        name: str = node.args["this"]
        if quoted is None:
            name = names.text(name)
        elif quoted:
            name = names.in_quotes(name)
        return name.replace("\n", BREAK) if "\n" in name else name

    return handle


def _finished(target: Target) -> Handler:
    """Finished text, such as a type; a line break in a quoted name is no place to indent.

    A string literal with something to escape in it is one, too, for engines that know backslashes. For others it is
    what sqlglot makes of it.
    """
    opening, closing = map(re.escape, target.names.quotes)
    quoted = re.compile(f"{opening}(?:[^{closing}]|{closing * 2})*{closing}")
    escapes = "\\" in type(target.grammar).tokenizer_class.STRING_ESCAPES

    def handle(printer: Any, node: exp.Var) -> str:
        text: str = node.args["this"]
        if not escapes and "text" in node.args:
            literal: str = printer.sql(exp.Literal.string(node.args["text"]))
            return literal.replace("\n", BREAK)
        if "\n" not in text or not quoted.search(text):
            return text
        return quoted.sub(lambda found: found[0].replace("\n", BREAK), text)

    return handle


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


_OWN: Handlers = {
    exp.Cast: partial(_cast, "CAST"),
    exp.TryCast: partial(_cast, "TRY_CAST"),
    exp.Filter: _filter,
    exp.WithinGroup: _within_group,
}
