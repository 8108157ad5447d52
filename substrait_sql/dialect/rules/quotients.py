"""Quotients and averages of decimals whose digits are cut off, as DataFusion's are, where Spark's `/` and `avg` round.

Spark's own quotient is rounded, so cutting it would be too late: 2 / 3 with a digit less is still 0.667. Three forms
are exact. With T places kept and u the last of them (0.000001 for six):

    x * 1000000 div y * 0.000001             where the result has 18 digits at most: beyond, `div` wraps
    (x - x % (y * 0.000001)) / y             what is left over is taken away first
    (X - X % y) / y * 0.000001               the same of X = x * 1000000, where y is long

Each is used only where no step of it loses a digit to Spark's limit of 38. By a number such as 2 or 20 a quotient ends
before anything has to be cut off: that is `x / 2`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.dialect import operators, results
from substrait_sql.dialect.rules import Result, again, mirrored, refused
from substrait_sql.dialect.template import Template
from substrait_sql.schema import types as ty

if TYPE_CHECKING:
    from substrait_sql.dialect.line import Line
    from substrait_sql.dialect.model import Call, Node

_BIGINT_DIGITS = 18
_MORE_PLACES = 4
_COUNT = (20, 0)
_Size = tuple[int, int]


def cut(call: Call, line: Line) -> Result:
    """``x / y``. The places are those that the plan declares, else four more than x has."""
    sizes = [results.as_decimal(t) for t in call.types]
    if None in sizes:
        raise refused(call, "a quotient of decimals and something of unknown size")
    x, y = (size for size in sizes if size is not None)
    target = call.output_type
    if ty.kind(target) != "decimal":
        a, b = (
            results.as_decimal(a.type) or size
            for a, size in zip(call.arguments, (x, y), strict=True)
        )
        places = min(a[1] + _MORE_PLACES, results.MAX)
        target = ty.decimal(min(a[0] + places - a[1] + b[1], results.MAX), places)
    target = ty.with_nullability(target, mirrored(call))
    ended = _ended(call.values[1], x, ty.parameters(target)[1])
    if ended is not None:
        return _PLAIN.build(call.values), ty.decimal(*ended, nullable=ty.nullable(target))
    whole = x[0] - x[1] + y[1]
    operands = [
        _Operand(node, size, results.as_decimal(argument.inside))
        for node, size, argument in zip(call.values, (x, y), call.valued, strict=True)
    ]
    return _quotient(call, operands[0], operands[1], whole, target)


def cut_average(call: Call, line: Line) -> Result:
    """``avg(x)``, with four places more than x has. Its sum has ten digits more.

    What is of unknown type may be an integer, whose average is a double: that is Spark's own, and a warning says so.
    """
    (x,) = call.values
    if ty.kind(call.types[0]) is None:
        return operators.call("avg", x), None
    precision, scale = ty.parameters(call.types[0])
    total = results.bounded(precision + 10, scale)
    target = ty.decimal(
        min(precision + _MORE_PLACES, results.MAX),
        min(scale + _MORE_PLACES, results.MAX),
        nullable=True,
    )
    # A cast of a number that is there gives a number, or fails in the sum.
    counted = x.this if type(x) is exp.Cast else x
    numerator, count = operators.call("sum", x), operators.call("count", again(counted))
    operands = _Operand(numerator, total), _Operand(count, _COUNT)
    return _quotient(call, *operands, precision - scale, target)


@dataclass(frozen=True)
class _Operand:
    """One of the two. inside: of a cast that changes no value, the size of what is in it."""

    node: Node
    size: _Size
    inside: _Size | None = None

    def narrowed(self, precision: int) -> _Operand:
        """With so many digits at most."""
        whole, scale = self.size
        if precision == whole:
            return self
        return _Operand(_narrowed(self.node, precision, scale), (precision, scale), self.size)

    def again(self, size: _Size) -> Node:
        """A copy, which is of that size: its own, or that of what is in the cast."""
        found = again(self.node)
        return found if size == self.size else found.this


def _quotient(call: Call, x: _Operand, y: _Operand, whole: int, target: Any) -> Result:
    """whole: how many digits the quotient can have before the point."""
    precision, places = ty.parameters(target)
    (left, (p1, s1)), (right, (p2, s2)) = (x.node, x.size), (y.node, y.size)
    nullable = ty.nullable(target)
    if whole + places <= _BIGINT_DIGITS and _scaled((p1, s1), places).lost == 0:
        found = _BY_DIV.build([left, right, _power(places), _unit(places)])
        return found, ty.decimal(min(results.MAX, 21 + places), places, nullable=nullable)
    way = _way(p1, s1, p2, s2, places)
    if way is None:
        raise refused(
            call, f"a quotient with {places} places, which Spark's decimals do not have here"
        )
    x, y = x.narrowed(way.left), y.narrowed(way.right)
    left, right = x.node, y.node
    if not way.scaled:
        sizes = _repeated(x, y, places)
        rest = [x.again(sizes[0]), y.again(sizes[1]), _unit(places)]
        found = _BY_REST.build([left, right, *rest])
        return _narrowed(found, precision, places), target
    digits = max(1, min(precision, results.MAX - 1 - places))
    found = _BY_SCALED_REST.build([left, right, _power(places)])
    found = operators.infix(exp.Mul, _narrowed(found, digits, 0), _unit(places))
    return found, ty.decimal(digits + places + 1, places, nullable=nullable)


def _ended(divisor: Node, x: _Size, places: int) -> _Size | None:
    """The size that Spark gives ``x / 20``, where neither that nor the plan's places cut it: 5.30 / 20 is 0.265."""
    written = divisor.name.removesuffix("BD") if type(divisor) in (exp.Literal, exp.Var) else ""
    if not written.isdigit():
        return None
    # A number of twos and fives divides a power of ten: of how many tens that is, so many places more has the quotient.
    number, digits = int(written), len(written)
    more = next((n for n in range(4 * digits) if number and 10**n % number == 0), None)
    quotient = _divided(x, (digits, 0), 0)
    if more is None or quotient.lost or x[1] + more > min(places, quotient.scale):
        return None
    return quotient.precision, quotient.scale


