"""GROUP BY: keys, grouping sets, and the expressions above them."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.lift import correlation, operators
from substrait_sql.lift.dispatch import lift
from substrait_sql.lift.expressions.functions import aggregates_in
from substrait_sql.lift.problems import no_value
from substrait_sql.lift.query.canonical import canonical
from substrait_sql.lift.query.ordering import ordinal
from substrait_sql.lift.relations import Aggregate
from substrait_sql.lift.text.parse import name_of
from substrait_sql.lift.text.tokens import PREFIX
from substrait_sql.lift.tree import (
    FALSE,
    TRUE,
    AggregateCall,
    Attribute,
    Call,
    Case,
    Cast,
    Column,
    Expr,
    Grouping,
    In,
    Literal,
    Relation,
    Subquery,
    WindowCall,
    column,
    rewritten,
)
from substrait_sql.lift.typing import types as t
from substrait_sql.lift.typing.problems import Misused

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from substrait_sql.lift.context import Context

Sets = list[tuple[int, ...]]
_SETS = ("ROLLUP", "CUBE", "GROUPING SETS")
_MOST_SETS = 4096


class Keys:
    """What to group by. sets: for each grouping set the places of its keys, None for plain GROUP BY."""

    def __init__(self, keys: list[Expr], sets: Sets | None) -> None:
        self.keys, self.sets = keys, sets

    def place(self, key: Expr) -> int:
        """The place of a key, which is added if it is a new one."""
        known = [canonical(k) for k in self.keys]
        if canonical(key) in known:
            return known.index(canonical(key))
        self.keys.append(key)
        return len(self.keys) - 1


def keys_of(group: Any, items: Sequence[Any], cx: Context) -> Keys:
    """The keys of GROUP BY: expressions, names and numbers of the select list, ALL, sets."""
    scope = replace(cx.scope, aliases=_aliases(items))
    if group.args.get("all"):
        if group.args.get("rollup") or group.args.get("cube"):
            raise cx.error("SS5001", "GROUP BY ALL takes no ROLLUP and no CUBE", group)
        # A column of this name is meant first, then the name of an entry of the select list.
        named = scope.local(["all"]) or scope.aliases.get("all")
        return Keys(_all_keys(items) if named is None else [named], None)
    inner = cx.inside(scope).at("GROUP BY")
    found = Keys([], None)
    plain = group.expressions
    parts: list[Sets] = []
    behind = [
        k
        for k in ("rollup", "cube")
        if group.args.get(k) and not any(x.expressions for x in group.args[k])
    ]
    if behind:
        places = [_place(n, found, items, inner) for n in plain]
        parts.append((_rolled if behind[0] == "rollup" else _cubed)([(p,) for p in places]))
        found.sets = parts[0]
        return found
    for each in plain:
        parts.append(_sets(each, found, items, inner))
    # GROUP BY a, b GROUPING SETS ((a), (b)), without a comma: the list in front only names the keys.
    listed = group.args.get("grouping_sets") or ()
    # What some releases of sqlglot take without a comma.
    nested = [x for k in ("rollup", "cube") for x in group.args.get(k) or ()]
    several = any(_word(p) for p in plain)
    if nested or (listed and several):
        raise cx.error("SS5001", "a comma is wanted before ROLLUP, CUBE and GROUPING SETS", group)
    if listed:
        parts = [_sets(each, found, items, inner) for each in listed]
    if listed or several:
        found.sets = _product(parts)
    return found


def _product(parts: list[Sets]) -> Sets:
    out: Sets = []
    count = 1
    for each in parts:
        count *= len(each)
    if count > _MOST_SETS:
        raise Misused(f"GROUP BY of {count} grouping sets: {_MOST_SETS} are allowed")
    for chosen in product(*parts):
        out.append(tuple(dict.fromkeys(p for one in chosen for p in one)))
    return out


def _word(node: Any) -> str:
    """What of ROLLUP, CUBE and GROUPING SETS it is: calls to the parser, of which each release reads other things."""
    if isinstance(node, exp.GroupingSets):
        return "GROUPING SETS"
    called = isinstance(node, exp.Anonymous) and PREFIX.match(node.name)
    name = " ".join(name_of(node).upper().split()) if called else ""
    return name if name in _SETS else ""


def _sets(node: Any, found: Keys, items: Sequence[Any], cx: Context) -> Sets:
    match _word(node):
        case "GROUPING SETS":
            return [one for e in node.expressions for one in _nested(e, found, items, cx)]
        case "ROLLUP" | "CUBE" as word:
            combined = [_combined(e, found, items, cx) for e in node.expressions]
            if not all(combined):
                raise Misused("ROLLUP and CUBE take no empty set")
            return (_rolled if word == "ROLLUP" else _cubed)(combined)
    return [(_place(node, found, items, cx),)]


def _nested(node: Any, found: Keys, items: Sequence[Any], cx: Context) -> Sets:
    if _word(node):
        return _sets(node, found, items, cx)
    return [_combined(node, found, items, cx)]


def _combined(node: Any, found: Keys, items: Sequence[Any], cx: Context) -> tuple[int, ...]:
    if isinstance(node, exp.Tuple):
        return tuple(_place(e, found, items, cx) for e in node.expressions)
    return (_place(node.unnest(), found, items, cx),)


def _rolled(parts: list[tuple[int, ...]]) -> Sets:
    return [tuple(p for one in parts[:n] for p in one) for n in range(len(parts), -1, -1)]


def _cubed(parts: list[tuple[int, ...]]) -> Sets:
    if 2 ** len(parts) > _MOST_SETS:
        raise Misused(f"CUBE of {len(parts)} keys is too many")
    width = len(parts)
    masks = sorted(range(2**width), key=lambda m: bin(m).count("1"))
    return [
        tuple(p for i, one in enumerate(parts) if not mask >> (width - 1 - i) & 1 for p in one)
        for mask in masks
    ]


def _place(node: Any, found: Keys, items: Sequence[Any], cx: Context) -> int:
    return found.place(cx.checked(lambda: _key(node, items, cx), no_value, node))


def _key(node: Any, items: Sequence[Any], cx: Context) -> Expr:
    number = ordinal(node, len(items), cx, "GROUP BY")
    key = items[number].value if number is not None else lift(node, cx)
    meant = [items[number]] if number is not None else _named(node, key, items)
    _check_lateral(meant)
    if aggregates_in(key):
        raise cx.error("SS5003", "GROUP BY takes no aggregate function", node)
    return key


def _aliases(items: Sequence[Any]) -> dict[str, Expr]:
    out: dict[str, Expr] = {}
    for each in items:
        out.setdefault(each.name.casefold(), each.value)
    return out


def _named(node: Any, key: Expr, items: Sequence[Any]) -> list[Any]:
    """The entry of the select list that a name means, if it means one."""
    if not isinstance(node, exp.Column):
        return []
    same = [i for i in items if i.name.casefold() == node.name.casefold()]
    return [i for i in same[:1] if i.value is key]


def _check_lateral(items: Sequence[Any]) -> None:
    """Raises `Misused` for entries that read the names of others: Spark does not group by those."""
    for each in items:
        if each.lateral:
            raise Misused(f"GROUP BY takes no {each.name}, which reads another name of the list")


def _all_keys(items: Sequence[Any]) -> list[Expr]:
    found: list[Expr] = []
    _check_lateral([i for i in items if not aggregates_in(i.value)])
    for each in items:
        if not aggregates_in(each.value) and each.value not in found:
            found.append(each.value)
    return found


def _used(keys: Keys) -> list[int]:
    """The places of the keys that a grouping set has."""
    if keys.sets is None:
        return list(range(len(keys.keys)))
    return sorted({p for one in keys.sets for p in one})


class Grouped:
    """An aggregation, and how expressions of the text read above it.

    relation: the aggregation. over: the text's expression with keys and aggregates as its columns.
    """

    def __init__(self, keys: Keys, source: Relation, expressions: Iterable[Expr]) -> None:
        self._sets = keys.sets
        self._order = keys.keys
        places = _used(keys)
        given = [keys.keys[p] for p in places]
        # A key of no grouping set is NULL in all rows.
        self._gone = {
            canonical(k): Literal(k.type, True, None)
            for p, k in enumerate(keys.keys)
            if p not in places
        }
        self._keys = {canonical(k): self._key_column(k) for k in given}
        self._measures: dict[AggregateCall, Attribute] = {}
        self._source = {id(a) for a in source.columns}
        for each in expressions:
            self._collect(each)
        if not given and not self._measures:
            # One row, whatever is asked of it: a plan wants a column.
            rows = AggregateCall(t.BIGINT, False, "count", ())
            self._measures[rows] = Attribute("", t.BIGINT, False, True)
        self._own = {id(a) for a in self._keys.values()}
        columns = list(self._keys.values())
        sets = None if keys.sets is None else [tuple(map(places.index, s)) for s in keys.sets]
        if sets is not None and () in sets and len(sets) > 1:
            # Of several sets the one without keys has no row in Spark where there are no rows: a constant groups it.
            sets = [s or (len(given),) for s in sets]
            given.append(TRUE)
            columns.append(Attribute("all_rows", t.BOOLEAN, True))
        columns += self._measures.values()
        self._set: Attribute | None = None
        if sets is not None and len(sets) > 1:
            self._set = Attribute("", t.INT, False, True)
            columns.append(self._set)
        several = None if self._set is None or sets is None else tuple(sets)
        self.relation = Aggregate(
            tuple(columns), source, tuple(given), tuple(self._measures), several
        )

    def _key_column(self, key: Expr) -> Attribute:
        if isinstance(key, Column) and self._sets is None:
            return key.attribute
        name = key.attribute.name if isinstance(key, Column) else ""
        return Attribute(name, key.type, key.nullable or self._sets is not None)

    def _collect(self, found: Expr) -> None:
        if canonical(found) in self._keys or canonical(found) in self._gone:
            return
        if isinstance(found, AggregateCall):
            if any(map(aggregates_in, found.children)):
                raise Misused("an aggregate function within another one")
            if found not in self._measures:
                self._measures[found] = Attribute("", found.type, found.nullable, True)
            return
        children = found.children
        if isinstance(found, WindowCall):
            children = (*found.function.children, *children[1:])
        if isinstance(found, Subquery):
            children = (*children, *correlation.aggregates_around(found.query, self._source))
        for each in children:
            self._collect(each)

    def over(self, found: Expr, outputs: Sequence[Attribute] = ()) -> Expr:
        """The expression over the columns of the aggregation. outputs: columns of the select list, which stay."""
        self._kept = {id(a) for a in outputs}
        return rewritten(found, self._change)

    def _change(self, found: Expr) -> Expr | None:
        key = self._keys.get(canonical(found))
        if key is not None:
            return Column(key.type, key.nullable, key)
        if self._gone and canonical(found) in self._gone:
            return self._gone[canonical(found)]
        if isinstance(found, AggregateCall):
            return column(self._measures[found])
        if (
            isinstance(found, Call)
            and found.name == "not"
            and self._is_computed(found.arguments[0])
        ):
            # NOT is written into what it negates, where Spark does not find the key again.
            key = self._keys[canonical(found.arguments[0])]
            return operators.binary("=", Column(key.type, key.nullable, key), FALSE)
        if isinstance(found, WindowCall):
            return self._window(found)
        if isinstance(found, Subquery) and correlation.aggregates_around(found.query, self._source):
            values = tuple(rewritten(v, self._change) for v in found.values)
            query = correlation.with_conditions(found.query, self._measure)
            return replace(found, values=values, query=query)
        if isinstance(found, Grouping):
            return self._grouping(found)
        if isinstance(found, Case):
            return self._set_itself(found)
        if isinstance(found, Column) and id(found.attribute) in self._source:
            if id(found.attribute) in self._own or id(found.attribute) in self._kept:
                return found
            name = found.attribute.name
            hint = f"add {name} to GROUP BY, or take any_value({name})"
            raise Misused(f"{name} is neither grouped nor aggregated", hint=hint)
        return None

    def _measure(self, found: Expr) -> Expr | None:
        measure = self._measures.get(found) if isinstance(found, AggregateCall) else None
        return None if measure is None else column(measure)

    def _is_computed(self, found: Expr) -> bool:
        return canonical(found) in self._keys and not isinstance(found, Column)

    def _window(self, found: WindowCall) -> Expr:
        function = found.function
        children = tuple(rewritten(c, self._change) for c in function.children)
        inner = function.with_children(children)
        rest = tuple(rewritten(c, self._change) for c in found.children[1:])
        return found.with_children((inner, *rest))

    def _grouping(self, found: Grouping) -> Expr:
        if self._sets is None:
            raise Misused("grouping wants grouping sets, ROLLUP or CUBE")
        keys = tuple(map(canonical, found.keys or self._order))
        order = list(map(canonical, self._order))
        try:
            places = [order.index(k) for k in keys]
        except ValueError as error:
            raise Misused("grouping wants keys of GROUP BY") from error
        if found.shown == "grouping_id" and found.keys and places != list(range(len(order))):
            raise Misused("grouping_id wants all keys of GROUP BY in their order, or none")
        by_value: dict[int, list[int]] = {}
        for index, one in enumerate(self._sets):
            value = 0
            for place in places:
                value = value * 2 + (place not in one)
            by_value.setdefault(value, []).append(index)
        return self._by_set(by_value, found.type)

    def _set_itself(self, found: Case) -> Expr | None:
        """A CASE over ``grouping_id()`` that gives each grouping set its place is the plan's own column for it."""
        if self._sets is None or self._set is None or found.otherwise is not None:
            return None
        values: dict[Any, Any] = {}
        asked: list[Expr] = []
        for condition, value in found.branches:
            if (
                not isinstance(condition, Call)
                or condition.name != "="
                or not isinstance(value, Literal)
            ):
                return None
            key, constant = condition.arguments
            key = key.value if isinstance(key, Cast) else key
            if not isinstance(key, Grouping) or not isinstance(constant, Literal):
                return None
            asked.append(key)
            values.setdefault(constant.value, value.value)
        if any(a != asked[0] for a in asked) or found.type != t.INT:
            return None
        of_sets = self._values(asked[0])
        if [values.get(v) for v in of_sets] != list(range(len(self._sets))):
            return None
        return column(self._set)

    def _values(self, found: Any) -> list[int]:
        """What ``grouping_id`` is of each grouping set."""
        order = list(map(canonical, self._order))
        keys = tuple(map(canonical, found.keys or self._order))
        if any(k not in order for k in keys):
            return []
        places = [order.index(k) for k in keys]
        out: list[int] = []
        for one in self._sets or ():
            value = 0
            for place in places:
                value = value * 2 + (place not in one)
            out.append(value)
        return out

    def _by_set(self, by_value: dict[int, list[int]], kind: t.SparkType) -> Expr:
        *rest, last = by_value.items()
        otherwise = Literal(kind, False, last[0])
        if not rest or self._set is None:
            return otherwise
        branches: list[tuple[Expr, Expr]] = []
        for value, indexes in rest:
            options = tuple(Literal(t.INT, False, i) for i in indexes)
            test: Expr = In(t.BOOLEAN, False, column(self._set), options)
            if len(options) == 1:
                test = operators.binary("=", column(self._set), options[0])
            branches.append((test, Literal(kind, False, value)))
        return Case(kind, False, tuple(branches), otherwise)
