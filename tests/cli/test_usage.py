"""Values of options that make no sense are mistakes of usage: exit code 2, before any plan is looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from substrait_sql import demo

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Call = Callable[..., tuple[int, str, str]]

MISTAKES = {
    "a dialect that is not there": (
        ["render", "--dialect", "sparkk"],
        "SS2401 there is no dialect",
    ),
    "likewise of check": (
        ["check", "--dialect", "sparkk"],
        "there are: databricks, spark, spark35",
    ),
    "a width": (["render", "--style", "width=10"], "SS2412"),
    "a width of many digits": (["render", "--style", f"width={'9' * 5_000}"], "SS2412"),
    "a word of the style": (["render", "--style", "font=serif"], "there is no 'font'"),
    "no time": (["run", "--timeout", "nan"], "nan is no time that can be waited for"),
    "a time without end": (["run", "--timeout", "inf"], "inf is no time"),
    "likewise between two attempts": (["run", "--retry-wait", "nan"], "nan is no time"),
    "no schema": (["dbt", "-o", "project", "--schema", ""], "--schema needs a name"),
    "macros are no models": (
        ["dbt", "-o", "project", "--macros", "--materialized", "view"],
        "--materialized is of models, and --macros writes none",
    ),
    "two forms": (["run", "-o", "x.csv", "--format", "json"], "--format json and x.csv"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes(call: Call, name: str) -> None:
    arguments, expected = MISTAKES[name]
    code, out, said = call(*arguments, demo.PLAN)
    assert (code, out) == (2, "")
    assert expected in said


def test_an_ending_that_is_the_form(call: Call, tmp_path: Path) -> None:
    """``--format json`` writes an object per line, as .jsonl says too; the table is what stdout gets."""
    for out in ("x.json", "x.jsonl"):
        code, _, said = call(
            "run", "-o", tmp_path / out, "--format", "json", "--limit", "0", demo.PLAN
        )
        assert (code, "SS4003" in said) == (1, True)


def test_dbt_writes_all_or_nothing(call: Call, tmp_path: Path) -> None:
    code, out, said = call("dbt", demo.PLAN, tmp_path / "nofile.pb", "-o", tmp_path / "project")
    assert (code, out) == (1, "")
    assert "looked at: 1 of 2 plans, 1 failed\nnothing was written" in said
    assert not (tmp_path / "project").exists()


def test_a_statement_is_no_file(call: Call) -> None:
    code, _, said = call("plan", "SELECT 1")
    assert code == 1
    assert "echo 'SELECT 1' | substrait-sql plan -" in said


def test_the_side_of_a_difference_that_cannot_be_read(call: Call, tmp_path: Path) -> None:
    cut = tmp_path / "cut.pb"
    cut.write_bytes(demo.PLAN.read_bytes()[:60])
    for sides in ((demo.PLAN, cut), (cut, demo.PLAN)):
        code, out, said = call("diff", *sides)
        assert (code, out) == (2, "")
        assert said.count("  in    ") == 1
        assert f"  in    {cut}" in said
    assert "'-' (stdin) can be given only once" in call("diff", "-", "-")[2]
