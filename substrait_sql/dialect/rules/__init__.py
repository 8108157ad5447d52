"""The few functions whose SQL needs more than a template.

A dialect line names one: ``rule: datetime.extract``.

A rule takes the call and its line, and returns the SQL and the type Spark yields (None: the type
the extension file promises).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.dialect.model import Call, Node
from substrait_sql.dialect.strings import string_literal, text_of
from substrait_sql.errors import UnsupportedError, refuse
from substrait_sql.schema import types as ty
from substrait_sql.tree.copies import clone

if TYPE_CHECKING:
    from substrait_sql.dialect.line import Line

Result = tuple[Node, Any]


def literal_int(node: Node | None) -> int | None:
    """The value of an integer literal, with or without a cast around it; None for anything else."""
    if isinstance(node, exp.Cast):
        node = node.this
    if isinstance(node, exp.Neg):
        value = literal_int(node.this)
        return None if value is None else -value
    if isinstance(node, exp.Var) or (isinstance(node, exp.Literal) and not node.is_string):
        found = re.fullmatch(r"(-?\d+)[LSY]?", node.name, re.IGNORECASE)
        return int(found[1]) if found else None
    return None


def literal_text(node: Node | None) -> str | None:
    """The value of a string literal, with or without a cast around it; None for anything else."""
    if isinstance(node, exp.Cast):
        node = node.this
    return text_of(node)


def is_null(node: Node | None) -> bool:
    """Whether this is the literal NULL."""
    return isinstance(node.this if isinstance(node, exp.Cast) else node, exp.Null)


def number(value: int) -> Node:
    """An integer literal."""
    return exp.Literal.number(value)


def quoted(value: str) -> Node:
    """A string literal."""
    return string_literal(value)


def again(node: Node) -> Node:
    """A copy of an argument that has been used already."""
    return clone(node)


def as_int(node: Node, t: Any) -> Node:
    """An integer where Spark wants INT.

    A literal is written plainly, any other Spark narrows itself, checked.
    """
    value = literal_int(node)
    plain = ty.kind(t) in ("i64", "i32", None) and value is not None and abs(value) < 2**31
    return number(value) if plain and value is not None else node


def preference(call: Call, line: Line, option: str) -> str | None:
    """The first deliverable preference for an option, in upper case; None where the call does not have it."""
    known = line.options.get(option.upper(), {})
    for name, preferences in call.options:
        if name.upper() == option.upper():
            return next((p.upper() for p in preferences if p.upper() in known), None)
    return None


def mirrored(call: Call) -> bool:
    """Whether a result that is NULL whenever an argument is may be NULL."""
    return any(t is None or ty.nullable(t) for t in call.types)


def refused(call: Call, message: str, hint: str = "") -> UnsupportedError:
    """The error for a form of a function that has no right SQL."""
    return refuse("SS2222", f"{call.function}: {message}", call.path, hint)
