"""What producers leave out of their plans: refused where a name or the shape shows it, else a warning."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest
from datafusion import SessionContext

import substrait_sql
from substrait_sql import UnsupportedError
from tests.support import rows, run, tpch
from tests.support.json_plans import (
    BOOL,
    I64,
    REQUIRED,
    Json,
    call,
    cast,
    field,
    functions,
    literal,
    of,
    plan,
    project,
    read,
    required,
)
from tests.support.json_plans import text as one_line

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

MAYBE = of("i64")
WINDOW = "ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING"


def warnings(document: Json) -> list[str]:
    """The codes of what one is warned of, the same from `render` and from `check`."""
    made = substrait_sql.render(document).diagnostics
    assert [str(d) for d in substrait_sql.check(document)] == [str(d) for d in made]
    return [d.code for d in made if d.severity.value == "warning"]


def table(name: str, *columns: str, types: Json = I64) -> Json:
    return read(columns, [types] * len(columns), name)


def over(name: str, root: str, invocation: str = "AGGREGATION_INVOCATION_UNSPECIFIED") -> Json:
    """`name(b) OVER ()` as DataFusion 55 writes it, under a column called `root`."""
    window = {"functionReference": 0, "arguments": [{"value": field(0)}], "outputType": I64}
    window |= {"boundsType": "BOUNDS_TYPE_ROWS", "invocation": invocation}
    window |= {"lowerBound": {"unbounded": {}}, "upperBound": {"unbounded": {}}}
    rel = project(table("t", "b"), {"windowFunction": window}, emit=[1])
    return plan(rel, [root], "datafusion", 85, extensions=functions(name))


@pytest.mark.parametrize(
    ("name", "root"),
    [
        ("count", f"count(DISTINCT t.b) {WINDOW}"),
        ("sum", f"sum(DISTINCT t.b) {WINDOW} + Int64(1)"),
        ("array_agg", f"array_agg(DISTINCT t.b) PARTITION BY [t.a] {WINDOW}"),
        ("sum", f"sum(t.b) {WINDOW} - count(DISTINCT t.b) {WINDOW}"),
    ],
)
def test_datafusion_distinct_over(name: str, root: str) -> None:
    """Release 55 writes count(DISTINCT b) OVER () as count(b) OVER (); the column's name still has DISTINCT."""
    with pytest.raises(UnsupportedError, match="SS2170"):
        substrait_sql.to_sql(over(name, root))


@pytest.mark.parametrize(
    ("name", "expected"),
    [("count:any", 1), ("variance:fp64", 1), ("std_dev:fp64", 1), ("avg:fp64", 0)],
)
def test_ibis_measures_over_windows(name: str, expected: int) -> None:
    """x.nunique() and x.var(how="pop") over a window are written as count(x) and as the variance of a sample."""
    kind = {"fp64": {"nullability": "NULLABILITY_NULLABLE"}}
    window = {"functionReference": 0, "arguments": [{"value": field(0)}], "outputType": kind}
    if name.startswith("count"):
        window["outputType"] = I64
    rel = project(table("t", "b", types=kind), {"windowFunction": window}, emit=[1])
    file = "aggregate_generic" if name.startswith("count") else "arithmetic"
    urn = {"extensionUrnAnchor": 1, "urn": f"extension:io.substrait:functions_{file}"}
    declared = functions(name, urn=1)
    for producer in ("ibis-substrait", "somebody"):
        document = plan(rel, ["x"], producer, 50, extensions=declared, extensionUrns=[urn])
        assert len(warnings(document)) == (expected if producer == "ibis-substrait" else 0)


@pytest.mark.parametrize(
    ("bounds", "expected"),
    [
        ({"lowerBound": {"preceding": {"offset": "5"}}, "upperBound": {"currentRow": {}}}, 1),
        ({"lowerBound": {"unbounded": {}}, "upperBound": {"following": {}}}, 1),
        ({"lowerBound": {"unbounded": {}}, "upperBound": {"unbounded": {}}}, 0),
    ],
)
def test_ibis_frames(bounds: Json, expected: int) -> None:
    """range_window(preceding=5) and rows_window(preceding=5) are one plan."""
    key = {"expr": field(0), "direction": "SORT_DIRECTION_ASC_NULLS_FIRST"}
    window = {
        "functionReference": 0,
        "arguments": [{"value": field(1)}],
        "outputType": I64,
        "sorts": [key],
        **bounds,
    }
    rel = project(table("t", "a", "b"), {"windowFunction": window}, emit=[2])
    urn = {"extensionUrnAnchor": 1, "urn": "extension:io.substrait:functions_arithmetic"}
    for producer in ("ibis-substrait", "somebody"):
        declared = functions("sum:i64", urn=1)
        document = plan(rel, ["x"], producer, 50, extensions=declared, extensionUrns=[urn])
        found = warnings(document).count("SS1106")
        assert found == (expected if producer == "ibis-substrait" else 0)


