"""`style`: the width of lines, where commas stand, the case of functions. Nothing of it changes what a text means."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from substrait_sql import DialectError, render, to_plan, to_sql
from tests.support.cases import PLANS

if TYPE_CHECKING:
    from pathlib import Path

SCHEMA = {"t": {"a": "INT", "b": "STRING", "d, e": "DOUBLE"}}
LONG = "coalesce(concat(b, 'aaaaaaaaaaaaaaaaaaaa,'), concat(b, 'bbbbbbbbbbbbbbbbbb'), b, 'x,\n, y', 'cccccccccccccc')"
QUERY = f"SELECT a, sum(`d, e`) AS s, {LONG} AS c FROM t WHERE a IN (1, 2) GROUP BY a, {LONG} ORDER BY s DESC, c"
STYLES = [
    {"commas": "leading"},
    {"functions": "upper"},
    {"width": 200},
    {"width": 60, "commas": "leading", "functions": "upper"},
]


@pytest.mark.parametrize("style", STYLES, ids=str)
def test_the_meaning_stays(style: dict[str, str | int]) -> None:
    plan = to_plan(QUERY, schema=SCHEMA)
    text = to_sql(plan, style=style)
    assert text != to_sql(plan)
    assert to_sql(to_plan(text, schema=SCHEMA)) == to_sql(plan)


def test_commas_lead() -> None:
    lines = to_sql(to_plan(QUERY, schema=SCHEMA), style={"commas": "leading"}).splitlines()
    assert "  , sum(`d, e`) AS s" in lines
    assert "    , b" in lines
    assert not [line for line in lines if line.endswith(",")]
    assert max(map(len, lines)) <= 100


def test_functions_in_upper_case() -> None:
    text = to_sql(to_plan(QUERY, schema=SCHEMA), style={"functions": "upper"})
    assert "SUM(`d, e`) AS s" in text
    assert "COALESCE(" in text
    assert "concat" not in text


def test_lines_of_another_width() -> None:
    plan = PLANS / "read" / "virtual_subqueries.json"
    wide = [to_sql(to_plan(QUERY, schema=SCHEMA), style={"width": width}) for width in (60, 200)]
    assert max(map(len, wide[0].splitlines())) <= 60
    assert max(map(len, wide[1].splitlines())) > 100
    assert to_sql(plan, style={"width": 100}) == to_sql(plan)


def test_the_source_map_knows_where_things_stand() -> None:
    made = render(to_plan(QUERY, schema=SCHEMA), annotate=True, style={"commas": "leading"})
    assert "  , sum(`d, e`) AS s" in made.sql


def test_a_dialect_may_say_so(tmp_path: Path) -> None:
    text = "name: own\nmetadata: {extends: spark, style: {commas: leading, width: 60}}\n"
    (tmp_path / "dialect.yaml").write_text(text)
    plan = to_plan(QUERY, schema=SCHEMA)
    style = {"commas": "leading", "width": 60}
    assert to_sql(plan, dialect=tmp_path) == to_sql(plan, style=style)
    trailing = to_sql(plan, dialect=tmp_path, style={"commas": "trailing"})
    assert trailing == to_sql(plan, style={"width": 60})
    (tmp_path / "dialect.yaml").write_text(text.replace("60", "6"))
    with pytest.raises(DialectError, match="style"):
        to_sql(plan, dialect=tmp_path)


@pytest.mark.parametrize(
    "style", [{"width": 39}, {"width": True}, {"width": "80"}, {"commas": "none"}, {"comma": "leading"}], ids=str
)  # fmt: skip
def test_what_there_is_not(style: dict[str, object]) -> None:
    with pytest.raises(DialectError) as refused:
        to_sql(to_plan("SELECT 1 AS x", schema={}), style=style)
    assert refused.value.code == "SS2412"
