"""Which habits of a producer matter to a plan."""

from __future__ import annotations

from typing import Any

import pytest

from substrait_sql.reporting.facts import facts
from tests.support.build import R, call, plan, table, upper

people = table("people", "id:i64 name:str? weight:fp64")


def habits(relation: R, names: str, producer: str, minor: int) -> dict[str, list[list[str]]]:
    """The lines by the specification, and as they are meant, by the name of each habit that matters."""
    made = plan((relation, names))
    made.version.producer, made.version.minor_number = producer, minor
    said = facts("plan", made, "spark")["habits"]
    return {name: [list(pair) for pair in pairs] for name, _, _, here, pairs in said if here}


def divided() -> R:
    return people.select(lambda r: [call("arithmetic", "divide:fp64_fp64", "fp64", r[2], r[2])])


CASES: dict[str, tuple[Any, ...]] = {
    "nobody's": (divided, "x", "hand-written", 106, []),
    "quotients of floats": (divided, "x", "datafusion", 85, ["floats_have_no_zero_error"]),
    "nothing of it is there": (lambda: people.select(lambda r: [upper(r[1])]), "x", "datafusion", 85, []),
    "a projection alone": (
        lambda: people.project(lambda r: [upper(r[1])]), "x", "datafusion", 53, ["project_replaces"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_which_matter(case: str) -> None:
    relation, names, producer, minor, expected = CASES[case]
    assert list(habits(relation(), names, producer, minor)) == expected


def test_what_they_change() -> None:
    [[before, after]] = habits(divided(), "x", "datafusion", 85)["floats_have_no_zero_error"]
    assert before != after
    assert "weight" in before
    assert "weight" in after


def test_a_plan_that_would_be_refused() -> None:
    relation = people.project(lambda r: [upper(r[1])])
    [[before, after]] = habits(relation, "x", "datafusion", 53)["project_replaces"]
    assert before.startswith("refused: SS2003")
    assert "upper(name)" in after
