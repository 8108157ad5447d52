"""What the rows of `tests.wire.history` are built of: whole plans in the wire form of any release, as JSON."""

from __future__ import annotations

from typing import Any, NamedTuple

from tests.support import json_plans
from tests.support.json_plans import (
    BOOL,
    I64,
    REQUIRED,
    TEXT,
    Json,
    field,
    key,
    literal,
    of,
    project,
    read,
    values,
)

URN = "extension:io.substrait:functions_"
EMPTY = {"@type": "type.googleapis.com/google.protobuf.Empty"}


class Row(NamedTuple):
    """An old form and the new one.

    json_only: the two differ in spelling alone, which the binary form does not have. retyped: the old form has a field
    of another type under the name and number of one of today. note: the code of the diagnostic
    that says which meaning was chosen.
    """

    name: str
    old: Json
    new: Json
    json_only: bool = False
    retyped: bool = False
    note: str = ""


def table(name: str, **columns: Json) -> Json:
    return read(list(columns), list(columns.values()), name)


T = table("t", a=I64, b=I64)
S = table("s", c=I64, d=I64)


def plan(rel: Json, width: int, minor: int | None, **more: Any) -> Json:
    names = [f"x{i}" for i in range(width)]
    if minor is None:
        more["version"] = {"producer": "somebody"}
    return json_plans.plan(rel, names, minor=minor or 0, **more)


def shown(expression: Json, minor: int | None, rel: Json = T, width: int = 2, **more: Any) -> Json:
    """A plan that returns one expression over a table."""
    return plan(project(rel, expression, emit=[width]), 1, minor, **more)


def urns(*names: str) -> Json:
    """Declarations of today: ``comparison/equal:any_any`` has the place of its name as its anchor, from 1."""
    stems = list(dict.fromkeys(n.partition("/")[0] for n in names))
    spaces = [{"extensionUrnAnchor": i + 1, "urn": URN + s} for i, s in enumerate(stems)]
    found = [
        {
            "extensionFunction": {
                "extensionUrnReference": stems.index(n.partition("/")[0]) + 1,
                "functionAnchor": i + 1,
                "name": n.partition("/")[2],
            }
        }
        for i, n in enumerate(names)
    ]
    return {"extensionUrns": spaces, "extensions": found}


def uris(*names: str) -> Json:
    """The same as of before 0.85."""
    today = urns(*names)
    spaces = [
        {
            "extensionUriAnchor": u["extensionUrnAnchor"],
            "uri": f"/functions_{u['urn'].removeprefix(URN)}.yaml",
        }
        for u in today["extensionUrns"]
    ]
    found = []
    for item in today["extensions"]:
        function = dict(item["extensionFunction"])
        function["extensionUriReference"] = function.pop("extensionUrnReference")
        found.append({"extensionFunction": function})
    return {"extensionUris": spaces, "extensions": found}


def call(output: Json = I64, anchor: int = 1, **content: Any) -> Json:
    return {"functionReference": anchor, "outputType": output, **content}


def scalar(output: Json = I64, anchor: int = 1, **content: Any) -> Json:
    return {"scalarFunction": call(output, anchor, **content)}


def sorted_by(ordinal: int, direction: str = "ASC_NULLS_FIRST") -> Json:
    return {"expr": field(ordinal), "direction": f"SORT_DIRECTION_{direction}"}


ADD, SUM, EXTRACT = "arithmetic/add:i64_i64", "arithmetic/sum:i64", "datetime/extract:req_date"
EQUAL, LT = "comparison/equal:any_any", "comparison/lt:any_any"
ONE, DAY = literal(1), table("t", a=of("date"), b=I64)
FINAL = {"phase": "AGGREGATION_PHASE_INITIAL_TO_RESULT"}


def windowed(sorts: list[Json] | None = None, **content: Any) -> Json:
    order = sorts if sorts is not None else [sorted_by(1)]
    return {"windowFunction": call(sorts=order, **FINAL, **content)}


def rows(lower: Json, **content: Any) -> Json:
    bounds = {"lowerBound": {"preceding": lower}, "upperBound": {"currentRow": {}}}
    return windowed(arguments=values(field(0)), **bounds, **content)


