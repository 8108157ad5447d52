"""What plans of old releases look like, and the same plans today: a row for each row of the wire history.

Every plan is whole, so that the old form and the new one are the same SQL, and not merely refused alike. The rows
about functions (what a name, a signature or an option was) are in `test_old_names.py`.
"""

from __future__ import annotations

from tests.support.json_plans import BOOL, I64, TEXT, Json, field, literal, of, values
from tests.wire.old_plans import (
    ADD,
    CELLS,
    DAY,
    EMPTY,
    EQUAL,
    EXTRACT,
    FINAL,
    INVOKED,
    JOINED,
    LESS,
    LITERALS,
    LT,
    ONE,
    SUM,
    Row,
    S,
    T,
    aggregate,
    call,
    correlated,
    digit,
    fetch,
    files,
    interval,
    join,
    keys,
    old_keys,
    plan,
    precise,
    rows,
    scalar,
    shown,
    sorted_by,
    table,
    typed,
    unsigned,
    uris,
    urns,
    user_defined,
    virtual,
    windowed,
)

FIELDS = (
    Row(
        "1, 3, 6: URIs of extension files",
        shown(scalar(arguments=values(field(0), ONE)), 74, **uris(ADD)),
        shown(scalar(arguments=values(field(0), ONE)), 100, **urns(ADD)),
    ),
    Row(
        "6: both written, the URN counts",
        shown(
            scalar(arguments=values(field(0), ONE)),
            80,
            extensionUris=[{"extensionUriAnchor": 7, "uri": "/functions_string.yaml"}],
            extensionUrns=urns(ADD)["extensionUrns"],
            extensions=[
                {
                    "extensionFunction": {
                        **urns(ADD)["extensions"][0]["extensionFunction"],
                        "extensionUriReference": 7,
                    }
                }
            ],
        ),
        shown(scalar(arguments=values(field(0), ONE)), 100, **urns(ADD)),
    ),
    Row(
        "4: URIs of types",
        shown(
            {"cast": {"type": user_defined(4), "input": digit(typeReference=4)}},
            74,
            **unsigned("Uri"),
        ),
        shown(
            {"cast": {"type": user_defined(4), "input": digit(typeReference=4)}},
            100,
            **unsigned("Urn"),
        ),
    ),
    Row(
        "5: URIs of type variations",
        plan(table("t", a=of("string", typeVariationReference=1)), 1, 74, **unsigned("Uri")),
        plan(table("t", a=of("string", typeVariationReference=1)), 1, 100, **unsigned("Urn")),
    ),
    Row(
        "7: args of scalar functions",
        shown(scalar(args=[field(0), ONE]), 2, **uris(ADD)),
        shown(scalar(arguments=values(field(0), ONE)), 100, **urns(ADD)),
    ),
    Row(
        "8: args of aggregate functions",
        plan(
            {"aggregate": {"input": T, "measures": [{"measure": call(args=[field(0)], **FINAL)}]}},
            1,
            2,
            **uris(SUM),
        ),
        plan(
            {
                "aggregate": {
                    "input": T,
                    "measures": [{"measure": call(arguments=values(field(0)), **FINAL)}],
                }
            },
            1,
            100,
            **urns(SUM),
        ),
    ),
    Row(
        "9: args of window functions",
        shown(windowed(args=[field(0)]), 2, **uris(SUM)),
        shown(
            windowed(arguments=values(field(0)), boundsType="BOUNDS_TYPE_ROWS"), 100, **urns(SUM)
        ),
    ),
    Row(
        "10: enums among args",
        shown(scalar(args=[{"enum": {"specified": "YEAR"}}, field(0)]), 2, DAY, **uris(EXTRACT)),
        shown(scalar(arguments=[{"enum": "YEAR"}, *values(field(0))]), 100, DAY, **urns(EXTRACT)),
    ),
    Row(
        "10: enums that say nothing",
        shown(
            scalar(args=[{"enum": {"unspecified": {}}}, field(0), ONE]),
            2,
            **uris("arithmetic/add:opt_i64_i64"),
        ),
        shown(scalar(arguments=values(field(0), ONE)), 100, **urns(ADD)),
    ),
    Row(
        "11: enums as messages",
        shown(
            scalar(arguments=[{"enum": {"specified": "YEAR"}}, *values(field(0))]),
            19,
            DAY,
            **uris(EXTRACT),
        ),
        shown(scalar(arguments=[{"enum": "YEAR"}, *values(field(0))]), 100, DAY, **urns(EXTRACT)),
        retyped=True,
    ),
    Row(
        "11: enums as messages, their bytes read as text",
        shown(
            scalar(arguments=[{"enum": "\n\x04YEAR"}, *values(field(0))]), 19, DAY, **uris(EXTRACT)
        ),
        shown(scalar(arguments=[{"enum": "YEAR"}, *values(field(0))]), 100, DAY, **urns(EXTRACT)),
    ),
    Row(
        "12: optional enums",
        shown(
            scalar(arguments=[{"enum": "SATURATE"}, *values(field(0), ONE)]),
            19,
            **uris("arithmetic/add:opt_i64_i64"),
        ),
        shown(
            scalar(
                arguments=values(field(0), ONE),
                options=[{"name": "overflow", "preference": ["SATURATE"]}],
            ),
            100,
            **urns(ADD),
        ),
    ),
    Row(
        "13: values",
        plan(virtual(values=[LITERALS]), 2, 57),
        plan(virtual(expressions=[CELLS]), 2, 100),
    ),
    Row(
        "14: rows as expressions",
        plan(virtual(expressions=[{"literal": {"struct": LITERALS}}]), 2, 58),
        plan(virtual(expressions=[CELLS]), 2, 100),
    ),
    Row(
        "15: format",
        plan(files(format="FILE_FORMAT_PARQUET"), 2, 4),
        plan(files(parquet={}), 2, 100),
    ),
    Row(
        "16, 17: offset and count",
        plan(fetch(offset="3", count="5"), 2, 62),
        plan(fetch(offsetExpr=literal(3), countExpr=literal(5)), 2, 100),
    ),
    Row(
        "17: -1 for all",
        plan(fetch(offset="3", count="-1"), 2, 62),
        plan(fetch(offsetExpr=literal(3)), 2, 100),
    ),
    Row(
        "17: no count before 0.63",
        plan(fetch(offset="3"), 2, 62),
        plan(fetch(offsetExpr=literal(3), countExpr=literal(0)), 2, 100),
        note="SS1102",
    ),
    Row(
        "17: no count since 0.63",
        plan(fetch(offset="3"), 2, 63),
        plan(fetch(offsetExpr=literal(3)), 2, 100),
    ),
    Row(
        "18: keys inside of the grouping",
        plan(aggregate([{"groupingExpressions": [field(0)]}]), 2, 56, **uris(SUM)),
        plan(
            aggregate([{"expressionReferences": [0]}], groupingExpressions=[field(0)]),
            2,
            100,
            **urns(SUM),
        ),
    ),
    Row(
        "18: equal keys of several groupings are one column",
        plan(
            aggregate(
                [{"groupingExpressions": [field(1), field(0)]}, {"groupingExpressions": [field(0)]}]
            ),
            4,
            56,
            **uris(SUM),
        ),
        plan(
            aggregate(
                [{"expressionReferences": [0, 1]}, {"expressionReferences": [1]}],
                groupingExpressions=[field(1), field(0)],
            ),
            4,
            100,
            **urns(SUM),
        ),
    ),
    Row(
        "19: keys of hash joins",
        plan(join("hashJoin", **old_keys(0, 1)), 4, 41),
        plan(join("hashJoin", **keys((0, 1))), 4, 100),
    ),
    Row(
        "20: keys of merge joins",
        plan(join("mergeJoin", **old_keys(0, 1)), 4, 41),
        plan(join("mergeJoin", **keys((0, 1))), 4, 100),
    ),
    Row(
        "21: timestamp literals",
        shown({"literal": {"timestamp": "-7"}}, 42),
        shown(precise("precisionTimestamp", -7), 100),
    ),
    Row(
        "22: time literals",
        shown({"literal": {"time": "7"}}, 83),
        shown(precise("precisionTime", 7), 100),
    ),
    Row(
        "23: timestamp_tz literals",
        shown({"literal": {"timestampTz": "9"}}, 42),
        shown(precise("precisionTimestampTz", 9), 100),
    ),
    Row(
        "24: bare numbers",
        shown({"literal": {"precisionTimestamp": "9"}}, 45),
        shown(precise("precisionTimestamp", 9), 100),
        retyped=True,
        note="SS1103",
    ),
    Row(
        "25: unsigned values",
        shown(precise("precisionTimestamp", 9), 52),
        shown(precise("precisionTimestamp", 9), 100),
    ),
    Row(
        "26: microseconds of an interval",
        shown(interval(microseconds=5), 53),
        shown(interval(precision=6, subseconds="5"), 100),
    ),
    Row(
        "26: no fraction of a second",
        shown(interval(), 53),
        shown(interval(precision=6), 100),
        note="SS1102",
    ),
    Row(
        "26b: the precision as a choice",
        shown(interval(precision=3, subseconds="5"), 54),
        shown(interval(precision=3, subseconds="5"), 100),
    ),
    typed(of("timestamp"), of("precisionTimestamp", precision=6), "27: timestamp", 42),
    typed(of("time"), of("precisionTime", precision=6), "28: time", 83),
    typed(of("timestampTz"), of("precisionTimestampTz", precision=6), "29: timestamp_tz", 42),
    Row(
        "30: references to user-defined types",
        shown(
            {"cast": {"type": {"userDefinedTypeReference": 4}, "input": digit(typeReference=4)}},
            4,
            **unsigned("Uri"),
        ),
        shown(
            {"cast": {"type": user_defined(4), "input": digit(typeReference=4)}},
            100,
            **unsigned("Urn"),
        ),
    ),
    Row(
        "31: intervals without precision",
        shown(
            {"cast": {"type": of("intervalDay"), "input": field(0)}}, 96, table("t", a=TEXT, b=I64)
        ),
        shown(
            {"cast": {"type": of("intervalDay", precision=6), "input": field(0)}},
            100,
            table("t", a=TEXT, b=I64),
        ),
        note="SS1102",
    ),
    Row(
        "32: anchor 0, unsaid",
        shown(digit(), 77, **unsigned("Urn")),
        shown(digit(typeReference=0), 100, **unsigned("Urn")),
    ),
    Row(
        "34: steps out, today an anchor",
        plan(correlated({"stepsOut": 1}), 2, 88, **uris(EQUAL)),
        plan(correlated({"relReference": 3}, common={"relAnchor": 3}), 2, 101, **urns(EQUAL)),
    ),
    Row(
        "35: offsets of bounds",
        shown(rows({"offset": "2"}, boundsType="BOUNDS_TYPE_ROWS"), 101, **urns(SUM)),
        shown(rows({"offsetExpr": literal(2)}, boundsType="BOUNDS_TYPE_ROWS"), 102, **urns(SUM)),
    ),
    Row(
        "36: bounds without a type",
        shown(rows({"offset": "2"}), 31, **uris(SUM)),
        shown(rows({"offset": "2"}, boundsType="BOUNDS_TYPE_ROWS"), 100, **urns(SUM)),
        note="SS1102",
    ),
    Row(
        "37: one optimization",
        plan(T, 2, 49, advancedExtensions={"optimization": EMPTY}),
        plan(T, 2, 100, advancedExtensions={"optimization": [EMPTY]}),
        json_only=True,
    ),
    Row(
        "38: lambdas as the only callee",
        shown(INVOKED, 79, **urns(ADD)),
        shown(INVOKED, 107, **urns(ADD)),
    ),
)
"""Section 4.1: fields that were removed or retyped, by the number of the row."""


