"""What is said of a result that has other digits after the point than the plan declares (docs/types.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from substrait_sql.schema import types

if TYPE_CHECKING:
    from substrait_sql.dialect.facts import Facts
    from substrait_sql.dialect.model import Built, Call
    from substrait_sql.lower.context import Context

_EXACT = frozenset({None, "decimal", "i8", "i16", "i32", "i64"})


def warn_of_digits(call: Call, built: Built, facts: Facts, cx: Context) -> None:
    """Warns of a decimal that is kept with more places than declared, or that Spark has fewer places for.

    Of types that the plan leaves to the catalog, nothing is known but that the producer counts digits in another way.
    """
    declared: Any = call.output_type
    if cx.habits.cuts_quotients and facts.rounds_decimals and _may_be_decimal(call):
        cx.note(
            "SS1110",
            "the plan leaves types to the catalog: arithmetic and averages of decimals have the digits of Spark",
            call.path,
            "run it with its tables",
        )
    if call.output_kind != "decimal":
        return
    held: Any = built.sql_type if built.sql_type is not None else built.type
    if types.kind(held) != "decimal":
        return
    name = call.function.name
    if not types.same_value(built.type, declared):
        cx.note(
            "SS1110",
            f"{name} is declared as {types.text(declared)}: its value is kept, as {types.text(built.type)}",
            call.path,
            "cast the result to cut or round it",
        )
    elif facts.rounds_decimals and held.decimal.scale < declared.decimal.scale:
        cx.note(
            "SS1110",
            f"{name} is declared as {types.text(declared)}: Spark computes it as {types.text(held)}",
            call.path,
            "cast the arguments to shorter decimals",
        )


def _may_be_decimal(call: Call) -> bool:
    """Whether an argument is of unknown type, and none is what makes the result something else than a decimal."""
    if call.output_kind not in (None, "decimal"):
        return False
    kinds = {types.kind(a.type) for a in call.valued}
    return None in kinds and kinds <= _EXACT
