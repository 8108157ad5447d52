"""How a plan may depart from the specification. Each habit is one line, with its evidence.

`producers` says whose it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from substrait_sql.schema.functions import FunctionName

if TYPE_CHECKING:
    from collections.abc import Sequence

_NOT_LIKE = FunctionName(None, None, "!~~", "str_str")
_FROM_END = FunctionName(None, None, "substring_from_end", "str_i64_i64")
_MICROS_OF_MINUTE = FunctionName(None, None, "micros_of_minute", "req_pts")
_TRUE_DIVIDE = FunctionName(None, None, "true_divide", "i64_i64")
_PART = FunctionName(None, None, "date_part_with_fraction")
_WHOLE_PART = FunctionName(None, None, "date_part_whole")
_TIME_BETWEEN = FunctionName(None, None, "time_between_dates")
_OF_NANOSECONDS = FunctionName(None, None, "to_timestamp_nanos")
_DIVIDE_OR_NULL = FunctionName(None, None, "divide_or_null", "fp64_fp64")
_REMAINDER_OR_NULL = FunctionName(None, None, "%", "i64_i64")
_CAPITALIZE_WHOLE = FunctionName(None, None, "capitalize_whole", "str")
_CUT_QUOTIENT = FunctionName(None, None, "cut_quotient", "dec_dec")
_CUT_AVERAGE = FunctionName(None, None, "cut_average", "dec")
_FLOAT_QUOTIENT = FunctionName(None, None, "float_quotient", "fp64_fp64")
_FLOAT_REMAINDER = FunctionName(None, None, "float_remainder", "fp64_fp64")
_HAS_OR_NOT = FunctionName(None, None, "array_has_or_not")
_REMOVE_NULL = FunctionName(None, None, "array_remove_null")
_REPLACE_ALL = FunctionName(None, None, "regexp_replace_all", "str_str_str")

_FLOATS = {"fp32", "fp64"}
_EXACT = {"decimal", "i8", "i16", "i32", "i64"}


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
    cuts_decimals: a cast to a decimal of fewer places cuts the others off (DuckDB 1.0 and 1.1, CAST(2.29 AS DECIMAL(8,
    1)) is 2.2; 2.0 rounds).
    null_by_zero: a quotient of doubles by zero is NULL (DuckDB 1.0; 1.1 has infinity there).
    null_remainders: a remainder by zero is NULL (DuckDB 1.0 and 1.1, `modulus` and `%`).
    cuts_quotients: what a quotient or an average of decimals has no places for is cut off (DataFusion, all versions).
    floats_have_no_zero_error: a quotient of floats by zero is an infinity or NaN, a remainder is NaN (DataFusion,
    DuckDB since 1.1, Calcite, pyarrow).
    unsigned_by_variation: the first variation of an integer type is unsigned (DataFusion, all versions).
    loses_filters: what only some rows of a measure are for is not written (DuckDB 1.0 and 1.1, FILTER).
    loses_distinct: nor is it that a measure is over distinct values (DuckDB 1.0, count(DISTINCT g)).
    dictionaries_are_maps: a column of values from a dictionary (Arrow) is written as a map from its indices to its
    values, under the first variation of the type (DataFusion, all versions).
    counts_from_end: `substring` from a negative position counts from the end of the text, 0 is before the first
    character (DuckDB, all versions).
    micros_of_minute: extracted microseconds have the seconds in them (DuckDB, extract(microsecond FROM ts)).
    intervals_wrap: what an interval has besides days is held as 32 bits of microseconds, the rest of it is lost: two
    hours are 48 minutes and some fraction of a second (DuckDB 1.1). Whole seconds are nearly never what is left then.
    divides_truly: `divide` that is declared a double has digits behind the point, whatever is divided (Ibis, `/`).
    capitalizes_whole: `capitalize` puts what is behind the first letter in lower case (Ibis, all versions).
    keys_apart: each key of an aggregation is a grouping of its own; there are no grouping sets (Ibis to 3.0).
    loses_not: NOT IN is written as IN (Ibis up to 3.0, `notin`; 3.2 and 4.0 write a `not`).
    lists_columns: x IN (SELECT y …) is written as x IN (a column of x's own table, at the place of y) (Ibis to 3.2).
    loses_sides: a join of a relation with itself writes the other side's columns as the first one's (Ibis, t.view()).
    loses_copies: the set operations that may have had another opinion of copies, and what `lost` says of them: UNION is
    written as UNION ALL, INTERSECT ALL and EXCEPT ALL as without ALL (DuckDB 1.0 and 1.1; Ibis the latter two).
    loses_sets: nothing is left of ROLLUP, CUBE and GROUPING SETS but their keys (DuckDB 1.0 and 1.1).
    loses_nulls: NOT IN is written as an anti join on equality (DataFusion, plans of its optimizer).
    loses_parts: FILTER, DISTINCT and IGNORE NULLS of a window are not written, see also `named_loss` (DataFusion).
    loses_distinct_over: DISTINCT in a window is not written (Ibis, x.nunique().over()).
    loses_where: nor is it for which rows a measure is (Ibis up to 2.20, x.sum(where=…)).
    counts_from_zero: positions in texts are those of the query, from 0 (Ibis, s[2:4] and s.find(x)).
    loses_outer: a column of the query around an EXISTS is written as one of the query inside (Ibis, all releases).
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
    has_no_null: `array_has(l, NULL)` is FALSE, not NULL (DataFusion up to 42).
    removes_null: `array_remove(l, NULL)` takes a NULL out, and is not NULL (DataFusion before 0.85).
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
    cuts_decimals: bool = False
    null_by_zero: bool = False
    null_remainders: bool = False
    cuts_quotients: bool = False
    floats_have_no_zero_error: bool = False
    unsigned_by_variation: bool = False
    loses_filters: bool = False
    loses_distinct: bool = False
    has_no_null: bool = False
    removes_null: bool = False
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
    capitalizes_whole: bool = False
    keys_apart: bool = False
    loses_not: bool = False
    lists_columns: bool = False
    loses_outer: bool = False
    loses_sides: bool = False
    loses_copies: str = ""
    loses_parts: bool = False
    loses_distinct_over: bool = False
    loses_where: bool = False
    counts_from_zero: bool = False
    loses_sets: bool = False
    loses_nulls: bool = False
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
        """The function that a call of this name is over arguments of these kinds, None where one is not known."""
        if self.durations and name.standard == "subtract" and list(kinds) == ["date", "date"]:
            return _TIME_BETWEEN
        if self.floats_have_no_zero_error and not _FLOATS.isdisjoint(kinds):
            return {"divide": _FLOAT_QUOTIENT, "modulus": _FLOAT_REMAINDER}.get(name.standard, name)
        if self.cuts_quotients and "decimal" in kinds and set(kinds) <= _EXACT:
            if name.standard == "divide":
                return _CUT_QUOTIENT
            if name.standard == "avg":
                return _CUT_AVERAGE
        if self.cuts_quotients and name.standard == "avg" and list(kinds) == [None]:
            return _CUT_AVERAGE
        return name

    def meant(self, name: FunctionName, call: Any) -> FunctionName:
        """The function that a call is meant to be."""
        if self.not_equal_is_not_like and name.standard == "not_equal" and _compares_pattern(call):
            return _NOT_LIKE
        if self.has_no_null and name.standard == "array_has":
            return _HAS_OR_NOT
        if self.removes_null and name.standard == "array_remove":
            return _REMOVE_NULL
        if self.counts_from_end and name.standard == "substring":
            return _FROM_END
        if self.micros_of_minute and name.standard == "extract" and _asks_for_micros(call):
            return _MICROS_OF_MINUTE
        if self.capitalizes_whole and name.standard == "capitalize":
            return _CAPITALIZE_WHOLE
        if self.null_by_zero and name.standard == "divide" and _is_double(call):
            return _DIVIDE_OR_NULL
        if self.null_remainders and name.standard == "modulus":
            return _REMAINDER_OR_NULL
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
