"""Pipes: ``FROM t |> WHERE … |> AGGREGATE …``, a step at a time over what the steps before gave.

https://spark.apache.org/docs/latest/sql-pipe-syntax.html
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.lift import correlation, operators
from substrait_sql.lift.dispatch import item, lift, part, query
from substrait_sql.lift.expressions.functions import aggregates_in, sort_key
from substrait_sql.lift.names import no_column
from substrait_sql.lift.query import joins
from substrait_sql.lift.query.from_clause import from_clause
from substrait_sql.lift.query.keys import sets_word
from substrait_sql.lift.query.ordering import is_all, limited, ordinal
from substrait_sql.lift.query.query import KINDS, combined
from substrait_sql.lift.query.select import selected
from substrait_sql.lift.query.source import Source, filtered, flat
from substrait_sql.lift.query.stars import expanded, is_star
from substrait_sql.lift.relations import Distinct, Project, Sort
from substrait_sql.lift.scope import Scope, Visible, visible
from substrait_sql.lift.text.parse import name_of
from substrait_sql.lift.tree import (
    AggregateCall,
    Attribute,
    Column,
    Expr,
    Generator,
    Grouping,
    Relation,
    SortKey,
    WindowCall,
    holds,
)
from substrait_sql.lift.typing import signatures
from substrait_sql.lift.typing.problems import Misused
from substrait_sql.tree import releases

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from substrait_sql.lift.context import Context
    from substrait_sql.lift.query.source import Item


@part
def piped(node: Any, cx: Context) -> Relation:
    """The rows behind the last step."""
    found = _first(node.this, cx)
    for step in node.args["steps"]:
        with cx.about(step):
            found = _STEPS[step.args["kind"]](step, found, replace(cx, windows={}))
    return flat(found)


def _first(node: Any, cx: Context) -> Source:
    """What stands before the first pipe, with the names of its tables where it is a SELECT or a mere FROM."""
    if isinstance(node, (exp.Subquery, exp.Paren)) and not any(
        v for k, v in node.args.items() if k != "this"
    ):
        return _first(node.this, cx)
    if (
        isinstance(node, exp.Select)
        and len(node.expressions) == 1
        and _is_plain_star(node.expressions[0])
    ):
        parts = {k for k, v in node.args.items() if v}
        if parts <= {"expressions", releases.FROM, "joins", "laterals"}:
            return from_clause(node, cx)
    if isinstance(node, exp.Values):
        found: Source = item(node, cx)
        return found
    if isinstance(node, exp.Select) and not any(node.args.get(k) for k in _AROUND):
        found = from_clause(node, cx)
        items: list[Item] = []
        return _named_as_before(selected(node, found, cx, check=items.extend), found, items)
    made = query(node, cx)
    return Source(made, visible(made.columns))


_AROUND = (releases.WITH, "order", "sort", "cluster", "distribute", "limit", "offset")


def _is_plain_star(node: Any) -> bool:
    return isinstance(node, exp.Star) and not any(node.args.values())


def _inside(found: Source, cx: Context, place: str) -> Context:
    return cx.inside(Scope(found.columns, outer=cx.scope.outer)).at(place)


# ------------------------------------------------------------------ SELECT, EXTEND, AGGREGATE


def _select(step: Any, found: Source, cx: Context) -> Source:
    items: list[Item] = []

    def select() -> Relation:
        return selected(step.this, found, cx, check=items.extend)

    if step.this.args.get("distinct"):
        return _named_as_before(select(), found, items)
    return _with_hidden(step.this, found, select, items)


def _extend(step: Any, found: Source, cx: Context) -> Source:
    node = step.this
    if any(is_star(e) for e in node.expressions):
        raise Misused("EXTEND takes no star: all columns stay")

    items: list[Item] = []

    def check(made: list[Item]) -> None:
        items.extend(made)
        if any(aggregates_in(i.value) for i in made):
            raise Misused("EXTEND takes no aggregate function: AGGREGATE does")

    node.set("expressions", [exp.Star(), *node.expressions])
    return _with_hidden(node, found, lambda: selected(node, found, cx, check=check), items)


def _with_hidden(
    node: Any, found: Source, select: Callable[[], Relation], items: Sequence[Item]
) -> Source:
    """A step that hands on, too, what USING hides: a later one may ask for it by its table.

    items: the select list, once it is selected.
    """
    hidden = [v for v in found.columns if v.hidden and _has_own_name(v, found)]
    node.set("expressions", [*node.expressions, *map(_by_name, hidden)])
    made = _named_as_before(select(), found, items)
    shown = made.columns[: len(made.columns) - len(hidden)]
    return replace(made, columns=[*_hidden(made.columns[len(shown) :]), *shown])


def _has_own_name(v: Visible, found: Source) -> bool:
    try:
        return Scope(found.columns).local([*v.qualifier, v.attribute.name]) is not None
    except Misused:
        return False


def _hidden(columns: Sequence[Visible]) -> list[Visible]:
    return [replace(v, hidden=True) for v in columns]


def _aggregate(step: Any, found: Source, cx: Context) -> Source:
    keys, items = list(step.args["keys"]), list(step.expressions)
    if not keys and not items:
        raise Misused("AGGREGATE wants an aggregate function or GROUP BY")
    shown = [v for v in found.columns if not v.hidden]
    bodies: list[Any] = []
    for place, each in enumerate(keys):
        number = ordinal(each, len(shown), cx, "GROUP BY")
        if number is not None:
            keys[place] = _by_name(shown[number])
        body = keys[place].this if isinstance(keys[place], exp.Alias) else keys[place]
        if isinstance(body, exp.Tuple) and not body.expressions:
            raise Misused("AGGREGATE groups by expressions: leave GROUP BY out for one group")
        word = sets_word(body)
        if word:
            raise Misused(f"AGGREGATE takes no {word}", "SS5001")
        bodies.append(body.copy())

    said: list[Item] = []

    def check(made: list[Item]) -> None:
        said.extend(made)
        for each in made[len(keys) :]:
            if holds(each.value, WindowCall, Grouping):
                raise Misused("AGGREGATE takes no window function and no grouping()")
            if not aggregates_in(each.value) or not _calls_aggregate(each.node):
                raise Misused(f"AGGREGATE wants an aggregate function: {each.name} holds none")

    if any(map(is_star, (*keys, *items))):
        raise Misused("AGGREGATE takes no star")
    node = exp.Select(expressions=[*keys, *items])
    if keys:
        node.set("group", exp.Group(expressions=bodies))
    return _named_as_before(selected(node, found, cx, check=check), found, said)


def _calls_aggregate(node: Any) -> bool:
    """Whether the text itself calls one, not an alias of its."""
    found = (signatures.known(name_of(n).lower()) for n in node.find_all(exp.Anonymous))
    return any(f is not None and f.kind == "aggregate" for f in found)


def _by_name(v: Visible) -> Any:
    parts = [exp.Identifier(this=p, quoted=True) for p in (*v.qualifier, v.attribute.name)]
    made = exp.Column(this=parts[-1])
    for key, each in zip(("table", "db", "catalog"), parts[-2::-1], strict=False):
        made.set(key, each)
    return made


def _named_as_before(made: Relation, found: Source, items: Sequence[Item] = ()) -> Source:
    """The columns that a step hands on are still those of their tables, unless it names them.

    items: the select list, where the step has one.
    """
    aliased = [isinstance(i.node, exp.Alias) for i in items]
    known = {id(v.attribute): v.qualifier for v in found.columns}
    inner: Relation = made
    while isinstance(inner, (Sort, Distinct)):
        inner = inner.source
    out: list[Visible] = []
    for place, each in enumerate(made.columns):
        qualifier = known.get(id(each), ())
        if isinstance(inner, Project) and place < len(inner.expressions):
            value = inner.expressions[place]
            if any(aliased[place : place + 1]):
                qualifier = ()
            elif isinstance(value, Column) and _same_name(value.attribute, each):
                qualifier = known.get(id(value.attribute), qualifier)
        out.append(Visible(each, each.nullable, qualifier))
    return Source(made, out)


def _same_name(a: Attribute, b: Attribute) -> bool:
    return a.name.casefold() == b.name.casefold()


# ------------------------------------------------------------------ SET, DROP, AS


def _set(step: Any, found: Source, cx: Context) -> Source:
    for name, value in zip(step.args["names"], step.expressions, strict=True):
        with cx.about(name):
            found = _replaced(name, value, found, cx)
    return found


def _replaced(name: Any, node: Any, found: Source, cx: Context) -> Source:
    """The columns with one of them made anew; a later one of SET sees it."""
    target = _one(name, found, cx)
    value = lift(node, _inside(found, cx, "SET"))
    if aggregates_in(value) or holds(value, Generator):
        raise Misused("SET takes no aggregate function and no generator")
    columns: list[Attribute] = []
    values: list[Expr] = []
    shown: list[Visible] = []
    for v in found.columns:
        if v is target:
            made = Attribute(name.name, value.type, value.nullable)
            shown.append(Visible(made, value.nullable))
        else:
            made = v.attribute
            shown.append(v)
        columns.append(made)
        values.append(value if v is target else v.column)
    return Source(Project(tuple(columns), found.relation, tuple(values)), shown)


def _one(name: Any, found: Source, cx: Context) -> Visible:
    same = [
        v
        for v in found.columns
        if not v.hidden and v.attribute.name.casefold() == name.name.casefold()
    ]
    if len(same) > 1:
        raise Misused(f"{name.name} is ambiguous")
    if not same:
        raise no_column([name.name], name, cx.inside(Scope(found.columns)))
    return same[0]


def _drop(step: Any, found: Source, cx: Context) -> Source:
    names = step.args["names"]
    if any(isinstance(n, exp.Dot) for n in names):
        return _without_fields(step, found, cx)
    dropped: list[Visible] = []
    for name in names:
        with cx.about(name):
            each = _one(name, found, cx)
            if each in dropped:
                raise Misused(f"DROP names {name.name} twice")
            dropped.append(each)
    rest = [v for v in found.columns if v not in dropped]
    if all(v.hidden for v in rest):
        raise cx.error("SS5007", "a plan has no word for rows without columns", step)
    return replace(found, columns=rest)


def _without_fields(step: Any, found: Source, cx: Context) -> Source:
    """DROP of columns by their tables' names, and of fields of structs: as * EXCEPT."""
    star = exp.Star(except_=step.args["names"])
    made = expanded(star, cx.inside(Scope(found.columns)))
    known = {id(v.attribute): v.qualifier for v in found.columns}
    columns = tuple(Attribute(name, value.type, value.nullable) for value, name in made)
    values = tuple(value for value, _ in made)
    shown = [
        Visible(a, a.nullable, known.get(id(v.attribute), ()) if isinstance(v, Column) else ())
        for a, v in zip(columns, values, strict=True)
    ]
    return Source(Project(columns, found.relation, values), shown)


