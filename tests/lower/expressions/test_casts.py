"""Casts between all types: values worked by hand, as columns and as literals, under each failure behaviour."""

from __future__ import annotations

import datetime as dt
import itertools
import math
import random
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest

import substrait_sql
from substrait_sql.lower.expressions.casts import conversions
from substrait_sql.schema import types as ty
from substrait_sql.wire.descriptors import message
from tests.support import build
from tests.support.plan_types import fp32, type_of
from tests.support.run import collect

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pyspark.sql import SparkSession

NAN, INF = math.nan, math.inf
LOW_ID = "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"
ID_BYTES = bytes.fromhex(LOW_ID.replace("-", ""))
DAY = dt.date(2020, 2, 29)


def at(*parts: int) -> dt.datetime:
    return dt.datetime(*parts)  # type: ignore[arg-type]


def utc(*parts: int) -> dt.datetime:
    return dt.datetime(*parts, tzinfo=dt.UTC)  # type: ignore[arg-type,misc]


def span(days: int = 0, seconds: int = 0, micros: int = 0) -> dt.timedelta:
    return dt.timedelta(days, seconds, micros)


@dataclass(frozen=True)
class Cast:
    """Values of a type and what they are under another; `bad` are those that the other has nothing for.

    halfway: what RETURN_NULL makes of bad values of nested types, of which only a part is NULL.
    """

    source: str
    target: str
    good: Sequence[tuple[Any, Any]]
    bad: Sequence[Any] = ()
    halfway: Sequence[tuple[Any, Any]] = field(default=())