def test_datafusion_windows_by_name() -> None:
    """What is shown is whole: a name without DISTINCT, and functions to which a repeated value is nothing."""
    assert warnings(over("sum", f"sum(t.b) {WINDOW}")) == []
    assert warnings(over("max", f"max(DISTINCT t.b) {WINDOW}")) == []
    assert warnings(over("sum", "s")) == ["SS1106"]
    ranked = over("rank", "n")
    root = ranked["relations"][0]["root"]["input"]["project"]
    del root["expressions"][0]["windowFunction"]["arguments"]
    assert warnings(ranked) == []
    other = over("sum", f"sum(DISTINCT t.b) {WINDOW}")
    other["version"]["producer"] = "somebody"
    assert warnings(other) == []


@pytest.mark.parametrize(
    ("measure", "found"),
    [
        ("first_value(n ORDER BY k) IGNORE NULLS", "SS2170"),
        ("coalesce(last_value(n ORDER BY k) IGNORE NULLS, 0)", "SS2170"),
        ("array_agg(n) IGNORE NULLS", "SS2170"),
        ("first_value(n ORDER BY k) IGNORE NULLS AS x", "SS1106"),
        ("array_agg(n) AS x", "SS1106"),
        ("first_value(n ORDER BY k)", ""),
        ("array_agg(k) AS x", ""),
        ("max(n) AS x", ""),
    ],
)
def test_datafusion_measures_that_ignore_nulls(measure: str, found: str) -> None:
    """Release 55 writes them without, and keeps it in the name of a column that has no alias."""
    context = SessionContext()
    schema = pa.schema([pa.field("k", pa.int64(), nullable=False), pa.field("n", pa.int64())])
    context.register_record_batches("t", [pa.table({"k": [1], "n": [None]}, schema).to_batches()])
    document = tpch.datafusion_plan(context, f"SELECT {measure} FROM t")
    if found == "SS2170":
        with pytest.raises(UnsupportedError, match=r"SS2170 the name .* IGNORE NULLS, which"):
            substrait_sql.to_sql(document)
    else:
        assert [d.code for d in substrait_sql.check(document)] == ([found] if found else [])


def joined(right: Json, condition: Json, names: list[str], left: Json | None = None) -> Json:
    rel = {"type": "JOIN_TYPE_INNER", "left": left or table("t", "a", "b"), "right": right}
    made = {"join": {**rel, "expression": condition}}
    named = ("equal:any_any", "gt:any_any", "and:bool")
    urn = {"extensionUrnAnchor": 1, "urn": "extension:io.substrait:functions_comparison"}
    boolean = {"extensionUrnAnchor": 2, "urn": "extension:io.substrait:functions_boolean"}
    declared = functions(*named, urn=1)
    declared[2]["extensionFunction"]["extensionUrnReference"] = 2
    return plan(
        made, names, "ibis-substrait", 50, extensions=declared, extensionUrns=[urn, boolean]
    )


def equal(left: int, right: int) -> Json:
    return call(0, BOOL, field(left), field(right))


def above(column: int) -> Json:
    return call(1, BOOL, field(column), literal(3))


def both(*conditions: Json) -> Json:
    return call(2, BOOL, *conditions)


FOUR = ["a", "b", "a_right", "b_right"]


@pytest.mark.parametrize(
    "condition",
    [
        equal(0, 1),  # t.join(v, t.a == v.b)
        equal(0, 0),  # t.join(v, t.a == v.a)
        both(equal(0, 3), above(1)),
        both(equal(0, 2), equal(1, 0)),
        above(1),
    ],
)
def test_ibis_self_join(condition: Json) -> None:
    """Ibis 4.0 writes `v.b`, of a view `v` of t, as the column of t on the left."""
    with pytest.raises(UnsupportedError, match="SS2205"):
        substrait_sql.to_sql(joined(table("t", "a", "b"), condition, FOUR))


def test_ibis_self_join_behind_another() -> None:
    """TPC-H 7: the second nation is looked up among the tables that are joined already."""
    first = joined(table("n", "k", "x"), equal(0, 2), [])["relations"][0]["root"]["input"]
    names = ["a", "b", "k", "x", "k2", "x2"]
    with pytest.raises(UnsupportedError, match="SS2205"):
        substrait_sql.to_sql(joined(table("n", "k", "x"), equal(1, 2), names, first))
    assert warnings(joined(table("n", "k", "x"), equal(1, 4), names, first)) == []


