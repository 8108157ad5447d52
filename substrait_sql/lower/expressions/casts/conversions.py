"""What a cast from one type to another is in Spark SQL: `convert`, by pairs of families of types.

The specification says which values a type has, not what becomes of a value under another type. Here a value is kept
where the other type has it; a number loses what stands after the point, a time the digits that are too many, text what
is longer than its type; a value that the other type has nothing for fails, or is NULL where the plan says so. What has
no such meaning that all would agree on (a number as a day, an interval as text) is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.dialect.operators import call
from substrait_sql.dialect.template import Template
from substrait_sql.errors import refuse
from substrait_sql.lower import kinds
from substrait_sql.schema import types

if TYPE_CHECKING:
    from substrait_sql.lower.context import Context
    from substrait_sql.wire.path import Path


@dataclass(frozen=True)
class Conversion:
    """From one type to another. or_null: what cannot be converted becomes NULL.

    source: as declared; of a struct, list or map as Spark has it, whose fields have other names.
    finite: the value is known to be neither NaN nor infinite. number: what it is, if it is a constant
    of fp64 that is neither.
    """

    source: Any
    target: Any
    or_null: bool
    cx: Context
    path: Path
    finite: bool = False
    number: float | None = None

    def of(self, source: Any, target: Any) -> Conversion:
        """The conversion of a part."""
        return replace(self, source=source, target=target, finite=False, number=None)


Rule = Callable[[exp.Expression, Conversion], exp.Expression]

_FAMILIES = {
    "bool": "number",
    **dict.fromkeys(("i8", "i16", "i32", "i64"), "integer"),
    **dict.fromkeys(("fp32", "fp64"), "float"),
    "decimal": "decimal",
    **dict.fromkeys(("string", "varchar", "fixed_char"), "text"),
    **dict.fromkeys(("binary", "fixed_binary"), "bytes"),
}
_UNSIGNED = {"u8": 8, "u16": 16, "u32": 32, "u64": 64}
_NUMBERS = ("number", "integer", "float", "decimal", "unsigned")


def family(type: Any) -> str:
    """What decides how a type is converted: several kinds may be of one family."""
    kind = types.kind(type) or ""
    if kind == "user_defined":
        return "unsigned" if type.user_defined.sql_name in _UNSIGNED else kind
    return _FAMILIES.get(kind, kind)


def convert(node: exp.Expression, c: Conversion) -> exp.Expression:
    """The value under the other type; the node itself where that changes nothing. Raises SS2139 and `TooLong`."""
    if types.same(c.source, c.target):
        return node
    families = family(c.source), family(c.target)
    if families not in _RULES:
        kinds.register()
    rule = _RULES.get(families)
    if rule is None:
        raise refuse(
            "SS2139",
            f"a cast of {types.text(c.source)} to {types.text(c.target)} is not defined",
            c.path,
            "convert the value with functions that say how",
        )
    return rule(node, c)


def cast_to(node: exp.Expression, c: Conversion, type: exp.Expression) -> exp.Expression:
    """CAST, or TRY_CAST, to a type of Spark."""
    if c.or_null:
        return exp.TryCast(this=node, to=type, safe=True)
    return exp.Cast(this=node, to=type)


def plain(node: exp.Expression, c: Conversion) -> exp.Expression:
    """Spark's own CAST, or TRY_CAST."""
    return cast_to(node, c, c.cx.type_node(c.target, c.path))


# --- numbers --------------------------------------------------------------------------------------


def _decimal_to_decimal(node: exp.Expression, c: Conversion) -> exp.Expression:
    """Spark rounds, half away from zero; where the producer cuts, the places that are too many go first."""
    kept = types.parameters(c.target)[1]
    if _cuts(types.parameters(c.source), types.parameters(c.target), c.cx.habits.cuts_decimals):
        unit = f"0.{'1':>0{kept}}" if kept else "1BD"
        node = Template(f":x - :x % {unit}", ["x"]).build([node])
    return plain(node, c)


def _cuts(source: tuple[int, ...], target: tuple[int, ...], which: str) -> bool:
    """Whether places are cut off. which: see `Habits.cuts_decimals`."""
    lost = source[1] - target[1]
    return lost > 0 and (which == "all" or (which == "narrower" and target[0] + lost <= source[0]))


def _to_unsigned(node: exp.Expression, c: Conversion) -> exp.Expression:
    """Spark's type is one step wider, so the range is looked at."""
    name = c.target.user_defined.sql_name
    most = (1 << _UNSIGNED[name]) - 1
    held = c.cx.dialect.sql_type(c.target, c.path)
    source = family(c.source)
    if source == "number" or (source == "unsigned" and _bits(c.source) < _bits(c.target)):
        return plain(node, c)
    value, inside, outside = (
        f"CAST(:x AS {held})",
        f":x BETWEEN 0 AND {most}",
        f":x NOT BETWEEN 0 AND {most}",
    )
    if source in ("float", "decimal"):
        # What stands after the point does not count. NaN is greater than any number.
        inside, outside = f":x > -1 AND :x < {most + 1}", f":x <= -1 OR :x >= {most + 1}"
        if name == "u64":
            value = _U64_OF_FLOAT if source == "float" else _U64_OF_DECIMAL
    elif source == "text" and name == "u64":
        inside = (
            f":x RLIKE '^ *[+]?[0-9]+ *$' AND TRY_CAST(:x AS DECIMAL(38, 0)) BETWEEN 0 AND {most}"
        )
        outside = f"NOT coalesce({inside}, :x IS NULL)"
    elif source == "text":
        node = cast_to(node, c, c.cx.type_node(types.i64(), c.path))
    return _checked(node, c, value, inside, outside, f"{name} out of range")


