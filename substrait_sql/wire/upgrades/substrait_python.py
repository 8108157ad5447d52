"""What substrait-python writes: it says its version, but not its name.

Its ExpandRel returns the columns that it defines and the number of the copy. The standard's passes on the input's
columns beyond them, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from substrait_sql.wire.upgrades.uncounted import below, leave_out, returns_its_own
from substrait_sql.wire.upgrades.walk import Context, upgrades

if TYPE_CHECKING:
    from substrait_sql.wire.path import Path


@upgrades("ProjectRel")
def uncounted_columns(project: Any, path: Path, context: Context) -> None:
    """``emit [4, 5, 6]`` of three expressions over three definitions: a fourth column is the number of the copy.

    So does `DataFrame.unpivot`, whatever the input has besides; a column that it does not define is in no result.
    """
    expand = None if context.producer else below(project, "expand")
    if expand is None:
        return
    width = len(expand.fields)
    if not returns_its_own(project, width + 1):
        return
    made = len(project.expressions)
    what = "columns that the copies below it do not define are not counted"
    leave_out(project, expand, width, context, path, what)
    if expand.common.HasField("emit"):
        project.common.emit.output_mapping[:] = range(width, width + made)
