"""Which values Spark brings to a type by itself, and which it casts when asked, in ANSI mode."""

from __future__ import annotations

from substrait_sql.lift.typing import types as t
from substrait_sql.lift.typing.types import SparkType

# What a function may expect, beside a type: https://spark.apache.org/docs/latest/sql-ref-ansi-compliance.html#function-invocation
CLASSES: dict[str, tuple[str, ...]] = {
    "numeric": t.NUMERIC,
    "integral": t.INTEGRAL,
    "fractional": t.FRACTIONAL,
    "datetime": t.DATETIMES,
    "any_timestamp": ("timestamp", "timestamp_ntz"),
    "interval_ansi": t.INTERVALS,
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
    "any_array": t.array(t.VOID), "any_map": t.map_(t.VOID, t.VOID), "any_struct": t.struct(()),
    "any_time": SparkType("time", (6,)), "any": t.VOID, "atomic": t.STRING,
}  # fmt: skip


def implicit(given: SparkType, expected: str | SparkType) -> SparkType | None:
    """What an argument becomes where a function expects a type or one of a class; None where Spark refuses it.

    expected: a type, ``any``, a key of `CLASSES`.
    """
    if isinstance(expected, str):
        return _of_class(given, expected)
    if given == expected or (
        given.kind == expected.kind and given.kind not in ("decimal", *t.NESTED)
    ):
        return given
    if given.kind == "void":
        return expected
    if given.kind == "string" and not t.is_nested(expected):
        return None if expected.kind in ("interval", "variant", "void") else expected
    return expected if stored(given, expected) else None


def _of_class(given: SparkType, expected: str) -> SparkType | None:
    if expected == "any" or given.kind in CLASSES[expected]:
        return given
    if given.kind == "void":
        return _CLASS_DEFAULT[expected]
    if given.kind in t.NUMERIC:
        if expected == "any_decimal":
            return t.as_decimal(given)
        return t.DOUBLE if expected == "fractional" else None
    if given.kind == "string":
        return {
            "numeric": t.DOUBLE, "fractional": t.DOUBLE, "any_decimal": t.decimal(38, 18),
            "any_timestamp": t.TIMESTAMP,
        }.get(expected)  # fmt: skip
    if given.kind == "date" and expected == "any_timestamp":
        return t.TIMESTAMP
    return None


def stored(given: SparkType, target: SparkType) -> bool:
    """Whether a value may be stored in a column of the type: what Spark casts without being asked."""
    if given == target or given.kind == "void":
        return True
    if given.kind in t.NUMERIC and target.kind in t.NUMERIC:
        return True
    if target.kind in t.TEXTS:
        return not t.is_nested(given) and given.kind not in ("interval", "variant", "binary")
    if given.kind in t.DATETIMES and target.kind in t.DATETIMES:
        return True
    if given.kind == target.kind and given.kind in (*t.INTERVALS, "time"):
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


# What CAST takes: from (rows) to. https://spark.apache.org/docs/latest/sql-ref-ansi-compliance.html#cast
_CASTS: dict[str, frozenset[str]] = {
    "boolean": frozenset({"boolean", "string", *t.NUMERIC}),
    "string": frozenset(
        {"string", "binary", "boolean", "interval", "time", *t.NUMERIC, *t.DATETIMES, *t.INTERVALS}
    ),
    "binary": frozenset({"binary", "string", *t.INTEGRAL[:0]}),
    "date": frozenset({"date", "timestamp", "timestamp_ntz", "string"}),
    "timestamp": frozenset({*t.DATETIMES, "string", "time", *t.NUMERIC}),
    "timestamp_ntz": frozenset({*t.DATETIMES, "string", "time"}),
    "time": frozenset({"time", "string", "decimal", *t.INTEGRAL, "timestamp_ntz"}),
    "interval_year": frozenset({"interval_year", "string", "decimal", *t.INTEGRAL}),
    "interval_day": frozenset({"interval_day", "string", "decimal", *t.INTEGRAL}),
    "interval": frozenset({"interval", "string"}),
}
_FROM_NUMBER = frozenset({*t.NUMERIC, "string", "boolean", "timestamp"})


def can_cast(given: SparkType, target: SparkType) -> bool:
    """Whether CAST takes it."""
    given, target = t.plain(given), t.plain(target)
    if given.kind == "void" or given == target or target.kind == "variant":
        return True
    if t.is_nested(given) and target.kind == "string":
        return True
    if t.is_nested(given):
        return given.kind == target.kind and _parts_cast(given, target)
    if given.kind in t.NUMERIC:
        more = given.kind in (*t.INTEGRAL, "decimal") and target.kind in t.INTERVALS
        binary = given.kind in t.INTEGRAL and target.kind == "binary"
        return target.kind in _FROM_NUMBER or more or binary
    return target.kind in _CASTS.get(given.kind, frozenset())


def _parts_cast(given: SparkType, target: SparkType) -> bool:
    if given.kind in ("array", "map"):
        return all(can_cast(a, b) for a, b in zip(given.parts, target.parts, strict=True)) and (
            target.holds_null or not given.holds_null
        )
    return len(given.fields) == len(target.fields) and all(
        can_cast(a.type, b.type) for a, b in zip(given.fields, target.fields, strict=True)
    )
