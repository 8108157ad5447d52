"""The types Spark gives its results, where they are not the ones the extension files promise.

Measured on Spark 4.3; decimals follow ``DecimalType.adjustPrecisionScale``
with allowPrecisionLoss on.
``None`` stands for an unknown type, and makes the result unknown.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from substrait_sql.schema import naming
from substrait_sql.schema import types as ty

MAX = 38
_INTS = {"i8": 3, "i16": 5, "i32": 10, "i64": 20}
_ORDER = ("i8", "i16", "i32", "i64")
_Rule = Callable[[Sequence[Any]], Any]
RULES: dict[str, _Rule] = {}


def _rule(function: _Rule) -> _Rule:
    RULES[function.__name__.strip("_")] = function
    return function


def adjust(precision: int, scale: int) -> tuple[int, int]:
    """What is left of a decimal that wants more than 38 digits.

    Whole digits first, but six after the point if it had them.
    """
    if precision <= MAX:
        return precision, scale
    whole = precision - scale
    return MAX, max(MAX - whole, min(scale, 6))


def bounded(precision: int, scale: int) -> tuple[int, int]:
    """A decimal cut to 38 digits with its scale kept."""
    return min(precision, MAX), min(scale, MAX)


def as_decimal(t: Any) -> tuple[int, int] | None:
    """Precision and scale of a decimal or of an integer beside one; None for anything else."""
    k = None if t is None else t.WhichOneof("kind")
    if k == "decimal":
        precision, scale = t.decimal.precision, t.decimal.scale
        # Of a decimal that does not exist nothing follows; it is refused where it stands.
        return (precision, scale) if 0 <= scale <= precision <= MAX else None
    return (_INTS[k], 0) if k in _INTS else None


def meet(types: Sequence[Any], *, short: bool = False) -> bool:
    """Whether one decimal holds all values of these types. Where none does Spark takes decimal places away, silently.

    short: literals may be written as short as they can be, those without decimal places as integers.
    """
    if "decimal" not in [ty.kind(t) for t in types]:
        return True
    sizes = [as_decimal(t) for t in types]
    if None in sizes:
        return True
    known = [size for size in sizes if size is not None]
    wholes = [_written(p) if short and not s else p - s for p, s in known]
    return max(wholes) + max(s for _, s in known) <= MAX


def _written(digits: int) -> int:
    """The digits that Spark reckons with for an integer of so many."""
    return next((p for p in (_INTS["i32"], _INTS["i64"]) if digits < p), digits)


def _some(types: Sequence[Any]) -> bool:
    return any(map(ty.nullable, types))


def _binary(types: Sequence[Any], formula: Callable[[int, int, int, int], tuple[int, int]]) -> Any:
    kinds = [ty.kind(t) for t in types[:2]]
    if None in kinds:
        return None
    if "decimal" not in kinds or "fp32" in kinds or "fp64" in kinds:
        return widest(types[:2])
    a, b = as_decimal(types[0]), as_decimal(types[1])
    if a is None or b is None:
        return None
    return ty.decimal(*formula(*a, *b), nullable=_some(types[:2]))


@_rule
def widest(types: Sequence[Any]) -> Any:
    """The common type of numbers under an operator.

    Integers widen, anything beside a float of another kind is a double.
    """
    kinds = [ty.kind(t) for t in types]
    nullable = _some(types)
    if None in kinds:
        return None
    if all(k in _INTS for k in kinds):
        top = max(_ORDER.index(str(k)) for k in kinds)
        return getattr(ty, _ORDER[top])(nullable=nullable)
    if all(k == "fp32" for k in kinds):
        return ty.fp32(nullable=nullable)
    if all(k in _INTS or k in ("fp32", "fp64", "decimal") for k in kinds) and not {
        "fp32",
        "fp64",
    }.isdisjoint(kinds):
        return ty.fp64(nullable=nullable)
    if "decimal" in kinds and all(k in _INTS or k == "decimal" for k in kinds):
        sizes = [as_decimal(t) or (MAX, 0) for t in types]
        scale = max(s for _, s in sizes)
        return ty.decimal(*bounded(max(p - s for p, s in sizes) + scale, scale), nullable=nullable)
    same = all(ty.same(types[0], t) for t in types[1:])
    return ty.with_nullability(types[0], nullable) if same else None


@_rule
def add(types: Sequence[Any]) -> Any:
    """``+`` and ``-``."""

    def formula(p1: int, s1: int, p2: int, s2: int) -> tuple[int, int]:
        scale = max(s1, s2)
        return adjust(max(p1 - s1, p2 - s2) + scale + 1, scale)

    return _binary(types, formula)


@_rule
def multiply(types: Sequence[Any]) -> Any:
    """``*``."""
    return _binary(types, lambda p1, s1, p2, s2: adjust(p1 + p2 + 1, s1 + s2))


@_rule
def divide(types: Sequence[Any]) -> Any:
    """``/``: a double unless a decimal takes part."""

    def formula(p1: int, s1: int, p2: int, s2: int) -> tuple[int, int]:
        scale = max(6, s1 + p2 + 1)
        return adjust(p1 - s1 + s2 + scale, scale)

    if any(ty.kind(t) == "decimal" for t in types[:2]):
        return _binary(types, formula)
    return ty.fp64(nullable=_some(types))


@_rule
def modulus(types: Sequence[Any]) -> Any:
    """``%``."""

    def formula(p1: int, s1: int, p2: int, s2: int) -> tuple[int, int]:
        scale = max(s1, s2)
        return adjust(min(p1 - s1, p2 - s2) + scale, scale)

    return _binary(types, formula)


@_rule
def sum_(types: Sequence[Any]) -> Any:
    """``sum``: BIGINT for integers, DOUBLE for floats, ten digits more for decimals."""
    match ty.kind(types[0]):
        case "i8" | "i16" | "i32" | "i64":
            return ty.i64(nullable=True)
        case "fp32" | "fp64" | "string":
            return ty.fp64(nullable=True)
        case "decimal":
            p, s = ty.parameters(types[0])
            return ty.decimal(*bounded(p + 10, s), nullable=True)
        case "interval_day" | "interval_year":
            return ty.with_nullability(types[0], True)
    return None


@_rule
def sum0(types: Sequence[Any]) -> Any:
    """``coalesce(sum(x), 0)``."""
    return ty.with_nullability(sum_(types), False)


@_rule
def avg(types: Sequence[Any]) -> Any:
    """``avg``: DOUBLE, and four digits more on both sides for decimals."""
    match ty.kind(types[0]):
        case "decimal":
            p, s = ty.parameters(types[0])
            return ty.decimal(*bounded(p + 4, s + 4), nullable=True)
        case "interval_day" | "interval_year":
            return ty.with_nullability(types[0], True)
        case None:
            return None
    return ty.fp64(nullable=True)


@_rule
def whole(types: Sequence[Any]) -> Any:
    """``ceil`` and ``floor`` of a decimal: a digit more, where there is anything to cut off.

    BIGINT for the rest.
    """
    if ty.kind(types[0]) == "decimal":
        p, s = ty.parameters(types[0])
        return ty.decimal(*bounded(p - s + (1 if s else 0), 0), nullable=ty.nullable(types[0]))
    return ty.i64(nullable=_some(types)) if types[0] is not None else None


@_rule
def element(types: Sequence[Any]) -> Any:
    """The element of a list."""
    return ty.with_nullability(types[0].list.type, True) if ty.kind(types[0]) == "list" else None


@_rule
def part(types: Sequence[Any]) -> Any:
    """The element of a list, the value of a map."""
    if ty.kind(types[0]) == "map":
        return ty.with_nullability(types[0].map.value, True)
    return element(types)


@_rule
def alike(types: Sequence[Any]) -> Any:
    """The first argument's, where the structs in the others have the same fields."""
    inside = [_innermost(t) for t in types if t is not None and ty.holds(t, "struct")]
    return types[0] if all(naming.alike(t, inside[0]) for t in inside[1:]) else None