def named(name: str, minor: int, old: Json, new: Json, width: int, declared: str = EQUAL) -> Row:
    return Row(
        name,
        plan(old, width, minor, **uris(declared)),
        plan(new, width, 100, **urns(declared)),
        json_only=True,
    )


RENAMES = (
    named(
        "JOIN_TYPE_SEMI",
        53,
        join("join", "SEMI", expression=JOINED),
        join("join", "LEFT_SEMI", expression=JOINED),
        2,
    ),
    named(
        "JOIN_TYPE_ANTI",
        53,
        join("join", "ANTI", expression=JOINED),
        join("join", "LEFT_ANTI", expression=JOINED),
        2,
    ),
    named(
        "JOIN_TYPE_SINGLE",
        53,
        join("join", "SINGLE", expression=JOINED),
        join("join", "LEFT_SINGLE", expression=JOINED),
        4,
    )._replace(note="SS1103"),
    Row(
        "OUTPUT_MODE_MODIFIED_TUPLES",
        plan(
            {
                "write": {
                    "namedTable": {"names": ["w"]},
                    "tableSchema": T["read"]["baseSchema"],
                    "op": "WRITE_OP_INSERT",
                    "input": T,
                    "output": "OUTPUT_MODE_MODIFIED_TUPLES",
                }
            },
            2,
            39,
        ),
        plan(
            {
                "write": {
                    "namedTable": {"names": ["w"]},
                    "tableSchema": T["read"]["baseSchema"],
                    "op": "WRITE_OP_INSERT",
                    "input": T,
                    "output": "OUTPUT_MODE_MODIFIED_RECORDS",
                }
            },
            2,
            100,
        ),
        json_only=True,
    ),
    Row(
        "Version.major, minor, patch",
        {**plan(T, 2, 1), "version": {"minor": 18}},
        plan(T, 2, 100),
        json_only=True,
    ),
)
"""Section 4.2: names that changed where numbers did not. Numbers of join types that came later are no row: a plan of
before has none of them."""