def aggregate(groupings: list[Json], **content: Any) -> Json:
    measure = {"measure": call(arguments=values(field(1)), **FINAL)}
    return {"aggregate": {"input": T, "groupings": groupings, "measures": [measure], **content}}


def virtual(**content: Any) -> Json:
    return {"read": {"baseSchema": T["read"]["baseSchema"], "virtualTable": content}}


def files(**item: Any) -> Json:
    items = [{"uriFile": "file:///data/t", **item}]
    return {"read": {"baseSchema": T["read"]["baseSchema"], "localFiles": {"items": items}}}


def fetch(**content: Any) -> Json:
    return {"fetch": {"input": T, **content}}


def join(kind: str, type: str = "INNER", **content: Any) -> Json:
    return {kind: {"left": T, "right": S, "type": f"JOIN_TYPE_{type}", **content}}


def keys(*pairs: tuple[int, int]) -> Json:
    """The keys of a join by keys, which refer to their own sides."""
    return {"keys": [key(left, right) for left, right in pairs]}


def old_keys(left: int, right: int) -> Json:
    return {"leftKeys": [field(left)["selection"]], "rightKeys": [field(right)["selection"]]}


def typed(old: Json, new: Json, name: str, minor: int) -> Row:
    """A column of an old type and of a new one, compared with itself so that the type is looked at."""

    def whole(type: Json, release: int) -> Json:
        return shown(
            {"cast": {"type": type, "input": field(0)}}, release, table("t", a=TEXT, b=I64)
        )

    return Row(name, whole(old, minor), whole(new, 100))


JOINED = scalar(BOOL, arguments=values(field(0), field(2)))
LESS = scalar(BOOL, anchor=1, arguments=values(field(1), field(3)))


def interval(**content: Any) -> Json:
    return {"literal": {"intervalDayToSecond": {"days": 3, "seconds": 4, **content}}}


def precise(kind: str, value: int) -> Json:
    return {"literal": {kind: {"precision": 6, "value": str(value)}}}


def unsigned(space: str) -> Json:
    """Declarations of a type and of a variation; ``space`` is ``Urn`` or ``Uri``."""
    named = {
        "Urn": {"urn": "extension:io.substrait:unsigned_integers"},
        "Uri": {"uri": "/unsigned_integers.yaml"},
    }
    return {
        f"extension{space}s": [{f"extension{space}Anchor": 1, **named[space]}],
        "extensions": [
            {
                "extensionType": {
                    f"extension{space}Reference": 1,
                    "typeAnchor": anchor,
                    "name": name,
                }
            }
            for anchor, name in ((0, "u8"), (4, "u16"))
        ]
        + [
            {
                "extensionTypeVariation": {
                    f"extension{space}Reference": 1,
                    "typeVariationAnchor": 1,
                    "name": "dictionary",
                }
            }
        ],
    }


def user_defined(anchor: int) -> Json:
    return {"userDefined": {"typeReference": anchor, "nullability": REQUIRED}}


def digit(**anchor: int) -> Json:
    fields = [{"string": "7"}]
    return {"literal": {"userDefined": {"struct": {"fields": fields}, **anchor}}}


def correlated(outer: Json, **hint: Any) -> Json:
    """WHERE EXISTS (SELECT … FROM s WHERE c = outer a)."""
    reference = {"directReference": {"structField": {"field": 0}}, "outerReference": outer}
    equal = scalar(BOOL, arguments=values(field(0), {"selection": reference}))
    tuples = {"filter": {"input": S, "condition": equal}}
    predicate = {"predicateOp": "PREDICATE_OP_EXISTS", "tuples": tuples}
    condition = {"subquery": {"setPredicate": predicate}}
    return {"filter": {"input": T, "condition": condition, **hint}}


LITERALS = {"fields": [{"i64": "1"}, {"i64": "2"}]}
CELLS = {"fields": [literal(1), literal(2)]}
LAMBDA = {
    "parameters": {"types": [I64], "nullability": REQUIRED},
    "body": scalar(
        arguments=values(
            {
                "selection": {
                    "directReference": {"structField": {}},
                    "lambdaParameterReference": {},
                }
            },
            ONE,
        )
    ),
}
INVOKED = {"lambdaInvocation": {"lambda": LAMBDA, "arguments": {"fields": [field(0)]}}}
