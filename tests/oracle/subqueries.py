"""Subqueries: relations inside expressions, evaluated anew for each record."""

from __future__ import annotations

from typing import Any

from tests.oracle import values
from tests.oracle.model import Env, Invalid, NotCovered, RuntimeFailure, Table

# SetComparison.ComparisonOp -> what it says of compare()'s -1, 0, 1.
COMPARISONS = {
    1: lambda c: c == 0,
    2: lambda c: c != 0,
    3: lambda c: c < 0,
    4: lambda c: c > 0,
    5: lambda c: c <= 0,
    6: lambda c: c >= 0,
}


def value(node: Any, env: Env) -> Any:
    """The subquery of its kind."""
    match node.WhichOneof("subquery_type"):
        case "scalar":
            return _scalar(_rows(node.scalar.input, env))
        case "in_predicate":
            return _in(node.in_predicate, env)
        case "set_predicate":
            return _predicate(node.set_predicate, env)
        case "set_comparison":
            return _comparison(node.set_comparison, env)
    raise Invalid("an empty subquery")


def _rows(rel: Any, env: Env) -> Table:
    from tests.oracle.relations import relation

    return relation(rel, env.world, env.inside())


def _scalar(table: Table) -> Any:
    """One column; NULL without a row, an error with two."""
    if table.width != 1:
        raise Invalid("a scalar subquery has one column")
    if len(table.rows) > 1:
        raise RuntimeFailure("a scalar subquery with several rows")
    return table.rows[0][0] if table.rows else None


def _in(node: Any, env: Env) -> bool | None:
    """Row by row: TRUE if one equals, else NULL if one might, else FALSE."""
    from tests.oracle.expressions import evaluate

    needles = [evaluate(n, env) for n in node.needles]
    haystack = _rows(node.haystack, env)
    if haystack.width != len(needles):
        raise Invalid("needles and columns of the haystack differ in number")
    return values.any_true(
        [
            values.all_true([values.equal(n, v) for n, v in zip(needles, row, strict=True)])
            for row in haystack.rows
        ]
    )


def _predicate(node: Any, env: Env) -> bool:
    """EXISTS: there is a row. UNIQUE: no two rows are equal; a row with a NULL equals none."""
    table = _rows(node.tuples, env)
    if node.predicate_op == 1:
        return bool(table.rows)
    if node.predicate_op != 2:
        raise Invalid("an unknown set predicate")
    known = [values.key(r) for r in table.rows if None not in r]
    return len(set(known)) == len(known)


def _comparison(node: Any, env: Env) -> bool | None:
    """ANY is an OR over the rows, ALL an AND: FALSE and TRUE where there are none."""
    from tests.oracle.expressions import evaluate

    if node.comparison_op not in COMPARISONS or node.reduction_op not in (1, 2):
        raise Invalid("an unknown comparison or reduction")
    left = evaluate(node.left, env)
    table = _rows(node.right, env)
    if table.width != 1:
        raise NotCovered("comparisons with several columns")
    found = []
    for (right,) in table.rows:
        c = values.compare(left, right)
        found.append(None if c is None else COMPARISONS[node.comparison_op](c))
    return values.any_true(found) if node.reduction_op == 1 else values.all_true(found)
