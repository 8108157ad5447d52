"""What is known of producers: the table of deviations, and whose functions a plan's names are."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from sqlglot import exp

from substrait_sql import UnsupportedError, wire
from substrait_sql.dialect.dialect import load
from substrait_sql.dialect.model import Argument, Call
from substrait_sql.plan.deviations import DEVIATIONS, Deviation
from substrait_sql.plan.habits import Habits
from substrait_sql.plan.producers import FACTS, OWN, PRODUCERS, habits_of, producer_of
from substrait_sql.schema import types
from substrait_sql.schema.functions import FunctionName
from substrait_sql.wire.path import ROOT
from tests.support.json_plans import (
    DOUBLE,
    I64,
    NULLABLE,
    TEXT,
    Json,
    call,
    field,
    functions,
    of,
    plan,
    project,
    read,
    text,
)
from tests.tools import producers

if TYPE_CHECKING:
    from substrait_sql.dialect.line import Line

NAMES = set(Habits._fields)


# --- The table ------------------------------------------------------------------------------------


def test_every_habit_has_a_row_and_every_row_a_habit() -> None:
    assert {row.name for row in DEVIATIONS if not row.function} == NAMES - {
        "older",
        "unsure",
        "about_null",
    }


@pytest.mark.parametrize("row", DEVIATIONS, ids=lambda r: f"{r.producer or 'any'}-{r.name}")
def test_rows(row: Deviation) -> None:
    """One plain sentence, evidence whose tests are there, versions that are a span, facts that are known."""
    assert row.producer in {*PRODUCERS, ""}
    assert row.meaning.endswith(".")
    assert ". " not in row.meaning
    assert row.evidence
    for file in re.findall(r"\btest_\w+\.py", row.evidence):
        assert (producers.ROOT / "tests/producers" / file).is_file()
    assert row.since is None or row.until is None or row.since < row.until
    assert not row.when or row.when in FACTS
    assert row.value is not None or row.when


def test_no_two_rows_are_about_the_same_plan() -> None:
    """Rows of one name and producer stand for spans that do not meet."""
    spans = defaultdict(list)
    for row in DEVIATIONS:
        spans[row.producer, row.function or row.name].append(
            (row.since or (0, 0), row.until or (99, 0))
        )
    for found in spans.values():
        ordered = sorted(found)
        assert all(a[1] <= b[0] for a, b in pairwise(ordered))


def decoded(producer: str, version: tuple[int, int, int] | None) -> wire.Decoded:
    found = wire.read(plan(read(["a"], [I64]), ["a"], producer))
    return replace(found, version=version)


@pytest.mark.parametrize(
    ("producer", "minor", "name", "expected"),
    [
        ("DataFusion", 55, "project_replaces", True),
        ("datafusion", 58, "project_replaces", False),
        ("datafusion", None, "fractional_parts", None),
        ("datafusion", 55, "fractional_parts", True),
        ("datafusion", 85, "fractional_parts", False),
        ("DuckDB", 48, "null_by_zero", True),
        ("DuckDB", 53, "null_by_zero", False),
        ("DuckDB", None, "null_by_zero", False),
        ("DuckDB", None, "needs_mask", True),
        ("DuckDB", 78, "needs_mask", False),
        ("DuckDB", 53, "loses_copies", "set"),
        ("ibis-substrait", 50, "loses_copies", "copies"),
        ("ibis-substrait", 32, "lists_columns", True),
        ("ibis-substrait", 50, "lists_columns", False),
        ("somebody", None, "omits_set_index", True),
        ("gluten", None, "omits_set_index", True),
        ("somebody", 17, "omits_set_index", False),
        ("", 106, "omits_set_index", True),
        ("Acero 26.0.1", None, "omits_set_index", False),
    ],
)
def test_a_plan_has_the_habits_of_its_version(
    producer: str, minor: int | None, name: str, expected: bool | str | None
) -> None:
    version = None if minor is None else (0, minor, 0)
    assert getattr(habits_of(decoded(producer, version)), name) == expected


def test_nobody_has_no_habits() -> None:
    assert habits_of(decoded("somebody", (0, 85, 0))) == Habits()
    assert producer_of(decoded("somebody", (0, 85, 0))) == ""


@pytest.mark.parametrize("producer", producers.PAGES)
def test_the_page_is_current(producer: str) -> None:
    page = producers.PAGES[producer].read_text(encoding="utf-8")
    found = producers.written(producer, page)
    assert found == page, "run: python -m tests.tools.producers --write"


def test_every_producer_has_a_page_with_all_that_is_known() -> None:
    assert set(producers.PAGES) == {*PRODUCERS, ""}
    for producer, path in producers.PAGES.items():
        page = path.read_text(encoding="utf-8")
        rows = [row for row in DEVIATIONS if row.producer == producer]
        assert all(f"| `{row.name}` |" in page for row in rows)
        lines = [line for _, line in producers.lines(producer)]
        assert all(f"| `{line['name'].replace('|', chr(92) + '|')}`" in page for line in lines)


# --- Functions of their own -----------------------------------------------------------------------

# Over these types two producers mean different things by one name; a new one is to be added on purpose.
DISPUTED = {
    "ln fp64",
    "log10 fp64",
    "log2 fp64",
    "regexp_replace str_str_str",
    "regexp_replace str_str_str_str",
    "sha256 str",
    "to_hex i64",
}
TYPES: dict[str, Any] = {"fp64": types.fp64(), "i64": types.i64(), "str": types.string()}


def owned() -> dict[tuple[str, str, str], dict[str, Line]]:
    """The lines that are some producer's, by kind, name and overload."""
    found: dict[tuple[str, str, str], dict[str, Line]] = defaultdict(dict)
    for folder in load("spark").folders:
        for document in folder.documents():
            for lines in document.lines.values():
                for line in lines:
                    for impl in line.impls if line.producer else ():
                        found[line.kind, line.name, impl][line.producer] = line
    return found


