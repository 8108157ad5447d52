"""The dialects that ship with this package: every golden plan becomes a text in each of them, or is refused."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml

import substrait_sql
from substrait_sql import resources
from substrait_sql.dialect import load
from substrait_sql.dialect.files.entries import Entries
from substrait_sql.dialect.lacks import WORDS
from substrait_sql.dialect.load import available
from substrait_sql.errors import ExecutionError, SubstraitSqlError
from substrait_sql.run.release import check_release
from tests.golden.test_plans import RENDERED, name, statements_of

HAS_FUNCTIONS = re.compile(r"^supported_(scalar|aggregate|window)_functions:", re.MULTILINE)
OTHERS = [d for d in available() if d not in ("default", "spark")]
# What the engine has no form for: the codes that say so.
REFUSED = {
    "spark40": {
        "literal/time": "SS2301",
        "literal/times": "SS2301",
        "recursion/counting": "SS2086",
    },
    "spark35": {
        "aggregate/ordered_text": "SS2153",
        "aggregate/ordered_text_beside_several_distinct": "SS2153",
        "aggregate/ordered_text_beside_some_distinct": "SS2153",
        "aggregate/ordered_text_distinct": "SS2153",
        "aggregate/ordered_text_distinct_beside_another": "SS2153",
        "aggregate/ordered_text_distinct_filtered": "SS2153",
        "aggregate/ordered_text_filtered": "SS2153",
        "found/unique_outer_column": "SS2137",
        "literal/time": "SS2301",
        "literal/times": "SS2301",
        "nested/equal_structs": "SS2222",
        "recursion/counting": "SS2086",
        "subquery/unique_correlated": "SS2137",
    },
}


@pytest.mark.slow
@pytest.mark.parametrize("dialect", OTHERS)
def test_golden_plans(dialect: str) -> None:
    refused = {}
    printer = load(dialect).target.printer
    for path in RENDERED:
        try:
            statements = substrait_sql.render(path, dialect=dialect).statements
        except SubstraitSqlError as error:
            refused[name(path)] = error.code
            continue
        for statement in statements:
            assert len(statements_of(statement.sql, printer)) == 1
    assert refused == REFUSED.get(dialect, {})


@pytest.mark.parametrize("dialect", OTHERS)
def test_absent_functions_are_those_of_the_dialect_below(dialect: str) -> None:
    """A name that no dialect below has would be a slip of the pen."""
    own = load(dialect)
    below = load(own.chain[1])
    assert {n for n in own.builtins.absent if below.builtins.kind(n) is None} == set()


def test_a_function_that_the_engine_has_not() -> None:
    """Called by Spark's own name for it, it is not known either."""
    assert load("spark").builtins.kind("listagg") == "aggregate"
    assert load("spark35").builtins.kind("listagg") is None
    assert load("spark35").target.lacks <= WORDS.keys()


@pytest.mark.parametrize(
    ("dialect", "release", "other"),
    [
        ("spark", "3.5.9", "spark35"),
        ("spark", "4.1.0", "spark40"),
        ("spark40", "3.5.1", "spark35"),
        ("spark", "3.4.1", ""),
        ("spark35", "3.5.0", None),
    ],
)
def test_an_older_session(dialect: str, release: str, other: str | None) -> None:
    session = SimpleNamespace(version=release)
    if other is None:
        check_release(session, load(dialect))
        return
    with pytest.raises(ExecutionError) as refused:
        check_release(session, load(dialect))
    assert refused.value.code == "SS4028"
    assert (f'dialect="{other}"' if other else "no dialect") in str(refused.value)


FILES = sorted(
    p for p in resources.DIALECTS.glob("*/**/*.yaml") if HAS_FUNCTIONS.search(p.read_text())
)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(resources.DIALECTS)))
def test_a_file_says_the_same_function_by_function(path: Path) -> None:
    """Entries are found in the text (`dialect.files.entries`): none may be missed, and none may be another."""
    text = path.read_text(encoding="utf-8")
    whole = yaml.safe_load(text)
    expected: dict[tuple[str, str], list[object]] = {}
    for kind in ("scalar", "aggregate", "window"):
        for row in whole.get(f"supported_{kind}_functions", ()):
            expected.setdefault((kind, row["name"]), []).append(row)
    entries = Entries(text)
    found: dict[tuple[str, str], object] = {}
    for called in {called for _, called in expected}:
        assert entries.may_have(called)
        found |= entries.of(called)
    assert found == entries.all == expected
    assert entries.head == {k: v for k, v in whole.items() if not HAS_FUNCTIONS.match(f"{k}:")}


def test_a_name_that_only_begins_like_one() -> None:
    entries = Entries("supported_scalar_functions:\n- {source: a, name: add_months}\n")
    assert entries.of("add") == entries.of("") == {}
