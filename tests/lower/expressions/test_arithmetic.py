"""Integers and decimals at the ends of their ranges, under every overflow option, against Python's own arithmetic."""

from __future__ import annotations

import decimal
import itertools
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest

import substrait_sql
from substrait_sql import UnsupportedError
from tests.support import build
from tests.support.plan_types import nullable, type_of
from tests.support.run import last_rows

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

UNSIGNED = "extension:io.substrait:unsigned_integers"
SIGNED = {f"i{bits}": (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) for bits in (8, 16, 32, 64)}
RANGES = SIGNED | {f"u!u{bits}": (0, 2**bits - 1) for bits in (8, 16, 32, 64)}
MOST = 10**38 - 1
LONG = [-MOST, -(2**120), -(2**60) - 1, -1, 0, 1, 7, 2**60, 2**120 + 5, MOST, None]


def wrapped(value: int, low: int, high: int) -> int:
    return (value - low) % (high - low + 1) + low


def quotient(a: int, b: int) -> int | None:
    return None if b == 0 else abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def over_null(make: Any) -> Any:
    return lambda a, b: None if a is None or b is None else make(a, b)


def saturated(make: Any, low: int, high: int) -> Any:
    def value(a: int, b: int) -> int | None:
        found = make(a, b)
        return None if found is None else max(low, min(found, high))

    return value


def silent(make: Any, low: int, high: int) -> Any:
    def value(a: int, b: int) -> int | None:
        found = make(a, b)
        return None if found is None else wrapped(found, low, high)

    return value


def operations(t: str) -> list[tuple[str, dict[str, str], Any]]:
    """The functions of an integer type: name, options, what Python says."""
    low, high = RANGES[t]
    found: list[tuple[str, dict[str, str], Any]] = []
    for name, make in (
        ("add", lambda a, b: a + b),
        ("subtract", lambda a, b: a - b),
        ("multiply", lambda a, b: a * b),
    ):
        found.append((name, {"overflow": "SATURATE"}, saturated(make, low, high)))
        found.append((name, {"overflow": "SILENT"}, silent(make, low, high)))
    by_zero = {"on_division_by_zero": "NULL"}
    if t in SIGNED:
        found.append(("divide", {"overflow": "SATURATE"} | by_zero, saturated(quotient, low, high)))
        found.append(("divide", {"overflow": "SILENT"} | by_zero, silent(quotient, low, high)))
        options = {"division_type": "FLOOR", "on_domain_error": "NULL"}
        found.append(("modulus", options, lambda a, b: None if b == 0 else a % b))
    else:
        found.append(("divide", by_zero, quotient))
    return found