SCALARS = [
    # Booleans are one and zero.
    Cast("bool?", "i8?", [(True, 1), (False, 0)]),
    Cast("bool?", "fp64?", [(True, 1.0), (False, 0.0)]),
    Cast("bool?", "dec<3,1>?", [(True, Decimal("1.0"))]),
    Cast("bool?", "u!u8?", [(True, 1), (False, 0)]),
    Cast("bool?", "str?", [(True, "true"), (False, "false")]),
    Cast("bool?", "vchar<2>?", [(True, "tr")]),
    Cast("i32?", "bool?", [(0, False), (2, True), (-1, True)]),
    Cast("fp64?", "bool?", [(0.0, False), (-0.0, False), (0.1, True)]),
    Cast("dec<9,2>?", "bool?", [("0.00", False), ("0.01", True)]),
    Cast("u!u8?", "bool?", [("0", False), ("255", True)]),
    # Integers.
    Cast("i8?", "i64?", [(-128, -128), (127, 127)]),
    Cast("i64?", "i8?", [(127, 127), (-128, -128)], [128, -129, 2**63 - 1]),
    Cast("i64?", "i32?", [(-(2**31), -(2**31))], [2**31]),
    Cast("i64?", "fp32?", [(2**24 + 1, 2.0**24), (-5, -5.0)]),
    Cast("i64?", "fp64?", [(2**53 + 1, 2.0**53), (2**63 - 1, 2.0**63)]),
    Cast("i64?", "dec<3,1>?", [(99, Decimal("99.0")), (-99, Decimal("-99.0"))], [100]),
    Cast("i64?", "u!u8?", [(0, 0), (255, 255)], [-1, 256]),
    Cast("i16?", "u!u16?", [(0, 0), (32767, 32767)], [-1]),
    Cast("i64?", "u!u32?", [(2**32 - 1, 2**32 - 1)], [2**32, -(2**63)]),
    Cast("i64?", "u!u64?", [(2**63 - 1, Decimal(2**63 - 1)), (0, Decimal(0))], [-1]),
    Cast("i32?", "str?", [(-5, "-5"), (2**31 - 1, "2147483647")]),
    Cast("i32?", "vchar<3>?", [(12345, "123"), (7, "7")]),
    # Floats lose what stands after the point.
    Cast("fp64?", "i32?", [(2147483647.9, 2**31 - 1), (-0.9, 0), (-1.9, -1)], [2.0**31, NAN, INF]),
    Cast("fp32?", "i64?", [(16777216.0, 2**24)], [fp32(1e19), -INF]),
    Cast("fp64?", "fp32?", [(0.1, fp32(0.1)), (-INF, -INF), (NAN, NAN)]),
    Cast("fp32?", "fp64?", [(fp32(0.1), 0.10000000149011612), (NAN, NAN)]),
    Cast(
        "fp64?",
        "dec<5,2>?",
        [(2.5, Decimal("2.50")), (1.125, Decimal("1.13")), (-1.125, Decimal("-1.13"))],
        [1000.0, NAN, INF, -INF],
    ),
    Cast("fp32?", "dec<20,18>?", [(0.5, Decimal("0.5")), (-1.25, Decimal("-1.25"))], [NAN]),
    Cast("fp64?", "u!u8?", [(255.9, 255), (-0.9, 0)], [256.0, -1.0, NAN, INF, -INF]),
    Cast("fp32?", "u!u32?", [(4294967040.0, 4294967040)], [2.0**32]),
    Cast(
        "fp64?",
        "u!u64?",
        [
            (1.5, Decimal(1)),
            (-0.5, Decimal(0)),
            (2.0**63, Decimal(2**63)),
            (18446744073709549568.0, Decimal(18446744073709549568)),
        ],
        [2.0**64, -1.0, NAN],
    ),
    Cast("fp64?", "str?", [(1.5, "1.5"), (-0.25, "-0.25"), (NAN, "NaN")]),
    Cast("fp64?", "fchar<2>?", [(1.5, "1.")]),
    # Decimals: to integers as floats, among each other rounded, ties away from zero.
    Cast("dec<9,2>?", "i8?", [("1.99", 1), ("-1.99", -1), ("127.99", 127)], ["128.00"]),
    Cast("dec<9,2>?", "fp64?", [("0.10", 0.1)]),
    Cast("dec<9,2>?", "fp32?", [("0.10", fp32(0.1))]),
    Cast(
        "dec<9,2>?",
        "dec<3,1>?",
        [("1.25", Decimal("1.3")), ("-1.25", Decimal("-1.3")), ("1.24", Decimal("1.2"))],
        ["99.95", "-1000.00"],
    ),
    Cast("dec<9,2>?", "dec<38,10>?", [("1.25", Decimal("1.25"))]),
    Cast("dec<9,2>?", "u!u8?", [("255.99", 255), ("-0.99", 0)], ["256.00", "-1.00"]),
    Cast(
        "dec<38,1>?",
        "u!u64?",
        [("18446744073709551615.9", Decimal(2**64 - 1)), ("-0.9", Decimal(0))],
        ["18446744073709551616.0", "-1.0"],
    ),
    # All places of the type are in the text, however a literal is written.
    Cast(
        "dec<9,2>?",
        "str?",
        [
            ("1.50", "1.50"),
            ("-0.01", "-0.01"),
            ("0.00", "0.00"),
            ("5.00", "5.00"),
            ("-70.00", "-70.00"),
        ],
    ),
    Cast("dec<2,2>?", "vchar<3>?", [("0.00", "0.0"), ("0.10", "0.1")]),
    Cast("dec<38,6>?", "fchar<8>?", [("0.000000", "0.000000"), ("3.000000", "3.000000")]),
    Cast("dec<5,0>?", "str?", [("0", "0"), ("-70", "-70")]),
    # Unsigned integers.
    Cast("u!u8?", "i8?", [("127", 127)], ["128", "255"]),
    Cast("u!u64?", "i64?", [("9223372036854775807", 2**63 - 1)], ["9223372036854775808"]),
    Cast("u!u8?", "u!u64?", [("255", Decimal(255))]),
    Cast("u!u64?", "u!u32?", [("4294967295", 2**32 - 1)], ["4294967296"]),
    Cast("u!u16?", "u!u8?", [("255", 255)], ["256"]),
    Cast("u!u64?", "fp64?", [("18446744073709551615", 2.0**64)]),
    Cast("u!u16?", "dec<4,0>?", [("9999", Decimal(9999))], ["65535"]),
    Cast("u!u32?", "str?", [("4294967295", "4294967295")]),
    # Text.
    Cast("str?", "bool?", [("true", True), ("f", False), ("1", True)], ["maybe", ""]),
    Cast("str?", "i32?", [("12", 12), ("-3", -3), ("+4", 4)], ["x", "1.5", "", "2147483648"]),
    Cast("vchar<5>?", "i8?", [("-128", -128)], ["128"]),
    Cast("str?", "fp64?", [("1.5", 1.5), ("-1e3", -1000.0), ("NaN", NAN)], ["x", ""]),
    Cast("str?", "fp32?", [("0.1", fp32(0.1))], ["one"]),
    Cast(
        "str?", "dec<5,2>?", [("1.5", Decimal("1.50")), ("-1.005", Decimal("-1.01"))], ["1000", "x"]
    ),
    Cast("str?", "u!u8?", [("255", 255), ("0", 0)], ["256", "-1", "x"]),
    Cast("str?", "u!u32?", [("4294967295", 2**32 - 1)], ["4294967296", "1.5"]),
    Cast(
        "str?",
        "u!u64?",
        [("18446744073709551615", Decimal(2**64 - 1)), ("+0", Decimal(0))],
        ["18446744073709551616", "1.5", "-1", "x", "9" * 50],
    ),
    Cast("str?", "vchar<2>?", [("abc", "ab"), ("a", "a"), ("😀é!", "😀é")]),
    Cast("fchar<3>?", "str?", [("abc", "abc")]),
    Cast("str?", "binary?", [("é", b"\xc3\xa9"), ("", b"")]),
    Cast("str?", "fbin<3>?", [("ab", b"ab\x00"), ("abcd", b"abc")]),
    Cast(
        "str?",
        "date?",
        [("2020-02-29", DAY), ("0001-01-01", dt.date(1, 1, 1))],
        ["2021-02-29", "x"],
    ),
    Cast(
        "str?",
        "pts<6>?",
        [("2020-02-29 12:34:56.789123", at(2020, 2, 29, 12, 34, 56, 789123))],
        ["2020-02-30 00:00:00", "x"],
    ),
    Cast(
        "str?",
        "pts<3>?",
        [("2020-02-29 12:34:56.789999", at(2020, 2, 29, 12, 34, 56, 789000))],
        ["x"],
    ),
    Cast(
        "str?",
        "ptstz<6>?",
        [
            ("2020-01-01T00:00:00+05:00", utc(2019, 12, 31, 19)),
            ("2020-01-01 00:00:00", utc(2020, 1, 1)),
        ],
        ["x"],
    ),
    Cast("str?", "ptstz<0>?", [("2020-01-01 00:00:00.9Z", utc(2020, 1, 1))], ["x"]),
    Cast("str?", "pt<6>?", [("12:34:56.789123", dt.time(12, 34, 56, 789123))], ["24:00:00", "x"]),
    Cast("str?", "pt<1>?", [("12:34:56.789", dt.time(12, 34, 56, 700000))], ["x"]),
    Cast(
        "str?",
        "uuid?",
        [(LOW_ID.upper(), LOW_ID), (LOW_ID, LOW_ID)],
        ["x", LOW_ID[:-1], LOW_ID + "0"],
    ),
    Cast("str?", "iyear?", [("1-2", 14), ("-1-2", -14)], ["x"]),
    Cast("str?", "iday<6>?", [("1 02:03:04.5", span(1, 7384, 500000))], ["x"]),
    Cast(
        "str?",
        "iday<3>?",
        [("0 00:00:00.123999", span(0, 0, 123000)), ("-0 00:00:00.123999", -span(0, 0, 123000))],
        ["x"],
    ),
    # Bytes and UUIDs.
    Cast("binary?", "str?", [(b"\xc3\xa9", "é"), (b"", "")], [b"\xff", b"a\xc3"]),
    Cast("binary?", "vchar<1>?", [(b"ab", "a")], [b"\xff"]),
    Cast("binary?", "fbin<2>?", [(b"a", b"a\x00"), (b"abc", b"ab"), (b"", b"\x00\x00")]),
    Cast("fbin<2>?", "binary?", [(b"ab", b"ab")]),
    Cast("fbin<2>?", "fbin<4>?", [(b"ab", b"ab\x00\x00")]),
    Cast("fbin<16>?", "uuid?", [(ID_BYTES, LOW_ID)]),
    Cast("binary?", "uuid?", [(ID_BYTES, LOW_ID)], [ID_BYTES[:-1], ID_BYTES + b"\x00", b""]),
    Cast("uuid?", "str?", [(LOW_ID, LOW_ID)]),
    Cast("uuid?", "fchar<8>?", [(LOW_ID, "a0eebc99")]),
    Cast("uuid?", "binary?", [(LOW_ID, ID_BYTES)]),
    Cast("uuid?", "fbin<16>?", [(LOW_ID, ID_BYTES)]),
    # Days, moments, times: digits that are too many are cut off, which before 1970 is further back.
    Cast("date?", "str?", [(DAY, "2020-02-29"), (dt.date(1000, 1, 1), "1000-01-01")]),
    Cast("date?", "vchar<4>?", [(DAY, "2020")]),
    Cast("date?", "pts<0>?", [(DAY, at(2020, 2, 29))]),
    Cast("date?", "ptstz<6>?", [(DAY, utc(2020, 2, 29))]),
    Cast(
        "pts<6>?",
        "date?",
        [(at(2020, 2, 29, 23, 59), DAY), (at(1969, 12, 31, 23), dt.date(1969, 12, 31))],
    ),
    Cast("pts<6>?", "ptstz<6>?", [(at(2020, 3, 8, 2, 30), utc(2020, 3, 8, 2, 30))]),
    Cast("ptstz<6>?", "pts<6>?", [(utc(2020, 3, 8, 2, 30), at(2020, 3, 8, 2, 30))]),
    Cast("ptstz<6>?", "date?", [(utc(2020, 2, 29, 23, 59), DAY)]),
    Cast(
        "pts<6>?",
        "pts<3>?",
        [
            (at(2020, 2, 29, 12, 34, 56, 789999), at(2020, 2, 29, 12, 34, 56, 789000)),
            (at(1969, 12, 31, 23, 59, 59, 999999), at(1969, 12, 31, 23, 59, 59, 999000)),
            (at(1, 1, 1, 0, 0, 0, 999), at(1, 1, 1)),
            (at(9999, 12, 31, 23, 59, 59, 999999), at(9999, 12, 31, 23, 59, 59, 999000)),
        ],
    ),
    Cast("pts<6>?", "pts<0>?", [(at(1969, 12, 31, 23, 59, 59, 1), at(1969, 12, 31, 23, 59, 59))]),
    Cast(
        "pts<3>?", "pts<1>?", [(at(2020, 1, 1, 0, 0, 0, 789000), at(2020, 1, 1, 0, 0, 0, 700000))]
    ),
    Cast(
        "pts<3>?", "pts<6>?", [(at(2020, 1, 1, 0, 0, 0, 789000), at(2020, 1, 1, 0, 0, 0, 789000))]
    ),
    Cast(
        "ptstz<6>?",
        "ptstz<2>?",
        [(utc(1969, 12, 31, 0, 0, 0, 999999), utc(1969, 12, 31, 0, 0, 0, 990000))],
    ),
    Cast("ptstz<6>?", "pts<0>?", [(utc(2020, 3, 8, 2, 30, 0, 5), at(2020, 3, 8, 2, 30))]),
    Cast("pts<6>?", "str?", [(at(2020, 2, 29, 12, 34, 56, 789000), "2020-02-29 12:34:56.789")]),
    Cast("ptstz<6>?", "vchar<10>?", [(utc(2020, 2, 29, 12), "2020-02-29")]),
    Cast("pts<6>?", "pt<6>?", [(at(2020, 2, 29, 12, 34, 56, 789123), dt.time(12, 34, 56, 789123))]),
    Cast("pts<6>?", "pt<3>?", [(at(2020, 2, 29, 12, 34, 56, 789123), dt.time(12, 34, 56, 789000))]),
    Cast("ptstz<6>?", "pt<6>?", [(utc(2020, 2, 29, 12, 34), dt.time(12, 34))]),
    Cast("pt<6>?", "pt<3>?", [(dt.time(23, 59, 59, 999999), dt.time(23, 59, 59, 999000))]),
    Cast("pt<3>?", "pt<6>?", [(dt.time(0, 0, 0, 1000), dt.time(0, 0, 0, 1000))]),
    Cast("pt<6>?", "str?", [(dt.time(12, 34, 56, 789000), "12:34:56.789")]),
    Cast(
        "iday<6>?",
        "iday<3>?",
        [((1, 7384, 567891), span(1, 7384, 567000)), ((0, 0, -567891), -span(0, 0, 567000))],
    ),
    Cast(
        "iday<6>?",
        "iday<0>?",
        [((-1, -4, -999999), span(-1, -4)), (((0, 59, 999999)), span(0, 59))],
    ),
    Cast("iday<3>?", "iday<6>?", [((0, 0, 5), span(0, 0, 5000))]),
]
NESTED = [
    Cast(
        "list<str?>?",
        "list<i32?>?",
        [(["1", None, "-2"], [1, None, -2]), ([], [])],
        [["x"]],
        [(["1", "x"], [1, None])],
    ),
    Cast("list<str?>?", "list<vchar<2>?>?", [(["abc", None], ["ab", None]), ([], [])]),
    Cast(
        "list<i64?>?",
        "list<u!u8?>?",
        [([0, None, 255], [0, None, 255])],
        [[1, 256]],
        [([-1, 7], [None, 7])],
    ),
    Cast(
        "list<pts<6>?>?",
        "list<pts<0>?>?",
        [([at(1969, 12, 31, 23, 59, 59, 1), None], [at(1969, 12, 31, 23, 59, 59), None])],
    ),
    Cast(
        "list<list<str?>?>?",
        "list<list<vchar<1>?>?>?",
        [([["ab", None], None, []], [["a", None], None, []])],
    ),
    Cast(
        "struct<str?,i32?>?",
        "struct<vchar<2>?,i64?>?",
        [(("abc", 1), ("ab", 1)), ((None, None), (None, None))],
    ),
    Cast(
        "struct<str?,i32?>?",
        "struct<i8?,str?>?",
        [(("1", 2), (1, "2"))],
        [("x", 1)],
        [(("x", 1), (None, "1"))],
    ),
    Cast(
        "list<struct<i64?,fp64?>?>?",
        "list<struct<u!u8?,dec<3,1>?>?>?",
        [([(1, 1.5), None, (None, None)], [(1, Decimal("1.5")), None, (None, None)])],
        [[(256, 0.0)], [(0, NAN)]],
        [([(256, NAN)], [(None, None)])],
    ),
    Cast(
        "map<i32,str?>?", "map<i64,vchar<1>?>?", [({1: "ab", 2: None}, {1: "a", 2: None}), ({}, {})]
    ),
    Cast("map<i32,i32?>?", "map<i64,str?>?", [({1: 5, 2: None}, {1: "5", 2: None})]),
]
# Keys have to be converted, or the cast fails: there is no NULL for them. Two that meet are no map of Spark.
KEYS = Cast(
    "map<str,i32?>?",
    "map<i32,i64?>?",
    [({"1": 5, "-2": None}, {1: 5, -2: None}), ({}, {})],
    [{"x": 1}, {"1": 1, "01": 2}],
)
ALL = [*SCALARS, *NESTED, KEYS]


