"""Numbers, and choosing among values."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from sqlglot import exp

from substrait_sql.dialect import operators, results
from substrait_sql.dialect.rules import (
    Result,
    again,
    literal_int,
    mirrored,
    number,
    refused,
)
from substrait_sql.dialect.template import Template
from substrait_sql.schema import types as ty

if TYPE_CHECKING:
    from substrait_sql.dialect.line import Line
    from substrait_sql.dialect.model import Call, Node


def least(call: Call, line: Line) -> Result:
    """The smallest value, NULL if any value is.

    Spark's ``least`` skips NULLs, so those are asked for first.
    """
    return _extreme("least", call)


def greatest(call: Call, line: Line) -> Result:
    """The largest value, NULL if any value is."""
    return _extreme("greatest", call)


def _extreme(name: str, call: Call) -> Result:
    values, types = call.values, call.types
    chosen = operators.call(name, *values)
    doubtful = [v for v, t in zip(values, types, strict=True) if t is None or ty.nullable(t)]
    yields = results.resolve("widest", types)
    if not doubtful:
        return chosen, yields
    known = operators.fold(exp.And, [operators.is_null(again(v), negated=True) for v in doubtful])
    return exp.Case(ifs=[exp.If(this=known, true=chosen)]), yields


def constant_or_null(call: Call, line: Line) -> Result:
    """DuckDB's: the first argument, NULL if any of the others is."""
    value, *others = call.values
    known = operators.fold(exp.And, [operators.is_null(v, negated=True) for v in others])
    return exp.Case(ifs=[exp.If(this=known, true=value)]), results.resolve("arg0?", call.types)


def divide_or_null(call: Call, line: Line) -> Result:
    """``x / y`` of doubles, NULL where y is zero."""
    return _unless_zero(call, exp.Div, "try_divide"), ty.fp64(nullable=True)


def remainder_or_null(call: Call, line: Line) -> Result:
    """``x % y``, NULL where y is zero."""
    yields = ty.with_nullability(results.resolve("modulus", call.types), True)
    return _unless_zero(call, exp.Mod, "try_mod"), yields


def float_quotient(call: Call, line: Line) -> Result:
    """``x / y`` of floats. By zero it is an infinity, whose sign is that of the zero as well, or NaN."""
    # Spark makes doubles of what `power` takes, and of what stands beside its result.
    instead = ":narrow_x * power(:narrow_y, -1)"
    return _by_zero(call, exp.Div, "try_divide", instead), ty.fp64(nullable=mirrored(call))


def float_remainder(call: Call, line: Line) -> Result:
    """``x % y`` of floats, NaN by zero."""
    nan = "float('NaN')" if ty.kind(call.types[0]) == "fp32" else "double('NaN')"
    return _by_zero(call, exp.Mod, "try_mod", f":x * :y * {nan}"), line.returns(call)


def _by_zero(call: Call, operator: type[Node], otherwise: str, instead: str) -> Node:
    """What the operator gives, and what is to be there instead where it divides by zero. NULLs stay."""
    x, y = call.values
    if _is_nonzero(y) or call.chosen.get("ON_DIVISION_BY_ZERO") == "ERROR":
        return operators.infix(operator, x, y)
    text = f"coalesce({otherwise}(:x, :y), {instead})"
    # Parts of the arguments, which stand in the text already.
    bare = [
        again(a.sql if a.narrow is None else a.narrow) for a in call.valued if a.sql is not None
    ]
    return Template(text, ["x", "y", "narrow_x", "narrow_y"]).build([x, y, *bare])


def whole_quotient_or_null(call: Call, line: Line) -> Result:
    """``x div y`` of integers, cut off towards zero, NULL where y is zero."""
    x, y = call.values
    if not _is_nonzero(y):
        y = operators.call("nullif", y, number(0))
    return operators.infix(exp.IntDiv, x, y), ty.i64(nullable=True)


def _unless_zero(call: Call, operator: type[Node], otherwise: str) -> Node:
    x, y = call.values
    return operators.infix(operator, x, y) if _is_nonzero(y) else operators.call(otherwise, x, y)


