"""What plans of other producers have shown: one test for each habit, with the plan cut down to it."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import substrait_sql
from substrait_sql import DecodeError, InvalidPlanError, SubstraitSqlError, UnsupportedError
from tests.support import rows, run
from tests.support.json_plans import (
    DAY,
    DOUBLE,
    I64,
    NULLABLE,
    TEXT,
    Json,
    call,
    cast,
    field,
    functions,
    lit,
    literal,
    moment,
    plan,
    project,
    read,
    schema,
    text,
)

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

PLANS = Path(__file__).parents[1] / "plans"


def test_duckdb_reads_from_a_row_without_a_schema() -> None:
    """DuckDB 1.1.3, SELECT 1: a row of 42 that no schema describes."""
    row = {"read": {"virtualTable": {"values": [{"fields": [{"i32": 42}]}]}}}
    assert text(plan(project(row, literal(1)), ["one"], "DuckDB", 53)) == "SELECT 1L AS one"


def test_duckdb_appends_since_2026() -> None:
    """Its old plans return the expressions of a projection alone, those of 0.78 the input as well."""
    rel = project(read(["a"], [I64]), literal(1))
    assert text(plan(rel, ["a", "b"], "DuckDB", 78)) == "SELECT a, 1L AS b FROM t"
    masked = read(["a"], [I64], projection={"select": {"structItems": [{}]}})
    assert text(plan(project(masked, literal(1)), ["b"], "DuckDB", 53)) == "SELECT 1L AS b FROM t"


def test_names_of_columns_only() -> None:
    """DuckDB and Gluten do not name the fields inside a struct."""
    pair = {"struct": {"types": [I64, TEXT], "nullability": NULLABLE}}
    made = {"nested": {"struct": {"fields": [field(0), {"literal": {"string": "x"}}]}}}
    rel = project(read(["a"], [I64]), made, emit=[0, 1])
    assert text(plan(rel, ["a", "s"])) == "SELECT a, named_struct('f0', a, 'f1', 'x') AS s FROM t"
    named = read(["a", "s", "p", "q"], [I64, pair])
    assert text(plan(named, ["a", "s"])) == "SELECT a, s FROM t"
    with pytest.raises(InvalidPlanError, match="SS2003"):
        substrait_sql.to_sql(plan(named, ["a", "s", "p"]))


def test_duckdb_whole_table() -> None:
    """An ordinal over a table without a mask cannot be believed; the table as it is needs none."""
    table = read(["a", "b"], [I64, I64])
    assert text(plan(table, ["a", "b"], "DuckDB", 19)) == "SELECT a, b FROM t"
    for document in (
        plan(table, ["b", "a"], "DuckDB", 19),
        plan(project(table, field(1)), ["b"], "DuckDB", 53),
    ):
        with pytest.raises(UnsupportedError, match="SS2029"):
            substrait_sql.to_sql(document)


@pytest.mark.parametrize("name", ["divide", "modulus", "subtract", "avg"])
@pytest.mark.parametrize("count", [0, 1, 3])
def test_datafusion_operators_of_another_number_of_arguments(name: str, count: int) -> None:
    """What an operator means hangs on the types of both sides, which are not there."""
    made = call(0, DOUBLE, *[field(0)] * count)
    rel = project(read(["a"], [DOUBLE]), made, emit=[1])
    with pytest.raises(SubstraitSqlError, match="SS22"):
        substrait_sql.to_sql(plan(rel, ["x"], "datafusion", extensions=functions(name)))


def test_gluten_fields() -> None:
    """Fields that no release has, where they leave the meaning as it is."""
    document = plan(read(["a"], [I64]), ["a"])
    root = document["relations"][0]["root"]
    root["outputSchema"] = {"types": [I64]}
    schema = root["input"]["read"]["baseSchema"]
    schema["columnTypes"] = ["NORMAL_COL"]
    assert text(document) == "SELECT a FROM t"
    schema["columnTypes"] = ["ROWINDEX_COL"]
    with pytest.raises(DecodeError, match="SS1008"):
        substrait_sql.to_sql(document)


def compound(months: int, days: int, seconds: int = 0) -> Json:
    parts = {
        "intervalYearToMonth": {"months": months},
        "intervalDayToSecond": {"days": days, "seconds": seconds, "precision": 9},
    }
    return {"literal": {"intervalCompound": parts}}


@pytest.mark.parametrize(
    ("interval", "sql"),
    [
        (compound(12, 0), "d + INTERVAL '1' YEAR"),
        (compound(0, 4, 86400), "d + INTERVAL '5' DAY"),
        (compound(0, 0, 3600), "d + INTERVAL '0' DAY"),
        (compound(14, 3), "d + make_interval(0, 14, 0, 3)"),
    ],
)
def test_datafusion_intervals(interval: Json, sql: str) -> None:
    """DataFusion's intervals are always compound; Spark's have months or days. A date has no hours to add to."""
    rel = project(read(["d"], [DAY]), call(0, DAY, field(0), interval), emit=[1])
    document = plan(rel, ["x"], "datafusion", extensions=functions("add"))
    assert text(document) == f"SELECT {sql} AS x FROM t"


@pytest.mark.parametrize(
    ("name", "kind", "sql", "warns"),
    [
        ("multiply", "scalar", "SELECT a * a AS x FROM t", True),
        ("sum", "aggregate", "SELECT sum(a) AS x FROM t", False),
        ("avg", "aggregate", "SELECT avg(a) AS x FROM t", True),
        ("max", "aggregate", "SELECT max(a) AS x FROM t", False),
    ],
)
def test_datafusion_leaves_types_to_the_catalog(
    name: str, kind: str, sql: str, warns: bool
) -> None:
    """Up to 41. Without a catalog the text is the plain one, and a warning says where digits of decimals may differ."""
    table = {"read": {"namedTable": {"names": ["t"]}, "baseSchema": {"names": ["a"]}}}
    if kind == "scalar":
        both = [{"value": field(0)}, {"value": field(0)}]
        rel = project(
            table, {"scalarFunction": {"functionReference": 0, "arguments": both}}, emit=[1]
        )
    else:
        measure = {"measure": {"functionReference": 0, "arguments": [{"value": field(0)}]}}
        rel = {"aggregate": {"input": table, "measures": [measure]}}
    document = plan(rel, ["x"], "datafusion", 40, extensions=functions(name))
    assert text(document) == sql
    warned = [d for d in substrait_sql.render(document).diagnostics if d.code == "SS1110"]
    assert len(warned) == warns


def test_datafusion_intervals_of_months_and_hours() -> None:
    """Spark would make a timestamp of the date; DataFusion takes days out of the hours and drops the rest."""
    for days, seconds, written in (
        (0, 3600, "d + INTERVAL '1' MONTH"),
        (2, 90000, "d + make_interval(0, 1, 0, 3)"),
        (0, -180000, "d + make_interval(0, 1, 0, -2)"),
    ):
        sum_ = call(0, DAY, field(0), compound(1, days, seconds))
        rel = project(read(["d"], [DAY]), sum_, emit=[1])
        made = plan(rel, ["x"], "datafusion", extensions=functions("add"))
        assert f"{written} AS x" in text(made)


def test_times_finer_than_spark() -> None:
    """What Spark holds is no finer than microseconds, so a finer type loses nothing; digits of a text could be."""
    table = read(["s", "ts"], [TEXT, moment(6)])
    rel = project(table, cast(field(1), moment(9)), emit=[2])
    assert text(plan(rel, ["x"])) == "SELECT ts AS x FROM t"
    clock = {"literal": {"string": "2021-03-04 05:06:07.5"}}
    rel = project(table, cast(clock, moment(9)), emit=[2])
    assert text(plan(rel, ["x"])) == "SELECT TIMESTAMP_NTZ '2021-03-04 05:06:07.500000' AS x FROM t"
    for value in (field(0), {"literal": {"string": "2021-03-04 05:06:07.123456789"}}):
        with pytest.raises(UnsupportedError, match="SS2302"):
            substrait_sql.to_sql(plan(project(table, cast(value, moment(9)), emit=[2]), ["x"]))


def test_no_value_is_finer_than_spark() -> None:
    """NULL, and a table without rows: DataFusion's TIMESTAMP has nine digits, and its optimizer leaves such tables."""
    rel = project(read(["s"], [TEXT]), cast(lit(null=DAY), moment(9)), emit=[1])
    assert text(plan(rel, ["x"])) == "SELECT CAST(NULL AS TIMESTAMP_NTZ) AS x FROM t"
    empty = {"read": {"baseSchema": schema(["x"], [moment(9)]), "virtualTable": {}}}
    assert text(plan(empty, ["x"])) == "SELECT CAST(NULL AS TIMESTAMP_NTZ) AS x WHERE FALSE"


