"""How old plans refer to functions: whatever the spelling, the SQL is that of today's."""

from __future__ import annotations

from typing import Any

import pytest

import substrait_sql
from substrait_sql.errors import SubstraitSqlError
from tests.support.json_plans import (
    BOOL,
    DAY,
    DOUBLE,
    I64,
    TEXT,
    Json,
    decimal,
    field,
    moment,
    of,
    plan,
    project,
    read,
    required,
)

TYPES: dict[str, Json] = {
    "i32": of("i32"),
    "i64": I64,
    "fp64": DOUBLE,
    "str": TEXT,
    "bool": BOOL,
    "date": DAY,
    "dec": decimal(15, 2),
    "pts": moment(6),
    "tstz": of("precisionTimestampTz", precision=6),
    "pt": of("precisionTime", precision=6),
    "iyear": of("intervalYear"),
    "iday": of("intervalDay", precision=6),
    "fp32": of("fp32"),
    "i8": of("i8"),
    "vchar": of("varchar", length=10),
    "strs": of("list", type=TEXT),
    "required": required("bool"),
    "i64_required": I64,
}
AGGREGATES = ("sum", "count", "min", "max", "std_dev", "variance", "avg")
URN = "extension:io.substrait:functions_"
URL = "https://github.com/substrait-io/substrait/blob/main/extensions/"


def argument(written: str) -> Json:
    """A literal, or the value of an enumeration."""
    if written.startswith("'"):
        return {"value": {"literal": {"string": written.strip("'")}}}
    if written.isdigit():
        return {"value": {"literal": {"i8": int(written)}}}
    if written.endswith("L"):
        return {"value": {"literal": {"i64": written[:-1]}}}
    return {"enum": written}


def document(
    name: str,
    arguments: str,
    output: str,
    *,
    urn: str = "",
    uri: str | None = None,
    minor: int = 40,
) -> Json:
    """A plan that calls one function over columns of these types.

    An enum argument is written in capitals, and those before a slash are options; `'UTC'` and `6` are literals.
    """
    given, slash, wanted = arguments.partition(" / ")
    parts = given.split()
    types = [TYPES[p] for p in parts if p in TYPES]
    columns = iter(range(len(types)))
    found: list[Json] = [
        {"value": field(next(columns))} if p in TYPES else argument(p) for p in parts
    ]
    table = read([f"c{i}" for i in range(len(types))], types)
    function: Json = {"functionReference": 1, "outputType": TYPES[output], "arguments": found}
    if slash:
        pairs = [o.split("=") for o in wanted.split()]
        function["options"] = [{"name": n, "preference": [v]} for n, v in pairs]
    rel: Json
    if name.partition(":")[0] in AGGREGATES:
        phase = {
            "phase": "AGGREGATION_PHASE_INITIAL_TO_RESULT",
            "invocation": "AGGREGATION_INVOCATION_ALL",
        }
        rel = {"aggregate": {"input": table, "measures": [{"measure": {**function, **phase}}]}}
    else:
        rel = project(table, {"scalarFunction": function}, emit=[len(types)])
    declared: dict[str, Any] = {"functionAnchor": 1, "name": name}
    made = plan(rel, ["x"], minor=minor)
    if urn:
        made["extensionUrns"] = [{"extensionUrnAnchor": 1, "urn": urn}]
        declared["extensionUrnReference"] = 1
    if uri is not None:
        made["extensionUris"] = [{"extensionUriAnchor": 1, "uri": uri}]
        declared["extensionUriReference"] = 1
    made["extensions"] = [{"extensionFunction": declared}]
    return made


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


