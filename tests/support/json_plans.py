"""Plans as JSON documents, in the spelling of any release: for what only a document can hold.

`tests.support.build` makes messages of today, and knows the types. What a producer writes that it should not, or wrote
once, is built here: nothing is filled in, and nothing is looked at.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import substrait_sql

Json = dict[str, Any]

NULLABLE, REQUIRED = "NULLABILITY_NULLABLE", "NULLABILITY_REQUIRED"
# What functions refer to whose producer declares no extension, as DataFusion's.
NOWHERE = 4294967295


# --- Types ----------------------------------------------------------------------------------------


def of(kind: str, **more: Any) -> Json:
    """A type that may be NULL."""
    return {kind: {"nullability": NULLABLE, **more}}


def required(kind: str, **more: Any) -> Json:
    return {kind: {"nullability": REQUIRED, **more}}


def moment(precision: int) -> Json:
    return of("precisionTimestamp", precision=precision)


def decimal(precision: int, scale: int) -> Json:
    return of("decimal", precision=precision, scale=scale)


I64 = required("i64")
BOOL, TEXT, DAY, DOUBLE = of("bool"), of("string"), of("date"), of("fp64")


# --- Expressions ----------------------------------------------------------------------------------


def lit(**value: Any) -> Json:
    return {"literal": value}


def literal(value: int) -> Json:
    """An i64, which JSON has as text."""
    return lit(i64=str(value))


def field(index: int, **root: Any) -> Json:
    """A reference to a column: of this relation, or of what `root` says."""
    direct = {"structField": {"field": index}}
    return {"selection": {"directReference": direct, **(root or {"rootReference": {}})}}


def values(*expressions: Json) -> list[Json]:
    """Arguments."""
    return [{"value": e} for e in expressions]


def call(anchor: int, output: Json, *arguments: Json) -> Json:
    function = {"functionReference": anchor, "outputType": output}
    return {"scalarFunction": {**function, "arguments": values(*arguments)}}


def cast(value: Json, type: Json) -> Json:
    return {"cast": {"input": value, "type": type}}


def key(left: int, right: int) -> Json:
    """A key of a join by keys, which refer to their own sides."""
    return {
        "left": field(left)["selection"],
        "right": field(right)["selection"],
        "comparison": {"simple": "SIMPLE_COMPARISON_TYPE_EQ"},
    }


# --- Relations and plans --------------------------------------------------------------------------


def schema(names: Sequence[str], types: Sequence[Json]) -> Json:
    return {"names": list(names), "struct": {"types": list(types), "nullability": REQUIRED}}


def read(names: Sequence[str], types: Sequence[Json], table: str = "t", **more: Any) -> Json:
    return {"read": {"baseSchema": schema(names, types), "namedTable": {"names": [table]}, **more}}


def emitted(*ordinals: int) -> Json:
    """What `common` of a relation says."""
    return {"emit": {"outputMapping": list(ordinals)}}


def project(rel: Json, *expressions: Json, emit: Sequence[int] | None = None) -> Json:
    common = emitted(*emit) if emit else {}
    return {"project": {"common": common, "input": rel, "expressions": list(expressions)}}


def functions(*names: str, urn: int = NOWHERE, first: int = 0) -> list[Json]:
    """Declarations of functions, under no extension if none is given; anchored from `first`."""
    return [
        {"extensionFunction": {"functionAnchor": i, "name": n, "extensionUrnReference": urn}}
        for i, n in enumerate(names, first)
    ]


def plan(rel: Json, names: Sequence[str], producer: str = "", minor: int = 85, **more: Any) -> Json:
    root = {"input": rel, "names": list(names)}
    version: Json = {"minorNumber": minor}
    if producer:
        version["producer"] = producer
    return {"version": version, "relations": [{"root": root}], **more}


def text(document: Json) -> str:
    """The SQL on one line."""
    return " ".join(substrait_sql.to_sql(document).split())