def plain(value: Any) -> Any:
    """A value that equals what is meant: rows as tuples, NaN and the zeros by name."""
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items()}
    if isinstance(value, tuple):
        return tuple(map(plain, value))
    return [plain(v) for v in value] if isinstance(value, list) else value


def rows(spark: SparkSession, plan: Any) -> list[tuple[Any, ...]]:
    """The rows; years and months, which pyspark cannot hand over, in months."""
    frame = substrait_sql.execute(spark, plan)
    months = "extract(YEAR FROM {0}) * 12 + extract(MONTH FROM {0}) AS {0}"
    frame = frame.selectExpr(
        *(
            months.format(f.name)
            if f.dataType.simpleString().startswith("interval year")
            else f.name
            for f in frame.schema.fields
        )
    )
    return collect(frame)


def table(casts: Sequence[Cast], values: Sequence[Sequence[Any]]) -> build.R:
    """A column for each cast, of its values; where there are fewer than in others, NULLs."""
    columns = " ".join(f"c{i}:{c.source}" for i, c in enumerate(casts))
    return build.virtual(columns, *itertools.zip_longest(*values))


def run(spark: SparkSession, casts: Sequence[Cast], on_failure: str, literal: bool) -> None:
    """Cast all values that can be cast, and for RETURN_NULL those that cannot, in one plan."""
    pairs: list[list[tuple[Any, Any]]] = []
    for c in casts:
        lost = c.halfway or [(v, None) for v in c.bad]
        pairs.append([*c.good, *(lost if on_failure == "RETURN_NULL" else []), (None, None)])
    if literal:
        columns = [(c, *pair) for c, some in zip(casts, pairs, strict=True) for pair in some]
        relation = build.virtual("one:i32", (1,)).select(
            lambda _: [
                build.cast(build.lit(v, c.source), c.target, on_failure) for c, v, _ in columns
            ]
        )
        names = " ".join(f"r{i}" for i in range(len(columns)))
        (got,) = rows(spark, build.plan((relation, names)))
        for (c, value, want), found in zip(columns, got, strict=True):
            assert plain(found) == plain(want), (c.source, c.target, on_failure, value)
        return
    source = table(casts, [[v for v, _ in some] for some in pairs])
    relation = source.select(
        lambda r: [build.cast(r[i], c.target, on_failure) for i, c in enumerate(casts)]
    )
    names = " ".join(f"r{i}" for i in range(len(casts)))
    found = list(zip(*rows(spark, build.plan((relation, names))), strict=True))
    for i, (c, some) in enumerate(zip(casts, pairs, strict=True)):
        got = [plain(v) for v in found[i][: len(some)]]
        assert got == [plain(want) for _, want in some], (c.source, c.target, on_failure)


