"""The register of codes against the code that raises them, and the page that is printed from it."""

from __future__ import annotations

import pytest

from substrait_sql import Diagnostic
from tests.tools import errors


def test_each_code_is_registered_raised_and_of_one_problem() -> None:
    assert errors.problems() == []


@pytest.mark.slow
def test_the_page_is_current() -> None:
    page = errors.PAGE.read_text(encoding="utf-8")
    assert errors.written(page) == page, "run: python -m tests.tools.errors --write"


def test_a_finding_has_the_name_of_its_code() -> None:
    assert Diagnostic("SS2101", "field 7 does not exist").name == "no_such_field"
    assert Diagnostic("ACME1", "of an extension").name == ""
