"""Relations by what they do to rows: what a FROM clause names, what the other clauses make of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from substrait_sql.lift.tree import Relation

if TYPE_CHECKING:
    from substrait_sql.lift.tree import (
        AggregateCall,
        Attribute,
        Expr,
        Generator,
        SortKey,
        WindowCall,
    )


@dataclass(eq=False, slots=True)
class Scan(Relation):
    """A table by the parts of its name."""

    table: tuple[str, ...]


@dataclass(eq=False, slots=True)
class Values(Relation):
    """Rows of constants; no columns and one row where a query has no FROM."""

    rows: tuple[tuple[Expr, ...], ...]


@dataclass(eq=False, slots=True)
class Filter(Relation):
    """The rows for which the condition is true."""

    below: ClassVar[tuple[str, ...]] = ("source",)
    source: Relation
    condition: Expr


@dataclass(eq=False, slots=True)
class Project(Relation):
    """One expression for each column."""

    below: ClassVar[tuple[str, ...]] = ("source",)
    source: Relation
    expressions: tuple[Expr, ...]


@dataclass(eq=False, slots=True)
class Aggregate(Relation):
    """Groups: the columns are those of the keys, of the measures, then the grouping set's index if that is read.

    sets: for each grouping set the positions of its keys; None for GROUP BY without sets.
    """

    below: ClassVar[tuple[str, ...]] = ("source",)
    source: Relation
    keys: tuple[Expr, ...]
    measures: tuple[AggregateCall, ...]
    sets: tuple[tuple[int, ...], ...] | None = None


@dataclass(eq=False, slots=True)
class Window(Relation):
    """The columns of the source, then one for each call."""

    below: ClassVar[tuple[str, ...]] = ("source",)
    source: Relation
    calls: tuple[WindowCall, ...]


@dataclass(eq=False, slots=True)
class Join(Relation):
    """kind: inner, left, right, full, semi, anti, cross. lateral: the right side sees the left side's columns.

    algorithm: hash or merge, where a hint says so. build: the side that the hint names, left or right. unknown: an IN
    of its condition counts unknown as FALSE as long as Spark makes no other join of it (`expressions.moved`).
    """

    below: ClassVar[tuple[str, ...]] = ("left", "right")
    left: Relation
    right: Relation
    kind: str
    condition: Expr | None = None
    lateral: bool = False
    algorithm: str = ""
    build: str = ""
    unknown: bool = False


@dataclass(eq=False, slots=True)
class Sort(Relation):
    """ORDER BY."""

    below: ClassVar[tuple[str, ...]] = ("source",)
    source: Relation
    keys: tuple[SortKey, ...]


@dataclass(eq=False, slots=True)
class Fetch(Relation):
    """LIMIT and OFFSET."""

    below: ClassVar[tuple[str, ...]] = ("source",)
    source: Relation
    offset: Expr | None
    count: Expr | None


@dataclass(eq=False, slots=True)
class Exchange(Relation):
    """The same rows in so many partitions, 0 for as many as the engine likes, by columns or in turn."""

    below: ClassVar[tuple[str, ...]] = ("source",)
    source: Relation
    count: int
    keys: tuple[Attribute, ...]


@dataclass(eq=False, slots=True)
class Distinct(Relation):
    """SELECT DISTINCT."""

    below: ClassVar[tuple[str, ...]] = ("source",)
    source: Relation


@dataclass(eq=False, slots=True)
class SetOperation(Relation):
    """UNION, INTERSECT, EXCEPT of inputs whose columns are of the same types. kind: with ``all`` behind it or not."""

    below: ClassVar[tuple[str, ...]] = ("sources",)
    sources: tuple[Relation, ...]
    kind: str


@dataclass(eq=False, slots=True)
class Shared(Relation):
    """A use of a common table expression: its columns are new ones, in the order of the query's."""

    query: CommonQuery


@dataclass(eq=False, slots=True)
class CommonQuery:
    """A common table expression. uses: how often the text names it. inside: whether a query as a value does.

    recursive: whether it is the one that its own step reads, whose relation has the columns only.
    """

    name: str
    relation: Relation
    uses: int = 0
    inside: bool = False
    recursive: bool = False


@dataclass(eq=False, slots=True)
class Recursion(Relation):
    """The rows to start with, and those that the step makes of the rows of the round before, until it makes none.

    most_rounds: with more of them it fails, if the text says so.
    """

    below: ClassVar[tuple[str, ...]] = ("start", "step")
    start: Relation
    step: Relation
    query: CommonQuery
    most_rounds: int | None = None


@dataclass(eq=False, slots=True)
class LastRound(Relation):
    """The rows of the round before, in the step of the recursion of that common table expression."""

    query: CommonQuery


@dataclass(eq=False, slots=True)
class Generate(Relation):
    """The columns of the source, then those that the generator makes: each row beside the rows made of it."""

    below: ClassVar[tuple[str, ...]] = ("source",)
    source: Relation
    generator: Generator


@dataclass(eq=False, slots=True)
class Expand(Relation):
    """Each row several times: for each column either one expression or one for each of the copies."""

    below: ClassVar[tuple[str, ...]] = ("source",)
    source: Relation
    rows: tuple[tuple[Expr, ...], ...]
