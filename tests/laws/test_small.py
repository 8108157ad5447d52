"""Small inputs that ask for much: what is read twice at each of n steps is read 2^n times. All found by damage."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest

import substrait_sql
from substrait_sql import SqlError, SubstraitSqlError, demo

if TYPE_CHECKING:
    from collections.abc import Callable

_TABLE = {
    "namedTable": {"names": ["t"]},
    "baseSchema": {"names": ["k"], "struct": {"types": [{"i32": {}}]}},
}
_FIELD = {"selection": {"directReference": {"structField": {"field": 0}}, "rootReference": {}}}
_SCHEMA = {"t": "a INT"}
_STEPS = 40


def plan(*shared: Any, root: Any, names: int = 1) -> dict[str, Any]:
    relations = [{"rel": each} for each in shared]
    return {
        "version": {"minorNumber": 80},
        "relations": [*relations, {"root": {"names": ["a"] * names, "input": root}}],
    }


def read() -> dict[str, Any]:
    return {"read": _TABLE}


def computed(expression: Any, names: int = 1) -> dict[str, Any]:
    project = {
        "common": {"emit": {"outputMapping": [1]}},
        "input": read(),
        "expressions": [expression],
    }
    return plan(root={"project": project}, names=names)


def reference(ordinal: int) -> dict[str, Any]:
    return {"reference": {"subtreeOrdinal": ordinal}}


def doubled(steps: int) -> dict[str, Any]:
    """Each relation is the one before it, twice."""
    both = [{"set": {"inputs": [reference(i)] * 2, "op": "SET_OP_UNION_ALL"}} for i in range(steps)]
    return plan(read(), *both, root=reference(steps))


def filters(steps: int) -> dict[str, Any]:
    """Each relation is the one before it, filtered."""
    true = {"literal": {"boolean": True}}
    found = [{"filter": {"input": reference(i), "condition": true}} for i in range(steps)]
    return plan(read(), *found, root=reference(steps))


def listed(steps: int) -> dict[str, Any]:
    value: Any = {"i32": 1}
    for _ in range(steps):
        value = {"list": {"values": [value]}}
    return computed({"literal": value})


def records(steps: int, word: str = "literal") -> dict[str, Any]:
    value: Any = {"i32": 1} if word == "literal" else _FIELD
    for _ in range(steps):
        value = {"struct": {"fields": [value]}}
        value = value if word == "literal" else {word: value}
    return computed({word: value} if word == "literal" else value, steps + 1)


def common_tables(steps: int) -> str:
    """The text of `doubled`."""
    found = "".join(
        f", c{i + 1} AS (SELECT * FROM c{i} UNION ALL SELECT * FROM c{i})" for i in range(steps)
    )
    return f"WITH c0 AS (SELECT 1 AS x){found} SELECT * FROM c{steps}"


def aliases(steps: int) -> str:
    found = "".join(f", x{i} + x{i} AS x{i + 1}" for i in range(steps))
    return f"SELECT a AS x0{found} FROM t"


def soon(work: Callable[[], Any]) -> Any:
    """What the work returns, or the error that it ends in."""
    start = time.process_time()
    try:
        found = work()
    except SubstraitSqlError as error:
        found = error
    # Enough for a slow machine, and for nothing that doubles with each step.
    assert time.process_time() - start < 15
    return found


PLANS = {
    "doubled": doubled(_STEPS),
    "filters": filters(250),
    "lists": listed(_STEPS),
    "records": records(_STEPS),
    "nested records": records(_STEPS, "nested"),
}


@pytest.mark.parametrize("kind", PLANS)
def test_plans(kind: str) -> None:
    made = PLANS[kind]
    assert isinstance(soon(lambda: substrait_sql.to_sql(made)), str)
    assert soon(lambda: substrait_sql.check(made)) == []
    assert kind.startswith("nested") or soon(lambda: substrait_sql.explain(made))
    assert soon(lambda: substrait_sql.diff(made, made)).same
    assert isinstance(soon(lambda: substrait_sql.to_sql(made, annotate=True)), str)


def test_a_nested_literal_says_what_it_holds() -> None:
    assert substrait_sql.to_sql(listed(3)).startswith("SELECT\n  array(array(array(1)))")
    assert "named_struct('a', named_struct('a', 1))" in substrait_sql.to_sql(records(2))


def test_texts() -> None:
    made = soon(lambda: substrait_sql.to_plan(common_tables(_STEPS), schema={}))
    assert len(made.relations) == _STEPS + 1
    refused = soon(lambda: substrait_sql.to_plan(aliases(_STEPS), schema=_SCHEMA))
    assert isinstance(refused, SqlError)
    assert refused.code == "SS5007"
    assert substrait_sql.to_plan(aliases(4), schema=_SCHEMA)


def test_a_text_of_comments_is_no_plan() -> None:
    comments = "/**/" * 60
    assert soon(lambda: substrait_sql.diff(f"{comments}x\n", "SELECT 1")).code == "SS1004"
    assert soon(lambda: substrait_sql.diff(f"{comments}-- */\nSELECT 1", "SELECT 1")).same


@pytest.mark.parametrize("name", ["x", "sum(DISTINCT ", ") FILTER (WHERE ", "RANGE BETWEEN "])
def test_a_long_name_of_a_result(name: str) -> None:
    made = plan(root=read())
    made["version"] = {"minorNumber": 44, "producer": "datafusion"}
    made["relations"][0]["root"]["names"] = [name * 20_000 + " BETWEEN "]
    assert isinstance(soon(lambda: substrait_sql.to_sql(made)), str)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["filters", "joins", "records"])
def test_deep_plans_are_checked(kind: str) -> None:
    """What `to_sql` has room for `check` has, too."""
    made = records(100, "nested")
    if kind != "records":
        rel = read()
        true = {"literal": {"boolean": True}}
        for _ in range(600):
            join = {"left": rel, "right": read(), "expression": true, "type": "JOIN_TYPE_LEFT_SEMI"}
            rel = (
                {"join": join} if kind == "joins" else {"filter": {"input": rel, "condition": true}}
            )
        made = plan(root=rel)
    assert substrait_sql.to_sql(made)
    assert substrait_sql.check(made) == []


def test_a_deep_value_of_a_text() -> None:
    sql = "SELECT " + "struct(" * 64 + "1" + ")" * 64
    assert substrait_sql.to_plan(sql, schema={})
    assert substrait_sql.check_sql(sql, schema={}) == []


@pytest.mark.parametrize(
    "text", ["${env:HOME}", "{{ 1 }}", "{% set a = 1 %}", "{# a", "*/ 1 /*", "{{{"]
)
def test_a_comment_says_nothing(text: str) -> None:
    """Spark replaces variables in comments, too, and dbt runs what Jinja it finds there."""
    made = plan(root=read())
    made["version"]["producer"] = text
    sql = substrait_sql.to_sql(made, comments=True, header=True)
    for each in ("${", "{{", "{%", "{#"):
        assert each not in sql
    assert sql.count("*/") == sql.count("/*") == 2


_NUMBER = "9" * 5_000
SQL = {
    "SS5003": [
        f"SELECT {_NUMBER}",
        f"SELECT a FROM t ORDER BY {_NUMBER}",
        f"SELECT a FROM t LIMIT {_NUMBER}",
        f"SELECT CAST(a AS DECIMAL({_NUMBER})) FROM t",
        f"SELECT /*+ REPARTITION({_NUMBER}) */ a FROM t",
        "SELECT 1e999999999",
        "SELECT 1e999999999BD",
        "SELECT 1e99999999999999999999",
    ],
    "SS5001": ["SELECT CAST(a AS DECIMAL(\u00b2)) FROM t"],
    "SS5007": [
        "SELECT '\ud800'",
        "SELECT a AS `\ud800` FROM t",
        "SELECT a \udfff FROM t",
        r"SELECT '\ud83d'",
        r"SELECT '\U00110000'",
    ],
}


@pytest.mark.parametrize(
    ("code", "sql"), [(code, sql) for code, texts in SQL.items() for sql in texts]
)
def test_texts_that_hold_anything(code: str, sql: str) -> None:
    with pytest.raises(SqlError, match=code) as refused:
        substrait_sql.to_plan(sql, schema=_SCHEMA)
    assert len(str(refused.value)) < 10_000
    assert str(refused.value).encode()
    (found,) = substrait_sql.check_sql(sql, schema=_SCHEMA)
    assert found.code == code


def test_two_escapes_are_one_character() -> None:
    """Spark's texts are UTF-16 while it reads them."""
    made = substrait_sql.to_plan(r"SELECT '\ud83d\ude00' AS a", schema={})
    assert "'😀'" in substrait_sql.to_sql(made)


