"""The end of a SELECT: its list, QUALIFY, DISTINCT, ORDER BY, over the rows that the clauses before them have left.

ORDER BY may name what the list does not return. Rows are sorted by that before the list is made of them, where no key
reads what only the list computes; else it is a column behind those of the list, which is dropped when it has sorted.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from substrait_sql.lift.expressions.canonical import Forms
from substrait_sql.lift.query import hints
from substrait_sql.lift.relations import Distinct, Filter, Project, Sort
from substrait_sql.lift.tree import (
    AggregateCall,
    Attribute,
    Column,
    Expr,
    Relation,
    SortKey,
    Subquery,
    WindowCall,
    column,
    holds,
    rewritten,
    walk,
)
from substrait_sql.lift.typing import types as t

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.lift.context import Context
    from substrait_sql.lift.query.source import Item
    from substrait_sql.lift.scope import Scope


@dataclass(slots=True)
class Behind:
    """What stands behind the list: the keys of ORDER BY with their nodes in the text, the condition of QUALIFY."""

    sorts: Sequence[SortKey]
    order: Sequence[Any]
    qualified: Expr | None


class _List:
    """The select list, and behind it the columns that only sort or filter."""

    def __init__(self, outputs: Sequence[Attribute], items: Sequence[Item]) -> None:
        self.outputs = list(outputs)
        self.columns, self.values = list(outputs), [i.value for i in items]
        self._forms = Forms(exact=True)
        self._made = {id(a): v for a, v in zip(outputs, self.values, strict=True)}

    def inside(self, found: Expr) -> Expr:
        """The expression over the rows below the list."""

        def change(each: Expr) -> Expr | None:
            return self._made.get(id(each.attribute)) if isinstance(each, Column) else None

        return rewritten(found, change)

    def returned(self, found: Expr) -> Expr:
        """The expression over what the list returns, of the columns that it returns under their names."""

        def change(each: Expr) -> Expr | None:
            if not isinstance(each, Column):
                return None
            name = each.attribute.name.casefold()
            for attribute, value in zip(self.outputs, self.values, strict=False):
                if value == each and attribute.name.casefold() == name:
                    return column(attribute)
            return None

        return rewritten(found, change)

    def hidden(self, found: Expr) -> Column:
        """A column for an expression over the rows below: one that is returned, if that is it, else one more."""
        form = self._forms.of(found)
        for attribute, value in zip(self.outputs, self.values, strict=False):
            if self._forms.of(value) is form:
                return column(attribute)
        name = found.attribute.name if isinstance(found, Column) else ""
        attribute = Attribute(name, found.type, found.nullable, True)
        self.columns.append(attribute)
        self.values.append(found)
        return column(attribute)

    def over(self, relation: Relation) -> Relation:
        """The rows of the list."""
        return Project(tuple(self.columns), relation, tuple(self.values))


def finished(
    relation: Relation,
    items: Sequence[Item],
    outputs: Sequence[Attribute],
    behind: Behind,
    scope: Scope,
    cx: Context,
    node: Any,
) -> Relation:
    """The rows of the select list in their order."""
    listed = _List(outputs, items)
    distinct = bool(node.args.get("distinct"))
    condition = None
    if behind.qualified is not None:
        condition = listed.hidden(listed.inside(behind.qualified))
    keys = _keys(behind, listed, relation, cx, distinct)
    made = listed.over(relation)
    if condition is not None:
        made = Filter(made.columns, made, condition)
        if distinct and len(listed.columns) > len(outputs):
            made = _only(made, outputs)
    if distinct:
        if any(t.contains(a.type, "map") for a in outputs):
            raise cx.error("SS5003", "SELECT DISTINCT does not compare maps", node)
        made = Distinct(made.columns, made)
    spread = hints.repartitioned(node, made, outputs, scope, cx)
    if condition is None and not distinct and spread is made:
        below = _sorted_below(behind.sorts, listed, relation)
        if below is not None:
            return below
    made = Sort(spread.columns, spread, tuple(keys)) if keys else spread
    return made if len(made.columns) == len(outputs) else _only(made, outputs)


def _keys(
    behind: Behind, listed: _List, relation: Relation, cx: Context, distinct: bool
) -> list[SortKey]:
    """The keys over the list, to which it gets the columns that they need besides."""
    own = {id(a) for a in listed.outputs}
    below = {id(a) for a in relation.columns}
    keys: list[SortKey] = []
    for key, node in zip(behind.sorts, behind.order, strict=True):
        value = listed.returned(key.value) if distinct else key.value
        read = {id(x.attribute) for x in walk(value) if isinstance(x, Column)}
        if (read - own) & below or holds(value, AggregateCall, WindowCall):
            if distinct:
                raise cx.error("SS5003", "ORDER BY wants what SELECT DISTINCT gives", node)
            value = listed.hidden(listed.inside(value))
        keys.append(replace(key, value=value))
    return keys


def _sorted_below(sorts: Sequence[SortKey], listed: _List, relation: Relation) -> Relation | None:
    """The list over sorted rows; None where it has all that is sorted by, or computes something of that."""
    count = len(listed.outputs)
    if len(listed.columns) == count:
        return None
    computed = {
        id(a)
        for a, v in zip(listed.outputs, listed.values, strict=False)
        if not isinstance(v, Column)
    }
    values = [*listed.values[:count], *(key.value for key in sorts)]
    if any(holds(v, WindowCall, Subquery) for v in values):
        return None
    if any(
        id(x.attribute) in computed for k in sorts for x in walk(k.value) if isinstance(x, Column)
    ):
        return None
    keys = tuple(replace(key, value=listed.inside(key.value)) for key in sorts)
    made = Sort(relation.columns, relation, keys)
    return Project(tuple(listed.outputs), made, tuple(listed.values[:count]))


def _only(made: Relation, outputs: Sequence[Attribute]) -> Relation:
    return Project(tuple(outputs), made, tuple(column(a) for a in outputs))
