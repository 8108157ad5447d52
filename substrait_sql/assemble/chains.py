"""The branches of a set operation, one after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

if TYPE_CHECKING:
    from substrait_sql.select.block import SetBody

_NODES: dict[str, type[exp.SetOperation]] = {
    "UNION": exp.Union,
    "INTERSECT": exp.Intersect,
    "EXCEPT": exp.Except,
}


def chained(query: exp.Query | None, branch: exp.Query, body: SetBody, *, whole: bool) -> exp.Query:
    """The branches so far, None before the first, and one more. whole: this one stands in parentheses.

    A first branch that is a chain of the same operator needs none: such chains go from left to right.
    """
    kind = _NODES[body.kind]
    if query is None:
        goes_on = type(branch) is kind and bool(branch.args.get("distinct")) == body.distinct
        open_ends = not any(branch.args.get(each) for each in ("order", "limit", "offset"))
        return exp.Subquery(this=branch) if whole and not (goes_on and open_ends) else branch
    if whole:
        branch = exp.Subquery(this=branch)
    return kind(this=query, expression=branch, distinct=body.distinct)
