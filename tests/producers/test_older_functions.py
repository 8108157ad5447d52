"""What functions of DataFusion meant in older releases: the rows are those that the releases returned."""

from __future__ import annotations

import datetime as dt
import math
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest

import substrait_sql
from substrait_sql import UnsupportedError
from substrait_sql.plan.deviations import DEVIATIONS
from tests.support import rows
from tests.support.json_plans import (
    Json,
    call,
    field,
    functions,
    lit,
    literal,
    of,
    plan,
    project,
    read,
)

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

LIST = of("list", type=of("i64"))
COLUMNS = {
    "s": (of("string"), pa.string(), ["", "a", "ab1b", "ß", None]),
    "l": (LIST, pa.list_(pa.int64()), [[], [1], [3, 1, 2, 1], [None, 5, 5], None]),
    "m": (LIST, pa.list_(pa.int64()), [[2], None, [1, None], [], [7]]),
    "k": (of("i64"), pa.int64(), [1, None, 2, 5, None]),
    "f": (of("fp64"), pa.float64(), [1.5, math.nan, -2.675, 0.0, None]),
    "g": (of("fp64"), pa.float64(), [None, None, 0.5, -0.0, 1.0]),
    "d": (of("date"), pa.date32(), [dt.date(2020, 1, 31), None, dt.date(1969, 12, 29), dt.date(2024, 2, 25), None]),
}  # fmt: skip
TABLE = pa.table({name: pa.array(values, type) for name, (_, type, values) in COLUMNS.items()})
S, L, M, K, F, G, D = map(field, range(len(COLUMNS)))
RESULT, ROWS = "AGGREGATION_PHASE_INITIAL_TO_RESULT", "BOUNDS_TYPE_ROWS"
NAN, NO = math.nan, [None] * 5


def text(value: str) -> Json:
    return lit(string=value)


def null(kind: str) -> Json:
    return lit(null=of(kind))