# Of each comparison which argument may not be NaN, that of Spark being more than all numbers and its own equal.
_COMPARED: dict[str, tuple[type[Node], int]] = {
    "equal": (exp.EQ, 0), "lt": (exp.LT, 1), "lte": (exp.LTE, 1), "gt": (exp.GT, 0), "gte": (exp.GTE, 0),
}  # fmt: skip


def compare_numbers(call: Call, line: Line) -> Result:
    """A comparison of floats in which NaN is no number: ``x > y AND NOT isnan(x)``."""
    x, y = call.values
    name = call.function.name.removesuffix("_of_numbers")
    yields = ty.boolean(nullable=mirrored(call))
    constant = [_is_constant(node) for node in (x, y)]
    if name == "not_equal":
        differs = operators.infix(exp.NEQ, x, y)
        return differs if any(constant) else _DIFFERS.around(differs, [x, y]), yields
    operator, at = _COMPARED[name]
    compared = operators.infix(operator, x, y)
    if constant[at] or (name == "equal" and any(constant)):
        return compared, yields
    whole = _NUMBER if constant[1 - at] else _NUMBER_UNLESS_NULL
    return whole.around(compared, [x, y] if at == 0 else [y, x]), yields


_DIFFERS = Template(":result OR isnan(:x) AND isnan(:y)", ["x", "y"])
_NUMBER = Template(":result AND NOT isnan(:x)", ["x", "y"])
# Beside a NULL it is NULL all the same.
_NUMBER_UNLESS_NULL = Template(":result AND NOT (isnan(:x) AND :y IS NOT NULL)", ["x", "y"])


def _is_constant(node: Node) -> bool:
    """Whether this is a literal of a number, with or without a sign or a cast; the text of one may be NaN."""
    while isinstance(node, (exp.Cast, exp.Neg)):
        node = node.this
    return isinstance(node, (exp.Literal, exp.Var)) and not node.is_string


def log_to_base(call: Call, line: Line) -> Result:
    """DataFusion's ``log(base, x)``: ln(x) / ln(base), where the logarithm of 0 is -Infinity, of less NaN."""
    x, base = call.values
    known = _positive(base)
    if known is not None:
        zero = f"CAST('{'-' if known >= 1 else ''}Infinity' AS DOUBLE)"
        text = f"CASE WHEN :x = 0 THEN {zero} WHEN :x < 0 THEN {_NAN} ELSE log(:base, :x) END"
    else:
        text = _ANY_LOG
    return Template(text, ["x", "base"]).build([x, base]), ty.fp64(nullable=mirrored(call))


def _positive(node: Node) -> float | None:
    """The value of a literal above zero; None for anything else."""
    if not isinstance(node, (exp.Literal, exp.Var)) or node.is_string:
        return None
    try:
        value = float(node.name.rstrip("BDLSYF"))
    except ValueError:
        return None
    return value if value > 0 else None


_NAN = "CAST('NaN' AS DOUBLE)"
_ANY_LOG = (
    "CASE WHEN :x IS NULL OR :base IS NULL THEN NULL "
    f"WHEN :x < 0 OR :base < 0 OR :x = 0 AND :base = 0 THEN {_NAN} WHEN :base = 0 THEN 0 * :x WHEN :x = 0 THEN "
    "CASE WHEN :base < 1 THEN CAST('Infinity' AS DOUBLE) ELSE CAST('-Infinity' AS DOUBLE) END ELSE log(:base, :x) END"
)


def _is_nonzero(node: Node) -> bool:
    """Whether this is a literal of a number other than 0."""
    while isinstance(node, (exp.Cast, exp.Neg)):
        node = node.this
    text = node.name if isinstance(node, (exp.Literal, exp.Var)) else ""
    return any(digit in "123456789" for digit in text.lower().partition("e")[0])


# Spark 4.3 rounds `-x` and `abs(x)` of a decimal to 34 digits, silently; subtraction is exact.
_EXACT_DIGITS = 34


def _negative(call: Call, node: Node) -> Node:
    """``0 - x``, which must keep the scale: a 39th digit would cost one after the point.

    It may where Spark's decimal has more of them than the plan declares (a quotient, an average).
    """
    size = results.as_decimal(call.types[0])
    declared = results.as_decimal(call.output_type)
    finer = size is not None and declared is not None and declared[1] < size[1]
    made = results.as_decimal(results.resolve("add", [ty.decimal(1, 0), call.types[0]]))
    if size is None or made is None:
        raise refused(call, "a decimal of unknown size")
    if made[1] < size[1] and not finer:
        why = f"a decimal of {size[0]} digits with {size[1]} after the point: Spark keeps {made[1]}"
        raise refused(call, why)
    return operators.infix(exp.Sub, number(0), node)


