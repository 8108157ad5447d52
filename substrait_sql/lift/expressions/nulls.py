"""Which values are NULL to Spark before there are rows: ``k + NULL`` is, ``coalesce(k, NULL)`` is not."""

from __future__ import annotations

from substrait_sql.lift import correlation
from substrait_sql.lift.expressions.folded import folded
from substrait_sql.lift.tree import (
    Call,
    Case,
    Cast,
    Column,
    Expr,
    Literal,
    Subquery,
    holds,
    rewritten,
    walk,
)
from substrait_sql.lift.typing.problems import Misused

# Of these Spark says NULL if an operand is it, whatever the others are.
_STRICT = frozenset(
    ["+", "-", "*", "/", "div", "%", "=", "<", "<=", ">", ">=", "&", "|", "^", "~", "negative", "abs", "not"]
)  # fmt: skip


def asked_about(found: Subquery) -> bool:
    """Whether an IN is about a value that is NULL to Spark beforehand: then, and only then, its answer is unknown.

    Of a query that reads columns around it Spark asks about NULL as about any value. Raises `Misused` where that is not
    known here.
    """
    if len(found.values) > 1 or correlation.outer_of(found.query):
        return False
    (value,) = found.values
    known = is_known_null(rewritten(value, _constant))
    if known is None:
        what = "IN (query) of a value that Spark may know to be NULL"
        raise Misused(f"a plan has no word for {what}", "SS5007")
    if known and not all(map(_is_sure, walk(value))):
        what = "IN (query) of a NULL, whose answer depends on how the table is stored"
        raise Misused(f"a plan has no word for {what}", "SS5007")
    return known


def _constant(value: Expr) -> Expr | None:
    found = value.constant if isinstance(value, Column) else None
    return None if found is None else found.value


def _is_sure(value: Expr) -> bool:
    return not isinstance(value, Column) or value.constant is None or value.constant.sure


def is_known_null(value: Expr) -> bool | None:
    """Whether it is such a NULL; None where that is not known here."""
    if isinstance(value, (Column, Subquery)) or not value.nullable:
        return False
    if isinstance(value, Literal):
        return value.value is None
    if not holds(value, Column, Subquery):
        found = folded(value)
        return None if found is None else found.value is None
    if isinstance(value, Case):
        return _of_case(value)
    parts = [is_known_null(each) for each in value.children]
    if True in parts and (isinstance(value, Cast) or _is_strict(value)):
        return True
    return None if True in parts or None in parts else False


def _is_strict(value: Expr) -> bool:
    return isinstance(value, Call) and value.name in _STRICT


def _of_case(value: Case) -> bool | None:
    """It stays where no condition is a constant and not all that it gives is NULL."""
    conditions, given = zip(*value.branches, strict=True)
    decided = any(
        is_known_null(c) is not False or not holds(c, Column, Subquery) for c in conditions
    )
    others = () if value.otherwise is None else (value.otherwise,)
    all_null = all(is_known_null(each) is not False for each in (*given, *others))
    return None if decided or all_null else False