# By the function: its arguments, and its values by the first version of Substrait that a plan with them says.
CASES: list[tuple[str, list[Json], dict[int, list[Any]]]] = [
    ("array_has", [L, literal(1)], {
        49: [False, True, True, False, None],
        55: [None, True, True, False, None],
        74: [False, True, True, False, None]}),
    ("array_has", [L, literal(-9)], {55: [None, False, False, False, None], 74: [False, False, False, False, None]}),
    ("array_has", [L, K], {49: [False, False, True, True, None], 55: [False, None, True, True, None]}),
    ("array_has", [L, null("i64")], {49: [False, False, False, True, None], 55: NO}),
    ("array_remove", [L, K], {49: [[], [1], [3, 1, 1], [None, 5], None], 85: [[], None, [3, 1, 1], [None, 5], None]}),
    ("array_remove", [L, null("i64")], {49: [[], [1], [3, 1, 2, 1], [5, 5], None], 85: NO}),
    ("array_remove_all", [L, K], {49: [[], [1], [3, 1, 1], [None], None], 85: [[], None, [3, 1, 1], [None], None]}),
    ("array_remove_all", [L, null("i64")], {49: [[], [1], [3, 1, 2, 1], [5, 5], None], 85: NO}),
    ("array_except", [L, M], {49: [[], [1], [3, 2], [None, 5], None], 85: [[], None, [3, 2], [None, 5], None]}),
    ("array_distinct", [L], {49: [[], [1], [1, 2, 3], [None, 5], None], 85: [[], [1], [3, 1, 2], [None, 5], None]}),
    ("cardinality", [L], {51: [None, 1, 4, 3, None], 85: [0, 1, 4, 3, None]}),
    ("array_slice", [L, literal(2), literal(-1)], {
        49: [[], [], [1, 2, 1], [5, 5], []], 66: [[], [], [1, 2, 1], [5, 5], None]}),
    ("array_pop_back", [L], {49: [[], [], [3, 1, 2], [None, 5], []], 66: [[], [], [3, 1, 2], [None, 5], None]}),
    ("array_pop_front", [L], {49: [[], [], [1, 2, 1], [5, 5], []], 66: [[], [], [1, 2, 1], [5, 5], None]}),
    ("array_resize", [L, literal(2)], {
        49: [[None, None], [1, None], [3, 1], [None, 5], [None, None]],
        58: [[None, None], [1, None], [3, 1], [None, 5], None]}),
    ("array_resize", [L, literal(3), literal(0)], {
        49: [[0, 0, 0], [1, 0, 0], [3, 1, 2], [None, 5, 5], [0, 0, 0]],
        58: [[0, 0, 0], [1, 0, 0], [3, 1, 2], [None, 5, 5], None]}),
    ("string_to_array", [S, text("b")], {
        49: [[""], ["a"], ["a", "1", ""], ["ß"], None], 85: [[], ["a"], ["a", "1", ""], ["ß"], None]}),
    ("string_to_array", [S, text("")], {
        49: [[""], ["a"], ["ab1b"], ["ß"], None], 85: [[], ["a"], ["ab1b"], ["ß"], None]}),
    ("string_to_array", [S, null("string")], {49: [[], ["a"], ["a", "b", "1", "b"], ["ß"], None]}),
    ("date_part", [text("isodow"), D], {74: [4, None, 0, 6, None], 85: [5, None, 1, 7, None]}),
    ("date_part", [text("dow"), D], {74: [5, None, 1, 0, None], 85: [5, None, 1, 0, None]}),
    ("overlay", [S, text("XY"), literal(2)], {
        69: ["XY", "XY", "aXYb", "XY", None], 85: ["XY", "aXY", "aXYb", "ßXY", None]}),
    ("overlay", [S, text("XY"), literal(3), literal(1)], {
        69: ["XY", "XY", "abXYb", "XY", None], 85: ["XY", "aXY", "abXYb", "ßXY", None]}),
    ("overlay", [S, null("string"), literal(2)], {69: NO, 85: NO}),
    ("regexp_count", [S, text("b")], {58: [0, 0, 2, 0, 0], 85: [0, 0, 2, 0, None]}),
    ("regexp_instr", [S, text("b")], {74: [0, 0, 2, 0, None], 85: [0, 0, 2, 0, None]}),
    ("regexp_instr", [S, text("b*")], {74: [0, 1, 1, 1, None], 85: [1, 1, 1, 1, None]}),
    ("regexp_instr", [S, text("")], {74: [0, 0, 0, 0, 0], 85: [1, 1, 1, 1, None]}),
    ("replace", [S, text("b"), text("X")], {49: ["", "a", "aX1X", "ß", None], 85: ["", "a", "aX1X", "ß", None]}),
    ("split_part", [S, text("b"), literal(1)], {49: ["", "a", "a", "ß", None], 85: ["", "a", "a", "ß", None]}),
    ("split_part", [S, text(""), literal(1)], {85: ["", "a", "ab1b", "ß", None]}),
    ("nanvl", [F, G], {49: [None, None, -2.675, 0.0, None], 85: [1.5, None, -2.675, 0.0, None]}),
    ("nanvl", [F, lit(fp64=7.0)], {49: [1.5, 7.0, -2.675, 0.0, None], 85: [1.5, 7.0, -2.675, 0.0, None]}),
    ("array_remove", [L, literal(1)], {49: [[], [], [3, 2, 1], [None, 5, 5], None]}),
    ("nanvl", [G, F], {49: [None, None, 0.5, -0.0, None], 85: [None, None, 0.5, -0.0, 1.0]}),
    ("trunc", [F], {49: [1.0, NAN, -2.0, 0.0, None], 85: [1.0, NAN, -2.0, 0.0, None]}),
    ("trunc", [F, literal(1)], {49: [1.5, NAN, -2.7, 0.0, None], 85: [1.5, NAN, -2.6, 0.0, None]}),
    ("to_char", [D, text("%Y")], {
        49: ["2020", "", "1969", "2024", ""], 69: ["2020", None, "1969", "2024", None]}),
    ("initcap", [S], {49: ["", "A", "Ab1b", "ß", None], 63: ["", "A", "Ab1b", "SS", None]}),
    ("initcap", [text("ÀÉ éa aÉb ab1c 1a")], {
        49: ["ÀÉ éA AÉB Ab1c 1a"] * 5, 63: ["Àé Éa Aéb Ab1c 1a"] * 5}),
    ("contains", [S, text("[ab]")], {49: [False, True, True, False, None], 58: [False, False, False, False, None]}),
    ("signum", [F], {49: [1.0, NAN, -1.0, 1.0, None], 51: [1.0, NAN, -1.0, 0.0, None]}),
    ("signum", [G], {49: [None, None, 1.0, -1.0, 1.0], 51: [None, None, 1.0, 0.0, 1.0]}),
]  # fmt: skip

