"""Tables whose columns have other types than the plan: read as the plan means them, or all refused at once.

The lists of pairs are by hand: a cast keeps every value that the Spark type holds, or fails on the row that it cannot.
"""

from __future__ import annotations

import datetime as dt
import decimal
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pandas  # type: ignore[import-untyped]
import pyarrow as pa
import pytest

import substrait_sql
from substrait_sql import ExecutionError
from substrait_sql.run.files import parquet
from substrait_sql.run.tables.given import Given
from tests.run.test_run import python
from tests.support.build import gt, lit, plan, table
from tests.support.run import collect
from tests.support.untyped import without_types

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession

    from tests.support.cluster import Server

_MAX = {"tinyint": 2**7 - 1, "smallint": 2**15 - 1, "int": 2**31 - 1, "bigint": 2**63 - 1}
_WHOLE = {**_MAX, "decimal(3,0)": 999, "decimal(15,0)": 10**15 - 1, "decimal(20,0)": 2**64 - 1}
_DAY, _NOON = dt.date(1969, 2, 28), dt.datetime(1969, 2, 28, 12, 0, 0, 250)

# Spark type -> a value of it, in SQL and in Python.
VALUES: dict[str, tuple[str, Any]] = {
    "boolean": ("true", True),
    **{f: (str(n), n) for f, n in _WHOLE.items()},
    "decimal(7,0)": ("9999999", 9999999),
    "decimal(16,0)": ("7", 7),
    "decimal(12,1)": ("-1.5", Decimal("-1.5")),
    "decimal(12,2)": ("-1.25", Decimal("-1.25")),
    "decimal(15,2)": ("1.25", Decimal("1.25")),
    "decimal(38,2)": ("1.25", Decimal("1.25")),
    "decimal(15,3)": ("1.250", Decimal("1.250")),
    "float": ("'-0.1'", -0.10000000149011612),
    "double": ("0.1", 0.1),
    "string": ("'Ab '", "Ab "),
    "string collate UTF8_LCASE": ("'Ab '", "Ab "),
    "binary": ("X'00ff'", b"\x00\xff"),
    "date": ("DATE '1969-02-28'", _DAY),
    "timestamp_ntz": ("TIMESTAMP_NTZ '1969-02-28 12:00:00.00025'", _NOON),
    "timestamp": ("TIMESTAMP '1969-02-28 12:00:00.00025Z'", _NOON.replace(tzinfo=dt.UTC)),
    "interval year to month": ("INTERVAL '1-2' YEAR TO MONTH", "1-2"),
    "interval year": ("INTERVAL '2' YEAR", "2-0"),
    "interval day to second": ("INTERVAL '1 00:00:00.5' DAY TO SECOND", dt.timedelta(1, 0.5)),
    "interval hour": ("INTERVAL '-5' HOUR", -dt.timedelta(hours=5)),
    "array<int>": ("array(1, NULL)", [1, None]),
    "array<double>": ("array(0.5)", [0.5]),
    "map<string,int>": ("map('a', 1)", {"a": 1}),
    "void": ("NULL", None),
}  # fmt: skip

