"""Substrait types written as text, such as ``i32?`` or ``dec<10,2>``, and their literals."""

from __future__ import annotations

import datetime as dt
import decimal
import uuid
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import substrait.proto as pb

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_EPOCH = dt.datetime(1970, 1, 1)
_UTC_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
_MICROSECOND = dt.timedelta(microseconds=1)

# Substrait's short name -> (field of Type.kind, names of its parameters in the order they are
# written).
_KINDS: dict[str, tuple[str, tuple[str, ...]]] = {
    "bool": ("bool", ()),
    "i8": ("i8", ()),
    "i16": ("i16", ()),
    "i32": ("i32", ()),
    "i64": ("i64", ()),
    "fp32": ("fp32", ()),
    "fp64": ("fp64", ()),
    "str": ("string", ()),
    "string": ("string", ()),
    "binary": ("binary", ()),
    "date": ("date", ()),
    "iyear": ("interval_year", ()),
    "iday": ("interval_day", ("precision",)),
    "pt": ("precision_time", ("precision",)),
    "pts": ("precision_timestamp", ("precision",)),
    "ptstz": ("precision_timestamp_tz", ("precision",)),
    "dec": ("decimal", ("precision", "scale")),
    "fchar": ("fixed_char", ("length",)),
    "vchar": ("varchar", ("length",)),
    "fbin": ("fixed_binary", ("length",)),
    "uuid": ("uuid", ()),
}

# Parameters that may be left out.
_DEFAULTS = {"dec": (38, 0), "iday": (6,)}

# The types of extension files, each with the anchor that plans of ours declare it under.
USER_DEFINED = {name: i + 1 for i, name in enumerate(("u8", "u16", "u32", "u64", "geometry"))}

# What Spark holds a value of the type in, by the specification's type table. Types that have no
# single answer are absent.
_SPARK = {
    "bool": "boolean",
    "i8": "tinyint",
    "i16": "smallint",
    "i32": "int",
    "i64": "bigint",
    "fp32": "float",
    "fp64": "double",
    "string": "string",
    "binary": "binary",
    "date": "date",
    "precision_timestamp": "timestamp_ntz",
    "precision_timestamp_tz": "timestamp",
    "fixed_char": "string",
    "varchar": "string",
    "fixed_binary": "binary",
    "interval_year": "interval year to month",
    "interval_day": "interval day to second",
}


def type_of(text: str) -> pb.Type:
    """Parse the text form of a type; a ``?`` behind it, or behind its name, makes it nullable."""
    bare = text.removesuffix("?")
    name, _, rest = bare.partition("<")
    rest = rest.removesuffix(">")
    nullable = text.endswith("?") or name.endswith("?")
    name = name.removesuffix("?")
    out = pb.Type()
    kind: Any
    if name.startswith("u!"):
        kind = out.user_defined
        kind.type_reference = USER_DEFINED[name[2:]]
    elif name == "func":
        kind = out.func
        inputs, _, result = rest.partition("->")
        kind.parameter_types.extend(type_of(p) for p in _split(inputs.strip("() ")))
        kind.return_type.CopyFrom(type_of(result.strip()))
    elif name in ("struct", "list", "map"):
        kind = getattr(out, name)
        inner = [type_of(part) for part in _split(rest)]
        if name == "struct":
            kind.types.extend(inner)
        elif name == "list":
            kind.type.CopyFrom(inner[0])
        else:
            kind.key.CopyFrom(inner[0])
            kind.value.CopyFrom(inner[1])
    else:
        field, parameters = _KINDS[name]
        kind = getattr(out, field)
        values = [int(v) for v in rest.split(",")] if rest else _DEFAULTS.get(name, ())
        for parameter, value in zip(parameters, values, strict=True):
            setattr(kind, parameter, value)
    kind.nullability = pb.Type.NULLABILITY_NULLABLE if nullable else pb.Type.NULLABILITY_REQUIRED
    return out


def _split(text: str) -> list[str]:
    """Split at the commas outside angle brackets."""
    parts, depth = [""], 0
    for c in text:
        depth += (c == "<") - (c == ">")
        if c == "," and not depth:
            parts.append("")
        else:
            parts[-1] += c
    return [p for p in parts if p]


def _kind(t: pb.Type) -> Any:
    return getattr(t, str(t.WhichOneof("kind")))


def is_nullable(t: pb.Type) -> bool:
    """Whether a value of the type may be NULL."""
    return bool(_kind(t).nullability == pb.Type.NULLABILITY_NULLABLE)


def nullable(t: pb.Type, yes: bool = True) -> pb.Type:
    """Return the same type, nullable or required."""
    out = pb.Type()
    out.CopyFrom(t)
    _kind(out).nullability = pb.Type.NULLABILITY_NULLABLE if yes else pb.Type.NULLABILITY_REQUIRED
    return out


