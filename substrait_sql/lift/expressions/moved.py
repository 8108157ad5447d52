"""IN (query) whose answer about unknown members changes where Spark's optimizer moves it.

NOT IN by itself is unknown where a NULL is among the members; NOT of an IN that is a value beside others is TRUE, as
the value is FALSE. Spark puts a named value into the expressions that read it, and so makes the first of the second:
``SELECT NOT b FROM (SELECT k IN (SELECT …) AS b FROM t)``. And it makes an inner join of an outer one where a condition
above asks for values of the side that is filled with NULLs; conditions of an inner join become filters of its sides
(`query.on`). Both as of Spark 4.3, drawn over what names values and what reads them. No plan has both answers, so that
such a statement is refused.
"""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any, Final

from substrait_sql.lift.correlation import columns_of, expressions_of, outer_of
from substrait_sql.lift.relations import (
    Aggregate,
    Expand,
    Fetch,
    Filter,
    Join,
    Project,
    SetOperation,
    Shared,
)
from substrait_sql.lift.tree import (
    FALSE,
    TRUE,
    Call,
    Column,
    Expr,
    In,
    Relation,
    Subquery,
    walk,
)
from substrait_sql.lift.typing.problems import Misused
from substrait_sql.lift.writes.actions import Define

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import TypeGuard

    from substrait_sql.lift.tree import Attribute
    from substrait_sql.lift.writes.actions import Action

_FILLED: Final = {"left": (1,), "right": (0,), "full": (0, 1)}
"""The sides of a join that have NULLs for what has no match."""


def check(found: Relation | Action) -> None:
    """Raises `Misused` SS5007 for an IN (query) that has other answers where Spark may move it to."""
    relations = list(_relations(found))
    values = (x for r in relations for e in expressions_of(r) for x in walk(e))
    if not any(map(_is_member, values)):
        return
    _check_named(relations)
    if any(isinstance(r, Join) and r.unknown for r in relations):
        for root in _held_by(found):
            # Who reads a view may ask for anything.
            _Asked().visit(root, _ids(root.columns) if isinstance(found, Define) else set())


def may_be_unknown(found: Subquery) -> bool:
    """Whether a NULL may be among the members or the values that are looked for."""
    return any(v.nullable for v in found.values) or any(c.nullable for c in found.query.columns)


def _is_member(found: Expr) -> TypeGuard[Subquery]:
    """Whether it is an IN (query) whose answer may be unknown."""
    is_in = isinstance(found, Subquery) and found.kind in ("in", "found", "missed")
    return is_in and may_be_unknown(found)  # type: ignore[arg-type]


def _held_by(found: Relation | Action) -> Iterator[Relation]:
    """The relations that a statement begins with, and those that its own expressions ask."""
    if isinstance(found, Relation):
        yield found
        return
    for each in fields(found):
        held: Any = getattr(found, each.name)
        if isinstance(held, Relation):
            yield held
        for value in _expressions(held):
            yield from (x.query for x in walk(value) if isinstance(x, Subquery))


def _expressions(held: Any) -> Iterator[Expr]:
    if isinstance(held, Expr):
        yield held
    elif isinstance(held, tuple):
        for each in held:
            yield from _expressions(each)


def _relations(found: Relation | Action) -> Iterator[Relation]:
    """All relations of a statement, those within its expressions too, each once."""
    seen: set[int] = set()
    stack = list(_held_by(found))
    while stack:
        each = stack.pop()
        if id(each) in seen:
            continue
        seen.add(id(each))
        yield each
        stack.extend(each.inputs)
        if isinstance(each, Shared):
            stack.append(each.query.relation)
        for value in expressions_of(each):
            stack.extend(x.query for x in walk(value) if isinstance(x, Subquery))


def _ids(columns: Iterable[Attribute]) -> set[int]:
    return {id(c) for c in columns}


def _check_named(relations: Sequence[Relation]) -> None:
    """Raises `Misused` where NOT reads a column that is such an IN."""
    named = _Named(relations)
    for each in relations:
        for value in _merged_into(each):
            for x in walk(value):
                member = named.reached_by(x)
                if member is not None:
                    what = "NOT of a name for this IN (query), which Spark answers as NOT IN or as NOT of its value"
                    hint = (
                        "write the IN (query) itself at each place, or coalesce(…, FALSE) around it"
                    )
                    message = f"a plan has no word for {what}"
                    raise Misused(message, "SS5007", hint, node=member.written)


def _merged_into(found: Relation) -> Iterator[Expr]:
    """The expressions that Spark writes the values of names into."""
    if isinstance(found, Aggregate):
        yield from found.keys
    else:
        yield from expressions_of(found)


