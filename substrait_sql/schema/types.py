"""Substrait types as the protobuf has them: what they are called, how they compare, how they are made.

Everything here works on messages of the shape of ``substrait.Type``, whichever protobuf class they are of. Messages
are values: no function changes the one it is given, and types that are made here are shared, so nobody else may change
them either.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

NULLABLE, REQUIRED = 1, 2
MICROS = 6

# The names that signatures use (`add:i64_i64`), https://substrait.io/extensions/#function-
# signature-compound-names
SHORT: Mapping[str, str] = {
    "bool": "bool", "i8": "i8", "i16": "i16", "i32": "i32", "i64": "i64", "fp32": "fp32",
    "fp64": "fp64", "string": "str", "binary": "vbin", "date": "date", "interval_year": "iyear",
    "interval_day": "iday", "interval_compound": "icompound", "uuid": "uuid", "fixed_char": "fchar",
    "varchar": "vchar", "fixed_binary": "fbin", "decimal": "dec", "precision_time": "pt",
    "precision_timestamp": "pts", "precision_timestamp_tz": "ptstz", "struct": "struct",
    "list": "list", "map": "map", "func": "func",
}  # fmt: skip

# Those of which there is but one, with NULL and without.
_MERE = frozenset(
    ["bool", "i8", "i16", "i32", "i64", "fp32", "fp64", "string", "binary", "date", "interval_year", "uuid"]
)  # fmt: skip
# Those that hold others.
NESTED = frozenset({"struct", "list", "map", "func"})
_SPELLED = {"bool": "boolean", "fixed_char": "fixedchar", "fixed_binary": "fixedbinary"}
# The least length of the types that have one. DuckDB writes varchar<0> for text of any length.
LENGTHS: Mapping[str, int] = {"fixed_char": 1, "varchar": 0, "fixed_binary": 1}
_PRECISION = frozenset(
    ("precision_time", "precision_timestamp", "precision_timestamp_tz", "interval_compound")
)


@cache
def _type() -> Any:
    from substrait_sql.wire.descriptors import message

    return message("Type")


def kind(t: Any) -> str | None:
    """The member of ``Type.kind`` that is set, None for an empty or missing type."""
    if t is None:
        return None
    found: str | None = t.WhichOneof("kind")
    return found


def short(t: Any, names: Mapping[int, str] | None = None) -> str:
    """The name a signature uses for this type.

    ``i32``, ``str``, ``dec``, ``u!point``; ``any`` for an unknown one.

    ``names`` maps the anchors of user-defined types to their names.
    """
    k = kind(t)
    if k is None or k in ("unbound", "alias"):
        return "any"
    if k == "user_defined":
        anchor = t.user_defined.type_reference
        return "u!" + (t.user_defined.sql_name or (names or {}).get(anchor, str(anchor)))
    return SHORT[k]


def nullable(t: Any) -> bool:
    """Whether the type holds NULL.

    An unspecified nullability counts as nullable, the lenient reading.
    """
    k = None if t is None else t.WhichOneof("kind")
    if k is None or k == "unbound":
        return True
    return bool(getattr(t, k).nullability != REQUIRED)


def with_nullability(t: Any, value: bool) -> Any:
    """The type with its outer nullability set; the very same object where it already is."""
    k = kind(t)
    if k is None or k == "unbound":
        return t
    wanted = NULLABLE if value else REQUIRED
    if getattr(t, k).nullability == wanted:
        return t
    out = type(t)()
    out.CopyFrom(t)
    getattr(out, k).nullability = wanted
    return out


def parameters(t: Any) -> tuple[int, ...]:
    """The numbers that belong to a type.

    ``(precision, scale)`` of a decimal, the length or precision of others.
    """
    k = None if t is None else t.WhichOneof("kind")
    if k == "decimal":
        return (t.decimal.precision, t.decimal.scale)
    if k is not None and k in LENGTHS:
        return (getattr(t, k).length,)
    if k in _PRECISION or k == "interval_day":
        return (getattr(t, k).precision,)
    return ()


def children(t: Any) -> Sequence[Any]:
    """The types inside a struct, list, map or function type, in order.

    A function's result comes last.
    """
    match kind(t):
        case "struct":
            found: Sequence[Any] = t.struct.types
            return found
        case "list":
            return (t.list.type,)
        case "map":
            return (t.map.key, t.map.value)
        case "func":
            return (*t.func.parameter_types, t.func.return_type)
    return ()


def holds(t: Any, wanted: str) -> bool:
    """Whether the type is of this kind, or a type inside it is."""
    k = kind(t)
    return k == wanted or (k in NESTED and any(holds(c, wanted) for c in children(t)))


def text(t: Any) -> str:
    """The type as a person writes it: ``decimal?<15,2>``, ``struct<i64, string?>``."""
    k = kind(t)
    if k is None:
        return "unknown"
    mark = "?" if k != "unbound" and getattr(t, k).nullability == NULLABLE else ""
    if k == "user_defined":
        return f"{short(t)}{mark}"
    if k == "func":
        *inputs, output = map(text, children(t))
        return f"func{mark}<({', '.join(inputs)}) -> {output}>"
    inner = [text(c) for c in children(t)] if k in NESTED else []
    numbers = ",".join(map(str, parameters(t)))
    body = f"<{', '.join(inner)}>" if inner or k == "struct" else f"<{numbers}>" if numbers else ""
    return _SPELLED.get(k, k) + mark + body


def same(a: Any, b: Any, *, outer: bool = False) -> bool:
    """Equal types.

    Outer nullability counts only with ``outer``, inner nullability always, type variations never.
    The field names of structs count where they are known (`schema.naming`).
    """
    if a is b:
        return True
    k = kind(a)
    if k != kind(b) or (outer and nullable(a) != nullable(b)):
        return False
    if k in _MERE:
        return True
    if parameters(a) != parameters(b) or (k == "struct" and names(a) != names(b)):
        return False
    if k == "user_defined":
        return short(a) == short(b)
    left, right = children(a), children(b)
    return len(left) == len(right) and all(
        same(x, y, outer=True) for x, y in zip(left, right, strict=True)
    )


def names(t: Any) -> list[str]:
    """The names of a struct's fields, where they are known."""
    return list(getattr(t.struct, "sql_names", ()))


