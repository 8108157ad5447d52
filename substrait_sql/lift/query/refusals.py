"""What a SELECT may not say."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.lift import correlation
from substrait_sql.lift.expressions.canonical import Form, Forms
from substrait_sql.lift.expressions.functions import calls_aggregate
from substrait_sql.lift.text.parse import name_of
from substrait_sql.lift.tree import (
    AggregateCall,
    Call,
    Column,
    Literal,
    Subquery,
    WindowCall,
    holds,
)
from substrait_sql.lift.typing import types as t
from substrait_sql.lift.typing.problems import Misused

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from substrait_sql.lift.context import Context
    from substrait_sql.lift.query.keys import Keys
    from substrait_sql.lift.query.source import Item
    from substrait_sql.lift.scope import Scope
    from substrait_sql.lift.tree import Expr, Relation, SortKey


_ONE = Literal(t.INT, False, 1)
_GROUPING = ("grouping", "grouping_id")


def check_having(conditions: Sequence[Expr], having: Any, cx: Context) -> None:
    """Over grouping sets Spark computes windows before a HAVING whose text calls no aggregate, or after it."""
    if conditions and not calls_aggregate(having):
        message = "windows over groups of grouping sets, and a HAVING that calls no aggregate function itself"
        raise cx.error("SS5007", message, having)


def check_repeated_sets(keys: Keys, nodes: Sequence[Any], cx: Context) -> None:
    """Where a grouping set is repeated Spark has no ``grouping()`` in HAVING and ORDER BY."""
    sets = keys.sets or []
    if len({frozenset(s) for s in sets}) == len(sets):
        return
    for node in nodes:
        if node is not None and any(
            name_of(x).lower() in _GROUPING for x in node.find_all(exp.Anonymous)
        ):
            message = "grouping() of grouping sets that are repeated wants to be a column of the select list"
            raise cx.error("SS5003", message, node, hint="name it there, and use the name")


def check_keys_asked(keys: Keys, having: Any, items: Sequence[Item], cx: Context) -> None:
    """Over grouping sets a HAVING that calls a function knows the columns of the select list, and no other keys."""
    if keys.sets is None or having is None or not having.find(exp.Anonymous, exp.Between):
        return
    shown = {i.name.casefold() for i in items}
    for each in having.find_all(exp.Column):
        measured = any(
            isinstance(above, exp.Query) or calls_aggregate(above)
            for above in _around(each, having)
        )
        if not measured and each.name.casefold() not in shown:
            message = f"HAVING of grouping sets that calls a function knows no {each.name}"
            raise cx.error("SS5003", message, each, hint="return it under its own name")


def between_groups_and_order(
    items: Sequence[Item], conditions: Sequence[Expr], windowed: bool, source: Relation
) -> str:
    """What stands between the groups and ORDER BY, as a message says it; empty if nothing does."""
    if windowed:
        return "a window function"
    forms = Forms()
    shown = {_form(i.value, forms) for i in items}
    own = {id(a) for a in source.columns}
    wanting = any(_wants_more(c, shown, own, forms) for c in conditions)
    return "a HAVING that wants more than the select list" if wanting else ""


def check_key(key: SortKey, what: str, source: Relation, keys: Keys) -> None:
    """A key of ORDER BY calls an aggregate function, and knows what a key of the groups is made of, right above them.

    Raises `Misused`. what: stands between, see `between_groups_and_order`.
    """
    if not what:
        return
    if holds(key.value, AggregateCall):
        raise Misused(
            f"ORDER BY takes no aggregate function over {what}",
            hint="return it under a name, and order by the name",
        )
    own = {id(a) for a in source.columns}
    plain = {id(k.attribute) for k in keys.keys if isinstance(k, Column)}
    for each in _columns(key.value):
        if id(each.attribute) in own - plain:
            raise Misused(
                f"ORDER BY does not know {each.attribute.name} over {what}",
                hint="return the key under a name, and order by the name",
            )


def _columns(found: Expr) -> Iterator[Column]:
    """The columns in it, but not those that a window of time is made of: Spark knows that one by its name."""
    if isinstance(found, Column):
        yield found
    elif not (isinstance(found, Call) and found.name == "window"):
        for each in found.children:
            yield from _columns(each)


def _form(found: Expr, forms: Forms) -> Form:
    """As `Forms`; ``count(1)`` is what Spark makes of ``count(*)``."""
    if isinstance(found, AggregateCall) and found.name == "count" and found.arguments == (_ONE,):
        found = replace(found, arguments=())
    return forms.of(found)


def _wants_more(found: Expr, shown: set[Form], own: set[int], forms: Forms) -> bool:
    """Whether the select list has something of it not. own: the columns of FROM, by identity."""
    stack, seen = [found], set[int]()
    while stack:
        each = stack.pop()
        if id(each) in seen or _form(each, forms) in shown:
            continue
        seen.add(id(each))
        if isinstance(each, AggregateCall):
            return True
        if isinstance(each, Column) and id(each.attribute) in own:
            return True
        if isinstance(each, Subquery) and correlation.aggregates_around(each.query, own):
            return True
        stack += each.children
    return False


def check_hidden(having: Any, items: Sequence[Item], scope: Scope) -> None:
    """Over window functions an aggregate function of HAVING takes an alias for a column of its name, to no use.

    Raises `Misused`.
    """
    aliases = {i.name.casefold(): i.value for i in items}
    for each in having.find_all(exp.Column):
        above = list(_around(each, having))
        if len(each.parts) > 1 or any(isinstance(a, exp.Query) for a in above):
            continue
        named, own = aliases.get(each.name.casefold()), scope.local([each.name])
        hidden = named is not None and not holds(named, WindowCall) and isinstance(own, Column)
        if hidden and named != own and any(map(calls_aggregate, above)):
            raise Misused(
                f"{each.name} is a name of the select list, which no aggregate function takes here",
                hint="name the table, too",
            )


def _around(node: Any, top: Any) -> Iterator[Any]:
    """The calls and queries around a node, below another one."""
    above = node.parent
    while above is not None and above is not top:
        called = isinstance(above, exp.Anonymous) and name_of(above).lower() not in _GROUPING
        if called or isinstance(above, exp.Query):
            yield above
        above = above.parent


def check_subqueries(items: Sequence[Item]) -> None:
    """A scalar subquery over the groups may not read columns around it. Raises `Misused`."""
    for each in items:
        if any(q.kind == "scalar" for q in correlation.correlated(each.value)):
            raise Misused(
                f"{each.name}: a query that reads the columns around it is no group's value"
            )


def refuse(node: Any, cx: Context) -> None:
    """Raises `SqlError` for clauses of SELECT that a plan has no word for."""
    if (node.args.get("limit") or node.args.get("offset")) and any(
        node.args.get(k) for k in ("sort", "cluster", "distribute")
    ):
        # Without a limit they say nothing about which rows there are.
        raise cx.error(
            "SS5007", "a plan has no word for the rows of a partition that LIMIT takes", node
        )
    if node.args.get("kind"):
        raise cx.error("SS5002", f"SELECT AS {node.args['kind']} is not Spark SQL", node)
