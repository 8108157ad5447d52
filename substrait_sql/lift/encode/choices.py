"""CASE as messages: with a subject a switch, else conditions."""

from __future__ import annotations

from decimal import Decimal
from functools import cache
from typing import TYPE_CHECKING, Any

from substrait_sql.lift.tree import Call, Case, Cast, Expr, Literal
from substrait_sql.lift.typing import types as t
from substrait_sql.wire.descriptors import message

if TYPE_CHECKING:
    from substrait_sql.lift.encode.frames import Frames


@cache
def _class() -> Any:
    return message("Expression")


def choice(found: Case, expressions: Any, frames: Frames) -> Any:
    """The message of a CASE. Where nothing is said of the rest, it is NULL."""
    last = Literal(found.type, True, None) if found.otherwise is None else found.otherwise
    made = _class()()
    subject = _subject(found)
    if subject is None:
        out = made.if_then
        for condition, value in found.branches:
            clause = out.ifs.add()
            getattr(clause, "if").CopyFrom(expressions.one(condition, frames))
            clause.then.CopyFrom(expressions.one(value, frames))
    else:
        out = made.switch_expression
        out.match.CopyFrom(expressions.one(subject, frames))
        for condition, value in found.branches:
            clause = out.ifs.add()
            constant = _constant(condition.children[1])
            assert constant is not None
            getattr(clause, "if").CopyFrom(expressions.one(constant, frames).literal)
            clause.then.CopyFrom(expressions.one(value, frames))
    getattr(out, "else").CopyFrom(expressions.one(last, frames))
    return made


def _subject(found: Case) -> Expr | None:
    """What ``CASE subject WHEN 1 THEN …`` compares with constants of its type; None for another CASE."""
    if found.shown != "switch":
        return None
    subject: Expr | None = None
    for condition, _ in found.branches:
        if not isinstance(condition, Call) or condition.name != "=":
            return None
        left, right = condition.arguments
        constant = _constant(right)
        if constant is None or constant.type != left.type or subject not in (None, left):
            return None
        subject = left
    return subject


def _constant(value: Expr) -> Literal | None:
    """A constant that a plan has a literal for, also where the text casts a whole number to a decimal."""
    number = value.value if isinstance(value, Cast) and not value.attempt else value
    if not isinstance(number, Literal) or number.value is None:
        return None
    if value.type.kind != "decimal" or number.type.kind not in (*t.INTEGRAL, "decimal"):
        return number if number is value else None
    precision, scale = value.type.numbers
    exact = Decimal(number.value)
    fits = abs(exact) < 10 ** (precision - scale) and -int(exact.as_tuple().exponent) <= scale
    return Literal(value.type, False, exact) if fits else None
