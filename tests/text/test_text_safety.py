"""Whatever a plan holds as text or name comes back from Spark byte for byte, however its session is set."""

from __future__ import annotations

import datetime as dt
import json
import math
import re
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest
from google.protobuf import json_format
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyspark.sql import functions
from pyspark.sql.types import IntegerType, StructField, StructType

import substrait_sql
from substrait_sql import DecodeError, UnsupportedError
from tests.lower.relations.test_writes import define, write
from tests.support import run
from tests.support.build import (
    ASC,
    DESC,
    Expr,
    and_,
    call,
    count,
    eq,
    like,
    list_of,
    lit,
    lt,
    map_of,
    one_of,
    or_,
    parameter,
    part,
    plan,
    set_,
    struct_of,
    switch,
    table,
    virtual,
)
from tests.support.sessions import CONFIGURATIONS, configured

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import substrait.proto as pb
    from pyspark.sql import SparkSession

    Made = tuple[pb.Plan, list[tuple[Any, ...]]]

TEXTS = [
    "", " ", "'", "''", '"', '""', "it's", "\\", "\\\\", "\\'", "'\\", '\\"', "\\n", "\\0", "\\u0041", "\\x41",
    "\\101", "\\%", "\\_", "%_", "%", "\n", "\r\n", "\r", "\t", "a\n  b\nc", "\0", "\x0012", "\x007", "\b\x0b\x0c",
    "\x01\x1a\x1f\x7f", "\x85", "\xa0", "\u2028", "\u2029", "\ufeff", "\u200b", "\u202e", "é", "e\u0301", "ß", "İ",
    "😀", "👩‍👩‍👧", "\U0010ffff", "\ud7ff", "\ue000", "\ufffd", "\uffff", "${env:HOME}", "${system:user.dir}",
    "${spark.app.name}", "${", "$", "$$", "${x}", "$${env:HOME}}", "$ {x}", "{x}", "}", "{{ 1 }}", "{{", "{% raw %}",
    "{# x #}", "%s", "%(x)s", ":p", ":p1", ":name", "?", "--", "-- x\n", "/*", "*/", "/* x */", "/*+ BROADCAST(t) */",
    ";", "; DROP TABLE t; --", "' OR 1=1 --", "`", "``", "a`b", "__SQLGLOT__LB__", "__SQLGLOT__LBREAK__", "r'x'",
    "X'00'", "NULL", "N'x'", "u&'x'", "1", "'x' 'y'", "A" * 1000, "'" * 1000, "\\" * 999, "${" * 200, "a\n" * 300,
]  # fmt: skip

BINARIES = [
    b"",
    b"\0",
    bytes(range(256)),
    b"'",
    b"\\",
    b"${env:HOME}",
    b"\xff\xfe\xed\xa0\x80",
    b"\0" * 1000,
]


def rows_of(texts: Sequence[str]) -> Any:
    """The texts as rows of a table that is written in the plan, with their places."""
    return virtual("i:i32 t:str", *enumerate(texts))


# Each makes a plan that says every text in one clause, and the rows it must return.


def in_select(texts: Sequence[str]) -> Made:
    row = virtual("x:i32", (1,))
    names = " ".join(f"c{i}" for i in range(len(texts)))
    return plan((row.select(lambda r: [lit(t, "str") for t in texts]), names)), [tuple(texts)]


def in_values(texts: Sequence[str]) -> Made:
    return plan((rows_of(texts), "i t")), list(enumerate(texts))


def in_where(texts: Sequence[str]) -> Made:
    found = rows_of(texts).filter(
        lambda r: or_(
            *(and_(eq(r[0], lit(i, "i32")), eq(r[1], lit(t, "str"))) for i, t in enumerate(texts))
        )
    )
    return plan((found, "i t")), list(enumerate(texts))


def in_lists(texts: Sequence[str]) -> Made:
    listed = [t for i, t in enumerate(texts) if i % 2]
    found = rows_of(texts).filter(lambda r: one_of(r[1], *(lit(t, "str") for t in listed)))
    return plan((found, "i t")), [(i, t) for i, t in enumerate(texts) if t in listed]


