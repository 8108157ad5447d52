"""The extension file of Spark's functions: valid, current, and what lifted plans name."""

from __future__ import annotations

from functools import cache
from typing import Any

import jsonschema
import pytest
import yaml

import substrait_sql
from substrait_sql.dialect import load
from substrait_sql.dialect.files import official
from substrait_sql.dialect.files.extension_file import schema_of
from substrait_sql.lift.functions import OF_FILES
from tests.tools import spark_functions

SCHEMA = {"t": spark_functions._COLUMNS}


@cache
def document() -> dict[str, Any]:
    found: dict[str, Any] = yaml.load(
        spark_functions.EXTENSION.read_text(encoding="utf-8"), yaml.CSafeLoader
    )
    return found


def _names() -> set[str]:
    return {
        f"{row['name']}:{official.signature(impl)}"
        for kind in spark_functions.KINDS
        for row in document()[f"{kind}_functions"]
        for impl in row["impls"]
    }


def test_the_file_is_current() -> None:
    assert spark_functions.EXTENSION.read_text(encoding="utf-8") == spark_functions.extension_text()


def test_the_file_is_valid() -> None:
    jsonschema.validate(document(), schema_of("extensions", "simple_extensions_schema.yaml"))
    assert document()["urn"] == spark_functions.URN


def test_every_function_is_there_once_and_says_what_it_is() -> None:
    rows = [row for kind in spark_functions.KINDS for row in document()[f"{kind}_functions"]]
    names = [row["name"] for row in rows]
    assert len(names) == len(set(names))
    assert all("https://spark.apache.org/docs/" in row["description"] for row in rows)
    missing = {name for name, _ in spark_functions.declared()} - set(names)
    assert not missing


def test_only_what_makes_rows_or_tells_of_files_is_not_there() -> None:
    names = {
        row["name"] for kind in spark_functions.KINDS for row in document()[f"{kind}_functions"]
    }
    said = load("spark").builtins
    for name in sorted(set(said.kinds) - names):
        found = spark_functions.known(name)
        assert said.kind(name) == "generator" or found is None or name in OF_FILES


def test_what_is_drawn_says_so() -> None:
    said = {
        row["name"]: all(impl.get("deterministic", True) for impl in row["impls"])
        for row in document()["scalar_functions"]
    }
    drawn = {name for name, steady in said.items() if not steady}
    assert drawn == load("spark").builtins.drawn - OF_FILES


@pytest.mark.parametrize("call", [
    "elt(2, s, s)", "concat_ws(',', s, texts)", "format_string('%s', i)", "map_keys(m)", "date_add(a, i)",
    "transform(arr, x -> x + 1)", "aggregate(arr, 0, (x, y) -> x + y)", "percentile(i, 0.5)", "sha2(s, 256)",
    "substring(s, i, 2)", "ntile() OVER (ORDER BY i)", "i + 1 = 2 AND arr[0] = 1", "regexp_like(s, 'a')",
    "round(d, 1)", "avg(i)", "max(s)", "pi()", "i <=> 1", "substring(y, 1, 2)", "m['a']", "year(a)",
])  # fmt: skip
def test_plans_name_what_the_file_has(call: str) -> None:
    plan = substrait_sql.to_plan(f"SELECT {call} AS c FROM t", schema=SCHEMA)
    urns = {u.extension_urn_anchor: u.urn for u in plan.extension_urns}
    for row in plan.extensions:
        function = row.extension_function
        if urns[function.extension_urn_reference] == spark_functions.URN:
            assert function.name in _names()
    assert not substrait_sql.check(plan)
    assert substrait_sql.to_sql(plan)


@pytest.mark.parametrize(("name", "what", "how"), [
    ("upper", "standard", "`string` upper"), ("startswith", "standard", "`string` starts_with"),
    ("named_struct", "composed", ""), ("sha2", "own extension", ""), ("explode", "own extension", "that makes rows"),
    ("rand", "own extension", "not deterministic"), ("input_file_name", "refused", "it tells of files"),
    ("parse_json", "refused", "Substrait has no type for VARIANT"),
])  # fmt: skip
def test_what_becomes_of_a_function(name: str, what: str, how: str) -> None:
    row = spark_functions.row_of(name, spark_functions.builtins()[name])
    assert row.what == what
    assert how in row.how
    assert f"| `{name}` | {what} | " in spark_functions.PAGE.read_text(encoding="utf-8")