def numbered(kind: str, number: int, word: str, width: int) -> Row:
    """A join type by its number and by its name: the logical and the physical joins count differently."""
    content: Json = {"expression": JOINED} if kind in ("join", "nestedLoopJoin") else keys((0, 0))
    old = join(kind, **content)
    old[kind]["type"] = number
    return Row(
        f"{kind} {number} is {word}",
        plan(old, width, 72, **urns(EQUAL)),
        plan(join(kind, word, **content), width, 102, **urns(EQUAL)),
    )


LOGICAL = {5: "LEFT_SEMI", 6: "LEFT_ANTI", 7: "LEFT_SINGLE", 8: "RIGHT_SEMI", 9: "RIGHT_ANTI", 10: "RIGHT_SINGLE",
           11: "LEFT_MARK", 12: "RIGHT_MARK"}  # fmt: skip
PHYSICAL = {**LOGICAL, 6: "RIGHT_SEMI", 7: "LEFT_ANTI", 8: "RIGHT_ANTI", 9: "LEFT_SINGLE"}
NUMBERS = tuple(
    numbered(kind, number, word, {"SEMI": 2, "ANTI": 2, "MARK": 3}.get(word.partition("_")[2], 4))
    for kind, words in (
        ("join", LOGICAL),
        ("hashJoin", PHYSICAL),
        ("mergeJoin", PHYSICAL),
        ("nestedLoopJoin", PHYSICAL),
    )
    for number, word in words.items()
)