def test_null_without_a_type() -> None:
    """DuckDB casts a NULL of no type."""
    rel = project(read(["a"], [I64]), cast({"literal": {"null": {}}}, I64), emit=[1])
    assert text(plan(rel, ["x"])) == "SELECT CAST(NULL AS BIGINT) AS x FROM t"


def test_duckdb_rounds_in_casts() -> None:
    """CAST(2.5 AS INTEGER) is 2 there and CAST(2.5::DECIMAL(5, 1) AS INTEGER) 3; Spark would cut both."""
    wide = {"decimal": {"precision": 5, "scale": 1, "nullability": NULLABLE}}
    schema = [{"fp64": {"nullability": NULLABLE}}, wide]
    table = read(["f", "d"], schema, projection={"select": {"structItems": [{}, {"field": 1}]}})
    rel = project(table, cast(field(0), I64), cast(field(1), I64))
    assert text(plan(rel, ["x", "y"], "DuckDB", 53)) == (
        "SELECT CAST(rint(f) AS BIGINT) AS x, CAST(round(d) AS BIGINT) AS y FROM t"
    )
    rel["project"]["common"] = {"emit": {"outputMapping": [2, 3]}}
    assert text(plan(rel, ["x", "y"], "datafusion", 85)) == (
        "SELECT CAST(f AS BIGINT) AS x, CAST(d AS BIGINT) AS y FROM t"
    )


