"""Expressions as Spark compares them with the keys of GROUP BY."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

from substrait_sql.lift.relations import CommonQuery
from substrait_sql.lift.tree import (
    Attribute,
    Call,
    Column,
    Expr,
    Frame,
    Lambda,
    Relation,
    SortKey,
    Subquery,
    rewritten,
)

_TURNED = {">": "<", ">=": "<="}
_CHAINED = ("+", "*", "and", "or")
_EITHER_WAY = (*_CHAINED, "=", "<=>", "&", "|", "^")


@dataclass(eq=False, slots=True)
class Form:
    """What an expression says: equal to itself only. number: of its `Forms`."""

    number: int


class Forms:
    """What expressions say, one `Form` for all that say the same.

    Spark takes ``a + 1`` and ``1 + a`` for one key of GROUP BY, and ``a > b`` and ``b < a``. exact: these are two.

    An expression is looked at once, however many places it stands in, as the value of BETWEEN does.
    """

    def __init__(self, *, exact: bool = False) -> None:
        self._exact = exact
        # With the expressions themselves, so that no other one gets their identity.
        self._known: dict[int, tuple[Expr, Form]] = {}
        self._forms: dict[Any, Form] = {}
        self._operands: dict[Form, list[Form]] = {}

    def of(self, found: Expr) -> Form:
        """The form of an expression."""
        known = self._known.get(id(found))
        if known is None:
            known = self._known[id(found)] = found, self._made(found)
        return known[1]

    def _made(self, found: Expr) -> Form:
        if self._exact:
            return self._form(self._said(found))
        match found:
            case Lambda():
                return self._form((Lambda, found.type, self.of(_without_names(found))))
            case Subquery():
                return self._form((Subquery, found.type, self._queried(found, {}, {})))
            case Call() if found.name in _EITHER_WAY:
                return self._either_way(found)
            case Call() if found.name in _TURNED:
                arguments = found.arguments[::-1]
                found = replace(found, name=_TURNED[found.name], arguments=arguments)
        return self._form(self._said(found))

    def _form(self, said: Any) -> Form:
        found = self._forms.get(said)
        if found is None:
            found = self._forms[said] = Form(len(self._forms))
        return found

    def _said(self, found: Expr) -> Any:
        said: list[Any] = [type(found)]
        for name in _compared(found):
            value = getattr(found, name)
            said.append(self.of(value) if isinstance(value, Expr) else self._part(value))
        return tuple(said)

    def _part(self, held: Any) -> Any:
        match held:
            case Expr():
                return self.of(held)
            case SortKey():
                return self.of(held.value), held.descending, held.nulls_first
            case Frame():
                return held.unit, self._part(held.start), self._part(held.end)
            case tuple():
                return tuple(map(self._part, held))
        return held

    def _either_way(self, found: Call) -> Form:
        """Of an operator whose operands may change places, and be an operator of the same kind themselves."""
        operands: list[Form] = []
        for each in found.arguments:
            form = self.of(each)
            chained = (
                found.name in _CHAINED
                and isinstance(each, Call)
                and (each.name, each.type) == (found.name, found.type)
            )
            operands += self._operands[form] if chained else [form]
        operands.sort(key=lambda form: form.number)
        made = self._form((Call, found.type, found.name, tuple(operands), found.draw))
        self._operands[made] = operands
        return made

    def _queried(self, held: Any, made: dict[int, int], known: dict[int, Form]) -> Any:
        """What a part of a query says: its own columns are known by the order in which they are made.

        made: the numbers of the query's own columns. known: what expressions of it say.
        """
        match held:
            case Attribute():
                return made.get(id(held), held)
            case Relation():
                below = [self._queried(each, made, known) for each in held.inputs]
                for each in held.columns:
                    made.setdefault(id(each), len(made))
                named = [n for n in _compared(held) if n not in (*held.below, "alias")]
                parts = [self._queried(getattr(held, n), made, known) for n in named]
                return self._form((type(held), tuple(below), tuple(parts)))
            case CommonQuery():
                return id(held)
            case Expr() | SortKey() | Frame():
                if id(held) not in known:
                    values = [getattr(held, name) for name in _compared(held)]
                    parts = [self._queried(each, made, known) for each in values]
                    known[id(held)] = self._form((type(held), tuple(parts)))
                return known[id(held)]
            case tuple():
                return tuple(self._queried(each, made, known) for each in held)
        return held


_FIELDS: dict[Any, tuple[str, ...]] = {}


def _compared(held: Any) -> tuple[str, ...]:
    """The fields that make an object what it is."""
    kind = type(held)
    if kind not in _FIELDS:
        _FIELDS[kind] = tuple(f.name for f in fields(kind) if f.compare)
    return _FIELDS[kind]


@dataclass(frozen=True, slots=True)
class _Bound(Expr):
    """A parameter of a lambda by its place. height: how many lambdas are nested in the one that has it."""

    height: int
    place: int


def _without_names(found: Lambda) -> Expr:
    """The lambda's body with places for its parameters: ``x -> x + 1`` is ``y -> y + 1``."""
    height = _height(found.body, {})
    places = {id(p): n for n, p in enumerate(found.parameters)}

    def bound(each: Expr) -> Expr | None:
        if isinstance(each, Column) and id(each.attribute) in places:
            return _Bound(each.type, each.nullable, height, places[id(each.attribute)])
        return None

    return rewritten(found.body, bound)


def _height(found: Expr, known: dict[int, int]) -> int:
    """How many lambdas are nested there. known: what parts have, by their identity."""
    if id(found) not in known:
        inside = max((_height(each, known) for each in found.children), default=0)
        known[id(found)] = inside + isinstance(found, Lambda)
    return known[id(found)]