# Over all rows, and in groups by b; the values of groups with FALSE and TRUE.
AGGREGATES: list[tuple[str, list[list[Any]], dict[int, list[Any]]]] = [
    ("median", [[1, 2, None, -1, -2]], {49: [1, -1], 85: [1.5, -1.5]}),
    ("median", [[2**63 - 1, 2**63 - 3, None, 5, None]], {77: [2**63 - 2, 5], 85: [float(2**63), 5.0]}),
    ("corr", [[1.0, 1.0, 3.0, 7.0, None], [2.0, 5.0, None, 1.0, 4.0]], {74: [0.0, 0.0], 77: [None, None]}),
    ("corr", [[1.0, None, 3.0, None, None], [2.0, 5.0, 6.0, 1.0, 4.0]], {74: [1.0, None], 77: [1.0, None]}),
]  # fmt: skip


OF_55 = {"regexp_count": of("i64"), "regexp_instr": of("i64"), "replace": of("string")}


def written(name: str, arguments: list[Json], minor: int, output: Json | None = None) -> Json:
    """`SELECT name(…) FROM t` as DataFusion writes it, from 55 on with the type of the result."""
    columns = read(list(COLUMNS), [type for type, _, _ in COLUMNS.values()])
    function = call(0, output or {}, *arguments)
    if output is None:
        del function["scalarFunction"]["outputType"]
    made = project(columns, function, emit=[len(COLUMNS)])
    return plan(made, ["z"], "datafusion", minor, extensions=functions(name))


@pytest.mark.parametrize("case", CASES, ids=[f"{i}-{case[0]}" for i, case in enumerate(CASES)])
def test_values(spark: SparkSession, case: tuple[str, list[Json], dict[int, list[Any]]]) -> None:
    name, arguments, by_version = case
    for minor, values in by_version.items():
        document = written(name, arguments, minor, OF_55.get(name) if minor == 85 else None)
        frame = substrait_sql.execute(spark, document, tables={"t": TABLE})
        wrong = rows.difference([tuple(r) for r in frame.collect()], [(v,) for v in values])
        assert not wrong, f"0.{minor}: {wrong}\n\n{substrait_sql.to_sql(document)}"


@pytest.mark.parametrize("case", AGGREGATES, ids=[f"{i}-{c[0]}" for i, c in enumerate(AGGREGATES)])
def test_aggregates(
    spark: SparkSession, case: tuple[str, list[list[Any]], dict[int, list[Any]]]
) -> None:
    """As measures of groups, and as windows over them."""
    name, columns, by_version = case
    kind = "fp64" if isinstance(columns[0][0], float) else "i64"
    names = ["b", *"xy"[: len(columns)]]
    keys = [False, False, False, True, True]
    data = pa.table(dict(zip(names, [keys, *columns], strict=True)))
    source = read(names, [of("bool"), *[of(kind)] * len(columns)])
    arguments = [{"value": field(1 + i)} for i in range(len(columns))]
    measure = {"functionReference": 0, "arguments": arguments, "phase": RESULT}
    grouped = {"aggregate": {"input": source, "groupingExpressions": [field(0)], "groupings": [
        {"expressionReferences": [0]}], "measures": [{"measure": measure}]}}  # fmt: skip
    ends = {"lowerBound": {"unbounded": {}}, "upperBound": {"unbounded": {}}, "boundsType": ROWS}
    window = {"functionReference": 0, "arguments": arguments, "partitions": [field(0)], **ends}
    windowed = project(source, {"windowFunction": window}, emit=[0, len(names)])
    for minor, values in by_version.items():
        for rel, times in ((grouped, (1, 1)), (windowed, (3, 2))):
            document = plan(rel, ["b", "z"], "datafusion", minor, extensions=functions(name))
            frame = substrait_sql.execute(spark, document, tables={"t": data})
            want = [
                (b, v)
                for b, v, n in zip((False, True), values, times, strict=True)
                for _ in range(n)
            ]
            wrong = rows.difference([tuple(r) for r in frame.collect()], want)
            assert not wrong, f"0.{minor}: {wrong}\n\n{substrait_sql.to_sql(document)}"