def coarser(a: Any, b: Any) -> bool:
    """Whether ``b`` only has more decimal places of a second than ``a``: every value of ``a`` is one of ``b``."""
    k = kind(a)
    if k != kind(b) or not (k in _PRECISION or k == "interval_day"):
        return False
    return parameters(a)[0] <= parameters(b)[0]


def to_micros(t: Any) -> Any:
    """A type of time as fine as Spark's; any other as it is."""
    k = kind(t)
    if not (k in _PRECISION or k == "interval_day") or parameters(t)[0] <= MICROS:
        return t
    out = type(t)()
    out.CopyFrom(t)
    getattr(out, k or "").precision = MICROS
    return out


def same_value(a: Any, b: Any) -> bool:
    """Equal as far as values go.

    As `same`, and decimals of one scale are equal whatever their precision.
    """
    if kind(a) == "decimal" and kind(b) == "decimal":
        return bool(a.decimal.scale == b.decimal.scale)
    return same(a, b)


def field_count(t: Any) -> int:
    """How many names a field of this type takes, depth first.

    Its own and those of the struct fields inside it.

    The rule of ``RelRoot.names`` and ``NamedStruct.names``: a map's key comes before its
    value.
    """
    return 1 + inner_names(t)


def inner_names(t: Any) -> int:
    """The names that the struct fields inside a type take; 0 for a type that holds no struct."""
    match kind(t):
        case "struct":
            return sum(field_count(c) for c in t.struct.types)
        case "list" | "map":
            return sum(inner_names(c) for c in children(t))
    return 0


def _make(field: str, nullable: bool, **values: Any) -> Any:
    out = _type()()
    part = getattr(out, field)
    part.nullability = NULLABLE if nullable else REQUIRED
    for name, value in values.items():
        setattr(part, name, value)
    return out


