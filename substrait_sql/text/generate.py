"""AST -> text. The only place that prints: every formatting choice is made here."""

from __future__ import annotations

from sqlglot import ErrorLevel, exp
from sqlglot.dialects.dialect import Dialect as SqlglotDialect

WIDTH = 100


def generate(query: exp.Expr) -> str:
    """The text of a query: one clause per line, functions as they are named, nothing rewritten."""
    printer = SqlglotDialect.get_or_raise("spark").generator(
        pretty=True,
        normalize_functions=False,
        unsupported_level=ErrorLevel.RAISE,
        max_text_width=WIDTH,
        comments=True,
    )
    return str(printer.generate(query, copy=False))
