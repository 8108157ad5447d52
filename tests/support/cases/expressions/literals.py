"""Literals of every simple type, at the ends of their ranges, and NULL of each."""

import datetime as dt
import math
from decimal import Decimal

from tests.support.build import R, call, lit, virtual
from tests.support.cases import case
from tests.support.plan_types import fp32

ONE = virtual("one:i32", (1,))


def values(*pairs: tuple[object, str]) -> R:
    """One row of the literals, as expressions of a projection."""
    return ONE.select(lambda _: [lit(v, t) for v, t in pairs])


def literal_case(name: str, about: str, type_: str, *literals: object, rows: object = None) -> None:
    pairs = [(v, type_) for v in literals]
    columns = " ".join(f"c{i}" for i in range(len(literals)))
    case(f"literal/{name}", about, values(*pairs), columns, [rows or literals])  # type: ignore[list-item]


literal_case("boolean", "", "bool", True, False)
literal_case("i8", "both ends", "i8", -128, 127, 0)
literal_case("i16", "both ends", "i16", -32768, 32767, 0)
literal_case("i32", "both ends", "i32", -2147483648, 2147483647, 0)
literal_case("i64", "both ends", "i64", -9223372036854775808, 9223372036854775807, 0)
literal_case(
    "fp64",
    "infinities, NaN, the ends of the range",
    "fp64",
    math.inf,
    -math.inf,
    math.nan,
    1.7976931348623157e308,
    5e-324,
    0.1,
    -0.0,
    1e10,
    3.0,
)
literal_case(
    "fp32",
    "",
    "fp32",
    math.inf,
    -math.inf,
    math.nan,
    fp32(3.4e38),
    fp32(0.1),
    1.0,
)
literal_case(
    "string",
    "quotes, backslashes, line ends, text that looks like something else",
    "str",
    "",
    "it's",
    '"quoted"',
    "back\\slash",
    "a\\nb",
    "two\nlines\tand a tab",
    "zażółć 🦆",
    "${spark.app.name}",
    "${env:HOME}",
    "{{ x }}",
    ":name ? @x",
    "-- no comment",
    "/* none */",
    "%_",
    "`tick`",
    "trailing  ",
)
literal_case("binary", "", "binary", b"", b"\x00\xff", b"abc'")
literal_case(
    "date",
    "the ends of the range, and a day before the epoch",
    "date",
    dt.date(1000, 1, 1),
    dt.date(9999, 12, 31),
    dt.date(1969, 12, 31),
    dt.date(2000, 2, 29),
)
literal_case(
    "decimal_38_0",
    "all the digits",
    "dec<38,0>",
    "99999999999999999999999999999999999999",
    "-99999999999999999999999999999999999999",
    "0",
    rows=(
        Decimal("99999999999999999999999999999999999999"),
        Decimal("-99999999999999999999999999999999999999"),
        Decimal(0),
    ),
)
literal_case(
    "decimal_38_38",
    "nothing before the point",
    "dec<38,38>",
    "0.00000000000000000000000000000000000001",
    "-0.5",
    rows=(Decimal("0.00000000000000000000000000000000000001"), Decimal("-0.5")),
)
literal_case(
    "decimal_9_2",
    "trailing zeros belong to the type",
    "dec<9,2>",
    "1.50",
    "-1234567.89",
    "0.00",
    rows=(Decimal("1.50"), Decimal("-1234567.89"), Decimal("0.00")),
)
literal_case(
    "timestamp",
    "without a zone, in microseconds",
    "pts<6>",
    dt.datetime(2020, 2, 29, 12, 34, 56, 789012),
    dt.datetime(1969, 12, 31, 23, 59, 59, 999999),
    dt.datetime(1582, 10, 10),
    dt.datetime(9999, 12, 31, 23, 59, 59, 999999),
)
literal_case(
    "timestamp_seconds",
    "in whole seconds",
    "pts<0>",
    dt.datetime(2020, 2, 29, 12, 34, 56),
    dt.datetime(1969, 12, 31, 23, 59, 59),
)
literal_case(
    "timestamp_millis",
    "in milliseconds",
    "pts<3>",
    dt.datetime(2020, 2, 29, 12, 34, 56, 789000),
)
literal_case(
    "timestamp_tz",
    "a point in time",
    "ptstz<6>",
    dt.datetime(2020, 2, 29, 12, 34, 56, 789012, tzinfo=dt.UTC),
    dt.datetime(1969, 12, 31, 23, 59, 59, tzinfo=dt.UTC),
)
literal_case("varchar", "", "vchar<10>", "abc", "")
literal_case("fixed_char", "", "fchar<3>", "abc", "a  ")
literal_case("fixed_binary", "", "fbin<2>", b"\x00\x01")

NULL_TYPES = [
    "bool?",
    "i8?",
    "i16?",
    "i32?",
    "i64?",
    "fp32?",
    "fp64?",
    "str?",
    "binary?",
    "date?",
    "dec<9,2>?",
    "pts<6>?",
    "ptstz<6>?",
    "vchar<5>?",
    "fchar<5>?",
    "fbin<2>?",
]
case(
    "literal/nulls",
    "NULL of every type keeps the type",
    values(*((None, t) for t in NULL_TYPES)),
    " ".join(f"c{i}" for i in range(len(NULL_TYPES))),
    [(None,) * len(NULL_TYPES)],
)

UNSIGNED = ["u8", "u16", "u32", "u64"]
LARGEST = ["255", "65535", "4294967295", "18446744073709551615"]
NUMBERS = virtual(
    " ".join(f"{t}:u!{t}?" for t in UNSIGNED), tuple(LARGEST), (None,) * 4, ("1", "2", "3", "4")
)
case(
    "literal/unsigned",
    "the largest ones, and what is left when 200 is taken away, in silence",
    NUMBERS.project(
        lambda r: [
            call(
                "extension:io.substrait:unsigned_integers",
                "subtract:u!u8_u!u8",
                r.types[0],
                r[0],
                lit("200", "u!u8"),
                overflow="SILENT",
            )
        ]
    ),
    "u8 u16 u32 u64 rest",
    [
        (255, 65535, 4294967295, Decimal(2**64 - 1), 55),
        (None, None, None, None, None),
        (1, 2, 3, Decimal(4), 57),
    ],
)
