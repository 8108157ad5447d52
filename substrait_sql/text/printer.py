"""Sqlglot's printers, with handlers of our own for some kinds of nodes. The only module that touches their inside.

A printer finds the handler of a node in a dictionary, `_dispatch`, which is made from the `TRANSFORMS` and the methods
of its class. A subclass with other `TRANSFORMS` is how sqlglot means that to be changed, but its compiled build lets
nobody inherit from its classes ("interpreted classes cannot inherit from compiled"). What both builds take is a
dictionary of a printer's own.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

from sqlglot import ErrorLevel, exp
from sqlglot.errors import UnsupportedError as NotPrinted

from substrait_sql.errors import UnsupportedError
from substrait_sql.style import UPPER
from substrait_sql.tree.origin import CopyError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlglot.dialects.dialect import Dialect as Grammar

    from substrait_sql.style import Style

Handler = Callable[..., str]
Handlers = dict[type[Any], Handler]

# Stands for a line break inside quotes while lines are indented. Sqlglot's own mark is a word that a plan could hold,
# too; half a surrogate pair is in no text that was ever encoded.
BREAK = "\ud800"
# Stand for comments, see `remarks`.
REMARKS = "\ud804", "\ud805", "\ud806", "\ud807"


@cache
def handlers_of(grammar: Grammar) -> Handlers:
    """Sqlglot's own handlers for this dialect of its, but SELECT and WITH printed as they are.

    For Spark sqlglot rewrites QUALIFY, DISTINCT ON, UNNEST and ANY first, and searches the whole
    tree below every SELECT for them: quadratic in the nesting, for things our trees never hold.
    Its older releases do not print WITH RECURSIVE for Spark, which has it since 4.1: a dialect
    without recursions refuses them before there is a tree.
    """
    printer: Any = grammar.generator()
    kind = type(printer)
    return {**_handlers(printer), exp.Select: kind.select_sql, exp.With: kind.with_sql}


def _handlers(printer: Any) -> Handlers:
    """The handlers that a printer has, by the kind of node.

    Releases of sqlglot before 30.4 keep some of them in `TRANSFORMS`, and look for all others by the node's name.
    """
    dispatch: Handlers | None = getattr(printer, "_dispatch", None)
    if dispatch is not None:
        return dispatch
    methods = {
        kind: method
        for kind in vars(exp).values()
        if isinstance(kind, type)
        and issubclass(kind, exp.Expression)
        and (method := getattr(type(printer), f"{kind.key}_sql", None))
    }
    return {**methods, **printer.TRANSFORMS}


def printer_of(grammar: Grammar, handlers: Mapping[type[exp.Expr], Handler], style: Style) -> Any:
    """A printer with these handlers, for `text_of`.

    Its own `generate` would first search the tree for WITH clauses to move, and ours is where it belongs.
    """
    printer: Any = grammar.generator(
        pretty=True,
        normalize_functions="upper" if style.functions == UPPER else False,
        unsupported_level=ErrorLevel.IMMEDIATE,
        max_text_width=style.width,
    )
    _use(printer, handlers)
    printer.SENTINEL_LINE_BREAK = BREAK
    return printer


def text_of(query: exp.Expr, printer: Any) -> str:
    """The text of a tree, as a printer makes it.

    Raises `UnsupportedError` SS3209 for what sqlglot has no words for in that dialect: never for Spark.
    """
    try:
        text: str = printer.sql(query)
    except (NotPrinted, CopyError) as error:
        name = type(printer.dialect).__name__
        why = f"it copies the tree: {error}" if isinstance(error, CopyError) else str(error)
        raise UnsupportedError.of(
            "SS3209", f"sqlglot's printer {name} does not print this query: {why}"
        ) from error
    return text.strip()


def about_each(printer: Any, change: Callable[[Handler], Handler]) -> None:
    """Makes a printer use other handlers, each made of the one that it has."""
    _use(printer, {kind: change(handler) for kind, handler in _handlers(printer).items()})


def _use(printer: Any, handlers: Mapping[type[Any], Handler]) -> None:
    if hasattr(printer, "_dispatch"):
        printer._dispatch = handlers
    else:
        printer.TRANSFORMS = handlers
