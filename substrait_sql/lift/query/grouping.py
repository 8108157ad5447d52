"""GROUP BY: keys, grouping sets, and the expressions above them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.lift import operators
from substrait_sql.lift.dispatch import lift
from substrait_sql.lift.expressions.functions import aggregates_in
from substrait_sql.lift.query.ordering import ordinal
from substrait_sql.lift.relations import Aggregate, Filter
from substrait_sql.lift.tree import (
    AggregateCall,
    Attribute,
    Call,
    Case,
    Cast,
    Column,
    Expr,
    Grouping,
    In,
    Lambda,
    Literal,
    Relation,
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
    if group.args.get("all"):
        return Keys(_all_keys(items), None)
    scope = replace(cx.scope, aliases=_aliases(items))
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
    nested = [x for k in ("grouping_sets", "rollup", "cube") for x in group.args.get(k) or ()]
    for each in nested:
        parts.append(_sets(each, found, items, inner))
    if nested or any(isinstance(p, (exp.GroupingSets, exp.Rollup, exp.Cube)) for p in plain):
        if plain and group.args.get("grouping_sets") and _listed_apart(group):
            # GROUP BY a, b GROUPING SETS ((a), (b)): the list in front only names the keys.
            parts = parts[len(plain) :]
        found.sets = _product(parts)
    return found


def _listed_apart(group: Any) -> bool:
    """GROUP BY a, b GROUPING SETS (…), without a comma before the sets."""
    return bool(group.args.get("apart"))


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


def _sets(node: Any, found: Keys, items: Sequence[Any], cx: Context) -> Sets:
    match node:
        case exp.GroupingSets():
            return [one for e in node.expressions for one in _nested(e, found, items, cx)]
        case exp.Rollup():
            return _rolled([_combined(e, found, items, cx) for e in node.expressions])
        case exp.Cube():
            return _cubed([_combined(e, found, items, cx) for e in node.expressions])
    return [(_place(node, found, items, cx),)]


def _nested(node: Any, found: Keys, items: Sequence[Any], cx: Context) -> Sets:
    if isinstance(node, (exp.GroupingSets, exp.Rollup, exp.Cube)):
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
    number = ordinal(node, len(items), cx, "GROUP BY")
    key = items[number].value if number is not None else lift(node, cx)
    if aggregates_in(key):
        raise cx.error("SS5003", "GROUP BY takes no aggregate function", node)
    return found.place(key)


def _aliases(items: Sequence[Any]) -> dict[str, Expr]:
    out: dict[str, Expr] = {}
    for each in items:
        out.setdefault(each.name.casefold(), each.value)
    return out


def _all_keys(items: Sequence[Any]) -> list[Expr]:
    found: list[Expr] = []
    for each in items:
        if not aggregates_in(each.value) and each.value not in found:
            found.append(each.value)
    return found


_TURNED = {">": "<", ">=": "<="}
_EITHER_WAY = {"+", "*", "=", "<=>", "and", "or", "&", "|", "^"}


def canonical(found: Expr) -> Expr:
    """The expression as Spark compares it with others: ``a + 1`` is ``1 + a``, ``a > b`` is ``b < a``."""
    if isinstance(found, Lambda):
        return _without_names(found)
    children = found.children
    if not children:
        return found
    made = tuple(map(canonical, children))
    if isinstance(found, Call) and found.name in _EITHER_WAY:
        if found.name in ("+", "*", "and", "or"):
            made = tuple(x for one in made for x in _same_operator(found, one))
        return replace(found, arguments=tuple(sorted(made, key=_order_key)))
    if isinstance(found, Call) and found.name in _TURNED:
        return replace(found, name=_TURNED[found.name], arguments=made[::-1])
    return found.with_children(made)


@dataclass(frozen=True, slots=True)
class _Bound(Expr):
    """A parameter of a lambda by its place. height: how many lambdas are nested in the one that has it, and itself."""

    height: int
    place: int


def _without_names(found: Lambda) -> Expr:
    """The lambda with places for its parameters: ``x -> x + 1`` is ``y -> y + 1``."""
    body = canonical(found.body)
    height = _height(body)
    places = {id(p): n for n, p in enumerate(found.parameters)}

    def bound(each: Expr) -> Expr | None:
        if isinstance(each, Column) and id(each.attribute) in places:
            return _Bound(each.type, each.nullable, height, places[id(each.attribute)])
        return None

    return replace(found, parameters=(), body=rewritten(body, bound))


def _height(found: Expr) -> int:
    inside = max(map(_height, found.children), default=0)
    return inside + isinstance(found, Lambda)


def _same_operator(around: Call, found: Expr) -> tuple[Expr, ...]:
    if isinstance(found, Call) and found.name == around.name and found.type == around.type:
        return found.arguments
    return (found,)


def _order_key(found: Expr) -> tuple[str, int]:
    return type(found).__name__, hash(found)


class Grouped:
    """An aggregation, and how expressions of the text read above it.

    relation: the aggregation. over: the text's expression with keys and aggregates as its columns.
    """

    def __init__(self, keys: Keys, source: Relation, expressions: Iterable[Expr]) -> None:
        self._sets = keys.sets
        given = keys.keys
        self._order = given
        self._keys = {canonical(k): self._key_column(k) for k in given}
        self._measures: dict[AggregateCall, Attribute] = {}
        for each in expressions:
            self._collect(each)
        several = keys.sets is not None and len(keys.sets) > 1
        rows = None
        if (several and () in (keys.sets or ())) or not (given or self._measures):
            # One row, whatever is asked of it: a plan wants a column. ROLLUP: see below.
            rows = AggregateCall(t.BIGINT, False, "count", ())
            self._measures.setdefault(rows, Attribute("", t.BIGINT, False, True))
        self._source = {id(a) for a in source.columns}
        self._own = {id(a) for a in self._keys.values()}
        columns = [*self._keys.values(), *self._measures.values()]
        self._set: Attribute | None = None
        if several:
            self._set = Attribute("", t.INT, False, True)
            columns.append(self._set)
        sets = None if keys.sets is None else tuple(keys.sets)
        made = Aggregate(tuple(columns), source, tuple(given), tuple(self._measures), sets)
        self.relation: Relation = made
        if several and rows is not None:
            # Of no rows Spark makes no groups, also where () is one of several sets; a plan has one for ().
            counted = column(self._measures[rows])
            some = operators.binary(">", counted, Literal(t.BIGINT, False, 0))
            self.relation = Filter(made.columns, made, some)

    def _key_column(self, key: Expr) -> Attribute:
        if isinstance(key, Column) and self._sets is None:
            return key.attribute
        name = key.attribute.name if isinstance(key, Column) else ""
        return Attribute(name, key.type, key.nullable or self._sets is not None)

    def _collect(self, found: Expr) -> None:
        if canonical(found) in self._keys:
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
        if isinstance(found, AggregateCall):
            return column(self._measures[found])
        if isinstance(found, WindowCall):
            return self._window(found)
        if isinstance(found, Grouping):
            return self._grouping(found)
        if isinstance(found, Case):
            return self._set_itself(found)
        if isinstance(found, Column) and id(found.attribute) in self._source:
            if id(found.attribute) in self._own or id(found.attribute) in self._kept:
                return found
            name = found.attribute.name
            raise Misused(f"{name} is neither grouped nor aggregated")
        return None

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
        order = list(self._keys)
        try:
            places = [order.index(k) for k in keys]
        except ValueError as error:
            raise Misused("grouping wants keys of GROUP BY") from error
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
        order = list(self._keys)
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