def _short(call: Call) -> bool:
    size = results.as_decimal(call.types[0])
    return size is not None and size[0] <= _EXACT_DIGITS


def negate_decimal(call: Call, line: Line) -> Result:
    """``-x`` of a decimal."""
    (x,) = call.values
    if _short(call):
        return operators.prefix(exp.Neg, x), call.types[0]
    return _negative(call, x), results.resolve("add", [ty.decimal(1, 0), call.types[0]])


def absolute_decimal(call: Call, line: Line) -> Result:
    """``abs(x)`` of a decimal."""
    (x,) = call.values
    if _short(call):
        return operators.call("abs", x), call.types[0]
    below = operators.infix(exp.LT, again(x), number(0))
    chosen = exp.Case(ifs=[exp.If(this=below, true=_negative(call, again(x)))], default=x)
    return chosen, results.resolve("add", [ty.decimal(1, 0), call.types[0]])


_MOST_FACTORS = 8
_FACTORS = Template(
    "CASE WHEN :y < 0 THEN raise_error('an integer to a negative power') ELSE aggregate("
    "array_repeat(:x, CAST(least(:y, 64 + :y % 2) AS INT)), CAST(1 AS BIGINT), (p, v) -> p * v) END",
    ["x", "y"],
)


def power_whole(call: Call, line: Line) -> Result:
    """``power`` of integers.

    Spark's is a double, which is too coarse above 2^53, so the factors are multiplied: written out where there are
    few, else from a list. From the 64th factor on only their parity matters: all but 0, 1 and -1 have overflown.
    """
    x, y = call.values
    if ty.kind(call.output_type) in ("fp32", "fp64"):
        return operators.call("power", x, y), ty.fp64(nullable=mirrored(call))
    exponent = literal_int(y)
    if exponent is not None and 1 <= exponent <= _MOST_FACTORS:
        factors = [x, *(again(x) for _ in range(exponent - 1))]
        return operators.fold(exp.Mul, factors), call.types[0]
    found = _FACTORS.build([x, y])
    base = call.types[0]
    if not exponent and (base is None or ty.nullable(base)):
        # Not even a NULL is a factor of what has none.
        known = operators.is_null(again(x), negated=True)
        found = exp.Case(ifs=[exp.If(this=known, true=found)])
    return found, ty.i64(nullable=mirrored(call))


# Beyond that, powers of ten are no whole numbers of a double.
_MOST_PLACES = 22


def round_at(call: Call, line: Line) -> Result:
    """DataFusion's ``round(x, 2)`` of floats: moved by a power of ten, rounded, and moved back; 1.005 is 1.0.

    Spark rounds the digits that a number is shown with: 1.01.
    """
    x, places = call.values
    digits = literal_int(places)
    if digits is None or abs(digits) > _MOST_PLACES:
        raise refused(call, f"rounding to places that are no literal up to {_MOST_PLACES}")
    if not digits:
        return operators.call("round", x), call.types[0]
    single = call.kinds[0] == "fp32"
    power = str(10**digits) if digits > 0 else repr(1 / 10.0**-digits)
    there, back = (exp.Var(this=f"{power}{'F' if single else 'D'}") for _ in range(2))
    moved = operators.call("round", operators.infix(exp.Mul, x, there))
    found = operators.infix(exp.Div, moved, back)
    if single:
        return exp.Cast(this=found, to=exp.Var(this="FLOAT")), ty.fp32(nullable=mirrored(call))
    return found, ty.fp64(nullable=mirrored(call))


