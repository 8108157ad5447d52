"""Where Spark lets a query within another one read the columns of the one around it.

https://spark.apache.org/docs/latest/sql-ref-syntax-qry-select-subqueries.html
"""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

from substrait_sql.lift.relations import (
    Aggregate,
    Expand,
    Fetch,
    Filter,
    Generate,
    Join,
    LastRound,
    Project,
    Shared,
    Sort,
    Window,
)
from substrait_sql.lift.tree import (
    AggregateCall,
    Attribute,
    Call,
    Column,
    Expr,
    Lambda,
    Relation,
    SortKey,
    Subquery,
    WindowCall,
    holds,
    occurrences,
    rewritten,
    walk,
)
from substrait_sql.lift.typing.problems import Misused

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from substrait_sql.lift.relations import CommonQuery

# Rows of these sides of a join become NULLs, or are only looked at.
_CLOSED = {
    "left": (1,), "right": (0,), "full": (0, 1), "semi": (1,), "anti": (1,),
}  # fmt: skip


def outer_of(found: Relation) -> dict[int, Attribute]:
    """The columns of queries around that a relation reads, by their identity."""
    if found.outer is None:
        found.outer = _outer_of(found)
    return found.outer


def _outer_of(found: Relation) -> dict[int, Attribute]:
    made: set[int] = set()
    read: dict[int, Attribute] = {}
    for each in relations_in(found):
        here = {id(c): c for c in columns_of(expressions_of(each))}
        # A column that it reads and passes on is made below it, or around.
        made |= {id(c) for c in each.columns} - here.keys()
        read |= here
    return {key: c for key, c in read.items() if key not in made}


def read_around(found: Relation) -> list[Attribute]:
    """The columns of queries around, each as often as a relation reads it: from the last step to the first."""
    if found.outer_reads is None:
        found.outer_reads = _reads_around(found)
    return found.outer_reads


def _reads_around(found: Relation) -> list[Attribute]:
    outer = outer_of(found)
    common = dict.fromkeys(each.query for each in relations_in(found) if isinstance(each, Shared))
    steps = (*(query.relation for query in common), found)
    return [c for step in steps for c in _reads(step) if id(c) in outer]


def _reads(found: Relation) -> Iterator[Attribute]:
    yield from _each_column(expressions_of(found))
    for each in found.inputs:
        yield from _reads(each)


def _each_column(values: Iterable[Expr]) -> Iterator[Attribute]:
    for value in values:
        for each in occurrences(rewritten(value, _read_once)):
            if isinstance(each, Column):
                yield each.attribute
            elif isinstance(each, Subquery):
                yield from read_around(each.query)


def _read_once(value: Expr) -> Expr | None:
    """BETWEEN reads its value once, though it is two comparisons here."""
    if not isinstance(value, Call) or value.name != "between":
        return None
    low, high = value.arguments
    parts = (*low.children, high.children[-1])
    return replace(value, name="", arguments=tuple(rewritten(p, _read_once) for p in parts))


def correlated(value: Expr) -> list[Subquery]:
    """The subqueries in an expression that read columns of the query around."""
    return [x for x in walk(value) if isinstance(x, Subquery) and outer_of(x.query)]


def aggregates_around(found: Relation, around: Iterable[int]) -> list[AggregateCall]:
    """The aggregates in conditions of a query that are those of the query around. around: its columns' identities."""
    own = set(around)
    return [
        x
        for each in relations_in(found)
        if isinstance(each, Filter)
        for x in walk(each.condition)
        if isinstance(x, AggregateCall) and reads_only(x, own)
    ]


def reads_only(found: Expr, columns: Iterable[int]) -> bool:
    """Whether an expression reads columns, and of these only. columns: their identities."""
    read = {id(c) for c in columns_of([found])}
    return bool(read) and read <= set(columns)


