"""What isthmus wrote before it wrote today's forms.

Up to 0.84 it did not count the column that tells grouping sets apart: a projection above such an aggregation returns
its own expressions, and its emit numbers them from the keys and measures on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from substrait_sql.wire.upgrades.uncounted import below, leave_out, returns_its_own
from substrait_sql.wire.upgrades.walk import Context, upgrades

if TYPE_CHECKING:
    from substrait_sql.wire.path import Path


@upgrades("ProjectRel")
def uncounted_set_index(project: Any, path: Path, context: Context) -> None:
    """``emit [3, 4, 5]`` of three expressions over two keys and a measure: there is no fourth column below.

    Plans without version and producer are isthmus' if they have fields of that time.
    """
    aggregate = below(project, "aggregate")
    if aggregate is None or len(aggregate.groupings) < 2:
        return

    def decide() -> None:
        width = len(aggregate.grouping_expressions) + len(aggregate.measures)
        if _may_be_isthmus(context) and returns_its_own(project, width):
            what = "the index of the grouping set below it is not counted"
            leave_out(project, aggregate, width, context, path, what)

    context.later(decide)


def _may_be_isthmus(context: Context) -> bool:
    if context.producer:
        return context.producer.startswith("isthmus") and context.before(85) is not False
    return context.minor is None and context.before(88) is not False