def set_op(op: str) -> Json:
    return {"set": {"inputs": [T, S], "op": f"SET_OP_{op}"}}


def filtered(kind: str, type: str, name: str) -> Json:
    return join(kind, type, **keys((0, 0)), **{name: LESS})


RANGE = {"boundsType": "BOUNDS_TYPE_RANGE"}
DESCENDING = [sorted_by(0, "DESC_NULLS_LAST")]
MEANINGS = (
    Row(
        "0.57: keys in the order of their first appearance",
        plan(
            aggregate([{"groupingExpressions": [field(1)]}, {"groupingExpressions": [field(0)]}]),
            4,
            56,
            **uris(SUM),
        ),
        plan(
            aggregate(
                [{"expressionReferences": [0]}, {"expressionReferences": [1]}],
                groupingExpressions=[field(1), field(0)],
            ),
            4,
            57,
            **urns(SUM),
        ),
    ),
    *(
        Row(f"0.57: duplicates of {op}", plan(set_op(op), 2, 56), plan(set_op(op), 2, 57))
        for op in (
            "MINUS_PRIMARY",
            "MINUS_MULTISET",
            "INTERSECTION_PRIMARY",
            "INTERSECTION_MULTISET",
        )
    ),
    Row(
        "0.63: no count",
        plan(fetch(), 2, 62),
        plan(fetch(countExpr=literal(0)), 2, 63),
        note="SS1102",
    ),
    *(
        Row(
            f"0.72: one side of a {kind} join",
            plan(join("join", kind, expression=JOINED), width, 71, **uris(EQUAL)),
            plan(join("join", kind, expression=JOINED), width, 72, **urns(EQUAL)),
            note="SS1103" if kind not in ("LEFT_SEMI", "LEFT_ANTI") else "",
        )
        for kind, width in (
            ("LEFT_SEMI", 2),
            ("LEFT_ANTI", 2),
            ("RIGHT_SEMI", 2),
            ("RIGHT_ANTI", 2),
            ("LEFT_MARK", 3),
            ("RIGHT_MARK", 3),
        )
    ),
    Row(
        "0.72: a second match of a single join",
        plan(join("join", "LEFT_SINGLE", expression=JOINED), 4, 71, **uris(EQUAL)),
        plan(join("join", "LEFT_SINGLE", expression=JOINED), 4, 72, **urns(EQUAL)),
        note="SS1103",
    ),
    *(
        Row(
            f"0.91: the post-join filter of a {kind}",
            plan(filtered(kind, "LEFT", "postJoinFilter"), 4, 90, **urns(LT)),
            plan(filtered(kind, "LEFT", "residualExpression"), 4, 91, **urns(LT)),
            note="SS1102",
        )
        for kind in ("hashJoin", "mergeJoin")
    ),
    Row(
        "0.97: intervals without precision",
        plan(table("t", a=of("intervalDay")), 1, 96),
        plan(table("t", a=of("intervalDay", precision=6)), 1, 97),
        note="SS1102",
    ),
    Row(
        "0.102: a RANGE over descending rows",
        shown(rows({"offset": "2"}, sorts=DESCENDING, **RANGE), 101, **urns(SUM)),
        shown(rows({"offsetExpr": literal(2)}, sorts=DESCENDING, **RANGE), 102, **urns(SUM)),
        note="SS1103",
    ),
    Row(
        "0.102: bounds without a type",
        shown(rows({"offset": "2"}), 101, **urns(SUM)),
        shown(rows({"offsetExpr": literal(2)}, boundsType="BOUNDS_TYPE_ROWS"), 102, **urns(SUM)),
        note="SS1102",
    ),
    Row(
        "0.108: the order of a mask",
        plan(
            {"read": {**T["read"], "projection": {"select": {"structItems": [{"field": 1}, {}]}}}},
            2,
            107,
        ),
        plan(
            {"read": {**T["read"], "projection": {"select": {"structItems": [{"field": 1}, {}]}}}},
            2,
            108,
        ),
    ),
    Row(
        "0.108: between and a bound that is NULL",
        shown(
            scalar(BOOL, arguments=values(field(0), ONE, field(1))),
            107,
            **urns("comparison/between:any_any_any"),
        ),
        shown(
            scalar(BOOL, arguments=values(field(0), ONE, field(1))),
            108,
            **urns("comparison/between:any_any_any"),
        ),
    ),
)
"""Section 0: what changed its meaning. Both forms are written as their release wrote them."""

ROWS = (*FIELDS, *RENAMES, *NUMBERS, *MEANINGS)

NO_ROW = {
    "2: URIs of an ExtendedExpression": "test_history.test_extended_expressions",
    "33: a value beside a struct in user-defined literals": "the same bytes; nobody knows the Any, and it is refused",
    "39: Capabilities": "not part of a plan",
    "40: FunctionSignature, ParameterizedType, DerivationExpression": "not part of a plan",
    "41, 42: the draft of outer references": "never released; tests/wire/test_wire.py has both",
    "4.2 AggregateFunction.ReferenceRel": "no field of any message was of that type",
    "4.2 enum members that were added": "no plan of before has them",
    "0.9: the index column of one grouping set": "plans say their version since 0.18 only",
    "0.57: nullability of keys": "the type of a column, which SQL derives",
    "0.54: single joins": "what a second match does was left open, and an error is one of the choices",
}
"""Rows that are no pair, and why."""
