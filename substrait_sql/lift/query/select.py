"""SELECT: its clauses in the order in which they mean something."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
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
from substrait_sql.lift.query.source import Item, Source, filtered, qualify_scope, values_by_name
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
    StructField,
    WindowCall,
    column,
    holds,
    walk,
)
from substrait_sql.lift.typing.problems import Misused

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence, Set

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
    for each in node.args.get("windows") or ():
        if each.this.name in cx.windows:
            raise cx.error("SS5003", f"WINDOW defines {each.this.name} twice", each)
        cx.windows[each.this.name] = each
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
    scope = inner.scope
    group = node.args.get("group")
    keys = keys_of(group, items, inner) if group is not None else None
    named = Scope(scope.columns, outer=scope.outer, aliases=_aliases(items))
    having = node.args.get("having")
    conditions: list[Expr] = []
    if having is not None:
        found = lift(having.this, cx.inside(_having_scope(scope, items, keys)).at("HAVING"))
        with cx.about(having):
            if holds(found, WindowCall):
                raise Misused("HAVING takes no window function")
            conditions.append(operators.truth(found, "HAVING"))
    qualify = node.args.get("qualify")
    qualified = None
    if qualify is not None:
        with cx.about(qualify):
            if calls_aggregate(qualify.this):
                raise Misused("QUALIFY takes no aggregate function: name one in the select list")
            qualified = operators.truth(
                lift(qualify.this, cx.inside(qualify_scope(items, named)).at("QUALIFY")), "QUALIFY"
            )
        if not any(holds(x, WindowCall) for x in (qualified, *(i.value for i in items))):
            raise cx.error("SS5003", "QUALIFY wants a window function", qualify)
    own = {id(v.attribute) for v in scope.columns}
    own.update(id(a) for g in generated for a in g.columns)
    outputs = _outputs(items, own)
    tiers = sort_scope(outputs, items, scope, distinct=bool(node.args.get("distinct")))
    if is_all(order, tiers):
        sorts = [sort_key(column(a), order[0]) for a in outputs]
    else:
        sorts = [sorted_key(n, outputs, tiers, cx) for n in order]
    check_partitions(node, outputs, tiers, cx)
    everything = [i.value for i in items] + conditions + [k.value for k in sorts]
    everything += ([] if qualified is None else [qualified]) + [g.value for g in generated]
    if keys is None and (having is not None or any(map(aggregates_in, everything))):
        keys = Keys([], None)
    relation = source.relation
    if keys is not None and generated and any(holds(x, WindowCall) for x in everything):
        raise cx.error("SS5007", "groups, a generator and a window function in one SELECT", node)
    if keys is not None:
        if keys.sets is not None and any(holds(i.value, WindowCall) for i in items):
            refusals.check_having(conditions, having, cx)
        refusals.check_repeated_sets(keys, [having, *order], cx)
        refusals.check_keys_asked(keys, having, items, cx)
        windowed = any(holds(i.value, WindowCall) for i in items)
        with cx.about(node):
            over = windowed or qualified is not None
            refusals.check_order(items, conditions, sorts, over, relation, keys)
            if windowed and having is not None:
                refusals.check_hidden(having, items, scope)
        grouped = grouping.Grouped(keys, relation, everything, cx.plain)
        relation = grouped.relation
        with cx.about(node):
            items = [replace(i, value=_over(i, grouped, cx)) for i in items]
            refusals.check_subqueries(items)
            conditions = [_over_groups(c, grouped, having, cx) for c in conditions]
            sorts = [replace(k, value=grouped.over(k.value, outputs)) for k in sorts]
            qualified = None if qualified is None else grouped.over(qualified)
            generated = [replace(g, value=grouped.over(g.value)) for g in generated]
        outputs = _outputs_again(outputs, items)
    elif having is not None:
        raise cx.error("SS5003", "HAVING wants groups", having)
    for key, each in zip(sorts, order, strict=False):
        with cx.about(each):
            correlation.check_sort(key.value)
    for condition in conditions:
        relation = Filter(relation.columns, relation, condition)
    for each in generated:
        relation = each.beside(relation, cx)
    return finished(relation, items, outputs, Behind(sorts, qualified), scope, cx, node)


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


def _over(found: Item, grouped: grouping.Grouped, cx: Context) -> Expr:
    return _over_groups(found.value, grouped, found.node, cx)


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


def _outputs(items: Sequence[Item], own: Set[int]) -> list[Attribute]:
    """The columns that come out: those of FROM themselves where they are only handed on. own: these by identity.

    One of a query around is another column here: an outer join beside it makes this one NULL, and not that.
    """
    out: list[Attribute] = []
    times = Counter(id(i.value.attribute) for i in items if isinstance(i.value, Column))
    first: dict[int, Attribute] = {}
    for each in items:
        value = each.value
        if (
            isinstance(value, Column)
            and id(value.attribute) in own
            and value.attribute.name == each.name
            and value.nullable == value.attribute.nullable
            # AS makes a column of its own, beside the one that it names again.
            and not (isinstance(each.node, exp.Alias) and times[id(value.attribute)] > 1)
        ):
            out.append(value.attribute)
        else:
            made = Attribute(each.name, value.type, value.nullable, each.auto)
            if each.lateral:
                made.twin = _named_entry(each, items, out)
            out.append(made)
        if isinstance(value, Column) and not isinstance(each.node, exp.Alias) and not each.lateral:
            # One column, however its name is spelt.
            same = first.setdefault(id(value.attribute), out[-1])
            out[-1].twin = out[-1].twin if same is out[-1] else same
    return out


def _named_entry(found: Item, items: Sequence[Item], made: Sequence[Attribute]) -> Attribute | None:
    """The column of the entry of the list that this one only names."""
    same = [a for i, a in zip(items, made, strict=False) if i.value is found.value]
    return same[0] if same and same[0].name.casefold() == found.name.casefold() else None


def _outputs_again(outputs: Sequence[Attribute], items: Sequence[Item]) -> list[Attribute]:
    for each, item in zip(outputs, items, strict=True):
        if not (isinstance(item.value, Column) and item.value.attribute is each):
            each.nullable = item.value.nullable
    return list(outputs)
