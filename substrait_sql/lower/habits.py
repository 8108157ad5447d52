"""What producers mean where their plans depart from the specification. Each habit is one line, with its evidence."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from substrait_sql.schema.functions import FunctionName

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.wire import Decoded

_NOT_LIKE = FunctionName(None, None, "!~~", "str_str")
_FROM_END = FunctionName(None, None, "substring_from_end", "str_i64_i64")
_MICROS_OF_MINUTE = FunctionName(None, None, "micros_of_minute", "req_pts")
_TRUE_DIVIDE = FunctionName(None, None, "true_divide", "i64_i64")
_PART = FunctionName(None, None, "date_part_with_fraction")
_WHOLE_PART = FunctionName(None, None, "date_part_whole")
_TIME_BETWEEN = FunctionName(None, None, "time_between_dates")
_OF_NANOSECONDS = FunctionName(None, None, "to_timestamp_nanos")
_REPLACE_ALL = FunctionName(None, None, "regexp_replace_all", "str_str_str")


@dataclass(frozen=True, slots=True)
class Habits:
    """How to read this plan.

    project_replaces: a ProjectRel without emit returns its expressions only. DuckDB 1.1 and DataFusion up to 42 write
    such plans; the count of root names shows it. DuckDB's extension of 2026 appends, as the specification says.
    needs_mask: ordinals over a read without mask count the columns that were bound, in an order that the plan does not
    record (all 95 unoptimised plans of DuckDB 1.1.3); what they mean cannot be known.
    not_equal_is_not_like: DuckDB writes NOT LIKE as `not_equal`, and its own consumer reads it back as that
    (TPC-H 13 and 16).
    grouping_masks: an aggregation by several sets returns each key once, then a bit mask of the keys that a set leaves
    out, then the measures (DataFusion since 43, which is 0.58, all plans). The keys are written once per set.
    sets_are_unnumbered: an aggregation by several sets returns its keys and measures, and nothing that tells the sets
    apart (DataFusion up to 42, all plans).
    grouping_asks: `grouping(key, …)` is a measure of an aggregation (DataFusion).
    undeclared_types: types that the plan does not declare are those of the columns, whatever they are (DuckDB, ENUM).
    omits_set_index: the root names no index of the grouping set, and does not return it (isthmus of before 0.18, CUBE).
    overflow_of_floats: `overflow` is given to arithmetic over floats too, where the extension file has no such option
    and nothing overflows (pyarrow writes it whatever the types are).
    casts_round: a cast to an integer rounds, a float to even, a decimal away from zero (DuckDB, CAST(2.5 AS INT)).
    dictionaries_are_maps: a column of values from a dictionary (Arrow) is written as a map from its indices to its
    values, under the first variation of the type (DataFusion, all versions).
    counts_from_end: `substring` from a negative position counts from the end of the text, 0 is before the first
    character (DuckDB, all versions).
    micros_of_minute: extracted microseconds have the seconds in them (DuckDB, extract(microsecond FROM ts)).
    intervals_wrap: what an interval has besides days is held as 32 bits of microseconds, the rest of it is lost: two
    hours are 48 minutes and some fraction of a second (DuckDB 1.1). Whole seconds are nearly never what is left then.
    divides_truly: `divide` that is declared a double has digits behind the point, whatever is divided (Ibis, `/`).
    loses_offsets: a RANGE frame with offsets that are no integers is written as one without ends (DataFusion 40 to 55:
    win_range_frame_num as written, and every interval or decimal).
    loses_row_offsets: the same of ROWS frames, one end of which may have had an offset (DataFusion up to 42, plans
    that its optimizer has not seen: win_rows_following_only).
    loses_limits: the rows that a sort keeps are not in the plan: ORDER BY k LIMIT 3 is ORDER BY k (DataFusion 42 and
    43, plans of its optimizer). Of a LIMIT with an OFFSET the fetch stays.
    named_loss: what the name of a result column says of a window that no plan has: DataFusion names a column by its
    expression, and leaves out of it FILTER, IGNORE NULLS, and the offsets of `loses_offsets` (all versions).
    untyped_frames: a window does not say whether its bounds count rows or peers (DataFusion up to 30).
    two_valued_marks: a mark join's mark is FALSE wherever it is not TRUE (DataFusion, NOT EXISTS(…) OR …).
    fractional_parts: date_part returns a double, the seconds with their fraction (DataFusion up to 43); None: the line
    of the dialect decides, False: always a whole number.
    nanoseconds: a number is a moment by its nanoseconds (DataFusion up to 32, to_timestamp).
    durations: the difference of two dates is an interval, not a number of days (DataFusion up to 49).
    moments_by_iso: the text of a moment is that of ISO 8601, with a T and zone (DataFusion 55, CAST(ts AS VARCHAR)).
    replaces_all: `regexp_replace` without an occurrence replaces every match (Ibis' re_replace, Calcite's
    REGEXP_REPLACE of three arguments); the standard's cases replace the first one.
    """

    project_replaces: bool = False
    needs_mask: bool = False
    not_equal_is_not_like: bool = False
    grouping_masks: bool = False
    sets_are_unnumbered: bool = False
    grouping_asks: bool = False
    undeclared_types: bool = False
    omits_set_index: bool = False
    overflow_of_floats: bool = False
    casts_round: bool = False
    replaces_all: bool = False
    counts_from_end: bool = False
    micros_of_minute: bool = False
    intervals_wrap: bool = False
    divides_truly: bool = False
    dictionaries_are_maps: bool = False
    loses_offsets: bool = False
    loses_row_offsets: bool = False
    loses_limits: bool = False
    named_loss: str = ""
    untyped_frames: bool = False
    two_valued_marks: bool = False
    fractional_parts: bool | None = None
    nanoseconds: bool = False
    durations: bool = False
    moments_by_iso: bool = False

    def masks_grouping_sets(self, sets: list[list[int]]) -> bool:
        """Whether an aggregation with these sets is one of those: its keys stand in the order of the sets."""
        return self.grouping_masks and [i for refs in sets for i in refs] == list(
            range(sum(map(len, sets)))
        )

    def heeds(self, option: str, call: Any) -> bool:
        """Whether an option says anything about this call."""
        floats = call.output_type.WhichOneof("kind") in ("fp32", "fp64")
        return not (self.overflow_of_floats and floats and option.lower() == "overflow")

    def over(self, name: FunctionName, kinds: Sequence[str | None]) -> FunctionName:
        """The function that a call of this name is over arguments of these kinds."""
        if self.durations and name.standard == "subtract" and list(kinds) == ["date", "date"]:
            return _TIME_BETWEEN
        return name

    def meant(self, name: FunctionName, call: Any) -> FunctionName:
        """The function that a call is meant to be."""
        if self.not_equal_is_not_like and name.standard == "not_equal" and _compares_pattern(call):
            return _NOT_LIKE
        if self.counts_from_end and name.standard == "substring":
            return _FROM_END
        if self.micros_of_minute and name.standard == "extract" and _asks_for_micros(call):
            return _MICROS_OF_MINUTE
        if self.divides_truly and name.standard == "divide" and _is_double(call):
            return _TRUE_DIVIDE
        if self.fractional_parts is not None and name.standard == "date_part":
            return _PART if self.fractional_parts else _WHOLE_PART
        if self.nanoseconds and name.standard == "to_timestamp":
            return _OF_NANOSECONDS
        if self.replaces_all and name.name == "regexp_replace" and len(call.arguments) == 3:
            return _REPLACE_ALL
        return name


def _asks_for_micros(call: Any) -> bool:
    return any(a.enum.upper() == "MICROSECOND" for a in call.arguments)


def _is_double(call: Any) -> bool:
    return bool(call.output_type.WhichOneof("kind") == "fp64")


def _compares_pattern(call: Any) -> bool:
    """Whether the second argument is text with a wildcard; without one LIKE and = are the same."""
    if len(call.arguments) != 2:
        return False
    literal = call.arguments[1].value.literal
    text = literal.string or literal.var_char.value
    return "%" in text or "_" in text


def habits_of(decoded: Decoded) -> Habits:
    """The habits of the plan's producer, judged by its name and version."""
    producer = decoded.producer.casefold()
    old = decoded.version is not None and decoded.version < (0, 60, 0)
    if producer.startswith("duckdb") and (old or decoded.version is None):
        return Habits(
            project_replaces=True,
            needs_mask=True,
            not_equal_is_not_like=True,
            undeclared_types=True,
            casts_round=True,
            counts_from_end=True,
            micros_of_minute=True,
            intervals_wrap=True,
        )
    if producer.startswith("datafusion"):
        return _of_datafusion(decoded)
    if producer.startswith("acero"):
        return Habits(overflow_of_floats=True)
    return Habits(
        omits_set_index=decoded.version is None,
        replaces_all=producer.startswith(("ibis", "isthmus")),
        divides_truly=producer.startswith("ibis"),
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
        dictionaries_are_maps=True,
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
        for field, value in message.ListFields():
            if field.message_type is not None:
                waiting += value if field.is_repeated else [value]
    return False