def in_cases(texts: Sequence[str]) -> Made:
    arms = [(lit(t, "str"), lit(i, "i32")) for i, t in enumerate(texts)]
    found = rows_of(texts).select(lambda r: [r[0], switch(r[1], *arms, otherwise=lit(-1, "i32"))])
    return plan((found, "i j")), [(i, i) for i in range(len(texts))]


def in_maps(texts: Sequence[str]) -> Made:
    """Keys of a map, and keys looked up in it."""
    made = map_of(
        *((lit(t, "str"), lit(i, "i32")) for i, t in enumerate(texts)), out="map<str,i32>"
    )
    whole = virtual("x:i32", (1,)).select(lambda r: [made])
    found = whole.select(lambda r: [part(r[0], lit(t, "str"), out="i32?") for t in texts])
    names = " ".join(f"c{i}" for i in range(len(texts)))
    return plan((found, names)), [tuple(range(len(texts)))]


def in_values_inside(texts: Sequence[str]) -> Made:
    """Elements of a list, fields of a struct."""
    row = virtual("x:i32", (1,))
    elements = list_of(*(lit(t, "str") for t in texts), out="list<str>")
    fields = struct_of(*(lit(t, "str") for t in texts))
    found = row.select(lambda r: [elements, fields])
    inner = ",".join(f"f{i}" for i in range(len(texts)))
    return plan((found, f"l s({inner})")), [(list(texts), tuple(texts))]


def in_arguments(texts: Sequence[str]) -> Made:
    """What a function looks for, and what it puts in its place."""

    def calls(t: Expr, text: str) -> list[Expr]:
        text_ = lit(text, "str")
        marked = call("string", "concat:str", "str", lit("<", "str"), text_, lit(">", "str"))
        return [
            marked,
            call("string", "starts_with:str_str", "bool", t, text_),
            call("string", "contains:str_str", "bool", marked, text_),
            call("string", "replace:str_str_str", "str", lit("[x]", "str"), lit("x", "str"), text_),
        ]

    row = virtual("x:i32", (1,))
    made = row.select(lambda r: [e for t in texts for e in calls(lit(t + "y", "str"), t)])
    want = [v for t in texts for v in (f"<{t}>", True, True, f"[{t}]")]
    names = " ".join(f"c{i}" for i in range(len(want)))
    return plan((made, names)), [tuple(want)]


def is_like(text: str, pattern: str) -> bool:
    """LIKE without an escape character, in Python."""
    wild = {"%": ".*", "_": "."}
    return bool(
        re.fullmatch("".join(wild.get(c) or re.escape(c) for c in pattern), text, re.DOTALL)
    )


def in_patterns(texts: Sequence[str]) -> Made:
    """LIKE, and regular expressions that mean the text itself."""
    short = [t for t in texts if len(t) < 20]
    others = short[1:] + short[:1]
    row = virtual("x:i32", (1,))
    made = row.select(
        lambda r: [
            *(like(lit(t, "str"), p) for t, p in zip(short, short, strict=True)),
            *(like(lit(t, "str"), p) for t, p in zip(short, others, strict=True)),
            *(
                call(
                    "string",
                    "regexp_match_substring:str_str",
                    "str?",
                    lit(f"<{t}>", "str"),
                    lit(
                        re.sub(r"([^\w\s])", r"\\\1", t, flags=re.ASCII) if t.isascii() else "<",
                        "str",
                    ),
                )
                for t in short
            ),
        ]
    )
    want = [
        *(is_like(t, t) for t in short),
        *(is_like(t, p) for t, p in zip(short, others, strict=True)),
        *(t if t.isascii() else "<" for t in short),
    ]
    return plan((made, " ".join(f"c{i}" for i in range(len(want))))), [tuple(want)]


CLAUSES: list[Callable[[Sequence[str]], Made]] = [
    in_select, in_values, in_where, in_lists, in_cases, in_maps, in_values_inside, in_arguments, in_patterns,
]  # fmt: skip

