"""https://substrait.io/expressions/literals/: what a value looks like in Spark SQL, and of what type it then is."""

from __future__ import annotations

import math
import uuid
from collections.abc import Callable
from decimal import Decimal, localcontext
from typing import Any

from sqlglot import exp

from substrait_sql.dialect.operators import INTEGER_SUFFIXES, call, cast
from substrait_sql.dialect.strings import string_literal
from substrait_sql.errors import invalid, refuse
from substrait_sql.lower import expressions, kinds
from substrait_sql.lower.context import Env
from substrait_sql.lower.expression import lowers
from substrait_sql.lower.value import Value
from substrait_sql.schema import naming, types
from substrait_sql.schema.unsigned import held
from substrait_sql.schema.user_defined import NULL
from substrait_sql.wire.path import Path

_BITS = {"i8": 8, "i16": 16, "i32": 32, "i64": 64}

Maker = Callable[[Any, Env, Path], Value]


@lowers("literal")
def literal(message: Any, env: Env, path: Path) -> Value:
    """A literal in its plainest form; its ``sql_type`` says where that form is of another type than the declared."""
    kind = message.WhichOneof("literal_type")
    maker = _MAKERS.get(kind) or kinds.find(kind, _MAKERS, expressions)
    if maker is None:
        if kind is None:
            raise invalid("SS2131", "the literal is empty: none of its types is set", path)
        raise refuse("SS2132", f"{kind} literals have no SQL yet", path)
    value = maker(message, env, path)
    value.literal = message
    return value


def makes(kind: str) -> Callable[[Maker], Maker]:
    """Registers the function for a member of ``Literal.literal_type``."""

    def register(function: Maker) -> Maker:
        _MAKERS[kind] = function
        return function

    return register


def supported() -> frozenset[str]:
    """The members of ``Literal.literal_type`` that have a form in SQL."""
    kinds.register()
    return frozenset(_MAKERS)


def exact_literal(message: Any, env: Env, path: Path) -> exp.Expression:
    """The literal in a form that is of exactly its declared type wherever it stands."""
    return exact_form(literal(message, env, path), env, path)


def exact_form(value: Value, env: Env, path: Path) -> exp.Expression:
    """What `exact_literal` gives, of the value that `literal` has made of a message: nested ones are lowered once."""
    kind = value.literal.WhichOneof("literal_type")
    if kind in INTEGER_SUFFIXES and not value.literal.type_variation_reference:
        return exp.Var(this=f"{getattr(value.literal, kind)}{INTEGER_SUFFIXES[kind]}")
    if value.sql_type is None or types.same(value.sql_type, value.type):
        return value.sql
    return cast(value.sql, env.context.type_node(value.type, path))


def integer_as(message: Any, target: Any) -> Value | None:
    """A cast of an integer literal to a wider number, as the number itself; None where it is not that."""
    kind = message.WhichOneof("literal_type")
    if kind not in _BITS:
        return None
    if message.type_variation_reference:
        return None
    number = getattr(message, kind)
    wanted = types.kind(target)
    if wanted in _BITS and _in_range(number, wanted):
        fresh = type(message)(**{wanted: number}, nullable=types.nullable(target))
        return _integer(fresh, number, wanted, target)
    if wanted == "decimal":
        digits = len(str(abs(number)))
        if digits <= target.decimal.precision - target.decimal.scale:
            return Value(number_node(str(number)), target, types.decimal(digits, 0), "")
    return None


def _in_range(number: int, kind: str) -> bool:
    return -(1 << (_BITS[kind] - 1)) <= number < 1 << (_BITS[kind] - 1)


def number_node(text: str) -> exp.Expression:
    """A number; a negative one stays one token, so that no operator can make a comment of its sign."""
    return exp.Literal(this=text, is_string=False)


def _integer(message: Any, number: int, kind: str, type: Any) -> Value:
    """An integer as it is written by hand. Spark reads it as INT, or BIGINT beyond."""
    natural = types.i32() if -(1 << 31) <= number < 1 << 31 else types.i64()
    sql_type = None if types.kind(natural) == kind else natural
    return Value(number_node(str(number)), type, sql_type, "", message)


def _make_integer(kind: str) -> Maker:
    def make(message: Any, env: Env, path: Path) -> Value:
        type = getattr(types, kind)(nullable=message.nullable)
        number = getattr(message, kind)
        if message.type_variation_reference == 1 and env.context.habits.unsigned_by_variation:
            return _unsigned(message, number, kind, type)
        if not _in_range(number, kind):  # The field in the message is wider.
            raise invalid("SS2143", f"{number} is outside the range of {kind}", path)
        return _integer(message, number, kind, type)

    return make