# What was changed, the release; the file, name and arguments of before; those of today; the result.
SIGNATURES = [
    ("divide, two enums", 20, "arithmetic", "divide:req_req_fp64_fp64", "NAN LIMIT fp64 fp64",
     "arithmetic", "divide:fp64_fp64", "fp64 fp64 / on_domain_error=NAN on_division_by_zero=LIMIT", "fp64"),
    ("divide, three enums", 20, "arithmetic", "divide:req_req_req_fp64_fp64", "TIE_TO_EVEN NAN ERROR fp64 fp64",
     "arithmetic", "divide:fp64_fp64",
     "fp64 fp64 / rounding=TIE_TO_EVEN on_domain_error=NAN on_division_by_zero=ERROR", "fp64"),
    ("divide, an optional one", 20, "arithmetic", "divide:opt_i64_i64", "SATURATE i64 i64",
     "arithmetic", "divide:i64_i64", "i64 i64 / overflow=SATURATE", "i64"),
    *(
        (f"{name}, {count} enums", 20, "logarithmic", f"{name}:{'req_' * count}fp64{'_fp64' * (extra > 0)}",
         f"{'TIE_TO_EVEN ' * (count - 2)}NAN MINUS_INFINITY fp64{' fp64' * extra}",
         "logarithmic", f"{name}:fp64{'_fp64' * extra}",
         f"fp64{' fp64' * extra} / {'rounding=TIE_TO_EVEN ' * (count - 2)}"
         "on_domain_error=NAN on_log_zero=MINUS_INFINITY",
         "fp64")
        for name, extra in (("ln", 0), ("log10", 0), ("log2", 0), ("logb", 1)) for count in (2, 3)
    ),
    ("regex_string_split", 21, "string", "regex_string_split:str_str", "str ',+'",
     "string", "regexp_string_split:str_str", "str ',+'", "strs"),
    ("add a month, without a zone", 25, "datetime", "add:tstz_iyear", "tstz iyear",
     "datetime", "add:ptstz_iyear_str", "tstz iyear 'UTC'", "tstz"),
    ("extract, without a zone", 26, "datetime", "extract:req_tstz", "YEAR tstz",
     "datetime", "extract:req_ptstz_str", "YEAR tstz 'UTC'", "i64"),
    ("regexp_match_substring, without a group", 27, "string", "regexp_match_substring:str_str_i64_i64",
     "str '[a-z]+' 1L 1L", "string", "regexp_match_substring:str_str_i64_i64_i64", "str '[a-z]+' 1L 1L 0L", "str"),
    ("strptime, a date", 28, "datetime", "strptime:str_str", "str '%Y-%m-%d'",
     "datetime", "strptime_date:str_str", "str '%Y-%m-%d'", "date"),
    ("strptime, a time", 28, "datetime", "strptime:str_str", "str '%H:%M:%S'",
     "datetime", "strptime_time:str_str_i8", "str '%H:%M:%S' 6", "pt"),
    ("strptime, a timestamp", 28, "datetime", "strptime:str_str", "str '%Y-%m-%d'",
     "datetime", "strptime_timestamp:str_str_i8", "str '%Y-%m-%d' 6", "tstz"),
    ("min of timestamps", 48, "arithmetic", "min:ts", "pts", "datetime", "min:pts", "pts", "pts"),
    ("max of timestamps", 48, "arithmetic", "max:tstz", "tstz", "datetime", "max:ptstz", "tstz", "tstz"),
    ("repeat of varchar", 86, "string", "repeat:vchar_i64_i64", "vchar i64",
     "string", "repeat:vchar_i64", "vchar i64", "vchar"),
    *(
        (f"{name}, legacy type names", 88, "datetime", f"{name}:{old}", given, "datetime", f"{name}:{new}", given, out)
        for name, old, new, given, out in (
            ("add", "ts_iyear", "pts_iyear", "pts iyear", "pts"),
            ("add", "ts_iday", "pts_iday", "pts iday", "pts"),
            ("add", "tstz_iday", "ptstz_iday", "tstz iday", "tstz"),
            ("add", "tstz_iyear_str", "ptstz_iyear_str", "tstz iyear 'UTC'", "tstz"),
            ("subtract", "ts_iday", "pts_iday", "pts iday", "pts"),
            ("lt", "tstz_tstz", "ptstz_ptstz", "tstz tstz", "bool"),
            ("gte", "ts_ts", "pts_pts", "pts pts", "bool"),
            ("extract", "req_ts", "req_pts", "MINUTE pts", "i64"),
            ("extract", "req_time", "req_pt", "MINUTE pt", "i64"),
            ("extract", "req_tstz_str", "req_ptstz_str", "MINUTE tstz 'UTC'", "i64"),
            ("local_timestamp", "tstz_str", "ptstz_str", "tstz str", "pts"),
            ("assume_timezone", "ts_str", "pts_str", "pts str", "tstz"),
            ("strftime", "ts_str", "pts_str", "pts '%Y'", "str"),
            ("strftime", "time_str", "pt_str", "pt '%H'", "str"),
            ("min", "time", "pt", "pt", "pt"),
        )
    ),
    ("assume_timezone of a date", 88, "datetime", "assume_timezone:date_str", "date 'UTC'",
     "datetime", "assume_timezone:date_str_i8", "date 'UTC' 6", "tstz"),
    ("strptime_time, without a precision", 88, "datetime", "strptime_time:str_str", "str '%H:%M'",
     "datetime", "strptime_time:str_str_i8", "str '%H:%M' 6", "pt"),
    ("strptime_timestamp, without a precision", 88, "datetime", "strptime_timestamp:str_str", "str '%Y-%m-%d'",
     "datetime", "strptime_timestamp:str_str_i8", "str '%Y-%m-%d' 6", "tstz"),
    ("strptime_timestamp, with a zone", 88, "datetime", "strptime_timestamp:str_str_str", "str '%Y-%m-%d' 'Asia/Tokyo'",
     "datetime", "strptime_timestamp:str_str_str_i8", "str '%Y-%m-%d' 'Asia/Tokyo' 6", "tstz"),
    ("std_dev by an option", 88, "arithmetic", "std_dev:fp64", "fp64 / distribution=POPULATION",
     "arithmetic", "std_dev:req_fp64", "POPULATION fp64", "fp64"),
    ("variance by an option", 88, "arithmetic", "variance:fp64", "fp64 / distribution=SAMPLE",
     "arithmetic", "variance:req_fp64", "SAMPLE fp64", "fp64"),
    *(
        (f"unknown.yaml, {name}", 99, "", f"{name}:unknown_unknown", "i64 i64",
         "arithmetic", f"{name}:i64_i64", "i64 i64", "i64")
        for name in ("add", "multiply", "subtract")
    ),
    *(
        (f"unknown.yaml, {name}", 99, "", f"{name}:unknown_unknown", "i64 i64",
         "comparison", f"{name}:any_any", "i64 i64", "bool")
        for name in ("equal", "lt", "gte")
    ),
    ("round_calendar, its last argument", 106, "datetime", "round_calendar:date_req_req_req_i64_date",
     "date FLOOR MONTH YEAR 1L", "datetime", "round_calendar:date_req_req_req_i64", "date FLOOR MONTH YEAR 1L", "date"),
    ("subtract a month, without a zone", 107, "datetime", "subtract:ptstz_iyear", "tstz iyear",
     "datetime", "subtract:ptstz_iyear_str", "tstz iyear 'UTC'", "tstz"),
    # The same call, whose result was declared as its release had it.
    ("is_not_distinct_from, nullable", 35, "comparison", "is_not_distinct_from:any_any", "i64 i64",
     "comparison", "is_not_distinct_from:any_any", "i64 i64", "bool"),
    ("nullif, required", 78, "comparison", "nullif:any_any", "i64_required i64_required",
     "comparison", "nullif:any_any", "i64_required i64_required", "i64_required"),
    ("and, nullable whatever comes in", 100, "boolean", "and:bool", "required required",
     "boolean", "and:bool", "required required", "bool"),
    ("avg of decimals, required", 105, "arithmetic_decimal", "avg:dec", "dec",
     "arithmetic_decimal", "avg:dec", "dec", "dec"),
    # Values of options that are left of what there was.
    ("divide by zero, the limit", 46, "arithmetic", "divide:fp64_fp64", "fp64 fp64 / on_division_by_zero=LIMIT",
     "arithmetic", "divide:fp64_fp64", "fp64 fp64 / on_division_by_zero=LIMIT", "fp64"),
]  # fmt: skip