class _Named:
    """What columns are, for those that only name a value below them."""

    def __init__(self, relations: Iterable[Relation]) -> None:
        self._values: dict[int, list[Expr]] = {}
        self._answers: dict[int, Subquery | None] = {}
        for each in relations:
            for column, value in _definitions(each):
                if not (isinstance(value, Column) and value.attribute is column):
                    self._values.setdefault(id(column), []).append(value)

    def reached_by(self, found: Expr) -> Subquery | None:
        """The IN that a NOT, however it is said, comes to by way of a name; None for everything else."""
        if isinstance(found, Call) and found.name == "not":
            return self._reached(found.arguments)
        if isinstance(found, Call) and found.name == "=" and FALSE in found.arguments:
            return self._reached(x for x in found.arguments if x != FALSE)
        if isinstance(found, In) and all(o == FALSE for o in found.options):
            return self._reached([found.value])
        return None

    def _reached(self, values: Iterable[Expr]) -> Subquery | None:
        """The first IN that NOT, moved inwards, comes to by way of a name."""
        return _first(
            self._named(x) if isinstance(x, Column) else self._reached(_parts(x)) for x in values
        )

    def _named(self, found: Column) -> Subquery | None:
        """The IN that a column is."""
        key = id(found.attribute)
        if key not in self._answers:
            self._answers[key] = None
            self._answers[key] = self._member(self._values.get(key, ()))
        return self._answers[key]

    def _member(self, values: Iterable[Expr]) -> Subquery | None:
        return _first(x if _is_member(x) else self._member_in(x) for x in values)

    def _member_in(self, found: Expr) -> Subquery | None:
        return self._named(found) if isinstance(found, Column) else self._member(_parts(found))


def _first(found: Iterable[Subquery | None]) -> Subquery | None:
    return next((x for x in found if x is not None), None)


def _parts(found: Expr) -> tuple[Expr, ...]:
    """The operands that NOT is moved to."""
    if isinstance(found, Call) and found.name in ("and", "or", "not"):
        return found.arguments
    if isinstance(found, Call) and found.name == "=":
        a, b = found.arguments
        return tuple(x for x, other in ((a, b), (b, a)) if other in (TRUE, FALSE))
    return ()


def _definitions(found: Relation) -> Iterator[tuple[Attribute, Expr]]:
    """The columns of a relation that another expression is, with it."""
    if isinstance(found, Project):
        yield from zip(found.columns, found.expressions, strict=True)
    elif isinstance(found, Aggregate):
        yield from zip(found.columns, found.keys, strict=False)
    elif isinstance(found, Expand):
        for row in found.rows:
            yield from zip(found.columns, row, strict=True)
    elif isinstance(found, Shared):
        yield from _renamed(found, found.query.relation)
    elif isinstance(found, SetOperation):
        for source in found.sources:
            yield from _renamed(found, source)


def _renamed(found: Relation, source: Relation) -> Iterator[tuple[Attribute, Expr]]:
    for column, inner in zip(found.columns, source.columns, strict=True):
        yield column, Column(inner.type, inner.nullable, inner)


class _Asked:
    """From the top down: which columns conditions ask something of, and what that does to joins."""

    def __init__(self) -> None:
        self._seen: set[tuple[int, frozenset[int]]] = set()

    def visit(self, found: Relation, asked: set[int]) -> None:
        """asked: the columns of it, and of what is around it, by their identities. Raises `Misused`."""
        for value in expressions_of(found):
            for each in walk(value):
                if isinstance(each, Subquery):
                    self.visit(each.query, _ids(each.query.columns) | asked)
        if isinstance(found, Join):
            _check_join(found, asked)
        passed = _passed(found, asked)
        for source in found.inputs:
            self.visit(source, passed)
        if isinstance(found, Shared):
            self._visit_common(found.query.relation, passed)

    def _visit_common(self, found: Relation, asked: set[int]) -> None:
        """A common table expression, for each set of its columns that is asked of once."""
        own = asked & _ids(found.columns)
        key = id(found), frozenset(own)
        if key not in self._seen:
            self._seen.add(key)
            self.visit(found, own)


def _check_join(found: Join, asked: set[int]) -> None:
    filled = [found.inputs[side] for side in _FILLED.get(found.kind, ())]
    if found.unknown and any(asked & _ids(side.columns) for side in filled):
        what = "NOT IN (query) in ON, whose answer changes as a condition above makes another join of it"
        members = filter(_is_member, walk(found.condition) if found.condition is not None else ())
        node = next((x.written for x in members), None)
        raise Misused(f"a plan has no word for {what}", "SS5007", node=node)


def _passed(found: Relation, asked: set[int]) -> set[int]:
    """What is asked of the columns below."""
    if isinstance(found, Fetch):
        return set()
    passed = asked | {
        id(c)
        for column, value in _definitions(found)
        if id(column) in asked
        for c in columns_of([value])
    }
    if isinstance(found, Filter):
        passed |= _ids(columns_of([found.condition]))
    if isinstance(found, Join):
        passed |= _ids(columns_of([found.condition] if found.condition is not None else []))
        passed |= outer_of(found.right).keys() if found.lateral else set()
    return passed
