"""The plan of a query."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from substrait_sql.lift.encode import casts
from substrait_sql.lift.encode.expressions import Expressions
from substrait_sql.lift.encode.frames import Frames
from substrait_sql.lift.encode.relations import Relations
from substrait_sql.lift.encode.types import names_inside
from substrait_sql.lift.tree import Project, column
from substrait_sql.wire.descriptors import message

if TYPE_CHECKING:
    from substrait_sql.lift.tree import CommonQuery, Relation

VERSION = (0, 96, 0)
PRODUCER = "substrait-sql"


class Declared:
    """The functions that a plan declares."""

    def __init__(self, plan: Any) -> None:
        self._plan = plan
        self._urns: dict[str, int] = {}
        self._functions: dict[tuple[str, str], int] = {}

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
        self._plan, self._inline = plan, inline
        self._ordinals: dict[int, int] = {}
        self.relations: Relations

    def apart(self, query: CommonQuery) -> bool:
        """Whether the query is a relation of its own, rather than written where it is used."""
        return query.uses > 1 and not self._inline

    def ordinal(self, query: CommonQuery) -> int:
        """The place of the query's relation in the plan."""
        if id(query) not in self._ordinals:
            made = self.relations.one(query.relation, Frames())
            common = getattr(made, made.WhichOneof("rel_type")).common
            common.hint.alias = query.name
            self._ordinals[id(query)] = len(self._plan.relations)
            self._plan.relations.add().rel.CopyFrom(made)
        return self._ordinals[id(query)]


def _shown(found: Relation) -> Relation:
    """The rows with intervals in the units that the text gives them."""
    if not any(casts.has_units(c.type) for c in found.columns):
        return found
    values = tuple(casts.with_units(column(c)) for c in found.columns)
    return Project(found.columns, found, values)


def plan(
    found: Relation,
    dialect: str = "spark",
    *,
    steps_out: bool = False,
    standard_only: bool = False,
    inline: bool = False,
) -> Any:
    """The message of a plan with one root."""
    made = message("Plan")()
    made.version.major_number, made.version.minor_number, made.version.patch_number = VERSION
    made.version.producer = PRODUCER
    shared = SharedPlans(made, inline=inline)
    relations = Relations(shared)
    shared.relations = relations
    relations.expressions = Expressions(
        Declared(made), relations.one, dialect, steps_out=steps_out, standard_only=standard_only
    )
    root = relations.one(_shown(found), Frames())
    out = made.relations.add().root
    out.input.CopyFrom(root)
    for each in found.columns:
        out.names.append(each.name)
        out.names.extend(names_inside(each.type))
    return made
