"""What Spark makes of a call of one of its functions: its arguments cast, its type, or a refusal.

https://spark.apache.org/docs/latest/api/sql/ lists them; the lines are in ``dialects/spark/signatures``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from substrait_sql.lift.typing import results
from substrait_sql.lift.typing.calls import (
    Argument,
    Misused,
    Resolved,
    Unknown,
    as_number,
    ordinal,
    recast,
)
from substrait_sql.lift.typing.casts import can_cast, exact, given, implicit
from substrait_sql.lift.typing.rules import CHECKS, COERCIONS, NULLABLE, RETURNS, RULES
from substrait_sql.lift.typing.rules.lambdas import lambda_parameters
from substrait_sql.lift.typing.table import Signature, known

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.lift.typing.casts import Expected
    from substrait_sql.lift.typing.types import SparkType

__all__ = [
    "Argument", "Misused", "Resolved", "Signature", "Unknown", "known", "lambda_parameters", "resolve",
]  # fmt: skip


def resolve(name: str, arguments: Sequence[Argument]) -> Resolved:
    """The call as Spark types it.

    Raises `Unknown` for a name that Spark does not have, `Misused` where it refuses the arguments.
    """
    line = known(name)
    if line is None:
        raise Unknown(f"Spark has no function {name}")
    signature = line.of(len(arguments))
    if signature is None:
        raise Misused(f"{line.name} takes {_counts(line)}, not {len(arguments)}")
    _constants(signature, arguments)
    _within(signature, arguments)
    if signature.rule:
        types, kind, nullable = RULES[signature.rule](tuple(arguments))
    else:
        types = coerced(signature, arguments)
        cast = [recast(a, to) for a, to in zip(arguments, types, strict=True)]
        if signature.check and (problem := CHECKS[signature.check](cast)):
            raise Misused(f"{line.name} {problem}")
        kind = _type(signature, cast)
        nullable = _nullable(signature, cast)
    return Resolved(line.name, signature.kind, types, kind, nullable, signature.deterministic)


def coerced(signature: Signature, arguments: Sequence[Argument]) -> tuple[SparkType, ...]:
    """The types of the arguments after the casts that Spark adds."""
    if signature.coercion in COERCIONS:
        return COERCIONS[signature.coercion](tuple(arguments))
    cast = {"implicit": implicit, "exact": exact, "given": given}[signature.coercion]
    out: list[SparkType] = []
    for place, argument in enumerate(arguments):
        expected = signature.expected(place)
        found = cast(argument.type, expected)
        if found is None:
            raise Misused(
                f"the {ordinal(place)} argument of {signature.name} must be {said(expected)}, not {argument.type}"
            )
        if not can_cast(argument.type, found):
            raise Misused(f"{argument.type} cannot be cast to {found} for {signature.name}")
        out.append(found)
    return tuple(out)


def said(expected: Expected) -> str:
    """What an argument shall be, in words."""
    if isinstance(expected, tuple):
        return " or ".join(map(str, expected))
    return str(expected)


def _counts(signature: Signature) -> str:
    every = [signature, *signature.others]
    least = min(s.least for s in every)
    if any(s.variadic is not None for s in every):
        return f"at least {least} {_arguments(least)}"
    most = max(len(s.args) for s in every)
    return f"{least} {_arguments(least)}" if least == most else f"{least} to {most} arguments"


def _arguments(count: int) -> str:
    return "argument" if count == 1 else "arguments"


def _constants(signature: Signature, arguments: Sequence[Argument]) -> None:
    for place in signature.constant:
        if place <= len(arguments) and not arguments[place - 1].constant:
            raise Misused(
                f"the {ordinal(place - 1)} argument of {signature.name} must be a constant"
            )


def _within(signature: Signature, arguments: Sequence[Argument]) -> None:
    """Whether constants are in their range, or among the words that are allowed."""
    for place, allowed in signature.within.items():
        if place > len(arguments):
            continue
        value = arguments[place - 1].value
        fits = arguments[place - 1].type.kind != "void" or None in allowed
        if isinstance(allowed[0], str):
            fits &= arguments[place - 1].type.kind in ("string", "void")
            fits &= value is None or str(value).lower() in allowed
        elif value is not None:
            least, most = (float(a) for a in allowed[:2] if a is not None)
            fits &= (number := as_number(value)) is not None and least <= number <= most
        if not fits:
            shown = "NULL" if value is None else repr(value)
            raise Misused(
                f"the {ordinal(place - 1)} argument of {signature.name} cannot be {shown}"
            )


def _type(signature: Signature, arguments: Sequence[Argument]) -> SparkType:
    rule = RETURNS.get(signature.returns)
    return rule(arguments) if rule else results.said(signature.returns, arguments)


def _nullable(signature: Signature, arguments: Sequence[Argument]) -> bool:
    found = results.nullable(signature.nullable, arguments)
    return NULLABLE[signature.nullable](arguments) if found is None else found