every_configuration = pytest.mark.parametrize(
    "name", [name for name in CONFIGURATIONS if name not in ("numbers", "times")]
)
some_configurations = pytest.mark.parametrize("name", ["defaults", "quotes", "everything"])


def sorted_rows(rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    return sorted(rows, key=repr)


def check(spark: SparkSession, made: Made) -> None:
    message, want = made
    got = run.last_rows(spark, message, {})
    assert sorted_rows(
        [tuple(tuple(v) if type(v).__name__ == "Row" else v for v in row) for row in got]
    ) == (sorted_rows(want))


@pytest.mark.spark
@every_configuration
def test_texts(spark: SparkSession, name: str) -> None:
    with configured(spark, CONFIGURATIONS[name]):
        for clause in CLAUSES:
            check(spark, clause(TEXTS))


PIECES = ["'", "\\", "${", "}", "\n", "\0", "`", "%", "_", "u0041", "1", "*/", "--", ":p1", "{{"]


@pytest.mark.spark
@settings(max_examples=4, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    texts=st.lists(
        st.lists(
            st.one_of(
                st.sampled_from(PIECES),
                st.characters(exclude_categories=["Cs"]),
            ),
            max_size=8,
        ).map("".join),
        min_size=30,
        max_size=60,
        unique=True,
    )
)  # fmt: skip
def test_drawn_texts(spark: SparkSession, texts: list[str]) -> None:
    for name in ("defaults", "quotes"):
        with configured(spark, CONFIGURATIONS[name]):
            for clause in (in_select, in_where, in_maps, in_arguments, in_patterns):
                check(spark, clause(texts))


@pytest.mark.spark
@some_configurations
def test_binaries(spark: SparkSession, name: str) -> None:
    row = virtual("x:i32", (1,))
    selected = row.select(lambda r: [lit(b, "binary") for b in BINARIES])
    rows = virtual("i:i32 b:binary", *enumerate(BINARIES))
    kept = rows.filter(lambda r: one_of(r[1], *(lit(b, "binary") for b in BINARIES[1:])))
    names = " ".join(f"c{i}" for i in range(len(BINARIES)))
    with configured(spark, CONFIGURATIONS[name]):
        (got,) = run.last_rows(spark, plan((selected, names)), {})
        assert [bytes(b) for b in got] == BINARIES
        found = dict(run.last_rows(spark, plan((kept, "i b")), {}))
    assert {i: bytes(b) for i, b in found.items()} == dict(enumerate(BINARIES[1:], 1))


@pytest.mark.spark
def test_comments_end_where_they_should(spark: SparkSession) -> None:
    message, want = in_select(TEXTS)
    text = substrait_sql.render(message, annotate=True).sql
    assert text.startswith("/* relations[0]")
    assert [tuple(r) for r in spark.sql(text).collect()] == want


# Names --------------------------------------------------------------------------------------------

NAMES = [t for t in TEXTS if "${" not in t and t]
UNIQUE = list({n.lower(): n for n in NAMES if len(n) < 600}.values())


def renamed(message: pb.Plan, names: Sequence[str]) -> pb.Plan:
    del message.relations[0].root.names[:]
    message.relations[0].root.names.extend(names)
    return message


@pytest.mark.spark
@some_configurations
def test_names_of_results(spark: SparkSession, name: str) -> None:
    """Any names, also an empty one and two that are alike."""
    names = [*NAMES, "", "a", "A", "a"]
    row = virtual("x:i32", (1,)).select(lambda r: [lit(i, "i32") for i in range(len(names))])
    message = renamed(plan((row, " ".join(f"c{i}" for i in range(len(names))))), names)
    with configured(spark, CONFIGURATIONS[name]):
        frame = substrait_sql.execute(spark, message)
        assert frame.columns == names
        assert [tuple(r) for r in frame.collect()] == [tuple(range(len(names)))]


@pytest.mark.spark
@every_configuration
def test_names_of_columns(spark: SparkSession, name: str) -> None:
    n = len(UNIQUE)
    read = table("t", " ".join(f"c{i}:i32" for i in range(n)))
    read.message.read.base_schema.names[:] = UNIQUE
    kept = (
        read.filter(lambda r: and_(*(eq(r[i], lit(i, "i32")) for i in range(n))))
        .fetch(5)
        .filter(lambda r: or_(*(eq(r[i], lit(i, "i32")) for i in range(n))))
    )
    message = renamed(plan((kept, " ".join(f"c{i}" for i in range(n)))), UNIQUE)
    frame = spark.range(1).selectExpr(*(f"{i} AS c{i}" for i in range(n))).toDF(*UNIQUE)
    with configured(spark, CONFIGURATIONS[name]):
        made = substrait_sql.execute(spark, message, tables={"t": frame})
        assert made.columns == UNIQUE
        assert [tuple(r) for r in made.collect()] == [tuple(range(n))]


@pytest.mark.spark
@some_configurations
def test_names_of_tables(spark: SparkSession, name: str) -> None:
    """As views of the session, and as hints, which become aliases."""
    names = UNIQUE[::3]
    for i, each in enumerate(names):
        spark.range(1).selectExpr(f"{i} AS x").createOrReplaceTempView(
            "`" + each.replace("`", "``") + "`"
        )
    roots = []
    for each in names:
        read = table("t", "x:i32")
        read.message.read.named_table.names[:] = [each]
        read.message.read.common.hint.alias = each
        roots.append((read.fetch(1).filter(lambda r: eq(r[0], r[0])), "x"))
    try:
        with configured(spark, CONFIGURATIONS[name]):
            frames = substrait_sql.execute(spark, plan(*roots))
            union = frames[0]
            for frame in frames[1:]:
                union = union.unionAll(frame)
            assert sorted(r.x for r in union.collect()) == list(range(len(names)))
    finally:
        for each in names:
            assert spark.catalog.dropTempView(each)


@pytest.mark.spark
@every_configuration
def test_names_of_fields(spark: SparkSession, name: str) -> None:
    """Fields of a struct that is read, unpacked, cast along with its struct, and returned."""
    n = len(UNIQUE)
    wide = f"s({','.join(f'c{i}' for i in range(n))}):struct<{','.join(['i32?'] * n)}>?"
    read = table("t", wide)
    read.message.read.base_schema.names[1:] = UNIQUE
    values = read.select(lambda r: [part(r[0], i, out="i32?") for i in range(n)])
    whole = set_("UNION_ALL", read, table("u", wide))
    names = " ".join(f"c{i}" for i in range(n))
    ids = ", ".join(f"'{i}', {i}" for i in range(n))
    frame = spark.sql(f"SELECT named_struct({ids}) AS s").select(
        functions.col("s")
        .cast(StructType([StructField(each, IntegerType()) for each in UNIQUE]))
        .alias("s")
    )
    other = spark.sql(f"SELECT named_struct({ids.replace(chr(39), chr(39))}) AS s").select(
        functions.col("s")
        .cast(StructType([StructField(f"c{i}", IntegerType()) for i in range(n)]))
        .alias("s")
    )
    with configured(spark, CONFIGURATIONS[name]):
        got = substrait_sql.execute(spark, plan((values, names)), tables={"t": frame})
        assert [tuple(r) for r in got.collect()] == [tuple(range(n))]
        message = plan((whole, f"s({names.replace(' ', ',')})"))
        message.relations[0].root.names[1:] = UNIQUE
        got = substrait_sql.execute(spark, message, tables={"t": frame, "u": other})
        assert got.schema["s"].dataType.fieldNames() == UNIQUE
        assert [tuple(r.s) for r in got.collect()] == [tuple(range(n))] * 2


@pytest.mark.parametrize("at", ["root", "column", "table", "field", "target", "written"])
def test_names_that_spark_would_replace_are_refused(at: str) -> None:
    name = "a${env:HOME}"
    read = table("t", "a:i64? s(x,y):struct<str?,i32?>?")
    message = plan((read.filter(lambda r: eq(r[0], lit(1, "i64"))), "a s(x,y)"))
    node = message.relations[0].root.input.filter.input.read
    match at:
        case "root":
            message.relations[0].root.names[0] = name
        case "column":
            node.base_schema.names[0] = name
        case "table":
            node.named_table.names[0] = name
        case "field":
            message.relations[0].root.names[2] = name
        case "target":
            message = write("CTAS", name, "a:i32", virtual("a:i32", (1,)))
        case "written":
            message = write("INSERT", "t", "a:i32", virtual("a:i32", (1,)))
            message.relations[0].root.input.write.table_schema.names[0] = name
    with pytest.raises(UnsupportedError, match="SS2402|SS3202"):
        substrait_sql.to_sql(message)


def test_half_a_surrogate_pair_is_no_text() -> None:
    """Protobuf and Spark hold UTF-8, which has none."""
    message, _ = in_select(["mark"])
    text = json_format.MessageToJson(message)
    for half in ("\\ud800", "\\udc00x"):
        for given_ in (text.replace("mark", half), json.loads(text.replace("mark", half))):
            with pytest.raises(DecodeError):
                substrait_sql.to_sql(given_)
    pair = json.loads(text.replace("mark", "\\ud83d\\ude00"))
    assert "😀" in substrait_sql.to_sql(pair)


# Parameters ---------------------------------------------------------------------------------------


@pytest.mark.spark
@some_configurations
def test_texts_as_parameters(spark: SparkSession, name: str) -> None:
    row = virtual("x:i32", (1,))
    made = row.select(lambda r: [parameter(i, "str") for i in range(len(TEXTS))])
    message = plan((made, " ".join(f"c{i}" for i in range(len(TEXTS)))))
    with configured(spark, CONFIGURATIONS[name]):
        frame = substrait_sql.execute(spark, message, parameters=dict(enumerate(TEXTS)))
        assert [tuple(r) for r in frame.collect()] == [tuple(TEXTS)]


@pytest.mark.spark
@every_configuration
def test_values_as_parameters(spark: SparkSession, name: str) -> None:
    """A value stands in the text of the statement: its sign must not join the one before it."""
    day, at = dt.date(2020, 2, 29), dt.datetime(2020, 2, 29, 12, 30, 0, 5)
    values: list[tuple[str, Any]] = [
        ("i8", -128), ("i16", -32768), ("i32", -(2**31)), ("i64", -(2**63)), ("i64", 2**63 - 1), ("fp64", -1.5),
        ("fp64", -0.0), ("fp64", float("-inf")), ("fp32", -2.5), ("dec<38,10>", Decimal("-1.0000000001")),
        ("dec<5,0>", Decimal(-5)), ("bool", True), ("date", day), ("pts<6>", at.isoformat(sep=" ")),
        ("binary", bytes(range(256))),
        ("str?", None), ("i64?", None), ("vchar<3>", "it'"),
    ]  # fmt: skip
    row = virtual("x:i64", (10,))
    five = parameter(100, "i64")
    made = row.select(
        lambda r: [
            *(parameter(i, kind) for i, (kind, _) in enumerate(values)),
            call("arithmetic", "subtract:i64_i64", "i64", r[0], five),
            call("arithmetic", "negate:i64", "i64", five),
            call("arithmetic", "subtract:i64_i64", "i64", five, five),
        ]
    )
    kept = virtual("x:i64", (-6,), (-5,), (-4,)).filter(lambda r: lt(r[0], five))
    names = " ".join(f"c{i}" for i in range(len(values) + 3))
    with configured(spark, CONFIGURATIONS[name]):
        given_ = {i: v for i, (_, v) in enumerate(values)} | {100: -5}
        (got,) = substrait_sql.execute(spark, plan((made, names)), parameters=given_).collect()
        want = [at if kind.startswith("pts") else v for kind, v in values] + [15, 5, 0]
        assert [bytes(v) if isinstance(v, bytearray) else v for v in got] == want
        assert math.copysign(1, got[6]) == -1
        assert substrait_sql.execute(spark, plan((kept, "x")), parameters={100: -5}).collect() == [
            (-6,)
        ]


@pytest.mark.spark
def test_a_parameter_is_no_number_of_a_column(spark: SparkSession) -> None:
    """``GROUP BY 1`` and ``ORDER BY 1`` would mean the first column."""
    rows = virtual("a:i32 b:i32", (2, 1), (1, 2), (1, 3))
    grouped = rows.aggregate(lambda r: [parameter(1, "i32")], lambda r: [count()])
    ordered = rows.sort(lambda r: [(parameter(1, "i32"), ASC), (r[1], DESC)])
    with configured(
        spark, {"spark.sql.groupByOrdinal": "true", "spark.sql.orderByOrdinal": "true"}
    ):
        got = substrait_sql.execute(spark, plan((grouped, "k n")), parameters={1: 2}).collect()
        assert got == [(2, 3)]
        got = substrait_sql.execute(spark, plan((ordered, "a b")), parameters={1: 1}).collect()
        assert got == [(1, 3), (1, 2), (2, 1)]


# Writes -------------------------------------------------------------------------------------------


@pytest.mark.spark
@some_configurations
def test_what_is_written(spark: SparkSession, name: str) -> None:
    """Texts and names of columns through CTAS, INSERT and a view; a view says the same in any session."""
    spark.sql("DROP DATABASE IF EXISTS substrait_sql_writes CASCADE")
    spark.sql("CREATE DATABASE substrait_sql_writes")
    n = len(UNIQUE)
    texts = (TEXTS * 2)[:n]
    kinds = " ".join(f"c{i}:str" for i in range(n))
    row = virtual("x:i32", (1,)).select(lambda r: [lit(t, "str") for t in texts])

    negated = call("arithmetic", "negate:i64", "i64", parameter(2, "i64"))
    given_row = virtual("x:i32", (1,)).select(lambda r: [parameter(1, "str"), negated])
    values = {1: "it's ${x}\\", 2: -5}

    def name_columns(message: pb.Plan, node: str) -> pb.Plan:
        made = getattr(message.relations[0].root.input, node)
        made.table_schema.names[:] = UNIQUE
        return message

    def go(message: pb.Plan, **more: Any) -> None:
        substrait_sql.execute(spark, message, allow_writes=True, **more)

    try:
        with configured(spark, CONFIGURATIONS[name]):
            go(name_columns(write("CTAS", "t", kinds, row), "write"))
            go(name_columns(write("INSERT", "t", kinds, row), "write"))
            go(name_columns(define("CREATE", "VIEW", "v", kinds, row), "ddl"))
            # The values of parameters are part of what is written.
            go(define("CREATE", "VIEW", "p", "a:str b:i64", given_row), parameters=values)
            go(write("CTAS", "q", "a:str b:i64", given_row), parameters=values)
        for later in (name, "everything"):
            with configured(spark, CONFIGURATIONS[later]):
                for each in ("t", "v"):
                    frame = spark.table(f"substrait_sql_writes.{each}")
                    assert frame.columns == UNIQUE
                    assert {tuple(r) for r in frame.collect()} == {tuple(texts)}
                for each in ("p", "q"):
                    assert spark.table(f"substrait_sql_writes.{each}").collect() == [
                        ("it's ${x}\\", 5)
                    ]
    finally:
        spark.sql("DROP DATABASE substrait_sql_writes CASCADE")


def test_line_breaks_in_names_are_not_indented() -> None:
    name = "a\n b"
    target = table("substrait_sql_writes.t", "a:i32")
    target.message.read.base_schema.names[:] = [name]
    message = write("DELETE", "t", "a:i32", target.filter(lambda r: lt(r[0], lit(1, "i32"))))
    message.relations[0].root.input.write.table_schema.names[:] = [name]
    assert substrait_sql.to_sql(message) == (
        f"DELETE FROM substrait_sql_writes.t\nWHERE\n  `{name}` < 1"
    )
    # In a type, inside of a derived table.
    read = table("t", "s(x,y):struct<i32?,i32?>?").fetch(5)
    union = set_("UNION_ALL", read, read)
    made = plan((union, "s(x,y)"))
    made.relations[0].root.names[1] = name
    assert f"STRUCT<`{name}`: INT, y: INT>" in substrait_sql.to_sql(made)
