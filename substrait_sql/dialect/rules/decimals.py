"""Decimals where Spark's own types end at 38 digits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from substrait_sql.dialect import operators, results
from substrait_sql.dialect.rules import Result, mirrored, refused
from substrait_sql.dialect.template import Template
from substrait_sql.schema import types as ty

if TYPE_CHECKING:
    from substrait_sql.dialect.line import Line
    from substrait_sql.dialect.model import Call, Node

# What overflows, and in which direction. The condition is TRUE, FALSE, or NULL where an argument is. A sum overflows
# by the digits that its scale takes, too, whatever the signs are; doubles tell on which side of zero it then is.
_SATURATED = {
    "add": "coalesce(try_add(:x, :y), CASE WHEN CAST(:x AS DOUBLE) + CAST(:y AS DOUBLE) > 0 THEN :most "
    "WHEN CAST(:x AS DOUBLE) + CAST(:y AS DOUBLE) < 0 THEN :least END)",
    "subtract": "coalesce(try_subtract(:x, :y), CASE WHEN CAST(:x AS DOUBLE) > CAST(:y AS DOUBLE) THEN :most "
    "WHEN CAST(:x AS DOUBLE) < CAST(:y AS DOUBLE) THEN :least END)",
    "multiply": "coalesce(try_multiply(:x, :y), CASE WHEN (:x < 0) = (:y < 0) THEN :most "
    "WHEN (:x < 0) <> (:y < 0) THEN :least END)",
    "divide": "CASE WHEN :y = 0 THEN :x / :y ELSE coalesce(try_divide(:x, :y), "
    "CASE WHEN (:x < 0) = (:y < 0) THEN :most WHEN (:x < 0) <> (:y < 0) THEN :least END) END",
}


def saturated(call: Call, line: Line) -> Result:
    """An operator that stops at the largest decimal of its result type, where it could go beyond at all."""
    x, y = call.values
    yields = line.returns(call)
    sizes = [results.as_decimal(t) for t in call.types]
    if yields is None or None in sizes:
        raise refused(call, "a saturated result needs the types of the arguments")
    (p1, s1), (p2, s2) = ((p, s) for p, s in sizes)  # type: ignore[misc]
    whole = {
        "add": max(p1 - s1, p2 - s2) + 1,
        "subtract": max(p1 - s1, p2 - s2) + 1,
        "multiply": p1 - s1 + p2 - s2 + 1,
        "divide": p1 - s1 + s2,
    }[line.name]
    precision, scale = ty.parameters(yields)
    if whole <= precision - scale:
        return line.plain([x, y]), yields
    digits = "9" * (precision - scale) + ("." + "9" * scale if scale else "")
    most, least = (exp.Var(this=f"{sign}{digits}BD") for sign in ("", "-"))
    template = Template(_SATURATED[line.name], ["x", "y", "most", "least"])
    return template.build([x, y, most, least]), yields


def keep_places(call: Call, line: Line) -> None:
    """Narrows the operands of ``+``, ``-`` and ``*`` where Spark would take places away that the plan declares.

    Spark does where the result could have more than 38 digits, as the extension file says; DataFusion and DuckDB keep
    the places and fail where there are more. So does this.
    """
    if call.output_kind != "decimal":
        return
    yields, declared = line.returns(call), call.output_type
    arguments = [a for a in call.arguments if a.sql is not None]
    sizes = [
        _digits(a.sql) or results.as_decimal(t) for a, t in zip(arguments, call.types, strict=True)
    ]
    if None in sizes or ty.kind(yields) != "decimal":
        return
    pairs = [size for size in sizes if size is not None]
    product = line.metadata["returns"] == "multiply"
    scale = sum(s for _, s in pairs) if product else max(s for _, s in pairs)
    if not yields.decimal.scale < scale <= declared.decimal.scale:  # type: ignore[union-attr]
        return
    room = results.MAX - 1
    if product:
        while sum(p for p, _ in pairs) > room:
            longest = max(range(len(pairs)), key=lambda i: pairs[i][0])
            pairs[longest] = (pairs[longest][0] - 1, pairs[longest][1])
    else:
        pairs = [(min(p, room - scale + s), s) for p, s in pairs]
    if any(p < max(s, 1) for p, s in pairs):
        return
    for argument, size, (p, s) in zip(arguments, sizes, pairs, strict=True):
        if _digits(argument.sql) == (p, s):
            argument.sql_type = ty.decimal(p, s)
        elif size != (p, s) and argument.sql is not None:
            argument.sql = operators.cast(argument.sql, exp.Var(this=f"DECIMAL({p}, {s})"))
            argument.sql_type = ty.decimal(
                p, s, nullable=argument.type is None or ty.nullable(argument.type)
            )


def _digits(node: Node | None) -> tuple[int, int] | None:
    """The size of a whole number that stands there: Spark takes the digits of a literal, and not those of its type."""
    whole = isinstance(node, exp.Literal) and node.is_int
    return (len(str(node.this).lstrip("-")), 0) if whole and node is not None else None


_LONG = 18
_LIMB, _TWO_LIMBS = str(2**60), str(2**120)


def bitwise_and(call: Call, line: Line) -> Result:
    """``&`` of whole decimals, as of integers in two's complement."""
    return _bitwise(call, exp.BitwiseAnd)


