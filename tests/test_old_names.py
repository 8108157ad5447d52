"""How old plans refer to functions: whatever the spelling, the SQL is that of today's."""

from __future__ import annotations

from typing import Any

import pytest

import substrait_sql
from tests.wire_forms import I64, Json, field

NULLABLE = "NULLABILITY_NULLABLE"
TYPES: dict[str, Json] = {
    "i32": {"i32": {"nullability": NULLABLE}},
    "i64": I64,
    "fp64": {"fp64": {"nullability": NULLABLE}},
    "str": {"string": {"nullability": NULLABLE}},
    "bool": {"bool": {"nullability": NULLABLE}},
    "date": {"date": {"nullability": NULLABLE}},
    "dec": {"decimal": {"precision": 15, "scale": 2, "nullability": NULLABLE}},
    "pts": {"precisionTimestamp": {"precision": 6, "nullability": NULLABLE}},
}
URN = "extension:io.substrait:functions_"
URL = "https://github.com/substrait-io/substrait/blob/main/extensions/"


def document(
    name: str,
    arguments: str,
    output: str,
    *,
    urn: str = "",
    uri: str | None = None,
    minor: int = 40,
) -> Json:
    """A plan that calls one function over columns of these types; an enum argument is written in capitals."""
    parts = arguments.split()
    types = [TYPES[p] for p in parts if p in TYPES]
    columns = iter(range(len(types)))
    values: list[Json] = [
        {"value": field(next(columns))} if p in TYPES else {"enum": p} for p in parts
    ]
    schema = {
        "names": [f"c{i}" for i in range(len(types))],
        "struct": {"types": types, "nullability": "NULLABILITY_REQUIRED"},
    }
    read = {"read": {"baseSchema": schema, "namedTable": {"names": ["t"]}}}
    function = {"functionReference": 1, "outputType": TYPES[output], "arguments": values}
    rel: Json
    if name.partition(":")[0] in ("sum", "count", "min"):
        phase = {
            "phase": "AGGREGATION_PHASE_INITIAL_TO_RESULT",
            "invocation": "AGGREGATION_INVOCATION_ALL",
        }
        rel = {"aggregate": {"input": read, "measures": [{"measure": {**function, **phase}}]}}
    else:
        emit = {"emit": {"outputMapping": [len(types)]}}
        rel = {
            "project": {
                "common": emit,
                "input": read,
                "expressions": [{"scalarFunction": function}],
            }
        }
    declared: dict[str, Any] = {"functionAnchor": 1, "name": name}
    plan: Json = {
        "version": {"minorNumber": minor},
        "relations": [{"root": {"input": rel, "names": ["x"]}}],
    }
    if urn:
        plan["extensionUrns"] = [{"extensionUrnAnchor": 1, "urn": urn}]
        declared["extensionUrnReference"] = 1
    if uri is not None:
        plan["extensionUris"] = [{"extensionUriAnchor": 1, "uri": uri}]
        declared["extensionUriReference"] = 1
    plan["extensions"] = [{"extensionFunction": declared}]
    return plan


# file, today's name, arguments, result: old names
NAMES = [
    (
        "arithmetic",
        "add:i64_i64",
        "i64 i64",
        "i64",
        ["add", "add:opt_i64_i64", "add:i64?_i64?", "add:any_any"],
    ),
    (
        "arithmetic",
        "divide:i32_i32",
        "i32 i32",
        "i32",
        ["divide", "divide:opt_i32_i32", "divide:opt_opt_opt_i32_i32"],
    ),
    (
        "arithmetic_decimal",
        "add:dec_dec",
        "dec dec",
        "dec",
        ["add", "add:decimal_decimal", "add:opt_decimal_decimal"],
    ),
    (
        "comparison",
        "equal:any_any",
        "str str",
        "bool",
        ["equal", "equal:any1_any1", "equal:string_string"],
    ),
    ("comparison", "equal:any_any", "i64 i64", "bool", ["equal:i64_i64"]),
    (
        "comparison",
        "is_not_null:any",
        "i64",
        "bool",
        ["is_not_null", "is_not_null:i64", "is_not_null:any1"],
    ),
    (
        "boolean",
        "and:bool",
        "bool bool",
        "bool",
        ["and", "and:bool?", "and:bool_bool", "and:opt_bool_bool"],
    ),
    ("boolean", "not:bool", "bool", "bool", ["not", "not:boolean"]),
    ("string", "concat:str", "str str", "str", ["concat", "concat:string", "concat:str_str"]),
    ("datetime", "lt:pts_pts", "pts pts", "bool", ["lt", "lt:ts_ts", "lt:timestamp_timestamp"]),
    ("datetime", "extract:req_date", "YEAR date", "i64", ["extract", "extract:date"]),
    ("arithmetic_decimal", "sum:dec", "dec", "dec", ["sum", "sum:decimal", "sum:opt_dec"]),
    (
        "aggregate_generic",
        "count:any",
        "i64",
        "i64",
        ["count", "count:opt_any", "count:i64", "count:any1"],
    ),
    ("aggregate_generic", "count:", "", "i64", ["count", "count:opt"]),
    ("datetime", "min:pts", "pts", "pts", ["min:ts", "min:timestamp", "min"]),
]
ROWS = [(file, new, given, out, old) for file, new, given, out, olds in NAMES for old in olds]


@pytest.mark.parametrize(
    ("file", "new", "given", "out", "old"), ROWS, ids=[f"{r[1]} {r[4]}" for r in ROWS]
)
def test_names(file: str, new: str, given: str, out: str, old: str) -> None:
    """Simple names, words of old signatures, long type names, types where today's file says any."""
    today = substrait_sql.to_sql(document(new, given, out, urn=URN + file, minor=100))
    assert substrait_sql.to_sql(document(old, given, out, urn=URN + file)) == today
    assert substrait_sql.to_sql(document(old, given, out, uri=f"/functions_{file}.yaml")) == today


SPELLINGS = [
    "/functions_arithmetic.yaml",
    URL + "functions_arithmetic.yaml",
    URL,
    "extensions/",
    "https://example.com/other/functions_arithmetic.yaml",
    None,
]


@pytest.mark.parametrize("uri", SPELLINGS, ids=str)
def test_extensions(uri: str | None) -> None:
    """The file's name counts, wherever it lies; a folder or nothing at all leaves the name of the function."""
    today = substrait_sql.to_sql(document("add:i64_i64", "i64 i64", "i64", urn=URN + "arithmetic"))
    assert substrait_sql.to_sql(document("add:i64_i64", "i64 i64", "i64", uri=uri)) == today


def test_both_declared() -> None:
    """Plans of 0.75 to 0.84 say both, and the URN is what counts."""
    both = document(
        "add:i64_i64",
        "i64 i64",
        "i64",
        urn=URN + "arithmetic",
        uri="/functions_string.yaml",
        minor=80,
    )
    alone = document("add:i64_i64", "i64 i64", "i64", urn=URN + "arithmetic", minor=80)
    assert substrait_sql.to_sql(both) == substrait_sql.to_sql(alone)


@pytest.mark.parametrize("name", ["add:dec_dec", "add"])
def test_the_wrong_file_for_decimals(name: str) -> None:
    """Old plans name the file for numbers and mean the one for decimals: the arguments say it."""
    today = substrait_sql.to_sql(
        document("add:dec_dec", "dec dec", "dec", urn=URN + "arithmetic_decimal")
    )
    old = substrait_sql.to_sql(document(name, "dec dec", "dec", uri="/functions_arithmetic.yaml"))
    assert old == today
