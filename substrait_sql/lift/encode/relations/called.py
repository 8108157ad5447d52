"""What the messages of relations are called, and what else they have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from substrait_sql.lift.encode.types import column_type, names_inside
from substrait_sql.lift.relations import Project, Shared
from substrait_sql.lift.tree import Column
from substrait_sql.plan.named_queries import is_marked
from substrait_sql.schema import types as ty

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.lift.encode.frames import Frames
    from substrait_sql.lift.tree import Attribute, Relation


def is_named(made: Any) -> bool:
    """Whether it is a common table expression, or a use of one."""
    return made.WhichOneof("rel_type") == "reference" or is_marked(made)


def named(source: Any, found: Project) -> Any:
    """The source itself, which says the names that a projection would only change."""
    columns = found.source.columns
    if is_named(source):
        return source
    if _told_apart(columns) and not _told_apart(found.columns):
        # A query that others read has no names that differ in case only: its rows keep those that it had.
        return source
    if any(a.name != b.name for a, b in zip(found.columns, columns, strict=True)):
        names = common_of(source).hint.output_names
        del names[:]
        names.extend(all_names(found.columns))
    return source


def _told_apart(columns: Sequence[Attribute]) -> bool:
    return len({c.name.casefold() for c in columns}) == len(columns)


def called(shared_use: Any, found: Relation) -> Any:
    """A use of a shared relation; a projection that adds nothing says what else the text calls it."""
    shared = found
    while isinstance(shared, Project):
        shared = shared.source
    name = shared.query.name if isinstance(shared, Shared) else ""
    if not found.columns or found.alias.casefold() in ("", name.casefold()):
        return shared_use
    made = type(shared_use)()
    made.project.common.hint.alias = found.alias
    made.project.input.CopyFrom(shared_use)
    # A projection has an expression; this one is of no use to anybody.
    unused = made.project.expressions.add().selection
    unused.direct_reference.struct_field.SetInParent()
    unused.root_reference.SetInParent()
    made.project.common.emit.output_mapping.extend(range(len(found.columns)))
    return made


def reference(attribute: Attribute) -> Column:
    """The column of a record."""
    return Column(attribute.type, attribute.nullable, attribute)


def common_of(made: Any) -> Any:
    """What all relations have in common, of this one."""
    return getattr(made, made.WhichOneof("rel_type")).common


def anchored(made: Any, frames: Frames) -> Any:
    """The relation with the number under which its record was meant further in."""
    anchor = frames.records[-1].anchor
    if anchor:
        common_of(made).rel_anchor = anchor
    return made


def named_struct(out: Any, columns: Sequence[Attribute]) -> None:
    """Fills in the names and types of columns."""
    out.names.extend(all_names(columns))
    out.struct.nullability = ty.REQUIRED
    for each in columns:
        out.struct.types.add().CopyFrom(column_type(each))


def all_names(columns: Sequence[Attribute]) -> list[str]:
    """The names of columns and of the fields in them, depth first."""
    out: list[str] = []
    for each in columns:
        out.append(each.name)
        out += names_inside(each.type)
    return out
