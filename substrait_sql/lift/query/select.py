"""SELECT: its clauses in the order in which they mean something."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.lift import correlation, operators
from substrait_sql.lift.dispatch import lift, starred
from substrait_sql.lift.expressions.functions import aggregates_in, calls_aggregate, sort_key
from substrait_sql.lift.naming.names import is_path, name_of
from substrait_sql.lift.problems import no_value
from substrait_sql.lift.query import generate, grouping, hints, refusals
from substrait_sql.lift.query.finish import Behind, finished
from substrait_sql.lift.query.from_clause import from_clause
from substrait_sql.lift.query.keys import Keys, keys_of
from substrait_sql.lift.query.ordering import check_partitions, is_all, sort_scope, sorted_key
from substrait_sql.lift.query.source import (
    Item,
    Source,
    filtered,
    outputs_of,
    qualify_scope,
    tell_nullable,
    values_by_name,
)
from substrait_sql.lift.query.stars import is_star
from substrait_sql.lift.relations import Filter
from substrait_sql.lift.scope import Scope
from substrait_sql.lift.text import time_windows
from substrait_sql.lift.tree import (
    AggregateCall,
    Attribute,
    Call,
    Column,
    Expr,
    Generator,
    Relation,
    SortKey,
    StructField,
    WindowCall,
    column,
    holds,
    walk,
)
from substrait_sql.lift.typing.problems import Misused

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from substrait_sql.lift.context import Context


# A name of the select list is its value each time that it is read: ``x0 + x0 AS x1, x1 + x1 AS x2`` and so on to xn
# are 2^n expressions. Beyond so many a plan of them would take minutes.
_MOST = 20_000


@dataclass(slots=True)
class Generated:
    """A generator of the select list, and the columns it makes."""

    value: Expr
    columns: list[Attribute]
    node: Any

    def beside(self, relation: Relation, cx: Context) -> Relation:
        """The rows, each beside those that the generator makes of it."""
        assert isinstance(self.value, Generator)
        return generate.expanded(relation, self.value, self.columns, self.node, cx)


def select(node: Any, cx: Context, order: Sequence[Any] = ()) -> Relation:
    """The rows of a SELECT, sorted by the ORDER BY that stands behind it."""
    return selected(node, from_clause(node, cx), cx, order)


def selected(
    node: Any,
    source: Source,
    cx: Context,
    order: Sequence[Any] = (),
    check: Callable[[list[Item]], None] | None = None,
) -> Relation:
    """The rows of a SELECT over what FROM gave. check: looks at the select list."""
    refusals.refuse(node, cx)
    hints.mark_joins(node, source, cx)
    _define_windows(node, cx)
    inner = cx.inside(Scope(source.columns, outer=cx.scope.outer))
    if not any(inner.scope.local([n]) for n in time_windows.names_in(node)):
        with cx.about(node):
            time_windows.write_out(node, order)
    where = node.args.get("where")
    if where is not None:
        condition = cx.checked(lambda: _where(where, inner), no_value, where)
        source = filtered(source, condition)
    items, generated = _items(node, inner)
    if check is not None:
        check(items)
    group = node.args.get("group")
    keys = keys_of(group, items, inner) if group is not None else None
    conditions = _having(node, items, keys, inner.scope, cx)
    qualified = _qualify(node, items, inner.scope, cx)
    own = {id(v.attribute) for v in inner.scope.columns}
    own.update(id(a) for g in generated for a in g.columns)
    outputs = outputs_of(items, own)
    sorts, order = _order(node, order, outputs, items, inner.scope, cx)
    found = _Parts(items, generated, outputs, conditions, qualified, sorts, order)
    if keys is None and (conditions or any(map(aggregates_in, found.expressions()))):
        keys = Keys([], None)
    relation = source.relation
    if keys is not None:
        relation = _grouped(found, keys, relation, inner.scope, node, cx)
    for key, each in zip(found.sorts, order, strict=True):
        with cx.about(each):
            correlation.check_sort(key.value)
    for condition in found.conditions:
        relation = Filter(relation.columns, relation, condition)
    for made in found.generated:
        relation = made.beside(relation, cx)
    behind = Behind(found.sorts, order, found.qualified)
    return finished(relation, found.items, outputs, behind, inner.scope, cx, node)


@dataclass(slots=True)
class _Parts:
    """What a SELECT says, over the rows of FROM at first and over its groups then.

    conditions: HAVING. qualified: QUALIFY. order: for each key of ORDER BY its node in the text.
    """

    items: list[Item]
    generated: list[Generated]
    outputs: list[Attribute]
    conditions: list[Expr]
    qualified: Expr | None
    sorts: list[SortKey]
    order: Sequence[Any]

    def expressions(self) -> list[Expr]:
        """All of it, clause by clause."""
        found = [i.value for i in self.items] + self.conditions + [k.value for k in self.sorts]
        found += [] if self.qualified is None else [self.qualified]
        return found + [g.value for g in self.generated]


def _define_windows(node: Any, cx: Context) -> None:
    for each in node.args.get("windows") or ():
        if each.this.name in cx.windows:
            raise cx.error("SS5003", f"WINDOW defines {each.this.name} twice", each)
        cx.windows[each.this.name] = each


def _having(
    node: Any, items: Sequence[Item], keys: Keys | None, scope: Scope, cx: Context
) -> list[Expr]:
    """The condition of HAVING, or none."""
    having = node.args.get("having")
    if having is None:
        return []
    found = lift(having.this, cx.inside(_having_scope(scope, items, keys)).at("HAVING"))
    with cx.about(having):
        if holds(found, WindowCall):
            raise Misused("HAVING takes no window function")
        return [operators.truth(found, "HAVING")]


def _qualify(node: Any, items: Sequence[Item], scope: Scope, cx: Context) -> Expr | None:
    """The condition of QUALIFY."""
    qualify = node.args.get("qualify")
    if qualify is None:
        return None
    named = Scope(scope.columns, outer=scope.outer, aliases=_aliases(items))
    with cx.about(qualify):
        if calls_aggregate(qualify.this):
            raise Misused("QUALIFY takes no aggregate function: name one in the select list")
        inner = cx.inside(qualify_scope(items, named)).at("QUALIFY")
        found = operators.truth(lift(qualify.this, inner), "QUALIFY")
    if not any(holds(x, WindowCall) for x in (found, *(i.value for i in items))):
        raise cx.error("SS5003", "QUALIFY wants a window function", qualify)
    return found


def _order(
    node: Any,
    order: Sequence[Any],
    outputs: Sequence[Attribute],
    items: Sequence[Item],
    scope: Scope,
    cx: Context,
) -> tuple[list[SortKey], Sequence[Any]]:
    """The keys of ORDER BY, and for each its node in the text."""
    tiers = sort_scope(outputs, items, scope, distinct=bool(node.args.get("distinct")))
    if is_all(order, tiers):
        order = [order[0]] * len(outputs)
        sorts = [sort_key(column(a), order[0]) for a in outputs]
    else:
        sorts = [sorted_key(n, outputs, tiers, cx) for n in order]
    check_partitions(node, outputs, tiers, cx)
    return sorts, order


def _grouped(
    found: _Parts, keys: Keys, relation: Relation, scope: Scope, node: Any, cx: Context
) -> Relation:
    """The groups, over which the parts are from here on. Changes them."""
    if found.generated and any(holds(x, WindowCall) for x in found.expressions()):
        raise cx.error("SS5007", "groups, a generator and a window function in one SELECT", node)
    _check_groups(found, keys, relation, scope, node, cx)
    grouped = grouping.Grouped(keys, relation, found.expressions(), cx.plain)
    with cx.about(node):
        found.items = [
            replace(i, value=_over_groups(i.value, grouped, i.node, cx)) for i in found.items
        ]
        refusals.check_subqueries(found.items)
        having = node.args.get("having")
        found.conditions = [_over_groups(c, grouped, having, cx) for c in found.conditions]
        found.sorts = [
            replace(k, value=cx.checked(partial(grouped.over, k.value, found.outputs), no_value, n))
            for k, n in zip(found.sorts, found.order, strict=True)
        ]
        if found.qualified is not None:
            found.qualified = grouped.over(found.qualified)
        found.generated = [replace(g, value=grouped.over(g.value)) for g in found.generated]
    tell_nullable(found.outputs, found.items)
    return grouped.relation


def _check_groups(
    found: _Parts, keys: Keys, relation: Relation, scope: Scope, node: Any, cx: Context
) -> None:
    """What Spark does not know over groups."""
    having = node.args.get("having")
    windowed = any(holds(i.value, WindowCall) for i in found.items)
    if keys.sets is not None and windowed:
        refusals.check_having(found.conditions, having, cx)
    refusals.check_repeated_sets(keys, [having, *found.order], cx)
    refusals.check_keys_asked(keys, having, found.items, cx)
    over = windowed or found.qualified is not None
    between = refusals.between_groups_and_order(found.items, found.conditions, over, relation)
    for key, each in zip(found.sorts, found.order, strict=True):
        with cx.about(each):
            refusals.check_key(key, between, relation, keys)
    if windowed and having is not None:
        with cx.about(having):
            refusals.check_hidden(having, found.items, scope)


def _where(node: Any, cx: Context) -> Expr:
    with cx.about(node):
        condition = operators.truth(lift(node.this, cx.at("WHERE")), "WHERE")
    own = [x for x in walk(condition) if isinstance(x, (AggregateCall, WindowCall))]
    if cx.over_groups:
        inner = {id(v.attribute) for v in cx.scope.columns}
        own = [x for x in own if isinstance(x, WindowCall) or correlation.reads_some(x, inner)]
    if own:
        raise cx.error("SS5003", "WHERE takes no aggregate and no window function", node)
    return condition


def _starred(node: Any, cx: Context) -> list[tuple[Expr, str]]:
    return cx.checked(lambda: starred(node, cx), lambda: [(no_value(), "")], node)


def _over_groups(value: Expr, grouped: grouping.Grouped, node: Any, cx: Context) -> Expr:
    """The expression above the groups; what is wrong is said to be at its node."""
    return cx.checked(lambda: grouped.over(value), no_value, node)


def _items(node: Any, cx: Context) -> tuple[list[Item], list[Generated]]:
    """The select list, and the generators in it."""
    scope = replace(cx.scope, aliases={})
    inner = cx.inside(scope).at("SELECT")
    items: list[Item] = []
    generated: list[Generated] = []
    seen: dict[str, int] = {}
    sizes: dict[int, tuple[Expr, int]] = {}
    written = 0
    for each in node.expressions:
        if is_star(each):
            shown = _starred(each, inner)
            items += [Item(e, n, False, each) for e, n in shown]
            continue
        alias = each.alias if isinstance(each, exp.Alias) else ""
        body = each.this if isinstance(each, (exp.Alias, exp.Aliases)) else each
        value = lift(body, inner)
        if _is_lateral(body, scope):
            written += _size(value, sizes)
        if written > _MOST:
            what = "names of the list that stand for others, written out, are too much for a plan"
            raise cx.error("SS5007", what, each, "write a subquery for some of them")
        aliased = isinstance(body, exp.Column) and value is scope.aliases.get(body.name.casefold())
        if isinstance(each, exp.Aliases) or holds(value, Generator):
            with cx.about(each):
                if _is_lateral(body, scope):
                    raise Misused("a generator takes no other name of the select list")
                generated.append(_generated(value, each))
            items += [Item(column(c), c.name, False, each) for c in generated[-1].columns]
            if not alias:
                continue
            value = items[-1].value
        else:
            auto = not alias and not aliased and not _is_name(value)
            lateral = _is_lateral(body, scope)
            spelt = _with_aliases(body, inner) if auto and lateral else value
            name = alias or (body.name if aliased else name_of(spelt, body))
            items.append(Item(value, name, auto, each, lateral))
        if alias or (not aliased and isinstance(value, (StructField, Call)) and is_path(body)):
            # `s.f` is called f, also for those behind it; a name of the list that is repeated is the same one.
            key = (alias or body.name).casefold()
            seen[key] = seen.get(key, 0) + 1
            if seen[key] == 1:
                scope.aliases[key] = value
            else:
                scope.aliases.pop(key, None)
    if not node.expressions:
        raise cx.error("SS5001", "SELECT wants a column", node)
    return items, generated


def _size(value: Expr, sizes: dict[int, tuple[Expr, int]]) -> int:
    """How many expressions it is made of. sizes: those that are known, with what has them, by its identity."""
    if id(value) not in sizes:
        sizes[id(value)] = value, 1 + sum(_size(c, sizes) for c in value.children)
    return sizes[id(value)][1]


def _is_lateral(body: Any, scope: Scope) -> bool:
    names = {c.parts[0].name.casefold() for c in body.find_all(exp.Column)}
    return any(n in scope.aliases and scope.local([n]) is None for n in names)


def _with_aliases(body: Any, cx: Context) -> Expr:
    """The expression with the names of the list that it reads as Spark prints them, for the name it makes up."""
    names = {c.parts[-1].name for c in body.find_all(exp.Column)}
    spelt = {n.casefold(): n for n in names}
    marked: dict[str, Expr] = {}
    for key, value in cx.scope.aliases.items():
        made = Attribute(f"lateralAliasReference({spelt.get(key, key)})", value.type, True)
        marked[key] = column(made)
    return lift(body, cx.inside(replace(cx.scope, aliases=marked)))


def _generated(value: Expr, node: Any) -> Generated:
    if not isinstance(value, Generator):
        raise Misused("several names in brackets go with a generator, which stands by itself")
    if any(holds(c, Generator) for c in value.children):
        raise Misused("a generator within a generator")
    names = [i.name for i in node.expressions] if isinstance(node, exp.Aliases) else []
    if isinstance(node, exp.Alias):
        names = [node.alias]
    return Generated(value, generate.columns_of(value, names), node)


def _is_name(value: Expr) -> bool:
    return isinstance(value, Column)


def _aliases(items: Sequence[Item]) -> dict[str, Expr]:
    out: dict[str, Expr] = {}
    for each in items:
        out.setdefault(each.name.casefold(), each.value)
    return out


def _having_scope(scope: Scope, items: Sequence[Item], keys: Keys | None) -> Scope:
    """Columns that are grouped by, but for names of several; the select list; whatever else FROM shows.

    With a window function in the list it is all as in QUALIFY.
    """
    grouped = {
        id(x.attribute)
        for key in (keys.keys if keys is not None else ())
        for x in walk(key)
        if isinstance(x, Column)
    }
    named = {n: tuple(v.values()) for n, v in values_by_name(items).items()}
    aliases = {n: values[0] for n, values in named.items() if len(values) == 1}
    count = Counter(v.attribute.name.casefold() for v in scope.columns if not v.hidden)
    first = [
        v
        for v in scope.columns
        if id(v.attribute) in grouped and count[v.attribute.name.casefold()] == 1
    ]
    tiers = Scope(first, outer=scope, aliases=aliases, below=scope, soft=True)
    return qualify_scope(items, tiers)