# A session that is set otherwise than a plan expects: execute sees to it.
SETTINGS = {"spark.sql.ansi.enabled": "false", "spark.sql.session.timeZone": "America/New_York"}


@pytest.fixture(params=[False, True], ids=["usual", "odd"])
def settings(spark: SparkSession, request: pytest.FixtureRequest) -> Iterator[bool]:
    before = {name: spark.conf.get(name) for name in SETTINGS}
    for name, value in SETTINGS.items() if request.param else ():
        spark.conf.set(name, value)
    yield request.param
    for name, old in before.items():
        spark.conf.set(name, old)


@pytest.mark.parametrize("on_failure", ["THROW_EXCEPTION", "RETURN_NULL"])
def test_values(spark: SparkSession, on_failure: str, settings: bool) -> None:
    """Of columns, and in the other kind of session of literals."""
    run(spark, ALL if on_failure != "RETURN_NULL" else [*SCALARS, *NESTED], on_failure, settings)


def inside(c: Cast, type_: str, around: Callable[[Any], Any]) -> Cast:
    """The cast of a value that holds the values of another cast; pyspark hands moments inside over without a zone."""
    halfway = c.halfway or [(v, None) for v in c.bad]
    good, lost = (
        [
            (around(v), around(w.replace(tzinfo=None) if isinstance(w, dt.datetime) else w))
            for v, w in some
        ]
        for some in (c.good, halfway)
    )
    return Cast(
        type_.format(c.source), type_.format(c.target), good, [around(v) for v in c.bad], lost
    )