def spark_type(t: pb.Type, names: Iterable[str] = ()) -> str | None:
    """Spark's name for the type, or None where the specification's mapping leaves a choice.

    names: of the struct fields inside, depth first.
    """
    return _spark_type(t, iter(names))


def _spark_type(t: pb.Type, names: Iterator[str]) -> str | None:
    name = str(t.WhichOneof("kind"))
    if name == "decimal":
        return f"decimal({t.decimal.precision},{t.decimal.scale})"
    if name == "struct":
        fields = [f"{next(names, '?')}:{_spark_type(c, names)}" for c in t.struct.types]
        return f"struct<{','.join(fields)}>"
    if name == "list":
        return f"array<{_spark_type(t.list.type, names)}>"
    if name == "map":
        return f"map<{_spark_type(t.map.key, names)},{_spark_type(t.map.value, names)}>"
    return _SPARK.get(name)


_SHORT = {
    "string": "str",
    "interval_year": "iyear",
    "interval_day": "iday",
    "precision_time": "pt",
    "precision_timestamp": "pts",
    "precision_timestamp_tz": "ptstz",
    "decimal": "dec",
    "fixed_char": "fchar",
    "varchar": "vchar",
    "fixed_binary": "fbin",
}


def short_name(t: pb.Type) -> str:
    """Return the name that a compound function signature uses, such as ``str`` or ``dec``."""
    kind = str(t.WhichOneof("kind"))
    if kind == "user_defined":
        return "u!" + next(n for n, i in USER_DEFINED.items() if i == t.user_defined.type_reference)
    return _SHORT.get(kind, kind)


def literal(value: Any, t: pb.Type) -> pb.Expression.Literal:
    """Make a literal of the type from the Python value that a person would write; None is a typed NULL."""
    out = pb.Expression.Literal()
    if value is None:
        out.null.CopyFrom(nullable(t))
        return out
    out.nullable = is_nullable(t)
    match t.WhichOneof("kind"):
        case "bool":
            out.boolean = value
        case "struct":
            out.struct.SetInParent()
            out.struct.fields.extend(map(literal, value, t.struct.types))
        case "list" if not value:
            out.empty_list.CopyFrom(t.list)
        case "list":
            out.list.values.extend(literal(v, t.list.type) for v in value)
        case "map" if not value:
            out.empty_map.CopyFrom(t.map)
        case "map":
            for k, v in value.items():
                entry = out.map.key_values.add()
                entry.key.CopyFrom(literal(k, t.map.key))
                entry.value.CopyFrom(literal(v, t.map.value))
        case "i8" | "i16" | "i32" | "i64" | "fp32" | "fp64" | "string" | "fixed_char" as name:
            setattr(out, name, value)
        case "binary" | "fixed_binary" as name:
            setattr(out, name, value)
        case "varchar":
            out.var_char.value = value
            out.var_char.length = t.varchar.length
        case "uuid":
            out.uuid = uuid.UUID(value).bytes
        case "date":
            out.date = (value - dt.date(1970, 1, 1)).days
        case "decimal":
            with decimal.localcontext(prec=80):  # 28 digits, the default, would round
                digits = int(Decimal(value).scaleb(t.decimal.scale))
            out.decimal.value = digits.to_bytes(16, "little", signed=True)
            out.decimal.precision = t.decimal.precision
            out.decimal.scale = t.decimal.scale
        case "interval_year":
            years, months = value
            out.interval_year_to_month.years = years
            out.interval_year_to_month.months = months
        case "interval_day":
            days, seconds, subseconds = value
            out.interval_day_to_second.days = days
            out.interval_day_to_second.seconds = seconds
            out.interval_day_to_second.subseconds = subseconds
            out.interval_day_to_second.precision = t.interval_day.precision
        case "precision_timestamp" | "precision_timestamp_tz" as name:
            epoch = _UTC_EPOCH if name.endswith("tz") else _EPOCH
            precision = getattr(t, name).precision
            micros = (value - epoch) // _MICROSECOND
            units = micros * 10**precision // 10**6
            getattr(out, name).precision = precision
            getattr(out, name).value = units
        case "precision_time":
            out.precision_time.precision = t.precision_time.precision
            out.precision_time.value = _units(value, t.precision_time.precision)
        case "user_defined":
            out.user_defined.type_reference = t.user_defined.type_reference
            out.user_defined.struct.fields.add(string=value)
        case other:
            raise NotImplementedError(other)
    return out


def _units(value: dt.time, precision: int) -> int:
    """Return the time since midnight in units of the precision."""
    seconds = (value.hour * 60 + value.minute) * 60 + value.second
    micros: int = (seconds * 10**6 + value.microsecond) * 10**precision
    return micros // 10**6
