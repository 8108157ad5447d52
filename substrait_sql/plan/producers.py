"""Whose plans have which habits, by the producer's name and the version that it writes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from substrait_sql.plan.deviations import Habits
from substrait_sql.wire.inside import parts

if TYPE_CHECKING:
    from substrait_sql.wire import Decoded


def habits_of(decoded: Decoded) -> Habits:
    """The habits of the plan's producer, judged by its name and version."""
    producer = decoded.producer.casefold()
    old = decoded.version is not None and decoded.version < (0, 60, 0)
    if producer.startswith("duckdb") and (old or decoded.version is None):
        # 0.48 with 1.0, 0.53 with 1.1.
        before_1_1 = decoded.version is not None and decoded.version < (0, 53, 0)
        return Habits(
            project_replaces=True,
            needs_mask=True,
            not_equal_is_not_like=True,
            undeclared_types=True,
            casts_round=True,
            cuts_decimals=True,
            null_by_zero=before_1_1,
            floats_have_no_zero_error=not before_1_1,
            null_remainders=True,
            loses_filters=True,
            loses_distinct=before_1_1,
            loses_copies="set",
            loses_sets=True,
            counts_from_end=True,
            micros_of_minute=True,
            intervals_wrap=True,
        )
    if producer.startswith("datafusion"):
        return _of_datafusion(decoded)
    if producer.startswith("acero"):
        return Habits(overflow_of_floats=True, floats_have_no_zero_error=True)
    if producer.startswith("ibis") or _is_old_ibis(decoded):
        return _of_ibis(decoded.version)
    isthmus = producer.startswith("isthmus")
    return Habits(
        omits_set_index=decoded.version is None,
        replaces_all=isthmus,
        floats_have_no_zero_error=isthmus,
    )


def _of_datafusion(decoded: Decoded) -> Habits:
    """By release: 31 is 0.33, 32 is 0.35, 39 is 0.49, 42 is 0.55, 43 is 0.58, 44 is 0.63, 49 is 0.74.

    Releases of the same version cannot be told apart: 40 and 41, 51 to 53.
    """
    version = decoded.version or (1, 0, 0)
    up_to_42 = version < (0, 57, 0)
    as_written = version < (0, 60, 0) and _reads_whole_rows(decoded.plan)
    return Habits(
        project_replaces=up_to_42,
        grouping_masks=not up_to_42,
        sets_are_unnumbered=up_to_42,
        grouping_asks=True,
        cuts_quotients=True,
        floats_have_no_zero_error=True,
        unsigned_by_variation=True,
        has_no_null=up_to_42,
        removes_null=version < (0, 85, 0),
        dictionaries_are_maps=True,
        loses_nulls=True,
        loses_parts=True,
        loses_offsets=True,
        loses_row_offsets=up_to_42 and as_written,
        loses_limits=(0, 54, 0) <= version < (0, 60, 0) and not as_written,
        named_loss=_named_loss(decoded.plan),
        untyped_frames=version < (0, 33, 0),
        two_valued_marks=True,
        fractional_parts=version < (0, 60, 0) if decoded.version else None,
        nanoseconds=version < (0, 48, 0),
        durations=version < (0, 76, 0),
        moments_by_iso=True,
    )


_FRAME = "(?:ROWS|RANGE|GROUPS) BETWEEN "
_LOSSES = {
    # A repeated value changes nothing in the others.
    "DISTINCT": re.compile(
        rf"\b(?!(?:min|max|bool_and|bool_or|bit_and|bit_or)\()\w+\(DISTINCT .*{_FRAME}"
    ),
    "FILTER": re.compile(rf"\) FILTER \(WHERE .*{_FRAME}"),
    "IGNORE NULLS": re.compile(rf"\) IGNORE NULLS .*{_FRAME}"),
    "a RANGE offset": re.compile(
        r"RANGE BETWEEN (?!UNBOUNDED |CURRENT )|RANGE BETWEEN .* AND (?!UNBOUNDED |CURRENT )"
    ),
}


def _named_loss(plan: Any) -> str:
    """What the names of the results speak of, and no window of the plan has."""
    names = [name for relation in plan.relations for name in relation.root.names]
    windows = [name for name in names if " BETWEEN " in name]
    return next((what for what, form in _LOSSES.items() if any(map(form.search, windows))), "")


def _reads_whole_rows(plan: Any) -> bool:
    """Whether some table is read without a mask: DataFusion's optimizer gives one to each."""
    waiting = list(plan.relations)
    while waiting:
        message = waiting.pop()
        if message.DESCRIPTOR.name == "ReadRel" and message.HasField("named_table"):
            if not message.HasField("projection"):
                return True
            continue
        waiting += [each for _, each in parts(message)]
    return False


def _of_ibis(version: tuple[int, int, int] | None) -> Habits:
    """Ibis writes the version of Substrait's bindings: 0.24 with 2.29, 0.32 with 3.0, 0.49 with 3.2, 0.50 with 4.0."""
    before_3_2 = version is None or version < (0, 49, 0)
    return Habits(
        replaces_all=True,
        divides_truly=True,
        capitalizes_whole=True,
        overflow_of_floats=version is None,
        keys_apart=before_3_2,
        loses_not=before_3_2,
        lists_columns=version is None or version < (0, 50, 0),
        loses_outer=True,
        loses_sides=True,
        loses_copies="copies",
        loses_distinct_over=True,
        loses_where=version is None or version < (0, 24, 0),
        counts_from_zero=True,
    )


def _is_old_ibis(decoded: Decoded) -> bool:
    """Ibis up to 2.28 says neither version nor producer; nobody else declares extensions that have no name."""
    urns = decoded.plan.extension_urns
    return decoded.version is None and bool(urns) and not any(u.urn for u in urns)