def reads_some(found: Expr, columns: Iterable[int]) -> bool:
    """Whether an expression reads one of these columns, or none at all."""
    read = {id(c) for c in columns_of([found])}
    return not read or not read.isdisjoint(columns)


def with_conditions(found: Relation, change: Callable[[Expr], Expr | None]) -> Relation:
    """The rows of a query with other parts in its conditions, see `tree.rewritten`."""
    made: dict[str, Any] = {}
    for name in found.below:
        held = getattr(found, name)
        one = isinstance(held, Relation)
        inner = tuple(with_conditions(x, change) for x in ((held,) if one else held))
        if any(
            a is not b for a, b in zip(inner, found.inputs if not one else (held,), strict=True)
        ):
            made[name] = inner[0] if one else inner
    if isinstance(found, Filter):
        condition = rewritten(found.condition, change)
        if condition is not found.condition:
            made["condition"] = condition
    return replace(found, **made) if made else found


def check(found: Relation) -> None:
    """Raises `Misused` for a subquery that reads a column of the query around where Spark has no way to."""
    outer = outer_of(found)
    if not outer:
        return
    for each in relations_in(found):
        # What a query below passes on is a column of its.
        below = {id(c) for source in each.inputs for c in source.columns}
        far = {key: c for key, c in outer.items() if key not in below}
        if isinstance(each, Aggregate):
            _check(far, (*each.keys, *each.measures), "GROUP BY and aggregate functions")
            if each.sets is not None and outer.keys() & outer_of(each.source).keys():
                raise Misused("Spark reads no column of the query around below grouping sets there")
        elif isinstance(each, Project) and _over_groups(each):
            _check(far, each.expressions, "SELECT with groups")
        elif isinstance(each, Sort):
            _check(far, [k.value for k in each.keys], "ORDER BY")
        elif isinstance(each, (Expand, Generate)) and each.source.columns:
            _check(far, expressions_of(each), "a generator of rows")
        elif isinstance(each, Join) and not each.lateral:
            for side in _CLOSED.get(each.kind, ()):
                if outer.keys() & outer_of(each.inputs[side]).keys():
                    raise Misused(
                        f"Spark reads no column of the query around below a {each.kind} join there"
                    )
        if isinstance(each, Project):
            calls = [x for e in each.expressions for x in walk(e) if isinstance(x, WindowCall)]
            _check(far, calls, "OVER")


def check_sort(value: Expr) -> None:
    """Raises `Misused` for subqueries that Spark does not sort by."""
    if any(isinstance(x, Subquery) and x.kind != "scalar" for x in walk(value)):
        raise Misused("ORDER BY takes no IN (query) and no EXISTS: name one in the select list")
    if correlated(value):
        raise Misused("ORDER BY takes no query that reads the columns around it")


def check_join(condition: Expr, left: Iterable[Attribute], right: Iterable[Attribute]) -> None:
    """Raises `Misused` for subqueries that Spark takes in no ON."""
    sides = [{id(c) for c in side} for side in (left, right)]
    for query in correlated(condition):
        if query.kind == "scalar":
            raise Misused("ON takes no query as a value that reads the columns around it")
    for each in (x for x in walk(condition) if isinstance(x, Subquery)):
        read = {*outer_of(each.query), *(id(c) for c in columns_of(each.values))}
        if all(read & side for side in sides):
            raise Misused("a query in ON reads the columns of one side of the join only")


def _check(outer: dict[int, Attribute], values: Iterable[Expr], where: str) -> None:
    for each in columns_of(values):
        if id(each) in outer:
            raise Misused(
                f"{where}: Spark reads no column of the query around there, as {each.name}"
            )


def _over_groups(found: Project) -> bool:
    below: Relation = found.source
    while isinstance(below, Filter):
        below = below.source
    return isinstance(below, Aggregate)


