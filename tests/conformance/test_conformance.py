"""The official function cases and ours: none is wrong, and what is refused has its reason in tests/conformance."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from substrait_sql.testing.cases.run import WRONG, Outcome, run
from tests.conformance import lists, read

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@pytest.fixture(scope="module")
def cases() -> list[read.Case]:
    """All cases. Reading them takes seconds, which the collection of other tests shall not."""
    return [case for file in read.files() for case in read.cases(file)]


@pytest.fixture(scope="module")
def outcomes(spark: SparkSession, compiled: None, cases: list[read.Case]) -> list[Outcome]:
    return run(spark, cases)


@pytest.mark.slow
def test_the_official_cases_are_all_there(cases: list[read.Case]) -> None:
    assert sum(not case.file.startswith("own/") for case in cases) >= 1317


def test_outcomes(outcomes: list[Outcome], subtests: pytest.Subtests) -> None:
    """One test for all that the outcomes are asked: of several, each process would run the cases for its own."""
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    with subtests.test("nothing is wrong"):
        assert [str(o) for o in outcomes if lists.verdict(o) == WRONG] == []
    with subtests.test("what is refused has a reason"):
        assert [str(o) for o in outcomes if not lists.stated(o)] == []
    with subtests.test("the README has the figures"):
        assert lists.figures(outcomes) in " ".join(readme.split())
    with subtests.test("every reason is needed"):
        assert lists.stale(outcomes) == []
