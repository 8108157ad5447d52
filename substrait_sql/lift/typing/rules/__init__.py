"""What lines of signatures cannot say: rules, by the names that ``dialects/spark/signatures`` gives them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from substrait_sql.lift.typing.rules import (
    arithmetic,
    arrays,
    choice,
    datetimes,
    measures,
    numbers,
    structures,
    texts,
)  # fmt: skip

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from substrait_sql.lift.typing.calls import Argument
    from substrait_sql.lift.typing.types import SparkType

    Rule = Callable[[tuple[Argument, ...]], tuple[tuple[SparkType, ...], SparkType, bool]]

# The whole of it: the types of the arguments after the casts, the type, whether it can be NULL.
RULES: Mapping[str, Rule] = {
    **choice.RULES, **arrays.RULES, **structures.RULES, **arithmetic.RULES, **datetimes.RULES,
    **texts.RULES, **measures.RULES,
    "sum": measures.summed(numbers.RETURNS["sum"]), "average": measures.summed(numbers.RETURNS["average"]),
}  # fmt: skip
COERCIONS: Mapping[str, Callable[[tuple[Argument, ...]], tuple[SparkType, ...]]] = {
    **datetimes.COERCIONS,
    **numbers.COERCIONS,
    **arrays.COERCIONS,
    **texts.COERCIONS,
}
# The type in terms of the arguments after the casts.
RETURNS: Mapping[str, Callable[[Sequence[Argument]], SparkType]] = {
    **texts.RETURNS, **numbers.RETURNS, **structures.RETURNS, **measures.RETURNS,
    **datetimes.RETURNS,
}  # fmt: skip
NULLABLE: Mapping[str, Callable[[Sequence[Argument]], bool]] = {**texts.NULLABLE}
# What is wrong with arguments that have the right types; empty where nothing is.
CHECKS: Mapping[str, Callable[[Sequence[Argument]], str]] = {
    **arrays.CHECKS,
    **measures.CHECKS,
    **texts.CHECKS,
}
