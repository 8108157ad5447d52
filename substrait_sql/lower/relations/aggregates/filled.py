"""``count(*) > 0`` above grouping sets: no groups without rows, as Spark's own GROUPING SETS has none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from substrait_sql.lower.context import Context
    from substrait_sql.wire.path import Path


def groups_with_rows(message: Any, cx: Context, path: Path) -> Path | None:
    """The aggregation that a filter is about, if it says nothing but that each group of it has rows.

    Example: ``Filter(Aggregate(sets (k), (), measure count()), count > 0)`` is ``GROUP BY GROUPING SETS ((k), ())``.
    """
    place = _counted(message.condition, cx, path / "condition")
    rel, at = message.input, path / "input"
    if place is None:
        return None
    if rel.WhichOneof("rel_type") == "project":
        # Casts of other measures may stand in between; they return the rest as it is.
        mapping = rel.project.common.emit.output_mapping
        if not place < len(mapping):
            return None
        place, rel, at = mapping[place], rel.project.input, at / "project" / "input"
    if rel.WhichOneof("rel_type") != "aggregate":
        return None
    groups = rel.aggregate
    measure = place - len(groups.grouping_expressions)
    if groups.common.WhichOneof("emit_kind") == "emit" or not 0 <= measure < len(groups.measures):
        return None
    if len(groups.groupings) < 2 or cx.habits.grouping_masks:
        return None
    return at / "aggregate" if _counts_rows(groups.measures[measure], cx, at) else None


def _counts_rows(measure: Any, cx: Context, at: Path) -> bool:
    call = measure.measure
    name = cx.functions.get(call.function_reference, at).standard
    plain = not call.arguments and not measure.HasField("filter")
    return plain and name == "count"


def _counted(condition: Any, cx: Context, at: Path) -> int | None:
    """The field of ``field > 0``."""
    if condition.WhichOneof("rex_type") != "scalar_function":
        return None
    call = condition.scalar_function
    if cx.functions.get(call.function_reference, at).standard != "gt" or len(call.arguments) != 2:
        return None
    left, right = (a.value for a in call.arguments)
    if right.literal.WhichOneof("literal_type") != "i64" or right.literal.i64 != 0:
        return None
    reference = left.selection
    field = reference.direct_reference.struct_field
    if not reference.HasField("root_reference") or field.HasField("child"):
        return None
    return int(field.field)
