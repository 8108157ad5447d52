"""What a text means: expressions with their types, relations with their columns, before any of it is a message.

A column is an `Attribute`, known by what it is and not by where it stands; ordinals, scopes of subqueries and anchors
are given when the messages are made (`lift/encode`). Expressions are equal when they mean the same, which is what
GROUP BY and SELECT are matched by.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar

from substrait_sql.lift.typing import types as t

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from substrait_sql.lift.typing.types import SparkType


@dataclass(eq=False, slots=True)
class Attribute:
    """A column of a relation, or a parameter of a lambda: equal to itself only.

    auto: Spark made up its name. bound: it is a parameter. twin: the column before it that is the same expression: a
    name that means both means one.
    """

    name: str
    type: SparkType
    nullable: bool
    auto: bool = False
    bound: bool = False
    twin: Attribute | None = None


@dataclass(frozen=True, slots=True)
class Expr:
    """An expression. type: Spark's. nullable: whether it can be NULL."""

    type: SparkType
    nullable: bool = field(compare=False)

    # The fields that hold expressions, subqueries' own not among them.
    inside: ClassVar[tuple[str, ...]] = ()

    @property
    def children(self) -> tuple[Expr, ...]:
        """The expressions inside, in the order of the fields."""
        found: list[Expr] = []
        for name in self.inside:
            _gather(getattr(self, name), found)
        return tuple(found)

    def with_children(self, children: tuple[Expr, ...]) -> Expr:
        """The same over other expressions."""
        rest = iter(children)
        made = replace(self, **{n: _exchanged(getattr(self, n), rest) for n in self.inside})
        if next(rest, None) is not None:
            raise ValueError(f"{len(children)} expressions for the {len(self.children)} inside")
        return made


def _gather(held: Any, found: list[Expr]) -> None:
    if isinstance(held, Expr):
        found.append(held)
    elif isinstance(held, SortKey):
        found.append(held.value)
    elif held is not None:
        for each in held:
            _gather(each, found)


def _exchanged(held: Any, rest: Iterator[Expr]) -> Any:
    if isinstance(held, Expr):
        return next(rest)
    if isinstance(held, SortKey):
        return replace(held, value=next(rest))
    return None if held is None else tuple(_exchanged(each, rest) for each in held)


@dataclass(frozen=True, slots=True)
class Literal(Expr):
    """A constant. value: int, Decimal, float, str, bytes, bool, a date as days, timestamps as microseconds, None."""

    value: Any
    # What the text said where this is computed of it: for the name that Spark makes up of it.
    written: Expr | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Constant:
    """What a column is in each row. sure: whether Spark takes it for that; else only for some kinds of tables."""

    value: Expr
    sure: bool


@dataclass(frozen=True, slots=True)
class Column(Expr):
    """A column of the relation below, or of one around. spelt: its name where the text has it in another case.

    outer: how Spark names it as a part of something where LATERAL has it on its left.
    constant: what Spark's optimizer writes in its place.
    """

    attribute: Attribute
    spelt: str = field(default="", compare=False)
    outer: str = field(default="", compare=False)
    constant: Constant | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Call(Expr):
    """A scalar function or an operator by Spark's name, its arguments as Spark has cast them.

    draw: a mark of its own for each call whose value is another one each time, so that it equals none but itself.
    """

    inside: ClassVar[tuple[str, ...]] = ("arguments",)
    name: str
    arguments: tuple[Expr, ...]
    draw: object | None = None
    # What the text said, where it is not the name: for the name that Spark makes up of it.
    shown: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Cast(Expr):
    """CAST, or what Spark does by itself. asked: somebody wrote it. attempt: TRY_CAST."""

    inside: ClassVar[tuple[str, ...]] = ("value",)
    value: Expr
    asked: bool = field(default=True, compare=False)
    attempt: bool = False
    # In the name that Spark makes up: a cast that is a function's is not.
    shown: bool = field(default=True, compare=False)


@dataclass(frozen=True, slots=True)
class Case(Expr):
    """CASE WHEN condition THEN value … ELSE otherwise END."""

    inside: ClassVar[tuple[str, ...]] = ("branches", "otherwise")
    branches: tuple[tuple[Expr, Expr], ...]
    otherwise: Expr | None
    # IF(condition, a, b) is named otherwise.
    shown: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class In(Expr):
    """value IN (options)."""

    inside: ClassVar[tuple[str, ...]] = ("value", "options")
    value: Expr
    options: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class StructField(Expr):
    """The field of a struct, by its place."""

    inside: ClassVar[tuple[str, ...]] = ("value",)
    value: Expr
    index: int


@dataclass(frozen=True, slots=True)
class Lambda(Expr):
    """A function as an argument. type: that of its body."""

    inside: ClassVar[tuple[str, ...]] = ("body",)
    parameters: tuple[Attribute, ...]
    body: Expr


@dataclass(frozen=True, slots=True)
class SortKey:
    """ORDER BY value [DESC] NULLS FIRST or LAST."""

    value: Expr
    descending: bool = False
    nulls_first: bool = True


@dataclass(frozen=True, slots=True)
class AggregateCall(Expr):
    """An aggregate function over the rows of a group."""

    inside: ClassVar[tuple[str, ...]] = ("arguments", "condition", "order")
    name: str
    arguments: tuple[Expr, ...]
    distinct: bool = False
    condition: Expr | None = None
    order: tuple[SortKey, ...] = ()
    ignore_nulls: bool = False
    deterministic: bool = True
    shown: str = field(default="", compare=False)
    # One call of the standard that Spark has several calls for: a `Composition`.
    composed: Any = None


