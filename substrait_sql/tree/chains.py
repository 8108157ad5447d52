"""Chains of AND and OR, and what is asked of the conditions in them."""

from __future__ import annotations

import re
from itertools import accumulate
from typing import TYPE_CHECKING

from sqlglot import exp

from substrait_sql.tree import origin

if TYPE_CHECKING:
    from collections.abc import Sequence

COMPARISONS = (
    exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE, exp.NullSafeEQ, exp.NullSafeNEQ,
)  # fmt: skip
_NUMBER = re.compile(r"-?(\d+)(?:\.(\d+))?([YSL]?)")
_MOST_OF_INT = 9

Column = tuple[object, int]


def bare(node: exp.Expression) -> exp.Expression:
    """The node without the parentheses around it, which are a tuple of one."""
    while type(node) is exp.Tuple and len(node.expressions) == 1:
        node = node.expressions[0]
    return node


def links(node: exp.Expression) -> tuple[list[exp.Expression], list[exp.Expression]]:
    """The operands of a chain of the node's own operator, left to right, without parentheses, and the operators."""
    kind = type(node)
    found: list[exp.Expression] = []
    operators: list[exp.Expression] = []
    stack = [node]
    while stack:
        each = bare(stack.pop())
        if type(each) is kind:
            operators.append(each)
            stack += (each.expression, each.this)
        else:
            found.append(each)
    return found, operators


def column(node: exp.Expression) -> Column | None:
    """Which column a node is, None for anything else."""
    found = origin.column_of(node)
    return None if found is None else (found.item, found.ordinal)


def constant(node: exp.Expression) -> tuple[object, ...] | None:
    """What kind of a literal a node is, None for anything else. Spark compares all of one kind under one type."""
    if type(node) is exp.Literal and node.is_string:
        return ("text",)
    if type(node) is exp.Introducer and type(node.this) is exp.Var:
        return ("typed", node.this.name) if type(node.expression) is exp.Literal else None
    if type(node) not in (exp.Literal, exp.Var):
        return None
    found = _NUMBER.fullmatch(node.name)
    if found is None:
        return None
    return ("number", len(found[2] or ""), found[3], len(found[1]) <= _MOST_OF_INT)


def risks(conditions: Sequence[exp.Expression]) -> list[int]:
    """How many of the conditions before each one may raise an error; the last number is of all of them."""
    return list(accumulate((not never_fails(c) for c in conditions), initial=0))


def never_fails(condition: exp.Expression) -> bool:
    """Whether a condition only compares columns and literals, so that it raises no error for any row."""
    stack = [condition]
    while stack:
        node = bare(stack.pop())
        if isinstance(node, (exp.And, exp.Or)):
            stack += (node.this, node.expression)
        elif isinstance(node, exp.Not):
            stack.append(node.this)
        elif not all(map(_plain, _compared(node))):
            return False
    return True


def _compared(node: exp.Expression) -> Sequence[exp.Expression]:
    """What a comparison is about; for any other node the node itself."""
    if isinstance(node, COMPARISONS):
        return node.this, node.expression
    if isinstance(node, exp.Between):
        return node.this, node.args["low"], node.args["high"]
    if isinstance(node, exp.In) and node.expressions:
        return node.this, *node.expressions
    if isinstance(node, exp.Is):
        return (node.this,)
    return (node,)


def _plain(node: exp.Expression) -> bool:
    return origin.column_of(node) is not None or constant(node) is not None
