"""Literals of every type to Spark and back: the values, and the types, that Python and the specification say."""

from __future__ import annotations

import datetime as dt
import struct
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest
import substrait.proto as pb
from hypothesis import HealthCheck, Phase, given
from hypothesis import settings as hypothesis
from hypothesis import strategies as st

import substrait_sql
from substrait_sql.lower.expressions.literal import supported
from tests.support import build
from tests.support.build import Expr
from tests.support.plan_types import fp32, literal, spark_type, split_names, type_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql import DataFrame, SparkSession

EPOCH = dt.datetime(1970, 1, 1)
BITS = {"i8": 8, "i16": 16, "i32": 32, "i64": 64}

# --- values of types, with what they are in Python ------------------------------------------------

Drawn = tuple[Any, Any]  # what `literal` takes, and what comes back
SUBNORMAL = [5e-324, -5e-324, 2.2250738585072009e-308]
FLOATS = st.sampled_from([0.0, -0.0, float("nan"), float("inf"), -float("inf"), *SUBNORMAL])
ENDS = st.sampled_from([dt.datetime(1, 1, 1), dt.datetime(9999, 12, 31, 23, 59, 59, 999999)])
MOMENTS = st.one_of(st.datetimes(), ENDS)
TEXTS = st.text(max_size=8) | st.sampled_from(
    ["${env:HOME}", "\\'\"`", "a\0b", "{{x}}", "--", ":p ?"]
)


def same(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Drawn]:
    return values.map(lambda v: (v, v))


def integers(bits: int) -> st.SearchStrategy[int]:
    low, high = -(1 << (bits - 1)), (1 << (bits - 1)) - 1
    return st.sampled_from([low, low + 1, -1, 0, high]) | st.integers(low, high)


def decimals(precision: int, scale: int) -> st.SearchStrategy[Drawn]:
    most = 10**precision - 1
    whole = st.sampled_from([0, most, -most, 1, -1]) | st.integers(-most, most)

    def drawn(n: int) -> Drawn:
        value = Decimal((int(n < 0), tuple(map(int, str(abs(n)))), -scale))
        return str(value), value

    return whole.map(drawn)


