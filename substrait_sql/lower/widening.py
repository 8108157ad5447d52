"""Casts to a wider type that Spark puts in by itself, so that nobody writes them: ``CAST(id AS BIGINT) + total``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from substrait_sql.lower.declared_types import INTEGERS
from substrait_sql.schema import types

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.lower.value import Value

_NUMBERS = {*INTEGERS, "fp32", "fp64"}


def without_widening(
    values: Sequence[Value],
    *,
    compares: bool = False,
    widens: bool = False,
    widens_all: bool = False,
) -> bool:
    """Makes values what they are without such casts, where they mean the same so; whether any is another one now.

    compares: they are only compared, and whole numbers are the same at any width. widens: Spark makes them as wide as
    the widest of them, so that one has to keep the type. widens_all: it makes whole numbers of one type of its own. A
    whole number that is a constant counts as wide as it is declared: who calls this writes it so wide.
    """
    bare = [v.narrow or v for v in values]
    if all(v is b for v, b in zip(values, bare, strict=True)):
        return False
    kinds = {types.kind(v.sql_type or v.type) or "" for v in bare}
    whole = kinds <= INTEGERS.keys()
    wide = {types.kind(v.type) for v in values if v.narrow}
    kept = kinds | {types.kind(v.type) for v in bare if v.literal is not None and whole}
    beside = (compares or widens) and wide <= kept and kinds <= _NUMBERS
    if not beside and not (whole and (widens_all or (compares and wide <= INTEGERS.keys()))):
        return False
    for value, narrow in zip(values, bare, strict=True):
        value.sql, value.sql_type = narrow.sql, narrow.sql_type or narrow.type
    return True
