"""How to read a plan: what its producer means where that is not what the specification says.

The lowering asks `Habits`. What each one means and whose it is stands in `deviations`, a table.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from substrait_sql.errors import refuse
from substrait_sql.plan.deviations import DEVIATIONS
from substrait_sql.schema.functions import FunctionName
from substrait_sql.schema.types import children, kind, nullable

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from substrait_sql.wire.path import Path

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
_PRODUCT_OR_NULL = FunctionName(None, None, "product_or_null", "fp64")
_CAPITALIZE_WHOLE = FunctionName(None, None, "capitalize_whole", "str")
_CUT_QUOTIENT = FunctionName(None, None, "cut_quotient", "dec_dec")
_CUT_AVERAGE = FunctionName(None, None, "cut_average", "dec")
_FLOAT_QUOTIENT = FunctionName(None, None, "float_quotient", "fp64_fp64")
_FLOAT_REMAINDER = FunctionName(None, None, "float_remainder", "fp64_fp64")
_REPLACE_ALL = FunctionName(None, None, "regexp_replace_all", "str_str_str")

# The functions that are another one over some types.
BY_TYPE = {"subtract", "divide", "modulus", "%", "avg", "product"}
# Those that are another one in some calls, whatever the types.
DEPENDING = {
    *("not_equal", "substring", "extract", "capitalize", "divide", "modulus", "date_part"),
    *("to_timestamp", "regexp_replace", *(row.function for row in DEVIATIONS if row.function)),
}
# Those that ask which of two values is first.
_BY_ORDER = {
    *("lt", "lte", "gt", "gte", "between", "min", "max", "least", "greatest", "max_by", "min_by"),
    *("arg_max", "argmax", "arg_max_null", "arg_min", "argmin", "arg_min_null"),
}
_LARGEST = "largest"
_FLOATS = {"fp32", "fp64"}
# Each as the line is called that it is over floats where NaN is nothing's equal.
_OF_NUMBERS = {
    name: FunctionName(None, None, f"{name}_of_numbers", "fp64_fp64")
    for name in ("equal", "not_equal", "lt", "lte", "gt", "gte")
}
_OF_FLOATS = {"divide": _FLOAT_QUOTIENT, "modulus": _FLOAT_REMAINDER, "%": _FLOAT_REMAINDER}
_EXACT = {"decimal", "i8", "i16", "i32", "i64"}


def _may_hold_null(type: Any) -> bool:
    """Whether a list or a struct may have a NULL inside."""
    return any(nullable(child) or _may_hold_null(child) for child in children(type))


class Typed(Protocol):
    """An argument of a call."""

    type: Any


class Habits(NamedTuple):
    """How to read this plan: a field for each name in the table of `deviations`, filled by `producers`."""

    project_replaces: bool = False
    needs_mask: bool = False
    not_equal_is_not_like: bool = False
    grouping_masks: bool = False
    sets_are_unnumbered: bool = False
    grouping_asks: bool = False
    no_totals: bool = False
    undeclared_types: bool = False
    omits_set_index: bool = False
    overflow_of_floats: bool = False
    casts_round: bool = False
    cuts_decimals: str = ""
    rounds_products: str = ""
    misses_casts: bool = False
    float_texts: str = ""
    null_by_zero: bool = False
    null_remainders: bool = False
    null_products: bool = False
    nan_is_unequal: bool = False
    cuts_quotients: bool = False
    floats_have_no_zero_error: bool = False
    unsigned_by_variation: bool = False
    loses_filters: bool = False
    loses_distinct: bool = False
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
    merges_keys: bool = False
    loses_copies: str = ""
    loses_parts: bool = False
    loses_distinct_over: bool = False
    loses_frames: bool = False
    loses_where: bool = False
    counts_from_zero: bool = False
    loses_sets: bool = False
    loses_nulls: bool = False
    moment_texts: str = ""
    moment_units: str = ""
    moment_sums: bool = False
    inner_nulls: str = ""
    heeds_offsets: bool = False
    casts_by_name: str = ""
    frames_overflow: bool = False
    bytes_are_text: bool = False
    exact_decimals: bool = False
    arrow_types: bool = False
    names_behind: bool = False
    # What the release made of a function: by its name the line of the dialect.
    older: Mapping[str, str] = MappingProxyType({})
    # The lines of these that not all releases of the plan's version mean.
    unsure: frozenset[str] = frozenset()
    # The functions that are older ones only where the last argument may be NULL.
    about_null: frozenset[str] = frozenset()

    def masks_grouping_sets(self, sets: list[list[int]]) -> bool:
        """Whether an aggregation with these sets is one of those: its keys stand in the order of the sets."""
        return self.grouping_masks and [i for refs in sets for i in refs] == list(
            range(sum(map(len, sets)))
        )

    def heeds(self, option: str, name: str, call: Any) -> bool:
        """Whether an option says anything about this call of the function of this name."""
        if not self.overflow_of_floats or option.lower() != "overflow":
            return True
        kind = call.output_type.WhichOneof("kind")
        signed = kind == "decimal" and name in ("abs", "negate")
        return kind not in ("fp32", "fp64") and not signed

    @property
    def by_type(self) -> Collection[str]:
        """The standard functions that `over` makes others of."""
        ordered = _BY_ORDER if self.undeclared_types or self.inner_nulls == _LARGEST else ()
        compared = _OF_NUMBERS if self.nan_is_unequal else ()
        return {*BY_TYPE, *ordered, *compared}

    def _older(self, name: FunctionName) -> FunctionName | None:
        """The line of the dialect for what the release made of a function; None where it is as today."""
        line = self.older.get(name.name) if self.older else None
        return None if line is None else FunctionName(None, None, line)

    def require_order(self, type: Any, path: Path) -> None:
        """Refuses values of which the plan does not tell the order: an ENUM has that of its type, not of its texts."""
        if self.undeclared_types and kind(type) is None:
            raise refuse(
                "SS2199",
                "the plan does not declare the type of this value, and so not its order",
                path,
                "cast an ENUM to VARCHAR in the query, which then is in the order of texts",
            )

    def inner_nulls_in_sort(self, type: Any, *, descending: bool, nulls_first: bool) -> str:
        """Where a sort puts values with a NULL inside: "largest", "smallest" as Spark does, "" if there are none."""
        if not self.inner_nulls or not _may_hold_null(type):
            return ""
        as_around = descending == nulls_first
        return _LARGEST if self.inner_nulls == _LARGEST or as_around else "smallest"

    def _compares_inner_nulls(self, standard: str, arguments: Sequence[Typed], path: Path) -> None:
        """Refuses values with a NULL inside where the function takes that for larger than others."""
        by_size = self.inner_nulls == _LARGEST or (self.inner_nulls and standard in ("min", "max"))
        if by_size and any(_may_hold_null(a.type) for a in arguments):
            raise refuse(
                "SS2199",
                f"NULLs inside of values are larger than others to the producer's {standard}, and smaller to Spark's",
                path,
                "compare the parts, or take first_value of the rows in order of the parts",
            )

    def over(self, name: FunctionName, arguments: Sequence[Typed], path: Path) -> FunctionName:
        """The function that a call of this name is over arguments of these types, None where one is not known."""
        older = self._older(name)
        if older is not None:
            return older
        standard = name.standard
        if standard in _BY_ORDER:
            for argument in arguments:
                self.require_order(argument.type, path)
            self._compares_inner_nulls(standard, arguments, path)
        if standard not in self.by_type:
            return name
        kinds = [kind(a.type) for a in arguments]
        if self.nan_is_unequal and standard in _OF_NUMBERS and not _FLOATS.isdisjoint(kinds):
            return _OF_NUMBERS[standard]
        if self.durations and standard == "subtract" and kinds == ["date", "date"]:
            return _TIME_BETWEEN
        if self.null_products and standard == "product":
            return _PRODUCT_OR_NULL
        if self.floats_have_no_zero_error and not _FLOATS.isdisjoint(kinds):
            return _OF_FLOATS.get(standard, name)
        if self.cuts_quotients and "decimal" in kinds and set(kinds) <= _EXACT:
            if standard == "divide":
                return _CUT_QUOTIENT
            if standard == "avg":
                return _CUT_AVERAGE
        if self.cuts_quotients and standard == "avg" and kinds == [None]:
            return _CUT_AVERAGE
        return name

    def meant(self, name: FunctionName, call: Any) -> FunctionName:
        """The function that a call is meant to be."""
        standard = name.standard
        if standard not in DEPENDING and name.name not in DEPENDING:
            return name
        older = self._older(name)
        if older is not None:
            return name if name.name in self.about_null and _ends_with_a_value(call) else older
        if self.not_equal_is_not_like and standard == "not_equal" and _compares_pattern(call):
            return _NOT_LIKE
        if self.counts_from_end and standard == "substring":
            return _FROM_END
        if self.micros_of_minute and standard == "extract" and _asks_for_micros(call):
            return _MICROS_OF_MINUTE
        if self.capitalizes_whole and standard == "capitalize":
            return _CAPITALIZE_WHOLE
        if self.null_by_zero and standard == "divide" and _is_double(call):
            return _DIVIDE_OR_NULL
        if self.null_remainders and standard == "modulus":
            floats = call.output_type.WhichOneof("kind") in _FLOATS
            return name if floats and self.floats_have_no_zero_error else _REMAINDER_OR_NULL
        if self.divides_truly and standard == "divide" and _is_double(call):
            return _TRUE_DIVIDE
        if self.fractional_parts is not None and standard == "date_part":
            return _PART if self.fractional_parts else _WHOLE_PART
        if self.nanoseconds and standard == "to_timestamp":
            return _OF_NANOSECONDS
        if self.replaces_all and name.name == "regexp_replace" and len(call.arguments) == 3:
            return _REPLACE_ALL
        return name


def _ends_with_a_value(call: Any) -> bool:
    """Whether the last argument is a constant other than NULL."""
    last = call.arguments[-1].value if call.arguments else None
    return last is not None and last.literal.WhichOneof("literal_type") not in (None, "null")


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