def parameter(anchor: int, type: Json | None = I64) -> Json:
    found: Json = {"parameterReference": anchor}
    return {"dynamicParameter": found | ({"type": type} if type else {})}


def test_parameters() -> None:
    """Bound ones are literals, the others are asked for; DataFusion leaves out the type of some."""
    rel = project(
        read(["a"], [I64]), parameter(0), parameter(1), parameter(2, None), emit=[1, 2, 3]
    )
    bound = [{"parameterAnchor": 1, "value": {"i64": "7"}}]
    document = plan(rel, ["x", "y", "z"], parameterBindings=bound)
    assert text(document) == "SELECT CAST(:p0 AS BIGINT) AS x, 7L AS y, :p2 AS z FROM t"
    assert set(substrait_sql.render(document).parameters) == {"p0", "p2"}
    document["parameterBindings"] = [{"parameterAnchor": 1, "value": {"string": "7"}}]
    with pytest.raises(InvalidPlanError, match="SS2185"):
        substrait_sql.to_sql(document)
    twice = project(read(["a"], [I64]), parameter(0), parameter(0, TEXT), emit=[1, 2])
    with pytest.raises(InvalidPlanError, match="SS2185"):
        substrait_sql.to_sql(plan(twice, ["x", "y"]))


def now(precision: int) -> Json:
    type = {"precision": precision, "nullability": "NULLABILITY_REQUIRED"}
    return {"executionContextVariable": {"currentTimestamp": type}}


def test_execution_variables() -> None:
    """One value for the whole query."""
    zone = {"executionContextVariable": {"currentTimezone": {}}}
    rel = project(read(["a"], [I64]), now(6), now(0), zone, emit=[1, 2, 3])
    assert text(plan(rel, ["x", "y", "z"])) == (
        "SELECT current_timestamp() AS x, date_trunc('SECOND', current_timestamp()) AS y, "
        "'UTC' AS z FROM t"
    )
    each = {"variableEvalMode": "VARIABLE_EVALUATION_MODE_PER_RECORD"}
    for document in (
        plan(project(read(["a"], [I64]), now(6), emit=[1]), ["x"], executionBehavior=each),
        plan(project(read(["a"], [I64]), now(4), emit=[1]), ["x"]),
    ):
        with pytest.raises(UnsupportedError, match="SS2187"):
            substrait_sql.to_sql(document)