def test_documents_that_hold_anything() -> None:
    deep = {"filter": {"input": read(), "condition": {"literal": {"i64": 10**5_000}}}}
    sources: list[Any] = [
        f'{{"relations": [], "version": {{"minorNumber": {_NUMBER}}}}}',
        plan(root=deep),
        {10**5_000: 1},
        {"relations": [], 10**5_000: 1},
        None,
        type(substrait_sql.upgrade(demo.PLAN)),
    ]
    for each in sources:
        with pytest.raises(substrait_sql.DecodeError, match="SS100"):
            substrait_sql.to_sql(each)
        (found,) = substrait_sql.check(each)
        assert found.code.startswith("SS100")
    twice = "{" + ", ".join(['"a": 1'] * 50_000) + "}"
    assert "given twice" in str(soon(lambda: substrait_sql.to_sql(twice)))


@pytest.mark.parametrize(
    ("sort", "given", "code"),
    [
        ("schema", {"t": f"a DECIMAL({_NUMBER})"}, "SS5010"),
        ("schema", {"t": "a DECIMAL(\u00b2)"}, "SS5010"),
        ("schema", "x" * 5_000, "SS5010"),
        ("schema", {("a", 1): "a INT"}, "SS5004"),
        ("parameters", {1: "INT"}, "SS5006"),
        ("parameters", ["INT"], "SS5006"),
        ("zone", "Mars/Olympus", "SS5003"),
        ("zone", "x" * 5_000, "SS5003"),
        ("zone", b"UTC", "SS5003"),
        ("dialect", "x" * 5_000, "SS2401"),
        ("dialect", None, "SS2401"),
    ],
)
def test_arguments_that_hold_anything(sort: str, given: Any, code: str) -> None:
    arguments: dict[str, Any] = {"schema": _SCHEMA, sort: given}
    with pytest.raises(SubstraitSqlError, match=code) as refused:
        substrait_sql.to_plan("SELECT a FROM t", **arguments)
    assert len(str(refused.value)) < 10_000


def test_a_type_of_thousands_of_levels_is_read() -> None:
    kind = "ARRAY<" * 2_000 + "INT" + ">" * 2_000
    assert substrait_sql.to_plan("SELECT a FROM t", schema={"t": f"a {kind}"})


def test_texts_that_are_compared() -> None:
    made = plan(root=read())
    for each in ("SELECT map(1, 2, 3)", "SELECT \x00", f"SELECT {_NUMBER}"):
        assert not substrait_sql.diff(each, made).same


def test_what_is_no_plan_is_said() -> None:
    for source, expected in {
        "SELECT 1": "this is SQL",
        "SELECT 1\nFROM t": "this is SQL",
        b"with x as (select 1) select 1": "this is SQL",
        "plans/nofile.pb": "there is no file plans/nofile.pb",
        "CgEx": "base64",
    }.items():
        with pytest.raises(substrait_sql.DecodeError, match=expected):
            substrait_sql.to_sql(source)
