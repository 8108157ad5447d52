"""What a SELECT may not say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from substrait_sql.lift import correlation
from substrait_sql.lift.expressions.functions import calls_aggregate
from substrait_sql.lift.typing.problems import Misused

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Protocol

    from substrait_sql.lift.context import Context
    from substrait_sql.lift.tree import Expr

    class Item(Protocol):
        """An item of the select list."""

        name: str
        value: Expr


def check_having(conditions: Sequence[Expr], having: Any, cx: Context) -> None:
    """Over grouping sets Spark computes windows before a HAVING whose text calls no aggregate, or after it."""
    if conditions and not calls_aggregate(having):
        message = "windows over groups of grouping sets, and a HAVING that calls no aggregate function itself"
        raise cx.error("SS5007", message, having)


def check_subqueries(items: Sequence[Item]) -> None:
    """A scalar subquery over the groups may not read columns around it. Raises `Misused`."""
    for each in items:
        if any(q.kind == "scalar" for q in correlation.correlated(each.value)):
            raise Misused(
                f"{each.name}: a query that reads the columns around it is no group's value"
            )


def refuse(node: Any, cx: Context) -> None:
    """Raises `SqlError` for clauses that are none of Spark's, or that a plan has no word for."""
    for key, what in (
        ("sample", "TABLESAMPLE"),
        ("into", "INTO"),
        ("match", "MATCH_RECOGNIZE"),
        ("connect", "CONNECT BY"),
    ):
        if node.args.get(key):
            raise cx.error("SS5002", f"{what} is not known here", node)
    if (node.args.get("limit") or node.args.get("offset")) and any(
        node.args.get(k) for k in ("sort", "cluster", "distribute")
    ):
        # Without a limit they say nothing about which rows there are.
        raise cx.error(
            "SS5007", "a plan has no word for the rows of a partition that LIMIT takes", node
        )
    if node.args.get("kind"):
        raise cx.error("SS5002", f"SELECT AS {node.args['kind']} is not Spark SQL", node)