TYPELESS = plan(
    {"aggregate": {"input": read(["a", "S"], []), "measures": [{"measure": {
        "functionReference": 0, "phase": "AGGREGATION_PHASE_INITIAL_TO_RESULT",
        "arguments": [{"value": {"scalarFunction": {"functionReference": 1, "arguments": [
            {"value": field(0)}, {"value": field(0)}]}}}]}}]}},
    ["total"], "datafusion", 40, extensions=functions("sum", "subtract"),
)  # fmt: skip


@pytest.mark.spark
def test_on_spark(spark: SparkSession) -> None:
    """Parameters with values, and types that only the tables have."""
    rel = project(read(["a"], [I64]), parameter(3), now(3), emit=[0, 1, 2])
    table = spark.createDataFrame([(1,), (2,)], "a BIGINT")
    found = substrait_sql.execute(
        spark, plan(rel, ["a", "p", "n"]), tables={"t": table}, parameters={3: 40}
    )
    got = run.collect(found)
    assert sorted(r[:2] for r in got) == [(1, 40), (2, 40)]
    assert all(isinstance(r[2], dt.datetime) and r[2].microsecond % 1000 == 0 for r in got)
    with pytest.raises(UnsupportedError, match="SS2212"):
        substrait_sql.to_sql(TYPELESS)
    table = spark.createDataFrame([(Decimal("1.50"), "x")], "a DECIMAL(10, 2), s STRING")
    found = substrait_sql.execute(spark, TYPELESS, tables={"t": table})
    assert not rows.difference(run.collect(found), [(Decimal("0.00"),)], loose=True)
    assert found.schema[0].dataType.simpleString().startswith("decimal(")


def test_ibis_and_calcite_replace_every_match() -> None:
    """`re_replace` of Ibis and REGEXP_REPLACE of Calcite; the standard's cases replace the first match."""
    replaced = call(0, TEXT, field(0), *({"literal": {"string": t}} for t in (r"(b)\d", r"<\1>")))
    query = project(read(["a"], [TEXT]), replaced, emit=[1])
    urns = [{"extensionUrnAnchor": 1, "urn": "extension:io.substrait:functions_string"}]
    declared = {"extensionUrns": urns, "extensions": functions("regexp_replace:str_str_str", urn=1)}
    first = r"SELECT regexp_replace(a, '(?s)\\A(.*?)(?U:(b)\\d)', '$1<$2>') AS b FROM t"
    assert text(plan(query, ["b"], **declared)) == first
    for producer in ("ibis-substrait", "isthmus"):
        every = text(plan(query, ["b"], producer, **declared))
        assert every == r"SELECT regexp_replace(a, '(?U)(b)\\d', '<$1>') AS b FROM t"


def test_duckdb_table_of_one_column() -> None:
    """Without a mask the order of the columns is not known; of one column there is none."""
    only = read(["a"], [I64])
    assert text(plan(project(only, field(0)), ["x"], "DuckDB", 53)) == "SELECT a AS x FROM t"


def test_duckdb_enumerations() -> None:
    """An ENUM is a user-defined type that nobody declares: what it is in Spark, the table says."""
    enum = {"userDefined": {"nullability": NULLABLE}}
    masked = read(["e", "f"], [enum, I64], projection={"select": {"structItems": [{}]}})
    red = call(0, TEXT, {"cast": {"type": TEXT, "input": field(0)}}, {"literal": {"string": "red"}})
    declared = functions("equal:string_string")
    filtered = {"filter": {"input": masked, "condition": red}}
    rel = project(filtered, field(0), emit=[1])
    document = plan(rel, ["e"], "DuckDB", 53, extensions=declared)
    assert text(document) == "SELECT e FROM t WHERE CAST(e AS STRING) = 'red'"
    document["version"]["producer"] = "somebody"
    with pytest.raises(UnsupportedError, match="SS2139"):
        substrait_sql.to_sql(document)