def _as(step: Any, found: Source, cx: Context) -> Source:
    (name,) = step.args["names"]
    made = flat(found)
    return Source(made, visible(made.columns, (name.name,)))


# ------------------------------------------------------------------ WHERE, ORDER BY, JOIN, UNION


def _where(step: Any, found: Source, cx: Context) -> Source:
    where = step.this.args["where"]
    with cx.about(where):
        condition = operators.truth(lift(where.this, _inside(found, cx, "WHERE")), "WHERE")
    if holds(condition, AggregateCall, WindowCall, Generator):
        raise cx.error("SS5003", "WHERE takes no aggregate and no window function", where)
    return filtered(found, condition)


def _order(step: Any, found: Source, cx: Context) -> Source:
    node = step.this
    inner = _inside(found, cx, "ORDER BY")
    for name in ("sort", "cluster", "distribute"):
        # These say where rows lie; the names must be right all the same.
        for each in node.args[name].expressions if node.args.get(name) else ():
            lift(each.this if isinstance(each, exp.Ordered) else each, inner)
    relation = found.relation
    if node.args.get("order"):
        order = node.args["order"].expressions
        shown = [v for v in found.columns if not v.hidden]
        if is_all(order, inner.scope):
            keys = [sort_key(v.column, order[0]) for v in shown]
        else:
            keys = [_key(n, shown, inner) for n in order]
        relation = Sort(relation.columns, relation, tuple(keys))
    return replace(found, relation=limited(relation, node, cx))