def _innermost(kind: Any) -> Any:
    return kind.list.type if ty.kind(kind) == "list" else kind


@_rule
def keys(types: Sequence[Any]) -> Any:
    """A list of the keys of a map."""
    return ty.list_(types[0].map.key) if ty.kind(types[0]) == "map" else None


@_rule
def values(types: Sequence[Any]) -> Any:
    """A list of the values of a map."""
    return ty.list_(types[0].map.value) if ty.kind(types[0]) == "map" else None


@_rule
def list_of(types: Sequence[Any]) -> Any:
    """A list of the argument's type, as ``collect_list`` makes it: NULL never gets in."""
    return None if types[0] is None else ty.list_(types[0])


@_rule
def collected(types: Sequence[Any]) -> Any:
    """A list of the argument's values that are not NULL."""
    return None if types[0] is None else ty.list_(ty.with_nullability(types[0], False))


@_rule
def mapped(types: Sequence[Any]) -> Any:
    """A list of what the lambda makes of each element of the first argument."""
    inside = ty.children(types[1]) if len(types) > 1 and types[1] is not None else ()
    return ty.list_(inside[-1], nullable=ty.nullable(types[0])) if inside else None


@_rule
def best(types: Sequence[Any]) -> Any:
    """Spark's ``max_by`` and ``min_by``: one of the first argument's values, a list of them where a number is given."""
    if types[0] is None:
        return None
    value = ty.with_nullability(types[0], True)
    return ty.with_nullability(ty.list_(value), True) if len(types) > 2 else value


