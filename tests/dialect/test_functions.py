"""Every overload of the extension files, and every value of their options, is mapped or refused with a reason."""

from __future__ import annotations

import pytest

from tests.tools import functions


def test_counts_are_those_of_the_specification() -> None:
    # 534 in release 0.108, which dropped one.
    assert len(functions.overloads()) in (534, 535)
    assert len({(o.stem, o.kind, o.name) for o in functions.overloads()}) == 213


def test_nothing_is_forgotten() -> None:
    assert functions.missing() == []


def test_refusals_are_needed_and_have_reasons() -> None:
    assert functions.stale() == []
    assert all(r.reason for kind in ("overloads", "values") for r in functions.refusals(kind))


def test_the_page_is_current() -> None:
    assert functions.PAGE.read_text(encoding="utf-8") == functions.page(), (
        "run: python -m tests.tools.functions --write"
    )


# Their names are words of their own in the grammar of cases: the golden plan aggregate/any_value_but_null has them.
IN_A_PLAN = {
    ("functions_aggregate_generic", "any_value", "IGNORE_NULLS", "FALSE"),
    ("functions_aggregate_generic", "any_value", "IGNORE_NULLS", "TRUE"),
}


@pytest.mark.slow
def test_every_option_has_a_case() -> None:
    """Each value that can be delivered is in a case with a known result: the official ones, or ours."""
    assert functions.without_case(functions.stems()) == IN_A_PLAN


@pytest.mark.slow
def test_every_overload_has_a_case() -> None:
    assert functions.overloads_without_case() == []
