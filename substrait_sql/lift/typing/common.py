"""The one type that Spark gives to values of several types, in ANSI mode.

https://spark.apache.org/docs/latest/sql-ref-ansi-compliance.html#type-promotion-and-precedence
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from substrait_sql.lift.typing import types as t
from substrait_sql.lift.typing.casts import may_make_null
from substrait_sql.lift.typing.types import SparkType

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Finder = Callable[[SparkType, SparkType], SparkType | None]

_NUMBERS = ("tinyint", "smallint", "int", "bigint", "float", "double")


def tightest(a: SparkType, b: SparkType) -> SparkType | None:
    """The type that both go into without loss, None if there is none: for operands of an operator."""
    if a == b:
        return a
    if a.kind == "void":
        return b
    if b.kind == "void":
        return a
    numbers = _tightest_number(a, b)
    if numbers is not None:
        return numbers
    if a.kind in t.DATETIMES and b.kind in t.DATETIMES:
        return _datetime(a, b)
    if a.kind == b.kind and a.kind in t.INTERVALS:
        return SparkType(a.kind, (min(a.numbers[0], b.numbers[0]), max(a.numbers[1], b.numbers[1])))
    if a.kind == b.kind == "time":
        return SparkType("time", (max(a.numbers[0], b.numbers[0]),))
    return _nested(a, b, tightest)


def wider(a: SparkType, b: SparkType) -> SparkType | None:
    """The type of values that are put together: CASE, coalesce, arrays, set operations, IN."""
    return tightest(a, b) or wider_decimal(a, b) or with_text(a, b) or _nested(a, b, wider)


def wider_without_text(a: SparkType, b: SparkType) -> SparkType | None:
    """As `wider`, for arguments where text stays text."""
    return tightest(a, b) or wider_decimal(a, b) or _nested(a, b, wider_without_text)


def in_arrays(a: SparkType, b: SparkType) -> SparkType | None:
    """As `wider_without_text`, for an array and what is put into it or looked for: an int goes into a float.

    array_remove(array(1), 1F) is an array<float>: these functions look at the older rules whatever the mode.
    """
    if a.kind in _NUMBERS and b.kind in _NUMBERS:
        return SparkType(max(a.kind, b.kind, key=_NUMBERS.index))
    return _nested(a, b, in_arrays) or tightest(a, b)


def in_rows(a: SparkType, b: SparkType) -> SparkType | None:
    """As `wider_without_text`, for the rows of VALUES and UNPIVOT, where an int goes into a float."""
    return _nested(a, b, in_rows) or in_arrays(a, b) or wider_decimal(a, b)


def looked_for(a: SparkType, b: SparkType) -> SparkType | None:
    """As `in_arrays`, with decimals: array_contains and map_contains_key alone take them for other numbers."""
    return _nested(a, b, looked_for) or in_arrays(a, b) or wider_decimal(a, b)


def of_all(found: Sequence[SparkType], finder: Finder = wider) -> SparkType | None:
    """The common type of all, None if there is none.

    In their order: coalesce(int, decimal(4,0), text) is a double, coalesce(text, int, decimal(4,0)) a decimal(20,0).
    """
    out: SparkType | None = t.VOID
    for each in found:
        if out is None:
            return None
        out = finder(out, each)
    return out


def _tightest_number(a: SparkType, b: SparkType) -> SparkType | None:
    if a.kind in t.INTEGRAL and b.kind == "decimal":
        return b if _holds(b, a) else None
    if a.kind == "decimal" and b.kind in t.INTEGRAL:
        return a if _holds(a, b) else None
    if a.kind not in _NUMBERS or b.kind not in _NUMBERS:
        return None
    kind = max(a.kind, b.kind, key=_NUMBERS.index)
    if kind == "float" and a.kind != b.kind:
        kind = "double"
    return SparkType(kind)


def _holds(wide: SparkType, narrow: SparkType) -> bool:
    if narrow.kind != "decimal":
        narrow = t.as_decimal(narrow)
    return (
        wide.precision - wide.scale >= narrow.precision - narrow.scale
        and wide.scale >= narrow.scale
    )


def wider_decimal(a: SparkType, b: SparkType) -> SparkType | None:
    """For two numbers of which one at least is a decimal."""
    if "decimal" not in (a.kind, b.kind) or a.kind not in t.NUMERIC or b.kind not in t.NUMERIC:
        return None
    if {"float", "double"} & {a.kind, b.kind}:
        return t.DOUBLE
    x, y = t.as_decimal(a), t.as_decimal(b)
    scale = max(x.scale, y.scale)
    return bounded(max(x.precision - x.scale, y.precision - y.scale) + scale, scale)


def bounded(precision: int, scale: int) -> SparkType:
    """A decimal that keeps the digits in front of the point, where there are too many."""
    if precision <= t.MOST_DIGITS:
        return t.decimal(precision, scale)
    return t.decimal(t.MOST_DIGITS, max(scale - (precision - t.MOST_DIGITS), 0))


def with_text(a: SparkType, b: SparkType) -> SparkType | None:
    """What text and another atomic type become."""
    if a.kind != "string":
        a, b = b, a
    if a.kind != "string" or b.kind == "string":
        return None
    if b.kind in t.INTEGRAL:
        return t.BIGINT
    if b.kind in t.FRACTIONAL:
        return t.DOUBLE
    if b.kind in t.INTERVALS or t.is_nested(b) or b.kind == "interval":
        return None
    return b


def _datetime(a: SparkType, b: SparkType) -> SparkType:
    if "timestamp" in (a.kind, b.kind):
        return t.TIMESTAMP
    return t.TIMESTAMP_NTZ


def _nested(a: SparkType, b: SparkType, finder: Finder) -> SparkType | None:
    if a.kind != b.kind:
        return None
    match a.kind:
        case "array":
            element = finder(a.element, b.element)
            if element is None:
                return None
            forced = may_make_null(a.element, element) or may_make_null(b.element, element)
            return t.array(element, holds_null=a.holds_null or b.holds_null or forced)
        case "map":
            key, value = finder(a.parts[0], b.parts[0]), finder(a.parts[1], b.parts[1])
            if key is None or value is None:
                return None
            if may_make_null(a.parts[0], key) or may_make_null(b.parts[0], key):
                return None
            forced = may_make_null(a.parts[1], value) or may_make_null(b.parts[1], value)
            return t.map_(key, value, holds_null=a.holds_null or b.holds_null or forced)
        case "struct":
            return _struct(a, b, finder)
    return None


def _struct(a: SparkType, b: SparkType, finder: Finder) -> SparkType | None:
    if len(a.fields) != len(b.fields):
        return None
    fields: list[t.Field] = []
    for x, y in zip(a.fields, b.fields, strict=True):
        found = finder(x.type, y.type)
        if found is None or x.name.casefold() != y.name.casefold():
            return None
        forced = may_make_null(x.type, found) or may_make_null(y.type, found)
        fields.append(t.Field(x.name, found, x.nullable or y.nullable or forced))
    return t.struct(fields)
