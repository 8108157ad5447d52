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
from substrait_sql.lift.tree import Relation
from substrait_sql.plan.producers import OWN
from substrait_sql.wire.descriptors import message

if TYPE_CHECKING:
    from substrait_sql.lift.writes.actions import Action

VERSION = (0, 96, 0)


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
    root = relations.one(casts.rows_with_units(found), Frames())
    out = made.relations.add().root
    out.input.CopyFrom(root)
    for each in found.columns:
        out.names.append(each.name)
        out.names.extend(names_inside(each.type))
    return made