def edges(t: str) -> list[int | None]:
    low, high = RANGES[t]
    small = [v for v in (-7, -1, 0, 1, 2, 7, 2**32) if low <= v <= high]
    return [low, low + 1, *small, high // 2 + 1, high - 1, high, None]


def compare(
    spark: SparkSession, types: str, values: list[Any], made: list[tuple[Any, Any]], cell: Any
) -> None:
    """Run calls over all pairs of values. made: pairs of what makes the call of a row, and what it is to return."""
    pairs = list(itertools.product(values, values))
    rows = [tuple(None if v is None else cell(v) for v in pair) for pair in pairs]
    source = build.virtual(types, *rows)
    relation = source.project(lambda r: [call(r) for call, _ in made])
    names = " ".join(f"c{i}" for i in range(2 + len(made)))
    got = {
        tuple(None if v is None else int(v) for v in row[:2]): row[2:]
        for row in last_rows(spark, build.plan((relation, names)), {})
    }
    for pair in pairs:
        want = [over_null(value)(*pair) for _, value in made]
        assert [None if v is None else int(v) for v in got[pair]] == want, pair


@pytest.mark.parametrize("t", RANGES)
def test_integers(spark: SparkSession, t: str) -> None:
    file = "arithmetic" if t in SIGNED else UNSIGNED
    made = [
        (
            lambda r, name=name, options=options: build.call(
                file, f"{name}:{t}_{t}", nullable(type_of(t)), r[0], r[1], **options
            ),
            value,
        )
        for name, options, value in operations(t)
    ]
    compare(spark, f"a:{t}? b:{t}?", edges(t), made, int if t in SIGNED else str)


def test_decimals(spark: SparkSession) -> None:
    made = [
        (
            lambda r, name=name, options=options: build.call(
                "arithmetic_decimal", f"{name}:dec_dec", "dec<38,0>?", r[0], r[1], **options
            ),
            value,
        )
        for name, options, value in (
            ("bitwise_and", {}, lambda a, b: _fits(a & b)),
            ("bitwise_xor", {}, lambda a, b: _fits(a ^ b)),
            ("add", {"overflow": "SATURATE"}, saturated(lambda a, b: a + b, -MOST, MOST)),
            ("subtract", {"overflow": "SATURATE"}, saturated(lambda a, b: a - b, -MOST, MOST)),
            ("multiply", {"overflow": "SATURATE"}, saturated(lambda a, b: a * b, -MOST, MOST)),
        )
    ]
    # All bits of a pair must fit: with the longest numbers they do not, and Spark fails.
    short = [v for v in LONG if v is None or abs(v) != MOST]
    compare(spark, "a:dec<38,0>? b:dec<38,0>?", short, made, Decimal)
    compare(spark, "a:dec<38,0>? b:dec<38,0>?", LONG, made[2:], Decimal)


def _fits(value: int) -> int:
    assert abs(value) <= MOST
    return value


PYTHONS = {
    "TIE_TO_EVEN": decimal.ROUND_HALF_EVEN,
    "TIE_AWAY_FROM_ZERO": decimal.ROUND_HALF_UP,
    "TIE_TOWARDS_ZERO": decimal.ROUND_HALF_DOWN,
    "TRUNCATE": decimal.ROUND_DOWN,
    "AWAY_FROM_ZERO": decimal.ROUND_UP,
    "CEILING": decimal.ROUND_CEILING,
    "FLOOR": decimal.ROUND_FLOOR,
}


def test_rounding(spark: SparkSession) -> None:
    """All values of three digits, to every place, in the modes that Python has."""
    values = [Decimal(n) / 100 for n in range(-350, 351)]
    source = build.virtual("x:dec<3,2> y:fp64", *[(str(v), float(v)) for v in values])
    cells = [(mode, places) for mode in PYTHONS for places in (0, 1)]

    def calls(r: build.Row) -> list[build.Expr]:
        found = []
        for mode, places in cells:
            at = build.lit(places, "i32")
            file = "rounding_decimal"
            found.append(build.call(file, "round:dec_i32", "dec<4,2>?", r[0], at, rounding=mode))
            found.append(build.call("rounding", "round:fp64_i32", "fp64?", r[1], at, rounding=mode))
        return found

    names = " ".join(f"c{i}" for i in range(2 + 2 * len(cells)))
    for row in last_rows(spark, build.plan((source.project(calls), names)), {}):
        for i, (mode, places) in enumerate(cells):
            unit = Decimal(1).scaleb(-places)
            want = row[0].quantize(unit, rounding=PYTHONS[mode])
            exact, inexact = row[2 + 2 * i : 4 + 2 * i]
            assert exact == want, (row[0], mode, places)
            assert inexact == float(want), (row[1], mode, places)


@pytest.mark.parametrize(
    "condition",
    [
        lambda x, y: build.is_null(build.coalesce(x, y)),
        lambda x, _: build.switch(
            x,
            (build.lit(10**37, "dec<38,0>"), build.lit(True, "bool")),
            otherwise=build.lit(False, "bool"),
        ),
        lambda x, y: build.one_of(build.add(x, x), y, y),
    ],
)
def test_decimals_too_far_apart_are_refused(condition: Any) -> None:
    """No decimal of 38 digits holds both, and Spark would round 1.5 to 2: a value of both, arms, a long needle."""
    source = build.table("t", "x:dec<38,10>? y:dec<38,0>?")
    with pytest.raises(UnsupportedError, match=r"no decimal holds .*38, ?10.* and .*38, ?0"):
        substrait_sql.to_sql(build.plan((source.filter(lambda r: condition(r[0], r[1])), "x y")))