_PLAIN = Template(":x / :y", ["x", "y"])
_BY_DIV = Template(":x * :power div :y * :unit", ["x", "y", "power", "unit"])
_BY_REST = Template(
    "(:x - :again_x % (:again_y * :unit)) / :y", ["x", "y", "again_x", "again_y", "unit"]
)
_BY_SCALED_REST = Template("(:x * :power - :x * :power % :y) / :y", ["x", "y", "power"])


def _repeated(x: _Operand, y: _Operand, places: int) -> tuple[_Size, _Size]:
    """How long the operands are where they stand a second time: the cast has said by then whether they are too long."""
    own = x.size, y.size
    inside = x.inside or x.size, y.inside or y.size
    if inside == own or _cost(False, *own, places):
        return own
    ways = (inside, (inside[0], own[1]), (own[0], inside[1]))
    return next((way for way in ways if not _cost(False, *own, places, way)), own)


def _power(places: int) -> Node:
    return exp.Literal.number("1" + "0" * places)


def _unit(places: int) -> Node:
    return exp.Literal.number(f"0.{'1':>0{places}}" if places else "1")


def _narrowed(node: Node, precision: int, scale: int) -> Node:
    return operators.cast(node, exp.Var(this=f"DECIMAL({precision}, {scale})"))


@dataclass(frozen=True)
class _Step:
    """The type of an intermediate result. lost: how many digits before the point Spark has no room for."""

    precision: int
    scale: int
    lost: int


@dataclass(frozen=True)
class _Way:
    """Which form, and how many digits of the operands it takes."""

    scaled: bool
    left: int
    right: int


# Places are lost, and the value is another one.
_ALL = 1000


def _step(precision: int, scale: int, least: int | None = None) -> _Step:
    """What Spark makes of such a result, of which all places are needed, or so many of them."""
    found = results.adjust(precision, scale)
    kept = found[1] >= (scale if least is None else least)
    return _Step(*found, max(0, precision - scale - (found[0] - found[1])) if kept else _ALL)


def _scaled(x: _Size, places: int) -> _Step:
    """``x * 1000000``."""
    return _step(x[0] + places + 2, x[1])


def _less_rest(x: _Size, y: _Size, again: _Size) -> _Step:
    """``x - x % y``, which is no longer than x. again: of the second x."""
    scale = max(x[1], again[1], y[1])
    whole = max(x[0] - x[1], min(again[0] - again[1], y[0] - y[1]))
    found = _step(whole + scale + 1, scale)
    return _Step(found.precision, found.scale, max(0, found.lost - 1))


def _divided(x: _Size, y: _Size, places: int) -> _Step:
    """``x / y``."""
    whole = x[0] - x[1] + y[1]
    return _step(whole + max(6, x[1] + y[0] + 1), max(6, x[1] + y[0] + 1), places)


@lru_cache(maxsize=256)
def _way(p1: int, s1: int, p2: int, s2: int, places: int) -> _Way | None:
    """The form that has room for most values; where one is too long, Spark says so when rows are made.

    Operands are as long as they are declared more often than quotients are as long as they could be.
    """
    least, way = _ALL, None
    for left in range(p1, max(s1, 1) - 1, -1):
        for right in range(p2, max(s2, 1) - 1, -1):
            narrower = 3 * (p1 - left + p2 - right)
            if narrower >= least:
                break
            for scaled in (False, True):
                cost = narrower + _cost(scaled, (left, s1), (right, s2), places)
                if cost < least:
                    least, way = cost, _Way(scaled, left, right)
    return way


def _cost(
    scaled: bool, x: _Size, y: _Size, places: int, again: tuple[_Size, _Size] | None = None
) -> int:
    """How many digits of the largest values there is no room for. again: how long they are a second time."""
    whole = x[0] - x[1] + y[1]
    again_x, again_y = again or (x, y)
    if scaled:
        steps = [_scaled(x, places)]
        x = again_x = steps[0].precision, steps[0].scale
        least = 0
    else:
        steps = [_step(again_y[0] + places + 1, again_y[1] + places)]
        rest = steps[0].precision, steps[0].scale
        least = places
    steps.append(_less_rest(x, y if scaled else rest, again_x))
    steps.append(_divided((steps[1].precision, steps[1].scale), y, least))
    lost = sum(step.lost for step in steps)
    return lost + max(0, whole + 2 * places + 1 - results.MAX) if scaled else lost
