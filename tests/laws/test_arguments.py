"""What public functions say to arguments of another kind than they take."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import substrait_sql
from substrait_sql import ArgumentError, SubstraitSqlError, demo


class Session:
    """What looks like a session, and can do nothing: all of these are refused before it is asked for anything."""

    sql = conf = None


CALLS: dict[str, tuple[Any, ...]] = {
    "render": (
        ("style", "wide", "a mapping, such as {'width': 80}"),
        ("open_options", ["on_log_zero"], "a mapping"),
        ("statement_options", "delta", "a mapping"),
        ("table_names", "t", "a mapping"),
        ("templates", "folder", "a list of folders"),
    ),
    "execute": (
        ("parameters", [10], "a mapping of anchors to values, such as {1: 10}"),
        ("tables", "folder", "a mapping of names to tables"),
        ("allow_writes", "no", "True or False"),
        ("root", "0", "the index of a root"),
        ("root", True, "the index of a root"),
        ("policy", "policy.yaml", "a Policy, such as Policy.read('policy.yaml') returns"),
        ("policy", {"read_tables": []}, "a Policy"),
    ),
    "save": (
        ("to_table", 5, "the name of a table"),
        ("to_files", 5, "the path of a folder"),
        ("partition_by", 5, "a list of names of columns"),
        ("max_rows", "1", "a number of rows"),
        ("limit", "3", "a number of rows"),
        ("limit", True, "a number of rows"),
    ),
}


@pytest.mark.parametrize(
    ("function", "argument", "given", "takes"),
    [(f, *each) for f, calls in CALLS.items() for each in calls],
)
def test_an_argument_of_another_kind(function: str, argument: str, given: Any, takes: str) -> None:
    before = () if function == "render" else (Session(),)
    with pytest.raises(ArgumentError) as refused:
        getattr(substrait_sql, function)(*before, demo.PLAN, **{argument: given})
    assert refused.value.code == "SS7001"
    kind = type(given).__name__
    assert f"the argument {argument} is of type {kind}" in str(refused.value)
    assert takes in str(refused.value)


@pytest.mark.parametrize("given", [None, "local[2]", demo.PLAN], ids=["none", "text", "path"])
def test_what_is_no_session(given: Any) -> None:
    for call in (
        lambda: substrait_sql.execute(given, demo.PLAN),
        lambda: substrait_sql.save(given, demo.PLAN, to_table="t"),
        lambda: substrait_sql.running(given).__enter__(),
    ):
        with pytest.raises(ArgumentError, match="the argument spark is of type"):
            call()


@pytest.mark.parametrize("plans", [[], demo.PLAN, "plan.pb"], ids=["list", "path", "text"])
def test_a_report_is_of_plans_by_name(plans: Any) -> None:
    with pytest.raises(ArgumentError, match="the argument plans is of type"):
        substrait_sql.report(plans)


def test_it_is_one_of_our_errors_and_one_of_pythons() -> None:
    with pytest.raises(TypeError) as refused:
        substrait_sql.local_session(4)  # type: ignore[arg-type]
    assert isinstance(refused.value, SubstraitSqlError)
    assert "such as 'local[4]'" in str(refused.value)


def test_names_of_tables_and_columns_are_texts() -> None:
    session: Any = Session()
    numbered: Any = {1: Path("orders")}
    with pytest.raises(SubstraitSqlError, match="1 is no name of a table"):
        substrait_sql.execute(session, demo.PLAN, tables=numbered)
    with pytest.raises(SubstraitSqlError, match="None is no name of a column"):
        substrait_sql.to_plan("SELECT 1", schema={"t": {None: "INT"}})
