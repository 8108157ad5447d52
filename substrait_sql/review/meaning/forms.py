"""What can be written in several ways, in one: comparisons, BETWEEN, IN, NOT of those.

Every rewriting here is equal for all values, NULL included.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from substrait_sql.review.meaning.facts import words
from substrait_sql.review.meaning.model import Expr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.wire.path import Path


def call_of(name: str, args: Sequence[Expr], path: Path | None) -> Expr:
    """A call of one of Substrait's own functions whose result is a boolean."""
    other = words()["mirrored"].get(name)
    if other is not None and len(args) == 2:
        name, args = other, args[::-1]
    commutes = name in words()["commutative"]
    return Expr(("call", "", name), args, path=path, shown=name, commutes=commutes)


_COMPARISONS = ("equal", "not_equal", "gt", "gte", "lt", "lte", "is_null", "is_not_null")
_OPPOSITE = {
    "equal": "not_equal",
    "not_equal": "equal",
    "is_null": "is_not_null",
    "is_not_null": "is_null",
}


def simple(name: str, args: list[Expr], path: Path) -> Expr | None:
    """The form that all ways of saying it share, None for a function that has but one."""
    if name in _COMPARISONS and len(args) == (1 if "null" in name else 2):
        return call_of(name, args, path)
    if name == "between" and len(args) == 3:
        low = call_of("gte", args[:2], path)
        return call_of("and", [low, call_of("lte", [args[0], args[2]], path)], path)
    if name == "not" and len(args) == 1:
        return _negated(args[0], path)
    return None


def _negated(arg: Expr, path: Path) -> Expr:
    if arg.head[:2] == ("call", "") and len(arg.head) == 3:
        if arg.head[2] in _OPPOSITE:
            return call_of(_OPPOSITE[arg.head[2]], arg.args, path)
        if arg.head[2] == "not":
            return arg.args[0]
    if arg.head == ("in",) and all(o.kind == "literal" for o in arg.args[1].args):
        value, options = arg.args[0], arg.args[1].args
        each = [call_of("not_equal", [value, o], o.path) for o in options]
        return call_of("and", each, path)
    return Expr(("call", "", "not"), [arg], path=path, shown="not")


def either(args: list[Expr], path: Path) -> Expr:
    """``x = 1 OR x = 2`` is ``x IN (1, 2)``."""
    picked = [_picked(a) for a in args]
    column = picked[0][0] if picked and picked[0] is not None else None
    options: list[Expr] = []
    for each in picked:
        if each is None or each[0] is not column:
            return call_of("or", args, path)
        options += each[1]
    if column is None or len(options) < 2:
        return call_of("or", args, path)
    return Expr(("in",), [column, Expr(("list",), options, commutes=True)], path=path)


def _picked(arg: Expr) -> tuple[Expr, list[Expr]] | None:
    """The column and the values of ``x = 1`` and of ``x IN (1, 2)``."""
    if arg.head == ("in",):
        options = list(arg.args[1].args)
        literal = all(o.kind == "literal" for o in options)
        return (arg.args[0], options) if literal and arg.args[0].kind == "column" else None
    if arg.head != ("call", "", "equal"):
        return None
    for value, option in (arg.args, arg.args[::-1]):
        if value.kind == "column" and option.kind == "literal":
            return value, [option]
    return None
