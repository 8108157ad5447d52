"""What changed from a golden text to the SQL of today, for people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from substrait_sql.errors import SubstraitSqlError
from substrait_sql.rendered import Rendered
from substrait_sql.review.diff.compare import PATHS_OF_TEXTS, Comparison
from substrait_sql.review.diff.formats import Look, as_text
from substrait_sql.review.diff.lines import unified
from substrait_sql.review.diff.sides import Side, tables_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from substrait_sql.golden.case import Case
    from substrait_sql.review.diff.difference import Difference


def explained(case: Case, old: str, label: str, session: Callable[[], Any], colour: bool) -> str:
    """The difference of texts and of meaning, and of rows if there are tables.

    old: the golden text. label: what it is called. session: gives a Spark session, and is asked only if one is needed.
    """
    try:
        return as_text(_difference(case, label, session), Look(colour))
    except SubstraitSqlError as error:
        why = str(error.diagnostics[0].message)
    except Exception as error:  # whatever goes wrong here must not hide that the texts differ
        why = f"{type(error).__name__}: {error}"
    body = unified((label, old.rstrip("\n")), (case.label, case.sql))
    return f"what changed in meaning cannot be known: {why}\n\n{body}\n"


def _difference(case: Case, label: str, session: Callable[[], Any]) -> Difference:
    source, schema = case.source, None
    if isinstance(case.source, Rendered):
        source, schema = case.source.sql, tables_of(case.source) or None
    old, new = Side(case.golden, label, case.dialect), Side(source, case.label, case.dialect)
    comparison = Comparison(old, new, schema)
    found = comparison.difference()
    if case.tables is not None:
        found = _executed(found, comparison, case, session)
    return _plain(found)


def _executed(
    found: Difference, comparison: Comparison, case: Case, session: Callable[[], Any]
) -> Difference:
    """With the rows of both, or why there are none."""
    from substrait_sql.review.diff.execution import executed
    from substrait_sql.run.tables.sources import folder_tables

    try:
        tables = case.tables if isinstance(case.tables, Mapping) else folder_tables(case.tables)
        plans = comparison.plans()
        spark = case.spark if case.spark is not None else session()
        return executed(
            found, spark, plans, tables, ordered=comparison.ordered, dialect=case.dialect
        )
    except SubstraitSqlError as error:
        first = error.diagnostics[0]
        hint = f" ({first.hint})" if first.hint else ""
        return replace(found, notes=(*found.notes, f"not run: {first.code} {first.message}{hint}"))


def _plain(found: Difference) -> Difference:
    """Without the places in a plan that was made of the golden text: nobody sees it."""
    changes = tuple(replace(change, old="", new="") for change in found.changes)
    notes = tuple(note for note in found.notes if note != PATHS_OF_TEXTS)
    return replace(found, changes=changes, notes=notes)
