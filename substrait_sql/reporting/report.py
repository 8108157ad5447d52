"""`report`: plans as one page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from substrait_sql.arguments import expect
from substrait_sql.reporting.facts import facts
from substrait_sql.reporting.page import gathering

if TYPE_CHECKING:
    from os import PathLike


def report(
    plans: Mapping[str, Any], *, dialect: str | PathLike[str] = "spark", title: str = "Plans"
) -> str:
    """One HTML page about plans: the SQL of each beside its tree, where columns come from, what is wrong.

    plans: by what to call them, each anything that `render` takes.
    dialect: as in `render`.
    title: of the page.

    A plan that is refused is in it with its tree and the reason. The page loads nothing, and holds what plans say as
    text.

    Raises `DialectError` for a dialect that is not right, `ArgumentError` for what is no mapping, nothing for a plan.

    >>> from substrait_sql import demo, report
    >>> page = report({"Q3": demo.PLAN}, title="One plan")
    >>> "<title>One plan</title>" in page
    True
    """
    expect("plans", plans, Mapping, "a mapping of names to plans, such as {'top orders': plan}")
    with gathering() as page:
        for label, plan in plans.items():
            page.add(facts(label, plan, dialect))
        return "".join(page.html(title))