@pytest.mark.parametrize("on_failure", ["THROW_EXCEPTION", "RETURN_NULL"])
def test_what_is_inside_is_cast_as_it_is_by_itself(spark: SparkSession, on_failure: str) -> None:
    """Also where both types have one name in SQL, as moments of six digits and of none have."""
    # pyspark cannot hand over years and months inside of a value.
    parts = [c for c in SCALARS if "iyear" not in (c.source[:5], c.target[:5])]
    run(
        spark,
        [
            *(inside(c, "struct<{}>?", lambda v: (v,)) for c in parts),
            *(inside(c, "list<struct<{}>?>?", lambda v: [(v,), None]) for c in parts),
            *(inside(c, "map<i32,struct<{}>?>?", lambda v: {1: (v,)}) for c in parts),
        ],
        on_failure,
        literal=False,
    )


def test_unspecified_is_an_exception() -> None:
    def text(on_failure: str) -> str:
        source = table(ALL, [[None]] * len(ALL))
        names = " ".join(f"r{i}" for i in range(len(ALL)))
        made = source.select(
            lambda r: [build.cast(r[i], c.target, on_failure) for i, c in enumerate(ALL)]
        )
        return substrait_sql.to_sql(build.plan((made, names)))

    assert text("UNSPECIFIED") == text("THROW_EXCEPTION")


