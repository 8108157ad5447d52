"""Constants that a text computes: ``1 + 1``, ``concat('a', 'b')``. Spark takes them where it wants a constant.

Only what is the same in any session and fails in none: whole numbers, texts and truths.
"""

from __future__ import annotations

import operator
import re
from math import isfinite
from typing import TYPE_CHECKING, Any, Final

from substrait_sql.lift.expressions.json_schema import schema_of_json
from substrait_sql.lift.tree import Call, Case, Cast, Expr, Literal
from substrait_sql.lift.typing import types as t

if TYPE_CHECKING:
    from collections.abc import Callable

    from substrait_sql.lift.typing.types import SparkType

_BITS: Final = {"tinyint": 7, "smallint": 15, "int": 31, "bigint": 63}
_WHOLE: Final = re.compile(r"\s*[+-]?\d+\s*\Z")
_NUMBERS: Final = (*t.NUMERIC, "boolean")
_KINDS: Final = (*_BITS, "string", "boolean")


def _case(change: Callable[[str], str]) -> Callable[[str], str | None]:
    # Beyond ASCII the letters of Python and of Spark are those of other releases of Unicode.
    return lambda text: change(text) if text.isascii() else None


def _quotient(a: int, b: int) -> int | None:
    return (abs(a) // abs(b)) * (1 if (a < 0) == (b < 0) else -1) if b else None


def _remainder(a: int, b: int) -> int | None:
    return None if not b else abs(a) % abs(b) * (-1 if a < 0 else 1)


# None for what is not computed here. NULL is NULL to all of them.
_COMPUTED: Final[dict[str, Callable[..., Any]]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "div": _quotient, "%": _remainder,
    "negative": operator.neg,
    "positive": operator.pos, "abs": abs, "length": len, "char_length": len, "character_length": len,
    "upper": _case(str.upper), "ucase": _case(str.upper), "lower": _case(str.lower), "lcase": _case(str.lower),
    "concat": lambda *texts: "".join(texts), "not": operator.not_, "=": operator.eq, "<": operator.lt,
    "schema_of_json": schema_of_json, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip


def folded(value: Expr) -> Literal | None:
    """The literal that an expression of constants is; None for what is not computed here."""
    if isinstance(value, Literal):
        return value
    if isinstance(value, Cast):
        inner = folded(value.value)
        return None if inner is None else _brought(inner, value.type)
    if isinstance(value, Case):
        return _chosen(value)
    if not isinstance(value, Call) or value.type.kind not in _KINDS:
        return None
    return _of_call(value)


def whole(value: Expr) -> int | None:
    """The whole number that an expression of constants is; None for others."""
    found = folded(value)
    if found is None or found.type.kind not in _BITS:
        return None
    return int(found.value) if found.value is not None else None


def _of_call(found: Call) -> Literal | None:
    given = [folded(a) for a in found.arguments]
    known = [g for g in given if g is not None and g.type.kind in _KINDS]
    compute = _COMPUTED.get(found.name)
    if compute is None or len(known) < len(given):
        return None
    values = [k.value for k in known]
    made = None if None in values else compute(*values)
    return None if made is None and None not in values else _fitting(made, found.type)


def _chosen(found: Case) -> Literal | None:
    for condition, value in found.branches:
        truth = folded(condition)
        if truth is None:
            return None
        if truth.value:
            return folded(value)
    return Literal(found.type, True, None) if found.otherwise is None else folded(found.otherwise)


def _brought(given: Literal, kind: SparkType) -> Literal | None:
    """The constant after a cast."""
    value, before = given.value, given.type.kind
    if value is None or given.type == kind or before == kind.kind == "string":
        return Literal(kind, value is None, value)
    if kind.kind in _BITS and before == "string":
        return _fitting(int(value), kind) if _WHOLE.match(value) else None
    if kind.kind in _BITS and before in _NUMBERS:
        return _fitting(int(value), kind) if isfinite(value) else None
    if kind == t.STRING and before in _BITS:
        return Literal(kind, False, str(value))
    return None


def _fitting(value: Any, kind: SparkType) -> Literal | None:
    bits = _BITS.get(kind.kind)
    if bits is not None and value is not None and not -(2**bits) <= value < 2**bits:
        return None
    return Literal(kind, value is None, value)