def test_ibis_joins_that_are_whole() -> None:
    """Both sides are spoken of, or they are different relations."""
    assert warnings(joined(table("t", "a", "b"), equal(0, 3), FOUR)) == []
    other = joined(table("u", "a", "b"), both(equal(0, 2), equal(1, 0)), FOUR)
    assert "t.b = t.a" in one_line(other)
    filtered = {"filter": {"input": table("t", "a", "b"), "condition": above(0)}}
    assert warnings(joined(filtered, equal(0, 3), FOUR)) == []


def test_a_column_compared_with_itself() -> None:
    """Whoever writes it: it says no more than IS NOT NULL."""
    for condition in (equal(0, 0), both(equal(0, 3), equal(1, 1))):
        document = joined(table("u", "a", "b"), condition, FOUR)
        with pytest.raises(UnsupportedError, match="SS2168"):
            substrait_sql.to_sql(document)
        document["version"]["producer"] = "somebody"
        assert warnings(document) == ["SS1107"]
    document = joined(table("u", "a", "b"), equal(0, 2), FOUR)
    document["version"]["producer"] = "somebody"
    assert warnings(document) == []


def grouped(measures: int, names: list[str], minor: int = 53, keys: int = 1) -> Json:
    measure = {
        "functionReference": 0,
        "invocation": "AGGREGATION_INVOCATION_ALL",
        "outputType": I64,
    }
    measure |= {"arguments": [{"value": field(1)}], "phase": "AGGREGATION_PHASE_INITIAL_TO_RESULT"}
    masked = table("t", "a", "b")
    masked["read"]["projection"] = {"select": {"structItems": [{}, {"field": 1}]}}
    rel: dict[str, Any] = {"input": masked, "measures": [{"measure": measure}] * measures}
    if keys:
        rel["groupings"] = [{"expressionReferences": [0]}]
        rel["groupingExpressions"] = [field(0)]
    return plan({"aggregate": rel}, names, "DuckDB", minor, extensions=functions("count"))


def test_duckdb_groups() -> None:
    """ROLLUP, CUBE, GROUPING SETS and the FILTER of a column with an alias leave no trace in 1.0 and 1.1."""

    def said(document: Json) -> list[str]:
        assert set(warnings(document)) <= {"SS1106"}
        found = [d.message for d in substrait_sql.check(document)]
        return [w for m in found for w in ("ROLLUP", "FILTER") if w in m]

    assert said(grouped(1, ["a", "count(b)"])) == ["ROLLUP"]
    assert said(grouped(1, ["a", "n"])) == ["ROLLUP", "FILTER"]
    assert said(grouped(1, ["n"], keys=0)) == ["FILTER"]
    assert said(grouped(1, ["count(b)"], keys=0)) == []
    assert said(grouped(2, ["a", "count(b)", "n"])) == ["ROLLUP", "FILTER"]
    assert said(grouped(1, ["a", "n"], minor=78)) == []


@pytest.mark.parametrize(
    ("producer", "minor", "op", "expected"),
    [
        ("DuckDB", 53, "UNION_ALL", ["SS1106"]),
        ("DuckDB", 48, "MINUS_PRIMARY", ["SS1106"]),
        ("DuckDB", 78, "UNION_ALL", []),
        ("ibis-substrait", 50, "INTERSECTION_PRIMARY", ["SS1106"]),
        ("ibis-substrait", 50, "UNION_ALL", []),
        ("somebody", 53, "UNION_ALL", []),
    ],
)
def test_copies_of_set_operations(producer: str, minor: int, op: str, expected: list[str]) -> None:
    """UNION is UNION ALL in plans of DuckDB, EXCEPT ALL is EXCEPT there and in Ibis'."""
    one = table("t", "a")
    one["read"]["projection"] = {"select": {"structItems": [{}]}}
    rel = {"set": {"inputs": [one, one], "op": f"SET_OP_{op}"}}
    assert warnings(plan(rel, ["a"], producer, minor)) == expected


def test_datafusion_not_in() -> None:
    """An anti join on columns that may be NULL may have been NOT IN."""
    for types, expected in ((I64, []), (MAYBE, ["SS1106"])):
        rel = {"type": "JOIN_TYPE_LEFT_ANTI", "left": table("t", "a", types=types)}
        rel |= {"right": table("u", "b", types=types), "expression": equal(0, 1)}
        document = plan({"join": rel}, ["a"], "datafusion", 85, extensions=functions("equal"))
        assert warnings(document) == expected
    document["version"]["producer"] = "somebody"
    assert warnings(document) == []


