"""``x >= a AND x <= b`` as ``x BETWEEN a AND b``, which Spark takes apart again.

Only of columns, and of what a lambda is given: what else stands before BETWEEN Spark computes in a projection of its
own, so as to do it once.
"""

from __future__ import annotations

from sqlglot import exp

from substrait_sql.tree import origin
from substrait_sql.tree.chains import Column, column, risks

_OTHER: dict[type[exp.Expression], type[exp.Expression]] = {exp.GTE: exp.LTE, exp.LTE: exp.GTE}


def with_ranges(conditions: list[exp.Expression]) -> list[exp.Expression]:
    """The conditions of an AND, with a BETWEEN at the first of each two that are one.

    They are evaluated from the left: the second may only move past others where none of all these raises an error.
    """
    if sum(type(c) in _OTHER for c in conditions) < 2:
        return conditions
    before = risks(conditions)
    found: list[exp.Expression | None] = []
    waiting: dict[tuple[Column | str, type[exp.Expression]], int] = {}
    for i, condition in enumerate(conditions):
        found.append(condition)
        of = _named(condition.this) if type(condition) in _OTHER else None
        if of is None:
            continue
        first = waiting.pop((of, _OTHER[type(condition)]), None)
        if first is not None and (first + 1 == i or before[first + 1] == before[i + 1]):
            found[first], found[i] = _between(conditions[first], condition), None
        else:
            waiting.setdefault((of, type(condition)), i)
    return [c for c in found if c is not None]


def _named(node: exp.Expression) -> Column | str | None:
    """Which column a node is, or which parameter of a lambda, or part of one; None for anything else."""
    found = column(node)
    if found is not None:
        return found
    path = []
    while isinstance(node, exp.Dot) and isinstance(node.expression, exp.Identifier):
        path.append(node.expression.name)
        node = node.this
    if not isinstance(node, exp.Column | exp.Identifier) or column(node) is not None:
        return None
    return ".".join([node.name, *reversed(path)])


def _between(first: exp.Expression, second: exp.Expression) -> exp.Expression:
    low, high = (first, second) if type(first) is exp.GTE else (second, first)
    made = exp.Between(this=first.this, low=low.expression, high=high.expression)
    origin.join((first, second), made)
    return made
