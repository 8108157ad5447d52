"""The plan of a query."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from substrait_sql.lift.encode import casts
from substrait_sql.lift.encode.declared import Declared, SharedPlans
from substrait_sql.lift.encode.expressions import Expressions
from substrait_sql.lift.encode.frames import Frames
from substrait_sql.lift.encode.relations.logical import Relations
from substrait_sql.lift.encode.relations.writes import encoded_action
from substrait_sql.lift.encode.types import names_inside
from substrait_sql.lift.relations import Project
from substrait_sql.lift.tree import Cast, Relation, column
from substrait_sql.lift.typing import types as t
from substrait_sql.lift.typing.problems import Misused
from substrait_sql.plan.producers import OWN
from substrait_sql.wire.descriptors import message

if TYPE_CHECKING:
    from substrait_sql.lift.writes.actions import Action

VERSION = (0, 96, 0)


def _shown(found: Relation) -> Relation:
    """The rows with intervals in the units that the text gives them."""
    if not any(casts.has_units_inside(c.type) for c in found.columns):
        return found
    for each in found.columns:
        if t.contains(each.type, "struct") and casts.has_units_inside(each.type):
            raise Misused(
                "a plan has no word for the units of an interval inside of a struct: cast it to DAY TO SECOND"
            )
    made = found.expressions if isinstance(found, Project) else (None,) * len(found.columns)
    values = tuple(
        column(c)
        if isinstance(made_of, Cast) and made_of.type == c.type
        else casts.with_units(column(c))
        for c, made_of in zip(found.columns, made, strict=True)
    )
    return Project(found.columns, found, values)


def plan(
    found: Relation | Action,
    dialect: str = "spark",
    *,
    steps_out: bool = False,
    standard_only: bool = False,
    inline: bool = False,
    plain: bool = False,
) -> Any:
    """The message of a plan with one root."""
    made: Any = message("Plan")()
    made.version.major_number, made.version.minor_number, made.version.patch_number = VERSION
    made.version.producer = OWN
    shared = SharedPlans(made, inline=inline)
    relations = Relations(shared)
    shared.encode = lambda each: relations.one(each, Frames())
    relations.expressions = Expressions(
        Declared(made),
        relations.one,
        dialect,
        steps_out=steps_out,
        standard_only=standard_only,
        plain=plain,
    )
    if not isinstance(found, Relation):
        rel = encoded_action(found, relations)
        made.relations.add().root.input.CopyFrom(rel)
        return made
    root = relations.one(_shown(found), Frames())
    out = made.relations.add().root
    out.input.CopyFrom(root)
    for each in found.columns:
        out.names.append(each.name)
        out.names.extend(names_inside(each.type))
    return made
