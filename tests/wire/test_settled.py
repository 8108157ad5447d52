"""Plans of older releases that are taken as they are: as the walk over all of their nodes would leave them."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

import pytest
from google.protobuf import json_format

from substrait_sql import wire
from substrait_sql.wire import binary
from substrait_sql.wire.descriptors import Variant, message
from tests.support.json_plans import I64, Json, field
from tests.wire.wire_forms import READ, plan

if TYPE_CHECKING:
    from collections.abc import Iterator

ALL = {"unbounded": {}}
OFFSET = {"preceding": {"offset": 2}}
HERE = {"currentRow": {}}
INTERVAL = {"literal": {"intervalDayToSecond": {"days": 1, "microseconds": 5}}}
TYPES = ("BOUNDS_TYPE_UNSPECIFIED", "BOUNDS_TYPE_ROWS", "BOUNDS_TYPE_RANGE")
ORDERS = ("SORT_DIRECTION_ASC_NULLS_LAST", "SORT_DIRECTION_DESC_NULLS_LAST")


def window(bounds: str, order: str, lower: Json, argument: Json, *, retired: bool = False) -> Json:
    given = {"args": [argument]} if retired else {"arguments": [{"value": argument}]}
    sorts = [{"expr": field(0), "direction": order}]
    frame = {"boundsType": bounds, "lowerBound": lower, "upperBound": HERE}
    return {
        "windowFunction": {
            "functionReference": 1,
            "outputType": I64,
            "sorts": sorts,
            **frame,
            **given,
        }
    }


def windows() -> Iterator[Json]:
    for bounds, order, lower in product(TYPES, ORDERS, (ALL, OFFSET, HERE)):
        yield window(bounds, order, lower, field(0))
        yield window(bounds, order, lower, INTERVAL)
        yield window(bounds, order, lower, field(0), retired=True)


def projection(expressions: list[Json], below: Json = READ) -> Json:
    return {"project": {"input": below, "expressions": expressions}}


def twin(below: Json = READ) -> Json:
    grouping = {"groupingExpressions": [field(0)], "expressionReferences": [0]}
    return {
        "aggregate": {"input": below, "groupings": [grouping], "groupingExpressions": [field(0)]}
    }


def subquery(below: Json) -> Json:
    exists = {"predicateOp": "PREDICATE_OP_EXISTS", "tuples": below}
    return {"filter": {"input": READ, "condition": {"subquery": {"setPredicate": exists}}}}


def relations() -> Iterator[Json]:
    call = {"functionReference": 2, "outputType": I64}
    for each in windows():
        yield projection([each])
        yield projection([field(0), each], twin())
        yield projection([{"scalarFunction": {**call, "arguments": [{"value": each}]}}])
        yield subquery(projection([each]))
    one, other = (
        window(TYPES[1], ORDERS[0], ALL, field(0)),
        window(TYPES[0], ORDERS[0], ALL, field(0)),
    )
    yield projection([one, other])
    yield subquery(twin())
    yield subquery(twin(subquery(twin())))
    yield {
        "join": {"left": twin(), "right": READ, "type": "JOIN_TYPE_INNER", "expression": INTERVAL}
    }


def written(relation: Json, minor: int | None) -> bytes:
    document = plan(relation)
    document["version"] = {"minorNumber": minor} if minor else {"producer": "test"}
    found: bytes = json_format.ParseDict(
        document, message("Plan", Variant.HISTORY)()
    ).SerializeToString()
    return found


@pytest.mark.parametrize("minor", [None, 63, 85, 97, 101, 102, 108])
def test_the_message_is_what_the_walk_leaves(minor: int | None) -> None:
    for relation in relations():
        data = written(relation, minor)
        old = message("Plan", Variant.HISTORY).FromString(data)
        walked = binary.finish(old, binary.PLAN)
        found = wire.read(data)
        assert found.plan == walked.plan, relation
        warned = [d for d in walked.diagnostics if d.severity.value == "warning"]
        assert [d for d in found.diagnostics if d.severity.value == "warning"] == warned, relation


@pytest.mark.parametrize(
    ("relation", "as_it_is"),
    [
        (projection([window("BOUNDS_TYPE_ROWS", ORDERS[1], OFFSET, field(0))]), True),
        (projection([window("BOUNDS_TYPE_RANGE", ORDERS[0], OFFSET, field(0))], twin()), True),
        (
            subquery(projection([window("BOUNDS_TYPE_RANGE", ORDERS[1], ALL, field(0))], twin())),
            True,
        ),
        (projection([window("BOUNDS_TYPE_RANGE", ORDERS[1], OFFSET, field(0))]), False),
        (projection([window("BOUNDS_TYPE_UNSPECIFIED", ORDERS[1], ALL, field(0))]), False),
        (projection([window("BOUNDS_TYPE_ROWS", ORDERS[1], ALL, INTERVAL)]), False),
    ],
)
def test_no_walk_over_what_means_the_same(
    monkeypatch: pytest.MonkeyPatch, relation: Json, as_it_is: bool
) -> None:
    walked: list[Any] = []
    finish = binary.finish
    monkeypatch.setattr(binary, "finish", lambda old, kind: walked.append(old) or finish(old, kind))
    wire.read(written(relation, 85))
    assert bool(walked) is not as_it_is