def _unsigned(message: Any, number: int, kind: str, type: Any) -> Value:
    """DataFusion writes unsigned numbers under a variation of the type, those of the upper half as negative ones.

    Spark's types are one step wider, and of u64 it is a decimal; a number that stands by itself is INT, or longer.
    """
    number %= 1 << _BITS[kind]
    value = _integer(message, number, kind, type)
    value.type = types.user_defined(f"u{kind[1:]}", nullable=message.nullable)
    natural = types.i32() if number < 1 << 31 else types.i64()
    value.sql_type = None if number >> 63 or types.same(held(value.type), natural) else natural
    return value


def _boolean(message: Any, env: Env, path: Path) -> Value:
    return Value(exp.Boolean(this=message.boolean), types.boolean(nullable=message.nullable))


def _float(message: Any, env: Env, path: Path) -> Value:
    """A double as ``1.5D``; NaN, the infinities and single precision through a cast of their text."""
    kind = message.WhichOneof("literal_type")
    number = getattr(message, kind)
    type = getattr(types, kind)(nullable=message.nullable)
    if kind == "fp64" and abs(number) < float("inf"):
        return Value(double_node(number), type)
    text = _special(number) or (_shortest(number) if kind == "fp32" else repr(number))
    return Value(cast(exp.Literal.string(text), env.context.type_node(type, path)), type)


def double_node(number: float) -> exp.Expression:
    """The literal of a finite double."""
    return exp.Var(this=repr(number).replace("e+", "E").replace("e", "E") + "D")


def _special(number: float) -> str | None:
    if math.isnan(number):
        return "NaN"
    if abs(number) == float("inf"):
        return "Infinity" if number > 0 else "-Infinity"
    return None


def _shortest(number: float) -> str:
    """The shortest text that reads back as the same single-precision number."""
    import struct

    for digits in range(1, 10):
        text = f"{number:.{digits}g}"
        if struct.unpack("f", struct.pack("f", float(text)))[0] == number:
            return text
    return repr(number)


def _string(message: Any, env: Env, path: Path) -> Value:
    return Value(string_literal(message.string), types.string(nullable=message.nullable))


def _fixed_char(message: Any, env: Env, path: Path) -> Value:
    text = message.fixed_char
    return Value(string_literal(text), types.fixed_char(len(text), nullable=message.nullable))


def _var_char(message: Any, env: Env, path: Path) -> Value:
    literal = message.var_char
    if len(literal.value) > literal.length > 0:
        raise invalid(
            "SS2143", f"{len(literal.value)} characters in a varchar of {literal.length}", path
        )
    type = types.varchar(literal.length, nullable=message.nullable)
    return Value(string_literal(literal.value), type)


def _binary(message: Any, env: Env, path: Path) -> Value:
    node = exp.Var(this=f"X'{message.binary.hex().upper()}'")
    return Value(node, types.binary(nullable=message.nullable))


def _fixed_binary(message: Any, env: Env, path: Path) -> Value:
    data = message.fixed_binary
    type = types.fixed_binary(len(data), nullable=message.nullable)
    return Value(exp.Var(this=f"X'{data.hex().upper()}'"), type)


def _uuid(message: Any, env: Env, path: Path) -> Value:
    """The text in lower case, which has the order of the bytes."""
    if len(message.uuid) != 16:
        raise invalid("SS2140", f"a UUID literal has 16 bytes, not {len(message.uuid)}", path)
    text = str(uuid.UUID(bytes=message.uuid))
    return Value(string_literal(text), types.uuid(nullable=message.nullable))


def _decimal(message: Any, env: Env, path: Path) -> Value:
    """The digits as they are, with the declared scale; zero and whole numbers need no trailing zeros."""
    literal = message.decimal
    if len(literal.value) != 16:
        raise invalid("SS2133", f"a decimal literal has 16 bytes, not {len(literal.value)}", path)
    if not 0 <= literal.scale <= literal.precision <= 38:
        raise invalid(
            "SS2133", f"decimal({literal.precision}, {literal.scale}) does not exist", path
        )
    unscaled = int.from_bytes(literal.value, "little", signed=True)
    type = types.decimal(literal.precision, literal.scale, nullable=message.nullable)
    if unscaled and len(str(abs(unscaled))) > literal.precision:
        what = f"the literal has more digits than decimal({literal.precision}, {literal.scale})"
        raise invalid("SS2133", what, path)
    with localcontext() as context:
        context.prec = 40
        text = f"{Decimal(unscaled).scaleb(-literal.scale):f}"
    if unscaled == 0:
        text = "0"
    # Spark reads digits with a point as the shortest decimal that holds them, digits without one as an integer.
    whole, _, fraction = text.lstrip("-").partition(".")
    digits = len(fraction) if whole == "0" else len(whole) + len(fraction)
    natural = types.decimal(max(digits, 1), len(fraction))
    node: exp.Expression = number_node(text)
    if (
        not fraction
        and _in_range(int(text), "i64")
        and (len(whole) > 18 or types.same(natural, type))
    ):
        # Beside a decimal an integer is one; by itself it needs the suffix, unless a cast follows anyway.
        node = exp.Var(this=f"{text}BD")
    return Value(node, type, None if types.same(natural, type) else natural)


