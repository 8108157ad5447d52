"""Every alternative of the specification is shown to be right by a golden plan, or listed as refused with a reason.

The alternatives are read off the descriptors: see tests/tools/relations.py, and docs/relations.md, which is printed
from it.
"""

from __future__ import annotations

import pytest

from substrait_sql.lower.expression import supported as expressions
from substrait_sql.lower.expressions.literal import supported as literals
from substrait_sql.lower.relation import supported as relations
from tests.tools import relations as support

TABLES = support.RELATION_LEVEL + support.OTHERS
NAMES = {a.name for a in support.alternatives(TABLES)}


@pytest.mark.parametrize(("owner", "choice", "count"), [(o, c, n) for _, o, c, n in TABLES])
def test_counts_are_those_of_the_specification(owner: str, choice: str, count: int) -> None:
    found = support.members(owner, choice)
    assert len(found) == count, found


def test_there_are_141_alternatives_at_relation_level() -> None:
    assert len(support.alternatives(support.RELATION_LEVEL)) == 141


def test_every_alternative_is_right_or_has_a_reason() -> None:
    missing = NAMES - support.evidence().keys() - support.refusals().keys()
    assert not missing, f"no golden plan uses these, and {support.DATA.name} does not list them"


def test_no_refusal_is_contradicted_by_a_golden_plan() -> None:
    both = {n: support.evidence()[n][0] for n in support.refusals() if n in support.evidence()}
    assert not both, "run: python -m tests.tools.relations --write"


def test_refusals_are_of_alternatives_and_have_reasons() -> None:
    assert support.refusals().keys() <= NAMES
    assert all(r["reason"] for r in support.refusals().values())
    assert all(
        r.keys() <= {"alternative", "reason", "physical"} for r in support.refusals().values()
    )


@pytest.mark.parametrize(
    ("choice", "lowered"),
    [
        ("Rel.rel_type", relations()),
        ("Expression.rex_type", expressions()),
        ("Expression.Literal.literal_type", literals()),
    ],
)
def test_what_is_refused_for_good_has_no_lowering(choice: str, lowered: frozenset[str]) -> None:
    physical = {n for n, r in support.refusals().items() if r.get("physical")}
    assert not {f"{choice}={kind}" for kind in lowered} & physical


def test_what_tests_show_names_alternatives_and_tests() -> None:
    assert support.SHOWN.keys() <= NAMES
    assert all((support.PAGE.parents[1] / test).exists() for test in support.SHOWN.values())


def test_the_page_is_current() -> None:
    assert support.PAGE.read_text(encoding="utf-8") == support.page(), (
        "run: python -m tests.tools.relations --write"
    )