@dataclass(frozen=True, slots=True)
class Distance:
    """An end of a frame as the text has it. backward: PRECEDING. cast: Spark casts it to the key's type."""

    value: Expr
    backward: bool
    cast: bool


@dataclass(frozen=True, slots=True)
class Frame:
    """The rows that a window function sees.

    unit: ``rows`` or ``range``. start, end: None for unbounded, 0 for the current row, else how many rows or how much
    of the key behind it, negative before it, as an expression with its sign. written: the distances in the text.
    """

    unit: str
    start: Expr | int | None
    end: Expr | int | None
    written: tuple[Distance | None, Distance | None] = field(default=(None, None), compare=False)


@dataclass(frozen=True, slots=True)
class WindowCall(Expr):
    """A function with OVER."""

    inside: ClassVar[tuple[str, ...]] = ("function", "partition", "order")
    function: AggregateCall
    partition: tuple[Expr, ...]
    order: tuple[SortKey, ...]
    frame: Frame | None
    # Spark's window functions proper (rank, lag) as against aggregates.
    ranking: bool = False


@dataclass(frozen=True, slots=True)
class Grouping(Expr):
    """grouping(key, …) or grouping_id(): which keys are aggregated away, as bits, the last key the lowest one."""

    inside: ClassVar[tuple[str, ...]] = ("keys",)
    keys: tuple[Expr, ...]
    shown: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Subquery(Expr):
    """A query as a value. kind: ``scalar``, ``exists``, ``in``. values: what is looked for.

    The kinds ``found`` and ``missed`` are IN and NOT IN outside of conditions, where Spark takes unknown for FALSE.
    written: the node of the text, where it is an IN.
    """

    inside: ClassVar[tuple[str, ...]] = ("values",)
    kind: str
    query: Relation
    values: tuple[Expr, ...] = ()
    written: Any = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Parameter(Expr):
    """A value that is given when the plan runs."""

    anchor: int
    shown: str = ""


@dataclass(frozen=True, slots=True)
class Generator(Expr):
    """A function that makes rows of one (explode, stack, inline …). type: a struct of the columns it makes."""

    inside: ClassVar[tuple[str, ...]] = ("arguments",)
    name: str
    arguments: tuple[Expr, ...]
    outer: bool = False


# ------------------------------------------------------------------ relations


@dataclass(eq=False, slots=True)
class Relation:
    """Rows. columns: what they hold, in order. alias: what the text calls them.

    outer, outer_reads, rounds: what `correlation` has found out of it, which every query around asks again.
    constants: the same of `query.constants`.
    """

    columns: tuple[Attribute, ...]
    alias: str = field(default="", kw_only=True)
    outer: dict[int, Attribute] | None = field(default=None, init=False, repr=False, compare=False)
    outer_reads: list[Attribute] | None = field(default=None, init=False, repr=False, compare=False)
    rounds: frozenset[Any] | None = field(default=None, init=False, repr=False, compare=False)
    constants: dict[int, Constant] | None = field(
        default=None, init=False, repr=False, compare=False
    )

    # The fields that hold the relations below.
    below: ClassVar[tuple[str, ...]] = ()

    @property
    def inputs(self) -> tuple[Relation, ...]:
        """The relations below."""
        found: list[Relation] = []
        for name in self.below:
            held = getattr(self, name)
            found += [held] if isinstance(held, Relation) else held
        return tuple(found)


# ------------------------------------------------------------------ walks


def column(attribute: Attribute) -> Column:
    """A reference to the attribute."""
    return Column(attribute.type, attribute.nullable, attribute)


def rewritten(found: Expr, change: Callable[[Expr], Expr | None]) -> Expr:
    """The expression with parts replaced: what `change` returns an expression for, from the outside in.

    A part that stands in several places, as the value of BETWEEN does, is replaced once for all of them.
    """
    return _rewritten(found, change, {})


def _rewritten(found: Expr, change: Callable[[Expr], Expr | None], done: dict[int, Expr]) -> Expr:
    known = done.get(id(found))
    if known is None:
        known = change(found)
        if known is None:
            known = _rewritten_inside(found, change, done)
        done[id(found)] = known
    return known


def _rewritten_inside(
    found: Expr, change: Callable[[Expr], Expr | None], done: dict[int, Expr]
) -> Expr:
    children = found.children
    if not children:
        return found
    made = tuple(_rewritten(c, change, done) for c in children)
    if all(a is b for a, b in zip(made, children, strict=True)):
        return found
    return found.with_children(made)


def walk(found: Expr) -> Iterator[Expr]:
    """The expression and all inside, each once however many places it stands in, subqueries' own not among them."""
    stack = [found]
    seen: set[int] = set()
    while stack:
        each = stack.pop()
        if id(each) not in seen:
            seen.add(id(each))
            yield each
            stack.extend(reversed(each.children))


def occurrences(found: Expr) -> Iterator[Expr]:
    """The expression and all inside, as often as each stands there."""
    stack = [found]
    while stack:
        each = stack.pop()
        yield each
        stack.extend(reversed(each.children))


def holds(found: Expr, *kinds: type[Expr]) -> bool:
    """Whether one of these kinds is in the expression."""
    return any(isinstance(each, kinds) for each in walk(found))


def literal(value: Any, type: SparkType) -> Literal:
    """A constant."""
    return Literal(type, value is None, value)


TRUE, FALSE = literal(True, t.BOOLEAN), literal(False, t.BOOLEAN)
NULL = literal(None, t.VOID)