def failing() -> Iterator[tuple[Cast, Any]]:
    for c in ALL:
        for value in c.bad:
            yield c, value


def test_failures(spark: SparkSession) -> None:
    """What cannot be cast fails, one query each, as nothing else tells them apart."""
    survived = []
    for c, value in failing():
        relation = build.virtual(f"c:{c.source}", (value,), (None,)).select(
            lambda r, c=c: [build.cast(r[0], c.target)]
        )
        try:
            got = rows(spark, build.plan((relation, "r")))
        except substrait_sql.SubstraitSqlError:
            raise
        except Exception:
            continue
        survived.append((c.source, c.target, value, got))
    assert survived == []


def own(text: str) -> Any:
    """The type as a message of the package's own."""
    found = message("Type").FromString(type_of(text).SerializeToString())
    if ty.kind(found) == "user_defined":
        return ty.user_defined(text.removeprefix("u!").removesuffix("?"))
    return found


def test_each_pair_of_families_has_a_case() -> None:
    seen = {(conversions.family(own(c.source)), conversions.family(own(c.target))) for c in ALL}
    assert conversions.pairs() - seen == set()


EVERY = [
    *("bool", "i8", "i16", "i32", "i64", "fp32", "fp64", "dec<9,2>", "str", "vchar<5>", "fchar<5>"),
    *("binary", "fbin<2>", "date", "pts<6>", "ptstz<6>", "pt<6>", "iyear", "iday<6>", "uuid"),
    *("u!u8", "u!u64", "struct<i32>", "list<i32>", "map<i32,i32>"),
]