def unknown() -> Any:
    """A type of no kind yet, to be filled in by the caller."""
    return _type()()


@cache
def boolean(*, nullable: bool = False) -> Any:
    """``boolean``."""
    return _make("bool", nullable)


@cache
def i8(*, nullable: bool = False) -> Any:
    """``i8``."""
    return _make("i8", nullable)


@cache
def i16(*, nullable: bool = False) -> Any:
    """``i16``."""
    return _make("i16", nullable)


@cache
def i32(*, nullable: bool = False) -> Any:
    """``i32``."""
    return _make("i32", nullable)


@cache
def i64(*, nullable: bool = False) -> Any:
    """``i64``."""
    return _make("i64", nullable)


@cache
def fp32(*, nullable: bool = False) -> Any:
    """``fp32``."""
    return _make("fp32", nullable)


@cache
def fp64(*, nullable: bool = False) -> Any:
    """``fp64``."""
    return _make("fp64", nullable)


@cache
def string(*, nullable: bool = False) -> Any:
    """``string``."""
    return _make("string", nullable)


@cache
def binary(*, nullable: bool = False) -> Any:
    """``binary``."""
    return _make("binary", nullable)


@cache
def date(*, nullable: bool = False) -> Any:
    """``date``."""
    return _make("date", nullable)


@cache
def uuid(*, nullable: bool = False) -> Any:
    """``uuid``."""
    return _make("uuid", nullable)


@cache
def interval_year(*, nullable: bool = False) -> Any:
    """``interval_year``."""
    return _make("interval_year", nullable)


@cache
def interval_day(precision: int = 6, *, nullable: bool = False) -> Any:
    """``interval_day<precision>``."""
    return _make("interval_day", nullable, precision=precision)


@cache
def interval_compound(precision: int = 6, *, nullable: bool = False) -> Any:
    """``interval_compound<precision>``."""
    return _make("interval_compound", nullable, precision=precision)


@cache
def decimal(precision: int, scale: int, *, nullable: bool = False) -> Any:
    """``decimal<precision, scale>``."""
    return _make("decimal", nullable, precision=precision, scale=scale)


@cache
def varchar(length: int, *, nullable: bool = False) -> Any:
    """``varchar<length>``."""
    return _make("varchar", nullable, length=length)


@cache
def fixed_char(length: int, *, nullable: bool = False) -> Any:
    """``fixedchar<length>``."""
    return _make("fixed_char", nullable, length=length)


@cache
def fixed_binary(length: int, *, nullable: bool = False) -> Any:
    """``fixedbinary<length>``."""
    return _make("fixed_binary", nullable, length=length)


@cache
def precision_time(precision: int = 6, *, nullable: bool = False) -> Any:
    """``precision_time<precision>``."""
    return _make("precision_time", nullable, precision=precision)


@cache
def precision_timestamp(precision: int = 6, *, nullable: bool = False) -> Any:
    """``precision_timestamp<precision>``."""
    return _make("precision_timestamp", nullable, precision=precision)


@cache
def precision_timestamp_tz(precision: int = 6, *, nullable: bool = False) -> Any:
    """``precision_timestamp_tz<precision>``."""
    return _make("precision_timestamp_tz", nullable, precision=precision)


@cache
def user_defined(name: str, *, nullable: bool = False) -> Any:
    """``u!name``: a type of an extension file of Substrait's own."""
    return _make("user_defined", nullable, sql_name=name)


def struct(types: Sequence[Any], *, nullable: bool = False) -> Any:
    """``struct<types…>``."""
    out = _make("struct", nullable)
    out.struct.types.extend(types)
    return out


def list_(element: Any, *, nullable: bool = False) -> Any:
    """``list<element>``."""
    out = _make("list", nullable)
    out.list.type.CopyFrom(element)
    return out


def map_(key: Any, value: Any, *, nullable: bool = False) -> Any:
    """``map<key, value>``."""
    out = _make("map", nullable)
    out.map.key.CopyFrom(key)
    out.map.value.CopyFrom(value)
    return out