def relations_in(
    found: Relation, wanted: Callable[[Relation], bool] = lambda _: True
) -> Iterator[Relation]:
    """The relation, those below it, and the common table expressions that they read, each once.

    wanted: others are passed over, with all that is below them.
    """
    stack = [found]
    seen: set[int] = set()
    while stack:
        each = stack.pop()
        if not wanted(each):
            continue
        yield each
        stack.extend(each.inputs)
        # A recursion has its start below it, and the rows of a round are none of its.
        query = each.query if isinstance(each, Shared) else None
        if query is not None and id(query) not in seen:
            seen.add(id(query))
            stack.append(query.relation)


def expressions_of(found: Relation) -> Iterator[Expr]:
    """What a relation itself computes, asks for, and sorts by."""
    for each in fields(found):
        # A join has the columns of all joins below it, of which none is computed here.
        if each.name != "columns" and each.name not in found.below:
            yield from _held(getattr(found, each.name))


def _held(value: Any) -> Iterator[Expr]:
    if isinstance(value, Expr):
        yield value
    elif isinstance(value, SortKey):
        yield value.value
    elif isinstance(value, tuple):
        for each in value:
            yield from _held(each)


def columns_of(values: Iterable[Expr]) -> Iterator[Attribute]:
    """The columns that expressions read, also in the queries inside of them: not those that are bound in there."""
    for value in values:
        bound = {id(p) for x in walk(value) if isinstance(x, Lambda) for p in x.parameters}
        for each in walk(value):
            if isinstance(each, Column):
                if id(each.attribute) not in bound:
                    yield each.attribute
            elif isinstance(each, Subquery):
                yield from outer_of(each.query).values()


def check_recursion(step: Relation, query: CommonQuery) -> None:
    """Raises `Misused` for a step of the query that reads the rows of its round before where Spark does not let it.

    https://spark.apache.org/docs/latest/sql-error-conditions.html, INVALID_RECURSIVE_REFERENCE
    """
    for each in relations_in(step, lambda r: query in rounds_of(r)):
        below = any(query in rounds_of(x) for x in each.inputs)
        windowed = isinstance(each, Project) and any(holds(e, WindowCall) for e in each.expressions)
        if below and (windowed or isinstance(each, (Aggregate, Window, Sort, Fetch))):
            what = "aggregate and window functions, ORDER BY and LIMIT"
            raise Misused(f"a recursive query has no {what} over the rows of the round before")
        if isinstance(each, Join):
            for side in _CLOSED.get(each.kind, ()):
                if query in rounds_of(each.inputs[side]):
                    raise Misused(
                        f"a recursive query reads itself on that side of no {each.kind} join"
                    )
        allowed = {id(x) for x in _members(each)}
        for value in expressions_of(each):
            for found in walk(value):
                if isinstance(found, Subquery) and query in rounds_of(found.query):
                    if id(found) not in allowed:
                        what = "a recursive query that reads itself in a query as a value, but for IN and EXISTS"
                        raise Misused(f"a plan has no word for {what}", "SS5007")
                    check_recursion(found.query, query)


def _members(found: Relation) -> Iterator[Expr]:
    """The terms of a condition."""
    stack = [found.condition] if isinstance(found, Filter) else []
    while stack:
        each = stack.pop()
        if isinstance(each, Call) and each.name == "and":
            stack.extend(each.arguments)
        elif isinstance(each, Subquery) and each.kind != "scalar":
            yield each


def rounds_of(found: Relation) -> frozenset[CommonQuery]:
    """The recursions of whose rounds before a relation, or a query in it, reads the rows."""
    if found.rounds is None:
        read = {found.query} if isinstance(found, LastRound) else set()
        below = (*found.inputs, *((found.query.relation,) if isinstance(found, Shared) else ()))
        for each in below:
            read |= rounds_of(each)
        for value in expressions_of(found):
            for x in walk(value):
                read |= rounds_of(x.query) if isinstance(x, Subquery) else frozenset()
        found.rounds = frozenset(read)
    return found.rounds