def _key(node: Any, shown: Sequence[Visible], cx: Context) -> SortKey:
    place = ordinal(node.this, len(shown), cx, "ORDER BY")
    if place is not None:
        return sort_key(shown[place].column, node)
    with cx.about(node):
        value = lift(node.this, cx)
        if holds(value, AggregateCall, WindowCall, Generator):
            raise Misused("ORDER BY takes no aggregate and no window function in a pipe")
        correlation.check_sort(value)
        return sort_key(value, node)


def _join(step: Any, found: Source, cx: Context) -> Source:
    return joins.join(step.this, found, cx)


def _union(step: Any, found: Source, cx: Context) -> Source:
    node = step.this
    if node.args.get("by_name"):
        raise cx.error("SS5001", "not Spark SQL: BY NAME", node)
    kind = KINDS[type(node)] + ("" if node.args.get("distinct") else " all")
    left = flat(found)
    right = query(node.expression, cx)
    made = combined([left, right], kind)
    shown = [v for v in found.columns if not v.hidden]
    columns = [
        Visible(c, c.nullable, v.qualifier) for c, v in zip(made.columns, shown, strict=True)
    ]
    return Source(made, columns)


_STEPS: dict[str, Callable[[Any, Source, Context], Source]] = {
    "select": _select, "extend": _extend, "aggregate": _aggregate, "set": _set, "drop": _drop, "as": _as,
    "where": _where, "order": _order, "join": _join, "union": _union,
}  # fmt: skip
