"""Names of the select list that an aggregate function takes none of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.lift.tree import Column
from substrait_sql.lift.typing.problems import Misused

if TYPE_CHECKING:
    from substrait_sql.lift.context import Context
    from substrait_sql.lift.scope import Scope


def check_lateral(node: Any, cx: Context) -> None:
    """Raises `Misused` for a name of another entry of the select list, which only functions with OVER take."""
    if cx.place != "SELECT":
        return
    for each in node.find_all(exp.Column):
        name = each.parts[0].name
        if name.casefold() in cx.scope.aliases and cx.scope.local([name]) is None:
            raise Misused(f"an aggregate function takes no {name}, a name of the select list")


def check_hidden(node: Any, scope: Scope, below: Scope) -> None:
    """In ORDER BY an alias hides a column also within an aggregate function, where Spark has no use for it."""
    for each in node.find_all(exp.Column):
        parts = [p.name for p in each.parts]
        if len(parts) > 1 or each.find_ancestor(exp.Query) is not node.find_ancestor(exp.Query):
            continue
        shown, own = scope.local(parts), below.local(parts)
        if (
            isinstance(shown, Column)
            and isinstance(own, Column)
            and shown.attribute is not own.attribute
        ):
            raise Misused(
                f"{parts[0]} is a name of the select list, which no aggregate function takes here"
            )
