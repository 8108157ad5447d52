"""A plan is read as of the release it says, or of its newest field, whichever is later."""

from __future__ import annotations

from typing import Any

import pytest

import substrait_sql
from substrait_sql import InvalidPlanError, wire
from substrait_sql.wire import history
from substrait_sql.wire.descriptors import Variant, message
from tests.support.json_plans import I64, Json, field, literal, plan, read

TRUE = {"literal": {"boolean": True}}
TABLE = read(["a"], [I64])


def test_every_field_is_one() -> None:
    """The table names fields that there are, and releases in which something else may have changed."""
    for name, fields in history.SINCE.items():
        there: Any = message(name, Variant.HISTORY).DESCRIPTOR.fields_by_name
        assert not set(fields) - set(there), name


def fetch(**more: Any) -> Json:
    return {"fetch": {"input": TABLE, **more}}


URN = [{"extensionUrnAnchor": 1, "urn": "extension:io.substrait:functions_arithmetic"}]


@pytest.mark.parametrize("minor", [1, 40, 57, 62])
def test_a_fetch_without_count(minor: int) -> None:
    """None of the rows before 0.63, all of them since: an offset that is an expression came with it."""

    def sql(rel: Json, **more: Any) -> str:
        return " ".join(substrait_sql.to_sql(plan(rel, ["a"], "test", minor, **more)).split())

    assert sql(fetch(offset=2)) == "SELECT a FROM t LIMIT 0 OFFSET 2"
    assert sql(fetch(offsetExpr=literal(2))) == "SELECT a FROM t OFFSET 2"
    assert sql(fetch(offset=2), extensionUrns=URN) == "SELECT a FROM t OFFSET 2"
    nested = fetch(input=fetch(offsetExpr=literal(1)))
    assert sql(nested) == "SELECT a FROM t OFFSET 1"
    anchored = read(["a"], [I64], common={"relAnchor": 3})
    assert sql(fetch(input=anchored, offset=2)) == "SELECT a FROM t OFFSET 2"


def test_it_says_so() -> None:
    """Once, at the field; and not where nothing depends on it."""
    found = wire.read(plan(fetch(offsetExpr=literal(2)), ["a"], "test", 57)).diagnostics
    assert [(d.code, d.path) for d in found] == [("SS1102", "relations[0].root.input.fetch")]
    assert "0.57" in found[0].message
    assert "0.63" in found[0].message
    assert not wire.read(plan(TABLE, ["a"], "test", 57, extensionUrns=URN)).diagnostics


def window(minor: int, **bound: Any) -> str:
    """`sum(a)` over the rows from some before on, without a type of bounds."""
    call = {"functionReference": 0, "arguments": [{"value": field(0)}], "outputType": I64}
    call |= {"sorts": [{"expr": field(0), "direction": "SORT_DIRECTION_ASC_NULLS_LAST"}]}
    call |= {"lowerBound": {"preceding": bound}, "upperBound": {"currentRow": {}}}
    rel = {"project": {"input": TABLE, "expressions": [{"windowFunction": call}]}}
    uri = {"extensionUriAnchor": 1, "uri": "/functions_arithmetic.yaml"}
    named = {"functionAnchor": 0, "name": "sum:i64", "extensionUriReference": 1}
    declared = [{"extensionFunction": named}]
    document = plan(rel, ["a", "s"], "test", minor, extensionUris=[uri], extensions=declared)
    return substrait_sql.to_sql(document)


def test_bounds_without_a_type() -> None:
    """They count rows up to 0.101; an offset that is an expression is of 0.102, where they must have one."""
    assert "ROWS BETWEEN 2 PRECEDING AND CURRENT ROW" in window(57, offset=2)
    with pytest.raises(InvalidPlanError, match="SS2172"):
        window(57, offsetExpr=literal(2))


def test_a_condition_of_a_join_by_keys() -> None:
    """A post-join filter is a part of it before 0.91, a filter above the join since."""

    def sql(**more: Any) -> str:
        key = {"left": field(0)["selection"], "right": field(0)["selection"]}
        key |= {"comparison": {"simple": "SIMPLE_COMPARISON_TYPE_EQ"}}
        rel = {"left": TABLE, "right": read(["b"], [I64]), "keys": [key], "type": "JOIN_TYPE_LEFT"}
        rel |= {"postJoinFilter": {"literal": {"boolean": False}}, **more}
        return substrait_sql.to_sql(plan({"hashJoin": rel}, ["a", "b"], "test", 60))

    assert "WHERE" not in sql()
    lateral = {"left": TABLE, "right": TABLE, "type": "JOIN_TYPE_LEFT_SEMI"}
    assert "WHERE" in sql(left={"lateralJoin": lateral | {"expression": TRUE}})