def bitwise_or(call: Call, line: Line) -> Result:
    """``|``."""
    return _bitwise(call, exp.BitwiseOr)


def bitwise_xor(call: Call, line: Line) -> Result:
    """``^``."""
    return _bitwise(call, exp.BitwiseXor)


def _bitwise(call: Call, operator: type[Node]) -> Result:
    """Up to 18 digits are a BIGINT; more are taken apart into three of them, of 60 bits and what is left."""
    sizes = [results.as_decimal(t) for t in call.types]
    if any(size is None or size[1] for size in sizes):
        raise refused(call, "bits of a decimal with digits after the point")
    most = max(p for p, _ in filter(None, sizes))
    x, y = call.values
    if most <= _LONG:
        parts = [operators.cast(v, exp.Var(this="BIGINT")) for v in (x, y)]
        return operators.infix(operator, *parts), ty.i64(nullable=mirrored(call))
    wide = exp.Var(this=f"DECIMAL({results.MAX}, 0)")
    x, y = (
        v if size == (results.MAX, 0) else operators.cast(v, wide.copy())
        for v, size in zip((x, y), sizes, strict=True)
    )
    both = operator(this=exp.column("a"), expression=exp.column("b"))
    joined = Template(_JOINED, ["x", "y", "both"]).build([x, y, both])
    target = ty.decimal(most, 0, nullable=mirrored(call))
    return operators.cast(joined, exp.Var(this=f"DECIMAL({most}, 0)")), target


# Rounded down, not towards zero: that is what makes the lower parts those of the two's complement.
_PARTS = (
    f"array(CAST((:x - :x % {_TWO_LIMBS}) / {_TWO_LIMBS} AS BIGINT) "
    f"- CASE WHEN :x % {_TWO_LIMBS} < 0 THEN 1 ELSE 0 END, "
    f"CAST((pmod(:x, {_TWO_LIMBS}) - pmod(:x, {_LIMB})) / {_LIMB} AS BIGINT), "
    f"CAST(pmod(:x, {_LIMB}) AS BIGINT))"
)
# r * 2^60 + v, in an order in which nothing on the way is longer than the result.
_JOINED = (
    f"aggregate(zip_with({_PARTS}, {_PARTS.replace(':x', ':y')}, (a, b) -> :both), "
    "CAST(0 AS DECIMAL(38, 0)), "
    f"(r, v) -> CAST(r * {int(_LIMB) - 1} + (r + v) AS DECIMAL(38, 0)))"
)