@pytest.mark.parametrize("row", SIGNATURES, ids=lambda r: r[0])
def test_signatures(row: tuple[Any, ...]) -> None:
    """What a function was called, and took, until a release: the SQL is that of its name and arguments of today."""
    _, release, file, name, given, new_file, new_name, new_given, out = row
    today = substrait_sql.to_sql(
        document(new_name, new_given, out, urn=URN + new_file, minor=release)
    )
    uri = f"/functions_{file}.yaml" if file else "/unknown.yaml"
    old = document(name, given, out, uri=uri, minor=release - 1)
    assert substrait_sql.to_sql(old) == today
    once = substrait_sql.upgrade(old)
    assert substrait_sql.upgrade(once) == once
    assert substrait_sql.to_sql(once) == today


NOT_TODAY = {
    # Nobody can say what the second count was for.
    "repeat": ("string", "repeat:vchar_i64_i64", "vchar i64 i64", "vchar", "SS2212"),
    # No option has the value any more.
    "divide by zero, NaN": ("arithmetic", "divide:fp64_fp64", "fp64 fp64 / on_division_by_zero=NAN", "fp64", "SS2221"),
    # The result says which of three functions it was, and there is none of this kind.
    "strptime": ("datetime", "strptime:str_str", "str '%Y'", "i64", "SS2222"),
    "strptime, a date of a zone": ("datetime", "strptime:str_str_str", "str '%Y' 'UTC'", "date", "SS2222"),
    # An argument that the extension file had by mistake.
    "round_calendar": (
        "datetime", "round_calendar:date_req_req_req_i64_date", "date FLOOR MONTH YEAR 1L date", "date", "SS2212"
    ),
    # Spark has a geometry, and no function over it that Substrait's has the meaning of.
    "is_closed": ("geometry", "is_closed:geometry", "str", "bool", "SS2213"),
}  # fmt: skip