# Spark rounds what it casts to a decimal, and takes the shortest digits of a float.
_U64_OF_DECIMAL = "CAST(CASE WHEN :x < 0 THEN 0 ELSE floor(:x) END AS DECIMAL(20, 0))"
_HALF = "9223372036854775808"
_U64_OF_FLOAT = (
    f"CASE WHEN :x < {_HALF} THEN CAST(CAST(:x AS BIGINT) AS DECIMAL(20, 0)) "
    f"ELSE CAST(CAST(:x - CAST({_HALF} AS DOUBLE) AS BIGINT) + {_HALF} AS DECIMAL(20, 0)) END"
)


def _bits(type: Any) -> int:
    return _UNSIGNED[type.user_defined.sql_name]


def _checked(
    node: exp.Expression, c: Conversion, value: str, inside: str, outside: str, message: str
) -> exp.Expression:
    """A value of which some are not of the type: `inside` and `outside` say which. NULL is neither."""
    if c.or_null:
        text = f"CASE WHEN {inside} THEN {value} END"
    else:
        text = f"CASE WHEN {outside} THEN raise_error('{message}') ELSE {value} END"
    return Template(text, ["x"]).build([node])


# --- text and bytes -------------------------------------------------------------------------------

# The longest text of a value.
_LONGEST = {
    "bool": 5, "i8": 4, "i16": 6, "i32": 11, "i64": 20, "uuid": 36,
}  # fmt: skip


def _to_text(node: exp.Expression, c: Conversion) -> exp.Expression:
    """As Spark writes it."""
    string = c.cx.type_node(types.string(), c.path)
    if family(c.source) == "bytes" and not c.cx.habits.bytes_are_text:
        check = "try_validate_utf8" if c.or_null else "validate_utf8"
        node = call(check, exp.Cast(this=node, to=string))
    elif family(c.source) not in ("text", "uuid"):
        node = exp.Cast(this=node, to=string)
    return shortened(node, c.target, _longest(c.source))


def _longest(type: Any) -> int | None:
    match family(type):
        case "text":
            return _length(type)
        case "decimal":
            return int(type.decimal.precision) + 3
        case "unsigned":
            return 20
    return _LONGEST.get(types.kind(type) or "")


def shortened(node: exp.Expression, target: Any, longest: int | None) -> exp.Expression:
    """Cut to the length of the target, which Spark's own cast to VARCHAR(n) does not do.

    Fixed-length text is held without its padding, as files and other engines hand it over. longest: how long the text
    can be, if that is known.
    """
    limit = _length(target)
    if limit is not None and (longest is None or longest > limit):
        return call("left", node, exp.Literal.number(limit))
    return node


def _length(type: Any) -> int | None:
    return None if types.kind(type) in ("string", "binary") else types.parameters(type)[0]


def _to_bytes(node: exp.Expression, c: Conversion) -> exp.Expression:
    """Text as UTF-8. Of a fixed length what is longer is cut, what is shorter is filled with zeros."""
    if family(c.source) == "text":
        node = exp.Cast(this=node, to=c.cx.type_node(types.binary(), c.path))
    elif family(c.source) == "uuid":
        node = Template("unhex(replace(:x, '-', ''))", ["x"]).build([node])
    held = {"uuid": 16, "fixed_binary": _length(c.source) if family(c.source) == "bytes" else None}
    length = _length(c.target)
    if length is None or held.get(types.kind(c.source) or "") == length:
        return node
    return call("rpad", node, exp.Literal.number(length), exp.Var(this="X'00'"))


_UUID = "'^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$'"
_GROUPS = "'(.{8})(.{4})(.{4})(.{4})(.{12})', '$1-$2-$3-$4-$5'"


def _text_to_uuid(node: exp.Expression, c: Conversion) -> exp.Expression:
    inside = f":x RLIKE {_UUID}"
    return _checked(node, c, "lower(:x)", inside, f"NOT {inside}", "not a UUID")


def _bytes_to_uuid(node: exp.Expression, c: Conversion) -> exp.Expression:
    value = f"lower(regexp_replace(hex(:x), {_GROUPS}))"
    if _length(c.source) == 16:
        return Template(value, ["x"]).build([node])
    length = "octet_length(:x)"
    return _checked(node, c, value, f"{length} = 16", f"{length} <> 16", "not a UUID")


# --- all of them ----------------------------------------------------------------------------------

# One changes nothing, the others have rules of their own.
_NOT_PLAIN = (("number", "number"), ("float", "decimal"), ("decimal", "decimal"))
_RULES: dict[tuple[str, str], Rule] = {
    **{(a, b): plain for a in (*_NUMBERS, "text") for b in _NUMBERS if (a, b) not in _NOT_PLAIN},
    ("decimal", "decimal"): _decimal_to_decimal,
    **{(a, "unsigned"): _to_unsigned for a in (*_NUMBERS, "text")},
    **{(a, "text"): _to_text for a in (*_NUMBERS, "text", "bytes", "uuid") if a != "float"},
    **{(a, "bytes"): _to_bytes for a in ("text", "bytes", "uuid")},
    ("text", "uuid"): _text_to_uuid,
    ("bytes", "uuid"): _bytes_to_uuid,
    ("text", "interval_year"): plain,
}


def rule(source: str, target: str) -> Callable[[Rule], Rule]:
    """Registers the function for a pair of families."""

    def register(function: Rule) -> Rule:
        _RULES[source, target] = function
        return function

    return register


def pairs() -> frozenset[tuple[str, str]]:
    """The pairs of families that have a conversion."""
    kinds.register()
    return frozenset(_RULES)
