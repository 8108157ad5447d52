"""What lifting an expression or a query needs to know around it."""

from __future__ import annotations

from collections import ChainMap
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeVar

from substrait_sql.errors import SqlError
from substrait_sql.lift.engine import EVERYTHING, Engine
from substrait_sql.lift.problems import Problems, Unknown
from substrait_sql.lift.scope import Scope
from substrait_sql.lift.typing.problems import Misused

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, MutableMapping

    from substrait_sql.lift.relations import CommonQuery
    from substrait_sql.lift.schemas.catalog import Catalog
    from substrait_sql.lift.text.parse import Source
    from substrait_sql.lift.tree import Parameter, Relation

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Context:
    """Where in a text something stands.

    catalog: tables, views and functions. source: the text, for the places of errors. zone: the session's time zone.
    scope: the columns in reach. common: the common table expressions in reach, by name in lower case. parameters: those
    found so far, by name. windows: named windows of the SELECT. place: the clause, for messages. views: lifts the text
    of a view. problems: collects what is wrong, None to raise the first. over_groups: the query around asks for this
    one in its HAVING, where aggregates of its columns are its own. engine: what texts of the dialect may not use.
    draws: whether values may stand here that are others each time. plain: no aggregates are those of the standard that
    Spark has several calls for.
    """

    catalog: Catalog
    source: Source
    zone: str = "UTC"
    scope: Scope = field(default_factory=lambda: Scope([]))
    common: MutableMapping[str, CommonQuery] = field(default_factory=ChainMap)
    parameters: dict[str, Parameter] = field(default_factory=dict)
    windows: MutableMapping[str, Any] = field(default_factory=dict)
    place: str = ""
    views: Callable[[str], Relation] = field(default=lambda sql: _no_views())
    problems: Problems | None = None
    over_groups: bool = False
    engine: Engine = EVERYTHING
    draws: bool = True
    plain: bool = False

    def inside(self, scope: Scope) -> Context:
        """The same with other columns in reach."""
        return replace(self, scope=scope)

    def below(self) -> Context:
        """For a query within: no columns of its own yet, those here are around it.

        What a select list has named so far is for its own entries: Spark does not look there from a query in it.
        """
        around = self.scope.alone()
        if self.place == "SELECT":
            around = replace(around, aliases={})
        outer = Scope([], outer=around)
        over_groups = self.place == "HAVING"
        return replace(self, scope=outer, windows={}, over_groups=over_groups, draws=False)

    def apart(self) -> Context:
        """For a derived table: it sees what this query sees around it, and none of this query's columns."""
        outer = Scope([], outer=self.scope.outer)
        return replace(self, scope=outer, windows={}, over_groups=False)

    def at(self, place: str) -> Context:
        """The same in a clause of this name."""
        return replace(self, place=place)

    def elsewhere(self, source: Source) -> Context:
        """The same in another text, such as that of a column's default."""
        return replace(self, source=source)

    def error(self, code: str, message: str, node: Any, hint: str = "") -> SqlError:
        """The error, at the place of the node."""
        return self.source.error(code, message, node, hint)

    def view(self, sql: str) -> Relation:
        """The query of a view, which sees nothing of the text around."""
        return self.views(sql)

    def checked(self, work: Callable[[], T], instead: Callable[[], T], node: Any) -> T:
        """What the work makes. Where problems are collected, another thing in place of what failed."""
        problems = self.problems
        if problems is None:
            with self.about(node):
                return work()
        before = problems.count
        try:
            with self.about(node):
                return work()
        except SqlError as error:
            if problems.count == before:
                problems.note(error)
        except Unknown:
            pass
        problems.count += 1
        return instead()

    @contextmanager
    def about(self, node: Any) -> Iterator[None]:
        """What is found wrong with types is said to be at this node."""
        try:
            yield
        except Misused as problem:
            raise self.source.misused(problem, node) from problem


def _no_views() -> Relation:
    raise Misused("views have no text here")
