"""RANGE frames whose ends are decimals, floats or intervals away, beside keys of other types and digits.

Expected: for each row, how many keys are at least so far and at most so far away in the direction of the order. A row
without a key sees its peers, and what an open end reaches.
https://substrait.io/expressions/window_functions/#window-bounds
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from decimal import Decimal
from itertools import product
from typing import TYPE_CHECKING, Any

import pytest

import substrait_sql
from tests.support import build
from tests.support.build import ASC, ASC_FIRST, DESC, DESC_FIRST, Expr, plan, virtual
from tests.support.build.physical import count_over

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_RANGE = 2
_OPEN = "unbounded"
DIRECTIONS = (ASC_FIRST, ASC, DESC, DESC_FIRST)
_DAY = dt.timedelta(days=1)
_HOURS = dt.timedelta(days=1, hours=2)

D = Decimal
# The type of the key, its values, and the types and values of offsets.
KEYS: dict[str, tuple[str, list[Any], list[tuple[str, Any]]]] = {
    "integers": (
        "i32?",
        [-(2**31), -3, 0, 1, 2, 2, 4, 2**31 - 1, None],
        [("dec<4,2>", D("0.25")), ("dec<4,2>", D("1.5")), ("fp64", 2.5), ("i64", 2)],
    ),
    "one digit": (
        "dec<2,1>?",
        [D("-9.9"), D("-0.3"), D(0), D("0.2"), D("0.3"), D("0.5"), D("9.9"), None],
        [("dec<5,2>", D("0.25")), ("dec<5,2>", D("100.50")), ("fp64", 0.5), ("i64", 2)],
    ),
    "floats": (
        "fp64?",
        [-1.5, 0.0, 0.5, 1.0, 2.5, None],
        [("dec<4,2>", D("0.5")), ("fp64", 1.5), ("i64", 1)],
    ),
    "dates": (
        "date?",
        [dt.date(2024, 1, 1), dt.date(2024, 1, 2), dt.date(2024, 1, 4), dt.date(2024, 2, 4), None],
        [("iday<6>", _DAY), ("iday<6>", 31 * _DAY), ("iday<6>", 0 * _DAY)],
    ),
    "moments": (
        "pts<6>?",
        [dt.datetime(2024, 1, 1, h) for h in (0, 1, 2)] + [dt.datetime(2024, 1, 2, 2), None],
        [("iday<6>", _DAY), ("iday<6>", _HOURS), ("iday<6>", 0 * _DAY)],
    ),
}


def _away(value: Any, type_: str) -> Expr:
    parts = (value.days, value.seconds, 0) if isinstance(value, dt.timedelta) else value
    return build.lit(parts, type_)


def _ends(offsets: list[tuple[str, Any]]) -> list[tuple[Any, Any]]:
    """Each end as the plan has it, and how far behind the current row it is; None for an open one."""
    found: list[tuple[Any, Any]] = [(_OPEN, None), ("current", 0)]
    for type_, offset in offsets:
        distance = offset if isinstance(offset, (int, dt.timedelta)) else D(offset)
        found.append((("preceding", _away(offset, type_)), -distance))
        found.append((("following", _away(offset, type_)), distance))
    return found


def _behind(key: Any, current: Any, descends: bool) -> Any:
    if isinstance(key, float):
        key, current = D(key), D(current)
    return current - key if descends else key - current


def _seen(keys: list[Any], current: Any, direction: Any, low: Any, high: Any) -> int:
    descends, nulls_first = direction in (DESC, DESC_FIRST), direction in (ASC_FIRST, DESC_FIRST)
    before, after = low is None and nulls_first, high is None and not nulls_first
    nulls, known = keys.count(None), [k for k in keys if k is not None]
    if current is None:
        others = (high is None) if nulls_first else (low is None)
        return nulls + (len(known) if others else 0)
    zero = dt.timedelta(0) if isinstance(known[0], dt.date) else 0
    low, high = (zero if end == 0 else end for end in (low, high))
    gaps = [_behind(k, current, descends) for k in known]
    inside = [g for g in gaps if (low is None or g >= low) and (high is None or g <= high)]
    return len(inside) + (nulls if before or after else 0)


@pytest.mark.parametrize("name", KEYS)
def test_offsets_beside_keys_of_other_types(spark: SparkSession, name: str) -> None:
    """Every pair of ends, in all four directions by turns: each row sees so many keys."""
    type_, keys, offsets = KEYS[name]
    source = virtual(f"k:{type_}", *((k,) for k in keys))
    pairs = list(product(_ends(offsets), repeat=2))
    for at in range(0, len(pairs), 25):
        part = [
            (pair, DIRECTIONS[i % 4]) for i, pair in enumerate(pairs[at : at + 25], start=at // 25)
        ]
        made = source.project(
            lambda r, part=part: [
                count_over(
                    build.lit(1, "i32"),
                    (r[0], direction),
                    bounds=_RANGE,
                    lower=low[0],
                    upper=high[0],
                )
                for (low, high), direction in part
            ]
        )
        names = "k " + " ".join(f"c{i}" for i in range(len(part)))
        found = Counter(map(tuple, substrait_sql.execute(spark, plan((made, names))).collect()))
        expected = Counter(
            (k, *(_seen(keys, k, way, low[1], high[1]) for (low, high), way in part)) for k in keys
        )
        assert found == expected


@pytest.mark.parametrize(
    ("key", "lower", "upper", "code"),
    [
        ("i32", ("dec<2,1>", D("-1.5")), None, "SS2174"),
        ("fp64", ("fp64", float("nan")), None, "SS2175"),
        ("date", ("iday<6>", -_DAY), None, "SS2174"),
        ("date", ("iday<6>", _HOURS), None, "SS2175"),
        ("date", ("iday<6>", _DAY), ("iyear", (0, 1)), "SS2175"),
        ("date", ("iday<6>", _DAY), ("i64", 1), "SS2175"),
        ("date", ("string", "1"), None, "SS2174"),
    ],
)
def test_offsets_that_are_none(
    key: str, lower: tuple[str, Any], upper: tuple[str, Any] | None, code: str
) -> None:
    """What is negative, of two kinds or no distance is refused at its place."""
    above: Any = "current" if upper is None else ("following", _away(upper[1], upper[0]))
    below = ("preceding", _away(lower[1], lower[0]))
    source = build.table("t", f"k:{key}")
    made = source.project(
        lambda r: [
            count_over(build.lit(1, "i32"), (r[0], ASC), bounds=_RANGE, lower=below, upper=above)
        ]
    )
    with pytest.raises(substrait_sql.SubstraitSqlError, match=code) as raised:
        substrait_sql.to_sql(plan((made, "k c")))
    assert "window_function" in str(raised.value)