@_rule
def u64(types: Sequence[Any]) -> Any:
    """The unsigned integer of 64 bits."""
    return ty.user_defined("u64", nullable=_some(types))


def resolve(text: str, types: Sequence[Any], *, mirror: bool = True) -> Any:
    """The type a mapping's ``returns`` means.

    text: ``arg0`` (the type of that argument), the name of a rule above, or a type such as ``i64``,
    ``decimal<38,0>``, ``fp64?``.
    mirror: without ``?`` the result is nullable if an argument is, as for scalar functions;
    otherwise it is required.
    """
    mark, name, index, rule = _parts(text)
    if rule is None and index is None:
        return written(name, nullable=mark or (mirror and _some(types)))
    if rule is not None:
        found = rule(types) if types else None
    else:
        found = types[index] if index is not None and index < len(types) else None
    return ty.with_nullability(found, True) if mark and found is not None else found


@cache
def _parts(text: str) -> tuple[bool, str, int | None, _Rule | None]:
    """Of a ``returns``: whether there is a question mark, the name, which argument that is, and which rule."""
    name = text.rstrip("?")
    index = int(name[3:]) if name.startswith("arg") else None
    return text.endswith("?"), name, index, RULES.get(name)


@cache
def may_be_decimal(text: str) -> bool:
    """Whether what `resolve` makes of this is a decimal for some arguments."""
    _, name, index, rule = _parts(text)
    return rule is not None or index is not None or name.startswith("decimal")


def is_known(text: str) -> bool:
    """Whether `resolve` can read this."""
    name = text.rstrip("?")
    if re.fullmatch(r"arg\d+", name) or name in RULES:
        return True
    try:
        written(name)
    except (ValueError, TypeError):
        return False
    return True


_WRITTEN = re.compile(r"(\w+)(?:<([\d, ]+)>)?$")
_MAKERS: dict[str, Callable[..., Any]] = {
    name: getattr(ty, name)
    for name in (
        *("boolean", "i8", "i16", "i32", "i64", "fp32", "fp64", "string", "binary", "date"),
        *("decimal", "interval_year", "interval_day"),
        *("precision_time", "precision_timestamp", "precision_timestamp_tz"),
    )
}


@cache
def written(text: str, *, nullable: bool = False) -> Any:
    """A type from its text, for those a mapping names: ``i64``, ``decimal<38,0>``."""
    found = _WRITTEN.match(text)
    if found is None or found[1] not in _MAKERS:
        raise ValueError(f"no type is written {text!r}")
    numbers = [int(n) for n in found[2].split(",")] if found[2] else []
    return _MAKERS[found[1]](*numbers, nullable=nullable)
