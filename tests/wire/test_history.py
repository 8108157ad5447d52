"""Old plans and today's: the same SQL in every encoding, and `upgrade` gives the form of today."""

from __future__ import annotations

import json
from typing import Any

import pytest
from google.protobuf import json_format, text_format

import substrait_sql
from substrait_sql import wire
from substrait_sql.errors import SubstraitSqlError
from substrait_sql.wire.descriptors import Variant, message
from tests.wire import history, old_plans
from tests.wire.history import ROWS
from tests.wire.old_plans import Row


def encodings(row: Row) -> dict[str, Any]:
    """The old form as JSON, binary and text, as far as it can be written there."""
    found: dict[str, Any] = {"document": row.old, "json": json.dumps(row.old)}
    if not row.json_only:
        variant = Variant.OLD_TEXT if row.retyped else Variant.HISTORY
        built = json_format.ParseDict(row.old, message("Plan", variant)())
        found["binary"] = built.SerializeToString()
        found["text"] = text_format.MessageToString(built)
    return found


def outcome(source: Any) -> str:
    """The SQL, or what refuses the plan and where."""
    try:
        return substrait_sql.to_sql(source)
    except SubstraitSqlError as error:
        return f"{error.code} {error.path}"


WRITES = {"OUTPUT_MODE_MODIFIED_TUPLES": "CREATE TABLE w__written"}
"""Rows whose plans write something, and what their statements begin with."""


@pytest.mark.parametrize("row", ROWS, ids=lambda r: r.name)
def test_same_sql(row: Row) -> None:
    today = outcome(row.new)
    assert today.startswith(WRITES.get(row.name, ("SELECT", "WITH"))), today
    assert {name: outcome(source) for name, source in encodings(row).items()} == dict.fromkeys(
        encodings(row), today
    )


@pytest.mark.parametrize("row", ROWS, ids=lambda r: r.name)
def test_upgraded(row: Row) -> None:
    """No retired field is left, and a second upgrade changes nothing, to the byte."""
    for source in encodings(row).values():
        once = substrait_sql.upgrade(source)
        assert outcome(once) == outcome(row.new)
        data = once.SerializeToString(deterministic=True)
        assert substrait_sql.upgrade(once).SerializeToString(deterministic=True) == data
        assert substrait_sql.upgrade(data).SerializeToString(deterministic=True) == data


@pytest.mark.parametrize("row", ROWS, ids=lambda r: r.name)
def test_what_was_chosen_is_told(row: Row) -> None:
    for name, source in encodings(row).items():
        codes = {d.code for d in wire.read(source).diagnostics} & {"SS1102", "SS1103"}
        assert codes == ({row.note} if row.note else set()), name


def test_post_join_filter_without_a_version() -> None:
    """Only for an inner join the two readings are one; a retired field shows that the plan is old."""
    old = {**old_plans.old_keys(0, 0), "postJoinFilter": old_plans.LESS}
    for kind, expected in (
        ("INNER", "SELECT"),
        ("LEFT", "SS1011 relations[0].root.input.hash_join"),
    ):
        plan = old_plans.plan(
            old_plans.join("hashJoin", kind, **old), 4, None, **old_plans.urns(old_plans.LT)
        )
        assert outcome(plan).startswith(expected)


def test_post_join_filter_of_today() -> None:
    """A filter above the join: a left row without a match fails it."""
    today = history.filtered("hashJoin", "LEFT", "postJoinFilter")
    text = substrait_sql.to_sql(old_plans.plan(today, 4, 91, **old_plans.urns(old_plans.LT)))
    assert "WHERE" in text


def test_extended_expressions() -> None:
    """Rows 2 and 3: the URIs of an ExtendedExpression."""

    def message_of(minor: int, **declared: Any) -> dict[str, Any]:
        sum_of = old_plans.scalar(arguments=old_plans.values(old_plans.field(0), old_plans.ONE))
        return {
            "version": {"minorNumber": minor},
            "referredExpr": [{"expression": sum_of, "outputNames": ["x"]}],
            "baseSchema": old_plans.T["read"]["baseSchema"],
            **declared,
        }

    old = message_of(74, **old_plans.uris(old_plans.ADD))
    today = substrait_sql.to_sql(message_of(100, **old_plans.urns(old_plans.ADD)))
    built = json_format.ParseDict(old, message("ExtendedExpression", Variant.HISTORY)())
    for source in (old, built.SerializeToString(), text_format.MessageToString(built)):
        assert substrait_sql.to_sql(source) == today
