"""Calls of Spark's functions that are the standard's: which they are, and that they come back as they were."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

import substrait_sql
from substrait_sql.dialect.line import Line
from substrait_sql.lift.encode import marks
from tests.support.run import collect

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

TABLE = {
    "i": "INT", "s": "STRING", "u": "STRING", "f": "DOUBLE", "g": "FLOAT", "d": "DECIMAL(10,3)", "a": "DATE",
    "n": "TIMESTAMP_NTZ", "z": "TIMESTAMP", "r": "ARRAY<INT>",
}  # fmt: skip
# Spark's call, the standard's function with the options' values, and the text that it comes back as if another.
CASES = [
    ("concat(s, u)", "concat:str ACCEPT_NULLS"),
    ("s || u || 'x'", "concat:str ACCEPT_NULLS", "concat(concat(s, u), 'x')"),
    ("s LIKE 'a%_'", "like:str_str CASE_SENSITIVE"),
    ("s ILIKE 'a%_'", "like:str_str CASE_INSENSITIVE"),
    ("substring(s, 1, 3)", "substring:str_i32_i32 LEFT_OF_BEGINNING"),
    ("substring(s, 2)", "substring:str_i32 LEFT_OF_BEGINNING"),
    ("startswith(s, u)", "starts_with:str_str CASE_SENSITIVE"),
    ("endswith(s, u)", "ends_with:str_str CASE_SENSITIVE"),
    ("contains(s, u)", "contains:str_str CASE_SENSITIVE"),
    ("instr(s, u)", "strpos:str_str CASE_SENSITIVE", "instr(s, u)"),
    ("replace(s, 'a', u)", "replace:str_str_str CASE_SENSITIVE"),
    ("trim(s)", "trim:str_str"),
    ("ltrim(s)", "ltrim:str_str"),
    ("rtrim(s)", "rtrim:str_str"),
    ("btrim(s, u)", "trim:str_str"),
    ("ltrim('ab', s)", "ltrim:str_str"),
    ("TRIM(TRAILING u FROM s)", "rtrim:str_str", "rtrim(u, s)"),
    ("EXTRACT(YEAR FROM a)", "extract:req_date", "EXTRACT(YEAR FROM a)"),
    ("date_part('qtr', a)", "extract:req_req_date", "EXTRACT(QUARTER FROM a)"),
    ("EXTRACT(DOW FROM a)", "extract:req_req_date", "EXTRACT(DOW FROM a)"),
    ("EXTRACT(WEEK FROM a)", "extract:req_req_date", "EXTRACT(WEEK FROM a)"),
    ("EXTRACT(YEAROFWEEK FROM a)", "extract:req_date", "EXTRACT(YEAROFWEEK FROM a)"),
    ("EXTRACT(MINUTE FROM n)", "extract:req_pts", "EXTRACT(MINUTE FROM n)"),
    ("round(f, 2)", "round:fp64_i32 TIE_AWAY_FROM_ZERO"),
    ("round(g)", "round:fp32_i32 TIE_AWAY_FROM_ZERO", "round(g, 0)"),
    ("bround(f, 1)", "round:fp64_i32 TIE_TO_EVEN"),
    ("round(i, -1)", "round:i32_i32 TIE_AWAY_FROM_ZERO"),
    ("sort_array(r)", "sort:list ASC_NULLS_FIRST"),
    ("array_sort(r)", "sort:list ASC_NULLS_LAST"),
]  # fmt: skip
AGGREGATES = [
    ("stddev_pop(f)", "std_dev:fp64 TIE_TO_EVEN POPULATION"),
    ("stddev(f)", "std_dev:fp64 TIE_TO_EVEN SAMPLE", "stddev_samp(f)"),
    ("var_pop(f)", "variance:fp64 TIE_TO_EVEN POPULATION"),
    ("var_samp(f)", "variance:fp64 TIE_TO_EVEN SAMPLE"),
    ("median(f)", "median:req_fp64 TIE_TO_EVEN"),
]
OVER = " OVER (ORDER BY i)"
WINDOWS = [
    ("lag(s)" + OVER, "lag:any"),
    ("lead(s, 2, 'x')" + OVER, "lead:any_i32_any"),
    ("ntile(4)" + OVER, "ntile:i32"),
    ("nth_value(s, 2)" + OVER, "nth_value:any_i32"),
    ("max(d)" + OVER, "max:dec"),
]
OWN = [
    ("s LIKE u", "like:str_str"), ("s LIKE 'a\\\\%'", "like:str_str"), ("substring(s, -2, 1)", "substring:str_i32_i32"),
    ("substring(s, i)", "substring:str_i32"), ("replace(s, '', u)", "replace:str_str_str"),
    ("EXTRACT(HOUR FROM z)", "extract:any_any"), ("elt(2, s, u)", "elt:any_any"),
    ("format_string('%s', s)", "format_string:str_any"),
]  # fmt: skip


def _plan(call: str) -> Any:
    return substrait_sql.to_plan(f"SELECT {call} AS c FROM t", schema={"t": TABLE})


def _function(message: Any) -> Any:
    """The outermost call of a plan of one."""
    rel = message.relations[0].root.input
    if rel.HasField("aggregate"):
        return rel.aggregate.measures[0].measure
    if rel.project.input.HasField("aggregate"):
        return rel.project.input.aggregate.measures[0].measure
    found = rel.project.expressions[0]
    while found.HasField("cast"):
        found = found.cast.input
    return getattr(found, str(found.WhichOneof("rex_type")))


@pytest.mark.parametrize("case", [*CASES, *AGGREGATES, *WINDOWS], ids=lambda c: c[0])
def test_a_call_is_the_standards(case: tuple[str, ...]) -> None:
    plan = _plan(case[0])
    function = _function(plan)
    declared = {e.extension_function.function_anchor: e.extension_function for e in plan.extensions}
    name, *options = case[1].split()
    assert declared[function.function_reference].name == name
    assert sorted(o.preference[0] for o in function.options) == sorted(options)
    assert all(u.urn.startswith("extension:io.substrait:") for u in plan.extension_urns)
    text = " ".join(substrait_sql.to_sql(plan).split())
    assert text == f"SELECT {case[2] if len(case) > 2 else case[0]} AS c FROM t"
    again = substrait_sql.to_plan(text, schema={"t": TABLE})
    assert " ".join(substrait_sql.to_sql(again).split()) == text


@pytest.mark.parametrize(("call", "name"), OWN, ids=lambda x: x)
def test_what_is_not_the_standards_in_every_case_is_ours(call: str, name: str) -> None:
    plan = _plan(call)
    assert [u.urn for u in plan.extension_urns] == ["extension:substrait_sql:spark"]
    assert [e.extension_function.name for e in plan.extensions] == [name]
    with pytest.raises(substrait_sql.errors.SqlError, match=f"Spark's {name.partition(':')[0]}"):
        substrait_sql.to_plan(f"SELECT {call} FROM t", schema={"t": TABLE}, standard_only=True)


def test_marks_are_read() -> None:
    row = {"name": "f", "supported_impls": ["req_str"], "metadata": {"lift": [
        {"name": "g", "literal": {1: "A|B"}, "arguments": [{"enum": "A"}, 2], "options": {"o": "X"}}, "h",
    ]}}  # fmt: skip
    first, second = marks.of(Line("scalar", "extension:a:b", row, "file")) or []
    assert second == marks.Mark("h")
    assert first.options == (("O", "X"),)
    assert first.given(["b", None]) == (marks.Given(enum="A"), marks.Given(1))
    assert first.given(["c", None]) is None
    assert first.given(["b", None, None]) is None
    assert (
        marks.of(Line("scalar", "extension:a:b", {**row, "metadata": {"lift": False}}, "f")) == []
    )


def _rows(rng: Random) -> list[tuple[Any, ...]]:
    texts = [None, "", " a ", "abc", "aab", "Ab%_", "a\\%", "  ", "äß\u0130", "ba", "a"]
    floats = [None, 0.5, -2.5, 2.675, 1e300, float("nan"), float("inf"), -0.0, 0.125, 1.005]
    days = [
        dt.date(1, 1, 1),
        dt.date(9999, 12, 31),
        dt.date(2020, 2, 29),
        dt.date(1969, 12, 31),
        dt.date(2021, 1, 3),
        None,
    ]
    times = [None, dt.datetime(1900, 1, 1, 23, 59, 59, 999999), dt.datetime(2020, 12, 31, 0, 0)]
    lists = [None, [], [3, None, 1], [2, 2]]
    return [
        (
            i, rng.choice(texts), rng.choice(texts), rng.choice(floats),
            rng.choice([None, 0.5, 1.5, -2.5]), Decimal(rng.randrange(-10**6, 10**6)).scaleb(-3), rng.choice(days),
            rng.choice(times), rng.choice(times), rng.choice(lists),
        )
        for i in range(200)
    ]  # fmt: skip


@pytest.mark.spark
@pytest.mark.parametrize(
    "cases", [CASES, AGGREGATES, WINDOWS, OWN], ids=["scalar", "aggregate", "window", "own"]
)
def test_the_rows_are_sparks(spark: SparkSession, cases: list[tuple[str, ...]]) -> None:
    calls = ", ".join(f"{case[0]} AS c{n}" for n, case in enumerate(cases))
    types = ", ".join(f"{name} {kind}" for name, kind in TABLE.items())
    spark.createDataFrame(_rows(Random(3)), types).createOrReplaceTempView("marks_t")
    for where in ("", " WHERE i < 0", " WHERE i % 3 = 1"):
        sql = f"SELECT {calls} FROM marks_t{where}"
        plan = substrait_sql.to_plan(sql, schema={"marks_t": TABLE})
        wanted, found = spark.sql(sql), substrait_sql.execute(spark, plan)
        assert repr(sorted(map(repr, collect(found)))) == repr(sorted(map(repr, collect(wanted))))
        assert [f.dataType for f in found.schema] == [f.dataType for f in wanted.schema]
    spark.catalog.dropTempView("marks_t")