def _null(message: Any, env: Env, path: Path) -> Value:
    if types.kind(message.null) is None:
        # DuckDB leaves the type out, mostly below a cast.
        return Value(exp.Null(), None)
    if not types.nullable(message.null):
        what = f"a NULL of type {types.text(message.null)}, which has none"
        raise invalid("SS2144", what, path, "declare the literal's type as nullable")
    type = types.with_nullability(message.null, True)
    if types.kind(type) == "func":
        return Value(exp.Null(), type)
    if types.kind(type) == "user_defined" and type.user_defined.sql_name == NULL:
        return Value(exp.Null(), None)
    # NULL is the same in a time that is finer than Spark has any.
    written = env.context.type_node(types.to_micros(type), path)
    return Value(cast(exp.Null(), written), type)


_UNSIGNED = {"u8": 8, "u16": 16, "u32": 32, "u64": 64}
# What is of the type that holds the values as it stands.
_UNSIGNED_SUFFIX = {"u8": "S", "u16": "", "u32": "L"}


def _user_defined(message: Any, env: Env, path: Path) -> Value:
    """An unsigned integer, whose digits are a text in a struct. The values of other types are private to somebody."""
    literal = message.user_defined
    bits = _UNSIGNED.get(literal.sql_name)
    if bits is None:
        return _by_structure(message, env, path)
    fields = literal.struct.fields
    text = fields[0].string if len(fields) == 1 else ""
    if not (text.isascii() and text.isdigit()) or len(text) > 20 or int(text) >> bits:
        raise invalid("SS2138", f"the value of an unsigned integer of {bits} bits is not one", path)
    type = types.user_defined(literal.sql_name, nullable=message.nullable)
    number = str(int(text))
    if literal.sql_name in _UNSIGNED_SUFFIX:
        return Value(exp.Var(this=number + _UNSIGNED_SUFFIX[literal.sql_name]), type)
    if len(number) == 20:  # A decimal of as many digits, which the type is held as.
        return Value(number_node(number), type)
    return Value(cast(number_node(number), env.context.type_node(type, path)), type)


def _by_structure(message: Any, env: Env, path: Path) -> Value:
    """A value of a type of a user's own extension, whose structure the extension file tells.

    ``named_struct('x', 1.5D, 'y', 2.0D)``; a type that is no struct has its value in a struct of one field.
    """
    literal = message.user_defined
    structure = env.context.dialect.types.structure(literal.sql_name)
    if structure is None or literal.WhichOneof("val") != "struct" or literal.type_parameters:
        hint = "a type whose extension file gives its structure has; the value is a struct then"
        raise refuse("SS2132", "literals of this user-defined type have no SQL", path, hint)
    several = types.kind(structure) == "struct"
    wanted = list(structure.struct.types) if several else [structure]
    fields = literal.struct.fields
    at = path / "user_defined" / "struct" / "fields"
    if len(fields) != len(wanted):
        what = f"the value has {len(fields)} fields, u!{literal.sql_name} has {len(wanted)}"
        raise invalid("SS2138", what, at)
    nodes = [_field(f, t, env, at[i]) for i, (f, t) in enumerate(zip(fields, wanted, strict=True))]
    type = types.user_defined(literal.sql_name, nullable=message.nullable)
    if not several:
        return Value(nodes[0], type)
    names = [string_literal(name) for name in naming.field_names(structure)]
    pairs = [node for pair in zip(names, nodes, strict=True) for node in pair]
    return Value(call("named_struct", *pairs), type)


def _field(message: Any, wanted: Any, env: Env, path: Path) -> exp.Expression:
    value = literal(message, env, path)
    null = value.type is None or message.WhichOneof("literal_type") == "null"
    if (null and not types.nullable(wanted)) or not (null or types.same(value.type, wanted)):
        found = "NULL" if null else types.text(value.type)
        raise invalid("SS2138", f"the field is of type {types.text(wanted)}, not {found}", path)
    if null:
        return cast(exp.Null(), env.context.type_node(wanted, path))
    sql = exact_form(value, env, path)
    # The digits of a nested value may be of another type than the value.
    nested = types.children(wanted) or types.kind(wanted) == "decimal"
    return cast(sql, env.context.type_node(wanted, path)) if nested else sql


_MAKERS: dict[str, Maker] = {
    **{kind: _make_integer(kind) for kind in _BITS},
    "boolean": _boolean,
    "fp32": _float,
    "fp64": _float,
    "string": _string,
    "fixed_char": _fixed_char,
    "var_char": _var_char,
    "binary": _binary,
    "fixed_binary": _fixed_binary,
    "decimal": _decimal,
    "uuid": _uuid,
    "null": _null,
    "user_defined": _user_defined,
}
