"""Statements that change something as messages: https://substrait.io/relations/logical_relations/#write-operator"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from substrait_sql.lift.encode.casts import rows_with_units, with_units
from substrait_sql.lift.encode.frames import Frame, Frames, places_of
from substrait_sql.lift.encode.literals import literal
from substrait_sql.lift.encode.relations.called import named_struct
from substrait_sql.lift.writes.actions import DELETE, Define, Update, Write
from substrait_sql.wire.descriptors import message

if TYPE_CHECKING:
    from substrait_sql.lift.encode.expressions import Expressions
    from substrait_sql.lift.encode.relations.logical import Relations
    from substrait_sql.lift.writes.actions import Action

_OPERATIONS = {"insert": 1, "delete": 2, "ctas": 4}
_MODES = {"replace": 2, "ignore": 3, "error": 4}
_OBJECTS = {"table": 1, "view": 2}
_DEFINITIONS = {"create": 1, "replace": 2, "alter": 3, "drop": 4, "drop_if_exists": 5}
_NO_OUTPUT = 1


def encoded_action(found: Action, relations: Relations) -> Any:
    """The relation of a statement."""
    made: Any = message("Rel")()
    match found:
        case Write():
            _write(found, made.write, relations)
        case Update():
            _update(found, made.update, relations.expressions)
        case Define():
            _define(found, made.ddl, relations)
    return made


def _write(found: Write, out: Any, relations: Relations) -> None:
    out.op, out.output = _OPERATIONS[found.kind], _NO_OUTPUT
    out.named_table.names.extend(found.target)
    out.create_mode = _MODES.get(found.mode, 0)
    named_struct(out.table_schema, found.columns)
    rows = found.rows if found.kind == DELETE else rows_with_units(found.rows)
    out.input.CopyFrom(relations.one(rows, Frames()))


def _update(found: Update, out: Any, expressions: Expressions) -> None:
    out.named_table.names.extend(found.target)
    named_struct(out.table_schema, found.columns)
    # An update has no RelCommon, which is where an anchor is written.
    frames = Frames([Frame(places_of(found.columns), anchored=False)])
    if found.condition is None:
        out.condition.literal.boolean = True
    else:
        out.condition.CopyFrom(expressions.one(found.condition, frames))
    for place, value in found.values:
        made = out.transformations.add()
        made.column_target = place
        made.transformation.CopyFrom(expressions.one(with_units(value), frames))


def _define(found: Define, out: Any, relations: Relations) -> None:
    out.named_object.names.extend(found.target)
    out.object, out.op = _OBJECTS[found.kind], _DEFINITIONS[found.operation]
    if found.columns:
        named_struct(out.table_schema, found.columns)
    for each in found.defaults:
        out.table_defaults.fields.add().CopyFrom(literal(each).literal)
    if found.definition is not None:
        shown = rows_with_units(found.definition)
        out.view_definition.CopyFrom(relations.one(shown, Frames()))
