"""What is known of functions: `facts` of their lines, in the dialect and in one of a user's own (dialect/facts.py)."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import substrait_sql
from substrait_sql import DialectError, UnsupportedError
from substrait_sql.dialect import facts
from substrait_sql.dialect.dialect import load
from substrait_sql.dialect.facts import NOTHING, UNKNOWN, FactError, Facts
from substrait_sql.dialect.load import Document
from substrait_sql.schema.functions import FunctionName, named
from tests.dialect.test_custom_functions import EXTENSION, URN, P, write
from tests.support.json_plans import field

ROOT = Path(__file__).parents[2]
SPARK = load("spark")
LINES = [
    line
    for folder in SPARK.folders
    for document in folder.documents()
    for found in document.lines.values()
    for line in found
]
WORDS = sorted(facts.meanings())


def known(kind: str, name: str, urn: str | None = None) -> Facts:
    return SPARK.facts(kind, named(urn, name))


# --- the words ---


@pytest.mark.parametrize("word", WORDS)
def test_a_word_is_said_by_a_line_and_heeded(word: str) -> None:
    assert any(getattr(line.facts, word) != getattr(NOTHING, word) for line in LINES)
    code = "\n".join(p.read_text() for p in (ROOT / "substrait_sql" / "lower").rglob("*.py"))
    assert re.search(rf"\.{word}\b", code)


def test_the_page_has_all_words_with_their_meanings() -> None:
    page = (ROOT / "docs" / "custom_functions.md").read_text(encoding="utf-8")
    shown = dict(re.findall(r"^\| `(\w+)(?:: \w+)?` \| (.*) \|$", page, re.MULTILINE))
    assert {word: shown.get(word) for word in WORDS} == facts.meanings()


@pytest.mark.parametrize(
    ("listed", "message", "index"),
    [
        ("orderless", "facts are a list", None),
        (["steady", "orderles"], "no fact orderles; there are: orderless", 1),
        ([{"orderless": True}], "orderless takes no value", 0),
        ([{"over_nothing": "none"}], "over_nothing takes a value: over_nothing: NULL", 0),
        ([{"over_nothing": True}], "over_nothing takes a value", 0),
        (["over_nothing"], "over_nothing takes a value", 0),
        ([{"sorts_values": None}], "sorts_values takes a value: sorts_values: 0", 0),
        ([{"over_nothing": 0}, "steady", {"over_nothing": 1}], "over_nothing is said twice", 2),
    ],
)
def test_what_is_no_fact(listed: Any, message: str, index: int | None) -> None:
    with pytest.raises(FactError, match=message) as found:
        facts.read(listed)
    assert found.value.index == index


def test_a_wrong_word_ends_the_reading_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "generic.yaml"
    path.write_text(
        'dependencies: {g: "extension:io.substrait:functions_aggregate_generic"}\n'
        "supported_aggregate_functions:\n"
        "- {source: g, name: count, supported_impls: [any], metadata: {facts: [order_less]}}\n"
    )
    with pytest.raises(DialectError, match="SS2406 .*count.*there is no fact order_less"):
        assert Document(path).lines


# --- those of Spark's dialect ---


def test_lines_of_a_function_say_the_same() -> None:
    # A bare name never means one of our own extension: its lines are by themselves.
    said: dict[tuple[bool, str, bool], Facts] = {}
    for line in LINES:
        own = line.urn.startswith("extension:substrait_sql:")
        key = line.kind == "scalar", line.name, own
        assert said.setdefault(key, line.facts) == line.facts, f"{line} says other facts"


@pytest.mark.parametrize("line", [x for x in LINES if x.kind != "scalar"], ids=repr)
def test_aggregates_say_what_they_are_over_nothing(line: Any) -> None:
    # An empty list, which the facts have no word for.
    known = line.facts.over_nothing != UNKNOWN or line.name in ("collect_all", "collect_all_apart")
    assert line.facts.frameless != known


def test_what_contradicts_itself_is_not_said() -> None:
    for line in LINES:
        said = line.facts
        orders = (
            said.picks_first, said.picks_last, said.picks_by_number, said.makes_a_list, said.within_group
        )  # fmt: skip
        assert sum(orders) + (said.sorts_values is not None) <= 1, line
        assert not (any(orders) and said.orderless), line
        assert not (said.state_is_a_value and said.state_is_added_up), line
        assert not said.frameless or said.needs_order, line


def test_facts_are_of_a_name_and_a_kind() -> None:
    arithmetic = "extension:io.substrait:functions_arithmetic"
    assert known("aggregate", "sum:i64", arithmetic).over_nothing is None
    assert known("window", "sum") == known("aggregate", "sum", "/functions_arithmetic.yaml")
    assert known("aggregate", "first_value").picks_first
    # Of text only DataFusion's and DuckDB's lines are.
    assert known("aggregate", "max:str", arithmetic).orderless
    assert known("scalar", "sum") == NOTHING
    assert known("aggregate", "nothing_known") == NOTHING
    assert known("aggregate", "sum", URN) == NOTHING


ENDS = {"lowerBound": {"following": {"offset": "2"}}, "upperBound": {"following": {"offset": "1"}}}
ORDERED = {
    "sorts": [{"expr": field(0), "direction": "SORT_DIRECTION_ASC_NULLS_FIRST"}],
    "boundsType": "BOUNDS_TYPE_ROWS",
}
ALL = {**ORDERED, "lowerBound": {"unbounded": {}}, "upperBound": {"unbounded": {}}}
DISTINCT = {"invocation": "AGGREGATION_INVOCATION_DISTINCT"}


@pytest.mark.parametrize(
    ("name", "window", "text"),
    [
        # Of no row: nothing is counted, whatever counts it.
        ("approx_distinct", {**ORDERED, **ENDS}, "0L AS c0"),
        ("count", {**ORDERED, **ENDS}, "0L AS c0"),
        ("bit_xor", {**ORDERED, **ENDS}, "CAST(NULL AS BIGINT) AS c0"),
        # A bit that is set in two rows alike is set once.
        ("bit_or", {**ALL, **DISTINCT}, "bit_or(x) OVER () AS c0"),
        ("approx_distinct", {**ALL, **DISTINCT}, "approx_count_distinct(x) OVER () AS c0"),
        ("bit_xor", ALL, "bit_xor(x) OVER () AS c0"),
    ],
)
def test_a_window_of_producers_functions(name: str, window: dict[str, Any], text: str) -> None:
    p = P(urn=None)
    assert text in substrait_sql.to_sql(p.of("x:i64?", p.over(name, "i64?", field(0), **window)))


def test_numbers_do_not_repeat_themselves_in_an_exclusive_or() -> None:
    p = P(urn=None)
    plan = p.of("x:i64?", p.over("bit_xor", "i64?", field(0), **ALL, **DISTINCT))
    with pytest.raises(UnsupportedError, match="SS2171"):
        substrait_sql.to_sql(plan)


# --- a user's own ---


def own(folder: Path, *lines: dict[str, Any], kind: str = "aggregate") -> Path:
    """A folder with lines for `typical`, `typical_log` and so on of the extension."""
    found = [{"source": "x", "supported_impls": ["fp64"], **line} for line in lines]
    document = {"dependencies": {"x": URN}, f"supported_{kind}_functions": found}
    return write(folder, lines=document)


SUM_OF_SQUARES = {"name": "typical_log", "metadata": {"sql": "sum(:x * :x)"}}


def stating(*words: Any) -> dict[str, Any]:
    return {**SUM_OF_SQUARES, "metadata": {"sql": "sum(:x * :x)", "facts": list(words)}}


def own_facts(folder: Path, kind: str = "aggregate") -> Facts:
    return load(folder).facts(kind, FunctionName(URN, None, "typical_log"))


def test_one_line_gives_an_aggregate_its_facts(tmp_path: Path) -> None:
    folder = own(tmp_path, stating("orderless", "state_is_a_value", {"over_nothing": None}))
    for kind in ("aggregate", "window"):
        assert own_facts(folder, kind) == Facts(
            orderless=True, state_is_a_value=True, over_nothing=None
        )
    assert own_facts(own(tmp_path, SUM_OF_SQUARES)) == NOTHING


SORT = {"sorts": ORDERED["sorts"]}
STATES = {"phase": "AGGREGATION_PHASE_INITIAL_TO_INTERMEDIATE"}


def measured(**more: Any) -> Any:
    p = P()
    measure = ("typical_log:fp64", "fp64?", field(0))
    return p.plan(p.aggregate(p.read("x:fp64"), [], measure, **more), 1)


def windowed(**more: Any) -> Any:
    p = P()
    return p.of("x:fp64", p.over("typical_log:fp64", "fp64?", field(0), **more))


STATED = [
    ("orderless", measured(**SORT), "SS2153", "sum(x * x) AS c0"),
    ("picks_last", measured(**SORT), "SS2153", "max_by(x, place)"),
    ("state_is_a_value", measured(**STATES), "SS2152", "sum(x * x) AS c0"),
    ({"over_nothing": None}, windowed(**ORDERED, **ENDS), "SS2177", "CAST(NULL AS DOUBLE)"),
    ({"over_nothing": 0}, windowed(**ORDERED, **ENDS), "SS2177", "CAST(0 AS DOUBLE)"),
    ("orderless", windowed(**ALL), "ORDER BY", "sum(x * x) OVER () AS c0"),
    ("repeats_are_nothing", windowed(**ALL, **DISTINCT), "SS2171", "sum(x * x) OVER ("),
]


@pytest.mark.parametrize(("word", "plan", "without", "text"), STATED, ids=lambda v: str(v)[:40])
def test_what_is_not_said_is_refused_or_longer(
    tmp_path: Path, word: Any, plan: Any, without: str, text: str
) -> None:
    folder = own(tmp_path, SUM_OF_SQUARES)
    if without.startswith("SS"):
        with pytest.raises(UnsupportedError, match=without):
            substrait_sql.to_sql(plan, dialect=folder)
    else:
        assert without in substrait_sql.to_sql(plan, dialect=folder)
    assert text in substrait_sql.to_sql(plan, dialect=own(tmp_path, stating(word)))


def test_facts_hold_where_all_lines_of_a_function_say_them(tmp_path: Path) -> None:
    extension = {**EXTENSION, "aggregate_functions": [
        {"name": "typical_log", "impls": [
            {"args": [{"name": "x", "value": kind}], "nullability": "DECLARED_OUTPUT", "return": "fp64?"}
            for kind in ("fp64", "fp32")
        ]}
    ]}  # fmt: skip
    first, second = stating("orderless", "steady"), stating("steady")
    lines = [{"source": "x", "supported_impls": ["fp64"], **first}]
    lines += [{"source": "x", "supported_impls": ["fp32"], **second}]
    document = {"dependencies": {"x": URN}, "supported_aggregate_functions": lines}
    folder = write(tmp_path, lines=document, extensions__x=extension)
    assert own_facts(folder) == Facts(steady=True)


def test_a_call_of_sparks_function_has_what_is_known_of_that(tmp_path: Path) -> None:
    line = {"name": "typical_log", "system_metadata": {"name": "MAX"}}
    found = own_facts(own(tmp_path, line))
    assert found.orderless
    assert found.repeats_are_nothing
    assert found.over_nothing is None
    # What the extension means by an intermediate state is not for Spark to say.
    assert not found.state_is_a_value
    assert not found.takes_unsigned


def test_a_line_for_a_standard_function_takes_nothing_away(tmp_path: Path) -> None:
    document = {
        "dependencies": {"a": "extension:io.substrait:functions_arithmetic"},
        "supported_aggregate_functions": [{"source": "a", "name": "sum", "supported_impls": ["fp64"]}],
    }  # fmt: skip
    found = load(write(tmp_path, lines=document)).facts("aggregate", named(None, "sum"))
    assert found == known("aggregate", "sum")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (stating("orderles"), r"SS2406 there is no fact orderles(.|\n)*metadata.facts\[0\]"),
        (stating("steady", "over_nothing"), r"SS2406 over_nothing takes a value(.|\n)*facts\[1\]"),
        (
            {
                "name": "typical",
                "system_metadata": {"name": "acme_typical"},
                "metadata": {"facts": [{"over_nothing": 0}]},
            },
            r"SS2406 over no rows Spark has no row for a function of the session",
        ),
        ({**SUM_OF_SQUARES, "metadata": {"facts": "steady"}}, "SS2404 this must be a list"),
    ],
)
def test_a_wrong_fact_has_its_place(tmp_path: Path, line: dict[str, Any], message: str) -> None:
    with pytest.raises(DialectError, match=message):
        substrait_sql.to_sql(measured(), dialect=own(tmp_path, line))
