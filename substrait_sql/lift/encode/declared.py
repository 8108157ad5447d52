"""What stands once in a plan: the functions that it calls, the relations that it shares."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from substrait_sql.lift.expressions.draws import are_drawn
from substrait_sql.lift.typing.problems import Misused

if TYPE_CHECKING:
    from collections.abc import Callable

    from substrait_sql.lift.relations import CommonQuery
    from substrait_sql.lift.tree import Call, Relation


class Declared:
    """The functions that a plan declares, and the calls that it may make once only."""

    def __init__(self, plan: Any) -> None:
        self._plan = plan
        self._urns: dict[str, int] = {}
        self._functions: dict[tuple[str, str], int] = {}
        self._drawn: set[int] = set()

    def draw(self, found: Call) -> None:
        """Notes a call whose value is another one each time. Raises `Misused` for the second of it in the plan."""
        if found.draw is None:
            return
        if id(found.draw) in self._drawn:
            message = f"{found.name} is drawn once and read twice here"
            raise Misused(message, "SS5007", "draw it in a derived table, and read its column")
        self._drawn.add(id(found.draw))

    def function(self, urn: str, name: str) -> int:
        """The anchor of a function, which is declared when it is first called."""
        key = urn, name
        if key not in self._functions:
            if urn not in self._urns:
                self._urns[urn] = len(self._urns) + 1
                self._plan.extension_urns.add(extension_urn_anchor=self._urns[urn], urn=urn)
            anchor = self._functions[key] = len(self._functions) + 1
            out = self._plan.extensions.add().extension_function
            out.extension_urn_reference, out.function_anchor = self._urns[urn], anchor
            out.name = name
        return self._functions[key]


class SharedPlans:
    """Common table expressions that are used more than once: relations of the plan of their own."""

    def __init__(self, plan: Any, *, inline: bool = False) -> None:
        self._plan, self.inline = plan, inline
        self._ordinals: dict[int, int] = {}
        self.encode: Callable[[Relation], Any]

    def apart(self, query: CommonQuery) -> bool:
        """Whether the query is a relation of its own, rather than written where it is used."""
        if self.inline:
            return False
        # A query as a value is computed for each row around, what it reads there is drawn once.
        return query.uses > 1 or (query.inside and are_drawn(query.relation))

    def ordinal(self, query: CommonQuery) -> int:
        """The place of the query's relation in the plan."""
        if id(query) not in self._ordinals:
            made = self.encode(query.relation)
            common = getattr(made, made.WhichOneof("rel_type")).common
            common.hint.alias = query.name
            self._ordinals[id(query)] = len(self._plan.relations)
            self._plan.relations.add().rel.CopyFrom(made)
        return self._ordinals[id(query)]