def disputed() -> dict[tuple[str, str, str], dict[str, Line]]:
    return {k: v for k, v in owned().items() if len({line.spelling for line in v.values()}) > 1}


def lookup(producer: str, key: tuple[str, str, str], urn: str | None = None) -> Line:
    kind, name, impl = key
    arguments = [
        Argument(sql=exp.column(f"c{i}"), type=TYPES[short])
        for i, short in enumerate(impl.split("_"))
    ]
    made = Call(FunctionName(urn, None, name), arguments, (), None, ROOT)
    return load("spark").of(producer)._resolver.find((kind,), made)[0]


def test_names_that_two_producers_mean_different_things_by() -> None:
    assert {f"{name} {impl}" for _, name, impl in disputed()} == DISPUTED


def test_files_say_whose_they_are() -> None:
    assert {p for lines in owned().values() for p in lines} == set(PRODUCERS) - {"ibis", OWN}


@pytest.mark.parametrize("key", disputed(), ids=lambda k: f"{k[1]}-{k[2]}")
def test_each_gets_its_own(key: tuple[str, str, str]) -> None:
    """By the bare name no plan finds what another producer means; by the URN everybody finds what it says."""
    theirs = disputed()[key]
    for producer, line in theirs.items():
        assert lookup(producer, key).producer in (producer, "")
        for other in (*PRODUCERS, ""):
            assert lookup(other, key, line.urn) is line


def called(name: str, producer: str, of: Json = TEXT, output: Json = TEXT) -> str:
    """The expression that a plan of DuckDB's or DataFusion's form has for ``name(a)``."""
    masked = {"projection": {"select": {"structItems": [{"field": 0}]}}}
    rel = project(read(["a"], [of], **masked), call(0, output, field(0)), emit=[1])
    return text(plan(rel, ["x"], producer, 53, extensions=functions(name)))


def test_to_hex_is_that_of_the_producer() -> None:
    """DuckDB 1.1: to_hex(255) is FF, sha256('a') a text; DataFusion 55: ff, and bytes."""
    assert called("to_hex", "DuckDB", I64) == "SELECT hex(a) AS x FROM t"
    assert called("to_hex", "datafusion", I64) == "SELECT lower(hex(a)) AS x FROM t"
    assert called("sha256", "DuckDB") == "SELECT sha2(a, 256) AS x FROM t"
    binary = {"binary": {"nullability": NULLABLE}}
    assert called("sha256", "datafusion", output=binary) == "SELECT unhex(sha2(a, 256)) AS x FROM t"