def test_isthmus_returns_no_index_of_a_grouping_set() -> None:
    """CUBE, as isthmus wrote it before plans said their version: the root has names for keys and measures."""
    sets = [{"groupingExpressions": [field(0)]}, {"groupingExpressions": [field(1)]}]
    aggregate = {"aggregate": {"input": read(["a", "b"], [I64, I64]), "groupings": sets}}
    document = plan(aggregate, ["a", "b"])
    document["version"] = {}
    assert "AS b" not in text(document)
    assert [c.name for c in substrait_sql.render(document).statements[0].columns] == ["a", "b"]
    document["version"] = {"minorNumber": 50, "producer": "somebody"}
    with pytest.raises(InvalidPlanError, match="SS2003"):
        substrait_sql.to_sql(document)


def test_isthmus_does_not_count_the_index_of_a_grouping_set() -> None:
    """Up to 0.84, whichever form the groupings have; the emit is that of two expressions over two keys."""
    keys = [field(0), field(1)]
    sets = [{"expressionReferences": [0]}, {"expressionReferences": [1]}]
    below = read(["a", "b"], [I64, I64])
    aggregate = {"aggregate": {"input": below, "groupings": sets, "groupingExpressions": keys}}
    rel = project(aggregate, field(1), field(0), emit=[2, 3])
    for minor in (64, 84):
        assert text(plan(rel, ["x", "y"], "isthmus", minor)).startswith(
            "SELECT b AS x, a AS y FROM"
        )
    assert "grouping_id()" in text(plan(rel, ["x", "y"], "isthmus", 85))


def test_pyarrow_gives_overflow_to_floats() -> None:
    """The extension file has the option over integers only; for another producer it is unknown, and refused."""
    double = {"fp64": {"nullability": NULLABLE}}
    made = call(0, double, field(0), field(0))
    made["scalarFunction"]["options"] = [{"name": "overflow", "preference": ["SILENT"]}]
    declared = functions("add")
    rel = project(read(["a"], [double]), made, emit=[1])
    document = plan(rel, ["x"], "Acero 26.0.1", 44, extensions=declared)
    assert text(document) == "SELECT a + a AS x FROM t"
    document["version"]["producer"] = "somebody"
    with pytest.raises(UnsupportedError, match="SS2220"):
        substrait_sql.to_sql(document)


def test_a_number_that_is_declared_boolean() -> None:
    """DataFusion's test of `logb`: the value is the function's."""
    boolean, double = ({k: {"nullability": NULLABLE}} for k in ("bool", "fp64"))
    rel = project(read(["a"], [double]), call(0, boolean, field(0)), emit=[1])
    document = plan(rel, ["x"], extensions=functions("sqrt"))
    (column,) = substrait_sql.render(document).statements[0].columns
    assert (text(document), column.type) == ("SELECT sqrt(a) AS x FROM t", "fp64?")
    filtered = {"filter": {"input": rel, "condition": field(0)}}
    with pytest.raises(InvalidPlanError, match="SS2113"):
        substrait_sql.to_sql(plan(filtered, ["x"], extensions=functions("sqrt")))


def test_duckdb_counts_from_the_end() -> None:
    """substring('apple', -2, 1) is 'l' there; another producer means SQL's, where it lies before the text."""
    urns = [{"extensionUrnAnchor": 1, "urn": "extension:io.substrait:functions_string"}]
    declared = {"extensionUrns": urns, "extensions": functions("substring", urn=1)}
    table = read(["a"], [TEXT], projection={"select": {"structItems": [{}]}})

    def cut(start: Json, producer: str) -> str:
        rel = project(table, call(0, TEXT, field(0), start, literal(4)))
        rel["project"]["common"] = {"emit": {"outputMapping": [1]}}
        return text(plan(rel, ["x"], producer, 53, **declared))

    assert cut(literal(-1), "DuckDB") == "SELECT substring(a, -1, 4) AS x FROM t"
    assert cut(literal(0), "DuckDB") == "SELECT substring(a, 1, 3) AS x FROM t"
    assert cut(literal(-1), "isthmus") == "SELECT substring(a, 1, 2) AS x FROM t"
    with pytest.raises(UnsupportedError, match="SS2222"):
        cut(cast(field(0), I64), "DuckDB")