def recast(source: Json, target: Json, names: list[str], minor: int = 77) -> Json:
    """`CAST(s AS target)` of a column of fields a and b, as DataFusion writes it."""
    given = ["s", *"ab"[: len(source["struct"]["types"])]]
    columns = {"names": given, "struct": {"types": [source], "nullability": REQUIRED}}
    rel = project(
        {"read": {"baseSchema": columns, "namedTable": {"names": ["t"]}}},
        cast(field(0), target),
        emit=[1],
    )
    return plan(rel, names, "datafusion", minor)


def test_datafusion_casts_structs_by_name() -> None:
    """Releases 52 to 55: CAST(s AS STRUCT<b INT, a INT>) makes b of b. The plan has only the names of the result."""
    longs, ints = (of("struct", types=[of(kind)] * 2) for kind in ("i64", "i32"))
    whole = of("struct", types=[required("i64")] * 2)
    assert warnings(recast(longs, ints, ["z", "a", "b"])) == ["SS1106"]
    assert warnings(recast(whole, longs, ["z", "a", "b"])) == ["SS1106"]
    for refused in (
        recast(longs, ints, ["z", "b", "a"]),
        recast(longs, longs, ["z", "b", "a"]),
        recast(longs, longs, ["z", "c", "d"]),
    ):
        with pytest.raises(UnsupportedError, match="SS2207"):
            substrait_sql.to_sql(refused)
    assert warnings(recast(longs, ints, ["z", "b", "a"], minor=74)) == []
    one, other = (of("struct", types=[of(kind)]) for kind in ("i64", "i32"))
    assert warnings(recast(one, other, ["z", "b"])) == []


def sets(emit: list[int], producer: str = "", below: bool = True, expressions: int = 3) -> Json:
    """isthmus of before 0.18: SELECT sum(c), b, a … GROUP BY GROUPING SETS ((a), (b)), and no index of the set."""
    measure = {"functionReference": 0, "outputType": I64, "arguments": [{"value": field(2)}]}
    measure |= {"phase": "AGGREGATION_PHASE_INITIAL_TO_RESULT"}
    measure |= {"invocation": "AGGREGATION_INVOCATION_ALL"}
    values = {
        "values": [{"fields": [{"i64": str(n)} for n in row]} for row in [(1, 2, 3), (1, 4, 5)]]
    }
    schema = table("", "a", "b", "c")["read"]["baseSchema"]
    given = {"read": {"baseSchema": schema, "virtualTable": values}}
    groupings = [{"groupingExpressions": [field(0)]}, {"groupingExpressions": [field(1)]}]
    rel: Json = {
        "aggregate": {"input": given, "groupings": groupings, "measures": [{"measure": measure}]}
    }
    if not below:
        rel["aggregate"]["common"] = {"emit": {"outputMapping": [0, 1, 2, 3]}}
    rel = {"filter": {"input": rel, "condition": {"literal": {"boolean": True}}}}
    columns = [field(2), field(1), field(0), field(3)][:expressions]
    rel = project(rel, *columns, emit=emit)
    uri = {"extensionUriAnchor": 1, "uri": "/functions_arithmetic.yaml"}
    declared = [
        {"extensionFunction": {"extensionUriReference": 1, "functionAnchor": 0, "name": "sum:i64"}}
    ]
    names = ["x", "y", "z", "w"][: len(emit)]
    made = plan(rel, names, producer, 0, extensionUris=[uri], extensions=declared)
    made["version"] = {"producer": producer} if producer else {}
    return made


@pytest.mark.spark
def test_isthmus_does_not_count_the_set(spark: SparkSession) -> None:
    """The rows are those of the query: (sum, b, a) for each of the sets (a) and (b)."""
    expected = [(8, None, 1), (3, 2, None), (5, 4, None)]
    for producer in ("", "isthmus"):
        document = sets([3, 4, 5], producer)
        assert warnings(document) == ["SS1103"]
        assert not rows.difference(run.last_rows(spark, document, {}), expected)


def test_isthmus_counts_the_set() -> None:
    """Where nothing shows that it is not counted, the plan means what the specification says."""
    for document in (
        sets([4, 5, 6]),
        sets([3, 4, 5], below=False),
        sets([3, 4, 5], expressions=2),
        sets([3, 4, 5, 6], expressions=4),
        sets([3, 4, 5], "somebody"),
    ):
        assert warnings(document) == []
