"""GROUP BY: the aggregation, and the expressions above it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from substrait_sql.lift import correlation, operators
from substrait_sql.lift.encode import composed
from substrait_sql.lift.expressions.canonical import Form, Forms
from substrait_sql.lift.expressions.functions import aggregates_in
from substrait_sql.lift.relations import Aggregate
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
    holds,
    rewritten,
)
from substrait_sql.lift.typing import types as t
from substrait_sql.lift.typing.problems import Misused

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from substrait_sql.lift.query.keys import Keys


def _used(keys: Keys) -> list[int]:
    """The places of the keys that a grouping set has."""
    if keys.sets is None:
        return list(range(len(keys.keys)))
    return sorted({p for one in keys.sets for p in one})


def _is_read(sets: Sequence[tuple[int, ...]], expressions: Sequence[Expr]) -> bool:
    """Whether the plan returns the index of the grouping set: one that is repeated needs none if nobody asks for it."""
    return len({frozenset(s) for s in sets}) == len(sets) or any(
        holds(each, Grouping) for each in expressions
    )


class Grouped:
    """An aggregation, and how expressions of the text read above it.

    relation: the aggregation. over: the text's expression with keys and aggregates as its columns.
    """

    def __init__(
        self, keys: Keys, source: Relation, expressions: Iterable[Expr], plain: bool
    ) -> None:
        self._plain = plain
        self._sets = keys.sets
        self._form = keys.forms.of
        self._order = keys.keys
        # Only what is of a key's class can be one; to compare all others would take time with their depth.
        self._classes = set(map(type, keys.keys))
        places = _used(keys)
        given = [keys.keys[p] for p in places]
        # A key of no grouping set is NULL in all rows.
        self._gone = {
            self._form(k): Literal(k.type, True, None)
            for p, k in enumerate(keys.keys)
            if p not in places
        }
        self._source = {id(a) for a in source.columns}
        self._keys = {self._form(k): self._key_column(k) for k in given}
        self._exact = Forms(exact=True)
        self._measures: dict[Form, tuple[AggregateCall, Attribute]] = {}
        self._collected: set[int] = set()
        read = list(expressions)
        for each in read:
            self._collect(each)
        if not given and not self._measures:
            # One row, whatever is asked of it: a plan wants a column.
            rows = AggregateCall(t.BIGINT, False, "count", ())
            self._add(rows)
        self._own = {id(a) for a in self._keys.values()}
        columns = list(self._keys.values())
        sets = None if keys.sets is None else [tuple(map(places.index, s)) for s in keys.sets]
        if sets is not None and () in sets and len(sets) > 1:
            # Of several sets the one without keys has no row in Spark where there are no rows: a constant groups it.
            sets = [s or (len(given),) for s in sets]
            given.append(TRUE)
            columns.append(Attribute("all_rows", t.BOOLEAN, True))
        columns += [a for _, a in self._measures.values()]
        self._set: Attribute | None = None
        if sets is not None and len(sets) > 1 and _is_read(sets, read):
            self._set = Attribute("", t.INT, False, True)
            columns.append(self._set)
        several = None if sets is None or len(sets) == 1 else tuple(sets)
        self.relation = Aggregate(
            tuple(columns),
            source,
            tuple(given),
            tuple(c for c, _ in self._measures.values()),
            several,
        )

    def _key_column(self, key: Expr) -> Attribute:
        if isinstance(key, Column) and self._sets is None and id(key.attribute) in self._source:
            return key.attribute
        name = key.attribute.name if isinstance(key, Column) else ""
        return Attribute(name, key.type, key.nullable or self._sets is not None)

    def _collect(self, found: Expr) -> None:
        if id(found) in self._collected or self._is_key(found):
            return
        self._collected.add(id(found))
        found = self._composed(found) or found
        if isinstance(found, AggregateCall):
            if any(map(aggregates_in, found.children)):
                raise Misused("an aggregate function within another one")
            self._add(found)
            return
        children = found.children
        if isinstance(found, WindowCall):
            children = (*found.function.children, *children[1:])
        if isinstance(found, Subquery):
            children = (*children, *correlation.aggregates_around(found.query, self._source))
        for each in children:
            self._collect(each)

    def _add(self, found: AggregateCall) -> None:
        made = Attribute("", found.type, found.nullable, True)
        self._measures.setdefault(self._exact.of(found), (found, made))

    def _composed(self, found: Expr) -> AggregateCall | None:
        """The one aggregate of the standard that an expression over aggregates is; None for all others."""
        return None if self._plain else composed.measure(found)

    def over(self, found: Expr, outputs: Sequence[Attribute] = ()) -> Expr:
        """The expression over the columns of the aggregation. outputs: columns of the select list, which stay."""
        self._kept = {id(a) for a in outputs}
        return rewritten(found, self._change)

    def _change(self, found: Expr) -> Expr | None:
        if self._is_key(found):
            form = self._form(found)
            key = self._keys.get(form)
            return self._gone[form] if key is None else Column(key.type, key.nullable, key)
        whole = self._composed(found) or found
        if isinstance(whole, AggregateCall):
            return column(self._measures[self._exact.of(whole)][1])
        if (
            isinstance(found, Call)
            and found.name == "not"
            and self._is_computed(found.arguments[0])
        ):
            # NOT is written into what it negates, where Spark does not find the key again.
            key = self._keys[self._form(found.arguments[0])]
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
            return self._set_itself(found) or self._case_of_sets(found)
        if isinstance(found, Cast) and found.type == t.INT and isinstance(found.value, Grouping):
            return self._set_as_mask(found.value)
        if isinstance(found, Column) and id(found.attribute) in self._source:
            if id(found.attribute) in self._own or id(found.attribute) in self._kept:
                return found
            name = found.attribute.name
            hint = f"add {name} to GROUP BY, or take any_value({name})"
            raise Misused(f"{name} is neither grouped nor aggregated", hint=hint)
        return None

    def _measure(self, found: Expr) -> Expr | None:
        if not isinstance(found, AggregateCall):
            return None
        measure = self._measures.get(self._exact.of(found))
        return None if measure is None else column(measure[1])

    def _is_key(self, found: Expr) -> bool:
        if type(found) not in self._classes:
            return False
        form = self._form(found)
        return form in self._keys or form in self._gone

    def _is_computed(self, found: Expr) -> bool:
        return self._form(found) in self._keys and not isinstance(found, Column)

    def _window(self, found: WindowCall) -> Expr:
        function = found.function
        apart = self._sets is not None and not found.ranking
        change = self._change_of_aggregate if apart else self._change
        children = tuple(rewritten(c, change) for c in function.children)
        inner = function.with_children(children)
        rest = tuple(rewritten(c, self._change) for c in found.children[1:])
        return found.with_children((inner, *rest))

    def _change_of_aggregate(self, found: Expr) -> Expr | None:
        """Spark looks for no key of grouping sets in what an aggregate function over a window is given."""
        form = self._form(found)
        if form not in self._keys and form not in self._gone:
            return self._change(found)
        if holds(found, Column):
            message = "a key of grouping sets cannot be aggregated over a window"
            raise Misused(message, hint="group in a derived table, and aggregate around it")
        return found

    def _grouping(self, found: Grouping) -> Expr:
        if self._sets is None:
            raise Misused("grouping wants grouping sets, ROLLUP or CUBE")
        keys = tuple(map(self._form, found.keys or self._order))
        order = list(map(self._form, self._order))
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
            number = _number_asked_for(condition)
            if number is None or not isinstance(value, Literal):
                return None
            asked.append(number[0])
            values.setdefault(number[1], value.value)
        if any(a != asked[0] for a in asked) or found.type != t.INT:
            return None
        of_sets = self._values(asked[0])
        if [values.get(v) for v in of_sets] != list(range(len(self._sets))):
            return None
        return column(self._set)

    def _case_of_sets(self, found: Case) -> Expr | None:
        """``CASE grouping_id() WHEN 1 THEN x …`` asks for the sets of which it is 1, each by its place."""
        if self._sets is None or self._set is None:
            return None
        branches: list[tuple[Expr, Expr]] = []
        for condition, value in found.branches:
            asked = _number_asked_for(condition)
            if asked is None:
                return None
            indexes = [i for i, v in enumerate(self._values(asked[0])) if v == asked[1]]
            if len(indexes) > 1 and not isinstance(value, Literal):
                return None
            for i in indexes:
                test = operators.binary("=", column(self._set), Literal(t.INT, False, i))
                branches.append((test, rewritten(value, self._change)))
        if not branches:
            return None
        otherwise = found.otherwise and rewritten(found.otherwise, self._change)
        return replace(found, branches=tuple(branches), otherwise=otherwise)

    def _set_as_mask(self, found: Grouping) -> Expr | None:
        """``grouping_id()`` is that column, where it counts the sets in their order."""
        places = list(range(len(self._sets or ())))
        if self._set is None or found.shown != "grouping_id" or self._values(found) != places:
            return None
        return column(self._set)

    def _values(self, found: Any) -> list[int]:
        """What ``grouping_id`` is of each grouping set."""
        order = list(map(self._form, self._order))
        keys = tuple(map(self._form, found.keys or self._order))
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


def _number_asked_for(condition: Expr) -> tuple[Grouping, Any] | None:
    """Of ``grouping_id() = 1`` what is asked and the constant; None for any other condition."""
    if not isinstance(condition, Call) or condition.name != "=":
        return None
    asked, constant = condition.arguments
    asked = asked.value if isinstance(asked, Cast) else asked
    if not isinstance(asked, Grouping) or not isinstance(constant, Literal):
        return None
    return asked, constant.value