_TEXTS = ("string", "string collate UTF8_LCASE")
_FRACTIONS = ("decimal(12,1)", "decimal(12,2)", "decimal(15,2)", "decimal(38,2)")
# What the plan declares -> the Spark types whose values are of that type, or fail to be.
HOLD: dict[str, tuple[str, ...]] = {
    "bool?": ("boolean",),
    **{f"{d}?": (*_WHOLE, "decimal(7,0)", "decimal(16,0)") for d in ("i8", "i16", "i32", "i64")},
    "u!u8?": (*_WHOLE, "decimal(7,0)", "decimal(16,0)"),
    "u!u64?": (*_WHOLE, "decimal(7,0)", "decimal(16,0)"),
    "dec<15,2>?": (*_WHOLE, "decimal(7,0)", "decimal(16,0)", *_FRACTIONS),
    "dec<38,0>?": (*_WHOLE, "decimal(7,0)", "decimal(16,0)"),
    "fp32?": ("float", "tinyint", "smallint", "decimal(3,0)", "decimal(7,0)"),
    "fp64?": ("float", "double", "tinyint", "smallint", "int", "decimal(3,0)", "decimal(7,0)", "decimal(15,0)",
              "decimal(12,1)", "decimal(12,2)", "decimal(15,2)", "decimal(15,3)"),
    "str?": (*_TEXTS, "date"), **dict.fromkeys(("vchar<9>?", "fchar<3>?", "uuid?"), _TEXTS),
    **dict.fromkeys(("binary?", "fbin<2>?"), ("binary",)),
    "date?": ("date",),
    # The session's zone is UTC.
    **dict.fromkeys(("pts<6>?", "pts<0>?"), ("timestamp_ntz", "timestamp")),
    "ptstz<6>?": ("timestamp", "timestamp_ntz"),
    "iyear?": ("interval year to month", "interval year"),
    "iday<6>?": ("interval day to second", "interval hour"),
    "list<i64?>?": ("array<int>",),
    "map<str,dec<12,2>?>?": ("map<string,int>",),
}  # fmt: skip
_SPARK = {
    "i8?": "tinyint", "i16?": "smallint", "i32?": "int", "i64?": "bigint", "u!u8?": "smallint",
    "u!u64?": "decimal(20,0)", "list<i64?>?": "array<bigint>", "map<str,dec<12,2>?>?": "map<string,decimal(12,2)>",
}  # fmt: skip
_EXACT = {
    "bool?": "boolean", "dec<15,2>?": "decimal(15,2)", "dec<38,0>?": "decimal(38,0)",
    "fp32?": "float", "fp64?": "double",
    "binary?": "binary", "fbin<2>?": "binary", "date?": "date", "ptstz<6>?": "timestamp", "pts<6>?": "timestamp_ntz",
    "pts<0>?": "timestamp_ntz", "iyear?": "interval year to month", "iday<6>?": "interval day to second",
    **dict.fromkeys(("str?", "vchar<9>?", "fchar<3>?", "uuid?"), "string"), **_SPARK,
}  # fmt: skip


def _cell(declared: str, found: str) -> tuple[str, Any]:
    """A value of the Spark type that is one of the plan's type as well: in SQL, and as it comes out."""
    sql, value = VALUES[found]
    whole = isinstance(value, int) and not isinstance(value, bool)
    if whole and _EXACT[declared] in _MAX:
        value = -min(value, _MAX[_EXACT[declared]])
        sql = str(value)
    if whole and declared in ("u!u8?", "dec<15,2>?"):
        value = min(abs(value), 255 if declared == "u!u8?" else 10**13 - 1)
        sql = str(value)
    if whole and _EXACT[declared] in ("float", "double"):
        return sql, float(value)
    if isinstance(value, Decimal) and _EXACT[declared] in ("float", "double"):
        return sql, float(value)
    if isinstance(value, (int, Decimal)) and _EXACT[declared].startswith("decimal"):
        return sql, Decimal(value)
    if declared == "str?" and found == "date":
        return sql, value.isoformat()
    if isinstance(value, dt.datetime):
        return sql, value.replace(tzinfo=dt.UTC if _EXACT[declared] == "timestamp" else None)
    if isinstance(value, dict):
        return sql, {k: Decimal(v) for k, v in value.items()}
    return sql, value


ACCEPTED = [(d, f) for d in HOLD for f in (*HOLD[d], "void")]
REFUSED = [(d, f) for d in HOLD for f in VALUES if f not in (*HOLD[d], "void")]


def everything(pairs: list[tuple[str, str]]) -> Any:
    """A plan that returns a column for each pair."""
    columns = " ".join(f"c{i}:{d}" for i, (d, _) in enumerate(pairs))
    return plan((table("db.t", columns), " ".join(f"c{i}" for i in range(len(pairs)))))


def cells(pairs: list[tuple[str, str]]) -> str:
    """A query for a table with these columns: a row of values, and one of NULLs."""
    values = ", ".join(f"CAST({_cell(d, f)[0]} AS {f}) AS C{i}" for i, (d, f) in enumerate(pairs))
    nulls = ", ".join(f"CAST(NULL AS {f}) AS C{i}" for i, (_, f) in enumerate(pairs))
    return f"SELECT {values} UNION ALL SELECT {nulls}"