def cut(value: dt.datetime, precision: int) -> dt.datetime:
    unit = 10 ** (6 - precision)
    return value.replace(microsecond=value.microsecond // unit * unit)


def moments(precision: int) -> st.SearchStrategy[dt.datetime]:
    return MOMENTS.map(lambda v: cut(v, precision))


def spans(precision: int) -> st.SearchStrategy[Drawn]:
    days = st.integers(-3_640_000, 3_640_000)
    seconds = st.integers(-100_000, 100_000)
    parts = st.tuples(days, seconds, st.integers(-(10**precision) + 1, 10**precision - 1))
    return parts.map(
        lambda p: (p, dt.timedelta(p[0], p[1], p[2] * 10 ** (6 - precision)))  # exact
    )


def sized(length: int) -> st.SearchStrategy[str]:
    return st.text(min_size=length, max_size=length)


@st.composite
def scalars(draw: Any) -> tuple[str, st.SearchStrategy[Drawn]]:
    """A type that is not made of others, and its values."""
    kind = draw(st.sampled_from(SCALAR))
    if kind in BITS:
        return kind, same(integers(BITS[kind]))
    match kind:
        case "dec":
            precision = draw(st.integers(1, 38))
            scale = draw(st.integers(0, precision))
            return f"dec<{precision},{scale}>", decimals(precision, scale)
        case "pts" | "ptstz" | "pt" | "iday":
            precision = draw(st.integers(0, 6))
            return f"{kind}<{precision}>", {
                "pts": same(moments(precision)),
                # Inside of others Python's own zones stop short of the first day.
                "ptstz": moments(precision)
                .filter(lambda v: v.year > 1)
                .map(lambda v: (v.replace(tzinfo=dt.UTC),) * 2),
                "pt": same(moments(precision).map(dt.datetime.time)),
                "iday": spans(precision),
            }[kind]
        case "fchar" | "fbin":
            length = draw(st.integers(1, 5))
            fixed = (
                sized(length) if kind == "fchar" else st.binary(min_size=length, max_size=length)
            )
            return f"{kind}<{length}>", same(fixed)
        case "vchar":
            return "vchar<8>", same(TEXTS.filter(lambda t: len(t) <= 8))
        case "u!u8" | "u!u16" | "u!u32" | "u!u64":
            most = (1 << int(kind[3:])) - 1
            number = st.sampled_from([0, most]) | st.integers(0, most)
            made = Decimal if kind == "u!u64" else int
            return kind, number.map(lambda n: (str(n), made(n)))
    return kind, SIMPLE[kind]


SIMPLE: dict[str, st.SearchStrategy[Drawn]] = {
    "bool": same(st.booleans()),
    "fp64": same(FLOATS | st.floats()),
    "fp32": same(FLOATS.map(fp32) | st.floats(width=32)),
    "str": same(TEXTS),
    "binary": same(st.binary(max_size=6)),
    "date": same(st.dates() | ENDS.map(dt.datetime.date)),
    "uuid": st.uuids().map(lambda u: (str(u).upper(), str(u))),
    # Months, as pyspark cannot hand over years and months.
    "iyear": st.tuples(st.integers(-9999, 9999), st.integers(-11, 11)).map(
        lambda p: (p, p[0] * 12 + p[1])
    ),
}
SCALAR = [*BITS, *SIMPLE, "dec", "pts", "ptstz", "pt", "iday", "fchar", "fbin", "vchar"]
SCALAR += ["u!u8", "u!u16", "u!u32", "u!u64"]
KEYS = ("i8", "i64", "str", "date", "bool", "uuid", "dec", "u!u8")


def or_null(values: st.SearchStrategy[Drawn], nullable: bool) -> st.SearchStrategy[Drawn]:
    return values | st.just((None, None)) if nullable else values


@st.composite
def types(draw: Any, depth: int = 2) -> tuple[str, st.SearchStrategy[Drawn]]:
    """A type as text, without its outer nullability, and its values."""
    shape = draw(
        st.sampled_from(["scalar"] * 3 + ["list", "map", "struct"] if depth else ["scalar"])
    )
    if shape == "scalar":
        return draw(scalars())  # type: ignore[no-any-return]
    inner = []
    for _ in range(draw(st.integers(0, 3)) if shape == "struct" else 1):
        # Inside of others pyspark cannot take months apart.
        text, values = draw(types(depth - 1).filter(lambda t: "iyear" not in t[0]))
        nullable = draw(st.booleans())
        inner.append((text + "?" * nullable, or_null(values, nullable)))
    if shape == "struct":
        found = st.tuples(*(v for _, v in inner))
        drawn = found.map(lambda parts: (tuple(p[0] for p in parts), tuple(p[1] for p in parts)))
        return f"struct<{','.join(t for t, _ in inner)}>", drawn
    ((text, values),) = inner
    if shape == "list" and "pt<" in text and "struct" in text:
        # Spark optimizes such a DataFrame only when it is collected, and then wants its switch: docs/execute.md.
        text, values = "i8", same(integers(8))
    if shape == "list":
        several = st.lists(values, max_size=3)
        return f"list<{text}>", several.map(lambda v: ([x[0] for x in v], [x[1] for x in v]))
    key, keys = draw(scalars().filter(lambda t: t[0].partition("<")[0] in KEYS))
    entries = st.lists(st.tuples(keys, values), max_size=3, unique_by=lambda e: e[0][1])
    return f"map<{key},{text}>", entries.map(
        lambda found: ({k[0]: v[0] for k, v in found}, {k[1]: v[1] for k, v in found})
    )


@st.composite
def literals(draw: Any) -> tuple[Expr, Any]:
    """A literal and what it is in Python."""
    text, values = draw(types())
    nullable = draw(st.booleans())
    given_, back = draw(or_null(values, nullable))
    t = type_of(text + "?" * nullable)
    return Expr(pb.Expression(literal=literal(given_, t)), t), back


# --- there and back -------------------------------------------------------------------------------


def plain(value: Any) -> Any:
    """A value that equals what is meant: rows as tuples, floats by name, bytes as bytes."""
    match value:
        case float():
            return repr(value)
        case bytearray():
            return bytes(value)
        case dict():
            return {k: plain(v) for k, v in value.items()}
        case tuple():
            return tuple(map(plain, value))
        case list():
            return [plain(v) for v in value]
        case dt.datetime() if value.tzinfo is None:
            return value.isoformat()
        case dt.datetime():
            return value.astimezone(dt.UTC).replace(tzinfo=None).isoformat()
    return value


def back(frame: DataFrame) -> tuple[Any, ...]:
    """The one row. Months as a number; moments by their microseconds, as Python's own stop short of the first day."""
    columns = []
    for f in frame.schema.fields:
        kind = f.dataType.simpleString()
        if kind.startswith(("interval year", "interval month")):
            columns.append(f"CAST(CAST({f.name} AS INTERVAL MONTH) AS INT)")
        elif kind == "timestamp":
            columns.append(f"unix_micros({f.name})")
        else:
            columns.append(f.name)
    (row,) = frame.selectExpr(*columns).collect()
    fields = zip(row, frame.schema.fields, strict=True)
    return tuple(
        EPOCH + dt.timedelta(microseconds=v)
        if f.dataType.simpleString() == "timestamp" and v is not None
        else v
        for v, f in fields
    )


def check(spark: SparkSession, found: list[tuple[Expr, Any]], in_table: bool) -> None:
    """All of them in one query: as expressions, or as the cells of a table."""
    names = " ".join(
        f"c{i}({_inner(e.type)})" if _inner(e.type) else f"c{i}" for i, (e, _) in enumerate(found)
    )
    one = build.virtual("one:i32", (1,))
    if in_table:
        out = pb.Rel()
        schema = out.read.base_schema
        schema.names.extend(n for part in split_names(names) for n in part)
        schema.struct.types.extend(e.type for e, _ in found)
        schema.struct.nullability = pb.Type.NULLABILITY_REQUIRED
        out.read.virtual_table.expressions.add().fields.extend(e.message for e, _ in found)
        relation = build.R(out, [e.type for e, _ in found])
    else:
        relation = one.select(lambda _: [e for e, _ in found])
    frame = substrait_sql.execute(spark, build.plan((relation, names)))
    got = back(frame)
    for (expression, want), value, f in zip(found, got, frame.schema.fields, strict=True):
        assert plain(value) == plain(want), expression.message
        wanted = spark_type(expression.type, _inner(expression.type).split(","))
        if wanted is not None and "None" not in wanted:
            assert f.dataType.simpleString() == wanted


def _inner(t: pb.Type) -> str:
    """Names for the fields of the structs inside a type, depth first."""
    count = iter(range(1000))

    def walk(t: pb.Type) -> Iterator[str]:
        match t.WhichOneof("kind"):
            case "struct":
                for child in t.struct.types:
                    yield f"f{next(count)}"
                    yield from walk(child)
            case "list":
                yield from walk(t.list.type)
            case "map":
                yield from walk(t.map.key)
                yield from walk(t.map.value)

    return ",".join(walk(t))


SESSIONS = [
    {},
    {"spark.sql.ansi.enabled": "false", "spark.sql.session.timeZone": "Asia/Kolkata"},
    {"spark.sql.session.timeZone": "America/New_York", "spark.sql.mapKeyDedupPolicy": "LAST_WIN"},
]


@pytest.fixture(params=SESSIONS, ids=["usual", "Kolkata", "New_York"])
def session(spark: SparkSession, request: pytest.FixtureRequest) -> Iterator[SparkSession]:
    before = {name: spark.conf.get(name) for name in request.param}
    for name, value in request.param.items():
        spark.conf.set(name, value)
    yield spark
    for name, old in before.items():
        spark.conf.set(name, old)


@hypothesis(
    max_examples=3,
    deadline=None,
    database=None,
    # Each example is a query: the message of the literal says enough, without looking for a smaller list of them.
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
@given(st.lists(literals(), min_size=40, max_size=60), st.booleans())
def test_drawn_literals(
    session: SparkSession, found: list[tuple[Expr, Any]], in_table: bool
) -> None:
    check(session, found, in_table)


NULLS = [
    *BITS,
    *SIMPLE,
    "dec<38,38>",
    "pts<0>",
    "ptstz<6>",
    "pt<3>",
    "iday<6>",
    "fchar<3>",
    "vchar<9>",
    "fbin<1>",
]
NULLS += [
    "u!u8",
    "u!u16",
    "u!u32",
    "u!u64",
    "list<i8>",
    "map<str,i32?>",
    "struct<i64,list<str?>>",
    "struct<>",
]
EXTREMES: list[tuple[str, Any, Any]] = [
    *((k, v, v) for k, b in BITS.items() for v in (-(1 << (b - 1)), (1 << (b - 1)) - 1)),
    *(
        ("fp64", v, v)
        for v in (*SUBNORMAL, 1.7976931348623157e308, -0.0, float("nan"), -float("inf"))
    ),
    *(
        ("fp32", v, v)
        for v in (fp32(1e-45), 3.4028234663852886e38, -0.0, float("nan"), 1.1754942106924411e-38)
    ),
    *(
        (f"dec<38,{s}>", str(v), v)
        for s in (0, 1, 37, 38)
        for v in (Decimal(9).scaleb(37 - s), Decimal(0).scaleb(-s))
    ),
    ("dec<38,0>", str(10**38 - 1), Decimal(10**38 - 1)),
    *(("date", v, v) for v in (dt.date(1, 1, 1), dt.date(1582, 10, 10), dt.date(9999, 12, 31))),
    *(
        (f"{kind}<{p}>", v, v)
        for kind, zone in (("pts", None), ("ptstz", dt.UTC))
        for p in range(7)
        for v in (
            dt.datetime(1, 1, 1, tzinfo=zone),
            dt.datetime(2020, 3, 8, 2, 30, tzinfo=zone),  # not there by the clocks of New York
            cut(dt.datetime(9999, 12, 31, 23, 59, 59, 999999, zone), p),
        )
    ),
    *(("pt<6>", v, v) for v in (dt.time.min, dt.time.max)),
    ("iyear", (-10_000, 0), -120_000),
    ("iday<6>", (3_649_999, 86_399, 999_999), dt.timedelta(3_649_999, 86_399, 999_999)),
    ("iday<6>", (0, 0, -1), dt.timedelta(0, 0, -1)),
    ("iday<6>", (1, -86_400, 0), dt.timedelta(0)),
    ("str", "x" * 5000, "x" * 5000),
    *(("u!u64", str(v), Decimal(v)) for v in (0, 2**63, 2**64 - 1)),
    ("list<list<i8?>?>", [[None], None, []], [[None], None, []]),
    ("struct<struct<i8?>?,str>", (None, "x"), (None, "x")),
    ("struct<struct<i8?>?,str>", ((None,), ""), ((None,), "")),
]


@pytest.mark.parametrize("in_table", [False, True])
def test_ends_of_ranges_and_nulls(session: SparkSession, in_table: bool) -> None:
    found = [(build.lit(v, t), want) for t, v, want in EXTREMES]
    found += [(build.lit(None, t + "?"), None) for t in NULLS]
    check(session, found, in_table)


def test_every_kind_of_literal_is_here() -> None:
    """What neither is drawn nor has a test of its own below."""
    drawn: set[str | None] = set()
    for text in [*NULLS, "pts<6>", "dec<9,2>"]:
        t = type_of(text + "?")
        drawn.add(literal(None, t).null.WhichOneof("kind"))
    names = {
        "bool": "boolean", "interval_year": "interval_year_to_month", "interval_day": "interval_day_to_second",
        "varchar": "var_char",
    }  # fmt: skip
    apart = {"null", "empty_list", "empty_map", "interval_compound"}
    assert {names.get(str(k), k) for k in drawn} | apart == supported()


def raw(**fields: Any) -> Expr:
    """A literal as the wire has it, of a type that the plan does not repeat."""
    return Expr(pb.Expression(literal=pb.Expression.Literal(**fields)), pb.Type())


def of_precision(kind: str, precision: int, value: int) -> Expr:
    made = getattr(
        pb.Expression.Literal, "PrecisionTime" if kind.endswith("time") else "PrecisionTimestamp"
    )
    return raw(**{kind: made(precision=precision, value=value)})


KINDS = ("precision_timestamp", "precision_timestamp_tz", "precision_time")


def test_times_finer_than_microseconds(session: SparkSession) -> None:
    """Values that need no more digits are exact; the others are refused below."""
    wanted = dt.datetime(1970, 1, 1, 0, 0, 1, 234567)
    found = [
        (
            of_precision(kind, p, 1_234_567 * 10 ** (p - 6)),
            wanted.time() if kind == KINDS[2] else wanted,
        )
        for kind in KINDS
        for p in range(7, 13)
    ]
    day = pb.Expression.Literal.IntervalDayToSecond
    found += [
        (
            raw(interval_day_to_second=day(days=-1, subseconds=5 * 10 ** (p - 6), precision=p)),
            dt.timedelta(-1, 0, 5),
        )
        for p in range(7, 13)
    ]
    relation = build.virtual("one:i32", (1,)).select(lambda _: [e for e, _ in found])
    names = " ".join(f"c{i}" for i in range(len(found)))
    got = back(substrait_sql.execute(session, build.plan((relation, names))))
    assert [plain(v) for v in got] == [plain(want) for _, want in found]


def _decimal(value: int, precision: int, scale: int, size: int = 16) -> Expr:
    made = pb.Expression.Literal.Decimal(
        value=value.to_bytes(size, "little", signed=True), precision=precision, scale=scale
    )
    return raw(decimal=made)


_DAYS = pb.Expression.Literal.IntervalDayToSecond
_YEARS = pb.Expression.Literal.IntervalYearToMonth
_ENTRY = pb.Expression.Literal.Map.KeyValue(
    key=pb.Expression.Literal(i32=1), value=pb.Expression.Literal(i32=2)
)
_KEYED_BY_A_MAP = pb.Expression.Literal.Map.KeyValue(
    key=pb.Expression.Literal(map=pb.Expression.Literal.Map(key_values=[_ENTRY])),
    value=pb.Expression.Literal(i32=2),
)


@pytest.mark.parametrize(
    ("expression", "code"),
    [
        *((of_precision(kind, p, 1), "SS2136") for kind in KINDS for p in (7, 9, 12)),
        *((of_precision(kind, 13, 0), "SS2135") for kind in KINDS),
        *((of_precision(kind, 0, 2**62), "SS2134") for kind in KINDS),
        (of_precision("precision_time", 6, 86_400_000_000), "SS2134"),
        (of_precision("precision_time", 6, -1), "SS2134"),
        (raw(interval_day_to_second=_DAYS(subseconds=1, precision=9)), "SS2136"),
        (raw(interval_day_to_second=_DAYS(days=2**31 - 1)), "SS2143"),
        (raw(interval_day_to_second=_DAYS(precision=-1)), "SS2135"),
        (raw(interval_year_to_month=_YEARS(years=2**31 - 1)), "SS2143"),
        (raw(date=2**31 - 1), "SS2134"),
        (raw(i8=128), "SS2143"),
        (raw(i16=-32769), "SS2143"),
        (raw(var_char=pb.Expression.Literal.VarChar(value="ab", length=1)), "SS2143"),
        (raw(uuid=b"\0" * 15), "SS2140"),
        (_decimal(1000, 3, 0), "SS2133"),
        (_decimal(1, 39, 0), "SS2133"),
        (_decimal(1, 3, 4), "SS2133"),
        (_decimal(1, 3, 0, size=15), "SS2133"),
        (_decimal(10**38, 38, 0), "SS2133"),
        (build.lit("256", "u!u8"), "SS2138"),
        (build.lit("-1", "u!u64"), "SS2138"),
        (build.lit("18446744073709551616", "u!u64"), "SS2138"),
        (raw(list=pb.Expression.Literal.List()), "SS2191"),
        (raw(map=pb.Expression.Literal.Map(key_values=[_ENTRY, _ENTRY])), "SS2192"),
        (raw(map=pb.Expression.Literal.Map(key_values=[_KEYED_BY_A_MAP])), "SS2301"),
        (raw(), "SS2131"),
    ],
)
def test_what_is_no_literal(expression: Expr, code: str) -> None:
    relation = build.virtual("one:i32", (1,)).select(lambda _: [expression])
    with pytest.raises(substrait_sql.SubstraitSqlError, match=code):
        substrait_sql.to_sql(build.plan((relation, "x")))


def test_variations_and_aliases(spark: SparkSession) -> None:
    """A variation is another representation of the same values; an alias is another name of the type."""
    varied = build.lit(7, "i32")
    varied.message.literal.type_variation_reference = 5
    aliased = build.lit("255", "u!u8")
    aliased.message.literal.user_defined.type_alias_reference = 3
    named = Expr(pb.Expression(), pb.Type())
    named.message.literal.null.alias.type_alias_reference = 4
    named.message.literal.null.alias.nullability = pb.Type.NULLABILITY_NULLABLE
    usual = build.lit("1", "u!u8")
    relation = build.virtual("one:i32", (1,)).select(lambda _: [varied, aliased, named, usual])
    plan = build.plan((relation, "a b c d"))
    urn = plan.extension_urns.add(extension_urn_anchor=9, urn="extension:org.example:variations")
    plan.extensions.add().extension_type_variation.CopyFrom(
        pb.SimpleExtensionDeclaration.ExtensionTypeVariation(
            extension_urn_reference=urn.extension_urn_anchor, type_variation_anchor=5, name="packed"
        )
    )
    u8 = usual.message.literal.user_defined.type_reference
    plan.type_aliases.add(
        type_alias_anchor=3, type=pb.Type(user_defined=pb.Type.UserDefined(type_reference=u8))
    )
    plan.type_aliases.add(type_alias_anchor=4, type=type_of("dec<9,2>"))
    frame = substrait_sql.execute(spark, plan)
    assert frame.collect() == [(7, 255, None, 1)]
    assert [t for _, t in frame.dtypes] == ["int", "smallint", "decimal(9,2)", "smallint"]


def test_compound_intervals(session: SparkSession) -> None:
    """Months first, which may end at the last day of one, then days and the time."""
    start = dt.datetime(2020, 1, 31)
    cases = [
        ((0, 1), (0, 0, 0), dt.datetime(2020, 2, 29)),
        ((1, 1), (1, 3600, 5000), dt.datetime(2021, 3, 1, 1, 0, 0, 5000)),
        ((-1, -2), (-1, -1, 0), dt.datetime(2018, 11, 28, 23, 59, 59)),
        ((0, 0), (10, 0, -1), dt.datetime(2020, 2, 9, 23, 59, 59, 999999)),
    ]
    expressions = []
    for (years, months), (days, seconds, micros), _ in cases:
        made = raw(
            interval_compound=pb.Expression.Literal.IntervalCompound(
                interval_year_to_month=_YEARS(years=years, months=months),
                interval_day_to_second=_DAYS(
                    days=days, seconds=seconds, subseconds=micros, precision=6
                ),
            )
        )
        urn = "extension:substrait-sql:datafusion"
        moment = build.lit(start, "pts<6>")
        expressions.append(build.call(urn, "add:pts_icompound", "pts<6>", moment, made))
    relation = build.virtual("one:i32", (1,)).select(lambda _: expressions)
    frame = substrait_sql.execute(session, build.plan((relation, "a b c d")))
    assert tuple(frame.collect()[0]) == tuple(want for _, _, want in cases)


def test_floats_are_those_of_the_wire() -> None:
    """The text of a float reads back as the same bits."""
    for bits in (0x00000001, 0x7F7FFFFF, 0x3DCCCCCD, 0x00800000, 0x4B7FFFFF):
        (value,) = struct.unpack("<f", bits.to_bytes(4, "little"))
        text = substrait_sql.to_sql(
            build.plan(
                (
                    build.virtual("one:i32", (1,)).select(
                        lambda _, v=value: [build.lit(v, "fp32")]
                    ),
                    "x",
                )
            )
        )
        written = float(text.split("'")[1])
        assert struct.pack("<f", written) == bits.to_bytes(4, "little"), text