def test_duckdb_intervals_wrap() -> None:
    """INTERVAL '2 hours' is -1389934592 microseconds in its plans, of 7200000000 what fits in 32 bits."""
    table = read(["a"], [moment(6)], projection={"select": {"structItems": [{}]}})

    def later(micros: int, producer: str) -> Json:
        interval = {"literal": {"intervalDayToSecond": {"days": 1, "microseconds": micros}}}
        rel = project(table, call(0, moment(6), field(0), interval), emit=[1])
        return plan(rel, ["x"], producer, 53, extensions=functions("add"))

    half = "SELECT a + INTERVAL '1 00:00:30' DAY TO SECOND AS x FROM t"
    assert text(later(30_000_000, "DuckDB")) == half
    for micros in (-1_389_934_592, 125_163_520):  # two hours, and six
        with pytest.raises(UnsupportedError, match="SS2147"):
            substrait_sql.to_sql(later(micros, "DuckDB"))
    assert "23:36:50.065408" in text(later(-1_389_934_592, "somebody"))


def test_ibis_divides_truly() -> None:
    """`v / 7` is `divide:i64_i64` that is declared a double; `div` of integers would lose the fraction first."""
    double = {"fp64": {"nullability": NULLABLE}}
    wide = {"decimal": {"precision": 10, "scale": 2, "nullability": NULLABLE}}
    table = read(["a", "d"], [I64, wide])
    rel = project(table, *(call(0, double, field(i), field(i)) for i in (0, 1)), emit=[2, 3])
    document = plan(rel, ["x", "y"], "ibis-substrait", 52, extensions=functions("divide"))
    divided = "SELECT a / a AS x, CAST(d AS DOUBLE) / CAST(d AS DOUBLE) AS y FROM t"
    assert text(document) == divided
    whole = project(table, call(0, I64, field(0), field(0)), emit=[2])
    document = plan(whole, ["x"], "ibis-substrait", 52, extensions=functions("divide"))
    assert text(document) == "SELECT a DIV a AS x FROM t"


def test_datafusion_unsigned_literals() -> None:
    """Under a variation of the type, with the bits of the number: those of the upper half look negative."""

    def number(kind: str, value: int) -> Json:
        return {"literal": {kind: value, "typeVariationReference": 1}}

    bits = [
        ("i64", -6101065172474983726, "12345678901234567890"),
        ("i32", -1, "4294967295"),
        ("i8", 255, "CAST(255 AS SMALLINT)"),
    ]
    for kind, written, meant in bits:
        rel = project(read(["a"], [I64]), number(kind, written), emit=[1])
        assert text(plan(rel, ["x"], "datafusion")) == f"SELECT {meant} AS x FROM t"


def test_datafusion_dictionaries() -> None:
    """A dictionary is a map from its indices under the first variation; another map stays one."""
    index = {"i32": {"nullability": NULLABLE}}
    inside = {"key": index, "value": TEXT, "nullability": NULLABLE}
    dictionary = {"map": {**inside, "typeVariationReference": 1}}
    (column,) = (
        substrait_sql.render(plan(read(["a"], [dictionary]), ["a"], "datafusion"))
        .statements[0]
        .columns
    )
    assert column.type == "string?"
    twice = {"map": {**inside, "value": dictionary, "typeVariationReference": 1}}
    for kind in (dictionary, twice):
        listed = {"list": {"type": kind, "nullability": NULLABLE}}
        rendered = substrait_sql.render(plan(read(["a"], [listed]), ["a"], "datafusion"))
        assert rendered.statements[0].columns[0].type == "list?<string?>"
    for kind, producer in (({"map": inside}, "datafusion"), (dictionary, "somebody")):
        rendered = substrait_sql.render(plan(read(["a"], [kind]), ["a"], producer))
        assert rendered.statements[0].columns[0].type.startswith("map")


