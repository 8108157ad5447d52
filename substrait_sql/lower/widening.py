"""Casts to a wider type that Spark puts in by itself, so that nobody writes them: ``CAST(id AS BIGINT) + total``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.dialect.operators import is_bare_decimal
from substrait_sql.dialect.results import as_decimal, meet, widest
from substrait_sql.lower.common_type import held
from substrait_sql.lower.declared_types import INTEGERS, NUMBERS
from substrait_sql.lower.value import Value
from substrait_sql.schema import types

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from substrait_sql.dialect.facts import Facts

_INT, _BIGINT = range(-(1 << 31), 1 << 31), range(-(1 << 63), 1 << 63)


def without_widening(values: Sequence[Value], facts: Facts, *, asks_null: bool = False) -> bool:
    """Makes values what they are without such casts, where they mean the same so; whether any is another one now.

    facts: of the function that takes them. A whole number that is a constant counts as wide as it is declared: who
    calls this writes it so wide. asks_null: it is only asked whether they are NULL, which no such cast decides.
    """
    for value in values:
        if value.narrow is not None:
            break
    else:
        return False
    bare = [v.narrow or v for v in values]
    if not asks_null:
        ways = _ways(values, bare, facts)
        found = next((way for way in ways if _means_the_same(values, way, facts)), None)
        if found is None:
            return False
        bare = found
    for value, narrow in zip(values, bare, strict=True):
        if value is narrow:
            if facts.one_type and is_bare_decimal(value.sql, value.type):
                value.sql_type = written_type(value)
            continue
        value.coerced = not (asks_null or facts.compares or facts.at_any_width)
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


def are_as_wide(values: Sequence[Value]) -> bool:
    """Whether the one decimal that Spark makes of values as they are written is that of their declared types."""
    written = [written_type(v) for v in values]
    found = widest(written)
    same = types.same(found, widest([v.type for v in values]))
    return types.kind(found) == "decimal" and same and meet(written)


def _ways(values: Sequence[Value], bare: list[Value], facts: Facts) -> Iterator[list[Value]]:
    """Without the casts; then with what makes all of them as wide: a constant of another type, or one of the casts."""
    yield bare
    if facts.one_type:
        for i, value in enumerate(bare):
            long = _as_long(value)
            if long is not None:
                yield [*bare[:i], long, *bare[i + 1 :]]
                break
    first = next(i for i, v in enumerate(values) if v.narrow)
    bare = [*bare[:first], values[first], *bare[first + 1 :]]
    if bare != list(values):
        yield bare


def _as_long(value: Value) -> Value | None:
    """A constant of a decimal type as a BIGINT: ``0L``; None for anything else."""
    node = value.sql
    if types.kind(value.type) != "decimal" or type(node) is not exp.Literal or node.is_string:
        return None
    whole, _, places = node.name.partition(".")
    if places.strip("0") or int(whole) not in _BIGINT:
        return None
    return Value(exp.Var(this=f"{whole}L"), value.type, types.i64())


def _means_the_same(values: Sequence[Value], bare: Sequence[Value], facts: Facts) -> bool:
    """Whether Spark makes of the bare values by itself what they are cast to, or it is nothing to the function."""
    kinds = {types.kind(held(v)) or "" for v in bare}
    if not kinds <= NUMBERS:
        return False
    wide = {types.kind(v.type) for v, b in zip(values, bare, strict=True) if v is not b}
    if facts.doubles and wide == {"fp64"}:
        return True
    if "decimal" not in wide:
        return _widen_by_kind(bare, kinds, wide, facts)
    if wide != {"decimal"} or not kinds <= {*INTEGERS, "decimal"}:
        return False
    if facts.compares:
        return meet([held(b) for b in bare], short=True)
    if facts.at_any_width:
        return "decimal" in kinds and meet([held(b) for b in bare], short=True)
    if facts.one_type:
        return _widest_is_the_same(values, bare)
    return facts.widens and _widen(values, bare)


def _widen_by_kind(
    bare: Sequence[Value],
    kinds: set[str],
    wide: set[str | None],
    facts: Facts,
) -> bool:
    """Whether whole numbers and floats become what they are cast to."""
    whole = kinds <= INTEGERS.keys()
    kept = kinds | {types.kind(v.type) for v in bare if v.literal is not None and whole}
    if (facts.compares or facts.widens or facts.one_type) and wide <= kept:
        return True
    return whole and (facts.widens_all or (facts.compares and wide <= INTEGERS.keys()))


def _widest_is_the_same(values: Sequence[Value], bare: Sequence[Value]) -> bool:
    """Whether the one decimal that Spark makes of all of them is the same with the casts and without."""
    if any(b.literal is not None and not is_bare_decimal(b.sql, b.type) for b in bare):
        return False
    written = [written_type(b) for b in bare]
    found = widest(written)
    same = types.same(found, widest([written_type(v) for v in values]))
    return types.kind(found) == "decimal" and same and meet(written)


def written_type(value: Value) -> Any:
    """The type that Spark gives the text of a value beside others: ``0`` is an INT, whatever it is declared as."""
    if not is_bare_decimal(value.sql, value.type):
        return held(value)
    number = int(value.sql.name)
    return types.i32() if number in _INT else types.i64() if number in _BIGINT else None


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
