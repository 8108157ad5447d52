"""AST -> text. The only place that prints: every formatting choice is made here."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from sqlglot import ErrorLevel, exp
from sqlglot.dialects.dialect import Dialect as SqlglotDialect

if TYPE_CHECKING:
    from collections.abc import Callable

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
    printer._dispatch = _handlers(type(printer))
    return str(printer.generate(query, copy=False))


@cache
def _handlers(printer: type[Any]) -> dict[type[exp.Expr], Callable[..., str]]:
    """sqlglot's own handlers, but SELECT printed as it is.

    For Spark sqlglot rewrites QUALIFY, DISTINCT ON, UNNEST and ANY first, and searches the whole
    tree below every SELECT for them: quadratic in the nesting, for things our trees never hold.
    """
    handlers: dict[type[exp.Expr], Callable[..., str]] = dict(printer()._dispatch)
    handlers[exp.Select] = printer.select_sql
    return handlers
