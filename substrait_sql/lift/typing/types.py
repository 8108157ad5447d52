"""Spark's types as values: equal when they are the same type, printed as Spark prints them.

Substrait's types are messages; here rules about pairs of types are asked all the time, and Spark has types that
Substrait has not (the type of NULL, the fields of an interval).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a struct."""

    name: str
    type: SparkType
    nullable: bool = True


@dataclass(frozen=True, slots=True)
class SparkType:
    """A type by its kind and what goes with it.

    kind: Spark's name in lower case (``int``, ``bigint``, ``timestamp_ntz``, ``decimal``, ``array`` …). numbers:
    precision and scale of a decimal, the length of a char, first and last unit of an interval (0 year or day, 1 month
    or hour, 2 minute, 3 second). parts: the element of an array, key and value of a map. holds_null: whether elements
    or a map's values can be NULL. fields: those of a struct.
    """

    kind: str
    numbers: tuple[int, ...] = ()
    parts: tuple[SparkType, ...] = ()
    holds_null: bool = True
    fields: tuple[Field, ...] = ()

    def __str__(self) -> str:
        match self.kind:
            case "decimal" | "char" | "varchar" | "time" | "geometry" | "geography" if self.numbers:
                return f"{self.kind}({','.join(map(str, self.numbers))})"
            case "timestamp_ltz_nanos" | "timestamp_ntz_nanos":
                return f"{self.kind.removesuffix('_nanos')}({self.numbers[0]})"
            case "array" | "map":
                return f"{self.kind}<{','.join(map(str, self.parts))}>"
            case "struct":
                return f"struct<{','.join(f'{f.name}:{f.type}' for f in self.fields)}>"
            case "interval_year" | "interval_day":
                return interval_text(self)
        return self.kind

    @property
    def element(self) -> SparkType:
        """The element type of an array."""
        return self.parts[0]

    @property
    def precision(self) -> int:
        """All digits of a decimal."""
        return self.numbers[0]

    @property
    def scale(self) -> int:
        """The digits of a decimal behind the point."""
        return self.numbers[1]


_DAY_UNITS, _YEAR_UNITS = ("day", "hour", "minute", "second"), ("year", "month")


def interval_text(t: SparkType) -> str:
    """``interval day to second``, ``interval year``."""
    units = _DAY_UNITS if t.kind == "interval_day" else _YEAR_UNITS
    first, last = t.numbers
    return f"interval {units[first]}" + (f" to {units[last]}" if first != last else "")


VOID = SparkType("void")
BOOLEAN = SparkType("boolean")
TINYINT, SMALLINT = SparkType("tinyint"), SparkType("smallint")
INT, BIGINT = SparkType("int"), SparkType("bigint")
FLOAT, DOUBLE = SparkType("float"), SparkType("double")
STRING, BINARY = SparkType("string"), SparkType("binary")
DATE, TIMESTAMP = SparkType("date"), SparkType("timestamp")
TIMESTAMP_NTZ, TIME = SparkType("timestamp_ntz"), SparkType("time", (6,))
CALENDAR_INTERVAL, VARIANT = SparkType("interval"), SparkType("variant")
YEAR_MONTH = SparkType("interval_year", (0, 1))
DAY_SECOND = SparkType("interval_day", (0, 3))

INTEGRAL = ("tinyint", "smallint", "int", "bigint")
# Integers that have no opposite in their type.
LOWEST = {"tinyint": -(2**7), "smallint": -(2**15), "int": -(2**31), "bigint": -(2**63)}
FRACTIONAL = ("float", "double", "decimal")
NUMERIC = (*INTEGRAL, *FRACTIONAL)
DATETIMES = ("date", "timestamp", "timestamp_ntz")
INTERVALS = ("interval_year", "interval_day")
TEXTS = ("string", "char", "varchar")
NESTED = ("array", "map", "struct")
# The digits that hold every value of an integer type.
_DIGITS = {"tinyint": 3, "smallint": 5, "int": 10, "bigint": 20}
_FLOAT_DIGITS = {"float": (14, 7), "double": (30, 15)}
MOST_DIGITS = 38