def test_other_pairs_are_refused() -> None:
    """A cast either has a meaning here, or is refused with the types in the message; nothing is left to Spark."""
    refused = 0
    for a, b in itertools.product(EVERY, EVERY):
        known = (conversions.family(own(a)), conversions.family(own(b))) in conversions.pairs()
        relation = build.table("t", f"x:{a}?").select(lambda r, b=b: [build.cast(r[0], f"{b}?")])
        if known or a == b:
            substrait_sql.to_sql(build.plan((relation, "r")))
            continue
        with pytest.raises(substrait_sql.UnsupportedError, match="SS2139"):
            substrait_sql.to_sql(build.plan((relation, "r")))
        refused += 1
    assert refused == 382


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("map<str,i32>?", "map<i32,i32>?"),
        ("list<str?>?", "list<i32>?"),
        ("struct<i32>?", "struct<i32,i32>?"),
    ],
)
def test_parts_that_cannot_be_null(source: str, target: str) -> None:
    relation = build.table("t", f"x:{source}").select(
        lambda r: [build.cast(r[0], target, "RETURN_NULL")]
    )
    with pytest.raises(substrait_sql.SubstraitSqlError, match=r"SS2139|SS2146"):
        substrait_sql.to_sql(build.plan((relation, "r")))


@pytest.mark.parametrize("word", ["now", " Today ", "tomorrow UTC"])
def test_words_that_spark_takes_for_times(word: str) -> None:
    relation = build.virtual("one:i32", (1,)).select(
        lambda _: [build.cast(build.lit(word, "str"), "date")]
    )
    with pytest.raises(substrait_sql.UnsupportedError, match="SS2139"):
        substrait_sql.to_sql(build.plan((relation, "r")))


def test_a_long_value_is_written_once() -> None:
    """A range is looked at before the value is taken: of a long one that is a column of a derived table."""

    def long(r: build.Row) -> build.Expr:
        found = r[0]
        for i in range(30):
            found = build.add(found, build.lit(i, "i64"))
        return found

    relation = build.table("t", "x:i64").select(lambda r: [build.cast(long(r), "u!u8")])
    text = substrait_sql.to_sql(build.plan((relation, "r")))
    assert text.count("+ 29") == 1


def test_a_double_is_the_decimal_of_its_text(spark: SparkSession) -> None:
    """Why a double that is no NaN is cast as it is."""
    draw = random.Random(17)
    numbers = [math.ldexp(draw.uniform(-1, 1), draw.randint(-70, 45)) for _ in range(2000)]
    halves = [draw.randint(-(10**9), 10**9) / 200 for _ in range(2000)]
    frame = spark.createDataFrame([(n,) for n in numbers + halves], "x double")
    for digits in (2, 6, 15):
        target = f"DECIMAL({14 + digits}, {digits})"
        other = frame.where(f"CAST(x AS {target}) <> CAST(CAST(x AS STRING) AS {target})")
        assert other.collect() == []