def test_what_releases_of_one_version_differ_in_is_warned_of() -> None:
    """Of 51, 52 and 53, which write 0.77."""
    document = written("nanvl", [F, G], 77)
    (found,) = substrait_sql.render(document).diagnostics
    assert (found.code, found.severity.value) == ("SS1103", "warning")
    assert found.message.endswith("by nanvl: what those before 53 mean is taken")
    assert [str(d) for d in substrait_sql.check(document)] == [str(found)]
    # Where nothing may be NULL they are at one.
    for name, given in (("nanvl", [F, lit(fp64=1.0)]), ("array_remove", [L, literal(1)])):
        assert substrait_sql.render(written(name, given, 77)).diagnostics == ()
    for name, minor in (("nanvl", 74), ("nanvl", 85), ("to_char", 66), ("initcap", 55)):
        arguments = next(given for known, given, _ in CASES if known == name)
        assert substrait_sql.render(written(name, arguments, minor)).diagnostics == ()


def test_54_and_55_write_the_same_version(spark: SparkSession) -> None:
    """Only 55 says the types of calls."""
    for name, arguments, by_version in CASES:
        if name in OF_55 and name != "replace":
            document = written(name, arguments, 85)
            frame = substrait_sql.execute(spark, document, tables={"t": TABLE})
            want = [(v,) for v in by_version[min(by_version)]]
            assert not rows.difference([tuple(r) for r in frame.collect()], want)


def test_every_row_has_a_case() -> None:
    assert {row.function for row in DEVIATIONS if row.function} <= {
        name for name, *_ in (*CASES, *AGGREGATES)
    }


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("split_part", [S, text(""), literal(2)]),
        ("replace", [S, text(""), text("X")]),
        ("cardinality", [lit(list={"values": [{"list": {"values": [{"i64": "1"}]}}]})]),
    ],
)
def test_what_older_releases_made_of_it_has_no_sql(name: str, arguments: list[Json]) -> None:
    with pytest.raises(UnsupportedError, match="SS2222"):
        substrait_sql.to_sql(written(name, arguments, 77))
    substrait_sql.to_sql(written(name, arguments, 85, OF_55.get(name)))


def test_totals_of_no_rows(spark: SparkSession) -> None:
    """GROUP BY ROLLUP (k) over an empty table: 54 has the total, and releases before it have nothing."""
    measure = {"functionReference": 0, "phase": RESULT, "outputType": of("i64")}
    rel = {"input": read(["k"], [of("i64")]), "measures": [{"measure": measure}]}
    rel |= {"groupingExpressions": [field(0)]}
    rel |= {"groupings": [{}, {"expressionReferences": [0]}]}
    for minor, empty, full in (
        (77, [], [(None, 2), (1, 2)]),
        (85, [(None, 0)], [(None, 2), (1, 2)]),
    ):
        # The column behind the key is the mask of the keys that a set leaves out.
        counted = project({"aggregate": rel}, field(0), field(2), emit=[3, 4])
        document = plan(counted, ["k", "n"], "datafusion", minor, extensions=functions("count"))
        for keys, want in (([], empty), ([1, 1], full)):
            data = pa.table({"k": pa.array(keys, pa.int64())})
            frame = substrait_sql.execute(spark, document, tables={"t": data})
            assert sorted(map(tuple, frame.collect()), key=str) == sorted(want, key=str)
