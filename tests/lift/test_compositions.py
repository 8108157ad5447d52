"""What `to_sql` writes with several calls for one of the standard comes back as that one, and as the same text."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

import substrait_sql
from substrait_sql.lift.encode import composed
from substrait_sql.resources import DIALECTS

LINES = yaml.load(
    (DIALECTS / "spark/lift/compositions.yaml").read_text(encoding="utf-8"), yaml.CSafeLoader
)


def _plan(sql: str, columns: str) -> Any:
    return substrait_sql.to_plan(f"SELECT {sql} AS f FROM args", schema={composed.TABLE: columns})


def _call(plan: Any) -> Any:
    rel = plan.relations[0].root.input
    if rel.HasField("aggregate"):
        return rel.aggregate.measures[0].measure
    return rel.project.expressions[0].scalar_function


@pytest.mark.slow
@pytest.mark.parametrize(
    "line", LINES["compositions"], ids=lambda x: f"{x['name']}-{'-'.join(x['options'].values())}"
)
def test_each_text_is_its_call(line: dict[str, Any]) -> None:
    plan = _plan(line["sql"], line["columns"])
    assert [e.extension_function.name for e in plan.extensions] == [line["name"]]
    assert {o.name: o.preference[0] for o in _call(plan).options} == line["options"]
    assert " ".join(substrait_sql.to_sql(plan).split()) == f"SELECT {line['sql']} AS f FROM args"


def test_another_expression_may_stand_for_a_column() -> None:
    sql = "CASE WHEN a + b = 0 THEN CAST('-Infinity' AS DOUBLE) ELSE ln(a + b) END"
    plan = _plan(sql, "a DOUBLE, b DOUBLE")
    assert [e.extension_function.name for e in plan.extensions] == ["ln:fp64", "add:fp64_fp64"]


@pytest.mark.parametrize(
    ("sql", "columns", "name"),
    [
        ("nullif(array_position(l, x), 0) - 1", "l ARRAY<STRING>, x STRING", "index_in:any_list"),
        ("nullif(array_position(l, x), 0) - 1", "l ARRAY<DATE>, x DATE", "index_in:any_list"),
        (
            "CASE WHEN x < 0 THEN raise_error('square root of a negative number') ELSE sqrt(x) END",
            "x DECIMAL(17, 3)",
            "sqrt:dec",
        ),
        ("CAST(avg(abs(x)) FILTER (WHERE x > 0) AS FLOAT)", "x FLOAT", "avg:fp32"),
        ("aggregate(collect_list(y), 1, (a, b) -> a * b)", "y INT", "product:i32"),
    ],
)
def test_columns_of_other_types_and_parameters_of_other_names(
    sql: str, columns: str, name: str
) -> None:
    plan = _plan(sql, columns)
    assert name in [e.extension_function.name for e in plan.extensions]
    again = substrait_sql.to_plan(substrait_sql.to_sql(plan), schema={composed.TABLE: columns})
    assert again.SerializeToString() == plan.SerializeToString()


@pytest.mark.parametrize(
    ("sql", "columns", "name"),
    [
        # A value that is there only within the lambda; each row once; rows that a FILTER takes from one of two.
        ("aggregate(collect_list(x), 1, (a, b) -> a * a)", "x INT", "product:i32"),
        ("aggregate(collect_list(DISTINCT x), 1, (a, b) -> a * b)", "x INT", "product:i32"),
        (
            "sum(CAST(x AS DECIMAL(20, 0))) FILTER (WHERE x > 0) DIV count(x)",
            "x BIGINT",
            "avg:i64",
        ),
    ],
)
def test_what_only_looks_like_it(sql: str, columns: str, name: str) -> None:
    plan = _plan(sql, columns)
    urns = {u.extension_urn_anchor: u.urn for u in plan.extension_urns}
    found = [e.extension_function for e in plan.extensions]
    assert name not in [f.name for f in found]
    assert "extension:substrait_sql:spark" in urns.values()


@pytest.mark.parametrize(
    "sql",
    [
        # Another expression, another constant, another type.
        "CASE WHEN a = 0 THEN CAST('-Infinity' AS DOUBLE) ELSE ln(b) END",
        "CASE WHEN a = 1 THEN CAST('-Infinity' AS DOUBLE) ELSE ln(a) END",
        "CASE WHEN a = 0 THEN CAST('Infinity' AS DOUBLE) ELSE ln(a) END",
        "CASE WHEN a = 0 THEN CAST('-Infinity' AS DOUBLE) ELSE ln(a) + 1 END",
    ],
)
def test_what_is_like_a_text_is_no_call(sql: str) -> None:
    plan = _plan(sql, "a DOUBLE, b DOUBLE")
    names = [e.extension_function.name for e in plan.extensions]
    assert len(names) > 1


def test_a_cast_that_somebody_wrote_stays() -> None:
    asked = _plan("sqrt(CAST(a AS DOUBLE))", "a BIGINT")
    assert _call(asked).arguments[0].value.WhichOneof("rex_type") == "cast"
    assert _call(_plan("sqrt(a)", "a BIGINT")).arguments[0].value.WhichOneof("rex_type") != "cast"


@pytest.mark.parametrize("name", ["transform", "filter"])
def test_a_lambda_with_the_place_as_well_is_sparks_own(name: str) -> None:
    """The standard's takes one argument."""
    found = {}
    for parameters in ("x", "(x, i)"):
        plan = _plan(f"{name}(l, {parameters} -> x > 1)", "l ARRAY<INT>")
        (used,) = [
            e.extension_function for e in plan.extensions if "list" in e.extension_function.name
        ]
        urns = {u.extension_urn_anchor: u.urn for u in plan.extension_urns}
        found[parameters] = urns[used.extension_urn_reference]
    assert found == {
        "x": "extension:io.substrait:functions_list",
        "(x, i)": "extension:substrait_sql:spark",
    }