@pytest.mark.parametrize("row", NOT_TODAY.values(), ids=NOT_TODAY)
def test_what_has_no_form_of_today(row: tuple[str, ...]) -> None:
    file, name, given, out, code = row
    with pytest.raises(SubstraitSqlError) as refused:
        substrait_sql.to_sql(document(name, given, out, uri=f"/functions_{file}.yaml"))
    assert refused.value.code == code
    assert refused.value.path.startswith("relations[0].root.input")


@pytest.mark.parametrize(
    ("release", "file", "name", "given", "declared", "sql"),
    [
        (46, "arithmetic", "sin:fp32", "fp32", "fp64", "SELECT sin(c0) AS x"),
        (86, "datetime", "add:date_iyear", "date iyear", "pts", "CAST(c0 + c1 AS TIMESTAMP_NTZ)"),
        (88, "datetime", "add:date_iday", "date iday", "pts", "CAST(c0 AS TIMESTAMP_NTZ) + c1"),
        (91, "datetime", "subtract:date_iday", "date iday", "pts", "CAST(c0 AS TIMESTAMP_NTZ) - c1"),
        (47, "set", "index_in:any_list", "str strs", "i64", None),
    ],
)  # fmt: skip
def test_results_are_as_declared(
    release: int, file: str, name: str, given: str, declared: str, sql: str | None
) -> None:
    """The type of a result changed with the release, and the plan says which it is."""
    old = substrait_sql.to_sql(
        document(name, given, declared, uri=f"/functions_{file}.yaml", minor=release - 1)
    )
    new = substrait_sql.to_sql(document(name, given, declared, urn=URN + file, minor=release))
    assert old == new
    assert sql is None or sql in " ".join(old.split())
