"""Which function lifts which node of sqlglot's tree.

A query holds expressions and an expression holds queries: this module stands between their packages, which know
nothing of one another.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

from substrait_sql.lift.problems import UNKNOWN, no_value

if TYPE_CHECKING:
    from substrait_sql.lift.context import Context
    from substrait_sql.lift.problems import Problems
    from substrait_sql.lift.tree import Expr, Relation

    Lifter = Callable[[Any, Context], Expr]

F = TypeVar("F", bound=Callable[..., Any])
_LIFTERS: dict[type, Lifter] = {}
_PARTS: dict[str, Callable[..., Any]] = {}
_MODULES = ("references", "literals", "operators", "casts", "functions", "windows", "subqueries")


def lifts(*kinds: type) -> Callable[[Lifter], Lifter]:
    """Registers the function for these nodes."""

    def register(function: Lifter) -> Lifter:
        _LIFTERS.update(dict.fromkeys(kinds, function))
        return function

    return register


@cache
def _members() -> dict[type, Lifter]:
    for name in _MODULES:
        import_module(f"substrait_sql.lift.expressions.{name}")
    return _LIFTERS


def part(function: F) -> F:
    """Registers a function of the queries by its name, for those that may not import it."""
    _PARTS[function.__name__] = function
    return function


def query(node: Any, cx: Context) -> Relation:
    """The relation of a query; cx: what it sees around it. Raises `SqlError`."""
    found: Relation = _part("query.query", "any_query")(node, cx)
    return found


def item(node: Any, cx: Context) -> Any:
    """The source that an item of FROM is. Raises `SqlError`."""
    return _part("query.from_clause", "relation")(node, cx)


def piped(node: Any, cx: Context) -> Relation:
    """The relation of a query with pipes. Raises `SqlError`."""
    found: Relation = _part("query.pipes", "piped")(node, cx)
    return found


def starred(node: Any, cx: Context) -> list[tuple[Expr, str]]:
    """The columns that a star stands for, with their names."""
    found: list[tuple[Expr, str]] = _part("query.stars", "expanded")(node, cx)
    return found


def _part(module: str, name: str) -> Callable[..., Any]:
    if name not in _PARTS:
        import_module(f"substrait_sql.lift.{module}")
    return _PARTS[name]


def lift(node: Any, cx: Context) -> Expr:
    """The typed expression of a node. Raises `SqlError`."""
    found = _members().get(type(node), _not_known)
    if cx.problems is not None:
        return _checked(found, node, cx, cx.problems)
    return _made(found, node, cx)


def _made(lifter: Lifter, node: Any, cx: Context) -> Expr:
    with cx.about(node):
        value = lifter(node, cx)
        cx.engine.check_type(value.type)
        return value


def _checked(lifter: Lifter, node: Any, cx: Context, problems: Problems) -> Expr:
    """The expression; one of no known type where it or something in it is wrong."""
    before = problems.count
    value = cx.checked(lambda: _made(lifter, node, cx), no_value, node)
    if value.type == UNKNOWN and problems.count == before:
        problems.count += 1
    return value if problems.count == before else no_value()


def _not_known(node: Any, cx: Context) -> Expr:
    what = type(node).__name__
    raise cx.error("SS5002", f"{what} is not known here: {_short(node)}", node)


def _short(node: Any) -> str:
    try:
        text: str = node.sql("spark")
    except Exception:  # a node that nobody prints: the error that quotes it matters more
        return ""
    return text if len(text) < 80 else f"{text[:77]}…"