def storable(pairs: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """The pairs whose types Parquet holds."""
    return [(d, f) for d, f in pairs if f != "void"]


def check_rows(frame: Any, pairs: list[tuple[str, str]]) -> None:
    """Fails unless the rows are those of `cells`, of the types that the plan declares."""
    types = [f.dataType.simpleString() for f in frame.schema.fields]
    assert types == [_EXACT[d] for d, _ in pairs]
    # Python has no value for an interval of months, and its texts are the same in every session.
    plain = frame.selectExpr(
        *(f"replace(CAST(c{i} AS STRING), 'INTERVAL ', '') AS c{i}" if t == "interval year to month" else f"c{i}"
          for i, t in enumerate(types))
    )  # fmt: skip
    found = collect(plain)
    expected = tuple(
        f"'{v}' YEAR TO MONTH" if d == "iyear?" and v else v
        for d, v in ((d, _cell(d, f)[1]) for d, f in pairs)
    )
    assert sorted(found, key=lambda row: row[0] is None) == [expected, (None,) * len(pairs)]


def check_all(spark: Any) -> None:
    """The pairs as a DataFrame, and all that is refused in one error; on any session."""
    frame = substrait_sql.execute(
        spark, everything(ACCEPTED), tables={"T": spark.sql(cells(ACCEPTED))}
    )
    check_rows(frame, ACCEPTED)
    refused = spark.sql(
        "SELECT " + ", ".join(f"CAST(NULL AS {f}) AS c{i}" for i, (_, f) in enumerate(REFUSED))
    )
    with pytest.raises(ExecutionError) as caught:
        substrait_sql.execute(spark, everything(REFUSED), tables={"t": refused})
    found = caught.value.diagnostics
    assert {(d.code, d.path) for d in found} == {("SS4016", "relations[0].root.input.read")}
    assert len(found) == len(REFUSED)
    for i, problem in enumerate(found):
        assert f"column 'c{i}" in problem.message
        assert " of db.t is " in problem.message


@pytest.mark.spark
def test_all_pairs_of_a_dataframe(spark: SparkSession) -> None:
    before = state(spark)
    check_all(spark)
    assert state(spark) == before


@pytest.mark.spark
def test_all_pairs_in_parquet_and_in_the_catalog(spark: SparkSession, tmp_path: Path) -> None:
    pairs = storable(ACCEPTED)
    spark.sql(cells(pairs)).coalesce(1).write.parquet(str(tmp_path / "t.parquet"))
    frame: Any = substrait_sql.execute(
        spark, everything(pairs), tables={"t": tmp_path / "t.parquet"}
    )
    check_rows(frame, pairs)
    spark.sql("CREATE DATABASE db")
    try:
        spark.sql(f"CREATE TABLE db.t USING parquet AS {cells(pairs)}")
        before = state(spark)
        check_rows(substrait_sql.execute(spark, everything(pairs)), pairs)
        assert state(spark) == before
    finally:
        spark.sql("DROP DATABASE db CASCADE")


@pytest.mark.spark
@pytest.mark.slow
def test_all_pairs_on_spark_connect(tmp_path: Path, connect_server: tuple[Server, str]) -> None:
    done = python(
        f"""
        from pyspark.sql import SparkSession
        spark = SparkSession.builder.remote({connect_server[1]!r}).getOrCreate()
        from tests.run.test_tables import check_all, check_nested
        check_all(spark)
        check_nested(spark)
        print("right")
        """,
        tmp_path,
        {"TZ": "UTC"},
    )
    assert done.stdout.splitlines()[-1:] == ["right"], done.stderr[-3000:]


# Parts of columns ---------------------------------------------------------------------------------

NESTED = (
    "id:i64? home(city,at(x,y)):struct<str?,struct<i64?,dec<9,2>?>?>? "
    "all(n,s):list<struct<i64?,str?>>? m(a,b):map<str,struct<i64?,str?>?>?"
)
NAMES = "id home(city,at(x,y)) all(n,s) m(a,b)"
OTHERWISE = """SELECT * FROM VALUES
    (named_struct('AT', named_struct('y', 1.5BD, 'X', 3), 'zip', 'z', 'City', 'Bonn'), 1,
     array(named_struct('s', 'a', 'n', 1S), named_struct('s', 'b', 'n', NULL)),
     map('k', named_struct('b', 'v', 'a', 5), 'none', NULL)),
    (named_struct('AT', NULL, 'zip', 'z', 'City', NULL), 2, array(), map()),
    (NULL, 3, NULL, NULL)
    AS t(home, ID, all, m)"""
NESTED_ROWS = [
    (1, ("Bonn", (3, Decimal("1.50"))), [(1, "a"), (None, "b")], {"k": (5, "v"), "none": None}),
    (2, (None, None), [], {}),
    (3, None, None, None),
]


def check_nested(spark: Any) -> None:
    """Fields of structs are found by name, at any depth, in any order and case; others are left out."""
    document = plan((table("t", NESTED), NAMES))
    frame = substrait_sql.execute(spark, document, tables={"t": spark.sql(OTHERWISE)})
    assert not isinstance(frame, list)
    assert [f.dataType.simpleString() for f in frame.schema.fields] == [
        "bigint", "struct<city:string,at:struct<x:bigint,y:decimal(9,2)>>",
        "array<struct<n:bigint,s:string>>", "map<string,struct<a:bigint,b:string>>",
    ]  # fmt: skip
    assert sorted(collect(frame)) == NESTED_ROWS


@pytest.mark.spark
def test_fields_of_structs_are_found_by_name(spark: SparkSession, tmp_path: Path) -> None:
    check_nested(spark)
    spark.sql(OTHERWISE).coalesce(1).write.parquet(str(tmp_path / "t"))
    found: Any = substrait_sql.execute(
        spark, plan((table("t", NESTED), NAMES)), tables={"t": tmp_path / "t"}
    )
    assert sorted(collect(found)) == NESTED_ROWS


@pytest.mark.spark
@pytest.mark.parametrize(
    ("declared", "found", "problem"),
    [
        ("a(b):struct<i64?>?", "struct<b:double>", "column 'a.b' of t is double, and the plan declares i64?"),
        ("a(b,c):struct<i64?,str?>?", "struct<b:bigint>", "column 'a' of t has no field 'c'; fields there are: b"),
        ("a:list<i64?>?", "array<double>", "column 'a.element' of t is double, and the plan declares i64?"),
        ("a:list<list<date?>?>?", "array<array<timestamp>>", "'a.element.element' of t is timestamp"),
        ("a:map<str,i64?>?", "map<int,bigint>", "column 'a.key' of t is int, and the plan declares string"),
        ("a:map<str,i64?>?", "map<string,string>", "'a.value' of t is string, and the plan declares i64?"),
        ("a:list<i64?>?", "bigint", "column 'a' of t is bigint, and the plan declares list?<i64?>"),
        ("a:i64?", "array<bigint>", "column 'a' of t is array<bigint>, and the plan declares i64?"),
        ("a(b):struct<i64?>?", "map<string,bigint>", "is map<string,bigint>, and the plan declares struct?<i64?>"),
        ("a(k):map<struct<i64?>,i64?>?", "map<struct<k:bigint,l:int>,bigint>", "'a.key' of t has more fields"),
    ],
)  # fmt: skip
def test_parts_that_are_refused(
    spark: SparkSession, declared: str, found: str, problem: str
) -> None:
    document = plan((table("t", declared), declared.partition(":")[0]))
    with pytest.raises(ExecutionError, match="SS4016") as caught:
        substrait_sql.execute(
            spark, document, tables={"t": spark.sql(f"SELECT CAST(NULL AS {found}) AS a")}
        )
    assert problem in str(caught.value)
    assert len(caught.value.diagnostics) == 1


# Names --------------------------------------------------------------------------------------------


@pytest.mark.spark
def test_everything_that_is_wrong_at_once(spark: SparkSession, tmp_path: Path) -> None:
    """Tables, columns and types, given and of the catalog; what the statement does not read does not matter."""
    spark.sql("SELECT 1D AS other, 'x' AS b").write.parquet(str(tmp_path / "u"))
    spark.sql("SELECT 1D AS a, 'x' AS unread").createOrReplaceTempView("of_catalog")
    read = table("t", "a:i64? age:i64?")
    read = read.cross(table("u", "b:i64? c:str?")).cross(
        table("of_catalog", "a:i64? unread:i64?", mask=[0])
    )
    read = read.cross(table("gone", "a:i64?")).cross(table("also.gone", "a:i64?"))
    names = "a age b c d e f"
    try:
        with pytest.raises(ExecutionError) as caught:
            substrait_sql.execute(
                spark,
                plan((read, names)),
                tables={"t": spark.sql("SELECT 1.5D AS a"), "u": tmp_path / "u"},
            )
    finally:
        spark.catalog.dropTempView("of_catalog")
    found = [(d.code, d.message.partition(";")[0]) for d in caught.value.diagnostics]
    assert found == [
        ("SS4016", "the column 'a' of t is double, and the plan declares i64?"),
        ("SS4016", "t has no column 'age'"),
        ("SS4016", "the column 'b' of u is string, and the plan declares i64?"),
        ("SS4016", "u has no column 'c'"),
        ("SS4016", "the column 'a' of of_catalog is double, and the plan declares i64?"),
        ("SS4003", "the plan reads the table gone, which is not there"),
        ("SS4003", "the plan reads the table also.gone, which is not there"),
    ]
    assert len({d.path for d in caught.value.diagnostics}) == 5


@pytest.mark.spark
def test_columns_that_differ_in_case(spark: SparkSession) -> None:
    spark.conf.set("spark.sql.caseSensitive", "true")
    try:
        frame = spark.sql("SELECT 1L AS a, 2L AS A, 3L AS b, 4 AS C, 'x' AS x, 'y' AS X")
        with pytest.raises(ExecutionError, match="SS4016 t has 2 columns 'a'"):
            substrait_sql.execute(
                spark, plan((table("t", "a:i64? b:i64?"), "a b")), tables={"t": frame}
            )
        found: Any = substrait_sql.execute(
            spark, plan((table("t", "B:i64? c:i64?"), "b c")), tables={"t": frame}
        )
        assert collect(found) == [(3, 4)]
    finally:
        spark.conf.unset("spark.sql.caseSensitive")


@pytest.mark.spark
def test_columns_of_the_plan_that_are_one_to_spark(spark: SparkSession) -> None:
    document = plan((table("t", "a:i64? A:i64?"), "x y"))
    with pytest.raises(ExecutionError, match="SS4016 the plan reads two columns 'a' and 'A' of t"):
        substrait_sql.execute(spark, document, tables={"t": spark.sql("SELECT 1L AS a")})


@pytest.mark.spark
def test_reads_that_declare_different_types(spark: SparkSession) -> None:
    """There is one table for both: a type that one of them does not declare is refused."""
    frame = spark.sql("SELECT 1 AS a, 2 AS b")
    both = table("t", "a:i64?").cross(table("t", "b:i32? a:i64?"))
    found: Any = substrait_sql.execute(spark, plan((both, "a b c")), tables={"t": frame})
    assert collect(found) == [(1, 2, 1)]
    other = table("t", "a:i64?").cross(table("t", "a:i32?"))
    with pytest.raises(
        ExecutionError, match="SS4016 the column 'a' of t is declared as i32"
    ) as caught:
        substrait_sql.execute(spark, plan((other, "a b")), tables={"t": frame})
    assert caught.value.path == "relations[0].root.input.cross.right.read"


@pytest.mark.spark
def test_a_table_that_is_read_often_is_looked_at_once(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A plan without types asks at each read, and Spark lists the files each time; the view is one more look."""
    path = str(tmp_path / "t.parquet")
    spark.sql("SELECT 7L AS a").write.parquet(path)
    one = table("t", "a:i64?")
    message = plan((one.cross(one).cross(one.cross(one)), "a b c d"))
    without_types(message)
    looks: list[str] = []
    load = parquet.load

    def counted(reader: Any, where: str, *rest: Any) -> Any:
        looks.append(where)
        return load(reader, where, *rest)

    monkeypatch.setattr(parquet, "load", counted)
    found: Any = substrait_sql.execute(spark, message, tables={"t": path})
    assert collect(found) == [(7, 7, 7, 7)]
    assert looks == [path, path]


# Values -------------------------------------------------------------------------------------------


@pytest.mark.spark
def test_a_value_that_a_cast_has_no_place_for_is_an_error(spark: SparkSession) -> None:
    """In a session that would make it NULL, or another number, as well."""
    spark.conf.set("spark.sql.ansi.enabled", "false")
    try:
        for declared, value in (
            ("i8?", "300L"),
            ("dec<4,2>?", "100BD"),
            ("list<i32?>?", "array(1L << 40)"),
        ):
            frame: Any = substrait_sql.execute(
                spark,
                plan((table("t", f"a:{declared}"), "a")),
                tables={"t": spark.sql(f"SELECT {value} AS a")},
            )
            with pytest.raises(Exception, match="CAST_OVERFLOW|NUMERIC_VALUE_OUT_OF_RANGE"):
                frame.collect()
    finally:
        spark.conf.unset("spark.sql.ansi.enabled")


@pytest.mark.spark
def test_a_collation_compares_as_the_plan_does(spark: SparkSession) -> None:
    read = table("t", "a:str?").filter(lambda r: gt(r[0], lit("Z", "str")))
    frame = spark.sql("SELECT a COLLATE UTF8_LCASE AS a FROM VALUES ('a'), ('B'), ('zz') AS t(a)")
    found: Any = substrait_sql.execute(spark, plan((read, "a")), tables={"t": frame})
    assert sorted(collect(found)) == [("a",), ("zz",)]


# NULLs --------------------------------------------------------------------------------------------


@pytest.mark.spark
@pytest.mark.parametrize(
    ("declared", "value"),
    [
        ("a:i64", "CAST(NULL AS BIGINT)"),
        ("a:i64", "CAST(NULL AS INT)"),
        ("a(b):struct<i64>?", "named_struct('b', CAST(NULL AS BIGINT))"),
        ("a:list<i64>?", "array(1, NULL)"),
        ("a:map<str,list<i64>?>", "map('a', NULL, 'b', array(1L, NULL))"),
    ],
)
def test_nulls_that_the_plan_rules_out(spark: SparkSession, declared: str, value: str) -> None:
    """They are read as they are, or are an error where the caller asks for that; a NULL around them is neither."""
    read = table("t", f"id:i64 {declared}")
    frame = spark.sql(
        f"SELECT 1L AS id, {value} AS a UNION ALL SELECT 2L, IF(rand() < 2, NULL, {value})"
    )
    names = "id " + declared.partition(":")[0]

    def rows(where: int) -> Any:
        one = frame.filter(f"id = {where}")
        return substrait_sql.execute(
            spark, plan((read, names)), tables={"t": one}, check_nulls=True
        )

    loose: Any = substrait_sql.execute(spark, plan((read, names)), tables={"t": frame})
    assert loose.count() == 2
    with pytest.raises(
        Exception, match="a NULL in the column 'a' of t, where the plan declares none"
    ):
        rows(1).collect()
    if "?" in declared.rpartition(">")[2]:
        assert collect(rows(2)) == [(2, None)]


# Tables of pandas and Arrow -----------------------------------------------------------------------


@pytest.mark.spark
def test_tables_of_arrow_and_pandas(spark: SparkSession) -> None:
    columns = {
        "i": pa.array([1, None], pa.uint8()), "u": pa.array([2**64 - 1, 0], pa.uint64()),
        "s": pa.array(["a", None]).dictionary_encode(), "d": pa.array([Decimal("1.5"), None]),
        "t": pa.array([1_000, None], pa.timestamp("ns")), "z": pa.array([1, None], pa.timestamp("ms", "Asia/Tokyo")),
        "l": pa.array([[1], None], pa.large_list(pa.int16())), "n": pa.nulls(2),
        "b": pa.array([b"x", None], pa.binary(1)),
    }  # fmt: skip
    read = table(
        "t",
        "i:i64? u:u!u64? s:str? d:dec<9,2>? t:pts<6>? z:ptstz<6>? l:list<i64?>? n:date? b:fbin<1>?",
    )
    document = plan((read, "i u s d t z l n b"))
    expected = [
        (1, Decimal(2**64 - 1), "a", Decimal("1.50"), dt.datetime(1970, 1, 1, 0, 0, 0, 1),
         dt.datetime(1970, 1, 1, 0, 0, 0, 1000, tzinfo=dt.UTC), [1], None, b"x"),
        (None, Decimal(0), *[None] * 7),
    ]  # fmt: skip
    made = pa.table(columns)
    for given in (made, made.to_reader()):
        found: Any = substrait_sql.execute(spark, document, tables={"t": given})
        assert sorted(collect(found), key=str, reverse=True) == sorted(
            expected, key=str, reverse=True
        )
    frame = pandas.DataFrame(
        {"a": [1, 2], "b": ["x", None], "c": [0.5, float("nan")], "d": [Decimal("1.25"), None]}
    )
    read = table("t", "a:i32? b:str? c:fp64? d:dec<15,2>?")
    found = substrait_sql.execute(spark, plan((read, "a b c d")), tables={"t": frame})
    assert sorted(collect(found)) == [(1, "x", 0.5, Decimal("1.25")), (2, None, None, None)]
    with pytest.raises(ExecutionError, match="SS4016 the column 'c' of t is double"):
        substrait_sql.execute(spark, plan((table("t", "c:i64?"), "c")), tables={"t": frame})
    finer = pa.table({"a": pa.array([1], pa.timestamp("ns"))})
    with pytest.raises(ExecutionError, match="SS4004 the table 't' cannot be had .* lose data"):
        substrait_sql.execute(spark, plan((table("t", "a:pts<6>?"), "a")), tables={"t": finer})


@pytest.mark.spark
def test_tables_of_arrow_with_views_and_runs(spark: SparkSession) -> None:
    """pyarrow's own cast makes empty lists of these views, without a word."""
    ends = pa.array([1, 3], pa.int32())
    made = pa.table(
        {
            "v": pa.array([[1], None, [2, 3]], pa.large_list_view(pa.int32())),
            "w": pa.array([["a", None], [], None], pa.list_view(pa.string_view())),
            "r": pa.RunEndEncodedArray.from_arrays(ends, pa.array([1.5, None])),
            "c": pa.DictionaryArray.from_arrays(
                pa.array([0, None, 0]), pa.array(["x"], pa.string_view())
            ),
        }
    )
    read = table("t", "v:list<i32?>? w:list<str?>? r:fp64? c:str?")
    found: Any = substrait_sql.execute(spark, plan((read, "v w r c")), tables={"t": made})
    assert collect(found) == [
        ([1], ["a", None], 1.5, "x"), (None, [], None, None), ([2, 3], None, None, "x"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("given", "kind"), [([(1, 2)], "list"), (None, "NoneType"), (decimal, "module")]
)
def test_what_is_no_table(given: Any, kind: str) -> None:
    with pytest.raises(
        ExecutionError, match=rf"SS4004 .*'t' is given as a {kind}.*\n  hint  give a DataFrame"
    ):
        Given(None, {"t": given})  # type: ignore[arg-type]


def test_pandas_needs_pyarrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(ExecutionError, match=r"SS4017 .*'t'.*needs pyarrow"):
        Given(None, {"t": pandas.DataFrame({"a": [1]})})  # type: ignore[arg-type]


def state(spark: Any) -> Any:
    return spark.conf.getAll, sorted(t.name for t in spark.catalog.listTables())


@pytest.mark.spark
@pytest.mark.parametrize(
    ("declared", "found"), [("pts<6>?", "TIMESTAMP"), ("ptstz<6>?", "TIMESTAMP_NTZ")]
)
def test_points_in_time_elsewhere(spark: SparkSession, declared: str, found: str) -> None:
    """With a zone on one side only, they are the same hour nowhere but in UTC."""
    other = spark.newSession()
    other.conf.set("spark.sql.session.timeZone", "Europe/Berlin")
    frame = other.sql(f"SELECT {found} '2024-07-01 12:00:00' AS a")
    with pytest.raises(ExecutionError, match="SS4016") as caught:
        substrait_sql.execute(other, plan((table("t", f"a:{declared}"), "a")), tables={"t": frame})
    assert "set it to UTC" in str(caught.value)
    other.conf.set("spark.sql.session.timeZone", "UTC")
    rows = substrait_sql.execute(
        other, plan((table("t", f"a:{declared}"), "a")), tables={"t": frame}
    )
    assert len(rows.collect()) == 1
