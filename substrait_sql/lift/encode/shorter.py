"""What a plan can say with fewer casts than Spark puts in, and mean the same."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from substrait_sql.lift.tree import Call, Cast, Expr, Literal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.lift.typing.types import SparkType

_COMPARISONS = ("=", "<=>", "<", "<=", ">", ">=", "<>")
_BITS = {"tinyint": 7, "smallint": 15, "int": 31, "bigint": 63}


def compared(found: Call) -> Call:
    """A comparison of a column with constants that its own type has: no need to make the column wider."""
    if found.name not in _COMPARISONS:
        return found
    return replace(found, arguments=tuple(narrow(found.arguments)))


def narrow(values: Sequence[Expr]) -> Sequence[Expr]:
    """Values that are compared, integers that Spark widens and constants, in the integers' own type."""
    widened = [v for v in values if isinstance(v, Cast)]
    if not widened or not all(map(_is_widened, widened)):
        return values
    kind = widened[0].value.type
    rest = [v for v in values if not isinstance(v, Cast)]
    if any(v.value.type != kind for v in widened) or not all(_has(kind, v) for v in rest):
        return values
    return [v.value if isinstance(v, Cast) else replace(v, type=kind) for v in values]


def alike(low: Call, high: Call) -> tuple[Call, Call]:
    """Both comparisons of one integer in the wider of their types: Spark compares it with each bound in its own."""
    values = [_bare(c.arguments[0]) for c in (low, high)]
    kinds = [c.arguments[0].type for c in (low, high)]
    if values[0] != values[1] or any(k.kind not in _BITS for k in kinds):
        return low, high
    wide = max(kinds, key=lambda k: _BITS[k.kind])
    made = (replace(c, arguments=tuple(_at(wide, a) for a in c.arguments)) for c in (low, high))
    return next(made), next(made)


def _bare(found: Expr) -> Expr:
    return found.value if isinstance(found, Cast) and _is_widened(found) else found


def _at(kind: SparkType, found: Expr) -> Expr:
    bare = _bare(found)
    if bare.type == kind:
        return bare
    if _has(kind, bare):
        return replace(bare, type=kind)
    return Cast(kind, bare.nullable, bare)


def _is_widened(found: Cast) -> bool:
    kinds = found.value.type.kind, found.type.kind
    if found.asked or found.attempt or not all(k in _BITS for k in kinds):
        return False
    given, wide = (_BITS[k] for k in kinds)
    return given < wide


def _has(kind: SparkType, found: Expr) -> bool:
    if (
        not isinstance(found, Literal)
        or not isinstance(found.value, int)
        or found.type.kind not in _BITS
    ):
        return False
    limit = 1 << _BITS[kind.kind]
    return -limit <= found.value < limit