def decimal(precision: int, scale: int) -> SparkType:
    """DECIMAL(precision, scale)."""
    return SparkType("decimal", (precision, scale))


def array(element: SparkType, *, holds_null: bool = True) -> SparkType:
    """ARRAY<element>."""
    return SparkType("array", (), (element,), holds_null)


def map_(key: SparkType, value: SparkType, *, holds_null: bool = True) -> SparkType:
    """MAP<key, value>."""
    return SparkType("map", (), (key, value), holds_null)


def struct(fields: Iterable[Field]) -> SparkType:
    """STRUCT<name: type, …>."""
    return SparkType("struct", fields=tuple(fields))


def as_decimal(t: SparkType) -> SparkType:
    """The decimal that holds the values of a number's type, as Spark has it for columns."""
    if t.kind == "decimal":
        return t
    if t.kind in _FLOAT_DIGITS:
        return decimal(*_FLOAT_DIGITS[t.kind])
    return decimal(_DIGITS[t.kind], 0)


def is_nested(t: SparkType) -> bool:
    """Whether a value has values inside."""
    return t.kind in NESTED


def has_units(t: SparkType) -> bool:
    """Whether it is an interval of other units than Substrait's have: ``INTERVAL HOUR``."""
    return t.kind in INTERVALS and t not in (YEAR_MONTH, DAY_SECOND)


def has_units_inside(t: SparkType) -> bool:
    """Whether the type or a part of it is such an interval."""
    inside = (*t.parts, *(f.type for f in t.fields))
    return has_units(t) or any(map(has_units_inside, inside))


def plain(t: SparkType) -> SparkType:
    """The type of a value that was read: CHAR and VARCHAR are text in every expression."""
    match t.kind:
        case "char" | "varchar":
            return STRING
        case "array":
            return array(plain(t.element), holds_null=t.holds_null)
        case "map":
            return map_(plain(t.parts[0]), plain(t.parts[1]), holds_null=t.holds_null)
        case "struct":
            return struct(Field(f.name, plain(f.type), f.nullable) for f in t.fields)
    return t


def ddl(x: SparkType) -> str:
    """The type as a cast has it, with all names; STRING for the type of NULL, as plans have it."""
    match x.kind:
        case "void":
            return "STRING"
        case "decimal":
            return f"DECIMAL({x.precision}, {x.scale})"
        case "array" | "map":
            return f"{x.kind.upper()}<{', '.join(map(ddl, x.parts))}>"
        case "struct":
            return f"STRUCT<{', '.join(f'{_quoted(f.name)}: {ddl(f.type)}' for f in x.fields)}>"
    return str(x).upper()


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def same(a: SparkType, b: SparkType) -> bool:
    """Whether two types differ at most in which values inside can be NULL."""
    return (
        a.kind == b.kind
        and a.numbers == b.numbers
        and len(a.fields) == len(b.fields)
        and all(map(same, a.parts, b.parts))
        and all(
            x.name == y.name and same(x.type, y.type)
            for x, y in zip(a.fields, b.fields, strict=True)
        )
    )


def all_nullable(x: SparkType) -> SparkType:
    """The type with NULL allowed everywhere inside."""
    match x.kind:
        case "array":
            return array(all_nullable(x.element))
        case "map":
            return map_(all_nullable(x.parts[0]), all_nullable(x.parts[1]))
        case "struct":
            return struct(Field(f.name, all_nullable(f.type)) for f in x.fields)
    return x


def contains(x: SparkType, *kinds: str) -> bool:
    """Whether the type or a part of it is of one of these kinds."""
    inside = (*x.parts, *(f.type for f in x.fields))
    return x.kind in kinds or any(contains(part, *kinds) for part in inside)


# Kinds that Substrait has no type for.
WITHOUT_WORD = ("interval", "variant", "geometry", "geography")


def is_orderable(x: SparkType) -> bool:
    """Whether values have an order: what can be sorted, compared with < and put into max."""
    return not contains(x, "map", "interval", "variant", "geometry", "geography")
