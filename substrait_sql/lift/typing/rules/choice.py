"""Functions that choose among their arguments or compare them: all become one type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from substrait_sql.lift.typing import types as t
from substrait_sql.lift.typing.calls import Argument, Misused, recast
from substrait_sql.lift.typing.common import (
    of_all,
    tightest,
    wider,
    wider_decimal,
    wider_without_text,
    with_text,
)  # fmt: skip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.lift.typing.common import Finder
    from substrait_sql.lift.typing.types import SparkType

    Given = tuple[Argument, ...]
    Found = tuple[tuple[SparkType, ...], SparkType, bool]


def merged(arguments: Sequence[Argument], finder: Finder = wider) -> SparkType:
    """The type that all go into."""
    found = of_all([a.type for a in arguments], finder)
    if found is None:
        raise Misused(f"{' and '.join(str(a.type) for a in arguments)} have no type in common")
    return found


def condition(argument: Argument) -> SparkType:
    """The type of a condition: a truth value or NULL."""
    if argument.type.kind not in ("boolean", "void"):
        raise Misused(f"a condition must be a boolean, not {argument.type}")
    return t.BOOLEAN


def _all(arguments: Given, to: SparkType) -> tuple[SparkType, ...]:
    return (to,) * len(arguments)


def _coalesce(arguments: Given) -> Found:
    to = merged(arguments)
    return _all(arguments, to), to, all(recast(a, to).nullable for a in arguments)


def _extreme(arguments: Given) -> Found:
    to = merged(arguments, wider_without_text)
    if not t.is_orderable(to):
        raise Misused(f"values of the type {to} have no order")
    return _all(arguments, to), to, all(recast(a, to).nullable for a in arguments)


def _if(arguments: Given) -> Found:
    first, *rest = arguments
    to = merged(rest)
    types = (condition(first), to, to)
    return types, to, any(recast(a, to).nullable for a in rest)


def _nvl2(arguments: Given) -> Found:
    first, *rest = arguments
    to = merged(rest)
    return (first.type, to, to), to, any(recast(a, to).nullable for a in rest)


def _tested(argument: Argument) -> SparkType:
    """The type of a condition of CASE, where NULL alone has the wrong type."""
    if argument.type.kind == "void":
        raise Misused("a condition must be a boolean, not NULL without a type")
    return condition(argument)


def _when(arguments: Given) -> Found:
    """Conditions and values in turn, at the end what else."""
    values = [*arguments[1::2], *(arguments[-1:] if len(arguments) % 2 else ())]
    to = merged(values)
    types = [to] * len(arguments)
    for place in range(0, len(arguments) - 1, 2):
        types[place] = _tested(arguments[place])
    certain = any(a.value is True for a in arguments[: len(arguments) // 2 * 2 : 2])
    # Where a condition is TRUE itself, what else is not reached.
    reached = arguments[1::2] if certain else values
    nullable = (len(arguments) % 2 == 0 and not certain) or any(
        recast(a, to).nullable for a in reached
    )
    return tuple(types), to, nullable


def _decode(arguments: Given) -> Found:
    """A value, then pairs of what it may be and what it then becomes, at the end what else."""
    value, *rest = arguments
    options = rest[: len(rest) // 2 * 2 : 2]
    for each in options:
        compared((value, each))
    subject = _known_type(value, options)
    values = [*rest[1::2], *(rest[-1:] if len(rest) % 2 else ())]
    # What else is NULL as a text, if nothing is said: an int becomes a bigint then.
    to = merged(values if len(rest) % 2 else (*values, Argument(t.STRING, nullable=True)))
    types = [subject, *(a.type for a in rest)]
    for place in range(1, len(arguments) - 1, 2):
        types[place] = _known_type(arguments[place], (Argument(subject, nullable=True),))
    for place in range(2, len(arguments), 2):
        types[place] = to
    if len(rest) % 2:
        types[-1] = to
    nullable = len(rest) % 2 == 0 or any(recast(a, to).nullable for a in values)
    return tuple(types), to, nullable


def _known_type(value: Argument, others: Sequence[Argument]) -> SparkType:
    """The type of a value that is compared; NULL is of the type of the others."""
    found = [a.type for a in (value, *others) if a.type.kind != "void"]
    return found[0] if found else value.type


def _comparable(a: SparkType, b: SparkType) -> SparkType | None:
    """Texts inside of arrays and structs are not compared with anything else."""
    return tightest(a, b) or wider_decimal(a, b) or with_text(a, b)


def compared(arguments: Sequence[Argument]) -> SparkType:
    """The type as which values are compared, with = as well: it has to have an order."""
    to = merged(arguments, _comparable)
    if not t.is_orderable(to):
        raise Misused(f"values of the type {to} cannot be compared")
    return to


def _nullif(arguments: Given) -> Found:
    to = compared(arguments)
    if arguments[0].type.kind == "void":
        # NULL, whatever it is compared with, and of no type of its own.
        return (t.VOID, arguments[1].type), t.VOID, True
    known = (_known_type(a, arguments) for a in arguments)
    # An empty list is one of what it is compared with.
    first, second = (to if t.contains(kind, "void") else kind for kind in known)
    return (first, second), first, True


def _nullifzero(arguments: Given) -> Found:
    compared((arguments[0], Argument(t.INT, False, True, 0)))
    return (arguments[0].type,), arguments[0].type, True


def _zeroifnull(arguments: Given) -> Found:
    to = merged((arguments[0], Argument(t.INT, False, True, 0)))
    return (to,), to, False


def _equal_null(arguments: Given) -> Found:
    to = compared(arguments)
    return _all(arguments, to), t.BOOLEAN, False


def _in(arguments: Given) -> Found:
    to = compared(arguments)
    return _all(arguments, to), t.BOOLEAN, any(recast(a, to).nullable for a in arguments)


def _between(arguments: Given) -> Found:
    value, low, high = arguments
    first, second = compared((value, low)), compared((value, high))
    nullable = (
        recast(value, first).nullable or recast(low, first).nullable
        or recast(value, second).nullable or recast(high, second).nullable
    )  # fmt: skip
    return (value.type, first, second), t.BOOLEAN, nullable


def _logical(arguments: Given) -> Found:
    """AND and OR: a text counts as a truth value beside one."""
    for each in arguments:
        if each.type.kind not in ("boolean", "void", "string"):
            raise Misused(f"a condition must be a boolean, not {each.type}")
    kinds = {a.type.kind for a in arguments}
    if "string" in kinds and "boolean" not in kinds:
        raise Misused("one of two conditions must be a boolean")
    types = _all(arguments, t.BOOLEAN)
    return types, t.BOOLEAN, any(recast(a, t.BOOLEAN).nullable for a in arguments)


RULES = {
    "coalesce": _coalesce, "extreme": _extreme, "if": _if, "nvl2": _nvl2, "when": _when, "decode": _decode,
    "nullif": _nullif, "nullifzero": _nullifzero, "zeroifnull": _zeroifnull, "equal_null": _equal_null,
    "in": _in, "between": _between, "logical": _logical,
}  # fmt: skip
