"""What `to_sql` writes with several calls for one of the standard comes back as that one, and as the same text."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

import substrait_sql
from substrait_sql.lift.encode import composed
from substrait_sql.resources import DIALECTS

LINES = yaml.safe_load((DIALECTS / "spark/lift/compositions.yaml").read_text(encoding="utf-8"))


def _plan(sql: str, columns: str) -> Any:
    return substrait_sql.to_plan(f"SELECT {sql} AS f FROM args", schema={composed.TABLE: columns})


def _call(plan: Any) -> Any:
    return plan.relations[0].root.input.project.expressions[0].scalar_function


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
