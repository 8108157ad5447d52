"""Old and new forms of the same plan, one pair for each row of the table of removed and renamed fields.

Both forms are JSON documents of a plan with one relation; the old ones are written as producers of
the time wrote them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from tests.support.json_plans import I64, Json, field, key, literal, read

READ = read(["a"], [I64])
VERSION_40 = {"minorNumber": 40, "producer": "test"}


def plan(relation: Json, **more: Any) -> Json:
    return {"version": VERSION_40, "relations": [{"rel": relation}], **more}


def project(expression: Json) -> Json:
    return plan({"project": {"input": READ, "expressions": [expression]}})


def scalar(**function: Any) -> Json:
    return project({"scalarFunction": {"functionReference": 1, "outputType": I64, **function}})


def window(**function: Any) -> Json:
    bounds = {"boundsType": "BOUNDS_TYPE_ROWS", "outputType": I64}
    return project({"windowFunction": {"functionReference": 1, **bounds, **function}})


def aggregate(**content: Any) -> Json:
    return plan({"aggregate": {"input": READ, **content}})


def measure(**function: Any) -> Json:
    return aggregate(
        measures=[{"measure": {"functionReference": 1, "outputType": I64, **function}}]
    )


def virtual(**table: Any) -> Json:
    return plan({"read": {"baseSchema": READ["read"]["baseSchema"], "virtualTable": table}})


def files(**item: Any) -> Json:
    schema = READ["read"]["baseSchema"]
    return plan(
        {"read": {"baseSchema": schema, "localFiles": {"items": [{"uriFile": "x", **item}]}}}
    )


def fetch(minor: int | None = 40, **content: Any) -> Json:
    version = {"minorNumber": minor} if minor else {"producer": "test"}
    return {**plan({"fetch": {"input": READ, **content}}), "version": version}


def cast(type_: Json) -> Json:
    return project({"cast": {"type": type_, "input": field(0)}})


def join(kind: str, **content: Any) -> Json:
    return plan({kind: {"left": READ, "right": READ, "type": "JOIN_TYPE_INNER", **content}})


def declared(**more: Any) -> Json:
    return {**scalar(arguments=[{"value": field(0)}]), **more}


def function(reference: str, name: str = "not:bool") -> Json:
    return {"extensionFunction": {reference: 1, "functionAnchor": 1, "name": name}}


def opt(name: str) -> Json:
    urn = {"extensionUrnAnchor": 1, "urn": "extension:io.substrait:functions_arithmetic"}
    return {"extensionUrns": [urn], "extensions": [function("extensionUrnReference", name)]}


class Pair(NamedTuple):
    """A row of the table, the old form and the new one."""

    row: str
    old: Json
    new: Json


_URN = {"extensionUrnAnchor": 1, "urn": "extension:io.substrait:functions_boolean"}
_URI = {"extensionUriAnchor": 1, "uri": "/functions_boolean.yaml"}
_REMOTE = {
    "extensionUriAnchor": 1,
    "uri": "https://github.com/substrait-io/substrait/blob/main/extensions/functions_boolean.yaml",
}
_FOLDER = "https://github.com/substrait-io/substrait/blob/main/extensions/"
_TYPE = {"extensionType": {"extensionUriReference": 1, "typeAnchor": 2, "name": "point"}}
_NEW_TYPE = {"extensionType": {"extensionUrnReference": 1, "typeAnchor": 2, "name": "point"}}
_VARIATION = {
    "extensionTypeVariation": {"extensionUriReference": 1, "typeVariationAnchor": 2, "name": "v"}
}
_NEW_VARIATION = {
    "extensionTypeVariation": {"extensionUrnReference": 1, "typeVariationAnchor": 2, "name": "v"}
}
_ROW = {"fields": [{"i64": "1"}, {"i64": "2"}]}
_NEW_ROW = {"fields": [literal(1), literal(2)]}
_NULLABLE = "NULLABILITY_NULLABLE"
_REQUIRED = "NULLABILITY_REQUIRED"
_DAY = {"days": 3, "seconds": 4}


def _old_type(kind: str) -> Json:
    return cast({kind: {"typeVariationReference": 3, "nullability": _NULLABLE}})


def _new_type(kind: str) -> Json:
    return cast({kind: {"precision": 6, "typeVariationReference": 3, "nullability": _NULLABLE}})


def _interval(**content: Any) -> Json:
    return project({"literal": {"intervalDayToSecond": {**_DAY, **content}}})


def _precise(kind: str, value: int) -> Json:
    return project({"literal": {kind: {"precision": 6, "value": str(value)}}})


PAIRS = (
    Pair(
        "1 3 6 uri of a function",
        declared(extensionUris=[_URI], extensions=[function("extensionUriReference")]),
        declared(extensionUrns=[_URN], extensions=[function("extensionUrnReference")]),
    ),
    Pair(
        "1 remote uri",
        declared(extensionUris=[_REMOTE], extensions=[function("extensionUriReference")]),
        declared(extensionUrns=[_URN], extensions=[function("extensionUrnReference")]),
    ),
    Pair(
        "1 folder stays as it is",
        declared(
            extensionUris=[{"extensionUriAnchor": 1, "uri": _FOLDER}],
            extensions=[function("extensionUriReference")],
        ),
        declared(
            extensionUrns=[{"extensionUrnAnchor": 1, "urn": _FOLDER}],
            extensions=[function("extensionUrnReference")],
        ),
    ),
    Pair(
        "4 type",
        declared(extensionUris=[_URI], extensions=[_TYPE]),
        declared(extensionUrns=[_URN], extensions=[_NEW_TYPE]),
    ),
    Pair(
        "5 type variation",
        declared(extensionUris=[_URI], extensions=[_VARIATION]),
        declared(extensionUrns=[_URN], extensions=[_NEW_VARIATION]),
    ),
    Pair(
        "6 both written, the urn counts",
        declared(
            extensionUris=[{"extensionUriAnchor": 7, "uri": "/functions_boolean.yaml"}],
            extensionUrns=[_URN],
            extensions=[
                {
                    "extensionFunction": {
                        "extensionUriReference": 7,
                        "extensionUrnReference": 1,
                        "functionAnchor": 1,
                        "name": "n",
                    }
                }
            ],
        ),
        declared(
            extensionUrns=[_URN, {"extensionUrnAnchor": 7, "urn": _URN["urn"]}],
            extensions=[function("extensionUrnReference", "n")],
        ),
    ),
    Pair(
        "7 scalar args",
        scalar(args=[field(0), literal(2)]),
        scalar(arguments=[{"value": field(0)}, {"value": literal(2)}]),
    ),
    Pair("8 aggregate args", measure(args=[field(0)]), measure(arguments=[{"value": field(0)}])),
    Pair("9 window args", window(args=[field(0)]), window(arguments=[{"value": field(0)}])),
    Pair(
        "7 nested args",
        scalar(args=[{"scalarFunction": {"args": [field(0)], "outputType": I64}}]),
        scalar(
            arguments=[
                {
                    "value": {
                        "scalarFunction": {"arguments": [{"value": field(0)}], "outputType": I64}
                    }
                }
            ]
        ),
    ),
    Pair(
        "10 enum among args",
        scalar(args=[{"enum": {"specified": "YEAR"}}, field(0)]),
        scalar(arguments=[{"enum": "YEAR"}, {"value": field(0)}]),
    ),
    Pair(
        "10 unspecified enum",
        scalar(args=[{"enum": {"unspecified": {}}}, field(0)]),
        scalar(arguments=[{"value": field(0)}]),
    ),
    Pair(
        "12 optional enum becomes an option",
        {**scalar(args=[{"enum": {"specified": "SATURATE"}}, field(0)]), **opt("add:opt_i64_i64")},
        {
            **scalar(
                arguments=[{"value": field(0)}],
                options=[{"name": "overflow", "preference": ["SATURATE"]}],
            ),
            **opt("add:i64_i64"),
        },
    ),
    Pair("13 values", virtual(values=[_ROW, _ROW]), virtual(expressions=[_NEW_ROW, _NEW_ROW])),
    Pair(
        "14 rows of literals",
        virtual(expressions=[{"literal": {"struct": _ROW}}]),
        virtual(expressions=[_NEW_ROW]),
    ),
    Pair(
        "14 rows of expressions",
        virtual(expressions=[{"nested": {"struct": _NEW_ROW}}]),
        virtual(expressions=[_NEW_ROW]),
    ),
    Pair("15 format", files(format="FILE_FORMAT_PARQUET"), files(parquet={})),
    Pair(
        "16 17 offset and count",
        fetch(offset="3", count="5"),
        fetch(offsetExpr=literal(3), countExpr=literal(5)),
    ),
    Pair("17 count of all", fetch(70, count="-1", offset="2"), fetch(70, offsetExpr=literal(2))),
    Pair(
        "17 count of all under an old version",
        fetch(40, count="-1"),
        fetch(40, countExpr={"literal": {"null": {"i64": {"nullability": _NULLABLE}}}}),
    ),
    Pair("17 absent count", fetch(40), fetch(40, countExpr=literal(0))),
    Pair("17 zero count", fetch(70, count="0"), fetch(70, countExpr=literal(0))),
    Pair(
        "18 inline groupings",
        aggregate(
            groupings=[
                {"groupingExpressions": [field(1), field(0)]},
                {"groupingExpressions": [field(0)]},
                {},
            ]
        ),
        aggregate(
            groupings=[{"expressionReferences": [0, 1]}, {"expressionReferences": [1]}, {}],
            groupingExpressions=[field(1), field(0)],
        ),
    ),
    Pair(
        "18 both written",
        aggregate(
            groupings=[{"groupingExpressions": [field(1)], "expressionReferences": [1]}],
            groupingExpressions=[field(0), field(1)],
        ),
        aggregate(
            groupings=[{"expressionReferences": [1]}], groupingExpressions=[field(0), field(1)]
        ),
    ),
    Pair(
        "19 hash join keys",
        join("hashJoin", leftKeys=[field(0)["selection"]], rightKeys=[field(2)["selection"]]),
        join("hashJoin", keys=[key(0, 2)]),
    ),
    Pair(
        "20 merge join keys",
        join("mergeJoin", leftKeys=[field(0)["selection"]], rightKeys=[field(2)["selection"]]),
        join("mergeJoin", keys=[key(0, 2)]),
    ),
    Pair(
        "21 timestamp",
        project({"literal": {"timestamp": "-7"}}),
        _precise("precisionTimestamp", -7),
    ),
    Pair("22 time", project({"literal": {"time": "7"}}), _precise("precisionTime", 7)),
    Pair(
        "23 timestamp_tz",
        project({"literal": {"timestampTz": "0"}}),
        _precise("precisionTimestampTz", 0),
    ),
    Pair("26 microseconds", _interval(microseconds=5), _interval(precision=6, subseconds="5")),
    Pair("26 no precision", _interval(), _interval(precision=6)),
    Pair("27 timestamp type", _old_type("timestamp"), _new_type("precisionTimestamp")),
    Pair("28 time type", _old_type("time"), _new_type("precisionTime")),
    Pair("29 timestamp_tz type", _old_type("timestampTz"), _new_type("precisionTimestampTz")),
    Pair(
        "30 user defined type",
        cast({"userDefinedTypeReference": 4}),
        cast({"userDefined": {"typeReference": 4, "nullability": _REQUIRED}}),
    ),
    Pair(
        "31 interval type",
        cast({"intervalDay": {"nullability": _NULLABLE}}),
        cast({"intervalDay": {"nullability": _NULLABLE, "precision": 6}}),
    ),
    Pair(
        "32 anchor zero of a user defined literal",
        project({"literal": {"userDefined": {"struct": {"fields": []}}}}),
        project({"literal": {"userDefined": {"struct": {"fields": []}, "typeReference": 0}}}),
    ),
    Pair("36 bounds type", window(boundsType="BOUNDS_TYPE_UNSPECIFIED"), window()),
)
"""Pairs that can be written in JSON and, through the history classes, in binary."""

JSON_ONLY = (
    Pair("11 enum message", scalar(arguments=[{"enum": {"specified": "YEAR"}}]), scalar(arguments=[{"enum": "YEAR"}])),
    Pair("24 bare number", project({"literal": {"precisionTimestamp": "9"}}), _precise("precisionTimestamp", 9)),
    Pair(
        "37 single optimization",
        plan(READ, advancedExtensions={"optimization": {"@type": "type.googleapis.com/google.protobuf.Empty"}}),
        plan(READ, advancedExtensions={"optimization": [{"@type": "type.googleapis.com/google.protobuf.Empty"}]}),
    ),
    Pair("37 unknown type", plan(READ, advancedExtensions={"optimization": {"@type": "x/y.Z", "a": 1}}),
         plan(READ, advancedExtensions={"optimization": [{"typeUrl": "x/y.Z"}]})),
    Pair("renamed semi join", join("join", type="JOIN_TYPE_SEMI"), join("join", type="JOIN_TYPE_LEFT_SEMI")),
    Pair("renamed anti join", join("join", type="JOIN_TYPE_ANTI"), join("join", type="JOIN_TYPE_LEFT_ANTI")),
    Pair("renamed single join", join("join", type="JOIN_TYPE_SINGLE"), join("join", type="JOIN_TYPE_LEFT_SINGLE")),
    Pair("renamed output mode", plan({"write": {"output": "OUTPUT_MODE_MODIFIED_TUPLES"}}),
         plan({"write": {"output": "OUTPUT_MODE_MODIFIED_RECORDS"}})),
    Pair("renamed version", {**plan(READ), "version": {"minor": 18, "patch": 2}},
         {**plan(READ), "version": {"minorNumber": 18, "patchNumber": 2}}),
)  # fmt: skip
"""Pairs that differ in spelling alone."""
