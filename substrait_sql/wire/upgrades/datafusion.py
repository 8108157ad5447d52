"""What DataFusion wrote before it wrote today's forms, told by the producer's name.

Its releases up to 32 (0.35) give the part of a join's condition that is no equation as a post-join filter; those up
to 41 (0.51) the unit of a point in time as a variation of its type; those from 33 to 42 (0.55) an interval as a
literal of a type of its own. Those refer from a window function to the columns of the projection that it stands in.
Functions have had other names.
"""

from __future__ import annotations

import struct
from copy import deepcopy
from typing import TYPE_CHECKING, Any

from substrait_sql.wire.upgrades.walk import Context, upgrades, wrong

if TYPE_CHECKING:
    from substrait_sql.wire.path import Path

NAME = "datafusion"
_NO_EXTENSION = 2**32 - 1
"""The extension that DataFusion's functions refer to: there is none of that anchor."""

_NAMES = {
    "substract": "subtract",
    "negative": "negate",
    "correlation": "corr",
    "covariance": "covar_samp",
    "covariance_pop": "covar_pop",
    "variance": "var",
    "variance_pop": "var_pop",
}
"""By the names of releases 28 to 42, those of today."""

_INTERVAL = "interval-month-day-nano"
_PARTS = struct.Struct("<iiq")
_NANOSECONDS = 9


@upgrades("extensions.SimpleExtensionDeclaration.ExtensionFunction")
def function_names(function: Any, path: Path, context: Context) -> None:
    """Upgrade: some of DataFusion's own functions were renamed."""
    if context.producer.startswith(NAME):
        function.name = _NAMES.get(function.name, function.name)


@upgrades("JoinRel")
def filter_of_condition(join: Any, path: Path, context: Context) -> None:
    """``ON l.a = r.a AND l.b < r.b`` had the second part as its post-join filter, over left ++ right.

    Releases from 39 (0.49) on write none: should one come, it means what it says.
    """
    old = context.producer.startswith(NAME) and context.producer_before(49)
    if not old or not join.HasField("post_join_filter"):
        return
    condition = type(join.post_join_filter)()
    condition.CopyFrom(join.post_join_filter)
    join.ClearField("post_join_filter")
    if join.HasField("expression"):
        both = type(condition)()
        both.scalar_function.function_reference = _and(context)
        both.scalar_function.output_type.bool.nullability = 1
        for part in (join.expression, condition):
            both.scalar_function.arguments.add().value.CopyFrom(part)
        condition = both
    join.expression.CopyFrom(condition)
    context.note(
        "SS1102",
        "the post-join filter is a part of the join's condition in plans of DataFusion up to 32",
        path,
        warn=True,
    )


def _and(context: Context) -> int:
    """Return the anchor of ``and``, declared as DataFusion declares functions."""
    for anchor, name in context.functions.items():
        if name == "and":
            return anchor
    anchor = max(context.functions, default=-1) + 1
    context.functions[anchor] = "and"
    made = context.extensions.add().extension_function
    made.function_anchor, made.name = anchor, "and"
    made.extension_urn_reference = _NO_EXTENSION
    return anchor


@upgrades("ProjectRel")
def windows_over_output(project: Any, path: Path, context: Context) -> None:
    """Up to 42 windows were appended to the projection below them, and refer to its columns, not to its input's.

    They become a projection of their own, unless either is the same; each, as one may refer to the one before.
    """
    if not context.producer.startswith(NAME) or not context.producer_before(57):
        return
    kinds = [e.WhichOneof("rex_type") for e in project.expressions]
    if "window_function" not in kinds or project.common.WhichOneof("emit_kind") == "emit":
        return
    first = kinds.index("window_function")
    if all(_refers_to(e) == i for i, e in enumerate(project.expressions[:first])):
        return
    windows = [deepcopy(e) for e in project.expressions[first:]]
    del project.expressions[first:]
    for i, window in enumerate(windows):
        inner = type(project.input)()
        inner.project.CopyFrom(project)
        project.Clear()
        project.input.CopyFrom(inner)
        for column in range(first + i):
            chosen = project.expressions.add().selection
            chosen.root_reference.SetInParent()
            chosen.direct_reference.struct_field.field = column
        project.expressions.add().CopyFrom(window)
    context.note(
        "SS1102",
        "window functions refer to the columns of their own projection in plans of DataFusion up to 42",
        path,
        warn=True,
    )


def _refers_to(expression: Any) -> int | None:
    """Return the ordinal of the column that an expression is."""
    if expression.WhichOneof("rex_type") != "selection":
        return None
    reference = expression.selection.direct_reference
    if reference.WhichOneof("reference_type") != "struct_field":
        return None
    ordinal: int = reference.struct_field.field
    return None if reference.struct_field.HasField("child") else ordinal


@upgrades("Expression.Literal")
def interval_of_parts(literal: Any, path: Path, context: Context) -> None:
    """Months, days and nanoseconds in the 16 bytes of a user-defined value."""
    if literal.WhichOneof("literal_type") != "user_defined":
        return
    value = literal.user_defined.value
    if not context.producer.startswith(NAME) or value.type_url != _INTERVAL:
        return
    if len(value.value) != _PARTS.size:
        raise wrong(f"an {_INTERVAL} has {_PARTS.size} bytes, not {len(value.value)}", path)
    months, days, nanoseconds = _PARTS.unpack(value.value)
    literal.type_variation_reference = 0
    compound = literal.interval_compound
    compound.interval_year_to_month.months = months
    rest = compound.interval_day_to_second
    rest.days, rest.precision = days, _NANOSECONDS
    # Toward zero, so that both have the sign of the whole.
    seconds = abs(nanoseconds) // 10**_NANOSECONDS * (1 if nanoseconds >= 0 else -1)
    rest.seconds = seconds
    rest.subseconds = nanoseconds - seconds * 10**_NANOSECONDS
    context.note("SS1102", f"{_INTERVAL} is read as interval_compound", path)


def digits_of(variation: int, path: Path) -> int:
    """Return the precision that a variation of ``timestamp`` stands for: s, ms, µs, ns."""
    if variation > 3:
        raise wrong(f"DataFusion has no unit of time {variation}", path)
    return 3 * variation