def test_nobody_knows_whose_it_is() -> None:
    for name, type in (("to_hex", I64), ("sha256", TEXT)):
        with pytest.raises(UnsupportedError, match="SS2215 datafusion and duckdb mean different"):
            called(name, "somebody", type)
    # What only one producer has, or all mean alike, is no riddle.
    assert called("signum", "somebody", DOUBLE, DOUBLE) == "SELECT signum(a) AS x FROM t"
    assert called("md5", "somebody") == "SELECT md5(a) AS x FROM t"


def test_another_ones_function_is_none_of_a_known_producer() -> None:
    for producer in ("DuckDB", "isthmus", "ibis-substrait"):
        with pytest.raises(UnsupportedError, match="SS2213 (?s:.*) known in those of datafusion"):
            called("signum", producer, DOUBLE, DOUBLE)


@pytest.mark.parametrize("name", ["ln", "log10", "log2"])
def test_logarithms_of_zero(name: str) -> None:
    """An error in DuckDB, an infinity in DataFusion; whoever is not known means the standard's."""
    assert "raise_error('logarithm of zero')" in called(name, "DuckDB", DOUBLE, DOUBLE)
    for producer in ("datafusion", "somebody", "ibis-substrait"):
        found = called(name, producer, DOUBLE, DOUBLE)
        assert "THEN CAST('-Infinity' AS DOUBLE)" in found
        assert "raise_error" not in found


def test_duckdb_replaces_by_re2() -> None:
    """Its flag m is about the dot, where that of others is about lines."""
    values = [field(0), *({"literal": {"string": v}} for v in ("p", "x", "g"))]
    masked = {"projection": {"select": {"structItems": [{"field": 0}]}}}

    def replaced(flags: str) -> str:
        values[-1] = {"literal": {"string": flags}}
        rel = project(read(["a"], [TEXT], **masked), call(0, TEXT, *values), emit=[1])
        return text(plan(rel, ["x"], "DuckDB", 53, extensions=functions("regexp_replace")))

    assert replaced("g") == "SELECT regexp_replace(a, 'p', 'x') AS x FROM t"
    with pytest.raises(UnsupportedError, match="flags other than"):
        replaced("m")


# --- What a habit makes of a call -----------------------------------------------------------------

SPANS = [
    ("Acero", 44),
    *(("datafusion", minor) for minor in (44, 55, 85)),
    *(("DuckDB", minor) for minor in (48, 53, 78)),
    ("gluten", 20),
    *(("ibis-substrait", minor) for minor in (32, 50)),
    ("isthmus", 85),
    ("somebody", 85),
]
OVER = {
    "i64": of("i64"),
    "fp32": of("fp32"),
    "fp64": of("fp64"),
    "str": of("string"),
    "date": of("date"),
}
COMPARED = (
    "equal",
    "not_equal",
    "lt",
    "lte",
    "gt",
    "gte",
    "is_distinct_from",
    "is_not_distinct_from",
)
COUNTED = ("add", "subtract", "multiply", "divide")


@pytest.mark.parametrize(("producer", "minor"), SPANS)
def test_what_everybody_may_ask_every_producer_may(producer: str, minor: int) -> None:
    """Comparisons and arithmetic over plain types: a habit may make another function of one, which then is there."""
    calls = [(n, t, of("bool")) for n in COMPARED for t in OVER]
    calls += [(n, t, OVER[t]) for n in COUNTED for t in ("i64", "fp32", "fp64")]
    calls += [("between", t, of("bool")) for t in OVER]
    for name, type, returned in calls:
        count = 3 if name == "between" else 2
        mask = {"select": {"structItems": [{"field": i} for i in range(count)]}}
        columns = read(["a", "b", "c"][:count], [OVER[type]] * count, projection=mask)
        rel = project(columns, call(1, returned, *map(field, range(count))), emit=[count])
        declared = functions(f"{name}:{'_'.join([type] * count)}", first=1)
        assert text(plan(rel, ["x"], producer, minor, extensions=declared)), (name, type)