def truncate(call: Call, line: Line) -> Result:
    """``trunc(x)``: towards zero.

    Spark has none for numbers; whole digits are cut with floor and ceil, which keep NaN and
    infinity out.
    """
    x, *places = call.values
    kind = ty.kind(call.types[0])
    digits = literal_int(places[0]) if places else 0
    if kind == "decimal" and digits is not None and call.output_kind in ("decimal", None):
        return _cut_decimal(call, x, digits)
    if digits is None or (digits and kind != "fp64"):
        raise refused(call, "truncation to a number of places that is no literal, or of no double")
    if digits:
        return _truncated_at(call, x, digits)
    if kind in ("i8", "i16", "i32", "i64"):
        return x, call.types[0]
    if kind not in ("fp32", "fp64"):
        raise refused(call, "truncation of anything but a float")
    small = exp.LT(this=operators.call("abs", x), expression=number(2**52))
    whole = exp.Cast(this=again(x), to=exp.Var(this="BIGINT"))
    double = exp.Cast(this=whole, to=exp.Var(this="DOUBLE"))
    return exp.Case(ifs=[exp.If(this=small, true=double)], default=again(x)), ty.fp64(
        nullable=mirrored(call)
    )


def _cut_decimal(call: Call, x: Node, digits: int) -> Result:
    """Without what is beyond so many places; the type stays."""
    precision, scale = ty.parameters(call.types[0])
    if digits >= scale:
        return x, call.types[0]
    if digits <= scale - precision:
        raise refused(call, f"truncation to {digits} places, of {ty.text(call.types[0])}")
    unit = f"{Decimal(1).scaleb(-digits):f}" + ("" if digits > 0 else "BD")
    found = Template(f":x - :x % {unit}", ["x"]).build([x])
    return found, ty.decimal(precision, scale, nullable=mirrored(call))


def _truncated_at(call: Call, x: Node, digits: int) -> Result:
    """As DataFusion: moved by a power of ten, cut, and moved back."""
    if abs(digits) > _MOST_PLACES:
        raise refused(call, f"truncation to more than {_MOST_PLACES} places")
    factor = 10.0**digits if digits > 0 else 1 / 10.0**-digits
    text = (
        "CASE WHEN abs(:x * F) < 4503599627370496 THEN CAST(CAST(:x * F AS BIGINT) AS DOUBLE) ELSE :x * F END / F"
    ).replace("F", f"{factor!r}D")
    return Template(text, ["x"]).build([x]), ty.fp64(nullable=mirrored(call))


_BITS = {"i8": 8, "i16": 16, "i32": 32}


def shift_right_or_zero(call: Call, line: Line) -> Result:
    """DuckDB's ``x >> y``: 0 where y is negative or as large as the bits of x, while Spark takes the last bits of y."""
    base, places = call.values
    bits = _BITS.get(ty.kind(call.types[0]) or "", 64)
    yields = results.resolve("arg0", call.types)
    count = literal_int(places)
    if count is not None and 0 <= count < bits:
        return operators.call("shiftright", base, places), yields
    if count is not None:
        return Template(":x * 0", ["x"]).build([base]), yields
    text = f"CASE WHEN :y NOT BETWEEN 0 AND {bits - 1} THEN :x * 0 ELSE shiftright(:x, :y) END"
    return Template(text, ["x", "y"]).build([base, places]), yields


_BITS_OF_UNSIGNED = {"u8": 8, "u16": 16, "u32": 32}


def shift_right_unsigned(call: Call, line: Line) -> Result:
    """``x >> y`` of a type up to u32, which Spark holds in one that is a step wider: it never leaves the range."""
    return _shift_unsigned(call, "shiftright")


def shift_left_unsigned(call: Call, line: Line) -> Result:
    """``x << y``, of which the bits beyond the type are lost."""
    return _shift_unsigned(call, "shiftleft")


def _shift_unsigned(call: Call, function: str) -> Result:
    """As in DataFusion, the number of places counts modulo the width of the type."""
    base, places = call.values
    bits = _BITS_OF_UNSIGNED[call.arguments[0].type.user_defined.sql_name]
    if bits == _BITS_OF_UNSIGNED["u32"] and literal_int(base) is not None:
        base = operators.cast(base, exp.Var(this="BIGINT"))
    count = literal_int(places)
    if count is None:
        rest = operators.infix(exp.Mod, places, number(bits))
        places = operators.cast(rest, exp.Var(this="INT"))
    else:
        places = number(count % bits)
    found = operators.call(function, base, places)
    if function == "shiftleft":
        found = operators.infix(exp.BitwiseAnd, found, number(2**bits - 1))
    make = ty.i64 if bits == _BITS_OF_UNSIGNED["u32"] else ty.i32
    return found, make(nullable=mirrored(call))
