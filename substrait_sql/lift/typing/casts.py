"""Which values Spark brings to a type by itself, and which it casts when asked, in ANSI mode."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from substrait_sql.lift.typing import types as t

if TYPE_CHECKING:
    from substrait_sql.lift.typing.types import SparkType

Expected: TypeAlias = "str | SparkType | tuple[str | SparkType, ...]"
# What a function may expect, beside a type: https://spark.apache.org/docs/latest/sql-ref-ansi-compliance.html#function-invocation
CLASSES: dict[str, tuple[str, ...]] = {
    "numeric": t.NUMERIC,
    "integral": t.INTEGRAL,
    "fractional": t.FRACTIONAL,
    "datetime": t.DATETIMES,
    "any_timestamp": ("timestamp", "timestamp_ntz"),
    "interval_ansi": t.INTERVALS,
    "interval_year": ("interval_year",),
    "interval_day": ("interval_day",),
    "any_decimal": ("decimal",),
    "any_array": ("array",),
    "any_map": ("map",),
    "any_struct": ("struct",),
    "any_time": ("time",),
    "atomic": (*t.NUMERIC, *t.DATETIMES, *t.INTERVALS, "boolean", "string", "binary", "time"),
}
_CLASS_DEFAULT = {
    "numeric": t.DOUBLE, "integral": t.INT, "fractional": t.DOUBLE, "datetime": t.TIMESTAMP,
    "any_timestamp": t.TIMESTAMP, "any_decimal": t.decimal(38, 18), "interval_ansi": t.DAY_SECOND,
    "interval_year": t.YEAR_MONTH, "interval_day": t.DAY_SECOND,
    "any_array": t.array(t.VOID), "any_map": t.map_(t.VOID, t.VOID), "any_struct": t.struct(()),
    "any_time": t.TIME, "any": t.VOID, "atomic": t.STRING,
}  # fmt: skip


def accepts(given: SparkType, expected: str | SparkType) -> bool:
    """Whether it is taken as it is: whether values inside can be NULL does not matter."""
    if isinstance(expected, str):
        return expected == "any" or given.kind in CLASSES[expected]
    if given.kind == expected.kind == "time":
        return True
    return t.same(given, expected)


def implicit(given: SparkType, expected: Expected) -> SparkType | None:
    """What an argument becomes where a function expects a type or one of a class; None where Spark refuses it.

    expected: a type, ``any``, a key of `CLASSES`, or several of these.
    """
    if isinstance(expected, tuple):
        return _of_several(given, expected)
    if accepts(given, expected):
        return given
    if given.kind == "void":
        return default(expected)
    if isinstance(expected, str):
        return _of_class(given, expected)
    if given.kind == "string" and not t.is_nested(expected):
        return None if expected.kind in ("interval", "void", "geometry", "geography") else expected
    if stored(given, expected):
        return expected
    if given.kind == expected.kind == "array" and expected.element == t.STRING:
        return expected if implicit(given.element, t.STRING) else None
    return None


def exact(given: SparkType, expected: Expected) -> SparkType | None:
    """As `implicit`, for functions that take no other types: only NULL becomes something."""
    several = expected if isinstance(expected, tuple) else (expected,)
    if any(accepts(given, e) for e in several):
        return given
    return default(several[0]) if given.kind == "void" else None


def given(found: SparkType, expected: Expected) -> SparkType | None:
    """For functions that cast nothing, not even NULL."""
    several = expected if isinstance(expected, tuple) else (expected,)
    return found if any(accepts(found, e) for e in several) else None


def default(expected: str | SparkType) -> SparkType:
    """What NULL becomes where this is expected."""
    return _CLASS_DEFAULT[expected] if isinstance(expected, str) else expected


def _of_several(given: SparkType, expected: tuple[str | SparkType, ...]) -> SparkType | None:
    if any(accepts(given, e) for e in expected):
        return given
    if given.kind == "void":
        return default(expected[0])
    found = [x for x in (implicit(given, e) for e in expected) if x is not None]
    for each in found:
        if all(implicit(each, other) is not None for other in found):
            return t.DOUBLE if each == t.FLOAT and t.DOUBLE in found else each
    return None


def _of_class(given: SparkType, expected: str) -> SparkType | None:
    if given.kind in t.NUMERIC:
        if expected == "any_decimal":
            return t.as_decimal(given)
        return t.DOUBLE if expected == "fractional" else None
    if given.kind == "string":
        return {
            "numeric": t.DOUBLE, "fractional": t.DOUBLE, "any_decimal": t.decimal(38, 18),
            "any_timestamp": t.TIMESTAMP, "any_time": _CLASS_DEFAULT["any_time"],
        }.get(expected)  # fmt: skip
    if given.kind == "date" and expected == "any_timestamp":
        return t.TIMESTAMP
    if given.kind in t.DATETIMES and expected == "any_time":
        return _CLASS_DEFAULT[expected]
    return None


def stored(given: SparkType, target: SparkType) -> bool:
    """Whether a value may be stored in a column of the type: what Spark casts without being asked.

    Intervals of other units are not, though all of them fit: INTERVAL DAY goes into no INTERVAL DAY TO SECOND.
    """
    if given == target or given.kind == "void":
        return True
    if given.kind in t.NUMERIC and target.kind in t.NUMERIC:
        return True
    if target.kind in t.TEXTS:
        return not t.is_nested(given)
    if given.kind in (*t.DATETIMES, "time") and target.kind in (*t.DATETIMES, "time"):
        return True
    return given.kind == target.kind and t.is_nested(given) and _each_stored(given, target)


def _each_stored(given: SparkType, target: SparkType) -> bool:
    if given.kind in ("array", "map"):
        if given.holds_null and not target.holds_null:
            return False
        return all(stored(a, b) for a, b in zip(given.parts, target.parts, strict=True))
    return len(given.fields) == len(target.fields) and all(
        stored(a.type, b.type) and (b.nullable or not a.nullable)
        for a, b in zip(given.fields, target.fields, strict=True)
    )


def may_make_null(given: SparkType, target: SparkType) -> bool:
    """Whether Spark takes the result of a cast for nullable though the value is not.

    It does not look at ANSI mode, where the cast fails instead.
    """
    if given == target or given.kind == "void":
        return False
    if given.kind == "variant":
        return True
    if given.kind == "string":
        return target.kind not in ("binary", "string")
    match target.kind:
        case "string":
            return False
        case "date":
            return given.kind != "timestamp"
        case "interval":
            return True
        case "timestamp" if given.kind in ("float", "double"):
            return True
        case "decimal":
            return not _surely_held(given, target)
    if given.kind == "date":
        return target.kind != "timestamp"
    if given.kind == "time":
        return target.kind in ("tinyint", "smallint")
    if given.kind == "timestamp":
        return target.kind in ("tinyint", "smallint", "int")
    return given.kind in t.FRACTIONAL and target.kind in t.INTEGRAL


def _surely_held(given: SparkType, target: SparkType) -> bool:
    if given.kind == "boolean":
        return target.precision > target.scale
    if given.kind not in (*t.INTEGRAL, "decimal"):
        return False
    held = t.as_decimal(given)
    more = (target.precision - target.scale) - (held.precision - held.scale)
    # A digit more in front is enough for what rounding carries.
    return more > 0 or (more == 0 and target.scale >= held.scale)


# What CAST takes: from (rows) to. https://spark.apache.org/docs/latest/sql-ref-ansi-compliance.html#cast
_CASTS: dict[str, frozenset[str]] = {
    "boolean": frozenset({"boolean", "string", *t.NUMERIC}),
    "string": frozenset(
        {"string", "binary", "boolean", "interval", "time", *t.NUMERIC, *t.DATETIMES, *t.INTERVALS}
    ),
    "binary": frozenset({"binary", "string"}),
    "date": frozenset({"date", "timestamp", "timestamp_ntz", "string"}),
    "timestamp": frozenset({*t.DATETIMES, "string", "time", *t.NUMERIC}),
    "timestamp_ntz": frozenset({*t.DATETIMES, "string", "time"}),
    "time": frozenset({"time", "string", "timestamp", "timestamp_ntz"}),
    "interval_year": frozenset({"interval_year", "string", "decimal", *t.INTEGRAL}),
    "interval_day": frozenset({"interval_day", "string", "decimal", *t.INTEGRAL}),
    "interval": frozenset({"interval", "string"}),
}
_FROM_NUMBER = frozenset({*t.NUMERIC, "string", "boolean", "timestamp"})


def can_cast(given: SparkType, target: SparkType) -> bool:
    """Whether CAST takes it."""
    given, target = t.plain(given), t.plain(target)
    if given.kind == "void" or given == target:
        return True
    if "variant" in (given.kind, target.kind):
        return _casts_variant(given, target)
    if t.is_nested(given) and target.kind == "string":
        return True
    if t.is_nested(given):
        return given.kind == target.kind and _parts_cast(given, target)
    if given.kind == "time" and target.kind in (*t.INTEGRAL, "decimal"):
        return True
    if given.kind in t.NUMERIC:
        more = given.kind in (*t.INTEGRAL, "decimal") and target.kind in t.INTERVALS
        return target.kind in _FROM_NUMBER or more
    return target.kind in _CASTS.get(given.kind, frozenset())


# What a variant may hold, which has no intervals.
_IN_VARIANT = (*t.NUMERIC, *t.DATETIMES, "boolean", "string", "binary", "time", "variant")


def _casts_variant(given: SparkType, target: SparkType) -> bool:
    """Into a variant go no structs and maps, though they come out of it."""
    if target.kind == "variant":
        element = given.element if given.kind == "array" else None
        return given.kind in _IN_VARIANT or (element is not None and can_cast(element, target))
    match target.kind:
        case "map":
            return target.parts[0] == t.STRING and can_cast(given, target.parts[1])
        case "array":
            return can_cast(given, target.element)
        case "struct":
            return all(can_cast(given, f.type) for f in target.fields)
    return target.kind in _IN_VARIANT


def _parts_cast(given: SparkType, target: SparkType) -> bool:
    if given.kind in ("array", "map"):
        return all(can_cast(a, b) for a, b in zip(given.parts, target.parts, strict=True)) and (
            target.holds_null or not given.holds_null
        )
    return len(given.fields) == len(target.fields) and all(
        can_cast(a.type, b.type) for a, b in zip(given.fields, target.fields, strict=True)
    )
