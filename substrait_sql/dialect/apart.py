"""Comparisons of two decimals that no third one holds: one has too many digits before the point, one behind it.

Spark would take decimal places away, silently. What the longer one is before the point tells on which side it is:

    a > b    is    coalesce(TRY_CAST(a AS DECIMAL(38, 30)) > b, a > 0)

where b has 30 places. An a without that cast is farther from zero than any b, so that its sign decides; it is not zero.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.dialect import operators, results
from substrait_sql.dialect.template import Template
from substrait_sql.errors import refuse
from substrait_sql.schema import types as ty
from substrait_sql.tree.copies import clone

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.dialect.line import Line
    from substrait_sql.dialect.model import Call
    from substrait_sql.dialect.operators import Node

OPERATORS: dict[str, type[Node]] = {
    "equal": exp.EQ,
    "not_equal": exp.NEQ,
    "lt": exp.LT,
    "lte": exp.LTE,
    "gt": exp.GT,
    "gte": exp.GTE,
    "is_not_distinct_from": exp.NullSafeEQ,
    "is_distinct_from": exp.NullSafeNEQ,
}
"""By the standard's names of the comparisons."""
_TURNED: dict[type[Node], type[Node]] = {
    exp.LT: exp.GT,
    exp.LTE: exp.GTE,
    exp.GT: exp.LT,
    exp.GTE: exp.LTE,
}
_SIGNS: dict[type[Node], str] = {
    exp.EQ: "=",
    exp.NEQ: "<>",
    exp.LT: "<",
    exp.LTE: "<=",
    exp.GT: ">",
    exp.GTE: ">=",
}
# NULL is a value to these. Of the first two terms one decides where a or b is NULL.
_NULL_SAFE: dict[type[Node], str] = {
    exp.NullSafeEQ: "(:a IS NULL AND :b IS NULL) OR coalesce({fitted} = :b, FALSE)",
    exp.NullSafeNEQ: "(:a IS NOT NULL OR :b IS NOT NULL) AND coalesce({fitted} <> :b, TRUE)",
}


def compared(operator: type[Node], left: Node, right: Node, types: Sequence[Any]) -> Node:
    """``left operator right``, exact whatever the decimals are. types: those that the SQL holds, of both."""
    if results.meet(types):
        return operators.infix(operator, left, right)
    (p1, s1), (p2, s2) = (results.as_decimal(t) or (0, 0) for t in types)
    if p1 - s1 > p2 - s2:
        return _form(_text(operator, s2, ty.nullable(types[1]))).build([left, right])
    turned = _TURNED.get(operator, operator)
    return _form(_text(turned, s1, ty.nullable(types[0]))).build([right, left])


def between(values: Sequence[Node], types: Sequence[Any], again: Node) -> Node:
    """``x BETWEEN low AND high`` by two comparisons. again: a copy of x."""
    x, low, high = values
    parts = [
        compared(exp.GTE, x, low, types[:2]),
        compared(exp.LTE, again, high, [types[0], types[2]]),
    ]
    return operators.fold(exp.And, parts)


def of_line(line: Line, call: Call) -> Node:
    """The comparison that a line is for, of decimals that no third one holds. Raises SS2222 for another function."""
    values = call.values
    if line.name in OPERATORS:
        return compared(OPERATORS[line.name], values[0], values[1], call.types)
    if line.name == "between":
        return between(values, call.types, clone(values[0]))
    what = " and ".join(ty.text(t) for t in call.types)
    hint = "cast them to one type"
    raise refuse("SS2222", f"{call.function}: no decimal holds {what}", call.path, hint)


@lru_cache(maxsize=256)
def _form(text: str) -> Template:
    return Template(text, ["a", "b"])


def _text(operator: type[Node], scale: int, nullable: bool) -> str:
    """The SQL of a comparison of a with b. scale, nullable: of b, which has fewer digits before the point."""
    fitted = f"TRY_CAST(:a AS DECIMAL({results.MAX}, {scale}))"
    if operator in _NULL_SAFE:
        return _NULL_SAFE[operator].format(fitted=fitted)
    sign = _SIGNS[operator]
    # An a that does not fit is not zero, so that of < and <= either will do.
    decided = f":a {sign} 0"
    if nullable:
        decided = f"CASE WHEN :b IS NOT NULL THEN {decided} END"
    return f"coalesce({fitted} {sign} :b, {decided})"