def test_datafusion_grouping_is_about_a_key() -> None:
    """`grouping` of anything else says nothing."""
    measure = {"measure": {"functionReference": 0, "arguments": [{"value": field(1)}]}}
    sets = [{"expressionReferences": [0]}, {"expressionReferences": []}]
    for groupings in (sets, sets[:1]):
        aggregate = {
            "input": read(["a", "b"], [I64, I64]),
            "groupingExpressions": [field(0)],
            "groupings": groupings,
            "measures": [measure],
        }
        names = ["a", "m", "n"][: len(groupings) + 1]
        document = plan(
            {"aggregate": aggregate}, names, "datafusion", extensions=functions("grouping")
        )
        with pytest.raises(InvalidPlanError, match="SS2060"):
            substrait_sql.to_sql(document)


def test_datafusion_grouping_sets_over_outer_columns() -> None:
    """More keys would make other sets of them, and another number of each. DataFusion has written none so far."""
    made = substrait_sql.upgrade(PLANS / "outer" / "equality_below_grouping_sets.json")
    made.version.producer = "datafusion"
    with pytest.raises(UnsupportedError, match="SS2056"):
        substrait_sql.to_sql(made)


def test_datafusion_loses_offsets_of_frames() -> None:
    """RANGE BETWEEN INTERVAL '30' DAY PRECEDING AND … has no ends in its plans, as a frame of all rows has none."""
    sorts = [{"expr": field(0), "direction": "SORT_DIRECTION_ASC_NULLS_LAST"}]
    bounds = {k: {"unbounded": {}} for k in ("lowerBound", "upperBound")}
    over = {"functionReference": 0, "arguments": [{"value": field(1)}], "sorts": sorts, **bounds}

    def total(kind: str, producer: str) -> Json:
        window = {"windowFunction": {**over, "boundsType": kind, "outputType": I64}}
        rel = project(read(["d", "a"], [DAY, I64]), window, emit=[2])
        return plan(rel, ["x"], producer, extensions=functions("sum"))

    for kind, producer in (("BOUNDS_TYPE_ROWS", "datafusion"), ("BOUNDS_TYPE_RANGE", "somebody")):
        assert "sum(a) OVER ()" in text(total(kind, producer))
    with pytest.raises(UnsupportedError, match="SS2178"):
        substrait_sql.to_sql(total("BOUNDS_TYPE_RANGE", "datafusion"))


def test_duckdb_microseconds_have_the_seconds_in_them() -> None:
    """extract(microsecond FROM TIMESTAMP '… 12.123456') is 12123456 there, 456 in the standard."""
    urns = [{"extensionUrnAnchor": 1, "urn": "extension:io.substrait:functions_datetime"}]
    declared = {"extensionUrns": urns, "extensions": functions("extract", urn=1)}
    table = read(["a"], [moment(6)], projection={"select": {"structItems": [{}]}})
    part = call(0, I64, field(0))
    part["scalarFunction"]["arguments"].insert(0, {"enum": "MICROSECOND"})
    rel = project(table, part, emit=[1])
    sql = "SELECT CAST(CAST(EXTRACT(SECOND FROM a) * 1000000 AS INT) AS BIGINT) AS x FROM t"
    assert text(plan(rel, ["x"], "DuckDB", 53, **declared)) == sql
    assert "%" in text(plan(rel, ["x"], "isthmus", 53, **declared))


def test_ibis_offset_without_a_limit() -> None:
    """limit(None, offset=9) and limit(0, offset=9) are the same plan of Ibis; before 0.63 others mean 0 by it."""
    fetch = {"fetch": {"input": read(["a"], [I64]), "offset": 9}}
    assert text(plan(fetch, ["a"], "isthmus", 52)) == "SELECT a FROM t LIMIT 0 OFFSET 9"
    with pytest.raises(InvalidPlanError, match="SS1014"):
        substrait_sql.to_sql(plan(fetch, ["a"], "ibis-substrait", 52))
    assert text(plan(fetch, ["a"], "ibis-substrait", 85)) == "SELECT a FROM t OFFSET 9"
