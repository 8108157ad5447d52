"""CASE as messages: with a subject a switch, else conditions."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from substrait_sql.lift.tree import Call, Case, Expr, Literal
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
            constant = expressions.one(condition.children[1], frames)
            getattr(clause, "if").CopyFrom(constant.literal)
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
        plain = isinstance(right, Literal) and right.value is not None and right.type == left.type
        if not plain or (subject is not None and left != subject):
            return None
        subject = left
    return subject
