"""``round`` in its ten modes. Spark has two of them, and takes a constant number of places."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from substrait_sql.dialect import operators, results
from substrait_sql.dialect.rules import Result, literal_int, mirrored, number, preference, refused
from substrait_sql.dialect.template import Template
from substrait_sql.schema import types as ty

if TYPE_CHECKING:
    from substrait_sql.dialect.line import Line
    from substrait_sql.dialect.model import Call, Node

_NAMES = ["x", "s", "half", "unit"]
# Of decimals, which are exact. half and unit are those of the last place that is kept.
_EXACT = {
    "TIE_AWAY_FROM_ZERO": "round(:x, :s)",
    "TIE_TO_EVEN": "bround(:x, :s)",
    "TRUNCATE": "CASE WHEN :x < 0 THEN ceil(:x, :s) ELSE floor(:x, :s) END",
    "CEILING": "ceil(:x, :s)",
    "FLOOR": "floor(:x, :s)",
    "AWAY_FROM_ZERO": "CASE WHEN :x < 0 THEN floor(:x, :s) ELSE ceil(:x, :s) END",
    "TIE_DOWN": "ceil(:x - :half, :s)",
    "TIE_UP": "floor(:x + :half, :s)",
    "TIE_TOWARDS_ZERO": "CASE WHEN :x < 0 THEN floor(:x + :half, :s) ELSE ceil(:x - :half, :s) END",
    "TIE_TO_ODD": "bround(:x - :unit, :s) + :unit",
}
# Of floats: what Spark rounds to is right or one unit off, which a comparison tells.
_INEXACT = {
    "TIE_AWAY_FROM_ZERO": "round(:x, :s)",
    "TIE_TO_EVEN": "bround(:x, :s)",
    "TRUNCATE": "CASE WHEN abs(round(:x, :s)) > abs(:x) THEN round(round(:x, :s) - sign(:x) * :unit, :s) "
    "ELSE round(:x, :s) END",
    "CEILING": "CASE WHEN round(:x, :s) < :x THEN round(round(:x, :s) + :unit, :s) ELSE round(:x, :s) END",
    "FLOOR": "CASE WHEN round(:x, :s) > :x THEN round(round(:x, :s) - :unit, :s) ELSE round(:x, :s) END",
    "AWAY_FROM_ZERO": "CASE WHEN abs(round(:x, :s)) < abs(:x) THEN round(round(:x, :s) + sign(:x) * :unit, :s) "
    "ELSE round(:x, :s) END",
}
_SPARKS_OWN = ("TIE_AWAY_FROM_ZERO", "TIE_TO_EVEN")
_TIES = frozenset({"TIE_DOWN", "TIE_UP", "TIE_TOWARDS_ZERO", "TIE_TO_ODD"})
_MOST = 30
# Beyond 2^52 a double is whole; below, 20 places hold all of its digits that can be a tie.
_FLOAT_PLACES = 15


def rounded(call: Call, line: Line) -> Result:
    """``round(x, s)``. Spark's own modes are the same for all numbers, known or not."""
    x, s = call.values
    places = literal_int(s)
    if places is None or abs(places) > _MOST:
        raise refused(call, f"a number of places that is not a literal of up to {_MOST}")
    mode = preference(call, line, "rounding") or "TIE_AWAY_FROM_ZERO"
    kind = ty.kind(call.types[0])
    if kind == "decimal":
        return _decimal(call, mode, places)
    if mode in _SPARKS_OWN:
        return _made(_EXACT[mode], x, places), results.resolve("arg0", call.types)
    if kind in ("fp32", "fp64"):
        return _float(call, mode, places)
    if kind in ("i8", "i16", "i32", "i64"):
        return _whole(call, mode, places)
    raise refused(call, f"{mode} of numbers of unknown type")


def _whole(call: Call, mode: str, places: int) -> Result:
    """Of integers, to which a negative number of places only does something."""
    x, yields = call.values[0], call.types[0]
    if places >= 0:
        return x, yields
    as_decimal = operators.cast(x, exp.Var(this="DECIMAL(20, 0)"))
    made = _made(_EXACT[mode], as_decimal, places)
    return operators.cast(made, exp.Var(this="BIGINT")), ty.i64(nullable=mirrored(call))


def _float(call: Call, mode: str, places: int) -> Result:
    """Of floats, by the digits that are shown: 2.675 is a tie, as it is for Spark's own modes."""
    x = call.values[0]
    yields = ty.fp64(nullable=mirrored(call))
    if mode in _INEXACT:
        return _made(_INEXACT[mode], x, places, "D"), yields
    if not 0 <= places <= _FLOAT_PLACES:
        raise refused(call, f"{mode} of a float to a number of places outside 0 to {_FLOAT_PLACES}")
    inner = _EXACT[mode].replace(":x", "CAST(:x AS DECIMAL(36, 20))")
    text = f"CASE WHEN abs(:x) < {2**52} THEN CAST({inner} AS DOUBLE) ELSE :x END"
    return _made(text, x, places), yields


def _decimal(call: Call, mode: str, places: int) -> Result:
    """Of a decimal, whose scale stays: the result has one digit more in front of the point."""
    x = call.values[0]
    precision, scale = ty.parameters(call.types[0])
    declared = next(a.type for a in call.arguments if a.sql is not None)
    # A literal is held in a decimal that is too short for what it is rounded to.
    widest = max(precision, ty.parameters(declared)[0] if ty.kind(declared) == "decimal" else 0)
    target = ty.decimal(min(widest + 1, results.MAX), scale, nullable=True)
    if mode in _SPARKS_OWN:
        left = max(0, min(scale, places))
        whole = max(precision - scale, -places) + 1
        yields = ty.decimal(*results.bounded(whole + left, left), nullable=mirrored(call))
        made = _made(_EXACT[mode], x, places)
        if ty.parameters(yields)[0] <= precision + 1:
            return made, yields
    elif places >= scale:
        return x, call.types[0]
    else:
        if mode in _TIES and precision >= results.MAX and max(scale, places + 1) > 6:
            raise refused(
                call, f"{mode} of a decimal of 38 digits, more than 6 of them after the point"
            )
        # Beside an integer, Spark rounds a decimal of 38 places to 37; its sign it rounds to nothing.
        text = _EXACT[mode]
        if scale == results.MAX:
            text = text.replace(":x < 0", "sign(:x) < 0")
        made = _made(text, x, places)
    p, s = ty.parameters(target)
    return operators.cast(made, exp.Var(this=f"DECIMAL({p}, {s})")), target


def _made(text: str, x: Node, places: int, suffix: str = "") -> Node:
    def power(digit: int, exponent: int) -> Node:
        text = f"{digit}{'0' * exponent}" if exponent >= 0 else f"0.{'0' * (-exponent - 1)}{digit}"
        return exp.Var(this=text + suffix)

    return Template(text, _NAMES).build(
        [x, number(places), power(5, -places - 1), power(1, -places)]
    )
