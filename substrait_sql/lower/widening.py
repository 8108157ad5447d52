"""Casts to a wider type that Spark puts in by itself, so that nobody writes them: ``CAST(id AS BIGINT) + total``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from substrait_sql.dialect.operators import is_bare_decimal
from substrait_sql.dialect.results import as_decimal, meet
from substrait_sql.lower.common_type import held
from substrait_sql.lower.declared_types import INTEGERS
from substrait_sql.schema import types

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.lower.value import Value

_NUMBERS = {*INTEGERS, "decimal", "fp32", "fp64"}


def without_widening(
    values: Sequence[Value],
    *,
    compares: bool = False,
    widens: bool = False,
    widens_all: bool = False,
    at_any_width: bool = False,
    asks_null: bool = False,
) -> bool:
    """Makes values what they are without such casts, where they mean the same so; whether any is another one now.

    compares: they are only compared, and exact numbers are the same at any width. widens: Spark makes them as wide as
    the widest of them, so that one has to keep the type. widens_all: it makes whole numbers of one type of its own.
    at_any_width: they are not only compared, but decimals may be of any width all the same. A whole number that is a
    constant counts as wide as it is declared: who calls this writes it so wide. asks_null: it is only asked whether
    they are NULL, which no such cast decides.
    """
    bare = [v.narrow or v for v in values]
    if all(v is b for v, b in zip(values, bare, strict=True)):
        return False
    kinds = {types.kind(v.sql_type or v.type) or "" for v in bare}
    wide = {types.kind(v.type) for v in values if v.narrow}
    if not kinds <= _NUMBERS:
        return False
    if asks_null:
        pass
    elif "decimal" in wide:
        decimals_do = wide == {"decimal"} and kinds <= {*INTEGERS, "decimal"}
        if not decimals_do or not (
            _compare_alike(bare)
            if compares or at_any_width
            else widens and not widens_all and _widen(values, bare)
        ):
            return False
    elif not _widen_by_kind(bare, kinds, wide, compares, widens, widens_all):
        if wide != {"fp64"} or not (compares or widens):
            return False
        # One of them says what the others are to be.
        first = next(i for i, v in enumerate(values) if v.narrow)
        bare[first] = values[first]
    for value, narrow in zip(values, bare, strict=True):
        if value is narrow:
            continue
        value.sql, value.sql_type = narrow.sql, narrow.sql_type or narrow.type
    return True


def without_doubles(values: Sequence[Value]) -> None:
    """Makes values the whole numbers that they are without a cast to a double, which the function makes of them."""
    for value in values:
        bare = value.narrow
        if (
            bare is not None
            and types.kind(value.type) == "fp64"
            and types.kind(held(bare)) in INTEGERS
        ):
            value.sql = bare.sql


def _widen_by_kind(
    bare: Sequence[Value],
    kinds: set[str],
    wide: set[str | None],
    compares: bool,
    widens: bool,
    widens_all: bool,
) -> bool:
    """Whether whole numbers and floats become what they are cast to."""
    whole = kinds <= INTEGERS.keys()
    kept = kinds | {types.kind(v.type) for v in bare if v.literal is not None and whole}
    if (compares or widens) and wide <= kept:
        return True
    return whole and (widens_all or (compares and wide <= INTEGERS.keys()))


def _compare_alike(bare: Sequence[Value]) -> bool:
    """Whether Spark finds one decimal that holds all of these, to compare them as it."""
    held = [v.sql_type or v.type for v in bare]
    return any(types.kind(t) == "decimal" for t in held) and meet(held, short=True)


def _widen(values: Sequence[Value], bare: Sequence[Value]) -> bool:
    """Whether each whole number is cast to the very decimal that Spark makes of it beside another decimal."""
    exact = all(
        as_decimal(v.type) == as_decimal(b.sql_type or b.type) and b.literal is None
        for v, b in zip(values, bare, strict=True)
        if v is not b
    )
    return exact and any(
        types.kind(b.sql_type or b.type) == "decimal" and not is_bare_decimal(b.sql, b.type)
        for b in bare
    )
